// A closed loop that begins amid its turns: for runs too short to outlive the crowd of their opening.
#include "core/simulate/run/warm_start.h"

#include "core/base/random.h"
#include "core/simulate/policy/policies.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace loadline {
namespace {

/// Steps that the prompts keep others waiting.
double stepsOf(std::span<const DrawnTurn> turns, const RowsSetup& setup) {
    return withPolicy(setup.policy, [&]<typename P>(P) {
        double steps = 0;
        for (const DrawnTurn& turn : turns) {
            if constexpr (P::spec.onePrompt) {
                steps += P::stepsOf(turn.input, setup);
            } else {
                steps += static_cast<double>(turn.input) / static_cast<double>(setup.budgetTokens);
            }
        }
        return steps;
    });
}

} // namespace

std::vector<DrawnTurn> warmTurns(const RowsSetup& setup, std::span<const DrawnTurn> turns) {
    std::vector<std::int64_t> ends;
    ends.reserve(turns.size());
    std::int64_t outputs = 0;
    for (const DrawnTurn& turn : turns) {
        outputs += turn.output;
        ends.push_back(outputs);
    }
    const double prompts = stepsOf(turns, setup);
    std::int64_t decoding = std::min(setup.users, setup.maxSeqs);
    if (prompts * static_cast<double>(decoding) > static_cast<double>(outputs)) {
        decoding = static_cast<std::int64_t>(static_cast<double>(outputs) / prompts);
    }
    std::vector<DrawnTurn> warm;
    for (std::int64_t user = 0; user < decoding; ++user) {
        const auto token = static_cast<std::int64_t>(evenSpread(0, user + 1) * static_cast<double>(outputs));
        const std::int64_t end = *std::ranges::upper_bound(ends, std::min(token, outputs - 1));
        warm.push_back({1, static_cast<std::int32_t>(end - token)});
    }
    return warm;
}

} // namespace loadline
