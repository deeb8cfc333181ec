// The frame around a chart: layout, export buttons, table twin and empty state.
#include "ui/chart/chart_frame.h"

#include "ui/chart/answer.h"
#include "ui/model/table_model.h"
#include "ui/theme/icons.h"

#include <QApplication>
#include <QClipboard>
#include <QGraphicsOpacityEffect>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QShortcut>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>

namespace loadline::ui {

namespace {

enum Page { ChartPage, TablePage, EmptyPage };

struct ButtonText {
    const char* name; ///< also the format asked for, or the icon
    const char* text;
    const char* tip;
};

constexpr ButtonText formatButtons[] = {
    {"png", "PNG", "Save as PNG"},
    {"svg", "SVG", "Save as SVG"},
    {"pdf", "PDF", "Save as PDF"},
    {"csv", "CSV", "Save the numbers as CSV"},
};

QTableView* makeTableView(TableModel* model, QWidget* parent) {
    auto* view = new QTableView(parent);
    view->setModel(model);
    view->setSortingEnabled(true);
    view->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
    view->setSelectionMode(QAbstractItemView::ExtendedSelection);
    view->setEditTriggers(QAbstractItemView::NoEditTriggers);
    view->setShowGrid(false);
    view->setAlternatingRowColors(true);
    view->setWordWrap(false);
    view->verticalHeader()->hide();
    view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + spacing);
    view->horizontalHeader()->setHighlightSections(false);
    view->setAccessibleName(QObject::tr("The chart's numbers as a table"));
    return view;
}

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

ChartFrame::ChartFrame(QWidget* chart, QWidget* parent) : QWidget(parent), chart_(chart) {
    sentence_ = makeSentence("sentence", fontOf(1.35, true), this);
    rest_ = makeSentence("muted", fontOf(1), this);
    rest_->hide();

    controls_ = new QHBoxLayout;
    controls_->setSpacing(spacing);

    auto* corner = new QHBoxLayout;
    corner->setSpacing(spacing / 4);
    tableButton_ = new QToolButton(this);
    tableButton_->setObjectName(QStringLiteral("table"));
    tableButton_->setCheckable(true);
    tableButton_->setToolTip(tr("Show the numbers as a table"));
    tableButton_->setAccessibleName(tableButton_->toolTip());
    connect(tableButton_, &QToolButton::toggled, this, &ChartFrame::setTableShown);
    corner->addWidget(tableButton_);
    auto* copy = new QToolButton(this);
    copy->setObjectName(QStringLiteral("copy"));
    copy->setToolTip(tr("Copy to the clipboard"));
    copy->setAccessibleName(copy->toolTip());
    connect(copy, &QToolButton::clicked, this, &ChartFrame::copyRequested);
    corner->addWidget(copy);
    buttons_.push_back(copy);
    for (const ButtonText& entry : formatButtons) {
        auto* button = new QToolButton(this);
        const QString format = QString::fromLatin1(entry.name);
        button->setObjectName(format);
        button->setText(QString::fromLatin1(entry.text));
        button->setToolTip(tr(entry.tip));
        button->setAccessibleName(button->toolTip());
        connect(button, &QToolButton::clicked, this, [this, format] { emit exportRequested(format); });
        corner->addWidget(button);
        buttons_.push_back(button);
    }

    auto* row = new QHBoxLayout;
    row->setSpacing(spacing);
    row->addLayout(controls_);
    row->addStretch(1);
    row->addLayout(corner);

    stack_ = new QStackedWidget(this);
    stack_->insertWidget(ChartPage, chart_);
    model_ = new TableModel(this);
    tableView_ = makeTableView(model_, this);
    stack_->insertWidget(TablePage, tableView_);
    auto* copyCells = new QShortcut(QKeySequence::Copy, tableView_);
    copyCells->setContext(Qt::WidgetShortcut);
    connect(copyCells, &QShortcut::activated, this, [this] {
        const QModelIndexList cells = tableView_->selectionModel()->selectedIndexes();
        if (!cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*model_, cells));
        }
    });

    auto* empty = new QWidget(this);
    auto* emptyLayout = new QVBoxLayout(empty);
    emptyText_ = new QLabel(empty);
    emptyText_->setProperty("role", "muted");
    emptyText_->setFont(fontOf(1.1));
    emptyText_->setWordWrap(true);
    emptyText_->setAlignment(Qt::AlignCenter);
    emptyButton_ = new QPushButton(empty);
    emptyButton_->setObjectName(QStringLiteral("emptyAction"));
    emptyButton_->setProperty("role", "primary");
    connect(emptyButton_, &QPushButton::clicked, this, &ChartFrame::emptyActionRequested);
    emptyLayout->addStretch(2);
    emptyLayout->addWidget(emptyText_);
    emptyLayout->addSpacing(spacing);
    emptyLayout->addWidget(emptyButton_, 0, Qt::AlignHCenter);
    emptyLayout->addStretch(3);
    stack_->insertWidget(EmptyPage, empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * spacing, 2 * spacing, 2 * spacing, spacing);
    layout->setSpacing(spacing);
    layout->addWidget(sentence_);
    layout->addWidget(rest_);
    layout->addLayout(row);
    layout->addWidget(stack_, 1);

    dim_ = new QGraphicsOpacityEffect(stack_);
    dim_->setOpacity(0.45);
    dim_->setEnabled(false);
    stack_->setGraphicsEffect(dim_);
    setTheme(ThemeKind::Light);
    setEmpty({});
}

void ChartFrame::setDrawing(std::shared_ptr<const Drawing> drawing) {
    drawing_ = std::move(drawing);
    const Answer sentences = drawing_ ? answerOf(drawing_->sentence()) : Answer();
    sentence_->setText(sentences.first);
    sentence_->setVisible(!sentences.first.isEmpty());
    rest_->setText(sentences.rest);
    rest_->setVisible(!sentences.rest.isEmpty());
    tableFresh_ = false;
    setStale(false);
    for (QToolButton* button : buttons_) {
        button->setEnabled(drawing_ != nullptr);
    }
    tableButton_->setEnabled(drawing_ != nullptr);
    setTableShown(tableButton_->isChecked());
}

void ChartFrame::setStale(bool stale) {
    dim_->setEnabled(stale);
}

bool ChartFrame::isStale() const {
    return dim_->isEnabled();
}

void ChartFrame::setEmpty(const QString& text, const QString& button) {
    setDrawing(nullptr);
    emptyText_->setText(text);
    emptyButton_->setText(button);
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
    stack_->setCurrentIndex(shown ? TablePage : ChartPage);
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
