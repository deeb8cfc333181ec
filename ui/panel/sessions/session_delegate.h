// Draws cells of the Sessions list: name with its id and marks, numbers over a bar of their share.
#pragma once

#include <QStyledItemDelegate>

namespace loadline::ui {

class SessionDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace loadline::ui
