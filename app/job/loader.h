// Files and folders to a corpus, in the background: partial results while reading, progress, cancel.
#pragma once

#include "app/job/latest_job.h"
#include "core/base/progress.h"
#include "core/session/corpus/corpus.h"

#include <QElapsedTimer>
#include <QTimer>

#include <chrono>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::app {

enum class LoadPhase { Finding, Reading, Combining };

/// How far a load is, for the status line.
struct LoadProgress {
    LoadPhase phase = LoadPhase::Finding;
    std::uint64_t bytesDone = 0, bytesTotal = 0; ///< total is 0 while files are being found
    std::uint64_t filesDone = 0, filesTotal = 0;
    std::int64_t elapsedMs = 0;
    double bytesPerSecond = 0;          ///< mean since reading began; 0 before there is one
    std::optional<std::int64_t> leftMs; ///< at this rate; empty in the first moments
};

/// How a load ended. What was read is kept when it was cancelled.
struct LoadOutcome {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
    std::int64_t elapsedMs = 0;
    bool cancelled = false;
};

/// One load at a time: opening again while one is under way replaces it.
class Loader : public QObject {
    Q_OBJECT

public:
    explicit Loader(QObject* parent = nullptr);
    ~Loader() override;

    /// Reads these paths instead of what is loaded.
    void open(std::vector<std::string> paths);
    /// Reads these paths beside what is loaded; files read before are not read again.
    void add(const std::vector<std::string>& paths);
    /// Reads the same paths again.
    void reload();
    /// Ends the load early; what was read so far becomes the corpus, marked incomplete.
    void cancel();
    /// Forgets what is loaded; stops a load without a result.
    void close();

    /// How often partial corpora may come, at most; they also rest in proportion to what they cost.
    void setPartialEvery(std::chrono::milliseconds every);

    [[nodiscard]] bool isLoading() const { return batch_ != nullptr; }

    [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }

    [[nodiscard]] const std::shared_ptr<const Corpus>& corpus() const { return corpus_; }

signals:
    void started();
    /// A corpus of the files read so far (`isFinal` false), then of everything.
    void corpusReady(std::shared_ptr<const loadline::Corpus> corpus, bool isFinal);
    void progressed(const loadline::app::LoadProgress& progress);
    void finished(const loadline::app::LoadOutcome& outcome);
    void failed(const loadline::Error& error);

private:
    struct Batch;

    void start(std::shared_ptr<const Corpus> reuse);
    void tick();
    void buildPartial();
    void finish(std::shared_ptr<const Corpus> corpus);

    std::vector<std::string> paths_;
    std::shared_ptr<const Corpus> corpus_;
    std::shared_ptr<Batch> batch_; ///< of the load under way
    QElapsedTimer clock_;
    QTimer timer_;
    qint64 partialEveryMs_ = 250;
    qint64 nextPartialMs_ = 0;
    LatestJob reading_;
    LatestJob combining_{1};
};

} // namespace loadline::app
