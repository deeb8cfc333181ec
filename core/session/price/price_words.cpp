// What is said of costs.
#include "core/session/price/price_words.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

std::string basis(const Corpus& corpus) {
    return fmt::format("list prices ({}), not what was paid by contract or subscription",
                       corpus.pricesSource);
}

std::string count(std::uint64_t n) {
    return formatExact(static_cast<std::int64_t>(n));
}

} // namespace

std::string costText(const UsageTotals& totals) {
    if (totals.calls == 0 || totals.callsUnpriced == totals.calls) {
        return "";
    }
    const bool isLeast = totals.callsUnpriced > 0 || totals.callsFinalOutput < totals.calls;
    return (isLeast ? "≥ " : "") + formatUsd(totals.costUsd);
}

std::string costNote(const Corpus& corpus, const UsageTotals& totals) {
    const std::string without =
        totals.callsUnpriced == 0
            ? ""
            : fmt::format("; {} of {} calls have no price", count(totals.callsUnpriced), count(totals.calls));
    return "At " + basis(corpus) + without + ".";
}

std::vector<std::string> unpricedModels(const Corpus& corpus) {
    std::vector<bool> isUsed(corpus.models.size());
    for (const CorpusCall& call : corpus.calls) {
        isUsed[call.model] = true;
    }
    std::vector<std::string> names;
    for (std::size_t model = 0; model < corpus.models.size(); ++model) {
        if (isUsed[model] && !corpus.prices[model]) {
            names.push_back(corpus.models[model].empty() ? "(no model named)" : corpus.models[model]);
        }
    }
    std::ranges::sort(names);
    return names;
}

std::string priceSentence(const Corpus& corpus) {
    constexpr std::size_t mostNamed = 3;
    if (corpus.calls.empty() || corpus.pricesSource.empty()) {
        return "";
    }
    const std::vector<std::string> names = unpricedModels(corpus);
    std::string without;
    for (std::size_t i = 0; i < std::min(names.size(), mostNamed); ++i) {
        without += (i == 0 ? "; no price is known of " : ", ") + names[i];
    }
    if (names.size() > mostNamed) {
        without += fmt::format(" and {} more", names.size() - mostNamed);
    }
    return "Costs are at " + basis(corpus) + without + ".";
}

} // namespace loadline
