// Editors of cells.
#include "ui/panel/kernels/cell_delegate.h"

#include "ui/model/roles.h"
#include "ui/theme/theme.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QTimer>

namespace loadline::ui {

QWidget* CellDelegate::createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                                    const QModelIndex& index) const {
    const QString name =
        index.model()->headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString();
    const QVariant choices = index.data(ChoicesRole);
    if (!choices.isValid()) {
        QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
        if (auto* field = qobject_cast<QLineEdit*>(editor)) {
            field->setAccessibleName(name);
            field->setStyleSheet(QStringLiteral("padding: 0 2px; border-radius: 0;"));
        }
        return editor;
    }
    auto* list = new QComboBox(parent);
    list->setAccessibleName(name);
    list->addItems(choices.toStringList());
    connect(list, &QComboBox::activated, this, [this, list] {
        auto* self = const_cast<CellDelegate*>(this); // Qt's signals are not const, its editors' makers are
        emit self->commitData(list);
        emit self->closeEditor(list);
    });
    QTimer::singleShot(0, list, &QComboBox::showPopup);
    return list;
}

void CellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (auto* list = qobject_cast<QComboBox*>(editor)) {
        list->setCurrentIndex(index.data(Qt::EditRole).toInt());
        return;
    }
    QStyledItemDelegate::setEditorData(editor, index);
    if (auto* field = qobject_cast<QLineEdit*>(editor)) {
        field->selectAll();
    }
}

void CellDelegate::setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const {
    if (const auto* list = qobject_cast<QComboBox*>(editor)) {
        model->setData(index, list->currentIndex(), Qt::EditRole);
        return;
    }
    QStyledItemDelegate::setModelData(editor, model, index);
}

void makeEditable(QTableView& view) {
    view.setItemDelegate(new CellDelegate(&view));
    view.setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::SelectedClicked |
                         QAbstractItemView::EditKeyPressed | QAbstractItemView::AnyKeyPressed);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    view.setTabKeyNavigation(false);
    view.setShowGrid(true);
    view.setWordWrap(false);
    view.setCornerButtonEnabled(false);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(view.fontMetrics().height() + spacing + 2);
    view.horizontalHeader()->setHighlightSections(false);
    view.setFrameShape(QFrame::StyledPanel);
    auto* begin = new QAction(&view); // Enter edits; it would otherwise reach the dialog's OK
    begin->setShortcuts({QKeySequence(Qt::Key_Return), QKeySequence(Qt::Key_Enter)});
    begin->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(begin, &QAction::triggered, &view, [&view] {
        if (view.model()->flags(view.currentIndex()) & Qt::ItemIsEditable) {
            view.edit(view.currentIndex());
        }
    });
    view.addAction(begin);
}

void clickOnKey(QTableView& view, Qt::Key key, QPushButton& button) {
    auto* action = new QAction(&view);
    action->setShortcut(key);
    action->setShortcutContext(Qt::WidgetShortcut);
    QObject::connect(action, &QAction::triggered, &button, &QPushButton::click);
    view.addAction(action);
}

} // namespace loadline::ui
