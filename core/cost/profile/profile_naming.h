// Names of the kernels of a profile: by its device, and as its points call them.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <vector>

namespace loadline {

/// Of the device behind a profile, with the names that all its points give; nullptr stands for rooflines,
/// which are those of GPUs. Role where figures are invented.
KernelNaming namingOf(const Profile* profile);
/// The same with the names that points of these shapes and k give; of a kernel without any, which is timed
/// by what is nearest, those of other shapes.
KernelNaming namingOf(const Profile* profile, const std::vector<GemmSize>& sizes, int kBits);

/// The very code, as its device told ("own GEMM, fp16 weights (AVX-512)"); the short name where none is told.
/// Of a pair whose name is not told: both parts.
std::string codeNameOf(Kernel kernel, const Profile& profile);

/// The same of one point: its own name; of a point that was added from a file, which names only the role that
/// it plays, the role and never the code of the profile's own kernel.
std::string codeNameOf(const ProfilePoint& point, const Profile& profile);

} // namespace loadline
