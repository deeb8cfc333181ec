// The pages of a room, side by side over the page that is shown.
#pragma once

#include <QTabBar>

#include <vector>

namespace loadline::ui {

struct RoomTab {
    QString title;
    QString tip;
    bool isEnabled = true;
    bool isCurrent = false;
};

/// Hidden where there are not several.
class RoomTabs : public QTabBar {
    Q_OBJECT

public:
    explicit RoomTabs(QWidget* parent = nullptr);

    void setTabs(const std::vector<RoomTab>& tabs); ///< emits nothing

signals:
    void chosen(int tab); ///< by the user
};

} // namespace loadline::ui
