// The question of a replay: which recorded run, with its fields.
#pragma once

#include "core/ask/field.h"

#include <cstdint>
#include <optional>
#include <string>

namespace loadline {

struct ReplayQuestion {
    std::string run;                      ///< its folder; "": none
    std::string prompts;                  ///< the dataset that was served; "": the run's own, if it has one
    std::optional<std::int64_t> kvBlocks; ///< in replayedBlocks; instead of the run's own
    bool operator==(const ReplayQuestion&) const = default;
};

ask::Fields replayFields();

} // namespace loadline
