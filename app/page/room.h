// The rooms of the rail: the pages of a room are tabs at the head of its page.
#pragma once

#include "app/page/page.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadline::app {

enum class Room : std::uint8_t { Sessions, Cache, ServerLog, Simulator, Plan, Kernels, Validation };

struct RoomSpec {
    Room room{};
    const char* key = "";
    const char* words = ""; ///< on the rail, with its mnemonic
    const char* keys = "";  ///< portable text
    const char* icon = "";
    const char* tip = "";
};

/// In the order of the rail.
std::span<const RoomSpec> roomSpecs();
Room roomOf(Page page);
/// Its pages in the order of their tabs; none: it does not stand on the rail.
std::vector<Page> pagesOf(Room room);

} // namespace loadline::app
