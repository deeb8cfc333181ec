// One shape's times of the kernels over M, of one profile or two, with bounds and crossings.
#pragma once

#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/estimate/kernel_bounds.h"
#include "core/cost/estimate/kernel_times.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/timed_shape.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A timed point as it is drawn.
struct KernelMark {
    std::size_t point = 0; ///< index in the profile's points
    double rowsM = 1;
    double us = 0;
    double low = 0; ///< of the error bar: quartiles and repeat, at least 2 %
    double high = 0;
    double boundUs = 0;  ///< of the profile's bounds; 0: not known
    double fraction = 0; ///< boundUs / us
    bool byArithmetic = false;
    double partsUs = 0; ///< of a pair: its parts' times, taken apart, together; 0: not known
    double factor = 0;  ///< of a pair that corrects its parts, their multiplier; 0: corrects nothing
};

/// The curve at one M.
struct KernelSample {
    double rowsM = 1;
    TimeEstimate time;
};

/// One kernel of one profile.
struct KernelCurve {
    Kernel kernel = Kernel::CublasFp16;
    int profile = 0;                ///< 0: the profile; 1: the one it is compared with
    std::vector<KernelMark> marks;  ///< ascending in M; of a pair, where it was timed in one go
    std::vector<KernelSample> line; ///< ascending in M; of a pair, servedTime
    std::int64_t firstM = 0;        ///< of its points; of a pair, of those of its parts, if they begin before
    std::int64_t lastM = 0;         ///< of its points; of a pair, of those of its parts, if they go further
};

/// The M at which the fastest kernel changes.
struct KernelCrossing {
    Kernel from = Kernel::Scalar;
    Kernel to = Kernel::Mma;
    std::int64_t rowsM = 1; ///< the first M at which `to` is the fastest
    std::int64_t low = 1;   ///< between low and high the error bars overlap
    std::int64_t high = 1;
    bool pointsEnd = false;   ///< `from` was not timed at this M: it did not lose there
    bool pointsBegin = false; ///< `to` was not timed below this M: it may have been faster there
    bool operator==(const KernelCrossing&) const = default;
};

/// How fp16 stands against the fastest k-bit kernel.
enum class Fp16Standing : std::uint8_t {
    Slower,
    Alike, ///< within the error bars
    Faster,
};

/// Ms in a row at which fp16 and a k-bit kernel were both timed, and fp16 stands alike.
struct Fp16Span {
    std::int64_t fromM = 1;
    std::int64_t toM = 1;
    Fp16Standing standing = Fp16Standing::Slower;
    std::size_t points = 0; ///< Ms of the span with a point of fp16 and one of a k-bit kernel
    /// The kernel that was faster than fp16 just below and was not timed from here on: it did not lose.
    std::optional<Kernel> ended = std::nullopt;
    bool operator==(const Fp16Span&) const = default;
};

/// A line of shortest times.
struct BoundLine {
    bool fp16 = false;     ///< of fp16 weights; else of k-bit ones
    bool measured = false; ///< the measured ceiling; else the bytes at the datasheet's bandwidth
    std::vector<std::pair<double, double>> line; ///< M, us
};

/// How many times as long as in the other profile: median over the Ms of a kernel that both have unflagged.
struct KernelComparison {
    Kernel kernel = Kernel::CublasFp16;
    double ratio = 1; ///< time / the other's time; unused without points
    int points = 0;   ///< 0: only flagged points are in both
    double error = 0; ///< half the error bar of a point's ratio, as a share of it (ln); median
};

struct KernelFigureInputs {
    std::shared_ptr<const Profile> profile;  ///< not null
    std::shared_ptr<const Profile> compared; ///< null: none
    TimedShape shape;
    int kBits = 4;
    bool operator==(const KernelFigureInputs&) const = default; ///< the same profiles, not equal ones
};

struct KernelFigure {
    KernelFigureInputs inputs;
    double mostRows = 1;                    ///< of all curves
    std::vector<KernelCurve> curves;        ///< those of the profile first
    std::size_t passedBy = 0;               ///< points of the profile that lines pass by (KernelSeries)
    std::vector<BoundLine> bounds;          ///< of the profile
    std::string boundSource;                ///< what fractions are of; empty: nothing is known
    std::optional<Kernel> fastestFirst;     ///< the fastest k-bit kernel at the least M that one was timed at
    std::vector<KernelCrossing> crossings;  ///< of k-bit kernels, ascending
    std::vector<Fp16Span> fp16Spans;        ///< ascending; empty: no M has both
    std::vector<KernelCrossing> fp16Starts; ///< where fp16 begins to be faster than every k-bit kernel
    /// The last of fp16Starts, where fp16 stays faster to the last M that has both.
    std::optional<KernelCrossing> fp16Wins;
    /// The Ms at which fp16 and a k-bit kernel were both timed; 0: none.
    std::int64_t fp16FromM = 0, fp16ToM = 0;
    std::vector<KernelComparison> comparisons;
    std::vector<AgainstModel>
        againstModel; ///< of the profile, where it was measured on a GPU that is modelled
    /// Which part of a call is the longest (limitsText); "" unless every point of swap-AB that is drawn is
    /// our model's: of an imported kernel in its place nothing is known.
    std::string limits;
    std::string sentence;
    std::vector<std::string> provenance;
};

/// Never fails: a profile without the shape gives a figure without curves whose sentence says so.
KernelFigure kernelFigure(const KernelFigureInputs& inputs);

/// Names of the kernels drawn; `profile` as in KernelCurve.
KernelNaming namingOf(const KernelFigure& figure, int profile);

/// "At M <= 4 scalar GEMV is the fastest k-bit kernel, from 5 MMA, ... From M = 38 on fp16 cuBLAS is faster
/// than all of them. At M = 1 ..." and how a pair's line follows from its parts.
std::string kernelSentence(const KernelFigure& figure);

} // namespace loadline
