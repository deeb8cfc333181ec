// The prefill/decode split in documents and text.
#pragma once

#include "app/cli/cache/cache_document.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

/// {"gpus", "prefill", "hit_rate", "linear": SPLIT, "with_attention": [{"model", SPLIT...}], "limit": SPLIT}:
/// the limit is a hit rate of 1, where the published study's 32 GPUs and 2x are.
nlohmann::ordered_json splitDocument(const CacheAnswer& answer);
/// [{"model", "bytes_per_token", "held_median_bytes", "source"}] at 2 bytes a value, on one GPU.
nlohmann::ordered_json kvBytesDocument(const CacheAnswer& answer);
std::string splitText(const CacheAnswer& answer);

} // namespace loadline::app
