// Studies: their questions, and the runner of the one that is shown.
#include "app/page/page_spec.h"
#include "app/study/study_sources.h"
#include "app/workbench/workbench.h"

#include <utility>

namespace loadline::app {

void Workbench::setQuestion(const ask::Study& study, const ask::Question& question, const QString& what,
                            bool finished) {
    WorkbenchState next = state_;
    next.questions.set(study, study.settled ? study.settled(state_.questions[study], question) : question);
    change(what, std::move(next), finished ? Merge::Parameter : Merge::Drag);
}

StudyRunner& Workbench::runner(const ask::Study& study) {
    std::unique_ptr<StudyRunner>& runner = runners_[&study];
    if (!runner) {
        runner = std::make_unique<StudyRunner>();
        connect(runner.get(), &StudyRunner::failed, this, &Workbench::failed);
        connect(runner.get(), &StudyRunner::answered, this, &Workbench::judgeStudy);
        connect(runner.get(), &StudyRunner::runningChanged, this, &Workbench::judgeStudy);
    }
    return *runner;
}

/// True if the page shows its own figure or answer of another question than what is asked.
bool Workbench::isOutdated() const {
    const PageSpec& page = specOf(state_.page);
    const auto runner = runners_.find(page.asks);
    return page.figure ? !isSettled() : runner != runners_.end() && runner->second->isBehind();
}

/// Dims the study's page a moment after its answer became one of an earlier question, and no longer.
void Workbench::judgeStudy() {
    if (!isOutdated()) {
        clearStale(state_.page);
    } else if (!staleTimer_.isActive()) {
        staleTimer_.start();
    }
}

/// Forgets the answers about sessions, which are closed.
void Workbench::clearStudies() {
    for (const auto& [study, runner] : runners_) {
        if (readsSessions(*study)) {
            runner->clear();
        }
    }
}

/// Asks anew, as profiles came or went.
void Workbench::renewStudies() {
    renewProfiles();
    refreshStudy();
}

/// The study of the page shown; the others rest.
void Workbench::refreshStudy() {
    const ask::Study* const asked = specOf(state_.page).asks;
    for (const auto& [study, runner] : runners_) {
        if (study != asked || (readsSessions(*study) && !scoped())) {
            runner->rest();
        }
    }
    if (asked && (!readsSessions(*asked) || (scoped() && !scoped_.isRunning()))) {
        runner(*asked).ask({asked, state_.questions[*asked], sourcesOf(*asked, scoped())});
        judgeStudy();
    }
}

} // namespace loadline::app
