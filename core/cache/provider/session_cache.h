// Figures of the provider's cache from usage records, and the blocks that can be rebuilt from them.
#pragma once

#include "core/base/statistics.h"
#include "core/cache/composition/composition.h"
#include "core/cache/provider/prefix_breaks.h"
#include "core/cache/provider/reuse_end.h"
#include "core/session/corpus/continued_prompts.h"
#include "core/trace/block_trace.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// Figures of caches are lower bounds from this share of ProviderFigures::untoldTokens on. A choice: hit
/// rates that a smaller share leaves open differ by less than half a point.
inline constexpr double untoldMatters = 0.005;

/// Count: the lanes of sub-agents count as main ones.
enum class SubAgents : std::uint8_t { Apart, Count };

/// True if the figures include this lane.
inline bool isCounted(const LaneCalls& lane, SubAgents agents) {
    return agents == SubAgents::Count || isMain(lane);
}

/// The provider's cache: tokens that it read, wrote and lost. Says nothing of an engine's cache or of an
/// unlimited one. "Main lanes" are all lanes that isCounted().
struct ProviderFigures {
    /// Over the calls of main lanes in sessions that record a cache; where none does, over all of them.
    CompositionRow composition;
    UsageTotals totals; ///< of all calls of main lanes
    std::uint64_t mainLanes = 0, subAgentLanes = 0;
    std::uint64_t mainSessions = 0; ///< with a call of a main lane
    /// API calls of lanes that are not the main one: in no other figure but `breaks`.
    std::uint64_t subAgentCalls = 0;
    double subAgentHitRate = 0; ///< cache read over prompt tokens, of lanes that are not the main one
    RealSummary input, output;  ///< of a call of a main lane
    RealSummary newInput;       ///< of those in `composition`: what was not read
    RealSummary gapS;           ///< from one call's start to the next one's in a main lane
    std::vector<WeightedSample::Part> gapsS; ///< those of gapS
    RealSummary idleS;               ///< from the end of an answer to the next call, 0 where they overlap
    RealSummary heldTokens;          ///< of a main lane: most tokens that one call left in the cache
    std::vector<PrefixBreak> breaks; ///< prefixBreaksOf()
    std::uint64_t callsWithoutParent = 0; ///< callsWithoutParent(): in no break
    /// Sessions of mainSessions in which no call, of whatever lane, read or wrote the provider's cache.
    std::uint64_t sessionsWithoutCache = 0;
    /// Share of main lanes' prompt tokens of calls that tell nothing of what they share: of sessions without
    /// a cache, and of prompts too short for one.
    double untoldTokens = 0;
    /// The part of untoldTokens in sessions without a cache: their prompts have no known upper bound of what
    /// they share.
    double unrecordedTokens = 0;
    /// Mean output of a call of a main lane that costs are counted with: what is visible of it where most
    /// outputs are lower bounds, else what is recorded.
    double servedOutput = 0;

    /// False if no session tells of a cache: its hit rate and its breaks are then not recorded, not 0.
    [[nodiscard]] bool recordsCache() const {
        return mainSessions == 0 || sessionsWithoutCache < mainSessions;
    }

    /// True if what prompts share is not told of enough of them that hit rates are lower bounds.
    [[nodiscard]] bool leavesReuseOpen() const { return untoldTokens >= untoldMatters; }

    /// Calls of main lanes whose output is a lower bound.
    [[nodiscard]] std::uint64_t outputBounds() const { return totals.calls - totals.callsFinalOutput; }

    /// Cached over new input, as of traces: infinity where nothing was new, 0 where nothing was cached.
    [[nodiscard]] double readWriteRatio() const;
};

/// True if the usage of the lane's call tells nothing of what its prompt shares: its session records no
/// cache, or it is too short for one.
bool tellsNothing(const LaneCalls& lane, const Usage& usage);
/// Returns ProviderFigures::untoldTokens.
double untoldShareOf(std::span<const LaneCalls> lanes, SubAgents agents);
/// Returns ProviderFigures::unrecordedTokens.
double unrecordedShareOf(std::span<const LaneCalls> lanes, SubAgents agents);

/// Sentences, each without its end, on what the logs do not record: caches, and whole outputs.
std::vector<std::string> notRecordedNotes(const ProviderFigures& provider);

/// Returns the meaning of the upper end of hit rates, a sentence without its end.
std::string openEndsNote();

/// A trace of blocks rebuilt from usage records.
struct RebuiltTrace {
    BlockTrace trace;
    std::uint64_t callsLeftOut = 0; ///< prompts of more blocks than make sense: no log of a true model
};

/// The result is incomplete when stopped; so is that of rebuiltTraceOf.
ProviderFigures providerFiguresOf(const Corpus& corpus, const Selection& selection,
                                  std::span<const LaneCalls> lanes, const std::stop_token& stop = {},
                                  SubAgents agents = SubAgents::Apart);

/// Returns how many leading tokens prompts have in common whose logs record no cache: a prompt no shorter
/// than the one before goes on from it, unless the conversation was summed up between them.
Tokens sharedByGrowth(const LaneCall& before, const LaneCall& now, Compactions& compactions);

/// A trace of blocks as the calls may have asked for them: an estimate, for an engine's cache and for export.
/// A call shares with the one before to the same model in its lane (sameModelBefore) what it read from the
/// provider's cache; where a pause alone lost some of it, all that both prompts can have in common; where a
/// later read proves that the provider had kept more (LaneCall::keptAllTheSame), that. The rest is new. What
/// the first call of a lane to a model reads, other lanes had held before it (BlockTrace::outside); what
/// lanes share beside that is not known and counts as new. In sessions that record no cache prompts share
/// what sharedByGrowth() returns. Each call once. It names nothing: ids are numbers. ReuseEnd::Most instead
/// takes every prompt that is no shorter than the one it goes on from, and behind no compaction, for a
/// continuation of it, and first prompts for as alike as first prompts can be (Openings).
RebuiltTrace rebuiltTraceOf(const Corpus& corpus, std::span<const LaneCalls> lanes, Tokens blockTokens,
                            const std::stop_token& stop = {}, ReuseEnd end = ReuseEnd::Least);

} // namespace loadline
