// Medians of windows that overlap; falls between windows of like conditions.
#include "core/serverlog/verdict/worst_span.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/fall_estimate.h"
#include "core/serverlog/verdict/rate_course.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t fewRates = 12; ///< below: spans of half of them
constexpr double unlike = 1.5;       ///< within a span: batches that differ by more are not one condition

/// Median of a field of these observations; not told where one does not tell it.
template <typename Field>
double middle(std::size_t first, std::size_t last, const Field& field) {
    std::vector<double> values;
    for (std::size_t i = first; i <= last; ++i) {
        if (const double value = field(i); isTold(value)) {
            values.push_back(value);
        }
    }
    return values.size() == last - first + 1 ? medianOf(std::move(values)) : notTold;
}

RateSpan spanOf(const Course& course, std::size_t first, std::size_t last) {
    RateSpan span;
    span.rate = middle(first, last, [&](std::size_t i) { return course.values[i]; });
    span.streams = middle(first, last, [&](std::size_t i) { return course.rates[i]->streams; });
    span.context = middle(first, last, [&](std::size_t i) { return likenessOf(*course.rates[i]); });
    span.tokensPerS = middle(first, last, [&](std::size_t i) { return course.rates[i]->tokensPerS; });
    span.tokensPerStep = middle(first, last, [&](std::size_t i) { return course.rates[i]->tokensPerStep; });
    span.rates = last - first + 1;
    span.fromS = course.rates[first]->timeS;
    span.toS = course.rates[last]->timeS;
    span.first = course.rates[first]->where;
    span.last = course.rates[last]->where;
    return span;
}

bool isOneBatch(const Course& course, std::size_t first, std::size_t last) {
    double least = course.rates[first]->streams;
    double most = least;
    for (std::size_t i = first; i <= last; ++i) {
        least = std::min(least, course.rates[i]->streams);
        most = std::max(most, course.rates[i]->streams);
    }
    return most <= unlike * least;
}

/// Calls `take` with the first and last observation of each span.
template <typename Take>
void forSpans(const Course& course, Take&& take) {
    const std::size_t count = course.rates.size();
    const std::size_t least = count < fewRates ? std::max<std::size_t>(count / 2, 1) : spanRates;
    for (std::size_t first = 0; first + least <= count;) {
        std::size_t last = first + least - 1;
        while (last + 1 < count && count >= fewRates &&
               course.rates[last]->timeS - course.rates[first]->timeS < spanS) {
            ++last;
        }
        take(first, last);
        first += std::max<std::size_t>((last - first + 1) / 3, 1);
    }
}

/// Key of the conditions under which rates compare: streams within a quarter, context within a tenth; -1: the
/// context is not told.
std::pair<int, int> conditionsOf(const RateSpan& span) {
    constexpr double like = 1.1;
    return {likeBatchOf(span.streams), span.context > 0 ? logStepOf(span.context, like) : -1};
}

/// Returns how many times slower than one span another may be by its batch and context alone. A step reads
/// weights and cache: it takes no more times as long than both grow. Its share of the ceiling may fall as
/// much where both shrink, since the ceiling leaves out time in which nothing is read. Nothing if a field is
/// not told; nor for rates if the spans differ by more than a quarter, for which that is no close bound.
std::optional<double> slowdownByLoad(const RateSpan& fast, const RateSpan& slow, bool ofShares) {
    const double streams = slow.streams / fast.streams;
    const double context = slow.context / fast.context;
    if (!isTold(streams * context)) {
        return std::nullopt;
    }
    if (ofShares) {
        return std::max(streams, 1 / streams) * std::max(context, 1 / context);
    }
    const double growth = std::max(streams, 1.0) * std::max(context, 1.0);
    const bool isLike = growth <= likeStreams && std::min(streams, context) * likeStreams >= 1;
    return isLike ? std::optional(growth) : std::nullopt;
}

/// Grows the slow span by the neighbours that are as slow.
void widen(const Course& course, const RateFall& fall, std::size_t first, std::size_t last, RateSpan& slow) {
    const double slowBelow = (fall.fast.rate + fall.slow.rate) / 2;
    while (first > 0 && course.values[first - 1] < slowBelow) {
        --first;
    }
    while (last + 1 < course.values.size() && course.values[last + 1] < slowBelow) {
        ++last;
    }
    while (first < last && course.values[first] >= slowBelow) {
        ++first;
    }
    while (last > first && course.values[last] >= slowBelow) {
        --last;
    }
    const RateSpan narrow = slow;
    slow = spanOf(course, first, last);
    slow.rate = narrow.rate;
    slow.tokensPerS = narrow.tokensPerS;
    slow.tokensPerStep = narrow.tokensPerStep;
}

