// The name of this processor and its instruction sets.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::gpu {

/// The kernels' instruction sets, each wider than the one before.
enum class InstructionSet : std::uint8_t {
    Portable, ///< plain C++
    Avx2,     ///< AVX2, FMA, F16C
    Avx512,   ///< AVX-512 F, BW, VL, DQ and VNNI
};

std::string_view nameOf(InstructionSet set); ///< "portable", "AVX2", "AVX-512"

struct Cpu {
    std::string name;                     ///< "AMD EPYC"; "unknown processor" where the system does not say
    std::string architecture;             ///< "x86_64"
    unsigned cores = 1;                   ///< logical, of this process
    std::int64_t lastLevelCacheBytes = 0; ///< 0: not known
    std::vector<InstructionSet> sets;     ///< usable ones, ascending; Portable always

    [[nodiscard]] bool has(InstructionSet set) const;

    [[nodiscard]] InstructionSet best() const { return sets.back(); }
};

/// Asks the processor and the operating system.
Cpu thisCpu();

} // namespace loadline::gpu
