// Measuring in a child process, watched: whatever happens there, the window goes on and keeps the points.
#pragma once

#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/study/kernels_question.h"

#include <QByteArray>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline::app {

/// The request as arguments of the program, `bench` first.
QStringList argumentsOf(const BenchRequest& request);

enum class BenchEnd {
    Complete,  ///< everything that was planned
    Cancelled, ///< by cancel(); the points until then are there
    Failed,    ///< the child said why: run().error, or run().cut when there are points all the same
    Crashed,   ///< the child died
    Hung,      ///< the child told nothing for too long and was killed
};

/// One run at a time. Everything is on the owner's thread; nothing blocks.
class BenchJob : public QObject {
    Q_OBJECT

public:
    explicit BenchJob(QObject* parent = nullptr);
    /// Kills the child; nothing is told afterwards.
    ~BenchJob() override;
    BenchJob(const BenchJob&) = delete;
    BenchJob& operator=(const BenchJob&) = delete;
    BenchJob(BenchJob&&) = delete;
    BenchJob& operator=(BenchJob&&) = delete;

    /// Forgets the last run and starts this one. Precondition: not running.
    void start(const BenchRequest& request);
    /// Asks the child which devices there are: afterwards run().devices, and run().remarks says what is
    /// missing (no driver, no GPU, no cuBLAS). Precondition: not running.
    void listDevices();
    /// Asks the child to end, kills it after the grace time; `ended` follows. The points so far stay.
    void cancel();

    [[nodiscard]] bool isRunning() const { return process_ != nullptr; }

    /// Everything that was told; its profile holds the points so far, marked as cut until it is complete.
    [[nodiscard]] const BenchRun& run() const { return run_; }

    /// How the last run ended; nothing before the first end.
    [[nodiscard]] std::optional<BenchEnd> end() const { return end_; }

    /// Why it did not complete, in a sentence; empty where it did.
    [[nodiscard]] const QString& why() const { return why_; }

    /// From cancel() to killing; 3 s.
    void setGraceTime(std::chrono::milliseconds time) { grace_ = time; }

    /// Without an event for as long, the child hangs; 60 s.
    void setSilenceLimit(std::chrono::milliseconds limit) { silence_ = limit; }

    /// Another program than this one, for tests.
    void setProgram(const QString& program) { program_ = program; }

signals:
    /// run() has taken it in already.
    void reported(const loadline::BenchEvent& event);
    /// Once for each start, after everything that was told.
    void ended(loadline::app::BenchEnd end);

private:
    void launch(const QStringList& arguments);
    void readLines();
    void takeLine(const QByteArray& line);
    void onSilence();
    void finish(BenchEnd end, const QString& why);
    void onFinished(int exitCode, QProcess::ExitStatus status);

    QString program_;
    std::chrono::milliseconds grace_{3000};
    std::chrono::milliseconds silence_{60'000};

    QProcess* process_ = nullptr;
    QByteArray rest_; ///< of a line that has not ended
    QTimer silenceTimer_, graceTimer_;
    bool cancelled_ = false;
    bool hung_ = false;

    BenchRun run_;
    std::optional<BenchEnd> end_;
    QString why_;
};

} // namespace loadline::app
