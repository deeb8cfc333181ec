// Texts and notes about costs.
#include "core/session/corpus/price_words.h"

#include "core/text/counted.h"
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

/// "the surcharge of fast mode (1 call), 3 web searches and 1 earlier try"; "" where nothing beside tokens
/// was billed.
std::string unpricedExtras(const UsageTotals& totals) {
    std::vector<std::string> extras;
    if (totals.callsFastUnpriced > 0) {
        extras.push_back(
            fmt::format("the surcharge of fast mode ({})", counted(totals.callsFastUnpriced, "call")));
    }
    if (totals.usage.webSearches > 0) {
        extras.push_back(totals.usage.webSearches == 1 ? std::string("1 web search")
                                                       : count(totals.usage.webSearches) + " web searches");
    }
    if (totals.usage.earlierTries > 0) {
        extras.push_back(totals.usage.earlierTries == 1
                             ? std::string("1 earlier try of a call")
                             : count(totals.usage.earlierTries) + " earlier tries of calls");
    }
    return listed(extras);
}

} // namespace

std::string costText(const UsageTotals& totals) {
    if (totals.calls == 0 || totals.callsUnpriced == totals.calls) {
        return "";
    }
    return (totals.costIsLeast() ? "≥ " : "") + formatUsd(totals.costUsd);
}

std::string costNote(const Corpus& corpus, const UsageTotals& totals) {
    const std::string without =
        totals.callsUnpriced == 0
            ? ""
            : fmt::format("; {} of {} calls have no price", count(totals.callsUnpriced), count(totals.calls));
    const std::string extras = unpricedExtras(totals);
    return "At " + basis(corpus) + without + (extras.empty() ? "" : "; not in it: " + extras) + ".";
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
    const std::string extras = unpricedExtras(totalsOf(corpus.calls));
    return "Costs are at " + basis(corpus) + without + "." +
           (extras.empty() ? "" : " They are lower bounds without " + extras + ", whose price is not known.");
}

} // namespace loadline
