// Which rates are compared, and how much time and scatter is in them.
#include "core/serverlog/verdict/rate_course.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/fall_noise.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace loadline {

double toldContextOf(const ObservedRate& rate) {
    return isTold(rate.contextHigh) ? (rate.contextLow + rate.contextHigh) / 2 : rate.contextLow;
}

double contextOf(const ObservedRate& rate) {
    return rate.contextAtLeast ? notTold : toldContextOf(rate);
}

double likenessOf(const ObservedRate& rate) {
    const double context = contextOf(rate);
    return isTold(context) ? context : rate.kvUseEach;
}

namespace {

void tellEngines(Courses& courses) {
    for (auto& [engine, course] : courses.engines) {
        course.engines = courses.engines.size();
    }
}

} // namespace

Courses acceptanceOf(const LogEvidence& evidence) {
    Courses courses;
    for (const ObservedRate& rate : evidence.rates) {
        if (rate.acceptanceTold) {
            courses.engines[rate.engine].rates.push_back(&rate);
            courses.engines[rate.engine].values.push_back(rate.tokensPerStep);
        }
    }
    courses.observed = courses.engines;
    tellEngines(courses);
    return courses;
}

namespace {

/// False for lines within the time of which requests began or ended: what they made is divided by a number
/// that is not theirs.
bool tellsStreams(const ObservedRate& rate) {
    return rate.source != RateSource::Interval || rate.streamsTold;
}

/// True if rates without prompts whose streams are told are enough to leave out the others.
bool tellsStreams(const std::vector<ObservedRate>& rates) {
    constexpr std::ptrdiff_t enough = 30;
    std::ptrdiff_t all = 0;
    std::ptrdiff_t exact = 0;
    for (const ObservedRate& rate : rates) {
        if (!rate.atLeast) {
            ++all;
            exact += tellsStreams(rate) ? 1 : 0;
        }
    }
    return exact >= enough && 2 * exact >= all;
}

} // namespace

Courses coursesOf(const LogEvidence& evidence) {
    Courses courses;
    courses.withPrompts = !standsAlone(evidence.rates);
    const bool exact = !courses.withPrompts && tellsStreams(evidence.rates);
    const auto taken = [&](const ObservedRate& rate) { return !rate.atLeast || courses.withPrompts; };
    courses.ofShares = evidence.light && std::ranges::all_of(evidence.rates, [&](const ObservedRate& rate) {
                           return !taken(rate) || isTold(contextOf(rate));
                       });
    for (const ObservedRate& rate : evidence.rates) {
        if (!taken(rate)) {
            continue;
        }
        courses.observed[rate.engine].rates.push_back(&rate);
        if (exact && !tellsStreams(rate)) {
            continue;
        }
        courses.ofSteps = courses.ofSteps || (!courses.ofShares && rate.tokensPerStep > 1);
        Course& course = courses.engines[rate.engine];
        course.rates.push_back(&rate);
        course.values.push_back(
            courses.ofShares
                ? rate.tokensPerS / evidence.light->ceiling(contextOf(rate), rate.streams, rate.tokensPerStep)
                : rate.tokensPerS / rate.tokensPerStep);
    }
    tellEngines(courses);
    return courses;
}

double scatterOf(const Course& course) {
    std::vector<double> steps;
    for (std::size_t i = 1; i < course.values.size(); ++i) {
        steps.push_back(std::abs(course.values[i] - course.values[i - 1]));
    }
    constexpr double deviation = deviationOfMedian / std::numbers::sqrt2; // a step is of two observations
    const double typical = medianOf(course.values);
    return steps.empty() || !(typical > 0) ? 0 : deviation * medianOf(std::move(steps)) / typical;
}

double comparisonsIn(const Course& course) {
    const double seconds =
        course.rates.empty() ? 0 : course.rates.back()->timeS - course.rates.front()->timeS;
    const double byRates = static_cast<double>(course.rates.size()) / static_cast<double>(spanRates);
    const double spans = isTold(seconds) && seconds > 0 ? std::min(seconds / spanS, byRates) : byRates;
    return static_cast<double>(course.engines) * std::max(spans * (spans - 1) / 2, 1.0);
}

double noiseOf(const Course& course, std::size_t fast, std::size_t slow) {
    const double ofMedian = std::sqrt(std::numbers::pi / 2); // a median's error over a mean's
    const double shares = 1 / static_cast<double>(std::max<std::size_t>(fast, 1)) +
                          1 / static_cast<double>(std::max<std::size_t>(slow, 1));
    const auto freedom = static_cast<double>(course.rates.size());
    return surelyOver(comparisonsIn(course), freedom) * ofMedian * scatterOf(course) * std::sqrt(shares);
}

namespace {

/// Seconds that a rate is a mean over; not told where it is of an instant.
double lengthOf(const ObservedRate& rate) {
    return isTold(rate.spanS) ? rate.spanS
                              : (rate.contextGrows > 0 ? rate.contextGrows / rate.tokensPerS : notTold);
}

} // namespace

double secondsUnder(const Course& course) {
    constexpr double severalTimes = 3; // the usual length: a longer line began with the end of a pause
    if (course.rates.empty() ||
        std::ranges::any_of(course.rates, [](const ObservedRate* rate) { return !isTold(rate->timeS); })) {
        return course.rates.empty() ? 0 : notTold;
    }
    std::vector<double> lengths;
    std::vector<double> gaps;
    for (std::size_t i = 0; i < course.rates.size(); ++i) {
        if (const double length = lengthOf(*course.rates[i]); isTold(length)) {
            lengths.push_back(length);
        }
        if (i > 0) {
            gaps.push_back(course.rates[i]->timeS - course.rates[i - 1]->timeS);
        }
    }
    const double middle = medianOf(lengths.empty() ? gaps : std::move(lengths));
    const double usual = isTold(middle) ? middle : 0;
    const auto most = [&](const ObservedRate& rate) {
        const double own = lengthOf(rate);
        return !isTold(own) || isTold(rate.spanS) ? std::min(isTold(own) ? own : usual, severalTimes * usual)
                                                  : own;
    };
    double seconds = most(*course.rates.front());
    for (std::size_t i = 1; i < course.rates.size(); ++i) {
        seconds += std::clamp(gaps[i - 1], 0.0, most(*course.rates[i]));
    }
    return seconds;
}

} // namespace loadline
