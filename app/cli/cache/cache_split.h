// The prefill/decode split in documents and text.
#pragma once

#include "app/cli/cache/cache_document.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

/// {"gpus", "prefill", "hit_rate", "hit_rate_of", "mean_input_tokens", "answer": {"hit_rate", "hit_rate_of",
/// SPLIT...}, "linear": SPLIT, "with_attention": [{"model", SPLIT...}], "within_ttl_and_tiers": {"300":
/// {..}}, "limit": SPLIT}. The first hit rate is the typed one, the provider's or an unlimited cache's; the
/// answer's is the text's, of a cache that keeps blocks for usualTtlS in the tiers, which its "hit_rate_of"
/// says in words. The limit is a hit rate of 1, where the published study's 32 GPUs and 2x are.
nlohmann::ordered_json splitDocument(const CacheAnswer& answer);
/// [{"model", "bytes_per_token", "held_median_bytes", "source"}] at 2 bytes a value, on one GPU.
nlohmann::ordered_json kvBytesDocument(const CacheAnswer& answer);
std::string splitText(const CacheAnswer& answer);

} // namespace loadline::app
