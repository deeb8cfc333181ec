// A folder of made-up workloads for tests of simulate: a distribution, and sessions.
#pragma once

#include "tests/app/made_up_sessions.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

namespace made_up {

inline constexpr auto distribution = R"({"description": "made up", "sessions": 2,
    "input_tokens_per_turn": {"num_turns": 8, "freq": {"64": 0.5, "256": 0.5}},
    "generated_tokens_per_turn": {"num_turns": 8, "freq": {"4": 0.25, "16": 0.75}}})";

class WorkloadFolder {
protected:
    /// mine.json with `distribution`, and three sessions in sessions/alpha.
    void makeWorkloads() {
        QVERIFY(folder_.isValid());
        made("mine.json", distribution);
        QVERIFY(QDir(folder_.path()).mkpath("sessions/alpha"));
        for (const int number : {1, 2, 3}) {
            made("sessions/alpha/" + idOf(number) + ".jsonl",
                 textOf({number, 6, "alpha", "claude-made-up-1", {}}));
        }
    }

    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    QString made(const QString& name, const QByteArray& content) {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName();
    }

private:
    QTemporaryDir folder_;
};

} // namespace made_up
