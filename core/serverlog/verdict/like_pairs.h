// Observations before and after, paired by batch and context.
#pragma once

#include "core/serverlog/verdict/rate_course.h"

#include <cstddef>
#include <utility>
#include <vector>

namespace loadline {

/// Observations of a course, both ends included.
struct Stretch {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] std::size_t size() const { return last - first + 1; }
};

/// Batch and context as whole numbers: equal where both are alike.
using Condition = std::pair<int, int>;

/// How many times the batches and contexts of one condition may differ.
struct Likeness {
    double batch = 1;
    double context = 1;
    double contextShift = 0; ///< where its steps begin
};

Condition conditionIn(const ObservedRate& rate, const Likeness& like);

/// Observations of two times under one condition.
struct Pair {
    std::vector<std::size_t> fast, slow;

    /// How many observations on each side would tell as much, were they as many.
    [[nodiscard]] double weight() const {
        const auto both = static_cast<double>(fast.size() + slow.size());
        return static_cast<double>(fast.size()) * static_cast<double>(slow.size()) / both;
    }

    bool operator==(const Pair&) const = default;
};

double weightOf(const std::vector<Pair>& pairs);

/// The closest pairs of all observations that tell half of what the widest do; empty if these are too few.
std::vector<Pair> closestPairs(const Course& course, const Stretch& fast, const Stretch& slow);

/// The pairs to compare by: of lines at both ends of which as many ran where those tell a part of what all
/// do, else of all; of contexts that are less alike where closer ones tell nothing. Empty if none do.
std::vector<Pair> bestPairs(const Course& course, const Stretch& fast, const Stretch& slow);

} // namespace loadline
