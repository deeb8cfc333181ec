// One load: find, read, combine; partial corpora are combined beside the reading, never in its way.
#include "app/job/loader.h"

#include "app/job/shared_value.h"
#include "app/options/price_option.h"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace loadline::app {
namespace {

constexpr int pollMs = 50;
constexpr qint64 rateAfterMs = 250; ///< a rate means little before
/// A partial corpus may cost at most this share of the time between two of them.
constexpr qint64 restPerPartial = 4;

bool byPath(const std::shared_ptr<const SessionFile>& a, const std::shared_ptr<const SessionFile>& b) {
    return a->path < b->path;
}

/// Takes the files that were read before, at the same size, out of `found`.
std::vector<std::shared_ptr<const SessionFile>> takeRead(FoundFiles& found, const Corpus* before) {
    std::vector<std::shared_ptr<const SessionFile>> kept;
    if (!before) {
        return kept;
    }
    std::unordered_map<std::string_view, const std::shared_ptr<const SessionFile>*> known;
    for (const FileInCorpus& entry : before->files) {
        known.emplace(entry.file->path, &entry.file);
    }
    std::erase_if(found.files, [&](const FoundFile& file) {
        const auto it = known.find(file.path);
        const bool same = it != known.end() && (*it->second)->bytes == file.bytes;
        if (same) {
            kept.push_back(*it->second);
        }
        return same;
    });
    return kept;
}

SessionFiles merged(SessionFiles read, std::vector<std::shared_ptr<const SessionFile>> kept) {
    for (auto& file : kept) {
        read.bytes += file->bytes;
        read.files.push_back(std::move(file));
    }
    std::sort(read.files.begin(), read.files.end(), byPath);
    return read;
}

} // namespace

/// State that the reading threads and the window share during one load.
struct Loader::Batch {
    Progress progress;
    std::atomic<LoadPhase> phase = LoadPhase::Finding;
    std::stop_source cancel;
    qint64 readingSinceMs = -1; ///< GUI thread only

    std::mutex mutex;
    std::vector<std::shared_ptr<const SessionFile>> files; ///< complete ones so far; guarded
    bool grown = false;                                    ///< since the last partial corpus; guarded

    void append(std::vector<std::shared_ptr<const SessionFile>> more) {
        const std::scoped_lock lock(mutex);
        grown = grown || !more.empty();
        files.insert(files.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    }
};

Loader::Loader(QObject* parent) : QObject(parent) {
    timer_.setInterval(pollMs);
    connect(&timer_, &QTimer::timeout, this, &Loader::tick);
    const auto fail = [this](const Error& error) {
        combining_.stop();
        timer_.stop();
        batch_.reset();
        emit failed(error);
    };
    reading_.onFailure(fail);
    combining_.onFailure([](const Error&) {}); // the final corpus tells, if there is too little memory
}

Loader::~Loader() {
    if (batch_) {
        batch_->cancel.request_stop();
    }
}

void Loader::open(std::vector<std::string> paths) {
    paths_ = std::move(paths);
    start(nullptr);
}

void Loader::add(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        if (std::find(paths_.begin(), paths_.end(), path) == paths_.end()) {
            paths_.push_back(path);
        }
    }
    start(corpus_);
}

void Loader::reload() {
    if (!paths_.empty()) {
        start(nullptr);
    }
}

void Loader::setPartialEvery(std::chrono::milliseconds every) {
    partialEveryMs_ = every.count();
    timer_.setInterval(static_cast<int>(std::min<qint64>(partialEveryMs_, pollMs)));
}

void Loader::cancel() {
    if (batch_) {
        batch_->cancel.request_stop();
    }
}

void Loader::close() {
    reading_.stop();
    combining_.stop();
    timer_.stop();
    batch_.reset();
    corpus_.reset();
    paths_.clear();
}

