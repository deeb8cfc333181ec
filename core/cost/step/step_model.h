// The time of an engine's steps from measured kernels.
#pragma once

#include "core/cost/engine/router_times.h"
#include "core/cost/engine/step_work.h"
#include "core/cost/step/atlas_surfaces.h"
#include "core/cost/step/layer_kernels.h"
#include "core/cost/step/served_attention.h"
#include "core/cost/step/served_experts.h"
#include "core/cost/step/step_parts.h"
#include "core/cost/step/step_setup.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace loadline {

/// Steps of one model on one kind of GPU, as vLLM runs them:
///     L (GEMMs + experts + small kernels + all-reduces)(padded rows) + attention(contexts) + head(sampled
///     rows)
/// Tables give each term; numbers that are in no table are among constants(), but for bytes counted from the
/// engine's kernels, which stand beside their use. Dispatch of rows among data-parallel engines is not
/// priced. One object serves one run on one thread.
class StepModel : public StepPrices {
public:
    /// `surfaces` live as long as the model. The Error: the model cannot be shared so, or a table has no such
    /// format, shape or number of GPUs.
    static Result<std::unique_ptr<StepModel>> make(std::shared_ptr<const AtlasSurfaces> surfaces,
                                                   const StepSetup& setup);

    [[nodiscard]] double us(const StepWork& work) override;

    /// The same by parts.
    [[nodiscard]] StepBreakdown parts(const StepWork& work);

    [[nodiscard]] const ModelShapes& shard() const { return shard_; }

    // Terms of the sum, without what is kept from step to step: any thread may ask. Of all layers; rows as
    // padded.

    /// The shard's GEMM number `gemm`: of the grouped ones their share, by weights, of the experts' kernels;
    /// 0 us where a kernel of attention does its work.
    [[nodiscard]] SurfaceValue gemmAt(std::size_t gemm, double rows) const;
    /// ServedPart::SmallKernels and AllReduce.
    [[nodiscard]] StepBreakdown besideAt(double rows, bool isCaptured) const;
    /// ServedPart::Head without the head's GEMM: sampling, and ServedPart::AllReduce: gathering.
    [[nodiscard]] StepBreakdown besideHeadAt(double rows) const;
    /// ServedPart::Decode and Prefill, of the work's sequences.
    [[nodiscard]] SurfaceValue attentionOf(const StepWork& work) const;

private:
    /// A linear layer with how often it runs in a step.
    struct Layer {
        std::size_t gemm = 0; ///< its number among the shard's
        GemmCurve curve;
        ServedPart part = ServedPart::FeedForward;
        double calls = 0;
    };

    /// The layers at one number of rows.
    struct Rows {
        bool isMade = false;
        StepBreakdown parts;
        double us = 0;
    };

    StepModel(std::shared_ptr<const AtlasSurfaces> surfaces, const StepSetup& setup, ModelShapes shard);

    Status findLayers();
    Status findExperts();
    Status findAttention();
    Status findTransfers();

    /// Rows number `at`, made if they are not there; valid until the next call.
    template <typename Make>
    const Rows& kept(std::vector<Rows>& rows, Tokens at, const Make& make);
    const Rows& layersAt(Tokens rows, bool isCaptured);
    const Rows& headAt(Tokens rows);
    [[nodiscard]] StepBreakdown layerParts(double rows, bool isCaptured) const;
    [[nodiscard]] StepBreakdown headParts(double rows) const;
    /// None where its arithmetic is not FP32, or not timed.
    [[nodiscard]] std::optional<RouterTime> fp32RouterAt(double rows) const;
    [[nodiscard]] SurfaceValue routerAt(double rows) const;
    [[nodiscard]] double routerCastUs(double rows) const;
    void addAllReduces(StepBreakdown& parts, double rows, bool isCaptured) const;
    void addSmallKernels(StepBreakdown& parts, double rows) const;
    [[nodiscard]] SurfaceValue allReduce(double elements, bool isCaptured) const;
    template <typename Take>
    void attend(const StepWork& work, const Take& take) const;

    std::shared_ptr<const AtlasSurfaces> surfaces_;
    StepSetup setup_;
    ModelShapes shard_;
    double bytesPerUs_ = 0; ///< that element-wise kernels reach
    std::vector<Layer> layers_;
    std::optional<Layer> router_, head_;
    double expertLayers_ = 0;
    std::optional<ServedExperts> experts_;
    std::vector<AttentionLayers> attention_;
    LayerKernels kernels_;
    const MeasuredCurve* graphReduce_ = nullptr;
    const MeasuredCurve* eagerReduce_ = nullptr;
    const MeasuredCurve* gather_ = nullptr;
    std::vector<Rows> captured_, eager_, heads_; ///< by rows
};

} // namespace loadline
