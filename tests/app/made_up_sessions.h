// Small session folders for tests of the window: what is in them is known to the token.
#pragma once

#include "core/base/time.h"

#include <QDir>
#include <QFile>
#include <QString>

#include <cstdint>

namespace made_up {

/// One session of `calls` API calls, a minute apart. Call number i (from 1) of session s has uncached input
/// 10, cache write 100 * s, cache read 1000 * i and output 20 * i. Every third call asks for a tool.
struct SessionPlan {
    int number = 1;
    int calls = 6;
    QString project = "alpha";
    QString model = "claude-made-up-1";
    QString oddLine; ///< written as it is before the last line
};

inline QByteArray stamp(int session, int minute, int ms = 0) {
    constexpr std::int64_t start = 1'768'000'000'000;
    const loadline::TimeMs time{start + session * 86'400'000LL + minute * 60'000LL + ms};
    return QByteArray::fromStdString(loadline::formatIso8601(time));
}

inline QString idOf(int session) {
    return QString("00000000-0000-4000-8000-%1").arg(session, 12, 10, QChar('0'));
}

/// The text of the session's file.
inline QByteArray textOf(const SessionPlan& plan) {
    const QByteArray id = idOf(plan.number).toLatin1();
    const QByteArray common = R"("sessionId":")" + id + R"(","version":"2.0.1","cwd":"/home/me/)" +
                              plan.project.toLatin1() + R"(","isSidechain":false,"userType":"external")";
    const auto uuid = [&](char kind, int i) {
        return QByteArray("\"uuid\":\"") + kind + QByteArray::number(plan.number * 100'000 + i) + "\"";
    };
    QByteArray text;
    for (int i = 1; i <= plan.calls; ++i) {
        const QByteArray n = QByteArray::number(i), s = QByteArray::number(plan.number);
        if (i % 2 == 1) {
            text += "{\"type\":\"user\"," + common + "," + uuid('u', i) + ",\"timestamp\":\"" +
                    stamp(plan.number, i) + "\",\"message\":{\"role\":\"user\",\"content\":\"question " + n +
                    " of session " + s + "\"}}\n";
        }
        if (i == plan.calls && !plan.oddLine.isEmpty()) {
            text += plan.oddLine.toUtf8() + "\n";
        }
        const QByteArray content = i % 3 == 0 ? "[{\"type\":\"tool_use\",\"id\":\"t" + s + "_" + n +
                                                    "\",\"name\":\"Bash\",\"input\":{\"command\":\"ls\"}}]"
                                              : "[{\"type\":\"text\",\"text\":\"answer " + n + "\"}]";
        text +=
            "{\"type\":\"assistant\"," + common + "," + uuid('a', i) + ",\"timestamp\":\"" +
            stamp(plan.number, i, 9000) + "\",\"requestId\":\"r" + s + "_" + n +
            "\",\"message\":{\"id\":\"m" + s + "_" + n +
            "\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"" + plan.model.toLatin1() +
            "\",\"content\":" + content +
            ",\"stop_reason\":\"end_turn\",\"usage\":{\"input_tokens\":10,\"cache_creation_input_tokens\":" +
            QByteArray::number(100 * plan.number) +
            ",\"cache_read_input_tokens\":" + QByteArray::number(1000 * i) +
            ",\"output_tokens\":" + QByteArray::number(20 * i) + "}}}\n";
        if (i % 3 == 0) {
            text += "{\"type\":\"user\"," + common + "," + uuid('r', i) + ",\"timestamp\":\"" +
                    stamp(plan.number, i, 14000) +
                    "\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":\"tool_result\",\"tool_use_"
                    "id\":\"t" +
                    s + "_" + n + "\",\"content\":\"a b c\"}]}}\n";
        }
    }
    return text;
}

/// Writes it below `root`; returns the path.
inline QString write(const QString& root, const SessionPlan& plan) {
    const QString folder = root + "/projects/-home-me-" + plan.project;
    QDir().mkpath(folder);
    QString path = folder + '/' + idOf(plan.number) + ".jsonl";
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly)) {
        return {};
    }
    file.write(textOf(plan));
    return path;
}

/// Three sessions in two projects with 6, 12 and 18 calls: the third used most tokens.
inline void writeThree(const QString& root) {
    write(root, {1, 6, "alpha", "claude-made-up-1", {}});
    write(root, {2, 12, "alpha", "claude-made-up-1", {}});
    write(root, {3, 18, "beta", "claude-made-up-2", {}});
}

/// A session of 6 calls, with a sub-agent of 4.
inline bool writeWithASubAgent(const QString& root) {
    const QString main = write(root, {1, 6, "alpha", "claude-made-up-1", {}});
    QByteArray text = textOf({9, 4, "alpha", "claude-made-up-1", {}});
    text.replace(idOf(9).toLatin1(), idOf(1).toLatin1());
    text.replace("\"isSidechain\":false", "\"isSidechain\":true,\"agentId\":\"a1\"");
    const QString folder = main.chopped(6) + "/subagents";
    QFile file(folder + "/agent-a1.jsonl");
    return QDir().mkpath(folder) && file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

/// Three sessions, but the twelfth call of the third session reads nothing of what the one before had left;
/// whether it was written.
inline bool writeThreeWithABreak(const QString& root) {
    writeThree(root);
    QByteArray text = textOf({3, 18, "beta", "claude-made-up-2", {}});
    text.replace("\"cache_creation_input_tokens\":300,\"cache_read_input_tokens\":12000",
                 "\"cache_creation_input_tokens\":12300,\"cache_read_input_tokens\":0");
    QFile file(root + "/projects/-home-me-beta/" + idOf(3) + ".jsonl");
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace made_up
