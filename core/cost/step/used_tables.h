// The origin of the measured kernel tables behind a server's steps.
#pragma once

#include "core/cost/atlas/atlas.h"
#include "core/cost/shapes/shapes.h"

#include <string>
#include <vector>

namespace loadline {

/// The tables of one GPU that share a source.
struct UsedTables {
    std::string gpu;
    AtlasSource source;
    std::vector<std::string> kinds; ///< "linear layers"
};

/// Adds the tables behind a model on a GPU to those that have the same source.
void addUsedTables(std::vector<UsedTables>& used, const Atlas& atlas, const ModelShapes& model);

/// "h200-sxm: linear layers, decode attention by vllm 0.24.0; measured by NAME (Apache-2.0), 2026-08-21"
std::string sourceLineOf(const UsedTables& used);

} // namespace loadline
