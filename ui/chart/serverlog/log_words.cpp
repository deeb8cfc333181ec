// Sentences and read-outs of the time line of a server's log.
#include "ui/chart/serverlog/log_words.h"

#include "ui/chart/serverlog/log_axis.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr qsizetype mostName = 60;

QString text(std::string_view words) {
    return lineText(words, mostName);
}

QString eventWord(LogEventKind kind) {
    switch (kind) {
    case LogEventKind::CacheMiss:
        return QStringLiteral("cache miss");
    case LogEventKind::CacheHit:
        return QStringLiteral("cache hit");
    case LogEventKind::FullReprocess:
        return QStringLiteral("full prompt computed again");
    case LogEventKind::Preemption:
        return QStringLiteral("preemption");
    case LogEventKind::Truncated:
        return QStringLiteral("truncated");
    case LogEventKind::ServerStarted:
        return QStringLiteral("server started");
    case LogEventKind::ServerStopped:
        return QStringLiteral("server stopped");
    case LogEventKind::Failure:
        return QStringLiteral("failure");
    case LogEventKind::Refused:
        return QStringLiteral("request refused");
    case LogEventKind::ReportedRate:
        return QStringLiteral("reported rate");
    }
    return {};
}

QString rateText(double tokensPerS) {
    return realText(tokensPerS) + QStringLiteral(" tokens/s");
}

QString tokensText(double tokens) {
    return exactText(std::llround(tokens));
}

QString valueText(const LogLane& lane, double value) {
    return lane.shares ? shareText(value) : realText(value);
}

void addEvent(QStringList& lines, const LogEvent& event) {
    lines[0] += QStringLiteral(": ") + eventWord(event.kind);
    QStringList figures;
    if (isTold(event.tokens)) {
        figures << tokensText(event.tokens) + QStringLiteral(" tokens");
    }
    if (isTold(event.seconds)) {
        figures << QStringLiteral("in %1").arg(secondsText(event.seconds));
    }
    if (!event.detail.empty()) {
        figures << text(event.detail);
    }
    if (!figures.isEmpty()) {
        lines << figures.join(QStringLiteral(", "));
    }
}

/// "9 983 prompt tokens, 49 152 of them cached, 8 192 output"
QString tokensOf(const LogRequest& request) {
    QStringList parts;
    if (isTold(request.inputTokens)) {
        parts << QStringLiteral("%1 prompt tokens").arg(tokensText(request.inputTokens));
    }
    if (isTold(request.cachedTokens)) {
        parts << QStringLiteral("%1 cached").arg(tokensText(request.cachedTokens));
    }
    if (isTold(request.outputTokens)) {
        parts << QStringLiteral("%1 output").arg(tokensText(request.outputTokens));
    }
    return parts.join(QStringLiteral(", "));
}

QString timesOf(const LogRequest& request) {
    QStringList parts;
    if (isTold(request.arrivalS) && isTold(request.endS)) {
        parts << QStringLiteral("took %1").arg(secondsText(request.endS - request.arrivalS)) +
                     (request.arrivalInferred ? QStringLiteral(" (arrival from the end and the duration)")
                                              : QString());
    } else if (!isTold(request.endS)) {
        parts << QStringLiteral("its end is not told");
    }
    if (isTold(request.prefillS)) {
        parts << QStringLiteral("prompt %1").arg(secondsText(request.prefillS));
    }
    if (isTold(request.decodeS)) {
        parts << QStringLiteral("output %1").arg(secondsText(request.decodeS));
    }
    return parts.join(QStringLiteral(", "));
}

void addRequest(QStringList& lines, const LogRequest& request) {
    QStringList name;
    for (const std::string& part : {request.path, request.id}) {
        if (!part.empty()) {
            name << text(part);
        }
    }
    if (!name.isEmpty()) {
        lines << name.join(QStringLiteral(", "));
    }
    for (const QString& part : {tokensOf(request), timesOf(request)}) {
        if (!part.isEmpty()) {
            lines << part;
        }
    }
    if (isTold(request.decodeTokensPerS)) {
        lines << rateText(request.decodeTokensPerS);
    }
}

double mostOf(const std::vector<LogInterval>& all, double LogInterval::*field) {
    Extreme extreme;
    for (const LogInterval& one : all) {
        extreme.take(one.*field);
    }
    return extreme.any() ? extreme.most : notTold;
}

QString joinedParts(const QStringList& parts) {
    return parts.size() < 2 ? parts.join(QString())
                            : QStringList(parts.mid(0, parts.size() - 1)).join(QStringLiteral(", ")) +
                                  QStringLiteral(" and ") + parts.last();
}

} // namespace

