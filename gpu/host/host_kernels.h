// The kernels this processor can run, and what role each plays in the cost model.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "gpu/host/cpu.h"
#include "gpu/host/kernel/kernel_table.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::gpu {

/// What a host kernel does. All sum in fp32 (gemvInt8: integers within a block of 32).
enum class HostMethod : std::uint8_t {
    KBitGemv,       ///< k-bit weights decoded in registers, fp32 activations; for small M
    KBitGemvInt8,   ///< the same with int8 activations and codebook (W4A8): fewer bits of x, more speed
    KBitGemm,       ///< k-bit weights decoded to panels of fp32, then a blocked GEMM; for larger M
    DequantiseFp32, ///< k-bit to fp32 in rows
    DequantiseFp16, ///< k-bit to fp16 in rows
    DenseFp32,      ///< own GEMV (M <= 32) and blocked GEMM on fp32 weights
    DenseFp16,      ///< the same on fp16 weights, fp32 arithmetic
    OpenBlasFp32,   ///< OpenBLAS's sgemv and sgemm
};

inline constexpr HostMethod allHostMethods[] = {
    HostMethod::KBitGemv,       HostMethod::KBitGemvInt8, HostMethod::KBitGemm,  HostMethod::DequantiseFp32,
    HostMethod::DequantiseFp16, HostMethod::DenseFp32,    HostMethod::DenseFp16, HostMethod::OpenBlasFp32};

std::string_view keyOf(HostMethod method);  ///< "kbit_gemv"
std::string_view nameOf(HostMethod method); ///< for people: "k-bit GEMV, fp32 activations"
/// The kernel of the cost model that the method stands for. A CPU has no cuBLAS and no tensor cores: dense
/// methods stand for CublasFp16 and KBitGemm for Mma, and a profile's method facts must say so by nameOf.
Kernel roleOf(HostMethod method, bool grouped = false);
/// Reads k-bit weights (else dense ones).
bool readsKBits(HostMethod method);
/// Gives weights, not products.
bool dequantises(HostMethod method);
/// Largest ||y - reference|| / ||reference|| of a correct result.
double toleranceOf(HostMethod method);

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
