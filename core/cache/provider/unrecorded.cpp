// Notes on gaps in usage records: caches that they do not tell of, and outputs that are lower bounds.
#include "core/cache/provider/session_cache.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

/// The calls' share of the prompts' tokens.
template <typename Counts>
double shareOfTokens(std::span<const LaneCalls> lanes, SubAgents agents, Counts counts) {
    Tokens counted = 0;
    Tokens all = 0;
    for (const LaneCalls& lane : lanes) {
        for (const LaneCall& call : lane.calls) {
            if (isCounted(lane, agents) && !call.place.inherited) {
                const Usage& usage = call.call->usage;
                all += usage.context();
                counted += counts(lane, usage) ? usage.context() : 0;
            }
        }
    }
    return all == 0 ? 0 : static_cast<double>(counted) / static_cast<double>(all);
}

std::string cacheNote(const ProviderFigures& provider) {
    constexpr const char* rule = "a prompt that grows counts as going on from the one before";
    if (!provider.recordsCache()) {
        return fmt::format("These logs record no cache: {}, and what sessions share is not known", rule);
    }
    const std::string share = formatShare(provider.untoldTokens);
    if (provider.sessionsWithoutCache > 0) {
        return fmt::format("The logs of {} of {} record no cache, or prompts too short for one ({} of the "
                           "prompts' tokens): where no call did, {}",
                           formatExact(static_cast<std::int64_t>(provider.sessionsWithoutCache)),
                           counted(provider.mainSessions, "session"), share, rule);
    }
    return fmt::format(
        "{} of the prompts' tokens are of calls too short for the provider's cache: what these "
        "share is not known",
        share);
}

} // namespace

bool tellsNothing(const LaneCalls& lane, const Usage& usage) {
    const bool uncached = usage.cacheRead + usage.cacheWrite == 0;
    return !lane.recordsCache || (uncached && usage.context() < leastCached);
}

double untoldShareOf(std::span<const LaneCalls> lanes, SubAgents agents) {
    return shareOfTokens(lanes, agents, tellsNothing);
}

double unrecordedShareOf(std::span<const LaneCalls> lanes, SubAgents agents) {
    return shareOfTokens(lanes, agents,
                         [](const LaneCalls& lane, const Usage&) { return !lane.recordsCache; });
}

std::vector<std::string> notRecordedNotes(const ProviderFigures& provider) {
    std::vector<std::string> notes;
    if (provider.leavesReuseOpen()) {
        notes.push_back(cacheNote(provider));
    }
    if (const std::uint64_t bounds = provider.outputBounds(); bounds > 0) {
        const double calls = static_cast<double>(provider.totals.calls);
        const std::string mean = formatCount(provider.output.mean);
        notes.push_back(fmt::format("{} of the outputs are lower bounds{}",
                                    formatShare(static_cast<double>(bounds) / calls),
                                    provider.servedOutput > provider.output.mean
                                        ? fmt::format(": costs count what is visible, mean {} tokens, not {}",
                                                      formatCount(provider.servedOutput), mean)
                                        : fmt::format(": mean at least {}", mean)));
    }
    return notes;
}

std::string openEndsNote() {
    return "\"perhaps\": as if text of which the provider read less had not changed";
}

Tokens sharedByGrowth(const LaneCall& before, const LaneCall& now, Compactions& compactions) {
    const Tokens was = before.call->usage.context();
    if (now.call->usage.context() < was) {
        return 0;
    }
    const bool oneFile = before.place.file == now.place.file;
    const auto summed = compactions.between(now.place.file, now.copy->lane,
                                            oneFile ? before.copy->place.line : 0, now.copy->place.line);
    return summed && summed->cause == BreakCause::Compaction ? 0 : was;
}

} // namespace loadline
