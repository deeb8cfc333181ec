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
        const bool told = isTold(request.arrivalS) && request.arrivalS < points.front().first;
        work.fromS = told ? request.arrivalS : points.front().first;
        work.toS = points.back().first;
        work.seconds = work.toS - work.fromS;
        work.tokens = points.back().second - (told ? 0 : points.front().second);
    } else if (!isTold(work.tokens)) {
        work.tokens = points.back().second;
    }
}

/// Tokens/s of prompts that requests time. Prompts that are computed in turns share the steps: together they
/// are one rate.
std::vector<double> requestPromptRates(const ServerLog& log) {
    const std::map<std::size_t, PromptCourse> courses = promptCourses(log);
    std::vector<double> rates;
    std::vector<PromptWork> placed;
    for (const PromptWork& work : promptWorkOf(log)) {
        const auto course = courses.find(work.request);
        const bool rated = course != courses.end() && course->second.rated;
        if (!(work.tokens > 0 && work.seconds > 0) || (!work.done && rated)) {
            continue;
        }
        if (isTold(work.fromS) && isTold(work.toS)) {
            placed.push_back(work);
        } else {
            rates.push_back(work.tokens / work.seconds);
        }
    }
    std::ranges::sort(placed, {}, &PromptWork::fromS);
    for (std::size_t i = 0; i < placed.size();) {
        PromptWork shared = placed[i];
        for (++i; i < placed.size() && placed[i].fromS < shared.toS; ++i) {
            shared.toS = std::max(shared.toS, placed[i].toS);
            shared.tokens += placed[i].tokens;
        }
        rates.push_back(shared.tokens / (shared.toS - shared.fromS));
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
