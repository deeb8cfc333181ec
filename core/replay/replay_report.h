// A recorded run against its simulation, described.
#pragma once

#include "core/ask/report.h"
#include "core/replay/replay.h"
#include "core/replay/replay_question.h"

#include <string>

namespace loadline {

struct Replayed {
    ReplayQuestion question;
    EngineRun run;
    Replay replay;
    double wallS = 0; ///< of the replay itself, without reading
};

namespace ask {

/// The document "loadline.replay/1"; "recorded" and "error" are null where no times were recorded.
Report replayReport(const Replayed& replayed, bool perRequest);

} // namespace ask
} // namespace loadline
