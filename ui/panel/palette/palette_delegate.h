// Draws a row of the command palette: title with the matched letters in bold, hint, keys.
#pragma once

#include <QStyledItemDelegate>

namespace loadline::ui {

class PaletteDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace loadline::ui
