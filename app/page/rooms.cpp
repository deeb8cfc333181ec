// The list of rooms.
#include "app/page/page_spec.h"
#include "app/page/room.h"

#include <algorithm>

namespace loadline::app {

std::span<const RoomSpec> roomSpecs() {
    static constexpr RoomSpec rooms[] = {
        {Room::Sessions, "sessions", "&Sessions", "1", "sessions", "Who used what, and when"},
        {Room::Cache, "cache", "C&ache", "2", "cache", "What is reused, and what it takes to keep it"},
        {Room::ServerLog, "server-log", "Server &log", "3", "server-log",
         "Whether a server is slow, and why, from its log"},
        {Room::Simulator, "simulator", "Si&mulator", "4", "simulator", "What batching makes of a workload"},
        {Room::Plan, "plan", "&Plan", "5", "pays", "Which hardware serves a load, and at what cost"},
        {Room::Kernels, "kernels", "&Kernels", "6", "kernels", "Kernel times: measured here, and published"},
        {Room::Validation, "validation", "Vali&dation", "7", "self-check",
         "How close the predictions come to measurements"},
    };
    return rooms;
}

Room roomOf(Page page) {
    return specOf(page).room;
}

std::vector<Page> pagesOf(Room room) {
    std::vector<Page> found;
    for (const PageSpec& spec : pageSpecs()) {
        if (spec.room == room) {
            found.push_back(spec.page);
        }
    }
    if (room == Room::Kernels) { // this machine's before what others published
        std::ranges::stable_partition(found, [](Page page) { return page != Page::Published; });
    }
    return found;
}

} // namespace loadline::app
