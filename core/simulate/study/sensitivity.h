// What making one kernel faster would buy for this workload: Amdahl's question, answered by re-simulation.
#pragma once

#include "core/cost/kernel/kernel_naming.h"
#include "core/simulate/study/crossover.h"

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline {

/// One kernel made `factor` times faster (infinite: free).
struct Improvement {
    double factor = 1;
    std::optional<double> timeVsFp16; ///< at the present users; none where fp16 takes no time any more
    double speedUp = 1;               ///< k-bit time before / after; infinite where none is left
    std::optional<double> crossing;   ///< first crossing in users; none in range otherwise
    bool fasterAtFirst = true; ///< quantised kernels, at the fewest users: without a crossing, everywhere
    bool operator==(const Improvement&) const = default;
};

/// A timed kernel (not a sum: dequantise and cuBLAS apart).
struct KernelPay {
    Kernel kernel = Kernel::CublasFp16;
    double share = 0;                      ///< of the k-bit time at the present users, in the scope asked for
    double modelledShare = 0;              ///< of its time
    std::vector<Improvement> improvements; ///< 1.5, 2, free
    bool operator==(const KernelPay&) const = default;
};

/// A faster fp16 GEMM serves both sides: it is scaled on both.
struct WhatPays {
    std::int64_t users = 0;
    int kBits = 4;
    double timeVsFp16 = 0;
    std::optional<double> crossing;
    std::vector<KernelPay> kernels; ///< the largest share first; those with none are left out
    double restShare = 0; ///< of the k-bit time: attention and the host, which no kernel here makes faster
    KernelNaming naming = KernelNaming::Role; ///< of the profile's kernels
    MemoryFit memory;                         ///< of the weights
    std::string sentence;
};

Result<WhatPays> whatPays(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                          const std::stop_token& stop = {});

} // namespace loadline
