// Data that the drawings of a server's log look up: series with extremes, bars in rows, places of lines.
#pragma once

#include "core/serverlog/verdict/log_figure.h"
#include "ui/chart/serverlog/log_drawings.h"
#include "ui/chart/serverlog/log_extremes.h"
#include "ui/theme/theme.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <vector>

namespace loadline::ui {

/// Something in the log that has a place on the time axis and a line.
struct LogMark {
    enum class Kind : std::uint8_t { Interval, Request, Event, Step, Progress };

    double place = 0;
    LogLine where;
    std::uint32_t index = 0; ///< into ServerLog's vector of this kind
    Kind kind = Kind::Interval;
};

/// When samples were taken, ascending by their ends; shared by series of the same lines.
struct LogTimes {
    std::vector<double> begins; ///< that a mean is of; the end itself where the value is of an instant
    std::vector<double> ends;
    std::vector<std::uint32_t> marks; ///< LogScene::marks
    double usualGap = 0;              ///< between the ends: what is much longer was not logged
};

/// The meaning of a colour in a log's chart.
enum class LogInk : std::uint8_t {
    Output,
    Prompt,
    Running,
    Waiting,
    KvUse,
    Hit,
    OneOutput,
    OnePrompt,
    Batch,
    Accepted
};
QColor colourOf(LogInk ink, const Theme& theme);
/// Engines that are drawn apart; of more only their sum is.
inline constexpr std::size_t mostEnginesDrawn = 8;

struct LogSeries {
    QString name; ///< "output"
    LogInk ink = LogInk::Output;
    std::shared_ptr<const LogTimes> times;
    LogExtremes values;  ///< as many; not told: no numbers
    bool ofSpans = true; ///< means of spans: else of instants
    int engine = -1;     ///< place among several engines, which are drawn apart; -1: of all
};
/// Returns the colour of its ink; if it is of one of several engines, that of its engine.
QColor colourOf(const LogSeries& series, const Theme& theme);

/// `place`: the engine's index in LogScene::engines().
QColor colourOfEngine(int place, const Theme& theme);

/// Series that share a scale.
struct LogLane {
    QString title; ///< with its unit
    bool shares = false;
    double most = 1; ///< of the scale, from 0
    std::vector<LogSeries> series;
};

/// A request as a bar.
struct LogBar {
    double begin = 0, end = 0;
    double prefill = 0; ///< where it begins: `begin` where no waiting is told
    double decode = 0;  ///< where it begins; no number: not told
    bool openBegin = false, openEnd = false;
    std::uint32_t mark = 0;
};

/// A step function with its extremes.
struct LogSteps {
    std::vector<double> places;
    LogExtremes values; ///< as many: from that place on

    LogSteps() = default;
    explicit LogSteps(const std::vector<LogLevel>& levels);
    /// Between two places; nothing before the first.
    [[nodiscard]] Extreme in(double begin, double end) const;
};

class LogScene {
public:
    explicit LogScene(std::shared_ptr<const LogFigure> figure);

    [[nodiscard]] const LogFigure& figure() const { return *figure_; }

    [[nodiscard]] const ServerLog& log() const { return *figure_->log; }

    /// True if the axis counts lines, as the log tells no times.
    [[nodiscard]] bool countsLines() const { return log().clock == LogClock::None; }

    [[nodiscard]] double length() const { return length_; } ///< of the axis, above 0

    [[nodiscard]] const std::vector<LogLane>& lanes() const { return lanes_; }

    /// By rows, in each of which bars follow one another.
    [[nodiscard]] const std::vector<std::vector<LogBar>>& bars() const { return bars_; }

    [[nodiscard]] const std::vector<LogMark>& marks() const { return marks_; } ///< by their places

    /// Numbers of the engines that are drawn apart, by their places; empty unless there are several.
    [[nodiscard]] const std::vector<int>& engines() const { return engines_; }

    /// Engines whose lines are only in the sums.
    [[nodiscard]] std::size_t enginesNotDrawn() const { return enginesNotDrawn_; }

    /// Indices into marks() of events, by their places.
    [[nodiscard]] const std::vector<std::uint32_t>& events() const { return events_; }

    [[nodiscard]] const LogSteps& atLeast() const { return atLeast_; }

    [[nodiscard]] const LogSteps& atMost() const { return atMost_; }

    /// The mark of this line; where there is none, of the last line before it. -1: none.
    [[nodiscard]] int markAt(const LogLine& line) const;

private:
    using Times = std::shared_ptr<const LogTimes>;
    void measure();
    void addMarks();
    void addIntervals();
    void addSums(std::vector<LogSeries>& output, std::vector<LogSeries>& prompt,
                 std::vector<LogSeries>& queue);
    void addRates();
    void addSteps();
    void addBars();
    void addLane(const QString& title, std::vector<LogSeries> series, bool shares = false);
    [[nodiscard]] double placeOf(double timeS, const LogLine& line) const;
    [[nodiscard]] Times timesOf(const std::vector<std::uint32_t>& marks) const;
    [[nodiscard]] std::vector<std::uint32_t> marksOf(LogMark::Kind kind) const;
    [[nodiscard]] LogBar barOf(const LogRequest& request, std::uint32_t mark) const;

    std::shared_ptr<const LogFigure> figure_;
    std::vector<double> linesBefore_; ///< those of the files before each
    double length_ = 1;
    std::vector<LogMark> marks_;
    std::vector<std::uint32_t> byLine_; ///< indices into marks_
    std::vector<std::uint32_t> events_;
    std::vector<LogLane> lanes_;
    std::vector<std::vector<LogBar>> bars_;
    LogSteps atLeast_, atMost_;
    std::vector<int> engines_;
    std::size_t enginesNotDrawn_ = 0;
};

} // namespace loadline::ui
