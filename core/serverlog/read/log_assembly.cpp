// Puts what patterns say into a log, within the limits.
#include "core/serverlog/read/log_assembly.h"

#include "core/serverlog/read/text_cursor.h"
#include "core/text/parse_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace loadline {
namespace {

/// How much each of two counts in their mean.
struct Shares {
    double a = 0;
    double b = 0;
};

/// Returns the mean of those that are told.
double meanOf(double a, double b, const Shares& shares) {
    if (!isTold(a) || !isTold(b)) {
        return isTold(a) ? a : b;
    }
    return a * shares.a + b * shares.b;
}

double sumOf(double a, double b) {
    return isTold(a) && isTold(b) ? a + b : isTold(a) ? a : b;
}

/// Returns both as one. Means count by the times that they are over, or by the lines if these are not told.
LogInterval merged(const LogInterval& a, const LogInterval& b, double linesA, double linesB) {
    const bool bySpan = a.spanS + b.spanS > 0; // false where one is not told
    const double all = bySpan ? a.spanS + b.spanS : linesA + linesB;
    const Shares shares{(bySpan ? a.spanS : linesA) / all, (bySpan ? b.spanS : linesB) / all};
    LogInterval both = a;
    both.timeS = isTold(b.timeS) ? b.timeS : a.timeS;
    both.spanS = sumOf(a.spanS, b.spanS);
    for (double LogInterval::*field :
         {&LogInterval::promptTokensPerS, &LogInterval::outputTokensPerS, &LogInterval::running,
          &LogInterval::waiting, &LogInterval::kvUse, &LogInterval::stateUse, &LogInterval::windowUse,
          &LogInterval::prefixHit, &LogInterval::contextTokens, &LogInterval::acceptedLength}) {
        both.*field = meanOf(a.*field, b.*field, shares);
    }
    for (double LogInterval::*field : {&LogInterval::preemptions, &LogInterval::newTokens,
                                       &LogInterval::cachedTokens, &LogInterval::newRequests}) {
        both.*field = sumOf(a.*field, b.*field);
    }
    return both;
}

/// Returns the number of an interval's engine and kind: intervals of one number are merged.
std::size_t kindOf(const LogInterval& interval) {
    constexpr std::size_t engines = LogAssembly::lastEngine + 1;
    return 2 * (engines * interval.source + static_cast<std::size_t>(interval.engine)) +
           (isTold(interval.newTokens) ? 1 : 0);
}

/// Neighbours of one kind become one, where the first of them stood.
void mergePairwise(std::vector<LogInterval>& intervals) {
    std::vector<std::size_t> waiting;
    std::size_t fewer = 0;
    for (const LogInterval& interval : intervals) {
        const std::size_t kind = kindOf(interval);
        if (waiting.size() <= kind) {
            waiting.resize(kind + 1, LogAssembly::none);
        }
        std::size_t& first = waiting[kind];
        if (first == LogAssembly::none) {
            first = fewer++;
            intervals[first] = interval;
        } else {
            intervals[first] = merged(intervals[first], interval, 1, 1);
            first = LogAssembly::none;
        }
    }
    intervals.resize(fewer);
}

/// Requests beyond the limit that are there still: those that a server may be at work on.
constexpr std::size_t mostBeyond = 4096;

/// Adds one of at most `most`. Where there are many, room is taken for all at once: growing would copy them,
/// and memory that is never written is none.
template <typename Record>
Record& addOne(std::vector<Record>& records, std::size_t most) {
    constexpr std::size_t many = std::size_t{1} << 14;
    if (records.size() >= many && records.size() == records.capacity()) {
        records.reserve(most);
    }
    return records.emplace_back();
}

/// Returns figures with a point among them, as most numbers are. Below 2^53 they and powers of ten are exact,
/// so that one division rounds as it should; not told: anything else.
double shortNumber(std::string_view text) {
    constexpr std::array<double, 16> powers = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                               1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    if (text.size() >= powers.size()) {
        return notTold;
    }
    std::int64_t figures = 0;
    std::size_t decimals = 0;
    std::size_t points = 0;
    for (const char c : text) {
        if (isDigit(c)) {
            figures = figures * 10 + (c - '0');
            decimals += points;
        } else if (c == '.' && points == 0) {
            points = 1;
        } else {
            return notTold;
        }
    }
    const auto number = static_cast<double>(figures);
    return decimals == 0 ? number : number / powers[decimals];
}

} // namespace

