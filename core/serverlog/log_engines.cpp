// Sums of what several engines write.
#include "core/serverlog/log_engines.h"

#include "core/base/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

/// The last that an engine wrote of each field, and when: lines of prompts and of decoding tell different
/// ones.
struct Latest {
    struct Field {
        double value = notTold;
        double timeS = notTold;
    };
    Field output, prompt, running, waiting;
    double staleS = notTold; ///< a value that is older says nothing of now
};

constexpr std::array fields = {
    std::tuple(&LogInterval::outputTokensPerS, &Latest::output, &LogSum::outputTokensPerS),
    std::tuple(&LogInterval::promptTokensPerS, &Latest::prompt, &LogSum::promptTokensPerS),
    std::tuple(&LogInterval::running, &Latest::running, &LogSum::running),
    std::tuple(&LogInterval::waiting, &Latest::waiting, &LogSum::waiting)};

/// Returns the usual time between an engine's lines with throughput, by engine.
std::map<int, double> usualGaps(const std::vector<const LogInterval*>& lines) {
    std::map<int, double> lastS;
    std::map<int, std::vector<double>> gaps;
    for (const LogInterval* line : lines) {
        if (!isTold(line->outputTokensPerS) || !isTold(line->timeS)) {
            continue;
        }
        const auto [last, isNew] = lastS.try_emplace(line->engine, line->timeS);
        if (!isNew && line->timeS > last->second) {
            gaps[line->engine].push_back(line->timeS - last->second);
        }
        last->second = line->timeS;
    }
    std::map<int, double> usual;
    for (auto& [engine, times] : gaps) {
        usual[engine] = medianOf(std::move(times));
    }
    return usual;
}

/// The first that each engine writes of each field: a rate is a mean over the time before, so that an engine
/// which has not written yet runs already, for the time between its lines. Engines with one line are as the
/// others.
std::map<int, Latest> firstLines(const std::vector<const LogInterval*>& lines,
                                 const std::map<int, double>& gaps) {
    constexpr double longPast = 2.5; // usual gaps
    std::vector<double> usual;
    for (const auto& [engine, gap] : gaps) {
        usual.push_back(gap);
    }
    std::erase_if(usual, [](double gap) { return !isTold(gap); });
    const double ofOthers = medianOf(std::move(usual));
    std::map<int, Latest> engines;
    for (const LogInterval* line : lines) {
        const auto [engine, isNew] = engines.try_emplace(line->engine);
        if (isNew) {
            const auto gap = gaps.find(line->engine);
            engine->second.staleS =
                longPast * (gap != gaps.end() && isTold(gap->second) ? gap->second : ofOthers);
        }
        for (const auto& [from, held, to] : fields) {
            if (isTold(line->*from) && !isTold((engine->second.*held).value)) {
                engine->second.*held = {line->*from, line->timeS};
            }
        }
    }
    return engines;
}

LogSum sumOf(const std::map<int, Latest>& engines, const LogInterval& now) {
    LogSum sum{.where = now.where, .timeS = now.timeS};
    for (const auto& [engine, latest] : engines) {
        for (const auto& [from, held, to] : fields) {
            const Latest::Field& field = latest.*held;
            const bool stale = std::abs(now.timeS - field.timeS) > latest.staleS; // false: one is not told
            if (isTold(field.value) && !stale) {
                sum.*to = (isTold(sum.*to) ? sum.*to : 0) + field.value;
            }
        }
    }
    return sum;
}

std::vector<const LogInterval*> byTime(const ServerLog& log) {
    std::vector<const LogInterval*> lines;
    for (const LogInterval& interval : log.intervals) {
        lines.push_back(&interval);
    }
    if (!clockGoesBack(log)) {
        std::ranges::stable_sort(
            lines, {}, [](const LogInterval* line) { return isTold(line->timeS) ? line->timeS : 0; });
    }
    return lines;
}

} // namespace

std::vector<LogEngine> enginesOf(const ServerLog& log) {
    std::map<int, LogEngine> engines;
    std::map<int, std::vector<double>> outputs;
    for (const LogInterval& interval : log.intervals) {
        LogEngine& engine = engines[interval.engine];
        engine.engine = interval.engine;
        engine.engines = std::max(engine.engines, interval.engines);
        ++engine.lines;
        engine.mostRunning = std::fmax(engine.mostRunning, interval.running);
        engine.mostWaiting = std::fmax(engine.mostWaiting, interval.waiting);
        engine.mostOutputTokensPerS = std::fmax(engine.mostOutputTokensPerS, interval.outputTokensPerS);
        if (interval.outputTokensPerS > 0) {
            outputs[interval.engine].push_back(interval.outputTokensPerS);
        }
    }
    std::vector<LogEngine> all;
    for (auto& [number, engine] : engines) {
        engine.outputTokensPerS = medianOf(std::move(outputs[number]));
        all.push_back(engine);
    }
    return all;
}

int engineCountOf(const std::vector<LogEngine>& engines) {
    int count = 0;
    for (const LogEngine& engine : engines) {
        count += engine.engines;
    }
    return count;
}

std::vector<LogSum> engineSumsOf(const ServerLog& log) {
    std::vector<LogSum> sums;
    const bool several = std::ranges::any_of(log.intervals, [&](const LogInterval& one) {
        return one.engines > 1 || one.engine != log.intervals[0].engine;
    });
    if (!several) {
        return sums;
    }
    const std::vector<const LogInterval*> lines = byTime(log);
    std::map<int, Latest> engines = firstLines(lines, usualGaps(lines));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const LogInterval& line = *lines[i];
        Latest& engine = engines[line.engine];
        for (const auto& [from, held, to] : fields) {
            if (isTold(line.*from)) {
                engine.*held = {line.*from, line.timeS};
            }
        }
        // Engines write one after the other at the same time: the last of them has them all.
        const bool more = i + 1 < lines.size() && lines[i + 1]->timeS == line.timeS;
        const bool round =
            isTold(line.timeS) || (i + 1 == lines.size() || lines[i + 1]->engine <= line.engine);
        if (!more && round) {
            sums.push_back(sumOf(engines, line));
        }
    }
    return sums;
}

SumFigures figuresOf(const std::vector<LogSum>& sums, double LogSum::*field) {
    SumFigures figures;
    std::vector<double> values;
    for (const LogSum& sum : sums) {
        figures.most = std::fmax(figures.most, sum.*field);
        if (sum.*field > 0) {
            values.push_back(sum.*field);
        }
    }
    figures.median = medianOf(std::move(values));
    return figures;
}

} // namespace loadline
