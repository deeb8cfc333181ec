// Token distributions in the published form: frequencies per power-of-two bucket.
#pragma once

#include "core/base/result.h"
#include "core/base/tokens.h"
#include "core/workload/distribution/histogram.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Frequencies of one quantity per turn; they sum to 1 over the non-empty turns.
struct BucketFrequencies {
    std::uint64_t turns = 0;            ///< non-empty turns behind them
    std::map<Tokens, double> frequency; ///< power of two -> share
    bool operator==(const BucketFrequencies&) const = default;
};

struct TokenDistribution {
    std::string description; ///< what it is and where it comes from
    std::uint64_t sessions = 0;
    BucketFrequencies input;
    BucketFrequencies output;
    bool operator==(const TokenDistribution&) const = default;
};

/// The published study's distributions of 397 Claude Code sessions; the source is in `description`.
const TokenDistribution& publishedReference();

/// Returns the distribution of histograms with power-of-two bins.
TokenDistribution distributionOf(const Histogram& input, const Histogram& output, std::uint64_t sessions,
                                 std::string description);

/// The published file's shape (keys description, sessions, input_tokens_per_turn, generated_tokens_per_turn).
std::string toJson(const TokenDistribution& distribution);
Result<TokenDistribution> distributionFromJson(std::string_view json, const std::string& path);

} // namespace loadline
