// The parts of a scope in the words of its chips.
#include "ui/panel/scope/scope_words.h"

#include "core/base/zone.h"
#include "ui/model/session_tree_model.h"
#include "ui/theme/format.h"

#include <QStringList>

namespace loadline::ui {

namespace {

constexpr std::int64_t dayMs = 86'400'000;
constexpr qsizetype listedInFull = 20;

QString lastComponent(const QString& path) {
    return path.section(u'/', -1, -1, QString::SectionSkipEmpty);
}

QString sessionTitle(const std::string& key, const Corpus* corpus) {
    if (corpus) {
        for (const Session& session : corpus->sessions) {
            if (session.key == key) {
                return QString::fromStdString(session.title.empty() ? session.sessionId : session.title);
            }
        }
    }
    return QString::fromStdString(key).section(u':', 1);
}

template <typename Name>
PartWords listWords(const QString& one, const QString& many, const std::vector<std::string>& entries,
                    Name nameOf) {
    PartWords words{entries.size() == 1 ? one : many, {}, {}};
    QStringList lines;
    for (const std::string& entry : entries) {
        if (lines.size() == listedInFull) {
            lines << QStringLiteral("… and %1 more")
                         .arg(entries.size() - static_cast<std::size_t>(listedInFull));
            break;
        }
        lines << nameOf(entry);
    }
    words.value = entries.size() == 1 ? lines.front() : QString::number(entries.size());
    words.full = lines.join(u'\n');
    return words;
}

bool isMidnight(TimeMs time) {
    return ((asShown(time).ms % dayMs) + dayMs) % dayMs == 0;
}

QString dayOf(TimeMs time) {
    return QString::fromStdString(utcDay(asShown(time)));
}

QString secondOf(TimeMs time) {
    return QString::fromStdString(formatIso8601(asShown(time))).left(19).replace(u'T', u' ');
}

/// Whole days are named by their days, the last one included; other ranges by their seconds.
QString rangeOf(const std::optional<TimeMs>& from, const std::optional<TimeMs>& to) {
    if ((from && !isMidnight(*from)) || (to && !isMidnight(*to))) {
        const QString start = from ? secondOf(*from) : QString();
        QString end = to ? secondOf(*to) : QString();
        if (from && to && dayOf(*from) == dayOf(*to)) {
            end = end.mid(11);
        }
        return start.isEmpty()
                   ? QStringLiteral("before ") + end
                   : (end.isEmpty() ? QStringLiteral("from ") + start : start + QStringLiteral(" to ") + end);
    }
    const QString last = to ? dayOf({to->ms - 1}) : QString();
    if (!from) {
        return QStringLiteral("up to ") + last;
    }
    if (!to) {
        return QStringLiteral("from ") + dayOf(*from);
    }
    return dayOf(*from) == last ? last : dayOf(*from) + QStringLiteral(" to ") + last;
}

QString tokensOf(const TokenRange& range) {
    return range.low == range.high ? exactText(range.low)
                                   : exactText(range.low) + QStringLiteral(" to ") + exactText(range.high);
}

QString tokensWords(const TokenRange& range) {
    return tokensOf(range) + (range.low == 1 && range.high == 1 ? QStringLiteral(" token per turn")
                                                                : QStringLiteral(" tokens per turn"));
}

} // namespace

bool isActive(const Scope& scope, ScopePart part) {
    switch (part) {
    case ScopePart::Sessions:
        return !scope.sessions.empty();
    case ScopePart::Projects:
        return !scope.projects.empty();
    case ScopePart::Models:
        return !scope.models.empty();
    case ScopePart::Agents:
        return !scope.agents.empty();
    case ScopePart::Dates:
        return scope.from || scope.to;
    case ScopePart::Text:
        return !scope.text.empty();
    case ScopePart::TurnInput:
        return scope.turnInput.has_value();
    case ScopePart::TurnOutput:
        return scope.turnOutput.has_value();
    }
    return false;
}

Scope without(Scope scope, ScopePart part) {
    switch (part) {
    case ScopePart::Sessions:
        scope.sessions.clear();
        break;
    case ScopePart::Projects:
        scope.projects.clear();
        break;
    case ScopePart::Models:
        scope.models.clear();
        break;
    case ScopePart::Agents:
        scope.agents.clear();
        break;
    case ScopePart::Dates:
        scope.from.reset();
        scope.to.reset();
        break;
    case ScopePart::Text:
        scope.text.clear();
        break;
    case ScopePart::TurnInput:
        scope.turnInput.reset();
        break;
    case ScopePart::TurnOutput:
        scope.turnOutput.reset();
        break;
    }
    return scope;
}

PartWords wordsOf(const Scope& scope, ScopePart part, const Corpus* corpus, bool outputIsABound) {
    const auto plain = [](const std::string& name) { return QString::fromStdString(name); };
    switch (part) {
    case ScopePart::Sessions:
        return listWords(QStringLiteral("session"), QStringLiteral("sessions"), scope.sessions,
                         [&](const std::string& key) { return sessionTitle(key, corpus); });
    case ScopePart::Projects: {
        PartWords words =
            listWords(QStringLiteral("project"), QStringLiteral("projects"), scope.projects, plain);
        if (scope.projects.size() == 1) {
            words.value = lastComponent(plain(scope.projects.front()));
        }
        return words;
    }
    case ScopePart::Models: {
        PartWords words = listWords(QStringLiteral("model"), QStringLiteral("models"), scope.models, plain);
        QStringList names;
        for (const std::string& model : scope.models) {
            names << shortModelName(model);
        }
        words.value = names.join(QStringLiteral(", "));
        return words;
    }
    case ScopePart::Agents: {
        PartWords words = listWords(QStringLiteral("agent"), QStringLiteral("agents"), scope.agents, plain);
        words.value = QString(words.full).replace(u'\n', QStringLiteral(", "));
        return words;
    }
    case ScopePart::Dates: {
        const QString range = rangeOf(scope.from, scope.to);
        return {QStringLiteral("date"), range,
                QStringLiteral("%1 (%2)").arg(range, QString::fromStdString(zoneWords()))};
    }
    case ScopePart::Text: {
        const QString quoted = QStringLiteral("“%1”").arg(plain(scope.text));
        return {QStringLiteral("text"), quoted,
                QStringLiteral("%1 in title, project, path, session id or model").arg(quoted)};
    }
    case ScopePart::TurnInput:
        return {QStringLiteral("input"), tokensOf(*scope.turnInput), tokensWords(*scope.turnInput)};
    case ScopePart::TurnOutput: {
        const QString bound = outputIsABound ? QStringLiteral("\u2265 ") : QString();
        return {
            QStringLiteral("output"), bound + tokensOf(*scope.turnOutput),
            bound + tokensWords(*scope.turnOutput) +
                (outputIsABound ? QStringLiteral(", as recorded: for some calls a lower bound") : QString())};
    }
    }
    return {};
}

} // namespace loadline::ui
