// The points of a kernel figure as tables.
#pragma once

#include "core/cost/figure/kernel_figure.h"
#include "core/text/table.h"

#include <string>

namespace loadline {

/// Returns the label of a profile of the figure (labelOf), with " (the other)" behind the second if both are
/// the same.
std::string profileLabelIn(const KernelFigure& figure, int profile);

/// The points: profile, kernel, kernel_name (codeNameOf), shape, experts, k_bits, rows_m, time_us, p25_us,
/// p75_us, min_us, low_us, high_us, repeat_us, between_runs, isolated_us, drifted_us, samples, clock_mhz,
/// flags, origin, source, parts_us (of a pair: its parts taken apart, together), not_complete (why the
/// profile is cut; empty where it is whole).
Table timesTable(const KernelFigure& figure);
/// profile, kernel, kernel_name, shape, experts, k_bits, rows_m, time_us, bound_us, bound_by,
/// fraction_of_ceiling, not_complete.
Table ceilingTable(const KernelFigure& figure);

} // namespace loadline
