// Which observations compare.
#include "core/serverlog/verdict/like_pairs.h"

#include <algorithm>
#include <array>
#include <map>

namespace loadline {

namespace {

constexpr int untoldContext = 1 << 20;

} // namespace

Condition conditionIn(const ObservedRate& rate, const Likeness& like) {
    const double context = likenessOf(rate);
    return {logStepOf(rate.streams, like.batch),
            context > 0 ? logStepOf(context, like.context, like.contextShift) : untoldContext};
}

double weightOf(const std::vector<Pair>& pairs) {
    double weight = 0;
    for (const Pair& pair : pairs) {
        weight += pair.weight();
    }
    return weight;
}

namespace {

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

} // namespace

std::vector<Pair> closestPairs(const Course& course, const Stretch& fast, const Stretch& slow) {
    return closestPairs(course, fast, slow, false);
}

std::vector<Pair> bestPairs(const Course& course, const Stretch& fast, const Stretch& slow) {
    constexpr double part = 0.25; // twice the error of all, if each scattered as much
    constexpr double least = 1.5; // as three against three, the fewest with a middle
    std::vector<Pair> exact = closestPairs(course, fast, slow, true);
    std::vector<Pair> all = closestPairs(course, fast, slow);
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

} // namespace loadline
