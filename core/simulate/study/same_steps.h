// The steps behind a curve over users, for every change of what they take.
#pragma once

#include "core/simulate/run/replica.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

/// Outcome of a curve over users for one setting.
struct CurveOutcome {
    std::optional<double> timeVsFp16; ///< at the present users, where it was asked
    std::optional<double> crossing;   ///< users; none: it does not pass 1
    bool fasterAtFirst = false;       ///< at the fewest users
    bool crossingKnown = true;        ///< false: the format compared with does not fit, so none leads
};

/// The runs behind a curve step by step: closed loops without think time hold the same steps whatever these
/// take, so that every change of a time follows from them.
class SameSteps {
public:
    /// Returns the runs of both formats if they are compared (comparesFormats): the curve is then of the time
    /// of a turn. A format that does not fit leaves no curve.
    static Result<SameSteps> of(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                                const std::stop_token& stop);

    /// With these GEMM times, and `restShare` of the rest. `other`: of the format compared with; null where
    /// formats are not compared.
    [[nodiscard]] CurveOutcome outcome(const GemmRates& rates, const GemmRates* other,
                                       double restShare = 1) const;

private:
    std::vector<std::int64_t> users_;
    std::vector<ReplicaRows> rows_;
};

} // namespace loadline
