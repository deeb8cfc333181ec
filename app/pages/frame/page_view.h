// Interface of every page for the window's commands that act on "the page".
#pragma once

#include "app/chart/chart_request.h"
#include "app/workbench/workbench.h"
#include "ui/chart/frame/chart_frame.h"
#include "ui/panel/part/status_line.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <initializer_list>
#include <span>
#include <vector>

namespace loadline::app {

/// A page listens to the workbench and writes to it; it knows no other page.
class PageView : public QWidget {
    Q_OBJECT

public:
    explicit PageView(Workbench& workbench) : workbench_(workbench) {}

    virtual void setTheme(ui::ThemeKind kind) { frame_->setTheme(kind); }

    /// The chart that export, copy and the table twin mean.
    [[nodiscard]] ui::ChartFrame* frame() const { return frame_; }

    /// Returns the request that makes this page's chart again.
    [[nodiscard]] virtual ChartRequest request() const = 0;

    /// Returns the requests that make all charts of this page again, in their order.
    [[nodiscard]] virtual std::vector<ChartRequest> requests() const { return {request()}; }

    /// Whether an outdated chart is dimmed; not while it follows a hand.
    [[nodiscard]] virtual bool dimsStale() const { return true; }

    virtual void zoomIn() {}

    virtual void zoomOut() {}

    virtual void fit() {}

    /// Sizes in pixels of parts that the user may resize, for the next start; none: there are none.
    [[nodiscard]] virtual QList<int> parts() const { return {}; }

    virtual void setParts(const QList<int>& /*sizes*/) {}

signals:
    void exportRequested(const loadline::app::ChartRequest& request, const QString& format);
    /// All charts of the page as one picture.
    void pageExportRequested(const QString& format);
    void copyRequested(const loadline::app::ChartRequest& request);
    /// The thing under the cursor in exact words, for the status line; "" when it leaves.
    void hovered(const QString& words);
    /// Emitted with a message for the status line, such as a side effect of a change.
    void said(const QString& words);

protected:
    [[nodiscard]] Workbench& workbench() const { return workbench_; }

    /// Frames the chart, for the page to put somewhere; the frame's buttons become this page's signals,
    /// staleness and, on pages of sessions, the empty state follow the workbench.
    void install(QWidget* chart, Page page);
    /// A drag of `source`, a grid of charts or a form, that is cancelled takes back what it changed.
    template <typename Source>
    void connectDrags(const Source* source) {
        connect(source, &Source::dragBegan, &workbench_, &Workbench::beginDrag);
        connect(source, &Source::dragCancelled, this, [this] {
            workbench_.cancelDrag();
            letGo();
        });
    }
    /// The hand is off what it dragged: nothing is held still for it any more.
    virtual void letGo() {}

    /// Calls `show` with each figure of the page.
    template <typename Figure, typename Show>
    void follow(Page page, Show show) {
        connect(&workbench_, &Workbench::figureChanged, this, [page, show](Page which, const AnyFigure& any) {
            if (which == page) {
                if (const auto figure = any.as<Figure>()) {
                    show(figure);
                }
            }
        });
    }

    /// One step of undo: `set` changes what is asked.
    template <typename Set>
    void choose(const QString& what, const Set& set) {
        Asked next = workbench_.state().asked;
        set(next);
        workbench_.setAsked(next, what);
    }

    /// Says why there is nothing to see: nothing in scope, or nothing loaded.
    void showNothing() const;
    /// Puts controls into the frame's row; they wrap where it is too narrow for them.
    void addControls(std::initializer_list<QWidget*> controls) const;

    ui::ChartFrame* frame_ = nullptr;

private:
    void explain();
    void showReading(const LoadProgress& now) const;

    Workbench& workbench_;
};

/// How far a load is, for its sentence.
ui::LoadingState stateOf(const LoadProgress& now);

/// A label in muted ink for a control.
QWidget* labelled(const QString& text, QWidget* control);

/// Narrows the scope to a row of a composition: a day, model or project; a session is shown over time.
void openRow(Workbench& workbench, CompositionGroup group, const QString& key);

/// Chooses rows of a composition, to be summed.
void chooseRows(Workbench& workbench, CompositionGroup group, const QStringList& keys);
/// The keys of the chosen rows where they are of this group.
QStringList keysOf(const std::optional<ChosenRows>& rows, CompositionGroup group);
/// Between rows of a composition's table and their keys; its last row, the sum of all, is none.
QStringList keysOf(const Composition& figure, const QList<int>& tableRows);
QList<int> rowsOf(const Composition& figure, const QStringList& keys);

/// Returns the window's content as a request: the paths that are open, the scope and the options.
ChartRequest requestOf(Workbench& workbench, const ChartSpec& chart);

} // namespace loadline::app
