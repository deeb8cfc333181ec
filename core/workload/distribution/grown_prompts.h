// What prompts repeat where the log tells of no cache.
#pragma once

#include "core/session/corpus/corpus.h"

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace loadline {

/// Counts what prompts repeat of those before them in sessions that record no cache (Usage::cacheUntold):
/// there all of a prompt is recorded as new. A prompt no shorter than the one that it goes on from, to the
/// same model in its lane, repeats that one, unless the conversation was summed up between them. Keeps the
/// reference.
class GrownPrompts {
public:
    explicit GrownPrompts(const Corpus& corpus) : corpus_(corpus) {}

    /// Returns the tokens that the call's prompt repeats; 0 where a cache is recorded.
    [[nodiscard]] Tokens repeatedBy(FileIndex file, std::uint32_t call);
    /// Returns the tokens of the call's prompt that are new.
    [[nodiscard]] Tokens newTokens(FileIndex file, std::uint32_t call);

private:
    const Corpus& corpus_;
    std::unordered_map<FileIndex, std::vector<Tokens>> repeated_; ///< by call of the file
};

} // namespace loadline
