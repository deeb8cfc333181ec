// How much slower steps got, of all observations of two times.
#pragma once

#include "core/serverlog/verdict/load_adjusted.h"
#include "core/serverlog/verdict/rate_course.h"
#include "core/serverlog/verdict/worst_span.h"

#include <limits>
#include <optional>
#include <vector>

namespace loadline {

/// Two times of a course and what each has typically, at the batches and contexts that both have.
struct FallEstimate {
    RateSpan fast, slow; ///< their observations at like conditions; their rates are of the same ones
    double surety = 0;   ///< how many times larger it is than a fall that their scatter explains
    StandardError error{std::numeric_limits<double>::infinity()}; ///< the least known, of its logarithm
    bool withoutPrompts = false;     ///< `surety` is of rates from which the cost of prompts was taken out
    double prompts = notTold;        ///< prompt tokens/s beside the slow ones, over those beside the fast
    std::optional<LogLine> recovers; ///< the first of those that are as fast again

    [[nodiscard]] double share() const { return 1 - slow.rate / fast.rate; }
    /// A fall that the scatter of these observations explains; 1 if they are too few to tell.
    [[nodiscard]] double noise() const;
    /// Returns share() without what batch and context take at most where they grew.
    [[nodiscard]] double beyond() const;
};

/// The times that hold two spans of a course, each as long as its rates stay nearer to one span than to the
/// other, compared as a whole: the best minute and the worst lie beyond what is typical of either. Rates that
/// slide rather than drop are compared between the ends of both times. Nothing if the times have no
/// batch and context in common.
std::optional<FallEstimate> estimateFall(const Course& course, const RateSpan& fast, const RateSpan& slow);

/// Falls that last: from before to after the moment that parts the rates best, of each batch and of each
/// batch and context.
std::vector<FallEstimate> lastingFalls(const Course& course);

} // namespace loadline
