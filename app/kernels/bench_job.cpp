// Starts the child, reads its lines, and notices when it is silent, dies or does not obey.
#include "app/kernels/bench_job.h"

#include "app/faces/field_options.h"
#include "core/cost/profile/bench_run.h"
#include "ui/theme/format.h"

#include <QCoreApplication>

#include <utility>

namespace loadline::app {
namespace {

constexpr qsizetype mostErrorText = 2000;

/// The last line of what a dying program said, without its name.
QString lastLine(const QByteArray& text) {
    QString line = QString::fromUtf8(text.trimmed());
    line = line.mid(line.lastIndexOf(u'\n') + 1);
    const QString name = QStringLiteral("loadline: ");
    return line.startsWith(name) ? line.mid(name.size()) : line;
}

} // namespace

QStringList argumentsOf(const BenchRequest& request) {
    QStringList arguments = {QStringLiteral("bench")};
    const BenchRequest usual;
    for (const ask::Field& field : benchFields()) {
        if (ask::textOf(field, &request) != ask::textOf(field, &usual)) {
            arguments << ui::listFromUtf8(optionWords(field, &request, &usual));
        }
    }
    return arguments << QStringLiteral("--json-lines") << QStringLiteral("--until-input-ends");
}

BenchJob::BenchJob(QObject* parent) : QObject(parent) {
    silenceTimer_.setSingleShot(true);
    graceTimer_.setSingleShot(true);
    connect(&silenceTimer_, &QTimer::timeout, this, &BenchJob::onSilence);
    connect(&graceTimer_, &QTimer::timeout, this, [this] {
        if (process_ != nullptr) {
            process_->kill();
        }
    });
}

BenchJob::~BenchJob() {
    if (process_ != nullptr) {
        process_->disconnect(this);
        process_->kill();
        process_->waitForFinished(1000); // a killed process ends at once; without waiting it stays a zombie
    }
}

void BenchJob::start(const BenchRequest& request) {
    launch(argumentsOf(request));
}

void BenchJob::listDevices() {
    launch({QStringLiteral("bench"), QStringLiteral("--list"), QStringLiteral("--json-lines")});
}

void BenchJob::launch(const QStringList& arguments) {
    Q_ASSERT(!isRunning());
    run_ = {};
    end_.reset();
    why_.clear();
    rest_.clear();
    cancelled_ = hung_ = false;
    process_ = new QProcess(this);
    connect(process_, &QProcess::readyReadStandardOutput, this, &BenchJob::readLines);
    connect(process_, &QProcess::finished, this, &BenchJob::onFinished);
    connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart) { // the only one that no `finished` follows
            finish(BenchEnd::Failed,
                   tr("The measuring process cannot be started: %1").arg(process_->errorString()));
        }
    });
    silenceTimer_.start(silence_);
    process_->start(program_.isEmpty() ? QCoreApplication::applicationFilePath() : program_, arguments);
}

void BenchJob::cancel() {
    if (process_ == nullptr || cancelled_) {
        return;
    }
    cancelled_ = true;
    process_->closeWriteChannel(); // the end of its input is the request on systems without signals
    process_->terminate();
    graceTimer_.start(grace_);
}

void BenchJob::onSilence() {
    hung_ = true;
    process_->kill();
}

void BenchJob::readLines() {
    silenceTimer_.start(silence_);
    rest_ += process_->readAllStandardOutput();
    qsizetype begin = 0;
    for (qsizetype end = rest_.indexOf('\n'); end >= 0; end = rest_.indexOf('\n', begin)) {
        takeLine(rest_.mid(begin, end - begin));
        begin = end + 1;
    }
    rest_.remove(0, begin);
}

void BenchJob::takeLine(const QByteArray& line) {
    const Result<BenchEvent> event =
        benchEventFromJson({line.constData(), static_cast<std::size_t>(line.size())});
    if (event) {
        apply(run_, *event);
        emit reported(*event);
    }
}

void BenchJob::onFinished(int exitCode, QProcess::ExitStatus status) {
    readLines();
    const QString said = lastLine(process_->readAllStandardError().right(mostErrorText));
    const bool listed = exitCode == 0 && status == QProcess::NormalExit && !run_.devices.empty() &&
                        run_.plan.points == 0 && !run_.error;
    if (listed || (run_.done && run_.cut.empty())) {
        finish(BenchEnd::Complete, {});
    } else if (hung_) {
        finish(BenchEnd::Hung, tr("The measuring process told nothing for %1 s and was ended.")
                                   .arg(static_cast<double>(silence_.count()) / 1000));
    } else if (cancelled_) {
        finish(BenchEnd::Cancelled, tr("Cancelled."));
    } else if (run_.done) {
        finish(BenchEnd::Failed, QString::fromStdString(run_.cut));
    } else if (run_.error) {
        finish(BenchEnd::Failed, QString::fromStdString(run_.error->sentence()));
    } else if (status == QProcess::CrashExit) {
        finish(BenchEnd::Crashed, tr("The measuring process crashed."));
    } else {
        finish(BenchEnd::Failed,
               said.isEmpty() ? tr("The measuring process ended with status %1.").arg(exitCode) : said);
    }
}

void BenchJob::finish(BenchEnd end, const QString& why) {
    silenceTimer_.stop();
    graceTimer_.stop();
    process_->deleteLater();
    process_ = nullptr;
    end_ = end;
    why_ = why;
    if (!run_.done && !run_.profile.device.empty() && end != BenchEnd::Complete) {
        markCut(run_.profile, why.toStdString());
    }
    emit ended(end);
}

} // namespace loadline::app
