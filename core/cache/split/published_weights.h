// How many bytes a model's weights take as they were published.
#pragma once

#include "core/cache/split/cache_model.h"

#include <string>
#include <string_view>

namespace loadline {

struct PublishedWeights {
    double bytesEach = 2;             ///< mean over all weights, scales included
    std::string_view format = "bf16"; ///< "MXFP4 experts, the rest bf16"
    std::string_view source = {};     ///< who says so; "": assumed, no release in fewer bits is known
    bool operator==(const PublishedWeights&) const = default;
};

PublishedWeights publishedWeightsOf(const CacheModel& model);

/// "MXFP4 experts, the rest bf16, as published (gpt-oss model card)"; "" where bf16 is assumed.
std::string wordsOf(const PublishedWeights& weights);

} // namespace loadline
