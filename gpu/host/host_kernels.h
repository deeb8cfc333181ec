// The kernels this processor can run, and the role of each in the cost model.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "gpu/host/kernel/kernel_table.h"
#include "gpu/host/machine/cpu.h"
#include "gpu/host/weight_views.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::gpu {

/// Methods of host kernels. All sum in fp32 (gemvInt8: integers within a block of 32).
enum class HostMethod : std::uint8_t {
    KBitGemv,       ///< k-bit weights decoded in registers, fp32 activations; for small M
    KBitGemvInt8,   ///< the same with int8 activations and codebook (W4A8): fewer bits of x, more speed
    KBitGemm,       ///< k-bit weights decoded to panels of fp32, then a blocked GEMM; for larger M
    KBitGemmInt8,   ///< KBitGemvInt8 for larger M, where bytes are multiplied by VNNI
    DequantiseFp32, ///< k-bit to fp32 in rows
    DequantiseFp16, ///< k-bit to fp16 in rows
    DenseFp32,      ///< own GEMV (M <= 32) and blocked GEMM on fp32 weights
    DenseFp16,      ///< the same on fp16 weights, fp32 arithmetic
    OpenBlasFp32,   ///< OpenBLAS's sgemv and sgemm
};

/// Some rows of W of one problem, run by one thread.
struct HostPart {
    const KernelTable& table;
    UnitRange groups;
    float* scratch = nullptr; ///< gemmScratchFloats
    DenseOut out = {};        ///< for dequantising
};

/// Rows of x from which on fp16 and fp32 weights go through panels. Below it costs less to read 16 rows of W
/// again from a cache, for every 4 rows of x, than to fill panels.
inline constexpr std::int64_t densePanelsFrom = 33;

/// Facts about a method, and its code: `kBit` or `dense`; neither: OpenBLAS runs it.
struct HostMethodSpec {
    HostMethod method = HostMethod::KBitGemv;
    std::string_view key;  ///< "kbit_gemv"
    std::string_view name; ///< for people: "k-bit GEMV, fp32 activations"
    /// The dense kernel of the cost model that the method stands for, and for experts its grouped form. A CPU
    /// has no cuBLAS and no tensor cores: dense methods stand for CublasFp16 and KBitGemm for Mma, and a
    /// profile's method facts must say so by `name`.
    Kernel role = Kernel::CublasFp16;
    double tolerance = 0; ///< largest ||y - reference|| / ||reference|| of a correct result
    bool timed = true;    ///< plays its role in profiles; else there to be compared with
    /// Reads x as bytes by this kernel, where a set has it; plays its role where such activations are asked
    /// for.
    void (*KernelTable::*int8)(const LaneJob&, UnitRange) = nullptr;
    bool dequantises = false;             ///< gives weights, not products
    std::int64_t mostRows = unboundedM;   ///< largest M to time it at
    std::int64_t panelsFrom = unboundedM; ///< from this M on it reads x as packX leaves it
    std::int64_t tryFewRows = 0;          ///< two M from whose times those of others are guessed
    std::int64_t tryManyRows = 0;         ///< the same as tryFewRows: its time does not depend on M
    void (*kBit)(const HostPart&, const LaneJob&) = nullptr;
    void (*dense)(const HostPart&, const DenseJob&) = nullptr;
};

/// Returns the methods' rows, in the order of HostMethod.
std::span<const HostMethodSpec> hostMethods();
const HostMethodSpec& specOf(HostMethod method);

/// The method that plays a kernel's part, of a pair that of its first; nothing for kernels that the CPU has
/// not. `int8`: the kernels to take where they read activations as bytes; null: these are not asked for.
std::optional<HostMethod> hostMethodOf(Kernel kernel, const KernelTable* int8 = nullptr);
/// Returns the method of a pair's second kernel; nothing for kernels that are no pair.
std::optional<HostMethod> hostSecondOf(Kernel kernel);

struct HostKernel {
    HostMethod method = HostMethod::KBitGemv;
    InstructionSet set = InstructionSet::Portable; ///< meaningless for OpenBlasFp32
    bool operator==(const HostKernel&) const = default;
};

std::string nameOf(const HostKernel& kernel); ///< "k-bit GEMV, fp32 activations (AVX-512)"

/// The functions behind; Portable's where this program was built without the others.
const KernelTable& kernelTable(InstructionSet set);

/// Every kernel that runs here; OpenBLAS's where it is given.
std::vector<HostKernel> hostKernels(const Cpu& cpu, bool openBlas);

} // namespace loadline::gpu
