// Sums kernels' times and limits over steps.
#include "core/simulate/study/kernel_parts.h"

#include "core/cost/estimate/roofline.h"
#include "core/simulate/fit/kv_need.h"

#include <algorithm>

namespace loadline {
namespace {

/// The shortest time of a kernel for all calls of a GEMM; 0 where that is not known.
double limitUs(const KernelBounds& bounds, Kernel kernel, const LayerGemm& gemm, std::int64_t m,
               Storage stored) {
    const ExpertLoad load = expertLoad(gemm, static_cast<double>(m));
    const KernelWork work = workOf(kernel, gemm.size, load.activeExperts, load.rowsPerExpert,
                                   readsKBits(kernel) ? specOf(stored).kBits : fp16Bits);
    const double readUs = bounds.readGbS > 0 ? work.bytes / (bounds.readGbS * bytesPerUsOfGbS) : 0;
    const double computeUs = bounds.gemmTflopS > 0 ? work.flop / (bounds.gemmTflopS * flopPerUsOfTflops) : 0;
    return gemm.calls() * std::max(readUs, computeUs);
}

} // namespace

std::optional<KernelBounds> boundsOf(const SimulationInputs& inputs) {
    if (inputs.profile) {
        auto bounds = measuredBounds(*inputs.profile);
        if (bounds = bounds ? bounds : datasheetBounds(*inputs.profile); bounds) {
            return bounds;
        }
    }
    const Hardware* hardware = hardwareOf(inputs);
    return hardware == nullptr ? std::nullopt
                               : std::optional(KernelBounds{hardware->bandwidthGbS, 0, hardware->fp16Tflops,
                                                            "the datasheet of " + hardware->key});
}

std::map<Kernel, KernelPart> partsOf(const std::vector<RowsCount>& counts, const CostTable& table,
                                     const std::optional<KernelBounds>& bounds) {
    std::map<Kernel, KernelPart> parts;
    const std::vector<LayerGemm>& gemms = table.setup().model.gemms;
    for (const RowsCount& count : counts) {
        const auto [row, steps, headSteps] = StepsAt(count, table.maxRows());
        const auto m = static_cast<std::int64_t>(row);
        const std::vector<GemmService> services = table.services(m);
        for (std::size_t g = 0; g < services.size(); ++g) {
            const double times = gemms[g].isHead() ? headSteps : steps;
            for (int i = 0; i < services[g].partCount; ++i) {
                const GemmPart& part = services[g].parts[static_cast<std::size_t>(i)];
                KernelPart& sum = parts[part.kernel];
                sum.us += times * part.estimate.us;
                sum.aloneUs += services[g].partCount == 1 ? times * part.estimate.us : 0;
                if (bounds) {
                    sum.limitUs += times * limitUs(*bounds, part.kernel, gemms[g], m,
                                                   table.setup().format.of(gemms[g].grouped()));
                }
                if (part.estimate.kind == EstimateKind::Modelled ||
                    part.estimate.origin == PointOrigin::Modelled) {
                    sum.modelledUs += times * part.estimate.us;
                }
            }
        }
    }
    return parts;
}

} // namespace loadline