/// Returns the largest fall of a course beyond what batch and context explain if `alike`, else of any.
RateFall fallIn(const Course& course, bool ofShares, bool alike) {
    std::map<std::pair<int, int>, RateSpan> fastest;
    std::map<std::pair<int, int>, double> firstS;
    RateFall fall;
    std::pair<std::size_t, std::size_t> at;
    forSpans(course, [&](std::size_t first, std::size_t last) {
        ++fall.spans;
        if (alike && !isOneBatch(course, first, last)) {
            return;
        }
        const RateSpan span = spanOf(course, first, last);
        const auto conditions = alike ? conditionsOf(span) : std::pair(0, 0);
        for (const auto& [others, fast] : fastest) {
            const auto byLoad = alike ? slowdownByLoad(fast, span, ofShares) : std::nullopt;
            if (!byLoad && others != conditions) {
                continue;
            }
            const double beyond = 1 - span.rate * byLoad.value_or(1) / fast.rate;
            if (beyond > fall.beyond) {
                fall.beyond = beyond;
                fall.share = 1 - span.rate / fast.rate;
                fall.fast = fast;
                fall.slow = span;
                at = {first, last};
            }
        }
        // Rates at another context that were compared show a fall, but exclude none.
        const bool isCompared = ofShares ? !fastest.empty() : fastest.contains(conditions);
        fall.compared += isCompared ? 1 : 0;
        fall.apartS =
            std::fmax(fall.apartS, span.toS - firstS.try_emplace(conditions, span.fromS).first->second);
        fall.likeContext = fall.likeContext && (!isCompared || ofShares || isTold(span.context));
        const auto [fast, isNew] = fastest.try_emplace(conditions, span);
        if (span.rate > fast->second.rate) {
            fast->second = span;
        }
    });
    fall.compared += fall.compared > 0 ? 1 : 0; // the first of those compared
    if (fall.beyond > 0) {
        fall.noise = noiseOf(course, fall.fast.rates, fall.slow.rates);
        widen(course, fall, at.first, at.second, fall.slow);
    } else {
        fall.noise = noiseOf(course, spanRates, spanRates);
    }
    return fall;
}

/// Adds another course; `isMore`: its fall takes the place of the one so far.
void add(RateFall& all, const RateFall& one, bool isMore) {
    all.spans += one.spans;
    all.compared += one.compared;
    all.apartS = std::fmax(all.apartS, one.apartS);
    all.likeContext = all.likeContext && one.likeContext;
    all.lasting = std::max(all.lasting, one.lasting);
    if (isMore) {
        all.beyond = one.beyond;
        all.share = one.share;
        all.noise = one.noise;
        all.typical = one.typical;
        all.paired = one.paired;
        all.prompts = one.prompts;
        all.withoutPrompts = one.withoutPrompts;
        all.recovers = one.recovers;
        all.fast = one.fast;
        all.slow = one.slow;
    } else if (all.beyond == 0) {
        all.noise = std::max(all.noise, one.noise);
    }
}

bool stands(const RateFall& fall) {
    return std::min(fall.beyond, fall.typical) > std::max(slowdown, fall.noise);
}

/// True if one fall is told rather than another: devices heat up each for itself, and batches come and go, so
/// that one that the scatter of its own rates does not explain goes before a larger one that it does. Of
/// several of the first kind the surest is told, which is of most observations.
bool isMore(const RateFall& one, const RateFall& other) {
    const auto rank = [](const RateFall& fall) {
        return std::pair(stands(fall), stands(fall) ? fall.typical / fall.noise : fall.beyond);
    };
    return rank(one) > rank(other);
}

/// The observations of each size of batch apart, where batches take turns: neighbours in time are no span of
/// one condition then. All of them together where no size has enough.
std::vector<Course> byBatch(const Course& course) {
    std::map<int, Course> batches;
    for (std::size_t i = 0; i < course.rates.size(); ++i) {
        Course& batch = batches[likeBatchOf(course.rates[i]->streams)];
        batch.rates.push_back(course.rates[i]);
        batch.values.push_back(course.values[i]);
        batch.engines = course.engines;
    }
    std::vector<Course> all;
    for (auto& [key, batch] : batches) {
        if (batch.rates.size() >= fewRates) {
            all.push_back(std::move(batch));
        }
    }
    return all.empty() || batches.size() == 1 ? std::vector<Course>{course} : all;
}

