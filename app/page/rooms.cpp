// The list of rooms.
#include "app/page/page_spec.h"
#include "app/page/room.h"

#include <algorithm>

namespace loadline::app {

std::span<const RoomSpec> roomSpecs() {
    static constexpr RoomSpec rooms[] = {
        {Room::Sessions, "sessions", "&Sessions", "sessions", "Who used what, and when"},
        {Room::Cache, "cache", "C&ache", "cache", "What is reused, and what it takes to keep it"},
        {Room::ServerLog, "server-log", "Server &log", "server-log",
         "Whether a server is slow, and why, from its log"},
        {Room::Simulator, "simulator", "Si&mulator", "simulator", "What batching makes of a workload"},
        {Room::Plan, "plan", "&Plan", "pays", "Which hardware serves a load, and at what cost"},
        {Room::Kernels, "kernels", "&Kernels", "kernels", "Kernel times: measured here, and published"},
        {Room::Validation, "validation", "Vali&dation", "self-check",
         "How close the predictions come to measurements"},
    };
    return rooms;
}

std::optional<int> numberOf(Room room) {
    int number = 0;
    for (const RoomSpec& spec : roomSpecs()) {
        const bool stands = !pagesOf(spec.room).empty();
        number += stands ? 1 : 0;
        if (spec.room == room) {
            return stands ? std::optional(number) : std::nullopt;
        }
    }
    return std::nullopt;
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
    std::ranges::stable_partition(found, [](Page page) { return !specOf(page).isLastTab; });
    return found;
}

} // namespace loadline::app
