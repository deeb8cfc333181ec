// Sentences on the rates of a log.
#include "ui/chart/serverlog/log_rate_words.h"

#include "core/serverlog/light/rate_known.h"
#include "ui/chart/serverlog/log_words.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <functional>

namespace loadline::ui {

bool tellsContext(const ObservedRate& rate) {
    return isTold(rate.contextLow) && isTold(rate.contextHigh);
}

double middleOf(const ObservedRate& rate) {
    return (rate.contextLow + rate.contextHigh) / 2;
}

QString contextText(double low, double high) {
    return low == high ? QStringLiteral("%1 tokens of context").arg(countText(low))
                       : QStringLiteral("%1 to %2 tokens of context").arg(countText(low), countText(high));
}

QString rangeText(double low, double high, QString (*words)(double)) {
    const QString from = words(low);
    const QString to = words(high);
    return from == to ? from : QStringLiteral("%1 to %2").arg(from, to);
}

QStringList wordsOf(const LogFigure& figure, const ObservedRate& rate) {
    const RateKnown known = knownOf(rate);
    QStringList lines{(known == RateKnown::AtLeast ? QStringLiteral("at least %1 tokens/s a stream")
                       : known == RateKnown::Untold
                           ? QStringLiteral("%1 tokens/s over the streams at both ends")
                           : QStringLiteral("%1 tokens/s a stream"))
                          .arg(known == RateKnown::Between && isTold(rate.highest)
                                   ? rangeText(rate.lowest, rate.highest, realText)
                                   : realText(shownRate(rate)))};
    if (known == RateKnown::Untold) {
        lines << QStringLiteral("requests began within the line: no bound of a rate");
    }
    lines << (tellsContext(rate) ? contextText(rate.contextLow, rate.contextHigh)
                                 : QStringLiteral("context not told"));
    if (!rate.streamsTold) {
        lines << QStringLiteral("others may have shared the steps");
    } else if (rate.streams != 1) {
        lines << QStringLiteral("%1 streams at once").arg(realText(rate.streams));
    }
    if (figure.verdict.light && tellsContext(rate) && known != RateKnown::Untold) {
        const double ceiling =
            figure.verdict.light->ceiling(middleOf(rate), rate.streams, rate.tokensPerStep);
        lines << QStringLiteral("%1 of the ceiling").arg(shareText(shownRate(rate) / ceiling));
    }
    lines << QStringLiteral("line %1").arg(exactText(static_cast<std::int64_t>(rate.where.line)));
    return lines;
}

namespace {

/// "62 to 66.2 tokens/s a stream", of the rates that are told alone; how many are not.
QString toldRatesText(const std::vector<ObservedRate>& rates) {
    Extreme told, bounds;
    std::int64_t untold = 0;
    for (const ObservedRate& rate : rates) {
        const RateKnown known = knownOf(rate);
        if (known == RateKnown::Untold) {
            ++untold;
        } else if (known == RateKnown::AtLeast) {
            bounds.take(rate.tokensPerS);
        } else {
            told.take(shownRate(rate));
        }
    }
    QString text;
    if (told.any()) {
        text = QStringLiteral("%1 tokens/s a stream").arg(rangeText(told.least, told.most, realText));
    }
    if (bounds.any()) {
        text += (told.any() ? QStringLiteral(", and ") : QString()) +
                QStringLiteral("%1 tokens/s or more").arg(rangeText(bounds.least, bounds.most, realText)) +
                (told.any() ? QString() : QStringLiteral(" a stream"));
    }
    if (untold == 0) {
        return text;
    }
    const double together = untoldTogether(rates);
    const QString mean = isTold(together)
                             ? QStringLiteral(", together about %1 tokens/s a stream").arg(realText(together))
                             : QString();
    return text.isEmpty()
               ? QStringLiteral("Requests begin within each line, so that none tells the rate of a "
                                "stream%1")
                     .arg(mean)
               : text + QStringLiteral(" (not of %1 of %2 within which requests begin%3)")
                            .arg(exactText(untold), exactText(std::ssize(rates)), mean);
}

} // namespace

QString rateSentence(const LogFigure& figure) {
    const auto& rates = figure.verdict.rates;
    if (rates.empty()) {
        return QStringLiteral("The log tells no rate of decoding.");
    }
    QString text = toldRatesText(rates);
    Extreme contexts, shares;
    for (const ObservedRate& rate : rates) {
        if (tellsContext(rate)) {
            contexts.take(rate.contextLow);
            contexts.take(rate.contextHigh);
        }
    }
    shares.take(figure.verdict.shareLow);
    shares.take(figure.verdict.shareHigh);
    if (contexts.any()) {
        text += QStringLiteral(" at ") + contextText(contexts.least, contexts.most);
    }
    if (shares.any()) {
        text += QStringLiteral(": %1 of the ceiling").arg(rangeText(shares.least, shares.most, shareText));
    } else if (!figure.verdict.light) {
        text += QStringLiteral("; with a model and a device there is a ceiling to compare with");
    }
    const auto untold = std::ranges::count_if(rates, std::not_fn(tellsContext));
    return text + QLatin1Char('.') +
           (untold == 0                   ? QString()
            : untold == std::ssize(rates) ? QStringLiteral(" The log does not tell their context.")
                                          : QStringLiteral(" Of %1 of %2 the log does not tell the context.")
                                                .arg(exactText(untold), exactText(std::ssize(rates))));
}

} // namespace loadline::ui
