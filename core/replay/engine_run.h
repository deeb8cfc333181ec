// A recorded run of a real engine, read whole: set-up, requests, kernel tables, the peer's figures.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/cost/shapes/shapes.h"
#include "core/replay/peer.h"
#include "core/replay/run_meta.h"
#include "core/replay/run_requests.h"
#include "core/replay/tables/layer_tables.h"

#include <optional>
#include <string>
#include <vector>

namespace loadline {

struct EngineRun {
    std::string name; ///< of its folder
    RunMeta meta;
    ModelShapes model;
    LayerTables tables;
    std::optional<PeerConfig> peer;
    std::vector<PeerFigure> peerFigures;      ///< empty where the peer published none
    std::vector<RecordedRequest> requests;    ///< by arrival
    std::vector<Diagnostic> diagnostics = {}; ///< of requests.jsonl
    std::vector<std::string> notes = {};

    /// The prompts themselves are known, so what requests share can be found in the prefix cache.
    [[nodiscard]] bool prompted() const;
    /// All requests carry the times at which they were served.
    [[nodiscard]] bool timed() const;
};

/// True if `folder` has the parts of a recorded run: meta.json, requests.jsonl and profile/. None is read.
bool isEngineRun(const std::string& folder);

/// Reads meta.json, requests.jsonl and profile/; peer_config.json and peer_error_summary.txt where they are
/// (with tensor parallelism the former is needed). `prompts` is the dataset that was served, which runs do
/// not record ("": prompts.jsonl in the folder, if it is there). The Error: no such folder, a file is missing
/// or broken, or the model is not known.
Result<EngineRun> readEngineRun(const std::string& folder, const std::string& prompts = "");

} // namespace loadline
