// The frame around a chart: layout, export buttons, table twin and empty state.
#include "ui/chart/frame/chart_frame.h"

#include "ui/chart/answer.h"
#include "ui/chart/frame/caveat_chip.h"
#include "ui/chart/frame/heading.h"
#include "ui/chart/frame/more_below.h"
#include "ui/chart/frame/notes_area.h"
#include "ui/model/selection_gesture.h"
#include "ui/model/table_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QAction>
#include <QActionGroup>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QScrollArea>
#include <QSet>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

#include <set>

namespace loadline::ui {

namespace {

enum Page { ChartPage, TablePage, EmptyPage };

struct FormatText {
    const char* name = ""; ///< also the format asked for
    const char* text = "";
    const char* tip = ""; ///< %1: the chart
};

constexpr FormatText formats[] = {
    {"png", "PNG", "Save \u201c%1\u201d as PNG"},
    {"svg", "SVG", "Save \u201c%1\u201d as SVG"},
    {"pdf", "PDF", "Save \u201c%1\u201d as PDF"},
    {"csv", "CSV", "Save the numbers of \u201c%1\u201d as CSV"},
};

constexpr QSize leastShown(24 * spacing, 20 * spacing);

/// Wraps `content` in a scroll area, for windows with too little room; sentence and tool bar stay in place.
QWidget* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setFocusProxy(content);
    area->setWidget(content);
    new MoreBelow(area);
    return area;
}

} // namespace

ChartFrame::ChartFrame(QWidget* chart, QWidget* parent)
    : QWidget(parent), chart_(chart), heading_(new Heading(this)), caveats_(new CaveatChip(this)),
      controls_(new QHBoxLayout), stack_(new QStackedWidget(this)), tableView_(new QTableView(this)),
      model_(new TableModel(this)), emptyText_(new QLabel(this)), emptyButton_(new QPushButton(this)),
      tableButton_(new QToolButton(this)) {
    controls_->setSpacing(spacing);
    auto* head = new QHBoxLayout;
    head->setSpacing(spacing);
    head->addWidget(heading_, 1);
    head->addWidget(caveats_);
    head->addLayout(makeCorner());
    stack_->setMinimumSize(leastShown);
    stack_->insertWidget(ChartPage, scrolled(chart_));
    setUpTable();
    stack_->insertWidget(TablePage, tableView_);
    stack_->insertWidget(EmptyPage, scrolled(makeEmptyPage()));
    dim_.add(stack_);
    dimSentence_.add(heading_);
    dimSentence_.add(caveats_->notes());

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * spacing, spacing / 2, 2 * spacing, spacing);
    layout->setSpacing(spacing / 2);
    layout->addLayout(head);
    layout->addWidget(caveats_->notes());
    layout->addLayout(controls_);
    layout->addWidget(stack_, 1);
    setTheme(ThemeKind::Light);
    setEmpty({});
}

QHBoxLayout* ChartFrame::makeCorner() {
    auto* corner = new QHBoxLayout;
    corner->setSpacing(spacing / 4);
    const auto add = [&](QToolButton* button, const QString& name, const QString& tip) {
        button->setObjectName(name);
        setTip(button, tip);
        button->setAccessibleName(tip);
        corner->addWidget(button);
    };
    tableButton_->setCheckable(true);
    add(tableButton_, QStringLiteral("table"), tr("Show the numbers as a table"));
    connect(tableButton_, &QToolButton::toggled, this, &ChartFrame::setTableShown);
    auto* copy = new QToolButton(this);
    add(copy, QStringLiteral("copy"), tr("Copy to the clipboard"));
    connect(copy, &QToolButton::clicked, this, &ChartFrame::copyRequested);
    buttons_.push_back(copy);
    makeMenu();
    for (const QLatin1String format : {QLatin1String("png"), QLatin1String("csv")}) {
        auto* button = new QToolButton(this);
        add(button, format, QString());
        button->setText(QString(format).toUpper());
        connect(button, &QToolButton::clicked, this, [this, format] { emit exportRequested(format); });
        buttons_.push_back(button);
        if (format == QLatin1String("png")) {
            button->setPopupMode(QToolButton::MenuButtonPopup);
            button->setMenu(menu_);
        }
    }
    return corner;
}