std::optional<std::size_t> sampleOf(const LogSeries& series, double place, double reach) {
    const LogTimes& times = *series.times;
    const auto end = std::ranges::lower_bound(times.ends, place - (series.ofSpans ? 0 : reach));
    std::optional<std::size_t> best;
    double least = reach;
    for (auto i = static_cast<std::size_t>(end - times.ends.begin()); i < times.ends.size(); ++i) {
        if (series.ofSpans) {
            if (isTold(series.values[i]) && times.begins[i] <= place) {
                return i;
            }
            if (times.ends[i] > place + 4 * times.usualGap) { // later ones begin later still, or nearly
                break;
            }
        } else {
            if (times.ends[i] > place + reach) {
                break;
            }
            if (const double away = std::abs(times.ends[i] - place);
                isTold(series.values[i]) && away <= least) {
                least = away;
                best = i;
            }
        }
    }
    return best;
}

QStringList wordsOf(const LogScene& scene, const LogMark& mark) {
    QStringList lines{momentText(scene, mark.place)};
    if (mark.kind == LogMark::Kind::Event) {
        addEvent(lines, scene.log().events[mark.index]);
    } else if (mark.kind == LogMark::Kind::Request) {
        addRequest(lines, scene.log().requests[mark.index]);
    }
    lines << QStringLiteral("line %1").arg(exactText(static_cast<std::int64_t>(mark.where.line)));
    return lines;
}

QStringList wordsAt(const LogScene& scene, double place, double perPixel) {
    constexpr double reach = 8; // pixels
    constexpr qsizetype mostLines = 14;
    QStringList lines{momentText(scene, place)};
    for (const LogLane& lane : scene.lanes()) {
        for (const LogSeries& series : lane.series) {
            const double far = std::max(reach * perPixel, series.times->usualGap / 2);
            if (const auto i = sampleOf(series, place, far); i && lines.size() < mostLines) {
                lines << QStringLiteral("%1: %2").arg(
                    lane.series.size() == 1 ? lane.title : lane.title + QStringLiteral(", ") + series.name,
                    valueText(lane, series.values[*i]));
            }
        }
    }
    const Extreme least = scene.atLeast().in(place, place);
    const Extreme most = scene.atMost().in(place, place);
    if (least.any() && most.any()) {
        lines << (least.most == most.most ? QStringLiteral("requests at once: %1").arg(realText(least.most))
                                          : QStringLiteral("requests at once: %1 to %2")
                                                .arg(realText(least.most), realText(most.most)));
    }
    return lines;
}

QString timeSentence(const LogScene& scene) {
    const ServerLog& log = scene.log();
    QStringList most;
    const auto add = [&](double value, const QString& words) {
        if (isTold(value)) {
            most << words.arg(realText(value));
        }
    };
    const std::vector<LogSum>& sums = scene.figure().verdict.engineSums;
    const auto together = [&](double LogSum::*ofAll, double LogInterval::*ofOne) {
        return sums.empty() ? mostOf(log.intervals, ofOne) : figuresOf(sums, ofAll).most;
    };
    add(together(&LogSum::outputTokensPerS, &LogInterval::outputTokensPerS),
        QStringLiteral("%1 output tokens/s"));
    const double running = together(&LogSum::running, &LogInterval::running);
    add(running, running == 1 ? QStringLiteral("%1 request running") : QStringLiteral("%1 requests running"));
    add(together(&LogSum::waiting, &LogInterval::waiting), QStringLiteral("%1 waiting"));
    QStringList parts;
    if (!most.isEmpty()) {
        const int engines = engineCountOf(scene.figure().verdict.engines);
        parts << (engines > 1 ? QStringLiteral("%1 engines together up to ").arg(engines)
                              : QStringLiteral("up to ")) +
                     joinedParts(most);
    }
    const auto bars = static_cast<std::int64_t>(requestCount(log));
    if (bars > 0) {
        parts << (bars == 1 ? QStringLiteral("%1 request%2")
                            : QStringLiteral("%1 requests, each by its lines%2"))
                     .arg(exactText(bars),
                          (log.requestsFrom == RequestsFrom::Inferred ? QStringLiteral(", times inferred")
                                                                      : QString()) +
                              QString::fromStdString(keptRequestsWords(log)));
    }
    if (parts.isEmpty()) {
        parts << QStringLiteral("no rates and no requests are told");
    }
    const QString span = scene.countsLines()
                             ? QStringLiteral("Without times")
                             : QStringLiteral("In %1").arg(durationText(std::llround(log.lengthS * 1e3)));
    return QStringLiteral("%1: %2.").arg(span, parts.join(QStringLiteral("; ")));
}

} // namespace loadline::ui
