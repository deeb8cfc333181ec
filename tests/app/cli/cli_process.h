// The program as a process, for tests of the command line.
#pragma once

#include "tests/strict_json.h"

#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTest>
#include <sys/types.h>

#include <csignal>

namespace loadline::app {

struct Ended {
    int status = -1;
    QByteArray out;
    QByteArray err;

    /// What was printed, which has to be strict JSON whose shares are within 0..1; else nothing.
    [[nodiscard]] QJsonObject json() const {
        if (const std::string problem = test::documentProblem(out.toStdString()); !problem.empty()) {
            qWarning("not a document: %s", problem.c_str());
            return {};
        }
        return QJsonDocument::fromJson(out).object();
    }
};

inline Ended runLoadline(const QStringList& arguments, const QString& outputFile = {},
                         const QString& program = QStringLiteral(LOADLINE_EXECUTABLE)) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.remove(QStringLiteral("DISPLAY"));
    environment.remove(QStringLiteral("WAYLAND_DISPLAY"));
    environment.remove(QStringLiteral("QT_QPA_PLATFORM"));
    process.setProcessEnvironment(environment);
    if (!outputFile.isEmpty()) {
        process.setStandardOutputFile(outputFile);
    }
    process.start(program, arguments);
    if (!process.waitForFinished(180'000) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// Returns the bytes of a file; none if it cannot be read.
inline QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Whether a process has a handler for Ctrl-C by now: before that it would just die of it.
inline bool listensForInterrupts(qint64 process) {
    QFile status(QStringLiteral("/proc/%1/status").arg(process));
    if (!status.open(QIODevice::ReadOnly)) {
        return false;
    }
    for (const QByteArray& line : status.readAll().split('\n')) {
        if (line.startsWith("SigCgt:")) {
            return ((line.mid(7).trimmed().toULongLong(nullptr, 16) >> (SIGINT - 1)) & 1U) != 0;
        }
    }
    return false;
}

/// To that process alone: one that has ended has the number 0, which stands for everybody's.
inline void sendSignal(const QProcess& process, int signal) {
    if (process.processId() > 0) {
        ::kill(static_cast<pid_t>(process.processId()), signal);
    }
}

/// Ctrl-C while it is busy. The status is -1 where it did not end by itself.
inline Ended interruptLoadline(const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral(LOADLINE_EXECUTABLE), arguments);
    if (!process.waitForStarted() ||
        !QTest::qWaitFor([&] { return listensForInterrupts(process.processId()); }, 20'000)) {
        return {};
    }
    QTest::qWait(300);
    sendSignal(process, SIGINT);
    if (!process.waitForFinished(20'000) || process.exitStatus() != QProcess::NormalExit) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

inline void writeFile(const QString& path, const QByteArray& content) {
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(content), content.size());
}

/// Options that a command does not take: one line that points to its help, nothing on standard output.
inline void refusesUsage(const QString& command, const QString& options) {
    const Ended ended = runLoadline(QStringList{command} + options.split(u' '));
    QCOMPARE(ended.status, 2);
    QVERIFY(ended.out.isEmpty());
    QVERIFY2(ended.err.startsWith("loadline " + command.toUtf8() + ": "), ended.err);
    QVERIFY2(ended.err.contains("--help"), ended.err);
}

/// The document of a command that ends well.
inline QJsonObject documentOf(const QStringList& arguments) {
    const Ended ended = runLoadline(arguments);
    if (ended.status != 0) {
        qWarning("%s", ended.err.constData());
    }
    return ended.json();
}

} // namespace loadline::app