/// The chart's own menu; what it is called stands on top, so that nobody saves another one.
void ChartFrame::makeMenu() {
    menu_ = new QMenu(this);
    menuTitle_ = menu_->addAction(QString());
    menuTitle_->setEnabled(false);
    menu_->addSeparator();
    const auto add = [this](const char* name, const QString& text, const auto& done) {
        QAction* action = menu_->addAction(text, this, done);
        action->setObjectName(QLatin1String(name));
        return action;
    };
    for (const FormatText& format : formats) {
        const QString name = QString::fromLatin1(format.name);
        add(format.name, tr("Save as %1\u2026").arg(QLatin1String(format.text)),
            [this, name] { emit exportRequested(name); });
    }
    add("copyChart", tr("Copy"), [this] { emit copyRequested(); });
    add("showTable", tr("Show as a table"), [this] { setTableShown(!isTableShown()); });
    add("whatIsThis", tr("What is this?"), [this] { emit explanationRequested(); });
    menu_->addSeparator();
    pageExports_ = new QActionGroup(this);
    for (const FormatText& format : formats) {
        const QString name = QString::fromLatin1(format.name);
        if (name != QLatin1String("csv")) {
            pageExports_->addAction(add("page",
                                        tr("The whole page as %1\u2026").arg(QLatin1String(format.text)),
                                        [this, name] { emit pageExportRequested(name); }));
        }
    }
    setSeveral(false);
    chart_->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(chart_, &QWidget::customContextMenuRequested, this,
            [this](const QPoint& at) { popUpMenu(chart_->mapToGlobal(at)); });
}

void ChartFrame::setSeveral(bool several) {
    several_ = several;
    pageExports_->setVisible(several);
}

void ChartFrame::addFirst(QAction* action) {
    menu_->insertAction(menu_->findChild<QAction*>(QLatin1String(formats[0].name)), action);
}

void ChartFrame::popUpMenu(const QPoint& global) {
    if (drawing_) {
        menu_->popup(global);
    }
}

/// Everything that takes the chart away says which one.
void ChartFrame::nameChart() {
    const QString name = drawing_ ? lineText(drawing_->title()) : tr("the chart");
    menuTitle_->setText(buttonText(name));
    setTip(menuTitle_, name);
    for (const FormatText& format : formats) {
        const QString tip = tr(format.tip).arg(name);
        if (auto* action = menu_->findChild<QAction*>(QLatin1String(format.name))) {
            setTip(action, tip);
        }
        if (auto* button = findChild<QToolButton*>(QLatin1String(format.name))) {
            setTip(button, tip);
            button->setAccessibleName(tip);
        }
    }
}

void ChartFrame::setUpTable() {
    tableView_->setModel(model_);
    tableView_->setSortingEnabled(true);
    tableView_->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    tableView_->horizontalHeader()->setHighlightSections(false);
    tableView_->verticalHeader()->hide();
    tableView_->verticalHeader()->setDefaultSectionSize(tableView_->fontMetrics().height() + spacing);
    tableView_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    tableView_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    tableView_->setShowGrid(false);
    tableView_->setAlternatingRowColors(true);
    tableView_->setWordWrap(false);
    tableView_->setAccessibleName(tr("The chart's numbers as a table"));
    onSelection(*tableView_, [this] {
        if (const QList<int> rows = selectedRows(); !choosing_ && rows != chosenRows_) {
            chosenRows_ = rows;
            emit rowsChosen(rows);
        }
    });
    auto* copyCells = new QShortcut(QKeySequence::Copy, tableView_);
    copyCells->setContext(Qt::WidgetShortcut);
    connect(copyCells, &QShortcut::activated, this, [this] {
        const QModelIndexList cells = tableView_->selectionModel()->selectedIndexes();
        if (!cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*model_, cells));
        }
    });
}

QWidget* ChartFrame::makeEmptyPage() {
    auto* page = new QWidget(this);
    emptyText_->setProperty("role", "muted");
    emptyText_->setFont(fontOf(1.1));
    emptyText_->setWordWrap(true);
    emptyText_->setAlignment(Qt::AlignCenter);
    emptyButton_->setObjectName(QStringLiteral("emptyAction"));
    emptyButton_->setProperty("role", "primary");
    connect(emptyButton_, &QPushButton::clicked, this, &ChartFrame::emptyActionRequested);
    auto* layout = new QVBoxLayout(page);
    layout->addStretch(2);
    layout->addWidget(emptyText_);
    layout->addSpacing(spacing);
    layout->addWidget(emptyButton_, 0, Qt::AlignHCenter);
    layout->addStretch(3);
    return page;
}

