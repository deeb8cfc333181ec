// From the figure of a log to what its drawings look up.
#include "ui/chart/serverlog/log_scene.h"

#include "core/base/statistics.h"
#include "ui/chart/xy_axes.h"

#include <queue>

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace loadline::ui {
namespace {

using Kind = LogMark::Kind;

constexpr double gapShare = 1.0 / 2000; ///< between the bars of a row, of the whole axis

/// Returns the usual distance of a sample from the one before.
double usualGap(const std::vector<double>& ends) {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < ends.size(); ++i) {
        gaps.push_back(ends[i] - ends[i - 1]);
    }
    return gaps.empty() ? 0 : medianOf(std::move(gaps));
}

/// A series of those of these marks that are of one source; nothing where none tells a value.
template <typename Value>
void addSeries(std::vector<LogSeries>& all, const QString& name, LogInk ink,
               const std::shared_ptr<const LogTimes>& times, bool ofSpans, const Value& valueOf,
               int engine = -1) {
    std::vector<double> values;
    values.reserve(times->marks.size());
    bool any = false;
    for (const std::uint32_t mark : times->marks) {
        values.push_back(valueOf(mark));
        any = any || isTold(values.back());
    }
    if (any) {
        all.push_back({name, ink, times, LogExtremes(std::move(values)), ofSpans, engine});
    }
}

double firstTold(double a, double b) {
    return isTold(a) ? a : b;
}

} // namespace

LogSteps::LogSteps(const std::vector<LogLevel>& levels) {
    std::vector<double> heights;
    for (const LogLevel& level : levels) {
        places.push_back(level.timeS);
        heights.push_back(level.value);
    }
    values = LogExtremes(std::move(heights));
}

Extreme LogSteps::in(double begin, double end) const {
    const auto first = std::ranges::upper_bound(places, begin) - places.begin();
    const auto last = std::ranges::upper_bound(places, end) - places.begin();
    return values.of(static_cast<std::size_t>(std::max<std::ptrdiff_t>(first - 1, 0)),
                     static_cast<std::size_t>(last));
}

LogScene::LogScene(std::shared_ptr<const LogFigure> figure) : figure_(std::move(figure)) {
    measure();
    addMarks();
    addIntervals();
    addRates();
    addSteps();
    addBars();
    if (!countsLines()) {
        atLeast_ = LogSteps(figure_->concurrency.atLeast);
        atMost_ = LogSteps(figure_->concurrency.atMost);
    }
}

/// Files follow each other: lines are counted over all of them.
void LogScene::measure() {
    const std::size_t files = std::max<std::size_t>(log().files.size(), 1);
    std::vector<double> longest(files, 0);
    const auto see = [&](const LogLine& line) {
        if (line.file < files) {
            longest[line.file] = std::max(longest[line.file], static_cast<double>(line.line));
        }
    };
    const auto seeAll = [&](const auto& some) {
        std::ranges::for_each(some, see, [](const auto& one) { return one.where; });
    };
    seeAll(log().intervals);
    seeAll(log().events);
    seeAll(log().steps);
    seeAll(log().progress);
    std::ranges::for_each(log().requests, see, &LogRequest::last);
    linesBefore_.assign(files, 0);
    for (std::size_t i = 1; i < files; ++i) {
        linesBefore_[i] = linesBefore_[i - 1] + longest[i - 1];
    }
    constexpr double leastS = 1e-3;
    length_ =
        countsLines() ? std::max(static_cast<double>(log().lines), 1.0) : std::max(log().lengthS, leastS);
}

double LogScene::placeOf(double timeS, const LogLine& line) const {
    return countsLines() ? linesBefore_[std::min<std::size_t>(line.file, linesBefore_.size() - 1)] +
                               static_cast<double>(line.line)
                         : timeS;
}

