// How output falls as prompts rise, over lines of statistics.
#pragma once

#include "core/serverlog/server_log.h"

#include <cstddef>
#include <optional>

namespace loadline {

/// A plane through lines that tell output, prompts and who runs: output = a + b x streams - c x prompts. A
/// token of a prompt takes its time from decoding, so that the loss is c x prompts of what comes out without
/// any.
struct PromptSlope {
    double loss = 0;             ///< share of the output, at the mean of prompts and streams
    double promptTokensPerS = 0; ///< mean
    double streams = 0;          ///< mean
    std::size_t lines = 0;
};

/// Returns nothing for fewer than thirty lines, and for a slope that is not below 0 by 3.5 standard errors:
/// if more requests run, more prompts are computed and more comes out, so that chance seldom looks like a
/// loss.
std::optional<PromptSlope> promptSlopeOf(const ServerLog& log);

} // namespace loadline
