// The steps behind a curve over users, for every change of what they take.
#pragma once

#include "core/simulate/run/replica.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

/// What a curve over users says of one setting.
struct CurveOutcome {
    std::optional<double> timeVsFp16; ///< at the present users, where it was asked
    std::optional<double> crossing;   ///< users; none: it does not pass 1
    bool fasterAtFirst = false;       ///< at the fewest users
};

/// The runs behind a curve step by step: closed loops without think time hold the same steps whatever these
/// take, so that every change of a time follows from them.
class SameSteps {
public:
    static Result<SameSteps> of(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                                const std::stop_token& stop);

    /// With these GEMM times, and `restShare` of the rest.
    [[nodiscard]] CurveOutcome outcome(const GemmRates& rates, double restShare = 1) const;

private:
    std::vector<std::int64_t> users_;
    std::vector<ReplicaRows> rows_;
};

} // namespace loadline
