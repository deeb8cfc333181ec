// How many requests a server had at once.
#pragma once

#include "core/serverlog/server_log.h"

#include <vector>

namespace loadline {

/// A step function of time: `value` from `timeS` on.
struct LogLevel {
    double timeS = 0;
    double value = 0;
};

/// Requests that generate, being served at once, by arrivals and ends. One whose end is not told may be open
/// until the end of the log: it counts in `atMost` alone.
struct LogConcurrency {
    std::vector<LogLevel> atLeast;
    std::vector<LogLevel> atMost;
};

LogConcurrency concurrencyOf(const ServerLog& log);

/// Requests that decode: from the first token, where it is told, to the end.
std::vector<LogLevel> decodingOf(const ServerLog& log);

/// The mean level between two times, for many questions.
class MeanLevel {
public:
    explicit MeanLevel(const std::vector<LogLevel>& levels);

    /// 0 where there is none; at an instant the level itself.
    [[nodiscard]] double between(double fromS, double toS) const;

private:
    [[nodiscard]] double sumTo(double timeS) const;

    std::vector<LogLevel> levels_;
    std::vector<double> sums_; ///< level x seconds, up to each level's time
};

/// The highest level between two times, for many questions.
class MostAtOnce {
public:
    explicit MostAtOnce(const std::vector<LogLevel>& levels);

    /// 0 where there is none.
    [[nodiscard]] double between(double fromS, double toS) const;

private:
    std::vector<double> timesS_;
    std::vector<double> most_; ///< a tree: most_[i] of most_[2 i] and most_[2 i + 1], the levels from n on
};

} // namespace loadline
