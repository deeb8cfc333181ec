// Finds one of several engines (ranks of data parallelism) that is slower, silent or has most of the load.
#include "core/serverlog/server_log.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/ratio_of_sums.h"
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
};

struct EngineCourses {
    std::map<int, EngineCourse> engines;
    std::vector<EngineLine> lines;
};

EngineCourses engineCoursesOf(const ServerLog& log) {
    EngineCourses courses;
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

/// The lines of like batches: of each engine, and all.
struct BatchSums {
    std::map<int, RatioOfSums> engines;
    RatioOfSums all;
};

std::map<int, BatchSums> batchesOf(std::span<const EngineLine> lines) {
    std::map<int, BatchSums> batches;
    for (const EngineLine& line : lines) {
        BatchSums& batch = batches[likeBatchOf(line.streams)];
        batch.engines[line.engine].add(line.output, line.streams);
        batch.all.add(line.output, line.streams);
    }
    return batches;
}

/// How much slower an engine is than the others at like batches.
struct Slowness {
    double share = 0;
    double error = 0; ///< standard, of the logarithm of the ratio
    double own = 0;   ///< tokens/s of a stream, in the batch of which most lines compare
    double others = 0;
    double streams = 0;
    double lines = 0; ///< that compare
};

Slowness slownessOf(int engine, const std::map<int, BatchSums>& batches) {
    constexpr double enough = 3;
    Slowness slow;
    double logs = 0;
    double variance = 0;
    double most = 0;
    for (const BatchSums& batch : batches | std::views::values) {
        const auto found = batch.engines.find(engine);
        if (found == batch.engines.end()) {
            continue;
        }
        const RatioOfSums& own = found->second;
        const RatioOfSums others = batch.all.without(own);
        const double compared = std::min(own.lines, others.lines);
        if (compared < enough) {
            continue;
        }
        logs += compared * std::log(own.rate() / others.rate());
        variance += compared * compared * (own.variance() + others.variance());
        slow.lines += compared;
        if (compared > most) {
            most = compared;
            slow.own = own.rate();
            slow.others = others.rate();
            slow.streams = own.streams / own.lines;
        }
    }
    if (slow.lines > 0) {
        slow.share = 1 - std::exp(logs / slow.lines);
        slow.error = std::sqrt(variance) / slow.lines;
    }
    return slow;
}

/// "Engine 1 is slower: ..." of the slowest in both halves of the log; "" where none is. One that becomes
/// slow is a fall over time.
std::string slowWords(const EngineCourses& courses, Finding& finding) {
    constexpr double much = 0.15;
    constexpr double throughout = 0.1;
    constexpr double errors = 5;
    constexpr double enough = 12;
    const std::span<const EngineLine> lines = courses.lines;
    const auto batches = batchesOf(lines);
    const auto early = batchesOf(lines.first(lines.size() / 2));
    const auto late = batchesOf(lines.subspan(lines.size() / 2));
    int engine = 0;
    Slowness slowest;
    for (const int one : courses.engines | std::views::keys) {
        const Slowness slow = slownessOf(one, batches);
        if (slow.lines >= enough && slow.share > slowest.share &&
            slownessOf(one, early).share >= throughout && slownessOf(one, late).share >= throughout) {
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
std::string silentWords(const LogEvidence& evidence, const EngineCourses& courses, Finding& finding) {
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
std::string loadWords(const EngineCourses& courses, Finding& finding) {
    constexpr double times = 3;
    constexpr double several = 4;
    constexpr std::size_t enough = 12;
    const auto byLoad = [](const auto& a, const auto& b) { return a.second.running < b.second.running; };
    const auto fullest = std::ranges::max_element(courses.engines, byLoad);
    double most = 0;
    std::size_t lines = 0; // an idle engine writes none
    for (const auto& [engine, course] : courses.engines) {
        most = engine == fullest->first ? most : std::max(most, course.running);
        lines = std::max(lines, course.lines);
    }
    const EngineCourse& course = fullest->second;
    const auto perLine = [lines](double running) { return running / static_cast<double>(lines); };
    if (course.lines < enough || perLine(course.running) < several || course.running < times * most) {
        return "";
    }
    finding.evidence.push_back(course.last);
    return fmt::format("Load is uneven: {} requests run on engine {} on average, {} at most on another one.",
                       formatReal(perLine(course.running), 3), fullest->first, formatReal(perLine(most), 3));
}

} // namespace

std::optional<Finding> enginesDiffer(const LogEvidence& evidence) {
    const EngineCourses courses = engineCoursesOf(evidence.log);
    if (courses.engines.size() < 2) {
        return std::nullopt;
    }
    Finding finding{.key = "engines_differ", .claim = "One engine is slower, silent or has most of the load"};
    finding.weight = 8;
    const std::string silent = silentWords(evidence, courses, finding);
    const std::string slow = slowWords(courses, finding);
    // One that is silent leaves its load to the others.
    const std::string load = silent.empty() ? loadWords(courses, finding) : std::string();
    for (const std::string& words : {silent, slow, load}) {
        finding.reason += (words.empty() || finding.reason.empty() ? "" : " ") + words;
    }
    if (finding.reason.empty()) {
        return std::nullopt;
    }
    finding.verdict = Verdict::Supported;
    return finding;
}

} // namespace loadline
