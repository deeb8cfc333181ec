// A dialog is as high as its content at first; a smaller one scrolls.
#include "ui/panel/frame/dialog_scroll.h"

#include "ui/theme/boxes.h"
#include "ui/theme/theme.h"

#include <QDialog>
#include <QDialogButtonBox>
#include <QScrollArea>

namespace loadline::ui {

void fillDialog(QDialog& dialog, QWidget* content, QDialogButtonBox* buttons, int width) {
    constexpr int around = 2 * spacing;
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setFocusPolicy(Qt::NoFocus);
    area->setWidgetResizable(true);
    area->setWidget(content);
    columnOf({{area, 1}, buttons}, spacing, &dialog, {around, around, around, around});
    dialog.resize(width,
                  content->sizeHint().height() + buttons->sizeHint().height() + spacing + 2 * around + 2);
}

} // namespace loadline::ui
