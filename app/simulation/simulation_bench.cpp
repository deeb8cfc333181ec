// When simulation pages are computed, previewed and refined.
#include "app/simulation/simulation_bench.h"

#include "core/simulate/run/schedule_memo.h"

#include <algorithm>
#include <utility>

namespace loadline::app {
namespace {

/// Figures that are outdated for less than this are not dimmed where only numbers changed, as on the other
/// pages; under a drag they never are (SimulationPage::dimsStale).
constexpr int staleAfterMs = 150;
/// A preview that has run for so long is given up for a newer question; later where only numbers changed, as
/// under a drag: charts would stand still until the hand rests.
constexpr int giveUpAfterMs = 120;
constexpr int giveUpDragAfterMs = 800;
/// Refining begins when the hand rests.
constexpr int restMs = 150;
/// Reading, a preview and refining that take longer say how far they are.
constexpr int silentMs = 200;
constexpr int progressMs = 100;
/// Refining that takes longer shows what it has so far.
constexpr int partlyAfterMs = 500;
/// Number of refined answers kept for questions that are asked again.
constexpr std::size_t mostRefined = 8;
/// Simulations are forgotten when nobody has asked for so long.
constexpr int forgetAfterMs = 5 * 60'000;

} // namespace

SimulationBench::SimulationBench(QObject* parent) : QObject(parent) {
    reused_.schedules = std::make_shared<ScheduleMemo>();
    for (QTimer* timer : {&refineTimer_, &staleTimer_, &restTimer_}) {
        timer->setSingleShot(true);
    }
    refineTimer_.setInterval(restMs);
    staleTimer_.setInterval(staleAfterMs);
    restTimer_.setInterval(forgetAfterMs);
    connect(&refineTimer_, &QTimer::timeout, this, &SimulationBench::startRefining);
    connect(&restTimer_, &QTimer::timeout, this, [this] { // its records take much memory
        reused_.schedules = std::make_shared<ScheduleMemo>();
    });
    connect(&staleTimer_, &QTimer::timeout, this, [this] { setStale(isOutdated()); });
    progressTimer_.setInterval(progressMs);
    connect(&progressTimer_, &QTimer::timeout, this, [this] {
        if (previewing_ && since_.elapsed() >= silentMs) {
            emit progressed(previewing_->share());
        } else if (progress_ && refining_.elapsed() >= silentMs) {
            emit progressed(progress_->share());
        }
        if (progress_ && refining_.elapsed() >= partlyAfterMs) {
            showPartial();
        }
    });
    readingTimer_.setInterval(progressMs);
    connect(&readingTimer_, &QTimer::timeout, this, [this] {
        const auto total = static_cast<double>(reading_->bytesTotal.load());
        if (total > 0 && sinceReading_.elapsed() >= silentMs) {
            emit progressed(std::min(1.0, static_cast<double>(reading_->bytesDone.load()) / total));
        }
    });
    const auto fail = [this](const Error& error) {
        endReading();
        giveUpPreview();
        judgeStale(); // what is shown stays the answer of an earlier question
        ended();
        emit failed(error);
    };
    sources_.onFailure(fail);
    preview_.onFailure(fail);
    refine_.onFailure(fail);
    other_.onFailure(fail);
}

SimulationBench::~SimulationBench() = default;

void SimulationBench::ask(const Study& study, const SimulationRequest& request, const Scoped& open) {
    SimulationQuestion question{&study, request, nullptr};
    restTimer_.stop();
    isExpected_ = false;
    open_ = open;
    auto reading = std::make_shared<Progress>();
    const bool begins = sources_.request(
        this, sourcesKey(request, open),
        [open, last = sources_.value(), reading](const SourcesKey& k, std::stop_token stop) {
            return sourcesOf(k.names, open, last.get(), stop, reading.get());
        },
        [this](const Sources& sources) {
            endReading();
            emit sourcesChanged(sources);
            if (asked_) {
                asked_->sources = sources;
                startPreview();
            }
        });
    if (begins) {
        beginReading(std::move(reading));
    }
    if (!sources_.isRunning()) {
        question.sources = sources_.value();
    }
    if (asked_ == question) {
        judgeStale();
        return;
    }
    dimsAtOnce_ =
        dimsAtOnce_ || !asked_ || asked_->study != &study || namesOf(asked_->request) != namesOf(request);
    asked_ = std::move(question);
    if (std::exchange(stopped_, std::nullopt)) {
        emit workingChanged(false); // nothing is stopped any more
    }
    refineTimer_.stop();
    ended();
    judgeStale();
    startPreview();
}

void SimulationBench::rest() {
    asked_.reset();
    restTimer_.start();
    giveUpPreview();
    refineTimer_.stop();
    ended();
    isExpected_ = dimsAtOnce_ = false;
    judgeStale();
}

void SimulationBench::beginReading(std::shared_ptr<Progress> progress) {
    reading_ = std::move(progress);
    sinceReading_.start();
    readingTimer_.start();
}

void SimulationBench::endReading() {
    readingTimer_.stop();
    if (std::exchange(reading_, nullptr)) {
        emit workingChanged(false);
    }
}

void SimulationBench::begun() {
    progress_ = std::make_shared<WorkProgress>();
    refining_.start();
    progressTimer_.start();
    emit workingChanged(true);
}

/// Stops what refines the answer, and says that nothing does any more.
void SimulationBench::ended() {
    const bool was = progress_ != nullptr;
    refine_.stop();
    other_.stop();
    progress_.reset();
    partial_.reset();
    if (!previewing_) {
        progressTimer_.stop();
    }
    if (was) {
        emit workingChanged(false);
    }
}

void SimulationBench::giveUpPreview() {
    preview_.stop();
    running_.reset();
    endPreview();
}

/// The preview is there, or was given up.
void SimulationBench::endPreview() {
    if (std::exchange(previewing_, nullptr)) {
        if (!progress_) {
            progressTimer_.stop();
        }
        emit workingChanged(false);
    }
}

void SimulationBench::stop() {
    refineTimer_.stop();
    stopped_ = asked_;
    if (reading_) {
        sources_.giveUp();
        endReading();
    }
    giveUpPreview();
    showPartial();
    ended();
}

void SimulationBench::resume() {
    stopped_.reset();
    if (asked_ && !asked_->sources) {
        ask(*asked_->study, SimulationRequest(asked_->request), Scoped(open_));
    } else if (asked_ && refined_ == asked_) {
        startOtherScope(shown(*asked_->study));
    } else if (asked_ && answered_ != asked_) {
        startPreview();
    } else {
        startRefining();
    }
}

bool SimulationBench::isAnswered() const {
    return asked_ && asked_->sources && answered_ == asked_;
}

bool SimulationBench::isSettled() const {
    return !asked_ || isAnswered();
}

bool SimulationBench::isRefined() const {
    return !asked_ || isStopped() || (asked_->sources && refined_ == asked_ && !other_.isRunning());
}

Simulated SimulationBench::shown(const Study& study) const {
    const auto found = shown_.find(&study);
    return found == shown_.end() ? nullptr : found->second;
}

void SimulationBench::startPreview() {
    if (!asked_ || !asked_->sources) {
        return;
    }
    if (answered_ == asked_) {
        giveUpPreview(); // of a question that was taken back
        if (refined_ != asked_ && !isStopped() && !refine_.isRunning()) {
            refineTimer_.start();
        }
        return;
    }
    if (const Simulated before = answeredBefore(*asked_)) {
        giveUpPreview();
        QMetaObject::invokeMethod(
            this, [this, before] { showAgain(before); }, Qt::QueuedConnection);
        return;
    }
    const bool isDrag = running_ && running_->study == asked_->study && running_->sources == asked_->sources;
    if (running_ && since_.elapsed() < (isDrag ? giveUpDragAfterMs : giveUpAfterMs)) {
        return; // its answer is nearly there; this one is next
    }
    running_ = asked_;
    since_.start();
    previewing_ = std::make_shared<WorkProgress>();
    progressTimer_.start();
    emit previewBegan();
    partial_ = partialAnswers(nullptr);
    preview_.start(
        this,
        [question = *asked_, reused = reused_, progress = previewing_,
         partial = partial_](std::stop_token stop) {
            return simulated(question, FigureStage::Preview, reused, stop, progress.get(), partial.get());
        },
        [this](SimulationShown shown) { take(std::move(shown), FigureStage::Preview); });
}

void SimulationBench::startRefining() {
    if (!asked_ || answered_ != asked_ || refined_ == asked_) {
        return;
    }
    begun();
    partial_ = partialAnswers(shown(*asked_->study));
    refine_.start(
        this,
        [question = *asked_, reused = reused_, progress = progress_,
         partial = partial_](std::stop_token stop) {
            return simulated(question, FigureStage::Refined, reused, stop, progress.get(), partial.get());
        },
        [this](SimulationShown shown) { take(std::move(shown), FigureStage::Refined); });
}

void SimulationBench::startOtherScope(const Simulated& shown) {
    if (!shown || shown->error || !shown->question.study->hasOtherScope || !shown->otherCrossovers.empty()) {
        return;
    }
    begun();
    other_.start(
        this,
        [shown = *shown, reused = reused_, progress = progress_](std::stop_token stop) {
            return withOtherScope(shown, reused, stop, progress.get());
        },
        [this](SimulationShown answer) {
            ended();
            const Simulated value = shareValue(std::move(answer));
            shown_[value->question.study] = value;
            keepRefined(value);
            emit answered(value);
        });
}

/// A refined answer, else the one that the study's page still shows; a preview without its curves is none.
Simulated SimulationBench::answeredBefore(const SimulationQuestion& question) const {
    const auto found = std::ranges::find_if(
        refinedBefore_, [&](const Simulated& shown) { return shown->question == question; });
    if (found != refinedBefore_.end()) {
        return *found;
    }
    const Simulated last = shown(*question.study);
    const bool isBegun =
        last && last->isPartly && last->simulator && last->simulator->stage == FigureStage::Preview;
    return last && last->question == question && !isBegun ? last : nullptr;
}

/// Keeps a refined answer for questions that are asked again; recordings of steps are too large for that.
void SimulationBench::keepRefined(const Simulated& shown) {
    if (shown->error || shown->question.study->quantities == nullptr) {
        return;
    }
    std::erase_if(refinedBefore_, [&](const Simulated& kept) { return kept->question == shown->question; });
    refinedBefore_.push_back(shown);
    if (refinedBefore_.size() > mostRefined) {
        refinedBefore_.erase(refinedBefore_.begin());
    }
}

void SimulationBench::showAgain(const Simulated& shown) {
    if (!asked_ || *asked_ != shown->question || answered_ == asked_) {
        return;
    }
    const bool isRefined = shown->stage == FigureStage::Refined || shown->error;
    answered_ = shown->question;
    refined_ = isRefined ? answered_ : refined_;
    shown_[shown->question.study] = shown;
    judgeStale();
    emit answered(shown);
    if (isAnswered() && isRefined) {
        startOtherScope(this->shown(*shown->question.study));
    } else if (isAnswered() && !isStopped()) {
        refineTimer_.start();
    }
}

void SimulationBench::take(SimulationShown shown, FigureStage stage) {
    const bool refined = stage == FigureStage::Refined || shown.error;
    answered_ = shown.question;
    if (stage == FigureStage::Preview) {
        running_.reset();
        partial_.reset();
    }
    if (refined) {
        refined_ = shown.question;
        ended();
    }
    if (shown.simulator) {
        reused_.tables = shown.simulator->inputs.tables;
    }
    keepCurves(shown);
    const Simulated value = shareValue(std::move(shown));
    shown_[value->question.study] = value;
    if (refined) {
        keepRefined(value);
    }
    if (!dimsAtOnce_) { // a newer number's answer is waited for anew
        staleTimer_.stop();
        setStale(false);
    }
    judgeStale();
    emit answered(value);
    startPreview();
    if (!running_) { // else the next one goes on
        endPreview();
    }
    if (refined && refined_ == asked_) {
        startOtherScope(value);
    }
}

} // namespace loadline::app
