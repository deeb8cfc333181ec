// The time of a serving kernel: of one kernel its own, of a pair its parts' corrected by the timed pairs.
#pragma once

#include "core/cost/estimate/kernel_times.h"

#include <array>
#include <optional>

namespace loadline {

/// A serving kernel's time by the kernels that it runs.
struct ServedTime {
    std::array<Kernel, 2> kernels = {};
    std::array<TimeEstimate, 2> parts;
    int count = 0;
    /// Relative error of a corrected pair's f alone, with that of the timings that f is taken from; 0 of
    /// others.
    double factorError = 0;
    /// The parts' errors without f's over those of `parts`, which hold f's too.
    double ownShare = 1;
    /// All parts, one after the other; errors add in squares, of kinds and origins the least certain.
    [[nodiscard]] TimeEstimate sum() const;
};

/// One kernel: KernelTimes::time. A pair (dequantise, then a GEMM) at M rows:
///
///     t(M) = (dequantise + GEMM(M)) x f(M),   f at a timed pair = its time / (dequantise + GEMM) there
///
/// between timed pairs ln f runs straight over ln M, beyond their ends f is held; nowhere is f less than
/// GEMM(M) / (dequantise + GEMM(M)): a pair takes no less than its GEMM alone. Both parts are multiplied by f
/// alike, so that their shares stay. Pairs that are flagged or contradict their parts correct nothing
/// (KernelSeries::factor). Pairs are those of this size and k, with the number of experts nearest to that
/// asked for. Without such pairs f = 1. Where a pair was timed and not both of its parts (a table of others),
/// its own curve is the time, as one part under the pair's name.
///
/// The error bar of the sum: at a timed pair that pair's own; between two, no smaller than that of the parts'
/// sum and than LogCurve's of f; beyond their ends no smaller than the parts' sum's, the last pair's, and
/// |ln f|, so that the uncorrected sum lies within. At a pair the kind is AtPoint; elsewhere at best
/// Interpolated.
Result<ServedTime> servedTime(const KernelTimes& times, Kernel kernel, GemmSize size, double activeExperts,
                              double rowsM, int kBits);

/// Returns the reason why servedTime would fail for this kernel at this k at any size; nothing if it would
/// not.
std::optional<Error> missingToServe(const KernelTimes& times, Kernel kernel, int kBits);

} // namespace loadline
