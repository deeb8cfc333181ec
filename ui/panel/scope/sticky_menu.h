// A menu that stays open while its checkable entries are ticked, so that several can be.
#pragma once

#include <QMenu>

namespace loadline::ui {

class StickyMenu : public QMenu {
    Q_OBJECT

public:
    using QMenu::QMenu;

protected:
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace loadline::ui
