// Draws a row of the command palette.
#include "ui/panel/palette/palette_delegate.h"

#include "ui/model/palette_model.h"
#include "ui/panel/palette/key_caps.h"
#include "ui/panel/part/themed.h"

#include <QPainter>

#include <algorithm>

namespace loadline::ui {

namespace {

/// Draws `text` from x on, matched letters in bold, and returns where it ends. Cut at `right`.
int drawMatched(QPainter& painter, const QString& text, const std::vector<int>& matched, int x, int right,
                const QRect& row, const QFont& plain) {
    QFont bold = plain;
    bold.setBold(true);
    for (qsizetype at = 0; at < text.size() && x < right;) {
        const bool isMatched = std::ranges::binary_search(matched, static_cast<int>(at));
        qsizetype end = at + 1;
        while (end < text.size() && std::ranges::binary_search(matched, static_cast<int>(end)) == isMatched) {
            ++end;
        }
        painter.setFont(isMatched ? bold : plain);
        const QFontMetrics metrics = painter.fontMetrics();
        QString part = text.mid(at, end - at);
        const bool fits = x + metrics.horizontalAdvance(part) <= right;
        if (!fits) {
            part = metrics.elidedText(part, Qt::ElideRight, right - x);
        }
        painter.drawText(QRect(x, row.top(), right - x, row.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         part);
        x += metrics.horizontalAdvance(part);
        if (!fits) {
            return right;
        }
        at = end;
    }
    return x;
}

} // namespace

void PaletteDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const auto* model = qobject_cast<const PaletteModel*>(index.model());
    if (!model || !option.widget) {
        return;
    }
    const Theme& theme = themeOf(*option.widget);
    const PaletteMatch& match = model->match(index.row());
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (option.state & (QStyle::State_Selected | QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(option.state & QStyle::State_Selected ? theme.accentSoft : theme.grid);
        painter->drawRoundedRect(option.rect.adjusted(4, 1, -4, -1), 5, 5);
    }
    const QRect row = option.rect.adjusted(spacing + 6, 0, -spacing - 6, 0);
    int right = row.right();
    if (!match.entry->shortcut.isEmpty()) {
        right = drawKeyCaps(*painter, match.entry->shortcut, row, theme, option.font) - spacing;
    }
    painter->setPen(theme.text);
    const int end =
        drawMatched(*painter, match.entry->title, match.inTitle, row.left(), right, row, option.font);
    painter->setPen(theme.textMuted);
    if (end + 2 * spacing < right) {
        drawMatched(*painter, match.entry->hint, match.inHint, end + 2 * spacing, right, row, option.font);
    }
    painter->restore();
}

QSize PaletteDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& /*index*/) const {
    return {100, QFontMetrics(option.font).height() + 14};
}

} // namespace loadline::ui