void LogScene::addMarks() {
    const auto add = [this](double timeS, const LogLine& where, std::size_t index, Kind kind) {
        if (const double place = placeOf(timeS, where); isTold(place)) {
            marks_.push_back({place, where, static_cast<std::uint32_t>(index), kind});
        }
    };
    const auto addAll = [&](const auto& all, Kind kind) {
        for (std::size_t i = 0; i < all.size(); ++i) {
            add(all[i].timeS, all[i].where, i, kind);
        }
    };
    addAll(log().intervals, Kind::Interval);
    addAll(log().events, Kind::Event);
    addAll(log().steps, Kind::Step);
    addAll(log().progress, Kind::Progress);
    for (std::size_t i = 0; i < log().requests.size(); ++i) {
        const LogRequest& one = log().requests[i];
        add(firstTold(firstTold(one.arrivalS, one.firstTokenS), one.endS), one.first, i, Kind::Request);
    }
    std::ranges::stable_sort(marks_, {}, &LogMark::place);
    byLine_.resize(marks_.size());
    for (std::size_t i = 0; i < byLine_.size(); ++i) {
        byLine_[i] = static_cast<std::uint32_t>(i);
    }
    std::ranges::stable_sort(byLine_, {}, [this](std::uint32_t i) { return marks_[i].where; });
    events_ = marksOf(Kind::Event);
}

std::vector<std::uint32_t> LogScene::marksOf(Kind kind) const {
    std::vector<std::uint32_t> some;
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        if (marks_[i].kind == kind) {
            some.push_back(static_cast<std::uint32_t>(i));
        }
    }
    return some;
}

int LogScene::markAt(const LogLine& line) const {
    if (line.line == 0) {
        return -1;
    }
    const auto of = [this](std::uint32_t i) { return marks_[i].where; };
    const auto exact = std::ranges::lower_bound(byLine_, line, {}, of);
    if (exact != byLine_.end() && of(*exact) == line) {
        return static_cast<int>(*exact);
    }
    return exact == byLine_.begin() ? -1 : static_cast<int>(*std::prev(exact));
}

LogScene::Times LogScene::timesOf(const std::vector<std::uint32_t>& marks) const {
    LogTimes times;
    times.marks = marks;
    for (const std::uint32_t mark : marks) {
        const LogMark& one = marks_[mark];
        const double span =
            one.kind == Kind::Interval && !countsLines() ? log().intervals[one.index].spanS : notTold;
        const double before = times.ends.empty() ? one.place : times.ends.back();
        times.ends.push_back(one.place);
        times.begins.push_back(isTold(span) ? one.place - span : before);
    }
    times.usualGap = usualGap(times.ends);
    return std::make_shared<const LogTimes>(std::move(times));
}

/// Adds the sums of several engines.
void LogScene::addSums(std::vector<LogSeries>& output, std::vector<LogSeries>& prompt,
                       std::vector<LogSeries>& queue) {
    const std::vector<LogSum>& sums = figure_->verdict.engineSums;
    LogTimes times;
    std::vector<std::size_t> used;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        const double place = placeOf(sums[i].timeS, sums[i].where);
        const int mark = markAt(sums[i].where);
        if (!isTold(place) || mark < 0) {
            continue;
        }
        times.begins.push_back(times.ends.empty() ? place : times.ends.back());
        times.ends.push_back(place);
        times.marks.push_back(static_cast<std::uint32_t>(mark));
        used.push_back(i);
    }
    times.usualGap = usualGap(times.ends);
    const auto shared = std::make_shared<const LogTimes>(std::move(times));
    const auto add = [&](std::vector<LogSeries>& all, const QString& name, LogInk ink, bool ofSpans,
                         double LogSum::*field) {
        std::vector<double> values;
        for (const std::size_t i : used) {
            values.push_back(sums[i].*field);
        }
        if (std::ranges::any_of(values, isTold)) {
            all.push_back({name, ink, shared, LogExtremes(std::move(values)), ofSpans});
        }
    };
    add(output, QStringLiteral("all engines"), LogInk::Output, true, &LogSum::outputTokensPerS);
    add(prompt, QStringLiteral("all engines"), LogInk::Prompt, true, &LogSum::promptTokensPerS);
    add(queue, QStringLiteral("running, all"), LogInk::Running, false, &LogSum::running);
    add(queue, QStringLiteral("waiting, all"), LogInk::Waiting, false, &LogSum::waiting);
}

