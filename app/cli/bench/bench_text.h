// Devices and profiles as text for a terminal.
#pragma once

#include "core/cost/profile/bench_event.h"

#include <string>
#include <vector>

namespace loadline::app {

/// Key, name and state of each device, then the remarks.
std::string deviceText(const std::vector<BenchDevice>& devices, const std::vector<std::string>& remarks);

/// Key, name, tables, times, engines and date of each GPU whose kernels others measured; then what is wrong.
std::string atlasText(const std::vector<AtlasDevice>& atlas);

/// Ceilings, then for each shape a table: a row per kernel and k, a column per M, median times in us, "*"
/// where a point is flagged; after them the same for attention: a row per batch, a column per context.
std::string profileText(const Profile& profile);

/// "checking MMA, 2048x5120 · 12 of 600 · 31 s left".
std::string progressText(const BenchProgress& progress);

} // namespace loadline::app
