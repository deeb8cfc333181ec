// Finds the lanes whose blocks another lane's first prompt reads from the provider's cache.
#pragma once

#include "core/cache/provider/lane_calls.h"
#include "core/cache/provider/reuse_end.h"
#include "core/trace/block_trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

namespace loadline {

/// A prompt that begins a lane's path of blocks for a model.
struct Opening {
    OutsideBlocks at;          ///< its blocks; `count`: those that it read, which another lane had held
    std::uint32_t blocks = 0;  ///< number of blocks in the prompt
    bool tellsNothing = false; ///< of what it shares: no cache is recorded, or it is too short for one
    ModelIndex model = 0;
    TimeMs start = unknownTime;
    std::int64_t livesMs = 0;      ///< LaneCall::livesMs
    std::string_view project = {}; ///< Session::project
    std::string_view version = {}; ///< of the program; "": not told
    bool main = false;
    bool first = false; ///< of the lane, to the model, with no origin known
};

/// Collects openings, and the calls that kept their blocks in use.
class Openings {
public:
    /// `leastRead`: blocks of the shortest prompt that any provider caches; that fewer are the same no read
    /// shows.
    Openings(ReuseEnd end, std::uint32_t leastRead) : end_(end), leastRead_(leastRead) {}

    /// Returns its index.
    std::size_t add(const Opening& opening);
    /// Returns the blocks that the opening read; from now on it has none.
    OutsideBlocks take(std::size_t opening);
    /// The call holds the opening's blocks, or a leading run of them.
    void touch(std::size_t opening, const LaneCall& call);

    /// The call of this lane came after its blocks had expired, and read so many all the same: another lane,
    /// whose opening is thereby the same up to there, had kept them.
    void readAfterPause(std::size_t opening, const LaneCall& call, std::uint32_t count);

    /// Returns the blocks that openings read, by request, with their holder: the last call to the same model
    /// before, in another lane, whose prompt had as many blocks; one of the same project that still lived
    /// rather than others, as what projects tell the model differs; of a main lane a main lane's rather than
    /// a sub-agent's; of a sub-agent another's, whose system prompt it has, rather than a main lane's. With
    /// them those that an opening found expired and wrote anew, as a later readAfterPause proves, and those
    /// of alike(). `forked`: the blocks of forks, whose origin is known.
    [[nodiscard]] std::vector<OutsideBlocks> outside(std::vector<OutsideBlocks> forked) const;

private:
    struct Touch {
        TimeMs start = unknownTime;
        std::int64_t livesMs = 0; ///< LaneCall::livesMs
        std::size_t opening = 0;
        std::uint32_t most = 0; ///< blocks of any opening up to here
    };

    struct PauseRead {
        std::size_t opening = 0;
        TimeMs start = unknownTime;
        std::uint32_t count = 0;
    };

    enum class Lanes : std::uint8_t { Main, SubAgents, All };
    /// Calls to a model, of these lanes, in one project or, without a value, in any.
    using TouchKey = std::tuple<ModelIndex, Lanes, std::optional<std::string_view>>;
    using Touches = std::map<TouchKey, std::vector<Touch>>;

    [[nodiscard]] Touches sortedTouches() const;
    /// Returns the last call with this key before `start` that held so many blocks of an opening, in another
    /// lane; null if no lane of the trace did.
    [[nodiscard]] const Touch* holderOf(const PauseRead& read, const Touches& touches,
                                        const TouchKey& key) const;
    [[nodiscard]] const Touch* holderOf(std::size_t opening, const Touches& touches) const;
    /// Blocks of an opening whose origin is told, by opening.
    using KnownCounts = std::map<std::size_t, std::uint32_t>;

    /// Returns the blocks of openings that were the same as another lane's and had expired.
    [[nodiscard]] std::vector<OutsideBlocks> expired(const Touches& touches, KnownCounts& known) const;
    /// First prompts of one program in one project to one model, and the calls that kept any of its blocks in
    /// use, both by start.
    struct Group {
        std::vector<std::size_t> firsts; ///< openings
        std::vector<Touch> touches;      ///< of any opening
        std::vector<Touch> held;         ///< of first prompts
    };

    /// `byProject`: else those of all projects together.
    [[nodiscard]] std::vector<Group> groups(bool byProject) const;
    /// Returns further blocks that first prompts of a group have in common. At the lower end those that began
    /// too late to read what the one before had left: as many blocks as every first prompt of the group read
    /// that did not. At the upper end all, over projects too: as many as the one that read most, and as no
    /// read shows; where none could read, all that both prompts can have in common.
    [[nodiscard]] std::vector<OutsideBlocks> alike(KnownCounts known) const;
    void addAlike(const Group& group, KnownCounts& known, std::vector<OutsideBlocks>& found) const;
    /// Returns the age of the blocks that an opening left, at the start of another.
    [[nodiscard]] double ageOf(std::size_t opening, TimeMs at) const;

    ReuseEnd end_;
    std::uint32_t leastRead_;
    std::vector<Opening> openings_;
    std::vector<Touch> touches_;
    std::vector<PauseRead> afterPauses_;
};

/// A path that a fork goes on from.
struct ForkedPath {
    std::uint32_t scope = 0;
    std::vector<std::int64_t> ids; ///< numbers of its blocks in the scope
};

/// Returns the leading blocks of `at` as runs of the path's; blocks beyond the path were in no lane here.
std::vector<OutsideBlocks> runsOf(const OutsideBlocks& at, const ForkedPath& path, double ageS);

} // namespace loadline
