// Writes crossovers with their intervals.
#include "app/cli/sweep/crossover_document.h"

#include "app/cli/simulate/simulation_inputs.h"
#include "core/simulate/request/simulation_request.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

std::string_view keyOf(CrossoverKind kind) {
    switch (kind) {
    case CrossoverKind::QuantisedFaster:
        return "quantised_faster";
    case CrossoverKind::QuantisedSlower:
        return "quantised_slower";
    case CrossoverKind::One:
        return "one";
    case CrossoverKind::Several:
        break;
    }
    return "several";
}

Json numberOrNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json intervalOf(const CrossoverInterval& interval) {
    return {{"low", numberOrNull(interval.low)},
            {"high", numberOrNull(interval.high)},
            {"share_with_crossing", interval.shareWithCrossing},
            {"share_otherwise", interval.shareOtherwise},
            {"otherwise_users", numberOrNull(interval.otherwiseUsers)}};
}

Json crossingsOf(const Crossover& crossover) {
    Json crossings = Json::array();
    for (std::size_t i = 0; i < crossover.crossings.size(); ++i) {
        const Crossing& crossing = crossover.crossings[i];
        Json one = {{"users", crossing.users},
                    {"quantised_faster_below", crossing.quantisedFasterBelow},
                    {"simulated_below", crossing.fromUsers}, // between the two nothing was simulated
                    {"simulated_above", crossing.toUsers}};
        if (i < crossover.byCrossing.size()) {
            one["low"] = numberOrNull(crossover.byCrossing[i].low);
            one["high"] = numberOrNull(crossover.byCrossing[i].high);
            one["share_with_crossing"] = crossover.byCrossing[i].shareWithCrossing;
        }
        crossings.push_back(std::move(one));
    }
    return crossings;
}

/// Null where the curve has none.
Json ruleJumpDocument(const std::optional<RuleJump>& jump) {
    if (!jump) {
        return nullptr;
    }
    return {{"from_users", jump->fromUsers},           {"to_users", jump->toUsers},
            {"time_vs_fp16_before", jump->before},     {"time_vs_fp16_after", jump->after},
            {"time_vs_fp16_fastest", jump->fastest},   {"bound_m", jump->move.boundM},
            {"kernel_below", keyOf(jump->move.below)}, {"kernel_above", keyOf(jump->move.above)},
            {"faster_to_m", jump->move.fasterToM}};
}

/// Null where the rule leaves no kernel out that would save time.
Json leftOutDocument(const std::optional<RuleLeftOut>& left) {
    if (!left) {
        return nullptr;
    }
    Json kernels = Json::array();
    for (const Kernel kernel : left->kernels) {
        kernels.push_back(keyOf(kernel));
    }
    return {{"kernels", kernels},
            {"users", left->users},
            {"time_vs_fp16", left->asRuled},
            {"time_vs_fp16_fastest", left->fastest}};
}

/// The first whole number of users from which on the other side is faster.
Json wholeUsers(const Crossover& crossover) {
    return crossover.crossings.empty() ? Json(nullptr) : Json(firstUsersBehind(crossover.crossings.front()));
}

Json extremeDocument(const Crossover& crossover, std::int64_t users, const Banded& pace, double time) {
    return {{"users", users},
            {"time_vs_fp16", time},
            {"turns_per_s_vs_against",
             crossover.byTurns && pace.value > 0 ? Json(1 / pace.value) : Json(nullptr)}};
}

Json crossoverDocument(const Crossover& crossover) {
    Json document = {
        {"k", crossover.kBits},
        {"chunk", crossover.chunkTokens > 0 ? Json(crossover.chunkTokens) : Json(nullptr)},
        {"fits", crossover.memory.fits() ? Json(*crossover.memory.fits()) : Json(nullptr)},
        {"by", crossover.byTurns ? "turns_per_s" : "time"},
        {"against", keyOf(crossover.against)},
        {"users", crossover.crossings.empty() ? Json(nullptr) : Json(crossover.crossings.front().users)},
        {"low", numberOrNull(crossover.all.low)},
        {"high", numberOrNull(crossover.all.high)},
        {"kind", keyOf(crossover.kind)},
        {"crossings", crossingsOf(crossover)},
        {"step", keyOf(crossover.scope)},
        {"from_users", crossover.fromUsers},
        {"to_users", crossover.toUsers},
        {"share_with_crossing", crossover.all.shareWithCrossing},
        {"share_otherwise", crossover.all.shareOtherwise},
        {"otherwise_users", numberOrNull(crossover.all.otherwiseUsers)},
        {"alone",
         {{"replicas", intervalOf(crossover.replicas)},
          {"sessions", intervalOf(crossover.sessions)},
          {"kernels", intervalOf(crossover.kernels)}}},
        {"best", extremeDocument(crossover, crossover.bestUsers, crossover.best, crossover.bestTimeVsFp16)},
        {"worst",
         extremeDocument(crossover, crossover.worstUsers, crossover.worst, crossover.worstTimeVsFp16)},
        {"from_whole_users", wholeUsers(crossover)},
        {"rule_jump", ruleJumpDocument(crossover.ruleJump)},
        {"rule_left_out", leftOutDocument(crossover.leftOut)},
        {"modelled_share", numberOrNull(crossover.modelledShare)},
        {"sentence", crossover.sentence}};
    if (crossover.isMisfit()) {
        withoutFigures(document,
                       {"k", "by", "against", "chunk", "fits", "step", "from_users", "to_users", "sentence"});
    }
    return document;
}

} // namespace

nlohmann::ordered_json crossoversDocument(const std::vector<Crossover>& crossovers) {
    Json list = Json::array();
    for (const Crossover& crossover : crossovers) {
        list.push_back(crossoverDocument(crossover));
    }
    return list;
}

} // namespace loadline::app
