// How much slower steps got, of all observations of two times, with batch, context and prompts taken out.
#pragma once

#include "core/serverlog/verdict/fall_noise.h"
#include "core/serverlog/verdict/like_pairs.h"

#include <optional>

namespace loadline {

struct AdjustedFall {
    double logarithm = 0;        ///< of the fast rate over the slow one
    StandardError error;         ///< of the logarithm
    bool isBound = true;         ///< false: fewer streams run after, so that it may be larger than it is
    bool withoutPrompts = false; ///< the cost of prompts was found, and taken out
};

/// Least squares over all observations of two times at batches that both have: the logarithm of a rate is a
/// level of its batch, less at larger batches, at longer contexts, beside more prompts, and after. Pairs of
/// like context leave few of many observations; these all count. Rates that slide on within both times are
/// no scatter: a common slope is taken out, too.
/// No bound where fewer streams run after: a line counts those of its end, so that where load falls, as many
/// at the end of a line were fewer within it, and look slower. Where load grows they look faster. By as much
/// as the context grew the fall is told as smaller. If `exact`, of lines at both ends of which as many ran.
/// Returns nothing for too few observations.
std::optional<AdjustedFall> adjustedFall(const Course& course, const Stretch& fast, const Stretch& slow,
                                         bool exact);

} // namespace loadline
