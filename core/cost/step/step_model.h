// The time of an engine's steps from measured kernels.
#pragma once

#include "core/cost/engine/step_work.h"
#include "core/cost/step/atlas_surfaces.h"
#include "core/cost/step/served_experts.h"
#include "core/cost/step/step_parts.h"
#include "core/cost/step/step_setup.h"
#include "core/cost/surface/prefix.h"

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

private:
    /// A linear layer with how often it runs in a step.
    struct Layer {
        GemmCurve curve;
        ServedPart part = ServedPart::FeedForward;
        double calls = 0;
    };

    /// Attention of the layers that see as far.
    struct Attention {
        double layers = 0;
        const DecodeCurves* decode = nullptr;
        std::unique_ptr<const PrefixedPrefill> prefill;
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
    void addRouter(StepBreakdown& parts, double rows) const;
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
    std::vector<Attention> attention_;
    int smallKernels_ = 0;
    const MeasuredCurve* graphReduce_ = nullptr;
    const MeasuredCurve* eagerReduce_ = nullptr;
    const MeasuredCurve* gather_ = nullptr;
    std::vector<Rows> captured_, eager_, heads_; ///< by rows
};

} // namespace loadline
