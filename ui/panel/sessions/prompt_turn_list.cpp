// A sortable table whose token column carries a bar.
#include "ui/panel/sessions/prompt_turn_list.h"

#include "ui/model/selection_gesture.h"
#include "ui/model/table_model.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QShortcut>
#include <QStyledItemDelegate>

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

constexpr int roomyDigits = 76; ///< width in digits at which all columns are shown

/// The number at the right, its bar behind it from the left.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        if (const QVariant share = index.data(ShareRole); share.isValid()) {
            const QRectF cell = QRectF(option.rect).adjusted(2, 3, -2, -3);
            QColor ink = Theme::of(Theme::systemKind(option.palette)).textMuted;
            ink.setAlphaF(0.22F);
            painter->fillRect(QRectF(cell.left(), cell.top(), cell.width() * share.toDouble(), cell.height()),
                              ink);
        }
        QStyledItemDelegate::paint(painter, option, index);
    }
};

} // namespace

PromptTurnList::PromptTurnList(QWidget* parent) : QTableView(parent), model_(new PromptTurnModel(this)) {
    setModel(model_);
    setItemDelegateForColumn(static_cast<int>(PromptTurnColumn::AllTokens), new BarDelegate(this));
    setAccessibleName(tr("Prompt turns of this session"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(ExtendedSelection);
    setEditTriggers(NoEditTriggers);
    setShowGrid(false);
    setWordWrap(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() + spacing);
    auto* header = horizontalHeader();
    header->setHighlightSections(false);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(static_cast<int>(PromptTurnColumn::Prompt), QHeaderView::Stretch);
    const int digit = fontMetrics().horizontalAdvance('0');
    const int widths[] = {15, 20, 10, 7, 8, 9, 12};
    for (int i = 0; i < promptTurnColumnCount; ++i) {
        setColumnWidth(i, widths[i] * digit);
    }
    setSortingEnabled(true);
    sortByColumn(static_cast<int>(PromptTurnColumn::AllTokens), Qt::DescendingOrder);

    const auto choose = [this](const QModelIndex& index) {
        if (const SessionPromptTurn* turn = model_->turn(index.row())) {
            emit turnActivated(*turn);
        }
    };
    connect(this, &QTableView::activated, this, choose);
    onSelection(*this, [this] {
        if (!choosing_) {
            emit turnsChosen(chosen());
        }
    });
    auto* copy = new QShortcut(QKeySequence::Copy, this);
    copy->setContext(Qt::WidgetShortcut);
    connect(copy, &QShortcut::activated, this, [this] {
        if (const auto cells = selectionModel()->selectedIndexes(); !cells.isEmpty()) {
            QApplication::clipboard()->setText(tsvOf(*model_, cells));
        }
    });
}

void PromptTurnList::resizeEvent(QResizeEvent* event) {
    // The words of the prompt are worth more than the last columns.
    const bool narrow = event->size().width() < roomyDigits * fontMetrics().horizontalAdvance('0');
    setColumnHidden(static_cast<int>(PromptTurnColumn::Context), narrow);
    setColumnHidden(static_cast<int>(PromptTurnColumn::Duration), narrow);
    if (narrow != std::exchange(narrow_, narrow)) {
        emit narrowed(narrow);
    }
    QTableView::resizeEvent(event);
}

void PromptTurnList::setTurns(std::shared_ptr<const PromptTurnModel::Turns> turns) {
    const QScopedValueRollback quiet(choosing_, true);
    model_->setTurns(std::move(turns));
}

std::vector<TimeMs> PromptTurnList::chosen() const {
    std::vector<TimeMs> starts;
    for (const QModelIndex& row : selectionModel()->selectedRows()) {
        starts.push_back(model_->turn(row.row())->start);
    }
    std::ranges::sort(starts);
    return starts;
}

void PromptTurnList::setChosen(const std::vector<TimeMs>& starts) {
    if (chosen() == starts) {
        return;
    }
    const QScopedValueRollback quiet(choosing_, true);
    QItemSelection rows;
    for (int row = 0; row < model_->rowCount(); ++row) {
        if (std::ranges::find(starts, model_->turn(row)->start) != starts.end()) {
            rows.select(model_->index(row, 0), model_->index(row, 0));
        }
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
}

void PromptTurnList::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && selectionModel()->hasSelection()) {
        clearSelection();
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace loadline::ui
