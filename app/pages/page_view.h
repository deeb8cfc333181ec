// What every page of the window offers to the commands that act on "the page".
#pragma once

#include "app/chart/chart_request.h"
#include "app/workbench.h"
#include "ui/chart/chart_frame.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <initializer_list>

namespace loadline::app {

/// A page listens to the workbench and writes to it; it knows no other page.
class PageView : public QWidget {
    Q_OBJECT

public:
    explicit PageView(Workbench& workbench) : workbench_(workbench) {}

    virtual void setTheme(ui::ThemeKind kind) = 0;
    /// The chart that export, copy and the table twin mean.
    [[nodiscard]] virtual ui::ChartFrame* frame() const = 0;
    /// What makes this page's chart again.
    [[nodiscard]] virtual ChartRequest request() const = 0;

    virtual void zoomIn() {}

    virtual void zoomOut() {}

    virtual void fit() {}

    /// Sizes in pixels of parts that the user may resize, for the next start; none: there are none.
    [[nodiscard]] virtual QList<int> parts() const { return {}; }

    virtual void setParts(const QList<int>& /*sizes*/) {}

signals:
    void exportRequested(const loadline::app::ChartRequest& request, const QString& format);
    void copyRequested(const loadline::app::ChartRequest& request);
    /// The thing under the cursor in exact words, for the status line; "" when it leaves.
    void hovered(const QString& words);
    /// What a change has brought about beside what was asked for, for the status line.
    void said(const QString& words);

protected:
    [[nodiscard]] Workbench& workbench() const { return workbench_; }

    /// Puts the frame on the page; its buttons become this page's signals, staleness and the empty state
    /// follow the workbench.
    void install(ui::ChartFrame& frame, Page page);
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

    /// One step of undo.
    template <typename T>
    void choose(const QString& what, const Choice<T>& choice, const std::type_identity_t<T>& value) {
        Choices next = workbench_.state().choices;
        next.set(choice, value);
        workbench_.setChoices(next, what);
    }

    /// Says why there is nothing to see: nothing in scope, or nothing loaded.
    void showNothing(ui::ChartFrame& frame) const;

private:
    Workbench& workbench_;
};

/// A label in muted ink for a control.
QWidget* labelled(const QString& text, QWidget* control);
/// Puts controls into the frame's row; they wrap where it is too narrow for them.
void addControls(ui::ChartFrame& frame, std::initializer_list<QWidget*> controls);

/// Narrows the scope to a row of a composition: a day, model or project; a session is shown over time.
void openRow(Workbench& workbench, CompositionGroup group, const QString& key);

/// What the window shows, as a request: the paths that are open, the scope and the options.
ChartRequest requestOf(Workbench& workbench, const ChartSpec& chart);

} // namespace loadline::app
