// Finds one of several engines (ranks of data parallelism) that is slower, silent or has most of the load.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <span>

namespace loadline {
namespace {

/// A line between two with requests.
struct EngineLine {
    int engine = 0;
    double output = 0;
    double streams = 0; ///< mean of both ends
};

/// An engine's lines of statistics.
struct EngineCourse {
    std::size_t lines = 0;
    double running = 0; ///< sum over lines
    LogLine first;
    LogLine last;
    double lastS = notTold;
    double lastRunning = notTold;
    double usualS = notTold; ///< least time between lines

    [[nodiscard]] double meanRunning() const { return running / static_cast<double>(lines); }
};

struct Courses {
    std::map<int, EngineCourse> engines;
    std::vector<EngineLine> lines;
};

Courses coursesOf(const ServerLog& log) {
    Courses courses;
    for (const LogInterval& line : log.intervals) {
        if (!isTold(line.outputTokensPerS) || !isTold(line.running)) {
            continue;
        }
        EngineCourse& engine = courses.engines[line.engine];
        if (engine.lastRunning >= 1 && line.running >= 1 && line.outputTokensPerS > 0) {
            courses.lines.push_back(
                {line.engine, line.outputTokensPerS, (engine.lastRunning + line.running) / 2});
        }
        const double since = line.timeS - engine.lastS;
        engine.usualS = since > 0 ? std::fmin(engine.usualS, since) : engine.usualS;
        engine.first = engine.lines == 0 ? line.where : engine.first;
        engine.last = line.where;
        engine.lastS = line.timeS;
        engine.lastRunning = line.running;
        engine.running += line.running;
        ++engine.lines;
    }
    return courses;
}

/// Tokens over the streams' time of some lines.
struct RateSums {
    double output = 0;
    double streams = 0;
    std::vector<const EngineLine*> lines;

    void add(const EngineLine& line) {
        output += line.output;
        streams += line.streams;
        lines.push_back(&line);
    }

    [[nodiscard]] double rate() const { return output / streams; }

