// Draws rows of the Diagnostics list: kinds in bold, with a mark that says whether data was lost.
#pragma once

#include <QStyledItemDelegate>

namespace loadline::ui {

class SeverityDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace loadline::ui
