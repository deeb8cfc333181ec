// Report of a GPU's modelled kernel times and of the parts of each time.
#pragma once

#include "core/ask/report.h"
#include "core/cost/analytic/expert_step.h"
#include "core/cost/analytic/modelled_profile.h"

#include <string>
#include <vector>

namespace loadline {

/// A step of some rows over the experts of a GEMM, at one k.
struct ModelledExperts {
    std::string gemm;
    GemmSize size;
    int experts = 0;
    int top = 0; ///< that a row chooses
    int kBits = 0;
    ExpertStep step;
};

struct ModelledKernels {
    const GpuFacts* gpu = nullptr;
    std::vector<ModelledPoint> points;
    std::vector<ModelledExperts> experts;
};

ModelledKernels modelledKernels(const GpuFacts& gpu, const ModelShapes& shapes,
                                const std::vector<int>& kBits);

namespace ask {

/// The document "loadline.kernel_model/1"; for people a table for each size of weights, a row per kernel and
/// k, a column per M.
Report modelledReport(const ModelledKernels& modelled);

} // namespace ask
} // namespace loadline
