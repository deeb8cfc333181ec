// Edits cells of a table in place: a list where the cell is one of several, a field elsewhere.
#pragma once

#include <QStyledItemDelegate>

class QPushButton;
class QTableView;

namespace loadline::ui {

/// A list opens at once and is taken when something is chosen in it; a field is selected whole.
class CellDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                          const QModelIndex& index) const override;
    void setEditorData(QWidget* editor, const QModelIndex& index) const override;
    void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override;
};

/// Sets up a table whose cells are edited: the delegate, editing by click and key, looks.
void makeEditable(QTableView& view);
/// A key that clicks a button while the table has the focus.
void clickOnKey(QTableView& view, Qt::Key key, QPushButton& button);

} // namespace loadline::ui
