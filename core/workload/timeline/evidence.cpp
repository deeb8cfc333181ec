// Puts one item of a timeline into words: every number exact, with its unit and how far it can be trusted.
#include "core/workload/timeline/evidence.h"

#include "core/base/zone.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"
#include "core/workload/timeline/prompt_turns.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace loadline {
namespace {

std::string tokens(Tokens n) {
    return formatExact(n) + (n == 1 ? " token" : " tokens");
}

std::string counted(std::uint64_t n, const char* one, const char* many) {
    return formatExact(static_cast<std::int64_t>(n)) + " " + (n == 1 ? one : many);
}

/// "2026-01-20 14:02:11.547 UTC"
std::string instant(TimeMs time) {
    const std::string iso = formatIso8601(asShown(time));
    return iso.empty() ? "not recorded" : iso.substr(0, 10) + " " + iso.substr(11, 12) + " " + zoneAt(time);
}

std::string partOf(Tokens part, Tokens whole) {
    if (whole == 0) {
        return tokens(part);
    }
    return fmt::format("{} ({})", tokens(part),
                       formatShare(static_cast<double>(part) / static_cast<double>(whole)));
}

std::string cacheWriteOf(const Usage& usage) {
    std::string text = partOf(usage.cacheWrite, usage.context());
    if (usage.cacheWrite1h > 0) {
        text += fmt::format(", {} for 1 h and {} for 5 min", formatExact(usage.cacheWrite1h),
                            formatExact(usage.cacheWrite5m));
    }
    return text;
}

std::string explained(Tokens output, OutputQuality quality) {
    switch (quality) {
    case OutputQuality::Final:
        return tokens(output) + ", final";
    case OutputQuality::LowerBound:
        return "≥ " + tokens(output) + ": counted in mid-stream";
    case OutputQuality::StartOnly:
        return "≥ " + tokens(output) + ": a placeholder from the start of the stream";
    case OutputQuality::Mixed:
        return "≥ " + tokens(output) + ": some calls record only a lower bound";
    case OutputQuality::None:
        break;
    }
    return tokens(output);
}

void addUsage(Details& details, const char* label, const Usage& usage, bool recordsCache) {
    details.emplace_back(label, tokens(usage.context()));
    if (!recordsCache) {
        details.emplace_back("  from cache", "not recorded: the session's log records no cache");
        return;
    }
    details.emplace_back("  cache read", partOf(usage.cacheRead, usage.context()));
    details.emplace_back("  cache write", cacheWriteOf(usage));
    details.emplace_back("  input (uncached)", partOf(usage.input, usage.context()));
}

/// The call before this one in the same lane.
const CallSpan* previousInLane(const CallSpan& call, const Timeline& timeline) {
    for (std::size_t i = std::min<std::size_t>(call.ordinal, timeline.calls.size()); i-- > 0;) {
        if (timeline.calls[i].lane == call.lane) {
            return &timeline.calls[i];
        }
    }
    return nullptr;
}

std::string growthSince(const CallSpan& call, const CallSpan& before) {
    const Tokens growth = call.usage.context() - before.usage.context();
    std::string text =
        (growth > 0 ? "+" : "") + tokens(growth) + fmt::format(" since call {}", before.ordinal + 1);
    // The tokens of the call before could have been read again; those that were not read were computed anew.
    const Tokens reusable = std::min(before.usage.context(), call.usage.context());
    const Tokens again = reusable - call.usage.cacheRead;
    if (!call.usage.cacheUntold && again > reusable / 2) {
        text += fmt::format("; about {} of them had been sent before and were not read from cache "
                            "({} after it ended)",
                            formatExact(again),
                            formatDuration(std::max<std::int64_t>(call.start.ms - before.end.ms, 0)));
    }
    return text;
}

/// "Read, 3 × Bash": the tools that ended between the two calls, whose results this one was sent; "": none.
std::string toolsSince(const CallSpan& call, const CallSpan& before, const Timeline& timeline) {
    std::map<std::string, std::uint64_t> counts;
    for (const ToolSpan& tool : timeline.tools) {
        if (tool.lane == call.lane + 1 && !tool.open && tool.start >= before.start &&
            tool.start <= call.start && tool.end <= call.start) {
            ++counts[tool.name];
        }
    }
    std::string text;
    for (const auto& [name, count] : counts) {
        text += (text.empty() ? "" : ", ") + (count > 1 ? fmt::format("{} × {}", count, name) : name);
    }
    return text;
}

const SessionPromptTurn* turnBefore(const std::vector<SessionPromptTurn>& turns, TimeMs time) {
    const SessionPromptTurn* found = nullptr;
    for (const SessionPromptTurn& turn : turns) {
        if (turn.isPrompt && isKnown(turn.start) && turn.start <= time) {
            found = &turn;
        }
    }
    return found;
}

void addPromptUsage(Details& details, const TimelineMark& mark, const Timeline& timeline,
                    const Corpus& corpus) {
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, timeline.session);
    const auto turn = std::find_if(turns.begin(), turns.end(), [&](const SessionPromptTurn& candidate) {
        return candidate.isPrompt && candidate.evidence == mark.evidence;
    });
    if (turn == turns.end()) {
        return;
    }
    UsageTotals sum = turn->totals;
    sum += turn->subAgents;
    std::string calls = counted(sum.calls, "call", "calls");
    if (turn->subAgents.calls > 0) {
        calls += ", " + counted(turn->subAgents.calls, "of them by a sub-agent", "of them by sub-agents");
    }
    details.emplace_back("Set off", calls + ", " + counted(turn->tools, "tool call", "tool calls"));
    if (sum.calls == 0) {
        return;
    }
    details.emplace_back("Until", instant(turn->end) + ", " + formatDuration(turn->end.ms - turn->start.ms) +
                                      " later");
    addUsage(details, "Prompt tokens", sum.usage, sum.recordsCache());
    details.emplace_back("Output", explained(sum.usage.output, sum.outputQuality()));
    details.emplace_back("Largest context", tokens(turn->largestContext));
}

} // namespace

