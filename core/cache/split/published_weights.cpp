// Means over the parts of releases.
#include "core/cache/split/published_weights.h"

#include "core/cache/split/weights_read.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

PublishedWeights publishedWeightsOf(const CacheModel& model) {
    const ReleasedBits* const release = releasedBitsOf(model, "");
    if (release == nullptr) {
        return {};
    }
    constexpr double allTokens = 1e9; // a batch that meets every expert
    constexpr double bitsOfByte = 8;
    const WeightsRead read = weightsRead(model, allTokens);
    const double embeddings = 2 * read.head; // input and output: none of these models ties them
    const double rest = std::max(0.0, model.totalParameters - read.experts - embeddings);
    const double bits = read.experts * release->experts + embeddings * release->head + rest * release->rest;
    return {bits / (read.experts + embeddings + rest) / bitsOfByte, release->format, release->source};
}

std::string wordsOf(const PublishedWeights& weights) {
    return weights.source.empty() ? std::string()
                                  : fmt::format("{}, as published ({})", weights.format, weights.source);
}

} // namespace loadline
