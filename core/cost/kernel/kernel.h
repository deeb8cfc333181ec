// The GEMM kernels, a row each, and which of them serves which number of rows M.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Kernels that can be timed, or can serve a GEMM. Dequantise alone serves nothing. DequantCublas and
/// GroupedDequant are pairs of two kernels (partsOf): the two are timed apart at every M, and the pair in one
/// go at a few, which shows what running one behind the other costs or saves (served_time.h).
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
    LibraryGemm,    ///< an engine's dense GEMM on weights of another format, as the atlas has it
    LibraryExperts, ///< likewise of experts, both GEMMs with what lies between
    SmallKernels,   ///< an engine's norms, rotary embedding, activations, copies, sampling
    Transfers,      ///< an engine's all-reduces and gathers among GPUs
};

/// Kernels of one family are drawn in one colour.
enum class KernelFamily : std::uint8_t { Fp16, Scalar, Mma, Dequantise, Library, Beside };

inline constexpr std::int64_t unboundedM = std::numeric_limits<std::int64_t>::max();

/// Facts about a kernel without a device.
struct KernelSpec {
    Kernel kernel = Kernel::CublasFp16;
    std::string_view key;
    std::string_view name;         ///< of the role, for people
    std::string_view gpuName = {}; ///< where the code that plays it on a GPU has another
    std::string_view cpuName = {}; ///< the same on a CPU
    KernelFamily family = KernelFamily::Fp16;
    bool variant = false;                  ///< another design of its family: another shade and mark
    bool kBits = true;                     ///< reads k-bit weights: its time depends on k
    bool serves = true;                    ///< multiplies; else it gives fp16 weights, whatever M is
    bool grouped = false;                  ///< serves experts
    std::optional<Kernel> forExperts = {}; ///< the kernel that does for experts what this does
    /// Most rows M (of each expert) that it is built for, here as in the published study.
    std::int64_t designedRows = unboundedM;
    std::optional<Kernel> afterDequantise = {}; ///< it is a pair: Dequantise, then this kernel
    bool engine =
        false; ///< timed within an engine (the atlas): no profile has points of it, no rule takes it
};

/// A row for each kernel, in the order of `Kernel`, in which all lists and charts name them.
inline constexpr auto kernelSpecs = std::to_array<KernelSpec>({
    {.kernel = Kernel::CublasFp16,
     .key = "cublas_fp16",
     .name = "fp16 GEMM",
     .gpuName = "fp16 cuBLAS",
     .cpuName = "own fp16 GEMM",
     .kBits = false,
     .forExperts = Kernel::BatchedFp16},
    {.kernel = Kernel::Scalar,
     .key = "scalar",
     .name = "scalar GEMV",
     .cpuName = "k-bit GEMV",
     .family = KernelFamily::Scalar,
     .forExperts = Kernel::GroupedScalar,
     .designedRows = 4},
    {.kernel = Kernel::Mma,
     .key = "mma",
     .name = "MMA",
     .cpuName = "k-bit GEMM",
     .family = KernelFamily::Mma,
     .forExperts = Kernel::GroupedMma,
     .designedRows = 64},
    {.kernel = Kernel::SwapAb,
     .key = "swap_ab",
     .name = "swap-AB MMA",
     .family = KernelFamily::Mma,
     .variant = true,
     .forExperts = Kernel::GroupedSwapAb,
     .designedRows = 64},
    {.kernel = Kernel::Dequantise,
     .key = "dequantise",
     .name = "dequantise",
     .family = KernelFamily::Dequantise,
     .serves = false},
    {.kernel = Kernel::DequantCublas,
     .key = "dequant_cublas",
     .name = "dequantise + fp16 GEMM",
     .gpuName = "dequantise + cuBLAS",
     .cpuName = "dequantise + own fp16 GEMM",
     .family = KernelFamily::Dequantise,
     .forExperts = Kernel::GroupedDequant,
     .afterDequantise = Kernel::CublasFp16},
    {.kernel = Kernel::BatchedFp16,
     .key = "batched_fp16",
     .name = "fp16 experts",
     .kBits = false,
     .grouped = true},
    {.kernel = Kernel::GroupedScalar,
     .key = "grouped_scalar",
     .name = "grouped scalar",
     .cpuName = "grouped k-bit GEMV",
     .family = KernelFamily::Scalar,
     .grouped = true,
     .designedRows = 4},
    {.kernel = Kernel::GroupedMma,
     .key = "grouped_mma",
     .name = "grouped MMA",
     .cpuName = "grouped k-bit GEMM",
     .family = KernelFamily::Mma,
     .grouped = true,
     .designedRows = 64},
    {.kernel = Kernel::GroupedSwapAb,
     .key = "grouped_swap_ab",
     .name = "grouped swap-AB MMA",
     .family = KernelFamily::Mma,
     .variant = true,
     .grouped = true,
     .designedRows = 64},
    {.kernel = Kernel::GroupedDequant,
     .key = "grouped_dequant",
     .name = "dequantise + fp16 experts",
     .family = KernelFamily::Dequantise,
     .grouped = true,
     .afterDequantise = Kernel::BatchedFp16},
    {.kernel = Kernel::LibraryGemm,
     .key = "library_gemm",
     .name = "library GEMM",
     .family = KernelFamily::Library,
     .kBits = false,
     .forExperts = Kernel::LibraryExperts,
     .engine = true},
    {.kernel = Kernel::LibraryExperts,
     .key = "library_experts",
     .name = "library experts",
     .family = KernelFamily::Library,
     .variant = true,
     .kBits = false,
     .grouped = true,
     .engine = true},
    {.kernel = Kernel::SmallKernels,
     .key = "small_kernels",
     .name = "small kernels",
     .family = KernelFamily::Beside,
     .kBits = false,
     .serves = false,
     .engine = true},
    {.kernel = Kernel::Transfers,
     .key = "transfers",
     .name = "transfers among GPUs",
     .family = KernelFamily::Beside,
     .variant = true,
     .kBits = false,
     .serves = false,
     .engine = true},
});

