// How many rows M the kernels of a profile may serve.
#pragma once

#include "core/cost/kernel/dispatch_reach.h"
#include "core/cost/profile/profile.h"

namespace loadline {

/// Returns the reach of each kernel: as far as it was timed at any shape and k of the profile, or as far as
/// it is built (designedRows), whichever is more. Imported timings do not tell how far their kernel is built:
/// it reaches as far as they go, even if the kernel in whose place they stand was timed further at other
/// shapes. Null: rooflines alone. The kernels without a bound, among them dequantise + fp16 GEMM, serve every
/// M.
KernelReaches reachesOf(const Profile* profile);

} // namespace loadline
