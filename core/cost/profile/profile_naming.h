// Names of the kernels of a profile: by its device, and as its points call them.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <vector>

namespace loadline {

/// Returns the names of kernels on the profile's device, with the names that all its points give; nullptr
/// stands for rooflines, which are those of GPUs. Role if figures are invented.
KernelNaming namingOf(const Profile* profile);
/// Returns the same with the names that points of these shapes and k give; for a kernel without any, which is
/// timed by the nearest points, the names of other shapes.
KernelNaming namingOf(const Profile* profile, const std::vector<GemmSize>& sizes, int kBits);

/// Returns the name of the code that ran, as its device reported it ("own GEMM, fp16 weights (AVX-512)"); the
/// short name if none was reported, for a pair both parts.
std::string codeNameOf(Kernel kernel, const Profile& profile);

/// Returns the code's name for one point: the point's own name; for a point that was added from a file, which
/// names only the role that it plays, the role and never the code of the profile's own kernel.
std::string codeNameOf(const ProfilePoint& point, const Profile& profile);

} // namespace loadline
