// The GEMM kernels, and which of them serves which number of rows M.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// What can be timed, and what can serve a GEMM. Dequantise alone serves nothing. DequantCublas and
/// GroupedDequant are pairs of two kernels (partsOf): those are timed apart at every M, and the pair in one
/// go at a few, which tells what running one behind the other costs or saves (served_time.h).
enum class Kernel : std::uint8_t {
    CublasFp16,     ///< dense GEMM on fp16 weights, by cuBLAS or whatever the device has
    Scalar,         ///< k-bit GEMV, small M
    Mma,            ///< k-bit tensor-core GEMM, as published
    SwapAb,         ///< k-bit tensor-core GEMM with weights as the tall operand: our own, M up to 64
    Dequantise,     ///< k-bit to fp16, whatever M is
    DequantCublas,  ///< Dequantise, then CublasFp16
    BatchedFp16,    ///< one fp16 GEMM per active expert, in one call
    GroupedScalar,  ///< k-bit GEMV over the active experts
    GroupedMma,     ///< k-bit tensor-core GEMM over the active experts, as published
    GroupedSwapAb,  ///< SwapAb over the active experts
    GroupedDequant, ///< Dequantise the active experts, then BatchedFp16
};

inline constexpr std::size_t kernelCount = 11;
inline constexpr std::array<Kernel, kernelCount> allKernels = {
    Kernel::CublasFp16, Kernel::Scalar,        Kernel::Mma,           Kernel::SwapAb,
    Kernel::Dequantise, Kernel::DequantCublas, Kernel::BatchedFp16,   Kernel::GroupedScalar,
    Kernel::GroupedMma, Kernel::GroupedSwapAb, Kernel::GroupedDequant};

std::string_view
keyOf(Kernel kernel); ///< "cublas_fp16", "scalar", "mma", "dequantise", "dequant_cublas", ...
std::string_view
nameOf(Kernel kernel); ///< of the role, for people (kernel_naming.h): "dequantise + fp16 GEMM"
std::optional<Kernel> kernelFromKey(std::string_view key);
/// Reads k-bit weights: its time depends on k.
bool readsKBits(Kernel kernel);
/// Serves experts.
bool isGrouped(Kernel kernel);
/// Most rows M (of each expert) that the kernel is built for, here as in the published study: a scalar GEMV
/// 4, a k-bit tensor-core GEMM 64; of the others no bound.
std::int64_t designedRows(Kernel kernel);

/// The kernels that a serving kernel runs; one and itself, unless it is a pair.
struct KernelParts {
    Kernel first = Kernel::CublasFp16;
    std::optional<Kernel> second;
    bool operator==(const KernelParts&) const = default;
};

KernelParts partsOf(Kernel kernel);

inline constexpr std::int64_t unboundedM = std::numeric_limits<std::int64_t>::max();

/// M from `fromM` to `toM`, both included, are served by `kernel`. For experts M is rows per active expert.
struct KernelRange {
    Kernel kernel = Kernel::DequantCublas;
    std::int64_t fromM = 1;
    std::int64_t toM = unboundedM;
    bool operator==(const KernelRange&) const = default;
};

/// Which kernel serves a quantised GEMM: by range of M, or the fastest of those that have a time.
struct DispatchRule {
    std::string key;    ///< "code"
    std::string name;   ///< "As in the code"
    std::string source; ///< where the ranges come from
    bool fastest = false;
    std::vector<KernelRange> dense;   ///< ascending, without gaps, from 1 to the largest M; unused if fastest
    std::vector<KernelRange> grouped; ///< the same for experts
    bool operator==(const DispatchRule&) const = default;
};

/// "published": the study's text (scalar to 4, MMA to 32); "code": its code and spec (scalar to 4, MMA to
/// 16); "fastest": the fastest measured.
const std::vector<DispatchRule>& dispatchPresets();
const DispatchRule* findDispatchPreset(std::string_view key); ///< null where there is none
/// The serving kernels a rule chooses from.
std::vector<Kernel> candidatesOf(const DispatchRule& rule, bool grouped);
/// By range; precondition: not `fastest`, and problemOf finds nothing. `m` below 1 counts as 1.
Kernel kernelFor(const DispatchRule& rule, bool grouped, double m);
/// What is wrong with an edited rule ("no kernel serves M = 5 to 7"); nothing if it can be used.
std::optional<std::string> problemOf(const DispatchRule& rule);

} // namespace loadline