double numberOf(std::string_view text) {
    if (text.empty() || !isDigit(text.front())) {
        return notTold;
    }
    const double number = shortNumber(text);
    if (isTold(number)) {
        return number;
    }
    if (text.find(',') == std::string_view::npos) {
        return parseNumber<double>(text).value_or(notTold);
    }
    std::string plain(text);
    std::erase(plain, ',');
    return parseNumber<double>(plain).value_or(notTold);
}

double goSeconds(std::string_view text) {
    struct Unit {
        std::string_view name;
        double seconds;
    };
    constexpr std::array<Unit, 8> units{{{"h", 3600},
                                         {"ms", 1e-3},
                                         {"m", 60},
                                         {"\xc2\xb5s", 1e-6},
                                         {"\xce\xbcs", 1e-6},
                                         {"us", 1e-6},
                                         {"ns", 1e-9},
                                         {"s", 1}}};
    double seconds = 0;
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t numberEnd = std::min(rest.find_first_not_of("0123456789."), rest.size());
        const std::string_view number = rest.substr(0, numberEnd);
        rest.remove_prefix(numberEnd);
        const std::size_t nameEnd = std::min(rest.find_first_of("0123456789."), rest.size());
        const auto unit = std::ranges::find(units, rest.substr(0, nameEnd), &Unit::name);
        if (number.empty() || unit == units.end()) {
            return notTold;
        }
        seconds += numberOf(number) * unit->seconds;
        rest.remove_prefix(nameEnd);
    }
    return text.empty() ? notTold : seconds;
}

namespace {

bool endsWithOneOf(std::string_view path, std::initializer_list<std::string_view> ends) {
    const std::string_view bare = path.substr(0, path.find('?'));
    return std::ranges::any_of(ends, [&](std::string_view end) {
        return !bare.empty() && bare.back() == end.back() && bare.ends_with(end);
    });
}

} // namespace

bool generates(std::string_view method, std::string_view path) {
    return method == "POST" && endsWithOneOf(path, {"/completions", "/completion", "/messages", "/responses",
                                                    "/api/chat", "/generate", "/infill"});
}

bool embeds(std::string_view path) {
    return endsWithOneOf(path, {"/embeddings", "/embedding", "/embed"});
}

std::size_t LogAssembly::addRequest() {
    if (log.requests.size() >= limits.requests) {
        if (beyond_.last.size() < mostBeyond) {
            beyond_.last.emplace_back();
        } else {
            LogRequest& oldest = beyond_.last[beyond_.added % mostBeyond];
            beyond_.goneGenerate += oldest.generates ? 1 : 0;
            oldest = {};
        }
        LogRequest& added = beyond_.last[beyond_.added % mostBeyond];
        added.first = added.last = where;
        added.source = source();
        return log.requests.size() + beyond_.added++;
    }
    LogRequest& added = addOne(log.requests, limits.requests);
    added.first = added.last = where;
    added.source = source();
    return log.requests.size() - 1;
}

LogRequest& LogAssembly::request(std::size_t index) {
    if (index < log.requests.size()) {
        return log.requests[index];
    }
    const std::size_t beyond = index - log.requests.size();
    if (index == none || beyond >= beyond_.added || beyond + mostBeyond < beyond_.added) {
        spare_ = {};
        return spare_;
    }
    return beyond_.last[beyond % mostBeyond];
}

std::uint64_t LogAssembly::requestsBeyond() const {
    return beyond_.goneGenerate +
           static_cast<std::uint64_t>(std::ranges::count_if(beyond_.last, &LogRequest::generates));
}

void LogAssembly::touch(std::size_t index) {
    request(index).last = where;
}

void LogAssembly::end(std::size_t index, RequestEnd how) {
    LogRequest& ended = request(index);
    touch(index);
    ended.endS = now;
    ended.end = ended.end == RequestEnd::NotTold ? how : ended.end; // it may be known that it was aborted
}

