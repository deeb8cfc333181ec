// A server's expert layers: the engine's kernels, which are not always those that the tables timed.
#pragma once

#include "core/cost/device/hardware.h"
#include "core/cost/engine/expert_backend.h"
#include "core/cost/step/step_setup.h"
#include "core/cost/surface/expert_surface.h"

namespace loadline {

/// One expert layer over the tokens of a step.
class ServedExperts {
public:
    /// Precondition: a model with experts. The Error: the table has no expert layer of this format, shared in
    /// this way.
    static Result<ServedExperts> make(const ExpertSurface& surface, const StepSetup& setup,
                                      const Hardware& hardware);

    /// Precondition: tokens > 0.
    [[nodiscard]] SurfaceValue at(double tokens) const;

    /// True if the kernels need rows of a padded hidden size, made and cut by two more kernels.
    [[nodiscard]] bool padsHidden() const { return backend_ == ExpertBackend::Marlin; }

    [[nodiscard]] ExpertBackend backend() const { return backend_; }

    /// True if no row of this shape was measured: another shape's times are scaled to it.
    [[nodiscard]] bool isProxy() const { return curve_.isProxy(); }

    /// The measured shape; of a proxy with the shape that it stands for.
    [[nodiscard]] const std::string& source() const { return curve_.name(); }

private:
    ExpertCurve curve_;
    ExpertBackend backend_ = ExpertBackend::Table;
    double tokenScale_ = 1;  ///< Marlin: the reference's tokens with the same load of an expert, per token
    double weightScale_ = 1; ///< Marlin: padded weights against the reference's
};

} // namespace loadline
