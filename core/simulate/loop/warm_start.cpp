// A closed loop that begins amid its turns: for runs too short to outlive the crowd of their opening.
#include "core/simulate/loop/warm_start.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace loadline {
namespace {

/// Steps that a prompt keeps others waiting.
double stepsOf(const DrawnTurn& turn, const RowsSetup& setup) {
    const auto input = static_cast<double>(turn.input);
    if (setup.policy != Policy::SinglePrefill) {
        return input / static_cast<double>(setup.budgetTokens);
    }
    if (turn.input <= setup.fit.freePrompt) {
        return 0;
    }
    const Tokens cap = setup.fit.promptCap;
    return std::ceil((cap > 0 ? std::min(input, static_cast<double>(cap)) : input) /
                     static_cast<double>(std::min(setup.chunkTokens, setup.budgetTokens)));
}

} // namespace

std::vector<DrawnTurn> warmTurns(const RowsSetup& setup, std::span<const DrawnTurn> turns) {
    std::vector<std::int64_t> ends;
    ends.reserve(turns.size());
    std::int64_t outputs = 0;
    double prompts = 0;
    for (const DrawnTurn& turn : turns) {
        outputs += turn.output;
        prompts += stepsOf(turn, setup);
        ends.push_back(outputs);
    }
    std::int64_t decoding = std::min(setup.users, setup.maxSeqs);
    if (prompts * static_cast<double>(decoding) > static_cast<double>(outputs)) {
        decoding = static_cast<std::int64_t>(static_cast<double>(outputs) / prompts);
    }
    constexpr double golden = 0.6180339887498949; // its multiples spread evenly, however many there are
    std::vector<DrawnTurn> warm;
    for (std::int64_t user = 0; user < decoding; ++user) {
        const double place = static_cast<double>(user + 1) * golden;
        const auto token =
            static_cast<std::int64_t>((place - std::floor(place)) * static_cast<double>(outputs));
        const std::int64_t end = *std::ranges::upper_bound(ends, std::min(token, outputs - 1));
        warm.push_back({1, static_cast<std::int32_t>(end - token)});
    }
    return warm;
}

} // namespace loadline
