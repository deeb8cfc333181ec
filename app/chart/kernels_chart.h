// The charts of kernels, computed on the spot: for exports.
#pragma once

#include "app/chart/chart_request.h"

namespace loadline::app {

Result<std::shared_ptr<const ui::Drawing>> kernelsDrawing(const ChartRequest& request);
/// "RTX 4090, published; NVIDIA GeForce RTX 4090; how the times were taken; 2026-02-21"
std::string kernelsCaption(const ChartRequest& request);

} // namespace loadline::app