    /// Square of the rate's standard error, relative.
    [[nodiscard]] double variance() const {
        double squares = 0;
        for (const EngineLine* line : lines) {
            const double residual = line->output - rate() * line->streams;
            squares += residual * residual;
        }
        return squares / (output * output);
    }
};

/// How much slower an engine is than the others at like batches.
struct Slowness {
    double share = 0;
    double error = 0; ///< standard, of the logarithm of the ratio
    double own = 0;   ///< tokens/s of a stream, in the batch of which most lines compare
    double others = 0;
    double streams = 0;
    std::size_t lines = 0;
};

Slowness slownessOf(int engine, std::span<const EngineLine> lines) {
    constexpr std::size_t enough = 3;
    std::map<int, std::pair<RateSums, RateSums>> batches;
    for (const EngineLine& line : lines) {
        auto& [own, others] = batches[likeBatchOf(line.streams)];
        (line.engine == engine ? own : others).add(line);
    }
    Slowness slow;
    double logs = 0;
    double variance = 0;
    double weights = 0;
    std::size_t most = 0;
    for (const auto& [own, others] : batches | std::views::values) {
        const std::size_t compared = std::min(own.lines.size(), others.lines.size());
        if (compared < enough) {
            continue;
        }
        const auto weight = static_cast<double>(compared);
        logs += weight * std::log(own.rate() / others.rate());
        variance += weight * weight * (own.variance() + others.variance());
        weights += weight;
        slow.lines += compared;
        if (compared > most) {
            most = compared;
            slow.own = own.rate();
            slow.others = others.rate();
            slow.streams = own.streams / static_cast<double>(own.lines.size());
        }
    }
    if (weights > 0) {
        slow.share = 1 - std::exp(logs / weights);
        slow.error = std::sqrt(variance) / weights;
    }
    return slow;
}

/// The same, if it is slower in both halves of the log: one that becomes slow is a fall over time.
Slowness slownessThroughout(int engine, std::span<const EngineLine> lines) {
    constexpr double enough = 0.1;
    const std::size_t half = lines.size() / 2;
    const bool throughout = slownessOf(engine, lines.first(half)).share >= enough &&
                            slownessOf(engine, lines.subspan(half)).share >= enough;
    return throughout ? slownessOf(engine, lines) : Slowness();
}

/// "Engine 1 is slower: ..." of the slowest; "" where none is.
std::string slowWords(const Courses& courses, Finding& finding) {
    constexpr double much = 0.15;
    constexpr double errors = 5;
    constexpr std::size_t enough = 12;
    int engine = 0;
    Slowness slowest;
    for (const int one : courses.engines | std::views::keys) {
        const Slowness slow = slownessThroughout(one, courses.lines);
        if (slow.lines >= enough && slow.share > slowest.share) {
            slowest = slow;
            engine = one;
        }
    }
    if (slowest.share < much || slowest.share < errors * slowest.error) {
        return "";
    }
    const EngineCourse& course = courses.engines.at(engine);
    finding.evidence.insert(finding.evidence.end(), {course.first, course.last});
    return fmt::format("Engine {} is {} slower than the others at like batches: {} tokens/s a stream and {} "
                       "with about {} running.",
                       engine, formatShare(slowest.share), formatReal(slowest.own, 3),
                       formatReal(slowest.others, 3), formatReal(slowest.streams, 2));
}

/// "Engine 1 writes no line from ... on ..." where its last one has requests and others write on; "" of a
/// server that writes none while it is idle.
std::string silentWords(const LogEvidence& evidence, const Courses& courses, Finding& finding) {
    constexpr double minuteS = 60;
    constexpr double longPast = 5; // of its usual time between lines
    const bool tellsIdle = std::ranges::none_of(
        evidence.log.intervals, [](const LogInterval& line) { return !isTold(line.outputTokensPerS); });
    double endS = notTold;
    for (const EngineCourse& course : courses.engines | std::views::values) {
        endS = std::fmax(endS, course.lastS);
    }
    const bool vllm = evidence.log.server != nullptr && evidence.log.server->key == "vllm";
    if (!tellsIdle || !vllm || clockGoesBack(evidence.log)) {
        return "";
    }
    for (const auto& [engine, course] : courses.engines) {
        const double silentS = endS - course.lastS;
        if (course.lastRunning >= 1 && silentS >= std::fmax(minuteS, longPast * course.usualS)) {
            finding.evidence.push_back(course.last);
            return fmt::format(
                "Engine {} writes nothing in the last {}, while the others go on: its last line "
                "({}) has {} running.",
                engine, formatSeconds(silentS), formatExact(static_cast<std::int64_t>(course.last.line)),
                counted(static_cast<std::uint64_t>(course.lastRunning), "request"));
        }
    }
    return "";
}

/// "Engine 2 has most of the load: ..."; "" where none has.
std::string loadWords(const Courses& courses, Finding& finding) {
    constexpr double times = 3;
    constexpr double several = 4;
    constexpr std::size_t enough = 12;
    for (const auto& [engine, course] : courses.engines) {
        std::vector<double> others;
        for (const auto& [other, its] : courses.engines) {
            if (other != engine) {
                others.push_back(its.meanRunning());
            }
        }
        const double most = *std::ranges::max_element(others);
        if (course.lines >= enough && course.meanRunning() >= several &&
            course.meanRunning() >= times * most) {
            finding.evidence.push_back(course.last);
            return fmt::format(
                "Load is uneven: {} requests run on engine {} on average, {} at most on another "
                "one.",
                formatReal(course.meanRunning(), 3), engine, formatReal(most, 3));
        }
    }
    return "";
}

} // namespace

std::optional<Finding> enginesDiffer(const LogEvidence& evidence) {
    const Courses courses = coursesOf(evidence.log);
    if (courses.engines.size() < 2) {
        return std::nullopt;
    }
    Finding finding{.key = "engines_differ", .claim = "One engine is slower, silent or has most of the load"};
    finding.weight = 8;
    for (const std::string& words : {silentWords(evidence, courses, finding), slowWords(courses, finding),
                                     loadWords(courses, finding)}) {
        finding.reason += (words.empty() || finding.reason.empty() ? "" : " ") + words;
    }
    if (finding.reason.empty()) {
        return std::nullopt;
    }
    finding.verdict = Verdict::Supported;
    return finding;
}

} // namespace loadline
