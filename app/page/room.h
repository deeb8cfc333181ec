// The rooms of the rail: the pages of a room are tabs at the head of its page.
#pragma once

#include "app/page/page.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline::app {

enum class Room : std::uint8_t { Sessions, Cache, ServerLog, Simulator, Plan, Kernels, Validation };

struct RoomSpec {
    Room room{};
    const char* key = "";
    const char* words = ""; ///< on the rail, with its mnemonic
    const char* icon = "";
    const char* tip = "";
};

/// In the order of the rail, where rooms without pages do not stand.
std::span<const RoomSpec> roomSpecs();
/// Its number on the rail, from 1, which is its key; nothing: it has no page.
std::optional<int> numberOf(Room room);
Room roomOf(Page page);
/// Its pages in the order of their tabs.
std::vector<Page> pagesOf(Room room);

} // namespace loadline::app
