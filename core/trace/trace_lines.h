// Shared by all trace readers: lines, numbers that are believed, and the count of lines left out.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline {

/// One line without its end and without a byte order mark.
struct TraceLine {
    std::string_view text;
    std::uint64_t number = 0; ///< 1-based
    bool ended = true;        ///< by '\n'; only the last may not be
};

/// Cuts text into lines that hold more than blanks.
class TraceLines {
public:
    explicit TraceLines(std::string_view text);
    std::optional<TraceLine> next();

    [[nodiscard]] bool hadMark() const { return hadMark_; }

private:
    std::string_view rest_;
    std::uint64_t number_ = 0;
    bool hadMark_ = false;
};

/// Latest arrival that is believed; a larger number is no time.
inline constexpr double mostTraceSeconds = 1e10;

/// A whole number of tokens from 0 to maxTurnTokens ("12", "12.0").
std::optional<Tokens> tokensFrom(std::string_view text);
/// A finite number.
std::optional<double> realFrom(std::string_view text);
/// Seconds since 1970 of "2023-11-16 18:17:03.9799600", also with T, Z, "+00:00" or whole seconds. Parts of a
/// second down to 100 ns are kept: 1e9 s in a double leave 0.2 us.
std::optional<double> secondsFrom(std::string_view timestamp);

/// The lines that were left out, one entry a reason.
class TraceProblems {
public:
    /// `detail` is one of few: fields and reasons, never what stood in the line.
    void add(DiagnosticKind kind, std::uint64_t line, const std::string& detail);
    /// A line that does not parse: cut, if it is the last and has no end.
    void addBad(const TraceLine& line, const std::string& detail);
    [[nodiscard]] std::vector<Diagnostic> list() const; ///< by line

private:
    std::map<std::pair<DiagnosticKind, std::string>, Diagnostic> first_;
};

/// "not a request trace: why", with the formats there are as the remedy.
Error notATrace(const std::string& why, const std::string& path);

/// Sorts the requests (those at the same time keep their order) and lets the first arrive at 0.
void sortByArrival(Trace& trace);
/// Notes that requests do not stand in the order of their times, if so: they are sorted.
void noteOrder(Trace& trace, std::span<const TraceRequest> asTheyStand);

/// Returns the Error that nothing could be used, with the first problem.
Error nothingIn(const TraceProblems& problems, const std::string& path);
/// Puts the problems into the trace, or gives the Error that nothing in it could be used.
Result<Trace> finished(Trace trace, const TraceProblems& problems, const std::string& path);

// The readers of the table in trace.cpp.

/// Columns, lower case, or members of a JSON object; counts are of tokens.
struct RequestNames {
    std::string_view arrival, input, output;
    double perSecond = 1; ///< units of arrival in a second; 0: it is a date and a time
    bool blocks = false;  ///< hash_ids tell what the prompt holds (JSON); arrivals may be text: nanoseconds
};

/// A request a row.
Result<Trace> readTable(const RequestNames& names, std::string_view text, const std::string& path);
/// A request a line of JSON.
Result<Trace> readRequestLines(const RequestNames& names, std::string_view text, const std::string& path);
/// kv-cache-tester's sessions, a row a request: file, dup_of, chain, t, in, out, ...
Result<Trace> readWekaRequests(std::string_view text, const std::string& path);
/// One of its sessions as JSON, sub-agents nested; ids of 64-token blocks.
Result<Trace> readWekaSession(std::string_view text, const std::string& path);

} // namespace loadline
