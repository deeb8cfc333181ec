// Measured expert layers over tokens, and the nearest one for a shape that was not measured.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"
#include "core/cost/surface/measured_curve.h"
#include "core/cost/surface/token_curves.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace loadline {

/// A layer of routed experts on one GPU of a group, its router left out.
struct ExpertShape {
    std::string dtype = "bfloat16"; ///< of the weights, as in the table: "fp8_block", "w4a16_mxfp4"
    std::int64_t hidden = 0;
    std::int64_t inter = 0; ///< width of one expert, before tensor parallelism
    std::int64_t topK = 0;
    std::int64_t experts = 0; ///< of the model, before expert parallelism
    std::int64_t tp = 1;
    std::int64_t ep = 1;
    std::string distribution = "power_law_1.2"; ///< of tokens over experts: "balanced", "power_law_1.01"
    auto operator<=>(const ExpertShape&) const = default;

    /// "2048 x 512, top 8 of 256".
    [[nodiscard]] std::string name() const;
    /// Weights of one GPU, in numbers.
    [[nodiscard]] double weights() const;
};

/// The time of one shape's expert layer over the tokens of a step.
class ExpertCurve {
public:
    ExpertCurve() = default;
    ExpertCurve(MeasuredCurve measured, ExpertShape source, const ExpertShape& wanted, double launchUs,
                double proxyError);

    /// Linear in tokens; below the first the first time, beyond the last in proportion. A proxy's value is
    /// Extrapolated. Precondition: tokens > 0.
    [[nodiscard]] SurfaceValue at(double tokens) const;

    [[nodiscard]] bool isProxy() const { return isProxy_; }

    /// The measured shape: "2048 x 512, top 8 of 256"; of a proxy with "for top 10 of 512" after it.
    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] const ExpertShape& source() const { return source_; }

private:
    MeasuredCurve measured_;
    ExpertShape source_;
    std::string name_;
    bool isProxy_ = false;
    double tokenScale_ = 1;  ///< source's tokens with the same load of an expert, per token
    double weightScale_ = 1; ///< weights against the source's
    double launchUs_ = 0;
    double proxyError_ = 0;
};

/// All expert layers of a table; of several rows with one key the fastest stands. Immutable.
class ExpertSurface {
public:
    /// The Error: a column is missing.
    static Result<ExpertSurface> make(const AtlasTable& table);

    /// The shape itself, or the measured one nearest to it with the same weights' type, distribution, tensor
    /// and expert parallelism: the smallest sum of |ln| of the ratios of hidden, inter, top k and experts.
    /// The nearest one serves as a proxy at the same load of an expert and in proportion to the weights:
    ///     T(M) = l + (Ts(M x (k / E) / (ks / Es)) - l) x W / Ws
    /// l: the least time of any layer of this weights' type. Each measured shape predicted from its nearest
    /// other one errs by 9 to 10 % (median; 5 to 8 % within a distance of 1), by 33 to 38 % without the
    /// scaling (H200, B200, L40S). Nothing if there is no such shape.
    [[nodiscard]] std::optional<ExpertCurve> nearestExperts(const ExpertShape& shape) const;

    [[nodiscard]] const TokenCurveErrors& errors() const { return errors_; }

    /// Returns the error of proxies: each measured shape predicted from its nearest other shape, by the
    /// distance of the two: below 0.5, 1, 2, and above.
    [[nodiscard]] const std::vector<LeftOutError>& proxyErrors() const { return proxyErrors_; }

    [[nodiscard]] const LeftOutError& overallProxyError() const { return overallProxyError_; }

    [[nodiscard]] const std::map<ExpertShape, MeasuredCurve>& all() const { return curves_; }

private:
    using Entry = std::map<ExpertShape, MeasuredCurve>::value_type;

    void setProxyErrors();
    [[nodiscard]] ExpertCurve curveFrom(const Entry& source, const ExpertShape& wanted) const;

    std::map<ExpertShape, MeasuredCurve> curves_;
    std::map<std::string, double> launchUs_; ///< by dtype
    TokenCurveErrors errors_;
    std::vector<LeftOutError> proxyErrors_;
    LeftOutError overallProxyError_;
};

} // namespace loadline
