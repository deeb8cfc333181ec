// Blocks from what calls read, and whose they were before.
#include "core/cache/provider/prompt_paths.h"
#include "core/cache/provider/session_cache.h"
#include "core/cache/provider/shared_openings.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t mostBlocksOfCall = std::size_t{1} << 20;
constexpr std::size_t mostBlocks = std::size_t{1} << 26; // in all: about 2 GiB of memory
// A call may state any number of tokens: so many new ones each, on average, and a million blocks, are
// believed.
constexpr std::size_t firstBlocks = std::size_t{1} << 20;
constexpr std::size_t leastBlocksOfCall = 1024;
constexpr std::size_t newTokensOfCall = std::size_t{1} << 16;

TimeMs earliestOf(std::span<const LaneCalls> lanes) {
    TimeMs earliest = unknownTime;
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (isKnown(call.start) && (!isKnown(earliest) || call.start < earliest)) {
                earliest = call.start;
            }
        }
    }
    return earliest;
}

/// The calls that forks go on from: the last inherited one before the first own one to its model.
std::set<CallIndex> forkedFrom(std::span<const LaneCalls> lanes) {
    std::set<CallIndex> calls;
    for (const LaneCalls& lane : lanes) {
        std::map<ModelIndex, const LaneCall*> before; // null once an own call came
        for (const LaneCall& call : lane.calls) {
            const auto [last, isFirst] = before.try_emplace(call.call->model);
            if (call.place.inherited && (isFirst || last->second != nullptr)) {
                last->second = &call;
            } else if (!call.place.inherited) {
                if (last->second != nullptr) {
                    calls.insert(last->second->place.call);
                }
                last->second = nullptr;
            }
        }
    }
    return calls;
}

/// Adds lanes, each under the session begun last.
class TraceRebuilder {
public:
    TraceRebuilder(const Corpus& corpus, std::span<const LaneCalls> lanes, Tokens blockTokens, ReuseEnd end)
        : corpus_(corpus), earliest_(earliestOf(lanes)), blockTokens_(blockTokens),
          builder_(blockTokens, true),
          openings_(end, static_cast<std::uint32_t>((leastCached + blockTokens - 1) / blockTokens)),
          forkedFrom_(forkedFrom(lanes)), shared_(corpus, end) {}

    void add(const LaneCalls& lane) {
        if (session_ != lane.session) {
            session_ = lane.session;
            builder_.beginScope();
            ++sessions_;
            agents_ = 0;
            nextId_ = 0;
        }
        const bool main = isMain(lane);
        const TimeMs first = firstOf(lane);
        builder_.beginChain(main ? fmt::format("session_{:04}", sessions_)
                                 : fmt::format("agent_{:03}", ++agents_),
                            !main, isKnown(first) ? secondsBetween(earliest_, first) : 0);
        paths_.begin(lane);
        inherited_.clear();
        double startS = 0;
        for (std::size_t i = 0; i < lane.calls.size(); ++i) {
            const LaneCall& call = lane.calls[i];
            if (call.place.inherited) {
                inherited_[call.call->model] = &call;
            } else {
                startS = isKnown(call.start) ? std::max(startS, secondsBetween(first, call.start)) : startS;
                addCall(lane, i, startS);
            }
        }
    }

    RebuiltTrace finish() {
        RebuiltTrace rebuilt{builder_.finish(), leftOut_};
        rebuilt.trace.outside = openings_.outside(forkedBlocks());
        return rebuilt;
    }

private:
    static TimeMs firstOf(const LaneCalls& lane) {
        const auto first = std::ranges::find_if(
            lane.calls, [](const LaneCall& call) { return !call.place.inherited && isKnown(call.start); });
        return first == lane.calls.end() ? unknownTime : first->start;
    }

    /// An opening that goes on from another session's call.
    struct Fork {
        std::size_t opening = 0;
        CallIndex from = 0;
        double ageS = 0; ///< since that call
    };

    void addCall(const LaneCalls& lane, std::size_t i, double startS) {
        const LaneCall& call = lane.calls[i];
        const Usage& usage = call.call->usage;
        const Tokens input = std::min(usage.context(), maxTurnTokens);
        const auto blocks = static_cast<std::size_t>((input + blockTokens_ - 1) / blockTokens_);
        PromptPath path = paths_.before(i);
        const auto [shared, paused] =
            path.last == nullptr ? SharedTokens{} : shared_.between(lane, *path.last, call, path.most);
        const std::size_t kept =
            std::min({path.ids.size(), blocks, static_cast<std::size_t>(shared / blockTokens_)});
        ++calls_;
        if (blocks > mostBlocksOfCall || made_ + (blocks - kept) > blocksBelieved()) {
            ++leftOut_;
            paths_.keep(i, std::move(path));
            return;
        }
        made_ += blocks - kept;
        if (kept == 0) {
            open(lane, call, path, blocks);
        }
        if (paused) {
            const auto read = static_cast<std::size_t>(usage.cacheRead / blockTokens_);
            openings_.readAfterPause(path.opening, call, static_cast<std::uint32_t>(std::min(kept, read)));
        }
        path.ids.resize(kept);
        while (path.ids.size() < blocks) {
            path.ids.push_back(nextId_++);
        }
        path.last = &call;
        openings_.touch(path.opening, call);
        if (forkedFrom_.contains(call.place.call)) {
            forkable_[call.place.call] = {scope(), path.ids};
        }
        const bool timed = isKnown(call.start) && isKnown(call.copy->lastTime);
        builder_.add({.startS = startS,
                      .answerS = timed ? std::max(0.0, secondsBetween(call.start, call.copy->lastTime)) : -1,
                      .input = input,
                      .output = std::min(usage.output, maxTurnTokens)},
                     path.ids);
        paths_.keep(i, std::move(path));
        ++requests_;
    }