void ChartFrame::setDrawing(std::shared_ptr<const Drawing> drawing, const QString& sentence) {
    drawing_ = std::move(drawing);
    isChartsOwn_ = sentence.isEmpty();
    ownSentence_ = !drawing_ ? QString() : sentence.isEmpty() ? drawing_->sentence() : sentence;
    showAnswer();
    tableFresh_ = false;
    setStale(false);
    for (QToolButton* button : buttons_) {
        button->setEnabled(drawing_ != nullptr);
    }
    nameChart();
    tableButton_->setEnabled(drawing_ != nullptr);
    setTableShown(tableButton_->isChecked());
}

void ChartFrame::setSentence(const QString& sentence) {
    sentence_ = sentence;
    showAnswer();
}

void ChartFrame::showAnswer() {
    if (!drawing_) {
        heading_->setAnswer({});
        caveats_->setCaveats({});
        return;
    }
    const QString& text = sentence_.isEmpty() ? ownSentence_ : sentence_;
    heading_->setAnswer(answerOf(text));
    const QString ofChart = drawing_->sentence();
    const bool isCommon = text == ofChart && !isChartsOwn_; // the page says it whichever chart is chosen
    const bool endsInChart = several_ && !isCommon && text.endsWith(ofChart);
    const QString ofPage = endsInChart ? text.chopped(ofChart.size()).trimmed() : text;
    const QStringList before = ownCaveats_ + sentencesIn(answerOf(ofPage).rest);
    if (endsInChart) {
        const QString others = ofPage.isEmpty() ? answerOf(ofChart).rest : ofChart;
        caveats_->setCaveats(before, sentencesIn(others), lineText(drawing_->title()));
    } else {
        caveats_->setCaveats(before);
    }
}

void ChartFrame::setCaveats(const QStringList& caveats) {
    ownCaveats_ = caveats;
    showAnswer();
}

void ChartFrame::setStale(bool stale) {
    dim_.set(stale);
    dimSentence_.set(stale && sentence_.isEmpty());
}

void ChartFrame::setEmpty(const QString& text, const QString& button) {
    setDrawing(nullptr);
    emptyText_->setText(linesText(text));
    emptyButton_->setText(buttonText(button));
    emptyButton_->setVisible(!button.isEmpty());
    stack_->setCurrentIndex(EmptyPage);
}

bool ChartFrame::isEmpty() const {
    return stack_->currentIndex() == EmptyPage;
}

void ChartFrame::setTheme(ThemeKind kind) {
    const Theme& theme = Theme::of(kind);
    tableButton_->setIcon(icon(QStringLiteral("table"), theme));
    for (QToolButton* button : buttons_) {
        if (button->text().isEmpty()) {
            button->setIcon(icon(button->objectName(), theme));
        }
    }
}

void ChartFrame::setTableShown(bool shown) {
    tableButton_->setChecked(shown);
    if (shown) {
        refreshTable();
    }
    const QWidget* focus = QApplication::focusWidget();
    const bool waiting = isEmpty() && focus != nullptr && focus->isAncestorOf(this);
    stack_->setCurrentIndex(shown ? TablePage : ChartPage);
    if (waiting) { // the page held the keys until there was a chart
        stack_->currentWidget()->setFocus();
    }
}

bool ChartFrame::isTableShown() const {
    return stack_->currentIndex() == TablePage;
}

void ChartFrame::refreshTable() {
    if (tableFresh_) {
        return;
    }
    {
        const QScopedValueRollback quiet(choosing_, true);
        model_->setTable(drawing_ ? drawing_->table() : Table{});
    }
    tableView_->resizeColumnsToContents();
    tableFresh_ = true;
    chooseRows();
}

void ChartFrame::setChosenRows(const QList<int>& tableRows) {
    chosenRows_ = tableRows;
    if (isTableShown()) {
        chooseRows();
    }
}

/// Cells that were selected for copying stay where their rows are the chosen ones.
void ChartFrame::chooseRows() {
    if (!tableFresh_ || selectedRows() == chosenRows_) {
        return;
    }
    const QScopedValueRollback quiet(choosing_, true);
    QItemSelection rows;
    const QSet<int> chosen(chosenRows_.cbegin(), chosenRows_.cend());
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (chosen.contains(model_->tableRow(row))) {
            rows.select(model_->index(row, 0), model_->index(row, model_->columnCount() - 1));
        }
    }
    tableView_->selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
}

QList<int> ChartFrame::selectedRows() const {
    std::set<int> rows;
    for (const QItemSelectionRange& range : tableView_->selectionModel()->selection()) {
        for (int row = range.top(); row <= range.bottom(); ++row) {
            rows.insert(model_->tableRow(row));
        }
    }
    return {rows.begin(), rows.end()};
}

} // namespace loadline::ui
