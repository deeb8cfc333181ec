// Sums over lanes, and blocks from what calls read.
#include "core/cache/provider/session_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <optional>

namespace loadline {
namespace {

constexpr double msPerS = 1000;
constexpr std::size_t mostBlocksOfCall = std::size_t{1} << 20;
constexpr std::size_t mostBlocks = std::size_t{1} << 26; // in all: about 2 GiB of memory
// A call may state any number of tokens: so many new ones each, on average, and a million blocks, are
// believed.
constexpr std::size_t firstBlocks = std::size_t{1} << 20;
constexpr std::size_t leastBlocksOfCall = 1024;
constexpr std::size_t newTokensOfCall = std::size_t{1} << 16;

double secondsBetween(TimeMs from, TimeMs to) {
    return static_cast<double>(to.ms - from.ms) / msPerS;
}

/// The figures of main lanes.
struct LaneSamples {
    WeightedSample input, output, newInput, gaps, idle, held;

    void add(const LaneCalls& lane) {
        Tokens held_ = 0;
        const LaneCall* before = nullptr;
        for (const LaneCall& call : lane.calls) {
            if (call.place.inherited) {
                continue;
            }
            const Usage& usage = call.call->usage;
            input.add(static_cast<double>(usage.context()));
            output.add(static_cast<double>(usage.output));
            newInput.add(static_cast<double>(usage.newPrefill()));
            held_ = std::max(held_, usage.cacheRead + usage.cacheWrite);
            if (before != nullptr) {
                addGap(*before, call);
            }
            before = &call;
        }
        if (before != nullptr) {
            held.add(static_cast<double>(held_));
        }
    }

private:
    void addGap(const LaneCall& before, const LaneCall& now) {
        if (isKnown(before.start) && isKnown(now.start)) {
            gaps.add(secondsBetween(before.start, now.start));
        }
        if (isKnown(before.copy->lastTime) && isKnown(now.start)) {
            idle.add(std::max(0.0, secondsBetween(before.copy->lastTime, now.start)));
        }
    }
};

bool isMain(const LaneCalls& lane) {
    return lane.lane.kind == LaneKind::Main;
}

CompositionRow compositionOfMainLanes(const Corpus& corpus, Selection selection,
                                      std::span<const LaneCalls> lanes) {
    selection.callHit.assign(corpus.calls.size(), 0);
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (isMain(lane) && !call.place.inherited) {
                selection.callHit[call.place.call] = 1;
            }
        }
    }
    return compositionOf(corpus, selection, CompositionGroup::Session).all;
}

double hitRateOf(std::span<const LaneCalls> lanes) {
    Tokens read = 0;
    Tokens context = 0;
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (!isMain(lane) && !call.place.inherited) {
                read += call.call->usage.cacheRead;
                context += call.call->usage.context();
            }
        }
    }
    return context == 0 ? 0 : static_cast<double>(read) / static_cast<double>(context);
}

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

/// What `now` asks for again of what `before` asked for.
Tokens sharedTokens(const Corpus& corpus, SessionIndex session, const LaneCall& before, const LaneCall& now,
                    Compactions& compactions) {
    const Tokens both = std::min(before.call->usage.context(), now.call->usage.context());
    const auto lost = breakBetween(corpus, session, before, now, compactions);
    const bool paused =
        lost && (lost->cause() == BreakCause::PauseOver5Min || lost->cause() == BreakCause::PauseOver1H);
    return paused ? both : std::min(both, now.call->usage.cacheRead);
}

/// Adds lanes, each under the session begun last.
class TraceRebuilder {
public:
    TraceRebuilder(const Corpus& corpus, TimeMs earliest, Tokens blockTokens)
        : corpus_(corpus), earliest_(earliest), blockTokens_(blockTokens), builder_(blockTokens, true),
          compactions_(corpus) {}

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
        paths_.clear();
        double startS = 0;
        for (const LaneCall& call : lane.calls) {
            if (!call.place.inherited) {
                startS = isKnown(call.start) ? std::max(startS, secondsBetween(first, call.start)) : startS;
                addCall(lane.session, call, startS);
            }
        }
    }

    RebuiltTrace finish() { return {builder_.finish(), leftOut_}; }

