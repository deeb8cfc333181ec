// Finds whether speculative decoding gives fewer tokens a step than it did.
#include "core/base/statistics.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/worst_span.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

bool tellsAcceptance(const LogEvidence& evidence) {
    return std::ranges::any_of(evidence.rates, &ObservedRate::acceptanceTold);
}

Finding draftAcceptance(const LogEvidence& evidence) {
    constexpr double steady = 0.05;
    constexpr std::size_t enoughLines = 6;
    Finding finding{.key = "draft_acceptance",
                    .claim = "Fewer drafted tokens are accepted (speculative decoding)"};
    finding.weight = 4;
    std::vector<double> lengths;
    for (const ObservedRate& rate : evidence.rates) {
        if (rate.acceptanceTold) {
            lengths.push_back(rate.tokensPerStep);
            finding.evidence.push_back(rate.where);
        }
    }
    finding.evidence.resize(std::min(finding.evidence.size(), mostEvidence));
    finding.decide = "Log the acceptance length for five minutes or more.";
    const std::string typical =
        fmt::format("A step gives each stream {} tokens (median of {})", formatReal(medianOf(lengths), 3),
                    counted(lengths.size(), "line"));
    if (lengths.size() < enoughLines) {
        finding.reason = typical + ": too few to tell a trend.";
        return finding;
    }
    const RateFall fall = largestFall(evidence, false, Compared::Acceptance);
    if (fall.share > slowdown && fall.share > fall.noise) {
        finding.verdict = Verdict::Supported;
        finding.decide.clear();
        finding.evidence = {fall.fast.first, fall.fast.last, fall.slow.first, fall.slow.last};
        finding.reason = fmt::format(
            "In {} a step gives each stream {} tokens, {} fewer than the {} in {}: a stream has {} tokens/s "
            "there and {} before.",
            spanWords(evidence.log, fall.slow), formatReal(fall.slow.rate, 3), formatShare(fall.share),
            formatReal(fall.fast.rate, 3), spanWords(evidence.log, fall.fast),
            formatReal(fall.slow.tokensPerS, 3), formatReal(fall.fast.tokensPerS, 3));
        return finding;
    }
    const std::string tooShort = tooShortWords(evidence, fall);
    finding.reason = fmt::format("{}; no span of {}{} gives more than {} fewer than one before it{}.",
                                 typical, counted(fall.spans, "span"),
                                 fall.seconds > 0 ? " in " + formatSeconds(fall.seconds) : std::string(),
                                 formatShare(std::max(fall.share, 0.0)), tooShort);
    if (tooShort.empty() && fall.share <= std::max(steady, std::min(fall.noise, slowdown))) {
        finding.verdict = Verdict::Excluded;
        finding.decide.clear();
    }
    return finding;
}

} // namespace loadline
