// The text of a server's log.
#include "core/serverlog/study/log_sentences.h"

#include "core/serverlog/format/server_formats.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/text_table.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::ask {
namespace {

constexpr std::size_t widestLine = 160;
constexpr std::size_t mostShown = 3;

std::string formatNames() {
    std::string names;
    for (const ServerFormat& format : serverFormats()) {
        names += (names.empty() ? "" : ", ") + std::string(format.name);
    }
    return names;
}

std::string unknownText(const ServerLog& log) {
    std::string text =
        fmt::format("{}, no known ones; formats known: {}\n", counted(log.lines, "line"), formatNames());
    text += log.firstLines.empty() ? "" : "first lines:\n";
    for (const std::string& line : log.firstLines) {
        text += "  " + shortened(line, widestLine) + "\n";
    }
    return text;
}

/// "vLLM: 4 of 5 lines known, 30 s"
std::string headText(const ServerLog& log) {
    std::string text =
        fmt::format("{}: {} of {} known", serverNameOf(log),
                    formatExact(static_cast<std::int64_t>(log.knownLines)), counted(log.lines, "line"));
    text += log.clock == LogClock::None ? ", without times" : ", " + formatSeconds(log.lengthS);
    if (!log.intervals.empty()) {
        text += ", " + counted(log.intervals.size(), "interval");
    }
    const std::uint64_t requests = requestCount(log);
    if (requests > 0) {
        text += ", " + counted(requests, "request") + keptRequestsWords(log) +
                (log.requestsFrom == RequestsFrom::Inferred ? " (times inferred)" : "");
    }
    if (const std::uint64_t others = log.requests.size() - keptRequests(log); others > 0) {
        text += ", " + counted(others, "other request") + " (health, lists, counts)";
    }
    return text + "\n";
}

/// A line for each of several engines.
std::string enginesText(const LogVerdict& verdict) {
    constexpr std::size_t mostEngines = 16;
    std::string text;
    for (std::size_t i = 0; i < verdict.engines.size() && !verdict.engineSums.empty(); ++i) {
        const LogEngine& engine = verdict.engines[i];
        if (i == mostEngines) {
            return text + fmt::format("  and {}\n", counted(verdict.engines.size() - i, "further engine"));
        }
        text += fmt::format("  engine {}: {} output tokens/s (median), up to {}, up to {} running; {}\n",
                            engine.engine, formatReal(engine.outputTokensPerS, 3),
                            formatReal(engine.mostOutputTokensPerS, 3), formatReal(engine.mostRunning, 1),
                            counted(engine.lines, "line"));
    }
    return text;
}

std::string patternsText(const ServerLog& log) {
    std::string text;
    for (const PatternCount& pattern : log.matched) {
        text += fmt::format("{}{} {}", text.empty() ? "matched: " : ", ", pattern.pattern, pattern.count);
    }
    return text + "\n";
}

std::string findingsText(const LogFigure& figure) {
    std::string text;
    std::size_t next = 0;
    for (const Finding& finding : figure.verdict.findings) {
        text += fmt::format("{}{}: {}\n  {}\n", text.empty() ? "" : "\n", finding.claim,
                            wordOf(finding.verdict), finding.reason);
        for (std::size_t i = 0; i < finding.evidence.size(); ++i, ++next) {
            if (i < mostShown) {
                const std::string& line =
                    next < figure.evidenceTexts.size() ? figure.evidenceTexts[next] : std::string();
                text += fmt::format("  {:>6} | {}\n", finding.evidence[i].line, shortened(line, widestLine));
            }
        }
        if (finding.evidence.size() > mostShown) {
            text += fmt::format("         and {}\n",
                                counted(finding.evidence.size() - mostShown, "further line"));
        }
    }
    return text;
}

} // namespace

void sayLog(const LogFigure& figure, Report& report) {
    const ServerLog& log = *figure.log;
    if (!log.known()) {
        report.say(unknownText(log));
        return;
    }
    report.say(headText(log) + patternsText(log));
    report.say(figure.verdict.headline + "\n" + enginesText(figure.verdict) +
               (figure.assumption.empty() ? "" : figure.assumption + ".\n"));
    report.say(findingsText(figure));
    std::string next;
    for (std::size_t i = 0; i < figure.verdict.next.size(); ++i) {
        next += fmt::format("{}{}. {}\n", i == 0 ? "next:\n" : "", i + 1, figure.verdict.next[i]);
    }
    report.say(next);
    for (const std::string& note : log.notes) {
        report.say("note: " + note);
    }
}

} // namespace loadline::ask
