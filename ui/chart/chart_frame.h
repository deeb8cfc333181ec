// What surrounds every chart: the answer on top, controls, export buttons, the table twin, the empty state.
#pragma once

#include "ui/chart/drawing.h"
#include "ui/theme/theme.h"

#include <QWidget>

#include <memory>
#include <vector>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;
class QGraphicsOpacityEffect;

namespace loadline::ui {

class TableModel;

/// Owns the chart widget it is given.
class ChartFrame : public QWidget {
    Q_OBJECT
public:
    explicit ChartFrame(QWidget* chart, QWidget* parent = nullptr);

    /// The sentence, and the table twin (filled when it is looked at). Ends the empty state; null leaves the
    /// sentence blank. `sentence`, unless empty: what stands there instead of the drawing's own. The room for
    /// it does not shrink under a hand that holds a mouse button.
    void setDrawing(std::shared_ptr<const Drawing> drawing, const QString& sentence = {});
    [[nodiscard]] const std::shared_ptr<const Drawing>& drawing() const { return drawing_; }
    [[nodiscard]] QWidget* chart() const { return chart_; }

    /// The row under the sentence; the page fills it.
    [[nodiscard]] QHBoxLayout* controls() const { return controls_; }

    /// Dims the chart while a newer one is computed.
    void setStale(bool stale);
    [[nodiscard]] bool isStale() const;
    /// Shows a text and, unless `button` is empty, the one button that mends it, in place of the chart.
    void setEmpty(const QString& text, const QString& button = {});
    [[nodiscard]] bool isEmpty() const;
    void setTheme(ThemeKind kind);
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] QTableView* tableView() const { return tableView_; }

signals:
    void exportRequested(const QString& format); ///< "png", "svg", "pdf" or "csv"
    void copyRequested();                        ///< the picture, or the table while it is shown
    void emptyActionRequested();                 ///< the empty state's button

private:
    QHBoxLayout* makeCorner();
    void setUpTable();
    QWidget* makeEmptyPage();
    void refreshTable();
    void fitHeading();

    QWidget* chart_ = nullptr;
    std::shared_ptr<const Drawing> drawing_;
    bool tableFresh_ = false;
    QWidget* heading_ = nullptr;
    QLabel* sentence_ = nullptr;
    QLabel* rest_ = nullptr; ///< the sentences after the first
    QHBoxLayout* controls_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QTableView* tableView_ = nullptr;
    TableModel* model_ = nullptr;
    QLabel* emptyText_ = nullptr;
    QPushButton* emptyButton_ = nullptr;
    QToolButton* tableButton_ = nullptr;
    std::vector<QToolButton*> buttons_;
    QGraphicsOpacityEffect* dim_ = nullptr;
};

} // namespace loadline::ui
