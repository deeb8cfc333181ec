// The output counts that the lines of one API call record, by version of the agent.
#pragma once

#include "core/session/usage.h"
#include "tests/tools/generate/transcript/cli_version.h"
#include "tests/tools/generate/transcript/random.h"

#include <vector>

namespace loadline::generate {

struct RecordedOutput {
    std::vector<Tokens> byLine; ///< never decreases
    int firstStopLine = -1;     ///< lines from here on have a stop_reason; -1: none

    [[nodiscard]] OutputQuality quality(OutputLog log) const;
};

/// `lines` at least 1, `output` at least 1.
RecordedOutput recordedOutput(OutputLog log, std::size_t lines, Tokens output, Random& random);

} // namespace loadline::generate
