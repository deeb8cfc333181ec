// Pairs of like batch and context before and after.
#include "core/serverlog/verdict/fall_estimate.h"

#include "core/base/statistics.h"
#include "core/serverlog/verdict/fall_noise.h"
#include "core/serverlog/verdict/load_adjusted.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t leastRates = 6;
constexpr double shownDigit = 0.005; ///< rates are shown in three digits: a smaller change is none to see

std::size_t placeIn(const Course& course, const LogLine& line) {
    const auto found =
        std::ranges::find(course.rates, line, [](const ObservedRate* rate) { return rate->where; });
    return static_cast<std::size_t>(found - course.rates.begin());
}

constexpr double anyContext = 1e9;

/// The values of a course over what its batch has in the middle: what the batch does not explain; if
/// `like` tells contexts apart, what both do not.
class WithoutLoad {
public:
    WithoutLoad(const Course& course, const Likeness& like) {
        std::map<Condition, std::vector<double>> all;
        for (std::size_t i = 0; i < course.rates.size(); ++i) {
            all[conditionIn(*course.rates[i], like)].push_back(course.values[i]);
        }
        std::map<Condition, double> middles;
        for (auto& [condition, values] : all) {
            middles[condition] = medianOf(std::move(values));
        }
        for (std::size_t i = 0; i < course.rates.size(); ++i) {
            values_.push_back(course.values[i] / middles[conditionIn(*course.rates[i], like)]);
        }
        reach_ = reachOf(course);
    }

    [[nodiscard]] std::size_t size() const { return values_.size(); }

    [[nodiscard]] double at(std::size_t i) const { return values_[i]; }

    [[nodiscard]] double of(const Stretch& stretch) const {
        const auto begin = values_.begin();
        return medianOf({begin + static_cast<std::ptrdiff_t>(stretch.first),
                         begin + static_cast<std::ptrdiff_t>(stretch.last) + 1});
    }

    /// True if an observation with its neighbours lies above a level, or what comes next beyond it, to the
    /// left or to the right: a few below it are chance.
    [[nodiscard]] bool isAbove(double level, std::size_t i, bool toLeft) const {
        return around(i) >= level || beyond(i, toLeft) >= level;
    }

    [[nodiscard]] bool isBelow(double level, std::size_t i, bool toLeft) const {
        return around(i) < level || beyond(i, toLeft) < level;
    }

private:
    /// The median of an observation and its neighbours.
    [[nodiscard]] double around(std::size_t i) const {
        const std::size_t reach = std::min({reach_, i, values_.size() - 1 - i});
        return of({i - reach, i + reach});
    }

    /// The median of the observations beyond one, of two minutes; not told of few.
    [[nodiscard]] double beyond(std::size_t i, bool toLeft) const {
        const std::size_t many = 2 * (2 * reach_ + 1);
        const Stretch stretch =
            toLeft ? Stretch{i - std::min(i, many), i} : Stretch{i, std::min(i + many, values_.size() - 1)};
        return stretch.size() > leastRates ? of(stretch) : notTold;
    }

    /// Neighbours at each side: those of half a minute.
    static std::size_t reachOf(const Course& course) {
        constexpr double halfS = 30;
        static constexpr std::size_t least = 2, most = 20;
        const double length = course.rates.back()->timeS - course.rates.front()->timeS;
        const double apart = length / static_cast<double>(course.rates.size());
        return apart > 0 ? std::clamp(static_cast<std::size_t>(std::min(halfS / apart, 1e6)), least, most)
                         : least;
    }

    std::vector<double> values_;
    std::size_t reach_ = 0;
};

template <typename Field>
double typicalOf(const std::vector<Pair>& pairs, std::vector<std::size_t> Pair::*side, const Field& field) {
    double sum = 0;
    for (const Pair& pair : pairs) {
        std::vector<double> values;
        for (const std::size_t i : pair.*side) {
            values.push_back(field(i));
        }
        sum += pair.weight() * std::log(medianOf(std::move(values)));
    }
    return std::exp(sum / weightOf(pairs));
}

double promptsBeside(const Course& course, const std::vector<Pair>& pairs,
                     std::vector<std::size_t> Pair::*side) {
    double sum = 0;
    for (const Pair& pair : pairs) {
        double own = 0;
        for (const std::size_t i : pair.*side) {
            own += course.rates[i]->promptTokensPerS;
        }
        sum += pair.weight() * own / static_cast<double>((pair.*side).size());
    }
    return sum / weightOf(pairs);
}

