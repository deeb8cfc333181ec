// The jobs behind the simulation pages: names are read, a preview follows every change, then it is refined.
#pragma once

#include "app/job/any_figure.h"
#include "app/job/figure_job.h"
#include "app/simulation/partial_answers.h"
#include "app/simulation/simulation_sources.h"
#include "core/base/progress.h"
#include "core/simulate/answer/batch.h"
#include "core/simulate/answer/comparison.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/study/crossover.h"
#include "core/simulate/study/sensitivity.h"
#include "core/simulate/study/study_tables.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace loadline::app {

struct Study;

using Sources = std::shared_ptr<const SourcesShown>;

/// Everything a figure depends on: equal questions have equal answers.
struct SimulationQuestion {
    const Study* study = nullptr;
    SimulationRequest request;
    Sources sources;
    bool operator==(const SimulationQuestion&) const = default;
};

/// The answer: either `error` or what its study computes.
struct SimulationShown {
    SimulationQuestion question;
    std::optional<Error> error;
    FigureStage stage = FigureStage::Preview;
    /// A preview that is not complete yet, or that some of what is refined has come into.
    bool isPartly = false;
    AnyFigure figure;                                 ///< the study's own
    std::shared_ptr<const SimulatorFigure> simulator; ///< of settingStudy and paysStudy
    std::shared_ptr<const SweepResult> sweep;         ///< of crossoverStudy: curves of every k
    std::vector<Crossover> crossovers;
    std::shared_ptr<const SweepResult> otherSweep; ///< in the scope that is not chosen
    std::vector<Crossover> otherCrossovers;
    std::vector<CountedFact> counts; ///< of the setting that was asked for
    std::string otherWhyNot; ///< why there is none in that scope, in words; "" where there is or may be
};

using Simulated = std::shared_ptr<const SimulationShown>;

/// How far a study may go.
struct StudyRun {
    std::stop_token stop;
    WorkProgress* progress = nullptr;
    PartialAnswers* partial = nullptr; ///< what is refined goes there as it comes; null: nobody asks
};

/// A kind of simulated figure. Known by its address; pages and charts show parts of its answer.
struct Study {
    /// Fills `shown`, whose question and stage are there.
    void (*compute)(SimulationShown& shown, const SimulationInputs& inputs, const StudyRun& run) = nullptr;
    /// The numbers that are compared with the pinned answer's; null: none.
    std::vector<Quantity> (*quantities)(const SimulationShown& shown) = nullptr;
    const Study* pinnedAs = nullptr; ///< the pinned one's; null: nothing is drawn against it
    bool hasOtherScope = false;      ///< withOtherScope() follows
};

extern const Study settingStudy; ///< one setting, its neighbourhood
extern const Study crossoverStudy;
extern const Study paysStudy;      ///< its own: WhatPays
extern const Study batchStudy;     ///< its own: BatchRecording
extern const Study publishedStudy; ///< its own: StudyTables

/// Parts of earlier figures, reused if they fit.
struct Reused {
    std::shared_ptr<const CostTables> tables;
    std::shared_ptr<ScheduleMemo> schedules;
};

/// The answer, computed on a worker thread.
SimulationShown simulated(const SimulationQuestion& question, FigureStage stage, Reused reused,
                          std::stop_token stop, WorkProgress* progress = nullptr,
                          PartialAnswers* partial = nullptr);
/// A refined answer of crossoverStudy with the crossovers of the other scope beside: of whole steps where
/// GEMMs alone were asked for, and the other way round.
SimulationShown withOtherScope(SimulationShown shown, Reused reused, std::stop_token stop,
                               WorkProgress* progress = nullptr);

/// Refines the visible page's question; the last refined answers are kept and not computed again. The newest
/// question wins, but one that is nearly answered is finished first: under a drag that is faster than the
/// preview, charts would otherwise stand still.
class SimulationBench : public QObject {
    Q_OBJECT

public:
    explicit SimulationBench(QObject* parent = nullptr);
    ~SimulationBench() override;

