// An item of a timeline that the user can point at: a call, a tool or a mark.
#pragma once

#include <cstdint>

namespace loadline::ui {

struct TimelineItem {
    enum class Kind : std::uint8_t { Call, Tool, Mark };
    Kind kind = Kind::Call;
    std::uint32_t index = 0; ///< into Timeline::calls, ::tools or ::marks
    bool operator==(const TimelineItem&) const = default;
};

} // namespace loadline::ui
