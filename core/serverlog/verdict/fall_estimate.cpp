// Pairs of like batch and context before and after.
#include "core/serverlog/verdict/fall_estimate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t leastRates = 6;

/// Observations of a course, both ends included.
struct Stretch {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t size() const { return last - first + 1; }
};

std::size_t placeIn(const Course& course, const LogLine& line) {
    const auto found =
        std::ranges::find(course.rates, line, [](const ObservedRate* rate) { return rate->where; });
    return static_cast<std::size_t>(found - course.rates.begin());
}

constexpr int untoldContext = 1 << 20;

/// Batch and context as whole numbers: equal where both are alike.
using Condition = std::pair<int, int>;

/// How many times the batches and contexts of one condition may differ.
struct Likeness {
    double batch = 1;
    double context = 1;
    double contextShift = 0; ///< where its steps begin
};

Condition conditionIn(const ObservedRate& rate, const Likeness& like) {
    const double context = likenessOf(rate);
    return {logStepOf(rate.streams, like.batch),
            context > 0 ? logStepOf(context, like.context, like.contextShift) : untoldContext};
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

/// Observations of two times under one condition.
struct Pair {
    std::vector<std::size_t> fast, slow;
};

/// The pairs of which both sides have observations; if `exact`, of lines at both ends of which as many ran.
std::vector<Pair> pairsOf(const Course& course, const Stretch& fast, const Stretch& slow,
                          const Likeness& like, bool exact) {
    std::map<Condition, Pair> all;
    const auto take = [&](const Stretch& stretch, std::vector<std::size_t> Pair::*side) {
        for (std::size_t i = stretch.first; i <= stretch.last; ++i) {
            if (!exact || course.rates[i]->streamsTold) {
                (all[conditionIn(*course.rates[i], like)].*side).push_back(i);
            }
        }
    };
    take(fast, &Pair::fast);
    take(slow, &Pair::slow);
    std::vector<Pair> pairs;
    for (auto& [condition, pair] : all) {
        if (!pair.fast.empty() && !pair.slow.empty()) {
            pairs.push_back(std::move(pair));
        }
    }
    return pairs;
}

/// How many observations on each side would tell as much, were they under one condition.
double weightOf(const Pair& pair) {
    const auto fast = static_cast<double>(pair.fast.size());
    const auto slow = static_cast<double>(pair.slow.size());
    return fast * slow / (fast + slow);
}

double weightOf(const std::vector<Pair>& pairs) {
    double weight = 0;
    for (const Pair& pair : pairs) {
        weight += weightOf(pair);
    }
    return weight;
}

constexpr double enoughPairs = 3; // as six against six

/// The closest pairs that tell half of what the widest do; empty if these do not tell enough.
std::vector<Pair> closestPairs(const Course& course, const Stretch& fast, const Stretch& slow, bool exact) {
    static constexpr std::array<Likeness, 3> closer{Likeness{1.05, 1.05}, Likeness{1.08, 1.1},
                                                    Likeness{1.12, 1.1}};
    std::vector<Pair> widest = pairsOf(course, fast, slow, {likeStreams, 1.1}, exact);
    if (weightOf(widest) < enoughPairs) {
        return {};
    }
    for (const Likeness& like : closer) {
        std::vector<Pair> pairs = pairsOf(course, fast, slow, like, exact);
        if (weightOf(pairs) >= std::max(enoughPairs, weightOf(widest) / 2)) {
            return pairs;
        }
    }
    return widest;
}

/// The pairs to compare by: of lines at both ends of which as many ran where those tell a part of what all
/// do, else of all; of contexts that are less alike where closer ones tell nothing. Empty if none do.
std::vector<Pair> bestPairs(const Course& course, const Stretch& fast, const Stretch& slow) {
    constexpr double part = 0.25;
    constexpr double least = 1.5;
    std::vector<Pair> exact = closestPairs(course, fast, slow, true);
    std::vector<Pair> all = closestPairs(course, fast, slow, false);
    if (!exact.empty() && weightOf(exact) >= part * weightOf(all)) {
        return exact;
    }
    for (const double shift : {0.0, 0.5}) { // where the steps of contexts begin is chance
        std::vector<Pair> pairs = pairsOf(course, fast, slow, {likeStreams, likeStreams, shift}, false);
        if (weightOf(all) < enoughPairs && weightOf(pairs) > weightOf(all)) {
            all = std::move(pairs);
        }
    }
    return weightOf(all) >= least ? all : std::vector<Pair>();
}

/// How much observations of one time and condition differ, in shares of their middle.
double scatterWithin(const Course& course, const std::vector<Pair>& pairs) {
    static constexpr std::size_t least = 3;
    std::vector<double> distances;
    for (const Pair& pair : pairs) {
        for (const auto& side : {pair.fast, pair.slow}) {
            if (side.size() < least) {
                continue;
            }
            std::vector<double> values;
            for (const std::size_t i : side) {
                values.push_back(course.values[i]);
            }
            const double middle = medianOf(values);
            for (const double value : values) {
                distances.push_back(std::abs(value / middle - 1));
            }
        }
    }
    return distances.empty() ? 0 : deviationOfMedian * medianOf(std::move(distances));
}

template <typename Field>
double typicalOf(const std::vector<Pair>& pairs, std::vector<std::size_t> Pair::*side, const Field& field) {
    double sum = 0;
    for (const Pair& pair : pairs) {
        std::vector<double> values;
        for (const std::size_t i : pair.*side) {
            values.push_back(field(i));
        }
        sum += weightOf(pair) * std::log(medianOf(std::move(values)));
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
        sum += weightOf(pair) * own / static_cast<double>((pair.*side).size());
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

std::optional<FallEstimate> compared(const Course& course, const Stretch& fast, const Stretch& slow) {
    const std::vector<Pair> pairs = bestPairs(course, fast, slow);
    if (pairs.empty()) {
        return std::nullopt;
    }
    FallEstimate estimate;
    estimate.fast = spanIn(course, fast, pairs, &Pair::fast);
    estimate.slow = spanIn(course, slow, pairs, &Pair::slow);
    const auto each = static_cast<std::size_t>(std::max(2 * weightOf(pairs), 1.0));
    estimate.noise =
        noiseOf(std::max(scatterOf(course), scatterWithin(course, pairs)), each, each, mostThatTell(course));
    estimate.prompts = promptsBeside(course, pairs, &Pair::slow) / promptsBeside(course, pairs, &Pair::fast);
    return estimate;
}

/// The parts of two times that lie furthest apart, as long as the fall between them is the larger: of rates
/// that slide, the middles of both times tell half.
FallEstimate ofEnds(const Course& course, Stretch fast, Stretch slow, FallEstimate estimate) {
    constexpr double little = 0.005;
    double surely = 1.5; // that they slide at all; then how far
    while (std::min(fast.size(), slow.size()) >= 2 * leastRates) {
        fast.last = fast.first + fast.size() / 2 - 1;
        slow.first = slow.last - slow.size() / 2 + 1;
        const std::optional<FallEstimate> ends = compared(course, fast, slow);
        if (!ends || ends->share() - estimate.share() < std::max(little, surely * ends->noise)) {
            break;
        }
        surely = 0.75;
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
