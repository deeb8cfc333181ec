// Sentences on the rates of a log.
#include "core/serverlog/verdict/rate_words.h"

#include "core/serverlog/light/rate_known.h"
#include "core/serverlog/verdict/rate_plot.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace loadline {
namespace {

std::string realWords(double n) {
    return formatReal(n);
}

std::string wholeWords(std::size_t n) {
    return formatExact(static_cast<std::int64_t>(n));
}

/// The least and the most of some numbers.
struct Reach {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    [[nodiscard]] bool any() const { return least <= most; }

    void take(double value) {
        least = value < least ? value : least; // false for what is no number
        most = value > most ? value : most;
    }
};

/// "62 to 66.2 tokens/s a stream", of the rates that are told alone; how many are not.
std::string toldRates(const std::vector<ObservedRate>& rates) {
    Reach exact, bounds;
    std::size_t untold = 0;
    for (const ObservedRate& rate : rates) {
        const RateKnown known = knownOf(rate);
        if (known == RateKnown::Untold) {
            ++untold;
        } else if (known == RateKnown::AtLeast) {
            bounds.take(rate.tokensPerS);
        } else {
            exact.take(shownRate(rate));
        }
    }
    std::string text;
    if (exact.any()) {
        text = rangeWords(exact.least, exact.most, realWords) + " tokens/s a stream";
    }
    if (bounds.any()) {
        text += (exact.any() ? ", and " : "") + rangeWords(bounds.least, bounds.most, realWords) +
                " tokens/s or more" + (exact.any() ? "" : " a stream");
    }
    if (untold == 0) {
        return text;
    }
    const double together = untoldTogether(rates);
    const std::string mean =
        isTold(together) ? fmt::format(", together about {} tokens/s a stream", realWords(together)) : "";
    return text.empty() ? "Requests begin within each line, so that none tells the rate of a stream" + mean
                        : fmt::format("{} (not of {} of {} within which requests begin{})", text,
                                      wholeWords(untold), wholeWords(rates.size()), mean);
}

} // namespace

bool tellsContext(const ObservedRate& rate) {
    return isTold(rate.contextLow) && isTold(rate.contextHigh);
}

double middleOf(const ObservedRate& rate) {
    return (rate.contextLow + rate.contextHigh) / 2;
}

std::string contextWords(double low, double high) {
    return low == high ? formatCount(low) + " tokens of context"
                       : fmt::format("{} to {} tokens of context", formatCount(low), formatCount(high));
}

std::string rangeWords(double low, double high, const std::function<std::string(double)>& words) {
    const std::string from = words(low), to = words(high);
    return from == to ? from : fmt::format("{} to {}", from, to);
}

std::vector<std::string> wordsOfRate(const LogFigure& figure, const ObservedRate& rate) {
    const RateKnown known = knownOf(rate);
    const std::string number = known == RateKnown::Between && isTold(rate.highest)
                                   ? rangeWords(rate.lowest, rate.highest, realWords)
                                   : realWords(shownRate(rate));
    std::vector<std::string> lines = {
        known == RateKnown::AtLeast  ? fmt::format("at least {} tokens/s a stream", number)
        : known == RateKnown::Untold ? number + " tokens/s over the streams at both ends"
                                     : number + " tokens/s a stream"};
    if (known == RateKnown::Untold) {
        lines.emplace_back("requests began within the line: no bound of a rate");
    }
    lines.push_back(tellsContext(rate) ? contextWords(rate.contextLow, rate.contextHigh)
                                       : "context not told");
    if (!rate.streamsTold) {
        lines.emplace_back("others may have shared the steps");
    } else if (rate.streams != 1) {
        lines.push_back(realWords(rate.streams) + " streams at once");
    }
    if (figure.verdict.light && tellsContext(rate) && known != RateKnown::Untold) {
        const double ceiling =
            figure.verdict.light->ceiling(middleOf(rate), rate.streams, rate.tokensPerStep);
        lines.push_back(formatShare(shownRate(rate) / ceiling) + " of the ceiling");
    }
    lines.push_back("line " + wholeWords(rate.where.line));
    return lines;
}

std::string rateSentence(const LogFigure& figure) {
    const std::vector<ObservedRate>& rates = figure.verdict.rates;
    if (rates.empty()) {
        return "The log tells no rate of decoding.";
    }
    std::string text = toldRates(rates);
    Reach contexts, shares;
    for (const ObservedRate& rate : rates) {
        if (tellsContext(rate)) {
            contexts.take(rate.contextLow);
            contexts.take(rate.contextHigh);
        }
    }
    shares.take(figure.verdict.shareLow);
    shares.take(figure.verdict.shareHigh);
    if (contexts.any()) {
        text += " at " + contextWords(contexts.least, contexts.most);
    }
    if (shares.any()) {
        const auto words = [](double share) { return formatShare(share); };
        text += fmt::format(": {} of the ceiling", rangeWords(shares.least, shares.most, words));
    } else if (!figure.verdict.light) {
        text += "; with a model and a device there is a ceiling to compare with";
    }
    const auto untold = static_cast<std::size_t>(std::ranges::count_if(rates, std::not_fn(tellsContext)));
    return text + "." +
           (untold == 0              ? ""
            : untold == rates.size() ? " The log does not tell their context."
                                     : fmt::format(" Of {} of {} the log does not tell the context.",
                                                   wholeWords(untold), wholeWords(rates.size())));
}

} // namespace loadline
