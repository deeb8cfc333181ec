// Draws rows of the Diagnostics list.
#include "ui/panel/evidence/severity_delegate.h"

#include "ui/model/diagnostics_model.h"
#include "ui/panel/part/themed.h"
#include "ui/panel/sessions/marks.h"

#include <QPainter>

namespace loadline::ui {

void SeverityDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const bool isKind = index.data(MarksRole).isValid();
    const Theme& theme = option->widget ? themeOf(*option->widget) : Theme::light();
    option->font.setBold(isKind && index.column() <= DiagnosticsModel::Times);
    if (isKind && index.column() == DiagnosticsModel::File) {
        option->palette.setColor(QPalette::Text, theme.textMuted);
    }
    if (isKind && index.column() == DiagnosticsModel::What) {
        // Room for the mark that paint() puts there.
        option->features |= QStyleOptionViewItem::HasDecoration;
        option->decorationSize = {markSide, markSide};
    }
}

void SeverityDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                             const QModelIndex& index) const {
    QStyledItemDelegate::paint(painter, option, index);
    if (!index.data(MarksRole).isValid() || index.column() != DiagnosticsModel::What || !option.widget) {
        return;
    }
    QStyleOptionViewItem filled = option;
    initStyleOption(&filled, index);
    const QRect place =
        option.widget->style()->subElementRect(QStyle::SE_ItemViewItemDecoration, &filled, option.widget);
    const Theme& theme = themeOf(*option.widget);
    if (index.data(MarksRole).toBool()) {
        drawWarningMark(*painter, place, theme.warning);
    } else {
        drawMendedMark(*painter, place, theme.good);
    }
}

} // namespace loadline::ui