std::string placeOf(const EvidencePlace& evidence, const Corpus& corpus) {
    return fmt::format("{}:{}", corpus.files[evidence.file].file->path, evidence.place.line);
}

std::string outputOf(Tokens output, OutputQuality quality) {
    switch (quality) {
    case OutputQuality::LowerBound:
    case OutputQuality::Mixed:
        return "≥ " + formatExact(output);
    case OutputQuality::StartOnly:
        return "≥ " + formatExact(output) + " (placeholder)";
    case OutputQuality::None:
    case OutputQuality::Final:
        break;
    }
    return formatExact(output);
}

std::string describe(MarkKind kind) {
    return std::string(wordOf(kind, {"Prompt", "Compaction", "Micro-compaction", "API error", "Interrupt",
                                     "Model change", "Client message"}));
}

Details detailsOf(const CallSpan& call, const Timeline& timeline, const Corpus& corpus) {
    const CorpusCall& merged = corpus.calls[call.call];
    const SessionFile& file = *corpus.files[call.evidence.file].file;
    Details details;
    details.emplace_back("API call", fmt::format("{} of {}, {}", call.ordinal + 1, timeline.calls.size(),
                                                 timeline.lanes[call.lane].name));
    details.emplace_back("Model", corpus.models[call.model]);
    details.emplace_back("Start", instant(call.start));
    details.emplace_back("Duration", formatDuration(call.end.ms - call.start.ms));
    if (call.firstLine > call.start) {
        details.emplace_back("First line after",
                             formatDuration(call.firstLine.ms - call.start.ms) + " (first token: no later)");
    }
    addUsage(details, "Context", call.usage, !call.usage.cacheUntold);
    if (const CallSpan* before = previousInLane(call, timeline)) {
        details.emplace_back("  grew by", growthSince(call, *before));
        if (const std::string tools = toolsSince(call, *before, timeline); !tools.empty()) {
            details.emplace_back("  results of", tools);
        }
    }
    details.emplace_back("Output", explained(call.usage.output, call.quality));
    if (call.quality != OutputQuality::Final) {
        details.emplace_back("  visible content",
                             fmt::format("about {} (characters / 4)", tokens(merged.contentCharacters / 4)));
    } else if (call.end > call.start) {
        details.emplace_back("  speed",
                             fmt::format("{} tokens/s over the whole call",
                                         formatCount(static_cast<double>(call.usage.output) * 1000.0 /
                                                     static_cast<double>(call.end.ms - call.start.ms))));
    }
    const std::vector<SessionPromptTurn> turns = promptTurnsOf(corpus, timeline.session);
    if (const SessionPromptTurn* turn = turnBefore(turns, call.start)) {
        details.emplace_back("After prompt", turn->preview);
    }
    if (call.inherited) {
        details.emplace_back("Inherited", "from " + corpus.files[merged.file].file->path);
    } else if (merged.copies > 1) {
        details.emplace_back("Copies", fmt::format("in {} files, counted once", merged.copies));
    }
    const auto same = std::find_if(file.calls.begin(), file.calls.end(), [&](const ApiCall& candidate) {
        return candidate.place == call.evidence.place;
    });
    if (same != file.calls.end()) {
        details.emplace_back("Written as", counted(same->lines, "line", "lines"));
        if (same->version != noName) {
            details.emplace_back("Version", file.name(same->version));
        }
    }
    details.emplace_back("Record", placeOf(call.evidence, corpus));
    return details;
}

Details detailsOf(const ToolSpan& tool, const Timeline& timeline, const Corpus& corpus) {
    Details details;
    details.emplace_back("Tool", tool.name);
    details.emplace_back("Lane", timeline.lanes[tool.lane].name);
    details.emplace_back("Start", instant(tool.start));
    if (tool.open) {
        details.emplace_back("Result", "not in the log: still running, or lost");
    } else {
        details.emplace_back("Duration", formatDuration(tool.end.ms - tool.start.ms) +
                                             " (waiting for permission included)");
        details.emplace_back("Result", tool.isError ? "error" : "no error");
    }
    const auto call =
        std::find_if(timeline.calls.begin(), timeline.calls.end(), [&](const CallSpan& candidate) {
            return static_cast<double>(candidate.ordinal) + callWidthInTurns == tool.ordinalStart;
        });
    if (call != timeline.calls.end()) {
        details.emplace_back("Asked for by",
                             fmt::format("call {}, {}", call->ordinal + 1, corpus.models[call->model]));
    }
    details.emplace_back("Record", placeOf(tool.evidence, corpus));
    return details;
}

Details detailsOf(const TimelineMark& mark, const Timeline& timeline, const Corpus& corpus) {
    Details details;
    details.emplace_back(describe(mark.kind), mark.text);
    details.emplace_back("Time", instant(mark.time));
    details.emplace_back("Lane", timeline.lanes[mark.lane].name);
    if (mark.kind == MarkKind::Prompt) {
        addPromptUsage(details, mark, timeline, corpus);
    }
    details.emplace_back("Record", placeOf(mark.evidence, corpus));
    return details;
}

} // namespace loadline
