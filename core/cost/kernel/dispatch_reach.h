// How many rows M a kernel may serve, and what that leaves of a dispatch rule.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "core/cost/kernel/kernel_naming.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// Most rows M (of each active expert) that a kernel serves, and why no more.
struct KernelReach {
    std::int64_t rowsM = 0;
    bool timed = false; ///< so far it was timed; else so far it is built
    bool operator==(const KernelReach&) const = default;
};

/// The reach of each kernel, by Kernel.
using KernelReaches = std::array<KernelReach, kernelCount>;

/// True if the kernel may serve `m` rows; those of experts need not be whole.
bool reaches(const KernelReaches& reaches, Kernel kernel, double m);

/// Returns the kernel without a bound: dequantise, then the fp16 GEMM of dense weights or of experts.
Kernel servesEveryM(bool grouped);

/// The rule with every range cut where its kernel's reach ends. Above, the next kernels of the rule serve as
/// far as they reach, then servesEveryM. The rule itself where nothing is to be cut, and where it is the
/// fastest: there a kernel is no candidate beyond its reach.
DispatchRule within(const DispatchRule& rule, const KernelReaches& reaches);

/// Returns a line for each range that `within` cut: "scalar GEMV serves up to M = 4, the most that it was
/// timed at, and not up to 64 as the rule says: MMA above". `grouped`: the ranges of experts count.
std::vector<std::string> cutsOf(const DispatchRule& rule, const KernelReaches& reaches, bool grouped,
                                const KernelNaming& naming);

} // namespace loadline
