// The kernel tables beside a recorded run: what each part of a step takes on that GPU.
#pragma once

#include "core/base/result.h"
#include "core/replay/tables/attention_grid.h"
#include "core/replay/tables/linear_curve.h"
#include "core/replay/tables/skew_fit.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// Times in microseconds: of one transformer layer, and of one rank's share if tensor parallel.
struct LayerTables {
    std::map<std::string, LinearCurve, std::less<>> dense;       ///< layer -> time over tokens
    std::map<std::string, LinearCurve, std::less<>> perSequence; ///< "lm_head", "sampler" -> over sequences
    AttentionGrid attention;
    std::optional<SkewFit> skew; ///< only where the profile says that it was fitted on this GPU
    std::string gpu;
    std::string profiledAt;
    std::string vllmVersion;
    std::vector<std::string> notes; ///< what was left out or is not known, one sentence each
};

/// The files of such a folder as text.
struct LayerTableTexts {
    std::string dense, perSequence, attention, meta;
    std::string skewFit; ///< matters where meta.yaml says that it holds
};

/// The tables of these texts; `folder` is for messages alone. The Error as of readLayerTables.
Result<LayerTables> layerTablesFromTexts(const LayerTableTexts& texts, const std::string& folder,
                                         std::int64_t tensorParallel);

/// Reads dense.csv, per_sequence.csv, attention.csv, meta.yaml and, where meta.yaml says that it holds,
/// skew_fit.csv. The Error: a table is missing, lacks a column or a layer every model has, or holds a line
/// that is no measurement (it names file and line).
Result<LayerTables> readLayerTables(const std::string& folder, std::int64_t tensorParallel);

} // namespace loadline
