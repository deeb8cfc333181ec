// How runs that last until they are settled ended, as a part of documents and for a terminal.
#pragma once

#include "core/simulate/run/kernel_draws.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

namespace loadline::app {

/// "run": whether the figures are settled, what was left out and measured. Null for runs of a given length.
nlohmann::ordered_json runDocument(const std::optional<RunReport>& run);
/// The error of the kernel times in the intervals of one format's runs.
struct IntervalErrors {
    KernelError timeVsFp16;
    KernelError clock; ///< of tokens and turns a second
};

/// "interval": 95 % intervals by the name of the figure; an end that is not bounded is null. With `tells` the
/// latencies too. Empty for runs of a given length.
nlohmann::ordered_json intervalDocument(const std::optional<RunReport>& run, bool tells,
                                        const IntervalErrors& errors);
/// "interval_parts": of each interval the runs' own and that of the kernel times (null: it has none), and in
/// words what it is of.
nlohmann::ordered_json intervalPartsDocument(const std::optional<RunReport>& run, bool tells,
                                             const IntervalErrors& errors);
/// One entry of "interval_parts". `runs`: by chance in the runs alone, null where one run cannot tell.
nlohmann::ordered_json partsDocument(const nlohmann::ordered_json& runs, double value,
                                     const KernelError& error, double z = z95);

/// A line on what was measured and how sure the first figures are; "" for runs of a given length.
std::string runText(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors);

} // namespace loadline::app
