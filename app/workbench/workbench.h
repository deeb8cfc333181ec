// The current values: what is loaded, what the user chose, and the figures that follow from both.
#pragma once

#include "app/asked/figures.h"
#include "app/job/figure_job.h"
#include "app/job/loader.h"
#include "app/kernels/kernel_bench.h"
#include "app/page/page_spec.h"
#include "app/simulation/pinned_bench.h"
#include "app/simulation/simulation_bench.h"
#include "app/study/study_runner.h"
#include "app/workbench/workbench_state.h"

#include <QString>
#include <QTimer>
#include <QUndoStack>

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace loadline::app {

/// Changes that follow each other quickly and have the same kind become one step of undo. Of a parameter:
/// those of the same name; a drag is one step however long it takes.
enum class Merge { Never, Zoom, Brush, Text, Parameter, Drag };

/// Conducts flow 1 and 2: loading, then scope, then the figure of the visible page; all work in jobs.
/// Figures of other pages are computed when their page is shown.
class Workbench : public QObject {
    Q_OBJECT

public:
    explicit Workbench(QObject* parent = nullptr);
    ~Workbench() override;

    [[nodiscard]] Loader& loader() { return loader_; }

    [[nodiscard]] QUndoStack& undoStack() { return undo_; }

    [[nodiscard]] const WorkbenchState& state() const { return state_; }

    [[nodiscard]] const std::shared_ptr<const Corpus>& corpus() const { return loader_.corpus(); }

    /// The corpus with the scope applied; a moment behind the state while it is computed. Null: nothing
    /// loaded.
    [[nodiscard]] const Scoped& scoped() const { return scoped_.value(); }

    /// The sum of the selection on a page of sessions; null before the first.
    [[nodiscard]] const std::shared_ptr<const SelectionShown>& selected() const { return selected_.value(); }

    /// The page's own figure that arrived last; null before the first.
    template <typename Figure>
    [[nodiscard]] std::shared_ptr<const Figure> shown(Page page) const {
        const auto& figure = figures_[indexOf(page)].value();
        return figure ? figure->as<Figure>() : nullptr;
    }

    /// How far the page's own figure is; null: it is not being computed.
    [[nodiscard]] std::shared_ptr<const PageProgress> progressOf(Page page) const {
        return figures_[indexOf(page)].isRunning() ? progress_[indexOf(page)] : nullptr;
    }

    /// Gives up what is computed for the page, until its question is another or computeAgain().
    void stopFigure(Page page);
    void computeAgain(Page page);

    /// The jobs of the simulation pages.
    [[nodiscard]] SimulationBench& simulation() { return simulation_; }

    /// Simulations that the shown ones are drawn against.
    [[nodiscard]] PinnedBench& pinnedSimulation() { return pinned_; }

    /// Devices, profiles and runs of the Kernels page.
    [[nodiscard]] KernelBench& kernels() { return kernels_; }

    /// The answers of a study, which are asked for while its page is shown.
    StudyRunner& runner(const ask::Study& study);

    /// The folder of the bundled sample, once it is known.
    void setSampleFolder(std::string folder) { sample_ = std::move(folder); }

    /// Whether the sample alone is open.
    [[nodiscard]] bool showsSample() const {
        return !sample_.empty() && loader_.paths() == std::vector<std::string>{sample_};
    }

    /// Whether everything that the visible page needs has arrived.
    [[nodiscard]] bool isSettled() const;

    /// The one way in: makes `next` the state. `what` names the step for undo ("Select sessions").
    void change(const QString& what, WorkbenchState next, Merge merge = Merge::Never);
    /// Remembers the state for cancelDrag().
    void beginDrag();
    /// Takes back every change since beginDrag(), and its step of undo.
    void cancelDrag();
    void showPage(Page page);
    void pin(std::optional<PinnedItem> item);

    /// Forgets everything that was loaded, and what is asked of it.
    void close();
    /// Sets choices without a step of undo (restored settings).
    void restore(WorkbenchState state);

    // Changes that several views make.
    void setScope(const Scope& scope, const QString& what, Merge merge = Merge::Never);
    void clearScope();
    /// `what` names the parameter for undo; not `finished`: in the middle of a drag.
    void setSimulation(const SimulationRequest& request, const QString& what, bool finished = true);
    /// Simulates this without a step of undo: for what ends with the request before, or with a step from it.
    void preview(const SimulationRequest& request);
    /// Sets the request that simulations are drawn against; nothing: they are drawn alone.
    void setAgainst(const std::optional<SimulationRequest>& request);
    /// Rows to be summed; none: nothing is chosen.
    void setRows(ChosenRows rows);
    /// Sets the questions of pages and charts beside the scope and the simulation.
    void setAsked(const Asked& asked, const QString& what, Merge merge = Merge::Never);
    /// The charts of caches speak of this file, archive or folder; it is read anew. `next`: what else
    /// changes.
    void openTrace(const std::string& path, WorkbenchState next);
    /// The Server log page speaks of these files as one log; they are read anew.
    void openLog(const std::vector<std::string>& files);
    void setKernels(const KernelsQuestion& view, const QString& what);
    /// `what` names the field for undo; not `finished`: in the middle of a drag.
    void setQuestion(const ask::Study& study, const ask::Question& question, const QString& what,
                     bool finished = true);
    /// Shows this session on the Timeline page.
    void openTimeline(const std::string& sessionKey);

signals:
    void stateChanged(const loadline::app::WorkbenchState& now);
    void corpusChanged(std::shared_ptr<const loadline::Corpus> corpus);
    void scopeApplied(std::shared_ptr<const loadline::app::ScopedCorpus> scoped);
    void treeChanged(std::shared_ptr<const loadline::SessionTree> tree);
    void selectedChanged(const std::shared_ptr<const loadline::app::SelectionShown>& selected);
    /// Emitted with a side effect of a change; undo takes back both.
    void said(const QString& words);
    /// PageSpec::figure of this page.
    void figureChanged(loadline::app::Page page, const loadline::app::AnyFigure& figure);
    /// The page's figure is being computed.
    void figureBegan(loadline::app::Page page);
    /// The page's figure has been outdated for long enough to say so, or is up to date again.
    void staleChanged(loadline::app::Page page, bool stale);
    void failed(const loadline::Error& error);

private:
    /// Returns the request bound to the sessions in scope now, whichever are in scope later.
    [[nodiscard]] SimulationRequest asPinned(SimulationRequest request) const;
    /// Returns the shown answer if it is refined and is the pinned one; else null.
    [[nodiscard]] Simulated pinnedAnswer() const;
    friend class StateCommand;
    void apply(WorkbenchState next);
    void corpusArrived(std::shared_ptr<const Corpus> corpus);
    void refresh();
    void refreshTree(TurnMethod method);
    void refreshPage() {
        refreshSimulation();
        refreshStudy();
        refreshFigure();
        refreshSelected();
    }
    void refreshFigure();
    void refreshSelected();
    void showSelected(const std::shared_ptr<const SelectionShown>& selected);
    void tellUndoable(const QString& words);
    void refreshSimulation();
    void refreshStudy();
    void clearStudies();
    void renewStudies();
    [[nodiscard]] bool isOutdated() const;
    void judgeStudy();
    void clearStale(Page page);

    struct TreeKey {
        std::shared_ptr<const Corpus> corpus;
        Scope scope;                             ///< without its choice of sessions
        TurnMethod method = TurnMethod::ApiCall; ///< matters only for a brush
        Zone clock = Zone::Utc;                  ///< of the words
        bool operator==(const TreeKey&) const = default;
    };

    struct ScopeKey {
        std::shared_ptr<const Corpus> corpus;
        Scope scope;
        TurnMethod method = TurnMethod::ApiCall; ///< matters only for a brush
        Zone clock = Zone::Utc;                  ///< of the words
        bool operator==(const ScopeKey&) const = default;
    };

    WorkbenchState state_;
    std::string sample_;
    QUndoStack undo_;

    struct Drag {
        WorkbenchState before;
        int steps = 0; ///< of undo, when it began
    };

    std::optional<Drag> drag_;
    QTimer staleTimer_;
    std::vector<char> stale_; ///< by page: true or false
    Loader loader_;
    FigureJob<TreeKey, SessionTree> tree_;
    FigureJob<ScopeKey, ScopedCorpus> scoped_;
    std::vector<FigureJob<PageQuestion, AnyFigure>> figures_;
    std::vector<std::shared_ptr<const PageProgress>> progress_;
    FigureJob<SelectionQuestion, SelectionShown> selected_;
    SimulationBench simulation_;
    KernelBench kernels_;
    PinnedBench pinned_;
    std::map<const ask::Study*, std::unique_ptr<StudyRunner>> runners_;
};

} // namespace loadline::app
