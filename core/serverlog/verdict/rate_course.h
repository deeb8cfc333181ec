// Rates in the order of time, as they are compared with each other.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

#include <map>
#include <vector>

namespace loadline {

/// Observations of one engine in the order of time.
struct Course {
    std::vector<const ObservedRate*> rates;
    std::vector<double> values; ///< what is compared of each
    std::size_t engines = 1;    ///< of the log: a fall is looked for in the course of each
};

/// The rates to compare over time, by engine; shares of the ceiling if each has a context.
struct Courses {
    std::map<int, Course> engines;
    std::map<int, Course> observed; ///< with those of untold streams, which are not compared with others
    bool ofShares = false;
    bool withPrompts = false;
    bool ofSteps = false;
};

Courses coursesOf(const LogEvidence& evidence);
/// Tokens that a step gives: does not depend on prompts beside it, so that all lines that tell it are taken.
Courses acceptanceOf(const LogEvidence& evidence);

/// The middle of the contexts that a rate is of; without the prompt where that is not told (contextAtLeast).
double toldContextOf(const ObservedRate& rate);
/// Returns the context; not told if the prompt is not.
double contextOf(const ObservedRate& rate);
/// Returns the context, or the share of the KV cache that a stream fills: as good if only likeness is asked
/// for.
double likenessOf(const ObservedRate& rate);

/// Seconds under these observations, no second counted twice: not the time between, in which nothing was
/// observed. Not told where one has no time.
double secondsUnder(const Course& course);

/// Standard deviation of a normal distribution over its median distance from the middle.
inline constexpr double deviationOfMedian = 1.4826;

/// How much neighbours differ, in shares of the middle: of single observations.
double scatterOf(const Course& course);

/// Spans that are compared: of a minute, and of so many observations.
inline constexpr double spanS = 60;
inline constexpr std::size_t spanRates = 6;

/// Returns how many pairs of spans are compared in a log: in a course, of spans that have no observation in
/// common, as many in that of each other engine.
double comparisonsIn(const Course& course);

/// Returns a fall that the scatter of single observations explains between the medians of two spans of a
/// course, if they err independently. If they err alike they explain more, so that this excludes too little
/// rather than too much. It supports no cause: FallEstimate does, by an error that counts their
/// autocorrelation; a lower acceptance of drafts in some lines is a fact of these lines.
double noiseOf(const Course& course, std::size_t fast, std::size_t slow);

} // namespace loadline
