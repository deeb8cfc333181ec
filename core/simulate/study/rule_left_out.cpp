// Timed kernels that a dispatch rule never chooses.
#include "core/simulate/study/rule_left_out.h"

#include "core/simulate/study/rule_moves.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::vector<Kernel> kernelsLeftOut(const SimulationInputs& inputs) {
    std::vector<Kernel> left;
    if (!inputs.profile || inputs.cost.rule.fastest) {
        return left;
    }
    for (const bool grouped : {false, true}) {
        const bool isMet = std::ranges::any_of(inputs.cost.model.gemms, [grouped](const LayerGemm& gemm) {
            return gemm.quantised && gemm.grouped() == grouped;
        });
        const std::vector<Kernel> ruled = candidatesOf(inputs.cost.rule, grouped);
        for (const Kernel kernel : kernelsIn(*inputs.profile, inputs.cost.format.kBits())) {
            const bool serves = isMet && canServe(kernel, grouped) && readsKBits(kernel);
            if (serves && std::ranges::find(ruled, kernel) == ruled.end()) {
                left.push_back(kernel);
            }
        }
    }
    return left;
}

Result<std::vector<RuleChange>> ruleChangesOf(const SimulationInputs& inputs) {
    const auto moves = movesOf(inputs);
    if (!moves) {
        return moves.error();
    }
    std::vector<RuleChange> changes;
    for (const RuleMove& move : *moves) {
        changes.push_back({textOf(move), move.rule});
    }
    if (!inputs.cost.rule.fastest) {
        std::string words = "the fastest kernel at each M";
        for (const Kernel kernel : kernelsLeftOut(inputs)) {
            words += ", " + nameOf(kernel, namingOf(inputs)) + " too";
        }
        changes.push_back({std::move(words), *findDispatchPreset("fastest")});
    }
    return changes;
}

Result<std::optional<RuleLeftOut>>
ruleLeftOutOf(const SimulationInputs& inputs, std::vector<std::int64_t> users, const std::stop_token& stop) {
    constexpr double worthSaying = 0.98;
    std::optional<RuleLeftOut> nothing;
    RuleLeftOut left{kernelsLeftOut(inputs), std::move(users), {}, {}, namingOf(inputs)};
    if (left.kernels.empty() || left.users.empty() || inputs.arrivals.kind != ArrivalKind::Closed) {
        return nothing;
    }
    std::ranges::sort(left.users);
    left.users.erase(std::ranges::unique(left.users).begin(), left.users.end());
    bool saves = false;
    for (const bool fastest : {false, true}) {
        SweepInputs few;
        few.base = inputs;
        few.base.tables = nullptr;
        few.users = left.users;
        if (fastest) {
            few.base.cost.rule = *findDispatchPreset("fastest");
        }
        const auto swept = sweep(few, stop);
        if (!swept) {
            return swept.error();
        }
        if (swept->points.size() != left.users.size()) {
            return nothing; // stopped
        }
        for (const SweepPoint& point : swept->points) {
            (fastest ? left.fastest : left.asRuled).push_back(point.timeVsFp16.value);
        }
    }
    for (std::size_t i = 0; i < left.users.size(); ++i) {
        saves = saves || left.fastest[i] < worthSaying * left.asRuled[i];
    }
    return saves ? std::optional(std::move(left)) : nothing;
}

std::string ruleLeftOutSentence(const RuleLeftOut& left) {
    std::string names;
    for (const Kernel kernel : left.kernels) {
        names += (names.empty() ? "" : ", ") + nameOf(kernel, left.naming);
    }
    std::string text = fmt::format("The rule leaves out {}: with the rule `fastest` it is ", names);
    for (std::size_t i = 0; i < left.users.size(); ++i) {
        text += fmt::format("{}{:.2f} instead of {:.2f}{} at {}{}", i == 0 ? "" : ", ", left.fastest[i],
                            left.asRuled[i], i == 0 ? " of fp16's time" : "", formatExact(left.users[i]),
                            i > 0                ? ""
                            : left.users[i] == 1 ? " user"
                                                 : " users");
    }
    return text + ".";
}

} // namespace loadline
