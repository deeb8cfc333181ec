// The time of one timed kernel at any shape and M, with its error bar and where it comes from.
#pragma once

#include "core/base/result.h"
#include "core/cost/estimate/log_curve.h"
#include "core/cost/estimate/roofline.h"
#include "core/cost/kernel/dispatch_reach.h"
#include "core/cost/profile/profile.h"

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

namespace loadline {

/// How a time was arrived at.
enum class EstimateKind : std::uint8_t {
    AtPoint,      ///< the profile has this very point
    Interpolated, ///< between points of this shape
    Modelled,     ///< from other shapes, beyond the points, or from a roofline
};
std::string_view keyOf(EstimateKind kind); ///< "at_point", "interpolated", "modelled"

struct TimeEstimate {
    double us = 0;
    double relativeError = 0; ///< half the error bar as a share of the time
    EstimateKind kind = EstimateKind::Modelled;
    PointOrigin origin = PointOrigin::Modelled; ///< of the points used; Modelled where kind is
    bool operator==(const TimeEstimate&) const = default;
};

struct KernelTimesOptions {
    AbsmaxFormat absmax = AbsmaxFormat::E4M4;
    bool modelMissingKernels = false; ///< a kernel without any time at this k gets a roofline, not an Error
    bool operator==(const KernelTimesOptions&) const = default;
};

/// The points of one kernel at one size, k and number of experts.
struct KernelSeries {
    GemmSize size;
    int experts = 1;
    LogCurve curve; ///< over M
    std::vector<PointOrigin> origins;
    std::vector<bool> flagged; ///< isFlagged of each point
    /// Points that the curve passes by: between unflagged ones, an implausible one, and an interrupted one
    /// that takes longer than these interpolate to. Such a time is no measurement.
    std::size_t passedBy = 0;
    /// For a pair: its time over the sum of its parts' times, over M; with the pair's error bars. Empty if a
    /// part was not timed at this size, and for other kernels.
    LogCurve overParts;
    /// `overParts` as it multiplies the parts: never so little that the pair would take less time than its
    /// second part alone. Pairs that are flagged, or have a flagged part, are left out. Where all are, and at
    /// a pair that contradicts its parts, it is 1, with a bar that holds both: one of the three was
    /// disturbed.
    LogCurve factor;
    LogCurve factorBar; ///< `factor` with the errors of the pairs and of their parts together
};

/// True if a pair's time over its parts' is below a half or above two.
bool contradictsParts(double ratio);

/// A profile made ready for questions; rooflines behind it where the hardware is known.
class KernelTimes {
public:
    /// Rooflines are of `hardware`, else of the profile's (rooflineHardware). Without either there are none.
    KernelTimes(const Profile& profile, const Hardware* hardware, const KernelTimesOptions& options = {});

    /// Returns times that are all modelled, none measured.
    static KernelTimes rooflineOnly(const Hardware& hardware, AbsmaxFormat absmax = AbsmaxFormat::E4M4);

    /// The time of one kernel by its own points alone (for pairs see servedTime). In this order:
    ///   1. the shape's own points: at a point, its value; between points, LogCurve; where the profile says
    ///      that times are steps of ceil(M / tile), a value between points is that of its tile's last row;
    ///   2. below its first point: the first; above its last: constant FLOP/s if arithmetic takes half of the
    ///      last time or more, else a straight line in log-log to the roofline at four times the last M, then
    ///      the roofline; of k-bit kernels neither below the last time, as more rows take no less;
    ///   3. experts, other than as many as were timed: t0 + (t - t0) x active / timed, t0 held to half of t;
    ///      and no less than all their bytes at the datasheet's bandwidth;
    ///   4. another shape between timed ones: t - t0 interpolated over bytes;
    ///   5. the roofline.
    /// All from 2 on are Modelled. Of an unvalidated profile nothing but the roofline has an error bar;
    /// others' are 0. The Error names the kernel that has no time and what to try.
    [[nodiscard]] Result<TimeEstimate> time(Kernel kernel, GemmSize size, double activeExperts, double rowsM,
                                            int kBits) const;
    /// The points of this kernel at this size, with the number of experts nearest to that asked for; null
    /// where there are none.
    [[nodiscard]] const KernelSeries* series(Kernel kernel, GemmSize size, double activeExperts,
                                             int kBits) const;
    /// True if the profile has a point of this kernel at this k (fp16 kernels: at any k).
    [[nodiscard]] bool isTimed(Kernel kernel, int kBits) const { return seriesOf(kernel, kBits) != nullptr; }
    /// True if a model gave some of the profile's points (isUnvalidated).
    [[nodiscard]] bool isUnvalidatedModel() const { return unvalidated_; }
    /// Returns the reason why `time` would fail for this kernel at this k; nothing if it would not.
    [[nodiscard]] std::optional<Error> missing(Kernel kernel, int kBits) const;
    /// How far each kernel may serve. `time` answers beyond: that is for curves, and for fp16.
    [[nodiscard]] const KernelReaches& reaches() const { return reaches_; }
    /// Returns the roofline of a kernel; null without hardware.
    [[nodiscard]] const Roofline* roofline(Kernel kernel) const;

private:
    using Series = KernelSeries;

    void comparePairs();
    void setFactors(Series& pair, const KernelParts& parts, int kBits) const;
    [[nodiscard]] const std::vector<Series>* seriesOf(Kernel kernel, int kBits) const;
    [[nodiscard]] TimeEstimate inSeries(Kernel kernel, const Series& series, double rowsM, int kBits) const;
    [[nodiscard]] TimeEstimate beyond(Kernel kernel, const Series& series, double rowsM, int kBits) const;
    [[nodiscard]] TimeEstimate forExperts(Kernel kernel, const Series& series, const TimeEstimate& timed,
                                          double activeExperts, double rowsM, int kBits) const;
    [[nodiscard]] std::optional<TimeEstimate> betweenShapes(Kernel kernel, const std::vector<Series>& all,
                                                            double weights, double rowsM, int kBits) const;
    [[nodiscard]] TimeEstimate modelled(Kernel kernel, GemmSize size, double experts, double rowsM,
                                        int kBits) const;

    std::string profileName_;
    bool unvalidated_ = false;
    KernelTimesOptions options_;
    KernelReaches reaches_;
    std::map<std::pair<Kernel, int>, std::vector<Series>> series_; // each sorted by weights
    std::array<std::optional<Roofline>, kernelCount> rooflines_;
    std::array<int, kernelCount> rowTiles_{};
};

/// The option that an error names if a roofline would do.
inline constexpr std::string_view modelMissingOption = "--model-missing";
/// True if an Error of missing() goes away with modelMissingKernels.
[[nodiscard]] bool modellingHelps(const Error& error);

} // namespace loadline