/// Adds the series of each engine, and their sum if they are several.
void LogScene::addIntervals() {
    std::map<int, std::vector<std::uint32_t>> engines;
    for (const std::uint32_t mark : marksOf(Kind::Interval)) {
        engines[log().intervals[marks_[mark].index].engine].push_back(mark);
    }
    std::vector<LogSeries> output, prompt, queue, cache, hits, accepted;
    const bool several = engines.size() > 1;
    if (several) {
        addSums(output, prompt, queue);
    }
    int place = -1;
    for (const auto& [engine, marks] : engines) {
        place += several ? 1 : 0;
        if (place >= static_cast<int>(mostEnginesDrawn)) {
            enginesNotDrawn_ = engines.size() - mostEnginesDrawn;
            break;
        }
        if (several) {
            engines_.push_back(engine);
        }
        const Times times = timesOf(marks);
        const auto field = [this](double LogInterval::*which) {
            return [this, which](std::uint32_t mark) { return log().intervals[marks_[mark].index].*which; };
        };
        const auto name = [&, number = engine](const char* word) {
            const QString text = QString::fromUtf8(word);
            return several ? QStringLiteral("engine %1").arg(number) : text;
        };
        addSeries(output, name("output"), LogInk::Output, times, true, field(&LogInterval::outputTokensPerS),
                  place);
        addSeries(prompt, name("prompt"), LogInk::Prompt, times, true, field(&LogInterval::promptTokensPerS),
                  place);
        addSeries(queue, name("running"), LogInk::Running, times, false, field(&LogInterval::running), place);
        if (!several) { // of several their sum is drawn
            addSeries(queue, name("waiting"), LogInk::Waiting, times, false, field(&LogInterval::waiting));
        }
        addSeries(cache, name("KV cache in use"), LogInk::KvUse, times, false, field(&LogInterval::kvUse),
                  place);
        addSeries(accepted, name("accepted"), LogInk::Accepted, times, true,
                  field(&LogInterval::acceptedLength), place);
        addSeries(several ? hits : cache, name("prefix hits"), LogInk::Hit, times, false,
                  field(&LogInterval::prefixHit), place);
    }
    addLane(QStringLiteral("output tokens/s"), std::move(output));
    addLane(QStringLiteral("accepted tokens a step"), std::move(accepted));
    addLane(QStringLiteral("prompt tokens/s"), std::move(prompt));
    addLane(QStringLiteral("requests"), std::move(queue));
    addLane(several ? QStringLiteral("KV cache") : QStringLiteral("cache"), std::move(cache), true);
    addLane(QStringLiteral("prefix hits"), std::move(hits), true);
}

/// Adds the rates of single requests, as they run and as a whole.
void LogScene::addRates() {
    std::vector<LogSeries> output, prompt;
    const Times live = timesOf(marksOf(Kind::Progress));
    const auto rate = [this](bool ofPrompt) {
        return [this, ofPrompt](std::uint32_t mark) {
            const LogProgress& one = log().progress[marks_[mark].index];
            return one.ofPrompt != ofPrompt ? notTold : firstTold(one.recentTokensPerS, one.tokensPerS);
        };
    };
    addSeries(output, QStringLiteral("while it runs"), LogInk::OneOutput, live, false, rate(false));
    addSeries(prompt, QStringLiteral("while it runs"), LogInk::OnePrompt, live, false, rate(true));
    LogTimes whole;
    std::vector<std::uint32_t> requests = marksOf(Kind::Request);
    std::erase_if(requests, [this](std::uint32_t mark) {
        const LogRequest& one = log().requests[marks_[mark].index];
        return !isTold(one.decodeTokensPerS) || !isTold(placeOf(one.endS, one.last));
    });
    std::ranges::stable_sort(requests, {}, [this](std::uint32_t mark) {
        const LogRequest& one = log().requests[marks_[mark].index];
        return placeOf(one.endS, one.last);
    });
    for (const std::uint32_t mark : requests) {
        const LogBar bar = barOf(log().requests[marks_[mark].index], mark);
        whole.begins.push_back(firstTold(bar.decode, bar.begin));
        whole.ends.push_back(bar.end);
        whole.marks.push_back(mark);
    }
    addSeries(output, QStringLiteral("a whole request"), LogInk::OneOutput,
              std::make_shared<const LogTimes>(std::move(whole)), true,
              [this](std::uint32_t mark) { return log().requests[marks_[mark].index].decodeTokensPerS; });
    addLane(QStringLiteral("output tokens/s of one request"), std::move(output));
    addLane(QStringLiteral("prompt tokens/s of one request"), std::move(prompt));
}

