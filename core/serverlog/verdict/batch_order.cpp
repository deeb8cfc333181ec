// Concurrency by the order of lines, and by settings.
#include "core/serverlog/verdict/batch_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace loadline {
namespace {

/// Requests of which lines show that they were at work at the same time, whatever times are told: their first
/// and last lines of work enclose each other's, or overlap.
struct Interleaved {
    std::vector<LogLine> lines; ///< where another one began
    std::size_t most = 0;       ///< at once
};

struct LineSpan {
    LogLine first;
    LogLine last;
};

Interleaved interleavedOf(std::vector<LineSpan> spans) {
    Interleaved found;
    std::ranges::sort(spans, {}, &LineSpan::first);
    std::multiset<LogLine> open; // last lines
    for (const LineSpan& span : spans) {
        while (!open.empty() && *open.begin() < span.first) {
            open.erase(open.begin());
        }
        open.insert(span.last);
        found.most = std::max(found.most, open.size());
        if (open.size() > 1 && found.lines.size() < mostEvidence) {
            found.lines.push_back(span.first);
        }
    }
    return found;
}

/// Progress of a prompt or an output before and after that of another one.
std::vector<LineSpan> progressSpans(const ServerLog& log) {
    std::map<std::size_t, LineSpan> spans;
    for (const LogProgress& progress : log.progress) {
        if (progress.request < log.requests.size() && log.requests[progress.request].generates) {
            const auto [span, isNew] =
                spans.try_emplace(progress.request, LineSpan{progress.where, progress.where});
            span->second.last = progress.where;
        }
    }
    std::vector<LineSpan> all;
    for (const auto& [request, span] : spans) {
        all.push_back(span);
    }
    return all;
}

LogLine lastLineOf(const ServerLog& log) {
    return {log.files.empty() ? 0 : static_cast<std::uint32_t>(log.files.size() - 1), log.lines};
}

/// Spans of llama.cpp's slots from their launch to their release; one that is not released is at
/// work still.
std::vector<LineSpan> slotSpans(const ServerLog& log) {
    std::vector<LineSpan> all;
    std::map<std::string_view, std::size_t> ofSlot; // the last of each
    for (const LogRequest& request : log.requests) {
        if (!request.generates || !request.id.starts_with("slot ")) {
            continue;
        }
        const std::string_view slot = std::string_view(request.id).substr(0, request.id.find(','));
        const auto [before, isNew] = ofSlot.try_emplace(slot, all.size());
        if (!isNew) { // its end may not be written
            const LogLine begins{request.first.file, request.first.line - 1};
            all[before->second].last = std::min(all[before->second].last, begins);
            before->second = all.size();
        }
        const bool open = request.end == RequestEnd::NotTold && !isTold(request.endS);
        all.push_back({request.first, open ? lastLineOf(log) : request.last});
    }
    return all;
}

} // namespace

bool decideByOrder(const LogEvidence& evidence, Finding& finding) {
    const ServerLog& log = evidence.log;
    Interleaved slots;
    if (log.clock == LogClock::None && log.files.size() <= 1) {
        slots = interleavedOf(slotSpans(log));
    }
    const Interleaved found = slots.most > 1 ? slots : interleavedOf(progressSpans(log));
    if (found.most < 2) {
        return false;
    }
    finding.verdict = Verdict::Supported;
    finding.reason =
        slots.most > 1
            ? fmt::format("Slots begin before others end: up to {} requests at once.", found.most)
            : fmt::format("Progress of requests is told in turns: up to {} are worked at, at once.",
                          found.most);
    finding.evidence = found.lines;
    return true;
}

bool decideByOneSlot(const LogEvidence& evidence, Finding& finding) {
    const LogFact* one = nullptr;
    for (const LogFact& fact : evidence.log.facts) {
        if (fact.name == "parallel") {
            if (fact.value != "1") {
                return false;
            }
            one = &fact;
        }
    }
    if (one == nullptr) {
        return false;
    }
    finding.verdict = Verdict::Excluded;
    finding.reason = "The server has one slot: requests are served one at a time.";
    finding.evidence = {one->where};
    return true;
}

} // namespace loadline
