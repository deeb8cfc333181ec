// Names, roles and the list of host kernels.
#include "gpu/host/host_kernels.h"

#include <fmt/format.h>

namespace loadline::gpu {
namespace {

struct MethodFacts {
    std::string_view key;
    std::string_view name;
    Kernel role;
    Kernel groupedRole;
    double tolerance;
};

constexpr double fp32Tolerance = 1e-5;
constexpr double fp16WeightTolerance = 1e-3;
constexpr double int8Tolerance = 3e-2;

const MethodFacts& factsOf(HostMethod method) {
    static constexpr MethodFacts kBitGemv{"kbit_gemv", "k-bit GEMV, fp32 activations", Kernel::Scalar,
                                          Kernel::GroupedScalar, fp32Tolerance};
    static constexpr MethodFacts kBitGemvInt8{"kbit_gemv_int8", "k-bit GEMV, int8 activations",
                                              Kernel::Scalar, Kernel::GroupedScalar, int8Tolerance};
    static constexpr MethodFacts kBitGemm{"kbit_gemm", "k-bit vector GEMM, fp32 activations", Kernel::Mma,
                                          Kernel::GroupedMma, fp32Tolerance};
    static constexpr MethodFacts toFp32{"dequantise_fp32", "dequantise to fp32", Kernel::Dequantise,
                                        Kernel::Dequantise, fp32Tolerance};
    static constexpr MethodFacts toFp16{"dequantise_fp16", "dequantise to fp16", Kernel::Dequantise,
                                        Kernel::Dequantise, fp16WeightTolerance};
    static constexpr MethodFacts fp32{"dense_fp32", "own GEMM, fp32 weights", Kernel::CublasFp16,
                                      Kernel::BatchedFp16, fp32Tolerance};
    static constexpr MethodFacts fp16{"dense_fp16", "own GEMM, fp16 weights", Kernel::CublasFp16,
                                      Kernel::BatchedFp16, fp32Tolerance};
    static constexpr MethodFacts openBlas{"openblas_fp32", "OpenBLAS, fp32 weights", Kernel::CublasFp16,
                                          Kernel::BatchedFp16, fp32Tolerance};
    switch (method) {
    case HostMethod::KBitGemv:
        return kBitGemv;
    case HostMethod::KBitGemvInt8:
        return kBitGemvInt8;
    case HostMethod::KBitGemm:
        return kBitGemm;
    case HostMethod::DequantiseFp32:
        return toFp32;
    case HostMethod::DequantiseFp16:
        return toFp16;
    case HostMethod::DenseFp32:
        return fp32;
    case HostMethod::DenseFp16:
        return fp16;
    case HostMethod::OpenBlasFp32:
        break;
    }
    return openBlas;
}

} // namespace

std::string_view keyOf(HostMethod method) {
    return factsOf(method).key;
}

std::string_view nameOf(HostMethod method) {
    return factsOf(method).name;
}

Kernel roleOf(HostMethod method, bool grouped) {
    return grouped ? factsOf(method).groupedRole : factsOf(method).role;
}

bool readsKBits(HostMethod method) {
    return method != HostMethod::DenseFp32 && method != HostMethod::DenseFp16 &&
           method != HostMethod::OpenBlasFp32;
}

bool dequantises(HostMethod method) {
    return method == HostMethod::DequantiseFp32 || method == HostMethod::DequantiseFp16;
}

double toleranceOf(HostMethod method) {
    return factsOf(method).tolerance;
}

std::string nameOf(const HostKernel& kernel) {
    return kernel.method == HostMethod::OpenBlasFp32
               ? std::string(nameOf(kernel.method))
               : fmt::format("{} ({})", nameOf(kernel.method), nameOf(kernel.set));
}

const KernelTable& kernelTable(InstructionSet set) {
#if defined(__x86_64__)
    if (set == InstructionSet::Avx512) {
        return avx512Kernels();
    }
    if (set == InstructionSet::Avx2) {
        return avx2Kernels();
    }
#endif
    static_cast<void>(set);
    return portableKernels();
}

std::vector<HostKernel> hostKernels(const Cpu& cpu, bool openBlas) {
    std::vector<HostKernel> kernels;
    for (const InstructionSet set : cpu.sets) {
        for (const HostMethod method : allHostMethods) {
            const bool missing = method == HostMethod::OpenBlasFp32 ||
                                 (method == HostMethod::KBitGemvInt8 && kernelTable(set).gemvInt8 == nullptr);
            if (!missing) {
                kernels.push_back({method, set});
            }
        }
    }
    if (openBlas) {
        kernels.push_back({HostMethod::OpenBlasFp32, cpu.best()});
    }
    return kernels;
}

} // namespace loadline::gpu
