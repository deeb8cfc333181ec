// A server's log in a few figures.
#include "app/pages/serverlog/log_tiles.h"

#include "core/serverlog/format/server_formats.h"
#include "core/serverlog/log_clock.h"
#include "core/text/plain_words.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <QObject>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace loadline::app {
namespace {

QString shownWord(std::string_view word) {
    return ui::lineText(word, 60);
}

/// Returns the kind of the log's times, shown under its length.
QString clockWords(const ServerLog& log) {
    switch (log.clock) {
    case LogClock::None:
        return QObject::tr("the log tells no times");
    case LogClock::Uptime:
        return QObject::tr("by time since the server's start");
    case LogClock::TimeOfDay:
        return QObject::tr("by times of day");
    case LogClock::MonthDay:
        return QObject::tr("by times that name no year");
    case LogClock::Date:
        break;
    }
    const QString begin =
        QString::fromStdString(formatIso8601(shownLogTime(log, 0))).left(19).replace('T', ' ');
    return QObject::tr("from %1 %2").arg(begin, QString::fromStdString(logZoneWords(log)));
}

ui::FigureTile requestsTile(const ServerLog& log) {
    const auto count = static_cast<std::int64_t>(requestCount(log));
    return {log.requestsFrom == RequestsFrom::None ? QStringLiteral("\u2013") : ui::exactText(count),
            log.requestsFrom == RequestsFrom::None ? QObject::tr("requests: not told")
            : log.moreRequests > 0                 ? QObject::tr("requests; figures from the first %1")
                                         .arg(ui::exactText(static_cast<std::int64_t>(keptRequests(log))))
            : log.requestsFrom == RequestsFrom::Inferred ? QObject::tr("requests, times inferred")
                                                         : QObject::tr("requests, from the log"),
            QObject::tr("Requests that generate; inferred times come from an end and a duration"),
            {}};
}

/// "lines known, of 3 files as one log; some were odd"
QString linesLabel(const ServerLog& log, bool odd) {
    QString label = QObject::tr("lines known");
    if (log.files.size() > 1) {
        label += QObject::tr(", of %1 files as one log").arg(log.files.size());
    }
    return odd ? label + QObject::tr("; some were odd") : label;
}

/// The files in their order, what was odd, and what was left out.
QString oddities(const ServerLog& log) {
    QStringList all;
    if (log.files.size() > 1) {
        QStringList names;
        for (const std::string& file : log.files) {
            names << ui::lineText(nameOfFile(file), 60);
        }
        all << QObject::tr("In this order: %1").arg(names.join(QStringLiteral(", ")));
    }
    for (const Diagnostic& diagnostic : log.diagnostics) {
        all << QString::fromStdString(logSentenceOf(diagnostic));
    }
    all << ui::listFromUtf8(log.notes);
    return all.join(QStringLiteral("\n"));
}

} // namespace

QString knownServers() {
    QStringList names;
    for (const ServerFormat& format : serverFormats()) {
        names << shownWord(format.name);
    }
    const QString last = names.takeLast();
    return names.isEmpty() ? last : QObject::tr("%1 and %2").arg(names.join(QStringLiteral(", ")), last);
}

std::vector<ui::FigureTile> tilesOf(const ServerLog& log) {
    const QString odd = oddities(log);
    const auto lines = QObject::tr("%1 of %2")
                           .arg(ui::exactText(static_cast<std::int64_t>(log.knownLines)),
                                ui::exactText(static_cast<std::int64_t>(log.lines)));
    return {{log.server != nullptr ? shownWord(log.server->name) : QObject::tr("unknown"),
             QObject::tr("server"),
             QObject::tr("Of which most lines are known"),
             {}},
            {lines,
             linesLabel(log, !log.diagnostics.empty()),
             odd.isEmpty() ? QObject::tr("Lines that a pattern of a server matches") : odd,
             {}},
            {log.clock == LogClock::None ? QStringLiteral("\u2013")
                                         : ui::durationText(std::llround(log.lengthS * 1e3)),
             clockWords(log),
             QObject::tr("From the first time to the last"),
             {}},
            requestsTile(log)};
}

} // namespace loadline::app
