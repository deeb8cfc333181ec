// GPUs of a fleet that the hit rates of a cache free.
#pragma once

#include "core/cache/figure/cache_words.h"

#include <string>
#include <vector>

namespace loadline {

struct CacheAnswer;
struct CacheQuestion;

/// One hit rate and the GPUs that it frees.
struct FreedGpus {
    std::string of; ///< whose hit rate it is, or which model's: "of tokens, kept 5 min 00 s in the tiers"
    Ends hit;       ///< of the prompts' tokens
    double hitBlocks = 0;     ///< of blocks; read within a time to live alone
    PrefillDecodeSplit split; ///< at the lower end
};

struct SplitAnswer {
    double meanInput = 0; ///< tokens of a prompt
    /// The hit rate of the window's split (splitHitOf): as given, or of a cache that keeps blocks for
    /// usualTtlS in the tiers.
    FreedGpus answered;
    FreedGpus counted;             ///< as given, or of the provider's or an unlimited cache
    FreedGpus limit;               ///< a hit rate of 1
    std::vector<FreedGpus> within; ///< by CacheQuestion::ttlsS, in the tiers; empty without blocks
    /// `counted` with attention, by cacheModels(); empty without prompts.
    std::vector<FreedGpus> withAttention;
};

/// Precondition: figure, asked and machine of the answer.
SplitAnswer splitAnswerOf(const CacheAnswer& answer, const CacheQuestion& question);

} // namespace loadline
