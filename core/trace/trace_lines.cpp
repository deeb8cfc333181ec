// Lines, numbers and times of traces.
#include "core/trace/trace_lines.h"

#include "core/text/counted.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace loadline {
namespace {

constexpr std::string_view mark = "\xef\xbb\xbf";
constexpr std::string_view lineBlanks = " \t\r\v\f";

/// Takes digits off the front; nothing if there are not between `least` and `most` of them.
std::optional<std::int64_t> digits(std::string_view& text, std::size_t least, std::size_t most) {
    std::size_t n = 0;
    std::int64_t value = 0;
    while (n < text.size() && n < most && text[n] >= '0' && text[n] <= '9') {
        value = value * 10 + (text[n] - '0');
        ++n;
    }
    if (n < least) {
        return std::nullopt;
    }
    text.remove_prefix(n);
    return value;
}

bool take(std::string_view& text, std::string_view anyOf) {
    if (text.empty() || anyOf.find(text.front()) == std::string_view::npos) {
        return false;
    }
    text.remove_prefix(1);
    return true;
}

std::optional<std::chrono::sys_days> dayFrom(std::string_view& text) {
    const auto year = digits(text, 4, 4);
    const bool first = take(text, "-");
    const auto month = digits(text, 2, 2);
    const bool second = take(text, "-");
    const auto day = digits(text, 2, 2);
    if (!year || !first || !month || !second || !day) {
        return std::nullopt;
    }
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(*year)),
                                           std::chrono::month(static_cast<unsigned>(*month)),
                                           std::chrono::day(static_cast<unsigned>(*day)));
    return date.ok() && *year >= 1970 ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

} // namespace

TraceLines::TraceLines(std::string_view text) : rest_(text), hadMark_(text.substr(0, mark.size()) == mark) {
    if (hadMark_) {
        rest_.remove_prefix(mark.size());
    }
}

std::optional<TraceLine> TraceLines::next() {
    while (!rest_.empty()) {
        const std::size_t end = rest_.find('\n');
        TraceLine line{.text = rest_.substr(0, end), .number = ++number_, .ended = end != rest_.npos};
        rest_.remove_prefix(line.ended ? end + 1 : rest_.size());
        if (!line.text.empty() && line.text.back() == '\r') {
            line.text.remove_suffix(1);
        }
        if (line.text.find_first_not_of(lineBlanks) != std::string_view::npos) {
            return line;
        }
    }
    return std::nullopt;
}

std::optional<double> realFrom(std::string_view text) {
    return parseNumber<double>(text);
}

std::optional<Tokens> tokensFrom(std::string_view text) {
    const auto value = realFrom(text);
    if (!value || *value < 0 || *value > static_cast<double>(maxTurnTokens) || std::floor(*value) != *value) {
        return std::nullopt;
    }
    return static_cast<Tokens>(*value);
}

std::optional<double> secondsFrom(std::string_view timestamp) {
    const auto day = dayFrom(timestamp);
    if (!day || !take(timestamp, " T")) {
        return std::nullopt;
    }
    const auto hour = digits(timestamp, 2, 2);
    const bool first = take(timestamp, ":");
    const auto minute = digits(timestamp, 2, 2);
    const bool second = take(timestamp, ":");
    const auto seconds = digits(timestamp, 2, 2);
    if (!hour || !first || !minute || !second || !seconds || *hour > 23 || *minute > 59 || *seconds > 60) {
        return std::nullopt;
    }
    double part = 0;
    if (take(timestamp, ".")) {
        const std::size_t before = timestamp.size();
        const auto fraction = digits(timestamp, 1, 18);
        if (!fraction) {
            return std::nullopt;
        }
        part = static_cast<double>(*fraction) / std::pow(10, static_cast<double>(before - timestamp.size()));
    }
    if (!timestamp.empty() && timestamp != "Z" && timestamp != "+00:00" && timestamp != " UTC") {
        return std::nullopt;
    }
    const std::int64_t whole =
        day->time_since_epoch().count() * 86'400 + *hour * 3'600 + *minute * 60 + *seconds;
    return static_cast<double>(whole) + part;
}

void TraceProblems::add(DiagnosticKind kind, std::uint64_t line, const std::string& detail) {
    const auto [entry, isNew] = first_.try_emplace(
        {kind, detail}, Diagnostic{.kind = kind, .line = line, .count = 1, .detail = detail});
    if (!isNew) {
        ++entry->second.count;
        listLine(entry->second, line);
    }
}

void TraceProblems::addBad(const TraceLine& line, const std::string& detail) {
    if (line.ended) {
        add(DiagnosticKind::BadLine, line.number, detail);
    } else {
        add(DiagnosticKind::BadLastLine, line.number, "it is cut");
    }
}

std::vector<Diagnostic> TraceProblems::list() const {
    std::vector<Diagnostic> all;
    for (const auto& [reason, diagnostic] : first_) {
        all.push_back(diagnostic);
    }
    std::ranges::stable_sort(all, {}, &Diagnostic::line);
    return all;
}

Error notATrace(const std::string& why, const std::string& path) {
    return {.what = "not a request trace: " + why,
            .where = path,
            .remedy = "a table with the columns arrival_s,input_tokens,output_tokens"};
}

void sortByArrival(Trace& trace) {
    std::ranges::stable_sort(trace.requests, {}, &TraceRequest::arrivalS);
    const double first = trace.requests.empty() ? 0 : trace.requests.front().arrivalS;
    for (TraceRequest& request : trace.requests) {
        request.arrivalS -= first;
    }
}

void noteOrder(Trace& trace, std::span<const TraceRequest> asTheyStand) {
    std::uint64_t early = 0;
    for (std::size_t i = 1; i < asTheyStand.size(); ++i) {
        early += asTheyStand[i].arrivalS < asTheyStand[i - 1].arrivalS ? 1 : 0;
    }
    if (early > 0) {
        trace.notes.push_back(counted(early, "line") +
                              (early == 1 ? " has an earlier time than the line before it"
                                          : " have an earlier time than the line before them") +
                              ": requests are put in the order of their times");
    }
}

Error nothingIn(const TraceProblems& problems, const std::string& path) {
    for (const Diagnostic& diagnostic : problems.list()) {
        if (diagnostic.kind != DiagnosticKind::ByteOrderMark) {
            return notATrace(fmt::format("none of its lines could be used; line {}: {}", diagnostic.line,
                                         diagnostic.detail),
                             path);
        }
    }
    return notATrace("there are no requests in it", path);
}

Result<Trace> finished(Trace trace, const TraceProblems& problems, const std::string& path) {
    trace.diagnostics = problems.list();
    if (!trace.requests.empty() || !trace.sessions.empty()) {
        return trace;
    }
    return nothingIn(problems, path);
}

} // namespace loadline
