// A model's step in vLLM's kernels, by rows: what cost tables and attention ask for.
#pragma once

#include "core/cost/engine/capture_sizes.h"
#include "core/cost/estimate/engine_times.h"
#include "core/cost/step/step_model.h"

#include <memory>

namespace loadline {

/// One model in one format on GPUs of one kind. Rows are those that the scheduler chose: up to the largest
/// captured size they are padded to a CUDA graph's.
class ServedStep : public EngineTimes, public EngineAttention {
public:
    /// Errors of StepModel::make.
    static Result<std::shared_ptr<const ServedStep>> make(std::shared_ptr<const AtlasSurfaces> surfaces,
                                                          const StepSetup& setup);

    [[nodiscard]] TimeEstimate gemm(std::size_t gemm, double rows) const override;
    [[nodiscard]] TimeEstimate beside(Kernel kernel, double rows) const override;
    [[nodiscard]] TimeEstimate besideHead(Kernel kernel, double rows) const override;
    [[nodiscard]] TimeEstimate decode(double batch, double context) const override;
    [[nodiscard]] TimeEstimate prefill(double newTokens, double cachedTokens) const override;

private:
    ServedStep(std::unique_ptr<const StepModel> model, const EngineSettings& settings);
    [[nodiscard]] PaddedRows padded(double rows) const;

    std::unique_ptr<const StepModel> model_;
    RowPadding padding_;
};

} // namespace loadline