void LogAssembly::addInterval(LogInterval interval) {
    interval.where = where;
    interval.timeS = now;
    interval.source = source();
    lastKind = kindOf(interval);
    merging.resize(std::max(merging.size(), lastKind + 1));
    Merging& open = merging[lastKind];
    if (open.interval != none && open.lines >> merges == 0) {
        LogInterval& both = log.intervals[open.interval];
        both = merged(both, interval, static_cast<double>(open.lines), 1);
        ++open.lines;
        return;
    }
    if (log.intervals.size() >= limits.intervals) {
        mergePairwise(log.intervals);
        merges = std::min(merges + (log.intervals.size() < limits.intervals ? 1 : 0), mostMerges);
        std::ranges::fill(merging, Merging());
    }
    if (log.intervals.size() >= limits.intervals) { // each of another kind
        ++leftOut;
        return;
    }
    open = {.interval = log.intervals.size(), .lines = 1};
    addOne(log.intervals, limits.intervals) = interval;
}

void LogAssembly::tellLastInterval(double LogInterval::*field, double value) {
    if (lastKind >= merging.size() || merging[lastKind].interval == none) {
        return;
    }
    const auto lines = static_cast<double>(merging[lastKind].lines);
    double& mean = log.intervals[merging[lastKind].interval].*field;
    mean = isTold(mean) && lines > 1 ? mean + (value - mean) / lines : value;
}

void LogAssembly::addEvent(LogEventKind kind, double tokens, std::string detail, double seconds) {
    if (log.events.size() >= limits.others) {
        ++leftOut;
        return;
    }
    addOne(log.events, limits.others) = {.where = where,
                                         .kind = kind,
                                         .timeS = now,
                                         .tokens = tokens,
                                         .seconds = seconds,
                                         .detail = std::move(detail),
                                         .source = source()};
}

void LogAssembly::addPreemption(double count, std::string detail, bool swapped) {
    const std::size_t before = log.events.size();
    addEvent(LogEventKind::Preemption, notTold, std::move(detail));
    if (log.events.size() > before) {
        constexpr double most = 1e9; // of a number that a line may make up
        log.events.back().count = std::min(count, most);
        log.events.back().swapped = swapped;
    }
}

void LogAssembly::addStep(const LogStep& step) {
    if (log.steps.size() >= limits.others) {
        ++leftOut;
        return;
    }
    LogStep& added = addOne(log.steps, limits.others);
    added = step;
    added.where = where;
    added.timeS = now;
    added.source = source();
}

void LogAssembly::addProgress(LogProgress progress) {
    if (log.progress.size() >= limits.others) {
        ++leftOut;
        return;
    }
    progress.where = where;
    progress.timeS = now;
    progress.source = source();
    progress.request = progress.request < log.requests.size() ? progress.request : LogProgress::npos;
    addOne(log.progress, limits.others) = progress;
}

std::size_t LogAssembly::addAccess(std::string_view method, std::string_view path, std::string_view status,
                                   double seconds) {
    const std::size_t index = addRequest();
    LogRequest& added = request(index);
    added.path.reserve(method.size() + 1 + path.size());
    added.path.append(method).append(" ").append(path.substr(0, 256));
    added.generates = generates(method, path);
    tellsServer = tellsServer || added.generates;
    added.arrivalInferred = isTold(seconds) && isTold(now);
    added.arrivalS = now - seconds;
    constexpr double mostStatus = 999;
    const double code = numberOf(status);
    added.status = code <= mostStatus ? static_cast<std::uint16_t>(code) : std::uint16_t{0};
    constexpr std::string_view closedByClient = "499";
    end(index, status == closedByClient     ? RequestEnd::Aborted
               : status.substr(0, 1) <= "3" ? RequestEnd::Complete
                                            : RequestEnd::Failed);
    return index;
}

void LogAssembly::shiftTimes(double seconds) {
    for (LogInterval& interval : log.intervals) {
        interval.timeS += seconds;
    }
    for (std::vector<LogRequest>* requests : {&log.requests, &beyond_.last}) {
        for (LogRequest& moved : *requests) {
            moved.arrivalS += seconds;
            moved.firstTokenS += seconds;
            moved.endS += seconds;
        }
    }
    for (LogEvent& event : log.events) {
        event.timeS += seconds;
    }
    for (LogStep& step : log.steps) {
        step.timeS += seconds;
    }
    for (LogProgress& progress : log.progress) {
        progress.timeS += seconds;
    }
    memory.shiftTimes(seconds);
    now += seconds;
}

} // namespace loadline
