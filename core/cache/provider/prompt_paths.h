// The blocks of each prompt of a lane, for those that go on from it.
#pragma once

#include "core/cache/provider/prefix_breaks.h"
#include "core/cache/provider/reuse_end.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

namespace loadline {

struct PromptPath {
    const LaneCall* last = nullptr; ///< the call whose prompt it is; null: none was made to its model
    std::size_t opening = 0;        ///< in Openings
    std::vector<std::int64_t> ids;  ///< of its blocks
    /// The most that a later prompt can have of it: where that one goes on from another, which this one
    /// shares its beginning with, that one's tokens.
    Tokens most = std::numeric_limits<Tokens>::max();
};

/// Blocks of all paths that are kept at one time (128 MiB): a log may state any number of branches of prompts
/// of any length. A call whose path is not there begins anew.
inline constexpr std::size_t mostKeptBlocks = std::size_t{1} << 24;

/// Keeps a prompt's path for as long as a later call of the lane goes on from it.
class PromptPaths {
public:
    void begin(const LaneCalls& lane);
    /// Returns the path of the prompt that this call's goes on from, of a call to its model.
    [[nodiscard]] PromptPath before(std::size_t call);
    void keep(std::size_t call, PromptPath path);

private:
    struct Kept {
        PromptPath path;
        std::size_t users = 0; ///< later calls that go on from it
    };

    std::vector<std::size_t> before_; ///< by call; noCallBefore: none that is of the session itself
    std::vector<Tokens> most_;        ///< by call: PromptPath::most
    std::vector<std::size_t> users_;  ///< by call
    std::unordered_map<std::size_t, Kept> kept_;
    std::size_t keptBlocks_ = 0;
};

struct SharedTokens {
    Tokens tokens = 0;
    bool paused = false; ///< a pause alone lost some of them
};

/// How many leading tokens prompts have in common.
class SharedPrompts {
public:
    SharedPrompts(const Corpus& corpus, ReuseEnd end) : corpus_(corpus), end_(end), compactions_(corpus) {}

    /// Returns what was read, what is known to have been kept, and what a pause alone lost, even where
    /// others, or a longer life, kept most of it; without a record what grew. At the upper end all of the
    /// prompt before wherever the log lets this one go on from it, beyond what was read up to `most`.
    [[nodiscard]] SharedTokens between(const LaneCalls& lane, const LaneCall& before, const LaneCall& now,
                                       Tokens most = std::numeric_limits<Tokens>::max());

private:
    const Corpus& corpus_;
    ReuseEnd end_;
    Compactions compactions_;
};

} // namespace loadline
