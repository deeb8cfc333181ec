// What kernels are called for people: the same role is played by other code on a GPU and on a CPU.
#pragma once

#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>

namespace loadline {

enum class KernelNaming : std::uint8_t {
    Role, ///< whoever plays it: "fp16 GEMM"
    Gpu,  ///< "fp16 cuBLAS"
    Cpu,  ///< "own fp16 GEMM"
};

/// Of the device behind a profile; nullptr stands for rooflines, which are those of GPUs. Role where figures
/// are invented.
KernelNaming namingOf(const Profile* profile);

/// Short, as for labels of curves; nameOf(kernel) is that of the role.
std::string_view nameOf(Kernel kernel, KernelNaming naming);

/// The very code, as its device told ("own GEMM, fp16 weights (AVX-512)"); the short name where none is told.
/// Of a pair whose name is not told: both parts.
std::string codeNameOf(Kernel kernel, const Profile& profile);

} // namespace loadline
