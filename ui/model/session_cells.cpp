// Texts of the cells of the Sessions list.
#include "ui/model/session_cells.h"

#include "core/base/zone.h"
#include "core/session/corpus/price_words.h"
#include "core/text/counted.h"
#include "core/text/model_name.h"
#include "core/text/visible_text.h"
#include "ui/model/session_tree_model.h"
#include "ui/theme/format.h"

#include <set>

namespace loadline::ui {

namespace {

const QString none = QStringLiteral("–");

struct SessionColumnWords {
    const char* title;
    const char* explanation; ///< tooltip of the header
};

/// By SessionColumn.
constexpr SessionColumnWords columnWords[] = {
    {"Session", "Project, its sessions, and the agents of each session"},
    {"Tokens", "Tokens of all API calls, each call once: input, cache write, cache read and output.\n"
               "The bar compares rows of the same level."},
    {"Cost", "US dollars at list prices, by model and kind of token: not what was paid by contract or "
             "subscription\n"
             "≥ $12\tat least: output counts are lower bounds, or some calls' model has no price, or "
             "fast mode, web searches or earlier tries have none"},
    {"Start", "Time of the first record"},
    {"Duration", "From the first to the last record, pauses included"},
    {"Turns", "Prompt turns: a human prompt and all calls up to the next one"},
    {"Calls", "Distinct API calls, inherited ones included"},
    {"Input", "Prompt tokens that were not cached"},
    {"Cache write", "Prompt tokens written to the provider's cache"},
    {"Cache read", "Prompt tokens read from the provider's cache"},
    {"Output", "Generated tokens\n"
               "12 k\texact: every call was logged after its stream ended\n"
               "≥ 12 k\tlower bound: some calls were logged in mid-stream\n"
               "? 12\tplaceholder: logged at the start of the stream only"},
    {"Hit rate",
     "Share of prompt tokens read from the cache: cache read / (input + cache write + cache read), without "
     "sessions whose logs record no cache"},
    {"Model", "Model of most calls, and how many others there are"}};

QString text(const std::string& utf8) {
    return QString::fromStdString(utf8);
}

std::int64_t durationOf(const SessionNode& node) {
    return node.lastTime.ms - node.firstTime.ms;
}

QString minuteOf(TimeMs time) {
    return text(formatIso8601(asShown(time))).left(16).replace(u'T', u' ');
}

QString secondOf(TimeMs time) {
    return text(formatIso8601(asShown(time))).left(19).replace(u'T', u' ') + u' ' + text(zoneAt(time));
}

Tokens tokensOf(const SessionNode& node, SessionColumn column) {
    const Usage& usage = node.totals.usage;
    switch (column) {
    case SessionColumn::Input:
        return usage.input;
    case SessionColumn::CacheWrite:
        return usage.cacheWrite;
    case SessionColumn::CacheRead:
        return usage.cacheRead;
    case SessionColumn::Output:
        return usage.output;
    default:
        return node.tokens();
    }
}

/// Agents that are not the main one have no prompt turns: they answer to an agent, not to a person.
bool hasTurns(const SessionNode& node) {
    return node.kind != SessionNodeKind::Agent || node.turns > 0;
}

QString inheritance(const SessionTree& tree, const SessionNode& node) {
    const Corpus& corpus = *tree.corpus;
    std::set<std::string> origins;
    for (const FileIndex file : corpus.sessions[node.session].files) {
        for (const FileIndex from : corpus.files[file].inheritedFrom) {
            if (corpus.files[from].session != node.session) {
                origins.insert(corpus.sessions[corpus.files[from].session].sessionId.substr(0, 8));
            }
        }
    }
    QStringList names;
    for (const std::string& origin : origins) {
        names << text(origin) + u'…';
    }
    constexpr qsizetype shown = 3;
    QString from =
        names.isEmpty() ? QStringLiteral("another file") : names.mid(0, shown).join(QStringLiteral(", "));
    if (names.size() > shown) {
        from += QStringLiteral(" and %1 more").arg(names.size() - shown);
    }
    return QStringLiteral("%1 %2 from %3; they are counted there in all totals")
        .arg(exactText(static_cast<std::int64_t>(node.inheritedCalls)),
             node.inheritedCalls == 1 ? QStringLiteral("call") : QStringLiteral("calls"), from);
}

Tip nameToolTip(const SessionTree& tree, const SessionNode& node) {
    Tip::Rows rows;
    const auto row = [&rows](const QString& label, const QString& value) { rows.emplace_back(label, value); };
    if (node.kind == SessionNodeKind::Project) {
        row(QStringLiteral("project"), node.key.empty() ? none : text(node.key));
        row(QStringLiteral("sessions"), exactText(node.children));
    } else {
        const Session& session = tree.corpus->sessions[node.session];
        const SessionFile& file = *tree.corpus->files[node.file].file;
        row(node.kind == SessionNodeKind::Agent ? QStringLiteral("agent") : QStringLiteral("session"),
            text(node.name));
        if (node.kind == SessionNodeKind::Agent && !node.note.empty()) {
            row(QStringLiteral("agent id"), text(file.lanes[node.lane].agentId));
        }
        row(QStringLiteral("session id"), text(session.sessionId));
        row(QStringLiteral("file"), text(file.path));
        if (!file.gitBranch.empty()) {
            row(QStringLiteral("branch"), text(file.gitBranch));
        }
    }
    if (isKnown(node.firstTime)) {
        row(QStringLiteral("from"), secondOf(node.firstTime));
    }
    if (isKnown(node.lastTime)) {
        row(QStringLiteral("to"), secondOf(node.lastTime));
    }
    if (node.inheritedCalls > 0) {
        row(QStringLiteral("inherits"), inheritance(tree, node));
    }
    if (node.diagnostics > 0) {
        row(QStringLiteral("odd"), QString::fromStdString(counted(node.diagnostics, "diagnostic")));
    }
    return Tip::table({}, rows);
}

bool isPriced(const UsageTotals& totals) {
    return totals.callsUnpriced < totals.calls;
}

QString costCell(const UsageTotals& totals) {
    return isPriced(totals) ? text(costText(totals)) : none;
}

QString costToolTip(const SessionTree& tree, const UsageTotals& totals) {
    if (!isPriced(totals)) {
        return QStringLiteral("no price is known of its models");
    }
    return text(costText(totals) + "\n" + visibleText(costNote(*tree.corpus, totals)));
}

QString modelList(const SessionTree& tree, const SessionNode& node, const QString& separator) {
    QStringList names;
    for (const ModelIndex model : node.models) {
        names << text(tree.corpus->models[model]);
    }
    return names.join(separator);
}

} // namespace

QString outputText(const UsageTotals& totals, bool exact) {
    const Tokens n = totals.usage.output;
    QString number = exact ? exactText(n) : countText(static_cast<double>(n));
    switch (totals.outputQuality()) {
    case OutputQuality::None:
        return none;
    case OutputQuality::Final:
        return number;
    case OutputQuality::StartOnly:
        return QStringLiteral("? ") + number;
    case OutputQuality::LowerBound:
    case OutputQuality::Mixed:
        break;
    }
    return QStringLiteral("≥ ") + number;
}

QString shortModelName(const std::string& model) {
    return text(loadline::shortModelName(model));
}

QString titleOf(SessionColumn column) {
    return QString::fromUtf8(columnWords[static_cast<std::size_t>(column)].title);
}

QString explanationOf(SessionColumn column) {
    return QString::fromUtf8(columnWords[static_cast<std::size_t>(column)].explanation);
}

bool isNumeric(SessionColumn column) {
    return column != SessionColumn::Name && column != SessionColumn::Model;
}

QString cellText(const SessionTree& tree, const SessionNode& node, SessionColumn column) {
    switch (column) {
    case SessionColumn::Name:
        return text(node.name);
    case SessionColumn::Start:
        return isKnown(node.firstTime) ? minuteOf(node.firstTime) : none;
    case SessionColumn::Duration:
        return node.hasDuration() ? durationText(durationOf(node)) : none;
    case SessionColumn::Turns:
        return hasTurns(node) ? exactText(static_cast<std::int64_t>(node.turns)) : none;
    case SessionColumn::Calls:
        return exactText(static_cast<std::int64_t>(node.totals.calls));
    case SessionColumn::Output:
        return outputText(node.totals, false);
    case SessionColumn::Cost:
        return costCell(node.totals);
    case SessionColumn::HitRate:
        return node.totals.toldContext() > 0 ? shareText(node.totals.hitRate()) : none;
    case SessionColumn::Model:
        if (node.models.empty()) {
            return none;
        }
        return shortModelName(tree.corpus->models[node.models.front()]) +
               (node.models.size() > 1 ? QStringLiteral("  +%1").arg(node.models.size() - 1) : QString());
    case SessionColumn::AllTokens:
    case SessionColumn::Input:
    case SessionColumn::CacheWrite:
    case SessionColumn::CacheRead:
        break;
    }
    return countText(static_cast<double>(tokensOf(node, column)));
}

QString cellExact(const SessionTree& tree, const SessionNode& node, SessionColumn column) {
    switch (column) {
    case SessionColumn::Name:
        return text(node.name);
    case SessionColumn::Start:
        return text(formatIso8601(node.firstTime));
    case SessionColumn::Duration:
        return node.hasDuration() ? QString::number(durationOf(node)) : QString();
    case SessionColumn::Turns:
        return hasTurns(node) ? QString::number(node.turns) : QString();
    case SessionColumn::Calls:
        return QString::number(node.totals.calls);
    case SessionColumn::Cost:
        return isPriced(node.totals)
                   ? QString::number(node.totals.costUsd, 'f', QLocale::FloatingPointShortest)
                   : QString();
    case SessionColumn::HitRate:
        return node.totals.toldContext() > 0 ? QString::number(node.totals.hitRate(), 'g', 6) : QString();
    case SessionColumn::Model:
        return modelList(tree, node, QStringLiteral(" "));
    default:
        return QString::number(tokensOf(node, column));
    }
}

Tip cellToolTip(const SessionTree& tree, const SessionNode& node, SessionColumn column) {
    switch (column) {
    case SessionColumn::Name:
        return nameToolTip(tree, node);
    case SessionColumn::Start:
        return isKnown(node.firstTime) ? secondOf(node.firstTime) : QString();
    case SessionColumn::Duration:
        return node.hasDuration() ? secondOf(node.firstTime) + QStringLiteral("\n") + secondOf(node.lastTime)
                                  : QString();
    case SessionColumn::Turns:
        return hasTurns(node) ? cellText(tree, node, column) : QString();
    case SessionColumn::Calls:
        return cellText(tree, node, column) + QStringLiteral(" calls") +
               (node.inheritedCalls > 0 ? QStringLiteral(", and %1 inherited, counted where they were made")
                                              .arg(exactText(static_cast<std::int64_t>(node.inheritedCalls)))
                                        : QString());
    case SessionColumn::AllTokens:
        return Tip::table({}, {{QStringLiteral("cache read"), exactText(node.totals.usage.cacheRead)},
                               {QStringLiteral("cache write"), exactText(node.totals.usage.cacheWrite)},
                               {QStringLiteral("input"), exactText(node.totals.usage.input)},
                               {QStringLiteral("output"), outputText(node.totals, true)},
                               {QStringLiteral("all"), exactText(node.tokens())}});
    case SessionColumn::Output: {
        const UsageTotals& t = node.totals;
        QString tip = outputText(t, true) + QStringLiteral(" tokens");
        if (t.callsFinalOutput < t.calls) {
            tip += QStringLiteral("\n%1 of %2 calls have an exact count, %3 a placeholder only")
                       .arg(exactText(static_cast<std::int64_t>(t.callsFinalOutput)),
                            exactText(static_cast<std::int64_t>(t.calls)),
                            exactText(static_cast<std::int64_t>(t.callsStartOnly)));
        }
        return tip;
    }
    case SessionColumn::Cost:
        return costToolTip(tree, node.totals);
    case SessionColumn::HitRate:
        return QStringLiteral("%1 of %2 prompt tokens")
            .arg(exactText(node.totals.usage.cacheRead), exactText(node.totals.usage.context()));
    case SessionColumn::Model:
        return modelList(tree, node, QStringLiteral("\n"));
    default:
        return exactText(tokensOf(node, column)) + QStringLiteral(" tokens");
    }
}

QVariant cellSortValue(const SessionTree& tree, const SessionNode& node, SessionColumn column) {
    switch (column) {
    case SessionColumn::Name:
        return text(node.name);
    case SessionColumn::Model:
        return node.models.empty() ? QString() : text(tree.corpus->models[node.models.front()]);
    case SessionColumn::Start:
        return isKnown(node.firstTime) ? QVariant::fromValue<qlonglong>(node.firstTime.ms) : QVariant();
    case SessionColumn::Duration:
        return node.hasDuration() ? QVariant::fromValue<qlonglong>(durationOf(node)) : QVariant();
    case SessionColumn::Turns:
        return QVariant::fromValue<qulonglong>(node.turns);
    case SessionColumn::Calls:
        return QVariant::fromValue<qulonglong>(node.totals.calls);
    case SessionColumn::Cost:
        return isPriced(node.totals) ? QVariant(node.totals.costUsd) : QVariant();
    case SessionColumn::HitRate:
        return node.totals.hitRate();
    default:
        return QVariant::fromValue<qlonglong>(tokensOf(node, column));
    }
}

} // namespace loadline::ui