inline constexpr std::size_t kernelCount = kernelSpecs.size();
inline constexpr auto allKernels = [] {
    std::array<Kernel, kernelCount> kernels{};
    std::ranges::transform(kernelSpecs, kernels.begin(), &KernelSpec::kernel);
    return kernels;
}();
static_assert(
    [] {
        std::size_t next = 0;
        return std::ranges::all_of(allKernels,
                                   [&](Kernel kernel) { return static_cast<std::size_t>(kernel) == next++; });
    }(),
    "a row for each kernel, in their order");

constexpr const KernelSpec& specOf(Kernel kernel) {
    return kernelSpecs[static_cast<std::size_t>(kernel)];
}

/// Kernels that a profile may have points of; the engine's stand behind them.
inline constexpr std::size_t profiledKernelCount =
    std::ranges::count(kernelSpecs, false, &KernelSpec::engine);
inline constexpr auto profiledKernels = [] {
    std::array<Kernel, profiledKernelCount> kernels{};
    std::copy_n(allKernels.begin(), profiledKernelCount, kernels.begin());
    return kernels;
}();
static_assert(std::ranges::none_of(profiledKernels, [](Kernel kernel) { return specOf(kernel).engine; }));

constexpr std::string_view keyOf(Kernel kernel) {
    return specOf(kernel).key;
}
constexpr std::string_view nameOf(Kernel kernel) {
    return specOf(kernel).name;
}
constexpr bool readsKBits(Kernel kernel) {
    return specOf(kernel).kBits;
}
constexpr bool isGrouped(Kernel kernel) {
    return specOf(kernel).grouped;
}
/// True if a dispatch rule may take the kernel for dense weights, or (`grouped`) for those of experts.
constexpr bool canServe(Kernel kernel, bool grouped) {
    return specOf(kernel).serves && !specOf(kernel).engine && isGrouped(kernel) == grouped;
}
/// True if the kernel serves from k-bit weights, dense ones or experts'.
constexpr bool servesKBits(Kernel kernel) {
    return specOf(kernel).serves && readsKBits(kernel);
}
/// The kernel that does for experts what this one does for dense GEMMs; itself where there is none.
constexpr Kernel groupedOf(Kernel kernel) {
    return specOf(kernel).forExperts.value_or(kernel);
}
/// Returns `dense`, or (`grouped`) the kernel that does the same for experts.
constexpr Kernel formOf(Kernel dense, bool grouped) {
    return grouped ? groupedOf(dense) : dense;
}
/// Returns the kernel that serves weights that stay fp16.
constexpr Kernel fp16Kernel(bool grouped) {
    return formOf(Kernel::CublasFp16, grouped);
}

std::optional<Kernel> kernelFromKey(std::string_view key);
/// The same of profiledKernels.
std::optional<Kernel> profiledKernelFromKey(std::string_view key);
/// KernelSpec::designedRows.
std::int64_t designedRows(Kernel kernel);
/// Kernels that may serve dense GEMMs, or experts.
std::vector<Kernel> servingKernels(bool grouped);

/// The kernels that a serving kernel runs; one and itself, unless it is a pair.
struct KernelParts {
    Kernel first = Kernel::CublasFp16;
    std::optional<Kernel> second;
    bool operator==(const KernelParts&) const = default;
};

constexpr KernelParts partsOf(Kernel kernel) {
    const std::optional<Kernel> second = specOf(kernel).afterDequantise;
    return {.first = second ? Kernel::Dequantise : kernel, .second = second};
}

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
/// Returns the kernel that serves `m` rows, by range. Precondition: not `fastest`, and problemOf finds
/// nothing. `m` below 1 counts as 1.
Kernel kernelFor(const DispatchRule& rule, bool grouped, double m);
/// Returns what is wrong with an edited rule ("no kernel serves M = 5 to 7"); nothing if it can be used.
std::optional<std::string> problemOf(const DispatchRule& rule);

} // namespace loadline
