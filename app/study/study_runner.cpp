// Newest question wins; a preview comes before what is refined, and is never shown after it.
#include "app/study/study_runner.h"

#include "core/ask/described.h"

#include <mutex>
#include <utility>

namespace loadline::app {
namespace {

constexpr int restMs = 150;           ///< after which the hand is at rest
constexpr int longestPreviewMs = 400; ///< one that takes longer is given up for a newer question
constexpr int progressMs = 100;       ///< how often progress and partial answers are looked at

/// The key of what is computed.
StudyKey computedOf(const StudyKey& key) {
    return {key.study, withoutView(*key.study, key.question), key.sources};
}

} // namespace

/// The newest partial answer, left by the worker.
struct StudyRunner::Partials {
    std::mutex mutex;
    ask::Answer newest;

    void put(ask::Answer answer) {
        const std::scoped_lock lock(mutex);
        newest = std::move(answer);
    }

    ask::Answer take() {
        const std::scoped_lock lock(mutex);
        return std::exchange(newest, nullptr);
    }
};

ask::Question withoutView(const ask::Study& study, ask::Question question) {
    const ask::Question defaults = study.defaults();
    for (const ask::Field& field : study.fields()) {
        if (field.traits.onlyView) {
            readText(field, textOf(field, defaults.data()), question.data());
        }
    }
    return question;
}

StudyShown shownOf(const StudyKey& key, Result<ask::Answer> answer, ask::Stage stage, bool isPartial) {
    StudyShown shown{key, stage, isPartial, nullptr, nullptr};
    ask::Report report;
    if (!answer) {
        report.problem = answer.error();
    } else if (*answer) {
        shown.answer = *answer;
        report = ask::described(*key.study, shown.answer, key.question);
    }
    shown.report = std::make_shared<const ask::Report>(std::move(report));
    return shown;
}

StudyRunner::StudyRunner(QObject* parent) : QObject(parent), job_(1) {
    restTimer_.setSingleShot(true);
    restTimer_.setInterval(restMs);
    progressTimer_.setInterval(progressMs);
    connect(&restTimer_, &QTimer::timeout, this, [this] {
        if (!job_.isRunning()) { // else once the preview is there
            start(ask::Stage::Refined);
        }
    });
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        takePartials();
        if (progress_) {
            emit progressed(progress_->share());
        }
        tellRunning();
    });
    job_.onFailure([this](const Error& error) {
        emit failed(error);
        tellRunning();
    });
}

StudyRunner::~StudyRunner() = default;

bool StudyRunner::isSettled() const {
    return !isRunning() && !restTimer_.isActive();
}

void StudyRunner::ask(const StudyKey& key) {
    if (asked_ == key) {
        return; // also where it was stopped
    }
    const bool isThere = shown_ && shown_->answer && computedOf(shown_->key) == computedOf(key);
    const bool isSame = asked_ ? computedOf(*asked_) == computedOf(key)
                               : isThere && shown_->stage == ask::Stage::Refined; // after a rest
    asked_ = key;
    if (isSame && isThere) {
        take(shownOf(key, shown_->answer, shown_->stage, shown_->isPartial)); // only the view is another
        return;
    }
    isStopped_ = false;
    if (!key.study->hasPreview) {
        start(ask::Stage::Refined);
        return;
    }
    restTimer_.start();
    const bool isNearlyThere =
        job_.isRunning() && stage_ == ask::Stage::Preview && since_.elapsed() < longestPreviewMs;
    if (!isNearlyThere) { // else charts would stand still under a drag that is faster than the preview
        start(ask::Stage::Preview);
    }
}

void StudyRunner::rest() {
    stop();
    isStopped_ = false;
    asked_.reset();
}

void StudyRunner::clear() {
    rest();
    shown_.reset();
    running_.reset();
    memory_.reset();
    remembered_ = nullptr;
}

bool StudyRunner::isBehind() const {
    return asked_ && (!shown_ || computedOf(shown_->key) != computedOf(*asked_));
}

void StudyRunner::stop() {
    isStopped_ = isStopped_ || !isSettled();
    restTimer_.stop();
    job_.stop();
    tellRunning();
}

void StudyRunner::resume() {
    if (asked_ && isStopped_) {
        isStopped_ = false;
        start(ask::Stage::Refined);
    }
}

void StudyRunner::start(ask::Stage stage) {
    if (!asked_) {
        return;
    }
    if (remembered_ != asked_->study) {
        remembered_ = asked_->study;
        memory_ = std::make_shared<std::any>();
    }
    progress_ = std::make_shared<WorkProgress>();
    partials_ = std::make_shared<Partials>();
    running_ = asked_;
    stage_ = stage;
    since_.start();
    job_.start(
        this,
        [key = *asked_, stage, progress = progress_, partials = partials_,
         memory = memory_](const std::stop_token& token) {
            ask::Run run{.stop = token, .progress = progress.get(), .stage = stage};
            run.partial = [partials](ask::Answer answer) { partials->put(std::move(answer)); };
            run.memory = memory.get();
            return shownOf(key, key.study->compute(computedOf(key).question, key.sources, run), stage, false);
        },
        [this](StudyShown shown) { deliver(std::move(shown)); });
    progressTimer_.start();
    tellRunning();
}

void StudyRunner::deliver(StudyShown shown) {
    const bool isOfAsked = asked_ && computedOf(*asked_) == computedOf(shown.key);
    const bool isPreview = shown.stage == ask::Stage::Preview;
    if (isOfAsked && shown.answer && *asked_ != shown.key) { // the view is another by now
        shown = shownOf(*asked_, shown.answer, shown.stage, false);
    }
    if (shown.answer || shown.report->problem) { // else it was stopped from within
        take(std::move(shown));
    }
    if (isPreview && asked_) {
        if (!isOfAsked) {
            start(ask::Stage::Preview); // of what the hand has set meanwhile
        } else if (!restTimer_.isActive()) {
            start(ask::Stage::Refined);
        }
    }
}

void StudyRunner::takePartials() {
    ask::Answer partial = partials_ ? partials_->take() : nullptr;
    if (partial && asked_ && running_ && isRunning() && computedOf(*asked_) == computedOf(*running_)) {
        take(shownOf(*asked_, std::move(partial), ask::Stage::Preview, true));
    }
}

void StudyRunner::take(StudyShown shown) {
    shown_ = std::make_shared<const StudyShown>(std::move(shown));
    emit answered(shown_);
    tellRunning();
}

void StudyRunner::tellRunning() {
    const bool running = !isSettled();
    if (!running) {
        progressTimer_.stop();
        progress_.reset();
        partials_.reset();
    }
    if (running != wasRunning_) {
        wasRunning_ = running;
        emit runningChanged(running);
    }
}

} // namespace loadline::app
