// The answer above a timeline: which prompt used most and why, and where the time went.
#include "core/base/zone.h"
#include "core/text/counted.h"
#include "core/text/excerpt.h"
#include "core/text/number_format.h"
#include "core/workload/timeline/prompt_turns.h"
#include "core/workload/timeline/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

std::string percent(double share) {
    return share > 0 && share < 0.005 ? "< 1 %" : fmt::format("{:.0f} %", share * 100);
}

/// "14:02:11 UTC", with the day where the session has several.
std::string clock(TimeMs time, const Timeline& timeline) {
    const std::string iso = formatIso8601(asShown(time));
    const bool oneDay = utcDayNumber(asShown(timeline.first)) == utcDayNumber(asShown(timeline.last));
    return (oneDay ? "" : iso.substr(0, 10) + " ") + iso.substr(11, 8) + " " + zoneAt(time);
}

std::string tokensOf(Tokens n) {
    return formatCount(static_cast<double>(n));
}

std::string callsOf(std::uint64_t n) {
    return formatExact(static_cast<std::int64_t>(n));
}

std::string shareOf(Tokens part, Tokens whole) {
    return percent(static_cast<double>(part) / static_cast<double>(whole));
}

/// ", 43 % of the session's 7.17 M", or of its part in scope; other views count inherited calls elsewhere.
std::string shareOfAll(Tokens part, const Timeline& timeline) {
    const Tokens all = timeline.totals.usage.context();
    const Tokens inherited = all - timeline.ownTotals.usage.context();
    const bool whole = timeline.totals.calls == timeline.callsOfSession;
    return fmt::format(", {} of {} {}{}", shareOf(part, all), whole ? "the session's" : "the selected",
                       tokensOf(all),
                       inherited > 0 ? fmt::format(" ({} inherited)", tokensOf(inherited)) : "");
}

/// "6.2 M in prompts, 43 % of the session's 7.17 M, 97.1 % from cache, by 41 calls (12 by sub-agents) of up
/// to 182 k each"; the share of all where `part`.
std::string whatWasSent(const UsageTotals& sum, std::uint64_t bySubAgents, Tokens largestContext, bool part,
                        const Timeline& timeline) {
    const Tokens sent = sum.usage.context();
    std::string text = fmt::format(
        "{} in prompts{}, {}, by {}", tokensOf(sent), part ? shareOfAll(sent, timeline) : "",
        sum.recordsCache() ? formatShare(sum.hitRate()) + " from cache" : std::string("no cache recorded"),
        loadline::counted(sum.calls, "call"));
    if (bySubAgents == sum.calls) {
        text += " of sub-agents";
    } else if (bySubAgents > 0) {
        text += fmt::format(" ({} by sub-agents)", callsOf(bySubAgents));
    }
    return text +
           (sum.calls > 1 ? fmt::format(" of up to {} each", tokensOf(largestContext)) : std::string());
}

/// Returns the sentence of a session without prompts: the lane that sent most.
std::string busiestLane(const Timeline& timeline) {
    std::vector<UsageTotals> totals(timeline.lanes.size());
    std::vector<Tokens> largest(timeline.lanes.size());
    for (const CallSpan& call : timeline.calls) {
        if (!call.hit) {
            continue;
        }
        totals[call.lane].add(call.usage, call.quality, 0, call.cost);
        largest[call.lane] = std::max(largest[call.lane], call.usage.context());
    }
    const auto most =
        std::max_element(totals.begin(), totals.end(), [](const UsageTotals& a, const UsageTotals& b) {
            return a.usage.context() < b.usage.context();
        });
    const Tokens all = timeline.totals.usage.context();
    if (most == totals.end() || all == 0) {
        return fmt::format("{} calls without a prompt.", callsOf(timeline.totals.calls));
    }
    const auto lane = static_cast<std::size_t>(most - totals.begin());
    const auto agents =
        std::count_if(totals.begin(), totals.end(), [](const UsageTotals& t) { return t.calls > 0; });
    return (agents > 1 ? fmt::format("Of {} agents, {} used most: ", agents,
                                     excerpt(timeline.lanes[lane].name, quotedCharacters))
                       : "No prompt is recorded: ") +
           whatWasSent(*most, 0, largest[lane], agents > 1, timeline) + ".";
}

/// Prompt tokens are exact in every log, so the largest prompt turn is chosen by them.
std::string mostTokens(const Timeline& timeline, const Corpus& corpus, const Selection& selection) {
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, selection, timeline.session);
    const auto most = std::max_element(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
        return a.promptTokens() < b.promptTokens();
    });
    const Tokens all = timeline.totals.usage.context();
    if (most == turns.end() || all == 0 || (turns.size() == 1 && !most->isPrompt)) {
        return busiestLane(timeline);
    }
    UsageTotals sum = most->totals;
    sum += most->subAgents;
    const std::string when = isKnown(most->start) ? " at " + clock(most->start, timeline) : "";
    const std::string what = most->isPrompt ? "“" + excerpt(most->preview, quotedCharacters) + "”"
                                            : std::string("outside of every prompt");
    return fmt::format(
        "{}{}: {}: {}.", turns.size() == 1 ? "One prompt" : "Most tokens", when,
        whatWasSent(sum, most->subAgents.calls, most->largestContext, turns.size() > 1, timeline), what);
}

/// Returns the sentence about the time of the session, or of the scope's dates within it.
std::string timeSpent(const Timeline& timeline) {
    const std::int64_t all = timeline.split.totalMs();
    if (all == 0) {
        return {};
    }
    const auto share = [&](std::int64_t part) {
        return static_cast<double>(part) / static_cast<double>(all);
    };
    std::string text =
        fmt::format(" Of {} {}: model {}, tools {}, you {}",
                    all == timeline.last.ms - timeline.first.ms ? "the session's" : "the selected",
                    formatDuration(all), percent(share(timeline.split.modelMs)),
                    percent(share(timeline.split.toolsMs)), percent(share(timeline.split.humanMs)));
    if (share(timeline.split.otherMs) >= 0.005) {
        text += fmt::format(", unexplained {}", percent(share(timeline.split.otherMs)));
    }
    return text + ".";
}

} // namespace

std::string timelineSentence(const Timeline& timeline, const Corpus& corpus, const Selection& selection) {
    if (timeline.callsOfSession == 0) {
        return "This session records no API calls." + timeSpent(timeline);
    }
    if (timeline.totals.calls == 0) {
        return "None of this session's API calls are in scope." + timeSpent(timeline);
    }
    std::string text = mostTokens(timeline, corpus, selection) + timeSpent(timeline);
    const std::vector<FileIndex>& files = corpus.sessions[timeline.session].files;
    if (std::none_of(files.begin(), files.end(),
                     [&](FileIndex file) { return corpus.files[file].file->role == FileRole::Main; })) {
        text += " The session's main file is not there, only its sub-agents' are.";
    }
    if (const std::uint64_t inherited = timeline.totals.calls - timeline.ownTotals.calls; inherited > 0) {
        text += fmt::format(" {} of its calls {} inherited and count{} where {} made.", callsOf(inherited),
                            inherited == 1 ? "is" : "are", inherited == 1 ? "s" : "",
                            inherited == 1 ? "it was" : "they were");
    }
    if (timeline.callsWithoutTime > 0) {
        text += fmt::format(" {} of {} calls have no time and are not drawn.",
                            callsOf(timeline.callsWithoutTime), callsOf(timeline.totals.calls));
    }
    return text;
}

} // namespace loadline