    /// A path that begins anew: its first call to a model may read what another lane had left in the cache.
    void open(const LaneCalls& lane, const LaneCall& call, PromptPath& path, std::size_t blocks) {
        const bool first = path.last == nullptr;
        const auto origin = inherited_.find(call.call->model);
        const bool forks = first && origin != inherited_.end();
        const Tokens read = forks   ? shared_.between(lane, *origin->second, call).tokens
                            : first ? std::min(call.call->usage.cacheRead, call.call->usage.context())
                                    : 0;
        Opening opening{.at = {.request = requests_,
                               .scope = scope(),
                               .first = static_cast<std::uint32_t>(nextId_),
                               .count = static_cast<std::uint32_t>(std::min<std::size_t>(
                                   blocks, static_cast<std::size_t>(read / blockTokens_)))},
                        .blocks = static_cast<std::uint32_t>(blocks),
                        .tellsNothing = tellsNothing(lane, call.call->usage),
                        .model = call.call->model,
                        .start = call.start,
                        .livesMs = call.livesMs,
                        .project = corpus_.sessions[session_].project,
                        .version = versionOf(call),
                        .main = isMain(lane),
                        .first = first && !forks};
        path.opening = openings_.add(opening);
        if (forks && isKnown(call.start) && isKnown(origin->second->start)) {
            forks_.push_back({.opening = path.opening,
                              .from = origin->second->place.call,
                              .ageS = std::max(0.0, secondsBetween(origin->second->start, call.start))});
        }
    }

    [[nodiscard]] std::string_view versionOf(const LaneCall& call) const {
        return corpus_.files[call.place.file].file->name(call.copy->version);
    }

    /// Returns the blocks of forks, whose origins may stand in any lane, and takes them from the openings.
    std::vector<OutsideBlocks> forkedBlocks() {
        std::vector<OutsideBlocks> all;
        for (const Fork& fork : forks_) {
            const auto origin = forkable_.find(fork.from);
            if (origin != forkable_.end()) {
                const auto found = runsOf(openings_.take(fork.opening), origin->second, fork.ageS);
                all.insert(all.end(), found.begin(), found.end());
            }
        }
        return all;
    }

    [[nodiscard]] std::uint32_t scope() const { return static_cast<std::uint32_t>(sessions_ - 1); }

    /// Blocks that the calls so far may have made, together.
    [[nodiscard]] std::size_t blocksBelieved() const {
        const std::size_t ofCall =
            std::max(leastBlocksOfCall, newTokensOfCall / static_cast<std::size_t>(blockTokens_));
        return std::min(mostBlocks, firstBlocks + calls_ * ofCall);
    }

    const Corpus& corpus_;
    TimeMs earliest_;
    Tokens blockTokens_;
    BlockTraceBuilder builder_;
    SessionIndex session_ = std::numeric_limits<SessionIndex>::max();
    std::size_t sessions_ = 0;
    std::size_t agents_ = 0;
    std::int64_t nextId_ = 0;
    std::size_t calls_ = 0;
    std::size_t made_ = 0;
    std::uint64_t leftOut_ = 0;
    std::size_t requests_ = 0;
    PromptPaths paths_;
    std::map<ModelIndex, const LaneCall*> inherited_; ///< the last ones that another session made
    Openings openings_;
    std::set<CallIndex> forkedFrom_;
    std::map<CallIndex, ForkedPath> forkable_;
    std::vector<Fork> forks_;
    SharedPrompts shared_;
};

} // namespace

RebuiltTrace rebuiltTraceOf(const Corpus& corpus, std::span<const LaneCalls> lanes, Tokens blockTokens,
                            const std::stop_token& stop, ReuseEnd end) {
    TraceRebuilder rebuilder(corpus, lanes, blockTokens, end);
    for (const LaneCalls& lane : lanes) {
        if (stop.stop_requested()) {
            break;
        }
        rebuilder.add(lane);
    }
    return rebuilder.finish();
}

} // namespace loadline
