// Registers of the plugin's kernels, as ptxas told them when the plugin was built.
#pragma once

#include <string>

namespace loadline::gpu::rehearse {

/// Of the newest architecture of the same generation that is no newer than `architecture` (89: sm_89). 64
/// where nothing is known.
int registersPerThread(const std::string& logs, const std::string& mangled, int architecture);

} // namespace loadline::gpu::rehearse
