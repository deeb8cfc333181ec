// The figure of a server's log.
#include "core/serverlog/verdict/log_figure.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadline {

LogFigure logFigureOf(std::shared_ptr<const ServerLog> log, const ServedOn& chosen, const LogRange& range) {
    constexpr double beyond = 1.2;
    constexpr double usualContext = 16'384;
    LogFigure figure;
    figure.log = std::move(log);
    figure.concurrency = concurrencyOf(*figure.log);
    const ServedOnLog served = servedOnLog(chosen, *figure.log);
    figure.assumption = served.assumption;
    figure.range = range;
    if (range.restricts() && figure.log->clock != LogClock::None) {
        figure.verdict = verdictOf(logWithin(*figure.log, range), served.served);
        figure.verdict.headline = fmt::format("From {} to {}: {}", formatSeconds(range.fromS),
                                              formatSeconds(range.toS), figure.verdict.headline);
    } else {
        figure.verdict = verdictOf(*figure.log, served.served);
    }
    for (const ObservedRate& rate : figure.verdict.rates) {
        const double context = isTold(rate.contextHigh) ? rate.contextHigh : rate.contextLow;
        figure.mostContext = std::max(figure.mostContext, isTold(context) ? beyond * context : 0);
    }
    figure.mostContext = figure.mostContext > 0 ? figure.mostContext : usualContext;
    return figure;
}

std::vector<LogLine> evidenceOf(const LogVerdict& verdict) {
    std::vector<LogLine> lines;
    for (const Finding& finding : verdict.findings) {
        lines.insert(lines.end(), finding.evidence.begin(), finding.evidence.end());
    }
    return lines;
}

} // namespace loadline
