// Rates of prompts: computed, and offered.
#include "core/serverlog/verdict/prompt_rates.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace loadline {
namespace {

/// Progress of one prompt.
struct PromptCourse {
    std::vector<std::pair<double, double>> points; ///< seconds, tokens done
    double total = notTold;
    bool rated = false; ///< lines print its rate
};

std::map<std::size_t, PromptCourse> promptCourses(const ServerLog& log) {
    std::map<std::size_t, PromptCourse> courses;
    for (const LogProgress& progress : log.progress) {
        if (progress.ofPrompt && progress.request < log.requests.size()) {
            PromptCourse& course = courses[progress.request];
            course.rated = course.rated || isTold(progress.tokensPerS);
            course.total = isTold(progress.ofTokens) ? progress.ofTokens : course.total;
            if (isTold(progress.timeS) && isTold(progress.tokens)) {
                course.points.emplace_back(progress.timeS, progress.tokens);
            }
        }
    }
    return courses;
}

double rateBetween(const std::pair<double, double>& a, const std::pair<double, double>& b) {
    return b.first > a.first && b.second > a.second ? (b.second - a.second) / (b.first - a.first) : notTold;
}

void takeCourse(PromptWork& work, const LogRequest& request, const PromptCourse& course) {
    const auto& points = course.points;
    constexpr std::size_t quarters = 4;
    if (points.empty()) {
        return;
    }
    if (points.size() > quarters) {
        const std::size_t quarter = std::max<std::size_t>((points.size() - 1) / quarters, 1);
        work.firstRate = rateBetween(points.front(), points[quarter]);
        work.lastRate = rateBetween(points[points.size() - 1 - quarter], points.back());
    }
    work.total = isTold(course.total) ? course.total : work.total;
    if (!work.done) {
        const bool knowsArrival = isTold(request.arrivalS) && request.arrivalS < points.front().first;
        work.fromS = knowsArrival ? request.arrivalS : points.front().first;
        work.toS = points.back().first;
        work.seconds = work.toS - work.fromS;
        work.tokens = points.back().second - (knowsArrival ? 0 : points.front().second);
    } else if (!isTold(work.tokens)) {
        work.tokens = points.back().second;
    }
}

/// Works that share the steps, each group as one from the first's begin to the last's end.
std::vector<PromptWork> joined(std::vector<PromptWork> works) {
    std::ranges::sort(works, {}, &PromptWork::fromS);
    std::vector<PromptWork> all;
    for (PromptWork& work : works) {
        if (all.empty() || work.fromS >= all.back().toS) {
            all.push_back(work);
            continue;
        }
        PromptWork& shared = all.back();
        shared.toS = std::max(shared.toS, work.toS);
        shared.tokens += work.tokens;
        shared.request = work.request;
    }
    return all;
}

bool isRated(const std::map<std::size_t, PromptCourse>& courses, const PromptWork& work) {
    const auto course = courses.find(work.request);
    return course != courses.end() && course->second.rated;
}

/// Tokens/s of prompts that requests time and no line prints. Prompts that are computed in turns share the
/// steps: together they are one rate.
std::vector<double> requestPromptRates(const ServerLog& log) {
    const std::map<std::size_t, PromptCourse> courses = promptCourses(log);
    std::vector<double> rates;
    std::vector<PromptWork> placed;
    for (const PromptWork& work : promptWorkOf(log)) {
        if (!(work.tokens > 0 && work.seconds > 0) ||
            ((!work.done || work.byStamps) && isRated(courses, work))) {
            continue;
        }
        if (isTold(work.fromS) && isTold(work.toS)) {
            placed.push_back(work);
        } else {
            rates.push_back(work.tokens / work.seconds);
        }
    }
    for (const PromptWork& work : joined(std::move(placed))) {
        rates.push_back(work.tokens / (work.toS - work.fromS));
    }
    return rates;
}

} // namespace

std::vector<PromptWork> promptWorkOf(const ServerLog& log) {
    const std::map<std::size_t, PromptCourse> courses = promptCourses(log);
    std::vector<PromptWork> all;
    for (std::size_t i = 0; i < log.requests.size(); ++i) {
        const LogRequest& request = log.requests[i];
        const auto course = courses.find(i);
        if (!request.generates || (!(request.prefillS > 0) && course == courses.end())) {
            continue;
        }
        const double cached = isTold(request.cachedTokens) ? request.cachedTokens : 0;
        PromptWork work{.request = i};
        work.done = request.prefillS > 0;
        work.byStamps = work.done && course != courses.end() && !course->second.points.empty() &&
                        request.firstTokenS == course->second.points.back().first;
        work.total = request.inputTokens - cached;
        if (work.done) {
            work.seconds = request.prefillS;
            work.toS = request.firstTokenS;
            work.fromS = request.firstTokenS - request.prefillS;
            work.tokens = work.total;
        }
        if (course != courses.end()) {
            takeCourse(work, request, course->second);
        }
        all.push_back(work);
    }
    return all;
}

std::vector<ObservedRate> promptRatesOverTime(const ServerLog& log) {
    std::vector<PromptWork> placed;
    for (const PromptWork& work : promptWorkOf(log)) {
        if (work.tokens > 0 && work.toS > work.fromS) {
            placed.push_back(work);
        }
    }
    std::vector<ObservedRate> rates;
    for (const PromptWork& work : joined(std::move(placed))) {
        ObservedRate rate{.where = log.requests[work.request].last, .timeS = work.toS};
        rate.tokensPerS = work.tokens / (work.toS - work.fromS);
        rate.source = RateSource::WholeRequest;
        rate.contextLow = rate.contextHigh = work.tokens;
        rate.spanS = work.toS - work.fromS;
        rates.push_back(rate);
    }
    return rates;
}

std::vector<double> promptRates(const ServerLog& log) {
    std::vector<double> rates;
    for (const LogProgress& progress : log.progress) {
        if (progress.ofPrompt && progress.tokensPerS > 0) {
            rates.push_back(progress.tokensPerS);
        }
    }
    const std::vector<double> ofRequests = requestPromptRates(log);
    rates.insert(rates.end(), ofRequests.begin(), ofRequests.end());
    return rates;
}

std::vector<double> offeredRates(const ServerLog& log) {
    std::vector<double> rates;
    for (const LogInterval& interval : log.intervals) {
        if (interval.promptTokensPerS > 0) {
            rates.push_back(interval.promptTokensPerS);
        }
    }
    return rates;
}

} // namespace loadline