void LogScene::addSteps() {
    std::vector<LogSeries> batch;
    addSeries(batch, QStringLiteral("batch"), LogInk::Batch, timesOf(marksOf(Kind::Step)), false,
              [this](std::uint32_t mark) {
                  const LogStep& step = log().steps[marks_[mark].index];
                  return firstTold(step.active, step.responses);
              });
    addLane(QStringLiteral("requests in the batch"), std::move(batch));
}

void LogScene::addLane(const QString& title, std::vector<LogSeries> series, bool shares) {
    if (series.empty()) {
        return;
    }
    double most = 0;
    for (const LogSeries& one : series) {
        most = std::max(most, one.values.of(0, one.values.size()).most);
    }
    lanes_.push_back({title, shares, shares ? 1 : niceAbove(most), std::move(series)});
}

/// Returns a request's bar; an end that is not told is drawn as open: from the log's begin, or to its end.
LogBar LogScene::barOf(const LogRequest& request, std::uint32_t mark) const {
    LogBar bar;
    bar.mark = mark;
    const double begin = placeOf(request.arrivalS, request.first);
    const double end = placeOf(request.endS, request.last);
    bar.openEnd = !isTold(request.endS) || request.endInferred;
    bar.end = isTold(request.endS) || countsLines() ? end : length_;
    const double firstToken = countsLines() ? notTold : request.firstTokenS;
    const double decodeOf = countsLines() ? notTold : bar.end - request.decodeS;
    bar.decode = firstTold(firstToken, bar.openEnd ? notTold : decodeOf);
    const double prefill = countsLines() ? notTold : bar.decode - request.prefillS;
    bar.openBegin = !isTold(begin);
    bar.begin = firstTold(begin, firstTold(prefill, firstTold(bar.decode, bar.end)));
    bar.prefill = isTold(prefill) ? std::max(prefill, bar.begin) : bar.begin;
    bar.end = std::max(bar.begin, bar.end);
    return bar;
}

/// Each in the first row that is free by then, with a gap where there is a row that leaves one: a slot that
/// begins a request when it ends one takes no further row.
void LogScene::addBars() {
    std::vector<LogBar> bars;
    for (const std::uint32_t mark : marksOf(Kind::Request)) {
        if (const LogRequest& request = log().requests[marks_[mark].index]; request.generates) {
            bars.push_back(barOf(request, mark));
        }
    }
    std::ranges::stable_sort(bars, {}, &LogBar::begin);
    using Free = std::pair<double, std::size_t>; // from when on, row
    std::priority_queue<Free, std::vector<Free>, std::greater<>> busy;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> free;
    for (const LogBar& bar : bars) {
        while (!busy.empty() && busy.top().first + length_ * gapShare <= bar.begin) {
            free.push(busy.top().second);
            busy.pop();
        }
        std::size_t row = bars_.size();
        if (!free.empty()) {
            row = free.top();
            free.pop();
        } else if (!busy.empty() && busy.top().first <= bar.begin) {
            row = busy.top().second;
            busy.pop();
        } else {
            bars_.emplace_back();
        }
        bars_[row].push_back(bar);
        busy.emplace(bar.end, row);
    }
}

std::shared_ptr<const LogScene> sceneOf(std::shared_ptr<const LogFigure> figure) {
    return std::make_shared<const LogScene>(std::move(figure));
}

const LogFigure& figureOf(const LogScene& scene) {
    return scene.figure();
}

} // namespace loadline::ui