void Loader::start(std::shared_ptr<const Corpus> reuse) {
    combining_.stop();
    batch_ = std::make_shared<Batch>();
    clock_.start();
    nextPartialMs_ = partialEveryMs_;
    timer_.start();
    emit started();

    auto work = [batch = batch_, paths = paths_, reuse = std::move(reuse)](std::stop_token replaced) {
        const std::stop_callback alsoCancel(replaced, [&batch] { batch->cancel.request_stop(); });
        const std::stop_token stop = batch->cancel.get_token();
        FoundFiles found = findSessionFiles(paths, stop);
        auto kept = takeRead(found, reuse.get());
        batch->append(kept);
        batch->phase = LoadPhase::Reading;
        ReadOptions options;
        options.onFile = [&batch](std::shared_ptr<const SessionFile> file) {
            batch->append({std::move(file)});
        };
        SessionFiles read = readSessionFiles(found, options, stop, batch->progress);
        read.complete = read.complete && !stop.stop_requested();
        batch->phase = LoadPhase::Combining;
        if (replaced.stop_requested()) {
            return std::shared_ptr<const Corpus>();
        }
        return shareValue(buildCorpus(merged(std::move(read), std::move(kept)), bundledPrices()));
    };
    reading_.start(this, std::move(work),
                   [this](std::shared_ptr<const Corpus> corpus) { finish(std::move(corpus)); });
}

void Loader::tick() {
    if (!batch_) {
        return;
    }
    LoadProgress now;
    now.phase = batch_->phase;
    now.bytesDone = batch_->progress.bytesDone;
    now.bytesTotal = batch_->progress.bytesTotal;
    now.filesDone = batch_->progress.filesDone;
    now.filesTotal = batch_->progress.filesTotal;
    now.elapsedMs = clock_.elapsed();
    if (now.phase != LoadPhase::Finding && batch_->readingSinceMs < 0) {
        batch_->readingSinceMs = now.elapsedMs;
    }
    if (const qint64 reading = now.elapsedMs - batch_->readingSinceMs;
        batch_->readingSinceMs >= 0 && reading > 0 && now.bytesDone > 0) {
        now.bytesPerSecond = static_cast<double>(now.bytesDone) * 1000.0 / static_cast<double>(reading);
        if (now.bytesTotal >= now.bytesDone && reading >= rateAfterMs) {
            now.leftMs = static_cast<std::int64_t>(static_cast<double>(now.bytesTotal - now.bytesDone) *
                                                   1000.0 / now.bytesPerSecond);
        }
    }
    emit progressed(now);
    if (clock_.elapsed() >= nextPartialMs_ && !combining_.isRunning()) {
        buildPartial();
    }
}

void Loader::buildPartial() {
    struct Partial {
        std::shared_ptr<const Corpus> corpus;
        qint64 tookMs = 0;
    };

    combining_.start(
        this,
        [batch = batch_](std::stop_token) {
            QElapsedTimer clock;
            clock.start();
            SessionFiles files;
            {
                const std::scoped_lock lock(batch->mutex);
                if (!std::exchange(batch->grown, false)) {
                    return Partial{};
                }
                files.files = batch->files;
            }
            for (const auto& file : files.files) {
                files.bytes += file->bytes;
            }
            files.complete = false;
            return Partial{shareValue(buildCorpus(merged(std::move(files), {}), bundledPrices())),
                           clock.elapsed()};
        },
        [this, batch = batch_](const Partial& partial) {
            if (batch != batch_) {
                return;
            }
            nextPartialMs_ = clock_.elapsed() + std::max(partialEveryMs_, restPerPartial * partial.tookMs);
            if (!partial.corpus) {
                return;
            }
            corpus_ = partial.corpus;
            emit corpusReady(corpus_, false);
        });
}

void Loader::finish(std::shared_ptr<const Corpus> corpus) {
    combining_.stop();
    timer_.stop();
    const LoadOutcome outcome{corpus->files.size(), corpus->bytes, clock_.elapsed(), !corpus->complete};
    batch_.reset();
    corpus_ = std::move(corpus);
    emit corpusReady(corpus_, true);
    emit finished(outcome);
}

} // namespace loadline::app