private:
    static TimeMs firstOf(const LaneCalls& lane) {
        const auto first = std::ranges::find_if(
            lane.calls, [](const LaneCall& call) { return !call.place.inherited && isKnown(call.start); });
        return first == lane.calls.end() ? unknownTime : first->start;
    }

    void addCall(SessionIndex session, const LaneCall& call, double startS) {
        const Usage& usage = call.call->usage;
        const Tokens input = std::min(usage.context(), maxTurnTokens);
        const auto blocks = static_cast<std::size_t>((input + blockTokens_ - 1) / blockTokens_);
        Path& path = paths_[call.call->model];
        const Tokens shared =
            path.last == nullptr ? 0 : sharedTokens(corpus_, session, *path.last, call, compactions_);
        const std::size_t kept =
            std::min({path.ids.size(), blocks, static_cast<std::size_t>(shared / blockTokens_)});
        ++calls_;
        if (blocks > mostBlocksOfCall || made_ + (blocks - kept) > blocksBelieved()) {
            ++leftOut_;
            return;
        }
        made_ += blocks - kept;
        path.ids.resize(kept);
        while (path.ids.size() < blocks) {
            path.ids.push_back(nextId_++);
        }
        path.last = &call;
        const bool timed = isKnown(call.start) && isKnown(call.copy->lastTime);
        builder_.add({.startS = startS,
                      .answerS = timed ? std::max(0.0, secondsBetween(call.start, call.copy->lastTime)) : -1,
                      .input = input,
                      .output = std::min(usage.output, maxTurnTokens)},
                     path.ids);
    }

    /// Blocks that the calls so far may have made, together.
    [[nodiscard]] std::size_t blocksBelieved() const {
        const std::size_t ofCall =
            std::max(leastBlocksOfCall, newTokensOfCall / static_cast<std::size_t>(blockTokens_));
        return std::min(mostBlocks, firstBlocks + calls_ * ofCall);
    }

    /// What the last prompt to a model held.
    struct Path {
        const LaneCall* last = nullptr;
        std::vector<std::int64_t> ids;
    };

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
    std::map<ModelIndex, Path> paths_;
    Compactions compactions_;
};

} // namespace

ProviderFigures providerFiguresOf(const Corpus& corpus, const Selection& selection,
                                  std::span<const LaneCalls> lanes, const std::stop_token& stop) {
    LaneSamples samples;
    ProviderFigures figures;
    for (const LaneCalls& lane : lanes) {
        if (isMain(lane)) {
            samples.add(lane);
        }
        ++(isMain(lane) ? figures.mainLanes : figures.subAgentLanes);
    }
    figures.composition = compositionOfMainLanes(corpus, selection, lanes);
    figures.subAgentHitRate = hitRateOf(lanes);
    figures.input = summaryOf(samples.input.sorted());
    figures.output = summaryOf(samples.output.sorted());
    figures.newInput = summaryOf(samples.newInput.sorted());
    figures.gapsS = samples.gaps.sorted();
    figures.gapS = summaryOf(figures.gapsS);
    figures.idleS = summaryOf(samples.idle.sorted());
    figures.heldTokens = summaryOf(samples.held.sorted());
    figures.breaks = prefixBreaksOf(corpus, lanes, stop);
    return figures;
}

double ProviderFigures::readWriteRatio() const {
    const Usage& usage = composition.totals.usage;
    if (usage.newPrefill() == 0) {
        return usage.cacheRead == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(usage.cacheRead) / static_cast<double>(usage.newPrefill());
}

RebuiltTrace rebuiltTraceOf(const Corpus& corpus, std::span<const LaneCalls> lanes, Tokens blockTokens,
                            const std::stop_token& stop) {
    TraceRebuilder rebuilder(corpus, earliestOf(lanes), blockTokens);
    for (const LaneCalls& lane : lanes) {
        if (stop.stop_requested()) {
            break;
        }
        rebuilder.add(lane);
    }
    return rebuilder.finish();
}

} // namespace loadline
