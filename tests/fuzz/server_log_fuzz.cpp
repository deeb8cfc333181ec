// Any bytes as a server's log: where pieces are cut must not matter, times and places must make sense, and
// limits hold; what is recalled of a line must be what is found on it.
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/read/line_taker.h"
#include "tests/core/serverlog/log_lines.h"
#include "tests/fuzz/check.h"

#include <algorithm>
#include <cmath>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

constexpr ServerLogLimits few{.lineBytes = 300, .intervals = 12, .requests = 6, .others = 9};

bool isToldTime(double seconds, const ServerLog& log) {
    return !isTold(seconds) || (seconds >= -1e-3 && seconds <= log.lengthS + 1e-3);
}

bool isCount(double value) {
    return !isTold(value) || (std::isfinite(value) && value >= 0);
}

void checkPlace(const LogLine& where, const ServerLog& log) {
    check(where.file < log.files.size() && where.line >= 1 && where.line <= log.lines);
}

void checkLog(const ServerLog& log, std::string_view text, const ServerLogLimits& limits) {
    const auto ends = static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
    check(log.bytes == text.size() && (log.lines == ends || log.lines == ends + 1));
    check(log.knownLines <= log.lines && std::isfinite(log.lengthS) && log.lengthS >= 0);
    check(log.intervals.size() <= limits.intervals && log.requests.size() <= limits.requests);
    check(log.events.size() <= limits.others && log.steps.size() <= limits.others);
    check(log.progress.size() <= limits.others && log.firstLines.size() <= 3);
    for (const LogInterval& interval : log.intervals) {
        checkPlace(interval.where, log);
        check(isToldTime(interval.timeS, log) && (!isTold(interval.spanS) || interval.spanS > 0));
        check(isCount(interval.outputTokensPerS) && isCount(interval.running) && isCount(interval.kvUse));
    }
    for (const LogRequest& request : log.requests) {
        checkPlace(request.first, log);
        check(request.first <= request.last);
        check(isToldTime(request.arrivalS, log) && isToldTime(request.endS, log));
        check(isToldTime(request.firstTokenS, log));
        check(isCount(request.inputTokens) && isCount(request.cachedTokens) && isCount(request.outputTokens));
    }
    for (const LogEvent& event : log.events) {
        checkPlace(event.where, log);
        check(isToldTime(event.timeS, log));
    }
    for (const LogProgress& progress : log.progress) {
        checkPlace(progress.where, log);
        check(progress.request == LogProgress::npos || progress.request < log.requests.size());
    }
    for (const LogFact& fact : log.facts) {
        check(!fact.name.empty() && !fact.value.empty());
    }
}

ServerLog inPieces(std::string_view text, std::size_t bytes, const ServerLogLimits& limits) {
    ServerLogReader reader(limits);
    reader.beginFile("x");
    for (std::size_t at = 0; at < text.size(); at += bytes) {
        reader.add(text.substr(at, bytes));
    }
    return reader.log();
}

/// Each line three times, so that lines are recalled where they may be.
ServerLog byLines(std::string_view text, bool recalls) {
    LineTaker taker(patternTable(), few, recalls);
    taker.beginFile("x");
    for (int i = 0; i < 3; ++i) {
        for (std::string_view rest = text; !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            taker.take(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return std::move(taker).log(0);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = textOf(data, size);
    for (const ServerLogLimits& limits : {ServerLogLimits(), few}) {
        const ServerLog whole = inPieces(text, std::max<std::size_t>(text.size(), 1), limits);
        checkLog(whole, text, limits);
        checkEqual(test::textOf(inPieces(text, digestOf(text) % 97 + 1, limits)), test::textOf(whole));
    }
    checkEqual(test::textOf(byLines(text, true)), test::textOf(byLines(text, false)));
    (void)isServerLog(text);
    return 0;
}
