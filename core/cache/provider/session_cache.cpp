// Sums over lanes.
#include "core/cache/provider/session_cache.h"

#include "core/cache/provider/call_before.h"
#include "core/session/corpus/visible_output.h"

#include <algorithm>
#include <limits>
#include <set>

namespace loadline {
namespace {

/// Samples of the counted lanes.
struct LaneSamples {
    WeightedSample input, output, newInput, gaps, idle, held;
    Tokens visibleOutput = 0;

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
            visibleOutput += visibleOutputOf(*call.call);
            if (lane.recordsCache) {
                newInput.add(static_cast<double>(usage.newPrefill()));
            }
            held_ = std::max(held_, lane.recordsCache ? usage.cacheRead + usage.cacheWrite : usage.context());
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

CompositionRow compositionOfCounted(const Corpus& corpus, Selection selection,
                                    std::span<const LaneCalls> lanes, SubAgents agents, bool recordedOnly) {
    selection.callHit.assign(corpus.calls.size(), 0);
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (isCounted(lane, agents) && !call.place.inherited && (lane.recordsCache || !recordedOnly)) {
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
            if (!isMain(lane) && !call.place.inherited && lane.recordsCache) {
                read += call.call->usage.cacheRead;
                context += call.call->usage.context();
            }
        }
    }
    return context == 0 ? 0 : static_cast<double>(read) / static_cast<double>(context);
}

} // namespace

ProviderFigures providerFiguresOf(const Corpus& corpus, const Selection& selection,
                                  std::span<const LaneCalls> lanes, const std::stop_token& stop,
                                  SubAgents agents) {
    LaneSamples samples;
    ProviderFigures figures;
    std::set<SessionIndex> sessions;
    std::set<SessionIndex> withoutCache;
    for (const LaneCalls& lane : lanes) {
        const auto own = static_cast<std::uint64_t>(
            std::ranges::count_if(lane.calls, [](const LaneCall& call) { return !call.place.inherited; }));
        if (isCounted(lane, agents)) {
            samples.add(lane);
            if (own > 0) {
                sessions.insert(lane.session);
                if (!lane.recordsCache) {
                    withoutCache.insert(lane.session);
                }
            }
        } else {
            figures.subAgentCalls += own;
        }
        ++(isCounted(lane, agents) ? figures.mainLanes : figures.subAgentLanes);
    }
    figures.mainSessions = sessions.size();
    figures.sessionsWithoutCache = withoutCache.size();
    figures.untoldTokens = untoldShareOf(lanes, agents);
    figures.unrecordedTokens = unrecordedShareOf(lanes, agents);
    figures.composition = compositionOfCounted(corpus, selection, lanes, agents, figures.recordsCache());
    figures.totals = figures.sessionsWithoutCache == 0
                         ? figures.composition.totals
                         : compositionOfCounted(corpus, selection, lanes, agents, false).totals;
    figures.subAgentHitRate = agents == SubAgents::Count ? 0 : hitRateOf(lanes);
    figures.input = summaryOf(samples.input.sorted());
    figures.output = summaryOf(samples.output.sorted());
    const std::uint64_t bounds = figures.outputBounds();
    const bool mostlyBounds = bounds > 0 && 2 * bounds >= figures.totals.calls;
    figures.servedOutput = mostlyBounds && figures.output.n > 0 ? static_cast<double>(samples.visibleOutput) /
                                                                      static_cast<double>(figures.output.n)
                                                                : figures.output.mean;
    figures.newInput = summaryOf(samples.newInput.sorted());
    figures.gapsS = samples.gaps.sorted();
    figures.gapS = summaryOf(figures.gapsS);
    figures.idleS = summaryOf(samples.idle.sorted());
    figures.heldTokens = summaryOf(samples.held.sorted());
    figures.breaks = prefixBreaksOf(corpus, lanes, stop);
    figures.callsWithoutParent = callsWithoutParent(corpus, lanes);
    return figures;
}

double ProviderFigures::readWriteRatio() const {
    const Usage& usage = composition.totals.usage;
    if (usage.newPrefill() == 0) {
        return usage.cacheRead == 0 ? 0 : std::numeric_limits<double>::infinity();
    }
    return static_cast<double>(usage.cacheRead) / static_cast<double>(usage.newPrefill());
}

} // namespace loadline
