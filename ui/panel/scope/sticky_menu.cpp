// A menu that stays open while its checkable entries are ticked.
#include "ui/panel/scope/sticky_menu.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace loadline::ui {

void StickyMenu::mouseReleaseEvent(QMouseEvent* event) {
    QAction* action = actionAt(event->position().toPoint());
    if (action && action->isCheckable() && action->isEnabled()) {
        action->trigger();
    } else {
        QMenu::mouseReleaseEvent(event);
    }
}

void StickyMenu::keyPressEvent(QKeyEvent* event) {
    // Space ticks and stays; Enter ticks and closes, as menus do.
    if (event->key() == Qt::Key_Space && activeAction() && activeAction()->isCheckable()) {
        activeAction()->trigger();
    } else {
        QMenu::keyPressEvent(event);
    }
}

} // namespace loadline::ui
