// Why a scheduler stands still.
#pragma once

#include "core/schedule/step.h"

#include <string>

namespace loadline {

/// The request that cannot go on, and the reason as the end of a sentence ("needs 12 blocks, and ...").
struct Obstacle {
    RequestIndex request = 0;
    std::string why;
};

} // namespace loadline