RateSpan spanIn(const Course& course, const Stretch& stretch, const std::vector<Pair>& pairs,
                std::vector<std::size_t> Pair::*side) {
    RateSpan span;
    span.rate = typicalOf(pairs, side, [&](std::size_t i) { return course.values[i]; });
    span.tokensPerS = typicalOf(pairs, side, [&](std::size_t i) { return course.rates[i]->tokensPerS; });
    span.tokensPerStep =
        typicalOf(pairs, side, [&](std::size_t i) { return course.rates[i]->tokensPerStep; });
    span.streams = typicalOf(pairs, side, [&](std::size_t i) { return course.rates[i]->streams; });
    span.context = typicalOf(pairs, side, [&](std::size_t i) { return likenessOf(*course.rates[i]); });
    for (const Pair& pair : pairs) {
        span.rates += (pair.*side).size();
    }
    span.fromS = course.rates[stretch.first]->timeS;
    span.toS = course.rates[stretch.last]->timeS;
    span.first = course.rates[stretch.first]->where;
    span.last = course.rates[stretch.last]->where;
    return span;
}

/// The mean fall of pairs, in logarithms. Observations of two kinds, such as those beside prompts and those
/// without, that are few under each condition are of one kind there by chance: unless they are enough, they
/// scatter as those of `all` at least.
AdjustedFall meanFall(const Course& course, const std::vector<Pair>& pairs,
                      const std::optional<AdjustedFall>& all, double comparisons) {
    AdjustedFall fall;
    BothSides sides;
    double freedom = 0;
    double weights2 = 0;
    const double sum = weightOf(pairs);
    for (const Pair& pair : pairs) {
        for (const auto& [side, places] : {std::pair(0U, &pair.fast), std::pair(1U, &pair.slow)}) {
            const auto count = static_cast<double>(places->size());
            const double weight = pair.weight() / sum;
            double mean = 0;
            for (const std::size_t i : *places) {
                mean += std::log(course.values[i]) / count;
            }
            const double larger = count > 1 ? std::sqrt(count / (count - 1)) : 0;
            for (const std::size_t i : *places) {
                sides.at(side).push_back(
                    {i, weight / count, larger * (std::log(course.values[i]) - mean), count == 1});
            }
            fall.logarithm += side == 0 ? weight * mean : -weight * mean;
            freedom += count - 1;
            weights2 += weight * weight / count;
        }
    }
    fall.error = standardErrorOf(std::move(sides), freedom);
    if (fall.error.freedom < enoughKinds(comparisons) && all && all->error.isKnown()) {
        fall.error.error = std::max(fall.error.error, all->error.deviation * std::sqrt(weights2));
        fall.error.freedom = all->error.freedom;
    }
    return fall;
}

/// Takes what a comparison of means tells of how surely there is a fall.
void takeSurety(const AdjustedFall& fall, double comparisons, FallEstimate& estimate) {
    if (!fall.error.isKnown()) {
        return;
    }
    const double noise = surelyOver(comparisons, fall.error.freedom) * fall.error.error;
    const double surety = fall.logarithm / std::max(noise, std::numeric_limits<double>::min());
    if (surety > estimate.surety) {
        estimate.surety = surety;
        estimate.withoutPrompts = fall.withoutPrompts;
    }
    if (!(estimate.error.error <= fall.error.error)) {
        estimate.error = fall.error;
    }
}

std::optional<FallEstimate> compared(const Course& course, const Stretch& fast, const Stretch& slow) {
    const std::vector<Pair> pairs = bestPairs(course, fast, slow);
    if (pairs.empty()) {
        return std::nullopt;
    }
    FallEstimate estimate;
    estimate.fast = spanIn(course, fast, pairs, &Pair::fast);
    estimate.slow = spanIn(course, slow, pairs, &Pair::slow);
    const bool isExact = std::ranges::all_of(pairs, [&](const Pair& pair) {
        const auto knowsStreams = [&](std::size_t i) { return course.rates[i]->streamsTold; };
        return std::ranges::all_of(pair.fast, knowsStreams) && std::ranges::all_of(pair.slow, knowsStreams);
    });
    const std::vector<Pair> all = closestPairs(course, fast, slow);
    const std::optional<AdjustedFall> adjusted = adjustedFall(course, fast, slow, false);
    const bool others = !all.empty() && all != pairs;
    const bool bounds = adjusted && adjusted->isBound;
    // The surest of these tests is taken: each is another chance of a false alarm.
    const double tests = 1 + (others ? 1 : 0) + (bounds ? 1 : 0);
    const double comparisons = tests * comparisonsIn(course);
    takeSurety(
        meanFall(course, pairs, isExact ? adjustedFall(course, fast, slow, true) : adjusted, comparisons),
        comparisons, estimate);
    if (others) {
        takeSurety(meanFall(course, all, adjusted, comparisons), comparisons, estimate);
    }
    if (bounds) {
        takeSurety(*adjusted, comparisons, estimate);
    }
    estimate.prompts = promptsBeside(course, pairs, &Pair::slow) / promptsBeside(course, pairs, &Pair::fast);
    return estimate;
}

