// Requests being served at once.
#include "core/serverlog/log_concurrency.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

struct Change {
    double timeS = 0;
    int by = 0;
};

std::vector<LogLevel> levelsOf(std::vector<Change> changes) {
    // An end before a beginning of the same instant: serial requests are not concurrent.
    std::ranges::sort(changes, [](const Change& a, const Change& b) {
        return a.timeS != b.timeS ? a.timeS < b.timeS : a.by < b.by;
    });
    std::vector<LogLevel> levels;
    int now = 0;
    for (const Change& change : changes) {
        now += change.by;
        if (!levels.empty() && levels.back().timeS == change.timeS) {
            levels.back().value = now;
        } else {
            levels.push_back({change.timeS, static_cast<double>(now)});
        }
    }
    return levels;
}

/// Returns by how much an arrival may be later than it is inferred: access lines tell ends to the second, and
/// durations.
double laterBy(const ServerLog& log, const LogRequest& request) {
    constexpr double millisecondsPerS = 1000;
    constexpr double alike = 1e-4; // of a sum of dates
    const double begin =
        isKnown(log.begin) ? std::fmod(static_cast<double>(log.begin.ms), millisecondsPerS) / millisecondsPerS
                           : 0;
    const double end = begin + request.endS;
    const bool whole = std::abs(end - std::round(end)) < alike;
    return request.arrivalInferred && whole && !isTold(request.firstTokenS) ? 1 : 0;
}

} // namespace

LogConcurrency concurrencyOf(const ServerLog& log) {
    std::vector<Change> least;
    std::vector<Change> most;
    for (const LogRequest& request : log.requests) {
        if (!request.generates || !isTold(request.arrivalS)) {
            continue;
        }
        most.push_back({request.arrivalS, 1});
        if (isTold(request.endS) && !request.endInferred) {
            const double fromS = request.arrivalS + laterBy(log, request);
            if (fromS <= std::max(request.endS, request.arrivalS)) {
                least.push_back({fromS, 1});
                least.push_back({std::max(request.endS, request.arrivalS), -1});
            }
        }
        most.push_back({isTold(request.endS) ? std::max(request.endS, request.arrivalS) : log.lengthS, -1});
    }
    return {levelsOf(std::move(least)), levelsOf(std::move(most))};
}

std::vector<LogLevel> decodingOf(const ServerLog& log) {
    std::vector<Change> changes;
    for (const LogRequest& request : log.requests) {
        const double fromS = isTold(request.firstTokenS) ? request.firstTokenS : request.arrivalS;
        if (request.generates && isTold(fromS) && isTold(request.endS) && !request.endInferred) {
            changes.push_back({fromS, 1});
            changes.push_back({std::max(request.endS, fromS), -1});
        }
    }
    return levelsOf(std::move(changes));
}

MeanLevel::MeanLevel(const std::vector<LogLevel>& levels) : levels_(levels) {
    for (std::size_t i = 0; i < levels_.size(); ++i) {
        sums_.push_back(
            i == 0 ? 0 : sums_.back() + levels_[i - 1].value * (levels_[i].timeS - levels_[i - 1].timeS));
    }
}

double MeanLevel::sumTo(double timeS) const {
    const auto above = std::ranges::upper_bound(levels_, timeS, {}, &LogLevel::timeS);
    if (above == levels_.begin()) {
        return 0;
    }
    const auto at = static_cast<std::size_t>(above - levels_.begin()) - 1;
    return sums_[at] + levels_[at].value * (timeS - levels_[at].timeS);
}

double MeanLevel::between(double fromS, double toS) const {
    if (toS > fromS) {
        return (sumTo(toS) - sumTo(fromS)) / (toS - fromS);
    }
    const auto above = std::ranges::upper_bound(levels_, fromS, {}, &LogLevel::timeS);
    return above == levels_.begin() ? 0 : (above - 1)->value;
}

MostAtOnce::MostAtOnce(const std::vector<LogLevel>& levels) : most_(2 * levels.size(), 0) {
    const std::size_t count = levels.size();
    for (std::size_t i = 0; i < count; ++i) {
        timesS_.push_back(levels[i].timeS);
        most_[count + i] = levels[i].value;
    }
    for (std::size_t i = count; i-- > 1;) {
        most_[i] = std::max(most_[2 * i], most_[2 * i + 1]);
    }
}

double MostAtOnce::between(double fromS, double toS) const {
    const auto begin = timesS_.begin();
    const auto above = std::upper_bound(begin, timesS_.end(), fromS);
    auto from = static_cast<std::size_t>(above - begin);
    from -= from > 0 ? 1 : 0; // the level that holds at fromS
    auto to = static_cast<std::size_t>(std::lower_bound(above, timesS_.end(), toS) - begin);
    double most = 0;
    for (from += timesS_.size(), to += timesS_.size(); from < to; from /= 2, to /= 2) {
        if (from % 2 == 1) {
            most = std::max(most, most_[from++]);
        }
        if (to % 2 == 1) {
            most = std::max(most, most_[--to]);
        }
    }
    return most;
}

} // namespace loadline
