// The host's methods, a row each, and the list of kernels that run here.
#include "gpu/host/host_kernels.h"

#include <fmt/format.h>

namespace loadline::gpu {
namespace {

constexpr double fp32Tolerance = 1e-5;
constexpr double fp16WeightTolerance = 1e-3;
constexpr double int8Tolerance = 3e-2;

/// Outputs of this size no longer fit a cache: stores go past it.
constexpr std::size_t streamingBytes = std::size_t{8} << 20;

void dequantise(const HostPart& part, const LaneJob& weights, DenseOut out) {
    const std::size_t width = out.fp32 != nullptr ? sizeof *out.fp32 : sizeof *out.fp16;
    part.table.dequantise(
        {.weights = weights,
         .fp32 = out.fp32,
         .fp16 = out.fp16,
         .streaming = static_cast<std::size_t>(weights.k * weights.n) * width >= streamingBytes},
        part.groups);
}

void denseProduct(const HostPart& part, const DenseJob& job) {
    job.rowsM < densePanelsFrom ? part.table.denseGemv(job, part.groups)
                                : part.table.denseGemm(job, part.groups, part.scratch);
}

constexpr HostMethodSpec specs[] = {
    {.method = HostMethod::KBitGemv,
     .key = "kbit_gemv",
     .name = "k-bit GEMV, fp32 activations",
     .role = Kernel::Scalar,
     .tolerance = fp32Tolerance,
     .mostRows = 16,
     .tryFewRows = 1,
     .tryManyRows = 8,
     .kBit = [](const HostPart& part, const LaneJob& job) { part.table.gemv(job, part.groups); }},
    {.method = HostMethod::KBitGemvInt8,
     .key = "kbit_gemv_int8",
     .name = "k-bit GEMV, int8 activations",
     .role = Kernel::Scalar,
     .tolerance = int8Tolerance,
     .int8 = &KernelTable::gemvInt8,
     .mostRows = 16,
     .kBit = [](const HostPart& part, const LaneJob& job) { part.table.gemvInt8(job, part.groups); }},
    {.method = HostMethod::KBitGemm,
     .key = "kbit_gemm",
     .name = "k-bit vector GEMM, fp32 activations",
     .role = Kernel::Mma,
     .tolerance = fp32Tolerance,
     .mostRows = 256,
     .panelsFrom = 0,
     .tryFewRows = 16,
     .tryManyRows = 64,
     .kBit = [](const HostPart& part,
                const LaneJob& job) { part.table.gemm(job, part.groups, part.scratch); }},
    {.method = HostMethod::KBitGemmInt8,
     .key = "kbit_gemm_int8",
     .name = "k-bit vector GEMM, int8 activations",
     .role = Kernel::Mma,
     .tolerance = int8Tolerance,
     .int8 = &KernelTable::gemmInt8,
     .mostRows = 256,
     .kBit = [](const HostPart& part, const LaneJob& job) { part.table.gemmInt8(job, part.groups); }},
    {.method = HostMethod::DequantiseFp32,
     .key = "dequantise_fp32",
     .name = "dequantise to fp32",
     .role = Kernel::Dequantise,
     .tolerance = fp32Tolerance,
     .timed = false,
     .dequantises = true,
     .kBit =
         [](const HostPart& part, const LaneJob& job) {
             DenseOut out;
             out.fp32 = part.out.fp32;
             dequantise(part, job, out);
         }},
    {.method = HostMethod::DequantiseFp16,
     .key = "dequantise_fp16",
     .name = "dequantise to fp16",
     .role = Kernel::Dequantise,
     .tolerance = fp16WeightTolerance,
     .dequantises = true,
     .kBit =
         [](const HostPart& part, const LaneJob& job) {
             DenseOut out;
             out.fp16 = part.out.fp16;
             dequantise(part, job, out);
         }},
    {.method = HostMethod::DenseFp32,
     .key = "dense_fp32",
     .name = "own GEMM, fp32 weights",
     .tolerance = fp32Tolerance,
     .timed = false,
     .panelsFrom = densePanelsFrom,
     .dense = denseProduct},
    {.method = HostMethod::DenseFp16,
     .key = "dense_fp16",
     .name = "own GEMM, fp16 weights",
     .tolerance = fp32Tolerance,
     .panelsFrom = densePanelsFrom,
     .tryFewRows = 16,
     .tryManyRows = 128,
     .dense = denseProduct},
    {.method = HostMethod::OpenBlasFp32,
     .key = "openblas_fp32",
     .name = "OpenBLAS, fp32 weights",
     .tolerance = fp32Tolerance,
     .timed = false},
};

} // namespace

std::span<const HostMethodSpec> hostMethods() {
    return specs;
}

const HostMethodSpec& specOf(HostMethod method) {
    return specs[static_cast<std::size_t>(method)];
}

std::optional<HostMethod> hostMethodOf(Kernel kernel, const KernelTable* int8) {
    const Kernel first = partsOf(kernel).first;
    std::optional<HostMethod> method; // where bytes are asked for, theirs is the later row
    for (const HostMethodSpec& spec : specs) {
        const bool asked = spec.int8 == nullptr || (int8 != nullptr && int8->*spec.int8 != nullptr);
        if (spec.timed && asked && (spec.role == first || groupedOf(spec.role) == first)) {
            method = spec.method;
        }
    }
    return method;
}

std::optional<HostMethod> hostSecondOf(Kernel kernel) {
    const std::optional<Kernel> second = partsOf(kernel).second;
    return second ? hostMethodOf(*second) : std::nullopt;
}

std::string nameOf(const HostKernel& kernel) {
    const std::string_view name = specOf(kernel.method).name;
    return kernel.method == HostMethod::OpenBlasFp32 ? std::string(name)
                                                     : fmt::format("{} ({})", name, nameOf(kernel.set));
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
        for (const HostMethodSpec& spec : specs) {
            const bool missing = spec.method == HostMethod::OpenBlasFp32 ||
                                 (spec.int8 != nullptr && kernelTable(set).*spec.int8 == nullptr);
            if (!missing) {
                kernels.push_back({spec.method, set});
            }
        }
    }
    if (openBlas) {
        kernels.push_back({HostMethod::OpenBlasFp32, cpu.best()});
    }
    return kernels;
}

} // namespace loadline::gpu
