// Input and output per turn as a figure, with its sentence and its table.
#pragma once

#include "core/text/table.h"
#include "core/workload/distribution/distribution.h"
#include "core/workload/scope/turns.h"

#include <string>
#include <string_view>

namespace loadline {

enum class Measure : std::uint8_t { Count, Share, Cumulative };

/// "count", "share", "cumulative"
constexpr std::string_view keyOf(Measure measure) {
    return measure == Measure::Count ? "count" : measure == Measure::Share ? "share" : "cumulative";
}

struct DistributionOptions {
    TurnMethod method = TurnMethod::ApiCall;
    BinKind bins = BinKind::PowerOfTwo;
    Measure measure = Measure::Share;
    bool reference = false; ///< draw the published distribution over it (power-of-two bins only)
    bool operator==(const DistributionOptions&) const = default;
};

/// How much of all tokens the largest turns hold: why a mean is far above the median.
struct TailShares {
    double largest1 = 0;  ///< share held by the largest 1 % of the turns above 0, rounded up to whole turns
    double largest10 = 0; ///< by the largest 10 %
    bool operator==(const TailShares&) const = default;
};

struct DistributionFigure {
    DistributionOptions options;
    std::uint64_t turns = 0;
    std::uint64_t brushedTurns = 0; ///< behind the brushed bins; all of them without a brush
    std::uint64_t sessions = 0;     ///< with at least one turn
    Histogram input;
    Histogram output;
    std::uint64_t aboutInputTurns = 0;    ///< turns whose input is an estimate: Turn::inputAbout
    std::uint64_t inexactOutputTurns = 0; ///< turns whose output is a lower bound or a placeholder
    std::uint64_t placeholderTurns = 0;   ///< of these, those with nothing but a placeholder
    double exactOutputMean = 0;           ///< mean output of the turns with a final count; 0 without any
    TailShares inputTail, outputTail;
    std::string sentence; ///< the answer in one sentence, computed
    std::string
        methodChange; ///< what the method changes against api-call, in numbers; "" for api-call itself
};

DistributionFigure distributionFigure(const Corpus& corpus, const Selection& selection, const Scope& scope,
                                      const DistributionOptions& options);
/// `DistributionFigure::sentence`, from the rest of it.
std::string distributionSentence(const DistributionFigure& figure);
/// `DistributionFigure::methodChange`: the same scope counted by API call, compared.
std::string methodChangeOf(const DistributionFigure& figure, const Corpus& corpus,
                           const Selection& selection);
/// Columns: quantity, bin_low_tokens, bin_high_tokens, count, share, cumulative_share, count_inexact,
/// [reference_share].
Table tableOf(const DistributionFigure& figure);

/// Returns the height of a bin under a measure: count, share of turns above 0, or share up to and including
/// it.
double barHeight(const Histogram& histogram, std::size_t bin, Measure measure);

} // namespace loadline
