// The figures of a sum of calls, a row each.
#include "core/session/study/usage_columns.h"

#include <array>

namespace loadline::ask {

Cell costOf(const UsageTotals& totals) {
    const bool isPriced = totals.calls == 0 || totals.callsUnpriced < totals.calls;
    return isPriced ? Cell(totals.costUsd) : Cell();
}

std::string outputQualityKey(const UsageTotals& totals) {
    const OutputQuality quality = totals.outputQuality();
    return quality == OutputQuality::None ? "none" : std::string(keyOf(quality));
}

std::span<const UsageFigure> usageFigures() {
    using T = const UsageTotals&;
    static constexpr std::array<UsageFigure, 17> figures = {
        {{"calls", [](T t) { return Cell(t.calls); }},
         {"input_tokens", [](T t) { return Cell(t.usage.input); }},
         {"cache_creation_input_tokens", [](T t) { return Cell(t.usage.cacheWrite); }},
         {"cache_creation_5m", [](T t) { return Cell(t.usage.cacheWrite5m); }},
         {"cache_creation_1h", [](T t) { return Cell(t.usage.cacheWrite1h); }},
         {"cache_read_input_tokens", [](T t) { return Cell(t.usage.cacheRead); }},
         {"output_tokens", [](T t) { return Cell(t.usage.output); }},
         {"calls_final_output", [](T t) { return Cell(t.callsFinalOutput); }},
         {"output_tokens_of_final_calls", [](T t) { return Cell(t.outputOfFinalCalls); }},
         {"content_est_tokens", [](T t) { return Cell(t.contentEstimate); }},
         {"prompt_tokens_cache_untold", [](T t) { return Cell(t.untoldContext); }},
         {"cost_usd", costOf},
         {"calls_unpriced", [](T t) { return Cell(t.callsUnpriced); }},
         {"calls_partly_unpriced", [](T t) { return Cell(t.callsPartlyUnpriced); }},
         {"calls_fast", [](T t) { return Cell(t.callsFast); }},
         {"web_search_requests", [](T t) { return Cell(t.usage.webSearches); }},
         {"earlier_tries", [](T t) { return Cell(t.usage.earlierTries); }}}};
    return figures;
}

void addUsage(Report& report, const std::string& path, const UsageTotals& totals,
              std::span<const UsageFigure> figures) {
    for (const UsageFigure& figure : figures) {
        report.add(path + "." + figure.key, figure.of(totals));
    }
}

} // namespace loadline::ask
