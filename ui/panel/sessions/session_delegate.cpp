// Draws cells of the Sessions list.
#include "ui/panel/sessions/session_delegate.h"

#include "ui/model/session_tree_model.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/sessions/marks.h"
#include "ui/theme/elided_model.h"

#include <QPainter>

#include <cmath>

namespace loadline::ui {

namespace {

constexpr int barHeight = 3;
constexpr int barInset = 6;
constexpr int nameComesFirst = 220; // width that a name gets before an id is shown

void drawBar(QPainter& painter, const QRect& cell, const StackedBar& bar, const Theme& theme) {
    const QRectF room(cell.left() + barInset, cell.bottom() - barHeight - 1, cell.width() - 2 * barInset,
                      barHeight);
    const std::pair<double, QColor> parts[] = {{bar.cacheRead, theme.cacheRead},
                                               {bar.cacheWrite, theme.cacheWrite},
                                               {bar.input, theme.uncachedInput},
                                               {bar.output, theme.output}};
    double sum = 0;
    for (const auto& [share, color] : parts) {
        const double left = room.left() + sum * room.width();
        sum += share;
        if (share > 0) {
            painter.fillRect(QRectF(left, room.top(), std::max(share * room.width(), 0.5), room.height()),
                             color);
        }
    }
}

void drawName(QPainter& painter, QRect cell, const QStyleOptionViewItem& option, const QModelIndex& index,
              const Theme& theme) {
    const int marks = index.data(MarksRole).toInt();
    const auto drawMark = [&](int mark, auto draw, const QColor& color) {
        if (!(marks & mark)) {
            return;
        }
        draw(painter, QRect(cell.right() - markSide + 1, cell.top(), markSide, cell.height()), color);
        cell.setRight(cell.right() - markSide - 4);
    };
    drawMark(DiagnosticsMark, drawWarningMark, theme.warning);
    drawMark(InheritsMark, drawInheritedMark, theme.textMuted);

    if (marks & ShownMark) { // beside the name, as the page that shows it does in the rail
        painter.fillRect(QRect(cell.left() - 5, cell.top() + 3, 3, cell.height() - 6), theme.accent);
    }
    const bool isProject = !index.parent().isValid();
    QFont nameFont = option.font;
    nameFont.setBold(isProject || (marks & ShownMark) != 0);
    const QString note = index.data(NoteRole).toString();
    const QFontMetrics metrics(option.font);
    const QString text = index.data().toString().simplified();
    const QFontMetrics nameMetrics(nameFont);
    const int nameWidth = std::min(nameMetrics.horizontalAdvance(text) + 2, nameComesFirst);
    const int noteWidth = std::min(metrics.horizontalAdvance(note), cell.width() - nameWidth - spacing);
    // Half an id says nothing; the end of a folder's path does.
    const bool withNote = !note.isEmpty() && noteWidth >= (isProject ? 60 : metrics.horizontalAdvance(note));
    const int nameRoom = cell.width() - (withNote ? noteWidth + spacing : 0);
    painter.setFont(nameFont);
    painter.setPen(theme.text);
    painter.drawText(cell, Qt::AlignVCenter | Qt::AlignLeft,
                     nameMetrics.elidedText(text, Qt::ElideRight, nameRoom));
    if (!withNote) {
        return;
    }
    painter.setFont(option.font);
    painter.setPen(theme.textMuted);
    const QRect noteCell(cell.right() - noteWidth + 1, cell.top(), noteWidth, cell.height());
    painter.drawText(noteCell, Qt::AlignVCenter | Qt::AlignRight,
                     metrics.elidedText(note, Qt::ElideLeft, noteWidth));
}

} // namespace

void SessionDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const Theme& theme = option.widget ? themeOf(*option.widget) : Theme::light();
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    filled.text.clear();
    const QStyle* style = option.widget ? option.widget->style() : nullptr;
    if (style) { // ground, selection and focus
        style->drawControl(QStyle::CE_ItemViewItem, &filled, painter, option.widget);
    }

    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const QVariant bar = index.data(BarRole);
    if (bar.isValid()) {
        drawBar(*painter, option.rect, bar.value<StackedBar>(), theme);
    }
    const QRect cell = option.rect.adjusted(barInset, 0, -barInset, 0);
    if (index.column() == static_cast<int>(SessionColumn::Name)) {
        drawName(*painter, cell.adjusted(-2, 0, 0, 0), option, index, theme);
    } else {
        const QString text = index.data().toString();
        const auto alignment = Qt::Alignment(index.data(Qt::TextAlignmentRole).toInt());
        painter->setFont(option.font);
        painter->setPen(text == QStringLiteral("–") ? theme.textMuted : theme.text);
        const QRect line = bar.isValid() ? cell.adjusted(0, 0, 0, -barHeight) : cell;
        const bool model = index.column() == static_cast<int>(SessionColumn::Model);
        painter->drawText(line, static_cast<int>(alignment),
                          model ? elidedModel(QFontMetricsF(painter->font()), text, cell.width())
                                : painter->fontMetrics().elidedText(text, Qt::ElideRight, cell.width()));
    }
    painter->restore();
}

QSize SessionDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const QSize size = QStyledItemDelegate::sizeHint(option, index);
    return {size.width(), QFontMetrics(option.font).height() + 10};
}

} // namespace loadline::ui
