// Folds by its height.
#include "ui/panel/frame/rail.h"

#include "ui/panel/part/themed.h"
#include "ui/theme/theme.h"

#include <QActionEvent>
#include <QKeyEvent>
#include <QToolButton>

namespace loadline::ui {
namespace {

constexpr int wordsWidth = 11 * spacing;
constexpr int foldedWidth = 5 * spacing;

} // namespace

Rail::Rail(const QString& title, QWidget* parent) : QToolBar(title, parent) {
    setMovable(false);
    setIconSize({20, 20});
    setFolded(false);
    inkExtension(*this);
}

void Rail::actionEvent(QActionEvent* event) {
    QToolBar::actionEvent(event);
    if (auto* button = qobject_cast<QToolButton*>(widgetForAction(event->action()));
        button && event->type() == QEvent::ActionAdded) {
        button->setFocusPolicy(Qt::TabFocus);
        button->installEventFilter(this);
        button->setFont(fontOf(0.85));
        button->setFixedWidth(wordsWidth);
        wordsHeight_ = 0;
    }
}

bool Rail::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        auto* button = qobject_cast<QToolButton*>(watched);
        if (button != nullptr && (key == Qt::Key_Return || key == Qt::Key_Enter)) {
            button->click();
            return true;
        }
    }
    return QToolBar::eventFilter(watched, event);
}

void Rail::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    const bool folded = toolButtonStyle() == Qt::ToolButtonIconOnly;
    if (!folded && wordsHeight_ == 0) {
        wordsHeight_ = sizeHint().height();
    }
    if (const bool low = height() < wordsHeight_; low != folded) {
        setFolded(low);
    }
}

void Rail::setFolded(bool folded) {
    setToolButtonStyle(folded ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextUnderIcon);
    for (QAction* action : actions()) {
        if (auto* button = qobject_cast<QToolButton*>(widgetForAction(action))) {
            button->setFixedWidth(folded ? foldedWidth : wordsWidth);
        }
    }
}

} // namespace loadline::ui