void take(const FallEstimate& estimate, RateFall& fall) {
    fall.typical = estimate.beyond();
    fall.paired = true;
    fall.noise = estimate.noise();
    fall.withoutPrompts = estimate.withoutPrompts;
    fall.prompts = estimate.prompts;
    fall.recovers = estimate.recovers;
    fall.fast = estimate.fast;
    fall.slow = estimate.slow;
}

/// Takes what all observations of both times tell of a fall for what two spans of it do.
void takeTypical(const Course& course, RateFall& fall) {
    constexpr double least = 0.05; // of less the two spans are the evidence that there is no more
    fall.typical = fall.beyond;
    if (!(fall.beyond > least)) {
        return;
    }
    if (const std::optional<FallEstimate> estimate = estimateFall(course, fall.fast, fall.slow)) {
        take(*estimate, fall);
    } else {
        fall.typical = 0; // too few to stand on
    }
}

/// The largest fall of an engine; one that lasts, where spans show none that is beyond their scatter.
RateFall fallOfEngine(const Course& course, const Courses& courses, bool alike) {
    RateFall own;
    for (const Course& one : alike && !courses.ofShares ? byBatch(course) : std::vector<Course>{course}) {
        RateFall ofBatch = fallIn(one, courses.ofShares, alike);
        if (alike) {
            takeTypical(course, ofBatch);
        }
        add(own, ofBatch, isMore(ofBatch, own));
    }
    if (alike && !stands(own)) {
        for (const FallEstimate& estimate : lastingFalls(course)) {
            RateFall lasting;
            take(estimate, lasting);
            lasting.beyond = lasting.typical;
            lasting.share = estimate.share();
            lasting.likeContext = own.likeContext;
            lasting.lasting = lasting.typical > lasting.noise ? lasting.typical : 0;
            add(own, lasting, stands(lasting) && isMore(lasting, own));
        }
    }
    return own;
}

} // namespace

RateFall largestFall(const LogEvidence& evidence, bool alike, Compared what) {
    const Courses courses = what == Compared::Acceptance ? acceptanceOf(evidence) : coursesOf(evidence);
    RateFall fall;
    bool timed = true;
    for (const auto& [engine, course] : courses.engines) {
        const RateFall own = fallOfEngine(course, courses, alike);
        add(fall, own, isMore(own, fall));
        const double seconds = secondsUnder(courses.observed.at(engine));
        timed = timed && isTold(seconds);
        if (!(seconds >= fall.seconds)) {
            fall.seconds = seconds;
            fall.engine = engine;
        }
    }
    fall.seconds = timed ? fall.seconds : notTold;
    fall.ofSteps = courses.ofSteps;
    fall.ofShares = courses.ofShares;
    fall.withPrompts = courses.withPrompts;
    fall.likeContext = fall.likeContext && (fall.compared > 0 || fall.beyond > 0);
    return fall;
}

std::string tooShortWords(const LogEvidence& evidence, const RateFall& fall) {
    if (fall.seconds >= enoughS) {
        return "";
    }
    const bool several = std::ranges::any_of(
        evidence.rates, [&](const ObservedRate& rate) { return rate.engine != evidence.rates[0].engine; });
    const std::string of = several ? fmt::format(" of engine {}", fall.engine) : std::string();
    if (fall.seconds == 0) {
        return fmt::format(", but one rate{} is too few", of);
    }
    return isTold(fall.seconds) ? fmt::format(", but rates{} cover {} alone: {} or more would exclude it", of,
                                              formatSeconds(fall.seconds), formatSeconds(enoughS))
                                : std::string(", but how much time they cover is not told");
}

RateSpan slowestSpan(const LogEvidence& evidence) {
    RateSpan slowest;
    const Courses courses = coursesOf(evidence);
    if (!courses.ofShares) {
        return slowest;
    }
    for (const auto& [engine, course] : courses.engines) {
        forSpans(course, [&, &course = course](std::size_t first, std::size_t last) {
            const RateSpan span = spanOf(course, first, last);
            if (!isTold(slowest.rate) || span.rate < slowest.rate) {
                slowest = span;
            }
        });
    }
    return slowest;
}

std::string spanWords(const ServerLog& log, const RateSpan& span) {
    const std::string lines = linesWords(log, span.first, span.last);
    const bool timed = log.clock != LogClock::None && isTold(span.fromS) && isTold(span.toS);
    return timed ? fmt::format("{} ({} to {} after the first time)", lines, formatSeconds(span.fromS),
                               formatSeconds(span.toS))
                 : lines;
}

} // namespace loadline