    /// Sets the question of the visible page. `open`: the sessions in scope, null without any.
    void ask(const Study& study, const SimulationRequest& request, const Scoped& open);
    /// Marks what is shown as outdated: the question is asked once the sessions in scope are selected.
    void expect();
    /// Nothing is asked for: no simulation page is visible.
    void rest();

    /// Whether the preview of what was asked for last is there.
    [[nodiscard]] bool isSettled() const;
    /// True if what was asked for last has an answer, a preview or refined.
    [[nodiscard]] bool isAnswered() const;
    /// Whether nothing is under way any more: the refined answer is there, too, or was not wanted.
    [[nodiscard]] bool isRefined() const;

    /// True if the visible page shows the answer of another question, and has for long enough to be dimmed.
    [[nodiscard]] bool isStale() const { return stale_; }

    /// Whether the workload is being read.
    [[nodiscard]] bool isReading() const { return reading_ != nullptr; }

    /// Gives up what is under way: reading, the preview, or refining it; resume() takes it up again.
    void stop();
    void resume();

    /// Whether what was asked for last was given up.
    [[nodiscard]] bool isStopped() const { return asked_ && stopped_ == asked_; }

    [[nodiscard]] const Sources& sources() const { return sources_.value(); }

    /// The study's last answer; null before the first.
    [[nodiscard]] Simulated shown(const Study& study) const;

signals:
    void sourcesChanged(const loadline::app::Sources& sources);
    void answered(const loadline::app::Simulated& shown);
    /// The figures have been outdated for long enough to be dimmed, or are up to date again. At once where
    /// the page, the model, the device or the workload is another.
    void staleChanged(bool stale);
    void previewBegan();
    /// Refining begins; or it, a preview or reading is over.
    void workingChanged(bool working);
    /// Reading, the preview or refining takes longer than a moment: its share that is done, 0 if not known.
    void progressed(double share);
    void failed(const loadline::Error& error);

private:
    void startPreview();
    void startRefining();
    void startOtherScope(const Simulated& shown);
    void beginReading(std::shared_ptr<Progress> progress);
    void endReading();
    void begun();
    void ended();
    void endPreview();
    void giveUpPreview();
    void take(SimulationShown shown, FigureStage stage);
    void showPartial();
    [[nodiscard]] bool followsSoon(const SimulationShown& shown) const;
    [[nodiscard]] std::shared_ptr<PartialAnswers> partialAnswers(const Simulated& preview);
    [[nodiscard]] bool isOutdated() const;
    void judgeStale();
    void setStale(bool stale);
    void keepCurves(SimulationShown& shown) const;
    void keepRefined(const Simulated& shown);
    [[nodiscard]] Simulated answeredBefore(const SimulationQuestion& question) const;
    void showAgain(const Simulated& shown);

    FigureJob<SourcesKey, SourcesShown> sources_;
    LatestJob preview_;
    LatestJob refine_, other_;
    Scoped open_;                             ///< what was asked for last speaks of
    std::optional<SimulationQuestion> asked_; ///< sources missing while they are read
    std::optional<SimulationQuestion> running_, answered_, refined_, stopped_;
    QElapsedTimer since_; ///< of the running preview
    QElapsedTimer refining_;
    std::shared_ptr<WorkProgress> previewing_; ///< of the preview that is under way
    std::shared_ptr<WorkProgress> progress_;   ///< of the refining that is under way
    std::shared_ptr<PartialAnswers> partial_;  ///< of the preview or the refining that is under way
    QElapsedTimer sinceReading_;
    std::shared_ptr<Progress> reading_; ///< of the workload that is being read
    QTimer readingTimer_;
    QTimer refineTimer_, staleTimer_, progressTimer_, restTimer_;
    bool stale_ = false;
    bool dimsAtOnce_ = false; ///< the page, model, device or workload is another, and its answer is not there
    bool isExpected_ = false; ///< set by expect() until the question is asked
    std::map<const Study*, Simulated> shown_;
    std::vector<Simulated> refinedBefore_; ///< the last ones, the newest last
    Reused reused_;
};

} // namespace loadline::app
