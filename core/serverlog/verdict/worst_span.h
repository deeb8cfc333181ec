// The lowest rates: spans of observations against the fastest span before them at like conditions.
#pragma once

#include "core/serverlog/verdict/log_evidence.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// Neighbouring observations, which their median stands for.
struct RateSpan {
    double rate = notTold; ///< median: tokens/s of a stream, or its share of the ceiling
    double fromS = notTold;
    double toS = notTold;
    LogLine first, last;
    double streams = notTold;
    double context = notTold;
    double tokensPerS = notTold;    ///< median of a stream, accepted tokens counted
    double tokensPerStep = notTold; ///< median, by speculative decoding
    std::size_t rates = 0;          ///< observations
};

/// Observations over less time exclude no fall, seconds: a device heats up for minutes.
inline constexpr double enoughS = 300;

/// A fall by a smaller share supports nothing: load and chance take as much.
inline constexpr double slowdown = 0.1;

/// The quantity that spans are compared by.
enum class Compared : std::uint8_t {
    Rates,      ///< steps/s of a stream (tokens/s without speculative decoding), or shares of its ceiling
    Acceptance, ///< tokens that a step gives each stream
};

/// The fall of a rate.
struct RateFall {
    double share = 0;  ///< 1 - slow / fast
    double beyond = 0; ///< the same without what batch and context take at most; `share` of falls of any
    /// `share` of all observations of both times at like batch and context: the best span and the worst lie
    /// beyond the typical ones. 0 if they have too few in common.
    double typical = 0;
    bool paired = false; ///< they have enough
    double lasting = 0;  ///< the largest from before to after one moment that is surely there, however small
    RateSpan fast, slow;
    bool withoutPrompts = false;     ///< the cost of prompts was taken out to tell it from scatter
    double prompts = notTold;        ///< prompt tokens/s beside the slow ones, over those beside the fast
    std::optional<LogLine> recovers; ///< the first rate after the fall that is as fast again
    std::size_t spans = 0;           ///< that were looked at
    std::size_t compared = 0;        ///< of them, at conditions like those of an earlier one
    double apartS = notTold;  ///< of spans at like conditions, the longest from one's begin to another's end
    double noise = 0;         ///< a fall that the scatter of these spans' observations explains
    bool ofShares = false;    ///< rates are shares of the ceiling
    bool likeContext = true;  ///< the context is told in all that was compared, or rates are shares
    bool withPrompts = false; ///< no rate is free of prompts: those that hold some were compared
    bool ofPrompts = false;   ///< rates are those of computing prompts
    bool ofSteps = false;     ///< rates are steps/s: what drafts add to each step is taken out
    double seconds = notTold; ///< observed, of the engine of which the least was; not told without times
    int engine = 0;           ///< that engine
};

/// Returns, by spans of each engine (a minute, and six observations where there are twelve), the largest fall
/// from one span to a later one: beyond what batch and context explain if `alike`, else of any.
RateFall largestFall(const LogEvidence& evidence, bool alike = true, Compared what = Compared::Rates);
/// "No span of 40 spans in 30 min is ..." needs enoughS of each engine: else how little there is, and of
/// which engine; "" where it is enough.
std::string tooShortWords(const LogEvidence& evidence, const RateFall& fall);
/// The span with the lowest share of the ceiling; its rate is not told where rates are none of it.
RateSpan slowestSpan(const LogEvidence& evidence);
/// "in lines 31 to 60 (300 s to 595 s)".
std::string spanWords(const ServerLog& log, const RateSpan& span);

} // namespace loadline
