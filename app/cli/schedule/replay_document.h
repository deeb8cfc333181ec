// What `loadline replay` says: a recorded run against its simulation, as a document and as text.
#pragma once

#include "core/replay/replay.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace loadline::app {

struct Replayed {
    std::string path; ///< as it was given
    EngineRun run;
    Replay replay;
    double wallS = 0; ///< of the replay itself, without reading
};

/// The document "loadline.replay/1"; "recorded" and "error" are null where no times were recorded.
nlohmann::ordered_json replayDocument(const Replayed& replayed, bool perRequest);

/// For a terminal.
std::string replayText(const Replayed& replayed, bool perRequest);

} // namespace loadline::app
