// Frame of every chart: the answer on top, controls, export buttons, the table twin, the empty state.
#pragma once

#include "ui/chart/drawing.h"
#include "ui/chart/frame/dimming.h"
#include "ui/theme/theme.h"

#include <QList>
#include <QWidget>

#include <memory>
#include <vector>

class QAction;
class QActionGroup;
class QHBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;
class QTableView;
class QToolButton;

namespace loadline::ui {

class CaveatChip;
class Heading;
class TableModel;

/// Owns the chart widget it is given.
class ChartFrame : public QWidget {
    Q_OBJECT
public:
    explicit ChartFrame(QWidget* chart, QWidget* parent = nullptr);

    /// The headline, and the table twin (filled when it is looked at). Ends the empty state; null leaves the
    /// headline blank. `sentence`, unless empty, stands there instead of the drawing's own: its first
    /// sentence is the headline, the others are caveats.
    void setDrawing(std::shared_ptr<const Drawing> drawing, const QString& sentence = {});
    [[nodiscard]] const std::shared_ptr<const Drawing>& drawing() const { return drawing_; }
    /// Replaces the sentence over the chart, as long as `sentence` is not empty and there is a chart.
    void setSentence(const QString& sentence);
    /// Caveats before those of the sentence, strongest first.
    void setCaveats(const QStringList& caveats);
    [[nodiscard]] CaveatChip* caveats() const { return caveats_; }

    [[nodiscard]] QWidget* chart() const { return chart_; }

    /// The row under the headline; the page fills it. In this widget's own layout the headline is at 0, the
    /// unfolded caveats at 1 and this row at 2: what a page wants between them it inserts there.
    [[nodiscard]] QHBoxLayout* controls() const { return controls_; }

    /// Dims chart and sentence while newer ones are computed; not a sentence of setSentence().
    void setStale(bool stale);
    /// Another widget that shows the same answer: dimmed with it.
    void addDimmed(QWidget* widget) { dim_.add(widget); }
    [[nodiscard]] bool isStale() const { return dim_.isOn(); }
    /// Shows a text and, unless `button` is empty, the one button that mends it, in place of the chart.
    void setEmpty(const QString& text, const QString& button = {});
    [[nodiscard]] bool isEmpty() const;
    void setTheme(ThemeKind kind);
    /// Whether the page has several charts, which can be saved as one picture; the chosen chart's caveats
    /// then say which chart they are of.
    void setSeveral(bool several);
    /// Stands on top of that menu while it is visible.
    void addFirst(QAction* action);
    /// Opens the menu of the shown chart at a place on the screen: for its button and a right click.
    void popUpMenu(const QPoint& global);
    void setTableShown(bool shown);
    [[nodiscard]] bool isTableShown() const;
    [[nodiscard]] QTableView* tableView() const { return tableView_; }
    /// Rows of the drawing's table that are selected in the table twin, whole or in part.
    void setChosenRows(const QList<int>& tableRows);

signals:
    void exportRequested(const QString& format);     ///< "png", "svg", "pdf" or "csv"
    void pageExportRequested(const QString& format); ///< a picture of all charts of the page
    void explanationRequested();
    void rowsChosen(const QList<int>& tableRows); ///< by hand, ascending
    void copyRequested();                         ///< the picture, or the table while it is shown
    void emptyActionRequested();                  ///< the empty state's button

private:
    QHBoxLayout* makeCorner();
    void makeMenu();
    void nameChart();
    void setUpTable();
    QWidget* makeEmptyPage();
    void refreshTable();
    void showAnswer();
    void chooseRows();
    [[nodiscard]] QList<int> selectedRows() const;

    QWidget* chart_ = nullptr;
    std::shared_ptr<const Drawing> drawing_;
    bool tableFresh_ = false;
    QString ownSentence_, sentence_;
    bool isChartsOwn_ = false; ///< ownSentence_ is the drawing's
    QList<int> chosenRows_;
    bool choosing_ = false; ///< not by hand
    Heading* heading_ = nullptr;
    CaveatChip* caveats_ = nullptr;
    QStringList ownCaveats_;
    bool several_ = false;
    QHBoxLayout* controls_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    QTableView* tableView_ = nullptr;
    TableModel* model_ = nullptr;
    QLabel* emptyText_ = nullptr;
    QPushButton* emptyButton_ = nullptr;
    QToolButton* tableButton_ = nullptr;
    std::vector<QToolButton*> buttons_;
    QMenu* menu_ = nullptr;
    QAction* menuTitle_ = nullptr;
    QActionGroup* pageExports_ = nullptr;
    Dimming dim_, dimSentence_;
};

} // namespace loadline::ui
