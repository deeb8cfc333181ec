// Rooms of the rail and the tabs of their pages.
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "app/window/workspace.h"
#include "ui/panel/frame/room_tabs.h"

#include <algorithm>

namespace loadline::app {

/// The next one that there is something to show on.
void Workspace::stepPage(const std::vector<Page>& among, int by) {
    auto at = static_cast<std::size_t>(std::ranges::find(among, workbench_.state().page) - among.begin());
    do {
        at = (at + among.size() + static_cast<std::size_t>(by)) % among.size();
    } while (!actions_[among[at]]->isEnabled());
    workbench_.showPage(among[at]);
}

std::optional<Page> Workspace::pageOf(Room room) const {
    const auto left = left_.find(room);
    if (left != left_.end() && actions_[left->second]->isEnabled()) {
        return left->second;
    }
    return firstPageOf(room, actions_);
}

std::optional<Page> firstPageOf(Room room, const Actions& actions) {
    const std::vector<Page> inRoom = pagesOf(room);
    const auto first = std::ranges::find_if(inRoom, [&](Page page) { return actions[page]->isEnabled(); });
    return first != inRoom.end() ? std::optional(*first) : std::nullopt;
}

void Workspace::followTabs(Page page) {
    const Room room = roomOf(page);
    left_[room] = page;
    std::vector<ui::RoomTab> tabs;
    for (const Page one : pagesOf(room)) {
        const PageSpec& spec = specOf(one);
        const QString title = spec.tab.empty() ? titleOf(one) : QObject::tr(spec.tab.c_str());
        tabs.push_back({title, actions_[one]->toolTip(), actions_[one]->isEnabled(), one == page});
    }
    tabs_.setTabs(shown_ ? tabs : std::vector<ui::RoomTab>());
}

} // namespace loadline::app