/// The parts of two times that lie furthest apart: of rates that slide, the middles of both times tell half.
/// Once they surely slide, shorter ends are taken as long as what that adds is more than the error of
/// fewer observations, which together is least then.
FallEstimate ofEnds(const Course& course, Stretch fast, Stretch slow, FallEstimate estimate) {
    bool slides = false;
    while (std::min(fast.size(), slow.size()) >= 2 * leastRates) {
        fast.last = fast.first + fast.size() / 2 - 1;
        slow.first = slow.last - slow.size() / 2 + 1;
        const std::optional<FallEstimate> ends = compared(course, fast, slow);
        if (!ends || !ends->error.isKnown()) {
            break;
        }
        const double more = std::log(1 - estimate.share()) - std::log(1 - ends->share());
        const double times = slides ? 1 : surelyOver(1, ends->error.freedom);
        if (!(more > std::max(times * ends->error.error, shownDigit))) {
            break;
        }
        slides = true;
        estimate = *ends;
    }
    return estimate;
}

/// The observation from which on fewer lie above the middle of their condition than before, by the most.
std::size_t partedAt(const WithoutLoad& level) {
    std::size_t parted = 0;
    std::ptrdiff_t above = 0;
    std::ptrdiff_t most = 0;
    for (std::size_t i = 0; i < level.size(); ++i) {
        above += level.at(i) > 1 ? 1 : level.at(i) < 1 ? -1 : 0;
        if (above > most) {
            most = above;
            parted = i + 1;
        }
    }
    return parted;
}

} // namespace

double FallEstimate::noise() const {
    return surety > 0 ? std::clamp(share() / surety, 0.0, 1.0) : 1;
}

double FallEstimate::beyond() const {
    constexpr double nothing = 1.05; // as like as pairs are told apart
    const auto growth = [](double before, double after) { return after > before ? after / before : 1; };
    const double all = growth(fast.streams, slow.streams) * growth(fast.context, slow.context);
    return 1 - slow.rate * (all > nothing ? all : 1) / fast.rate;
}

std::vector<FallEstimate> lastingFalls(const Course& course) {
    std::vector<FallEstimate> falls;
    for (const double context : {anyContext, likeStreams}) {
        const std::size_t at = partedAt(WithoutLoad(course, {likeStreams, context}));
        if (at < leastRates || at + leastRates > course.rates.size()) {
            continue;
        }
        RateSpan before, after;
        before.first = course.rates.front()->where;
        before.last = course.rates[at - 1]->where;
        after.first = course.rates[at]->where;
        after.last = course.rates.back()->where;
        if (const std::optional<FallEstimate> fall = estimateFall(course, before, after)) {
            falls.push_back(*fall);
        }
    }
    return falls;
}

std::optional<FallEstimate> estimateFall(const Course& course, const RateSpan& fastest,
                                         const RateSpan& slowest) {
    Stretch fast{placeIn(course, fastest.first), placeIn(course, fastest.last)};
    Stretch slow{placeIn(course, slowest.first), placeIn(course, slowest.last)};
    const std::size_t count = course.rates.size();
    if (std::max({fast.first, fast.last, slow.first, slow.last}) >= count || fast.first >= slow.last) {
        return std::nullopt;
    }
    const WithoutLoad level(course, {likeStreams, anyContext});
    const double between = std::sqrt(level.of(fast) * level.of(slow));
    while (fast.last > fast.first && (fast.last >= slow.last || level.at(fast.last) < between)) {
        --fast.last;
    }
    while (slow.first < slow.last && (slow.first <= fast.last || level.at(slow.first) >= between)) {
        ++slow.first;
    }
    while (fast.first > 0 && level.isAbove(between, fast.first - 1, true)) {
        --fast.first;
    }
    while (fast.last + 1 < slow.first && level.isAbove(between, fast.last + 1, false)) {
        ++fast.last;
    }
    while (slow.first > fast.last + 1 && level.isBelow(between, slow.first - 1, true)) {
        --slow.first;
    }
    while (slow.last + 1 < count && level.isBelow(between, slow.last + 1, false)) {
        ++slow.last;
    }
    std::optional<FallEstimate> estimate = compared(course, fast, slow);
    if (!estimate) {
        return std::nullopt;
    }
    if (const std::size_t next = slow.last + 1; next + leastRates <= count) {
        const std::size_t as = std::max(leastRates, slow.size());
        const auto later = compared(course, fast, {next, std::min(next + as, count) - 1});
        if (later && later->share() < estimate->share() / 2) {
            estimate->recovers = course.rates[next]->where;
        }
    }
    const std::optional<LogLine> recovers = estimate->recovers;
    FallEstimate ends = ofEnds(course, fast, slow, *estimate);
    ends.recovers = recovers;
    return ends;
}

} // namespace loadline
