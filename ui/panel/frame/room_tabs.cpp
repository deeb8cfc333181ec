// A tab bar that is filled as a whole.
#include "ui/panel/frame/room_tabs.h"

#include "ui/theme/plain_text.h"

#include <QSignalBlocker>

namespace loadline::ui {

RoomTabs::RoomTabs(QWidget* parent) : QTabBar(parent) {
    setAccessibleName(tr("Pages of this room"));
    setDocumentMode(true);
    setDrawBase(false);
    setExpanding(false);
    setElideMode(Qt::ElideRight);
    setFocusPolicy(Qt::TabFocus);
    connect(this, &QTabBar::currentChanged, this, &RoomTabs::chosen);
    hide();
}

void RoomTabs::setTabs(const std::vector<RoomTab>& tabs) {
    const QSignalBlocker silent(this);
    while (count() > static_cast<int>(tabs.size())) {
        removeTab(count() - 1);
    }
    for (int i = 0; i < static_cast<int>(tabs.size()); ++i) {
        const RoomTab& tab = tabs[static_cast<std::size_t>(i)];
        if (i == count()) {
            addTab(buttonText(tab.title));
        }
        setTabText(i, buttonText(tab.title));
        setTabToolTip(i, tab.tip);
        setTabEnabled(i, tab.isEnabled);
        if (tab.isCurrent) {
            setCurrentIndex(i);
        }
    }
    setVisible(tabs.size() > 1);
}

} // namespace loadline::ui
