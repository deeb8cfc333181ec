// The frame around a chart: layout, export buttons, table twin and empty state.
#include "ui/chart/chart_frame.h"

#include "ui/chart/answer.h"
#include "ui/model/table_model.h"
#include "ui/theme/icons.h"
#include "ui/theme/plain_text.h"

#include <QApplication>
#include <QClipboard>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace loadline::ui {

namespace {

enum Page { ChartPage, TablePage, EmptyPage };

struct ButtonText {
    const char* name = ""; ///< also the format asked for, or the icon
    const char* text = "";
    const char* tip = "";
    bool below = false;
};

constexpr ButtonText formatButtons[] = {
    {"png", "PNG", "Save as PNG"},
    {"svg", "SVG", "Save as SVG", true},
    {"pdf", "PDF", "Save as PDF", true},
    {"csv", "CSV", "Save the numbers as CSV"},
};

QLabel* makeSentence(const char* role, const QFont& font, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setProperty("role", role);
    label->setFont(font);
    label->setWordWrap(true);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    return label;
}

} // namespace

ChartFrame::ChartFrame(QWidget* chart, QWidget* parent)
    : QWidget(parent), chart_(chart), heading_(new QWidget(this)),
      sentence_(makeSentence("sentence", fontOf(1.35, true), heading_)),
      rest_(makeSentence("muted", fontOf(1), heading_)), controls_(new QHBoxLayout),
      stack_(new QStackedWidget(this)), tableView_(new QTableView(this)), model_(new TableModel(this)),
      emptyText_(new QLabel(this)), emptyButton_(new QPushButton(this)), tableButton_(new QToolButton(this)),
      dim_(new QGraphicsOpacityEffect(stack_)) {
    controls_->setSpacing(spacing);
    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    row->addLayout(controls_);
    row->addStretch(1);
    QHBoxLayout* corner = makeCorner();
    row->addLayout(corner);
    row->setAlignment(corner, Qt::AlignTop); // where it is when the controls wrap
    stack_->insertWidget(ChartPage, chart_);
    setUpTable();
    stack_->insertWidget(TablePage, tableView_);
    stack_->insertWidget(EmptyPage, makeEmptyPage());
    dim_->setOpacity(0.45);
    dim_->setEnabled(false);
    stack_->setGraphicsEffect(dim_);

    auto* words = new QVBoxLayout(heading_);
    words->setContentsMargins(0, 0, 0, 0);
    words->setSpacing(spacing);
    words->addWidget(sentence_);
    words->addWidget(rest_);
    words->addStretch(1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * spacing, 2 * spacing, 2 * spacing, spacing);
    layout->setSpacing(spacing);
    layout->addWidget(heading_);
    layout->addLayout(row);
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
    QToolButton* png = nullptr;
    for (const ButtonText& entry : formatButtons) {
        const QString format = QString::fromLatin1(entry.name);
        const QString text = QString::fromLatin1(entry.text);
        if (entry.below) { // in the menu of the button before it
            auto* action = png->menu()->addAction(text);
            action->setObjectName(format);
            setTip(action, tr(entry.tip));
            connect(action, &QAction::triggered, this, [this, format] { emit exportRequested(format); });
            continue;
        }
        auto* button = new QToolButton(this);
        add(button, format, tr(entry.tip));
        button->setText(text);
        connect(button, &QToolButton::clicked, this, [this, format] { emit exportRequested(format); });
        buttons_.push_back(button);
        if (format == QLatin1String("png")) {
            png = button;
            png->setPopupMode(QToolButton::MenuButtonPopup);
            png->setMenu(new QMenu(png));
        }
    }
    return corner;
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
    const Answer sentences =
        drawing_ ? answerOf(sentence.isEmpty() ? drawing_->sentence() : sentence) : Answer();
    sentence_->setText(lineText(sentences.first));
    sentence_->setVisible(!sentences.first.isEmpty());
    rest_->setText(linesText(sentences.rest));
    rest_->setVisible(!sentences.rest.isEmpty());
    fitHeading();
    tableFresh_ = false;
    setStale(false);
    for (QToolButton* button : buttons_) {
        button->setEnabled(drawing_ != nullptr);
    }
    tableButton_->setEnabled(drawing_ != nullptr);
    setTableShown(tableButton_->isChecked());
}

/// A shorter sentence leaves its room until the hand lets go: the chart stays where it is held.
void ChartFrame::fitHeading() {
    heading_->setVisible(!sentence_->text().isEmpty());
    const bool held = QGuiApplication::mouseButtons() != Qt::NoButton && heading_->isVisible();
    heading_->setMinimumHeight(held ? heading_->height() : 0);
}

void ChartFrame::setStale(bool stale) {
    dim_->setEnabled(stale);
}

bool ChartFrame::isStale() const {
    return dim_->isEnabled();
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
    model_->setTable(drawing_ ? drawing_->table() : Table{});
    tableView_->resizeColumnsToContents();
    tableFresh_ = true;
}

} // namespace loadline::ui
