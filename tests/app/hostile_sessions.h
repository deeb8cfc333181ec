// Session folders whose every text is written against the reader.
#pragma once

#include "core/base/time.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

namespace made_up {

/// Texts that a careless window would open, draw as markup, turn around or send to a terminal. `bait`: a file
/// that nothing may open. "Hostile" stands in each.
inline QStringList hostileTexts(const QString& bait) {
    return {QString("<img src=\"%1\"><img src='file://%1'>Hostile").arg(bait),
            QString("<h1>Hostile</h1><a href=\"file://%1\">link</a>").arg(bait),
            QString("&lt;Hostile&gt; &amp; &copy &#x202e; <b>bold"),
            QString("\u202eHostile\u202c \u2066\u2069\u200f\u061c\ufeff\u2028"),
            QString("\x1b]0;Hostile\x07\x1b[2J\x1b[31m\u009b31m\b\x7f"),
            QString("Hostile\nnew line\r\nand\ttab &key"),
            QString("<style>@import url(%1);</style><body background=\"%1\">Hostile").arg(bait),
            "Hostile<b>" + QString(1'000'000, 'x')};
}

inline QByteArray hostileLine(QJsonObject record, int minute, const QString& cwd, const QString& branch) {
    record["sessionId"] = record["sessionId"].toString("00000000-0000-4000-8000-00000000000f");
    record["version"] = "2.0.1";
    record["cwd"] = cwd;
    record["gitBranch"] = branch;
    record["isSidechain"] = false;
    record["userType"] = "external";
    record["timestamp"] =
        QString::fromStdString(loadline::formatIso8601({1'768'000'000'000 + minute * 60'000LL}));
    return QJsonDocument(record).toJson(QJsonDocument::Compact) + '\n';
}

/// One session a text: its title, prompts, model, tool, project and branch are the text. Returns the folder.
inline QString writeHostile(const QString& root, const QString& bait) {
    const QString folder = root + "/projects/-Hostile <h1>&x\n\x1b[31m";
    QDir().mkpath(folder);
    int number = 0;
    for (const QString& text : hostileTexts(bait)) {
        const QString id = QString("%1 <b>Hostile\n&x").arg(++number);
        QFile file(folder + "/" + id + ".jsonl");
        if (!file.open(QIODevice::WriteOnly)) {
            return {};
        }
        int minute = number * 100;
        const auto write = [&](QJsonObject record) {
            record["sessionId"] = id;
            record["uuid"] = QString("u%1").arg(minute);
            file.write(hostileLine(std::move(record), minute++, "/home/me/" + text, text));
        };
        file.write(QJsonDocument(QJsonObject{{"type", "summary"}, {"summary", text}, {"leafUuid", "u0"}})
                       .toJson(QJsonDocument::Compact) +
                   '\n');
        for (int turn = 0; turn < 3; ++turn) {
            const QString tag = QString("%1_%2").arg(number).arg(turn);
            write({{"type", "user"}, {"message", QJsonObject{{"role", "user"}, {"content", text + tag}}}});
            const QJsonArray content{QJsonObject{{"type", "tool_use"},
                                                 {"id", "t" + tag},
                                                 {"name", text.left(3000)},
                                                 {"input", QJsonObject{{"x", text}}}}};
            write({{"type", "assistant"},
                   {"requestId", "r" + tag},
                   {"message", QJsonObject{{"id", "m" + tag},
                                           {"type", "message"},
                                           {"role", "assistant"},
                                           {"model", text},
                                           {"content", content},
                                           {"stop_reason", "end_turn"},
                                           {"usage", QJsonObject{{"input_tokens", 10 + number},
                                                                 {"cache_creation_input_tokens", 100},
                                                                 {"cache_read_input_tokens", 1000},
                                                                 {"output_tokens", 20}}}}}});
            const QJsonArray result{QJsonObject{
                {"type", "tool_result"}, {"tool_use_id", "t" + tag}, {"is_error", true}, {"content", text}}};
            write({{"type", "user"}, {"message", QJsonObject{{"role", "user"}, {"content", result}}}});
        }
        write({{"type", "system"}, {"subtype", "api_error"}, {"content", text}, {"level", "error"}});
        file.write("{\"type\":\"" + text.left(2000).toUtf8().replace('"', ' ') + "\n"); // broken
    }
    return root;
}

} // namespace made_up
