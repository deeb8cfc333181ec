// The answer above a timeline: which prompt used most and why, and where the time went.
#include "core/text/number_format.h"
#include "core/workload/prompt_turns.h"
#include "core/workload/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace loadline {
namespace {

constexpr std::size_t previewCharacters = 60;

/// At most `previewCharacters` code points, cut after a whole one.
std::string shortened(const std::string& text) {
    std::size_t characters = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U && characters++ == previewCharacters) {
            return text.substr(0, i) + "…";
        }
    }
    return text;
}

std::string percent(double share) {
    return share > 0 && share < 0.005 ? "< 1 %" : fmt::format("{:.0f} %", share * 100);
}

/// "14:02:11 UTC", with the day where the session has several.
std::string clock(TimeMs time, const Timeline& timeline) {
    const std::string iso = formatIso8601(time);
    const bool oneDay = utcDayNumber(timeline.first) == utcDayNumber(timeline.last);
    return oneDay ? iso.substr(11, 8) + " UTC" : iso.substr(0, 10) + " " + iso.substr(11, 8) + " UTC";
}

std::string tokens(Tokens n) {
    return formatCount(static_cast<double>(n));
}

std::string whoCalled(const SessionPromptTurn& turn) {
    const std::uint64_t calls = turn.totals.calls + turn.subAgents.calls;
    std::string text =
        fmt::format("{} {}", formatExact(static_cast<std::int64_t>(calls)), calls == 1 ? "call" : "calls");
    if (turn.subAgents.calls > 0) {
        text += turn.totals.calls == 0
                    ? " by sub-agents"
                    : fmt::format(" ({} by sub-agents)",
                                  formatExact(static_cast<std::int64_t>(turn.subAgents.calls)));
    }
    return text;
}

/// Prompt tokens are exact in every log, so the largest prompt turn is chosen by them.
std::string mostTokens(const Timeline& timeline, const Corpus& corpus) {
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, timeline.session);
    const auto most = std::max_element(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
        return a.promptTokens() < b.promptTokens();
    });
    const Tokens all = timeline.totals.usage.context();
    if (most == turns.end() || all == 0) {
        return fmt::format("{} calls without prompt tokens.", timeline.totals.calls);
    }
    std::string text =
        isKnown(most->start) ? "Most tokens at " + clock(most->start, timeline) : "Most tokens";
    if (most->isPrompt) {
        text += fmt::format(", after “{}”", shortened(most->preview));
    } else if (turns.size() > 1) {
        text += ", outside of every prompt";
    }
    const UsageTotals sum = [&] {
        UsageTotals totals = most->totals;
        totals += most->subAgents;
        return totals;
    }();
    text += fmt::format(": {} sent {} prompt tokens", whoCalled(*most), tokens(sum.usage.context()));
    if (turns.size() > 1) {
        text += fmt::format(", {} of the session's {}",
                            percent(static_cast<double>(sum.usage.context()) / static_cast<double>(all)),
                            tokens(all));
    }
    if (sum.calls > 1) {
        text +=
            fmt::format("; the context of up to {} went out again with each call, {} of it read from cache",
                        tokens(most->largestContext), formatShare(sum.hitRate()));
    }
    return text + ".";
}

std::string timeSpent(const Timeline& timeline) {
    const std::int64_t all = timeline.split.totalMs();
    if (all == 0) {
        return {};
    }
    const auto share = [&](std::int64_t part) {
        return static_cast<double>(part) / static_cast<double>(all);
    };
    std::string text = fmt::format(
        " Of {}: model {}, tools {}, you {}", formatDuration(all), percent(share(timeline.split.modelMs)),
        percent(share(timeline.split.toolsMs)), percent(share(timeline.split.humanMs)));
    if (share(timeline.split.otherMs) >= 0.005) {
        text += fmt::format(", unexplained {}", percent(share(timeline.split.otherMs)));
    }
    return text + ".";
}

} // namespace

std::string sentenceOf(const Timeline& timeline, const Corpus& corpus) {
    if (timeline.totals.calls == 0) {
        return "This session records no API calls." + timeSpent(timeline);
    }
    std::string text = mostTokens(timeline, corpus) + timeSpent(timeline);
    if (timeline.callsWithoutTime > 0) {
        text += fmt::format(" {} of {} calls have no time and are not drawn.", timeline.callsWithoutTime,
                            timeline.totals.calls);
    }
    return text;
}

} // namespace loadline
