// A sortable table whose evidence takes what is left.
#include "ui/panel/cache/break_list.h"

#include "ui/model/table_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QResizeEvent>
#include <QShortcut>

namespace loadline::ui {
namespace {

constexpr int roomyBreakDigits = 90; ///< width in digits at which all columns are shown
constexpr int breaksShown = 3;       ///< at least

} // namespace

BreakList::BreakList(QWidget* parent) : QTableView(parent), model_(new BreakModel(this)) {
    setModel(model_);
    setAccessibleName(tr("Prefix breaks"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false); // a line each: the whole of what is cut stands in its tip
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + spacing / 2);
    auto* header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(static_cast<int>(BreakColumn::Evidence), QHeaderView::Stretch);
    const int digit = fontMetrics().horizontalAdvance('0');
    const int widths[] = {18, 22, 12, 18, 20};
    for (int i = 0; i < breakColumnCount; ++i) {
        setColumnWidth(i, widths[i] * digit);
    }
    setSortingEnabled(true);
    sortByColumn(static_cast<int>(BreakColumn::PaidAgain), Qt::DescendingOrder);
    connect(this, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const PrefixBreak* one = model_->at(index.row())) {
            emit breakActivated(*one);
        }
    });
    connect(selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = selectionModel()->selectedRows();
        emit breakChosen(rows.isEmpty() ? nullptr : model_->at(rows.last().row()));
    });
    auto* copy = new QShortcut(QKeySequence::Copy, this);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] {
        if (const auto cells = selectionModel()->selectedIndexes(); !cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*model_, cells));
        }
    });
}

void BreakList::setFigure(std::shared_ptr<const CacheFigure> figure) {
    model_->setFigure(std::move(figure));
}

void BreakList::choose(const PrefixBreak* one) {
    const int row = model_->rowOf(one);
    if (row < 0) {
        clearSelection();
    } else {
        selectRow(row);
        scrollTo(model_->index(row, 0));
    }
}

QSize BreakList::minimumSizeHint() const {
    return {QTableView::minimumSizeHint().width(), horizontalHeader()->sizeHint().height() +
                                                       breaksShown * verticalHeader()->defaultSectionSize() +
                                                       4};
}

void BreakList::resizeEvent(QResizeEvent* event) {
    const bool narrow = event->size().width() < roomyBreakDigits * fontMetrics().horizontalAdvance('0');
    setColumnHidden(static_cast<int>(BreakColumn::Session), narrow); // tokens and causes are worth more
    QTableView::resizeEvent(event);
}

} // namespace loadline::ui
