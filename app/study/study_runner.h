// The one runner of studies: a preview after every change, then refined; stop, progress, partial answers.
#pragma once

#include "app/job/latest_job.h"
#include "core/ask/study.h"
#include "core/base/progress.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <any>
#include <memory>
#include <optional>
#include <vector>

namespace loadline::app {

/// The key of a report: equal keys have equal answers.
struct StudyKey {
    const ask::Study* study = nullptr;
    ask::Question question;
    ask::Sources sources;
    bool operator==(const StudyKey&) const = default;
};

/// A report and how far it is.
struct StudyShown {
    StudyKey key; ///< as asked, view fields included
    ask::Stage stage = ask::Stage::Refined;
    bool isPartial = false;                    ///< more of it is on its way
    ask::Answer answer;                        ///< null where the report is a problem
    std::shared_ptr<const ask::Report> report; ///< never null
};

using StudyAnswer = std::shared_ptr<const StudyShown>;

/// The question with the fields that are only view at their defaults: what is computed does not depend on
/// them.
ask::Question withoutView(const ask::Study& study, ask::Question question);

/// Describes an answer; a failed one becomes a report with its problem.
StudyShown shownOf(const StudyKey& key, Result<ask::Answer> answer, ask::Stage stage, bool isPartial);

class StudyRunner : public QObject {
    Q_OBJECT

public:
    explicit StudyRunner(QObject* parent = nullptr);
    ~StudyRunner() override;

    /// Asks for the answer; what was asked before is given up. Where only view fields differ from the answer
    /// that is there, it is described anew at once, and nothing is computed.
    void ask(const StudyKey& key);
    /// Nothing is asked for any more; what was answered stays.
    void rest();

    /// Stops, and forgets the question and its answer.
    void clear();

    /// Gives up what is under way, until another question or resume().
    void stop();
    void resume();

    [[nodiscard]] bool isRunning() const { return job_.isRunning(); }

    [[nodiscard]] bool isStopped() const { return isStopped_; }

    /// True if what is shown answers another question than what is asked, whatever only the view changes.
    [[nodiscard]] bool isBehind() const;

    /// True if nothing is under way or waiting: the refined answer is there, or was given up.
    [[nodiscard]] bool isSettled() const;

    /// The last answer, of whatever was asked then; null before the first.
    [[nodiscard]] const StudyAnswer& shown() const { return shown_; }

signals:
    void answered(const loadline::app::StudyAnswer& shown);
    /// The share that is done; of what takes longer than a moment.
    void progressed(double share);
    void runningChanged(bool running);
    void failed(const loadline::Error& error);

private:
    void start(ask::Stage stage);
    void deliver(StudyShown shown);
    void take(StudyShown shown);
    void takePartials();
    void tellRunning();

    struct Partials;

    std::optional<StudyKey> asked_;   ///< view fields as asked
    std::optional<StudyKey> running_; ///< the same of what is under way
    StudyAnswer shown_;
    LatestJob job_; ///< one thread: what a study remembers is one worker's at a time
    ask::Stage stage_ = ask::Stage::Refined;
    QElapsedTimer since_; ///< of what is under way
    QTimer restTimer_;    ///< after the last change the hand is at rest: refine
    QTimer progressTimer_;
    std::shared_ptr<WorkProgress> progress_; ///< of what is under way
    std::shared_ptr<Partials> partials_;
    std::shared_ptr<std::any> memory_; ///< of the study that was run last
    const ask::Study* remembered_ = nullptr;
    bool isStopped_ = false;
    bool wasRunning_ = false;
};

} // namespace loadline::app
