// What a hit rate frees, linear, with attention, and at its limit.
#include "app/cli/cache/cache_split.h"

#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json splitOf(const PrefillDecodeSplit& split) {
    return {{"prefill_work_left", split.workLeft}, {"gpus_freed", split.gpusFreed},
            {"speed_up", split.speedUp},           {"bound", split.bound},
            {"prefill_gpus", split.prefillGpus},   {"decode_gpus", split.decodeGpus}};
}

/// Of the mean prompt, with the hit rate's share of it cached.
Json withAttention(const CacheAnswer& answer, double meanInput) {
    Json result = Json::array();
    for (const CacheModel& model : cacheModels()) {
        if (meanInput > 0) {
            Json one = {{"model", model.key}};
            one.update(splitOf(splitWith(answer.question.fleet,
                                         prefillWorkLeft(model, meanInput, answer.hitRate() * meanInput))));
            result.push_back(std::move(one));
        }
    }
    return result;
}

/// What the session in the middle holds, model by model.
Json bytesByModel(double heldTokens) {
    Json result = Json::array();
    for (const CacheModel& model : cacheModels()) {
        result.push_back(
            {{"model", model.key},
             {"bytes_per_token", kvBytesPerToken(model)},
             {"held_median_bytes", heldTokens > 0 ? Json(kvBytesOf(model, heldTokens)) : Json(nullptr)},
             {"source", model.source}});
    }
    return result;
}

double meanInputOf(const CacheAnswer& answer) {
    return answer.provider ? answer.provider->input.mean : answer.trace.unlimited.input.mean;
}

} // namespace

nlohmann::ordered_json splitDocument(const CacheAnswer& answer) {
    const SplitFleet& fleet = answer.question.fleet;
    return {{"gpus", fleet.gpus},
            {"prefill", fleet.prefillShare},
            {"hit_rate", answer.hitRate()},
            {"hit_rate_of", answer.provider ? "provider" : "unlimited"},
            {"mean_input_tokens", meanInputOf(answer)},
            {"linear", splitOf(splitWith(fleet, 1 - answer.hitRate()))},
            {"with_attention", withAttention(answer, meanInputOf(answer))},
            {"limit", splitOf(splitWith(fleet, 0))}};
}

nlohmann::ordered_json kvBytesDocument(const CacheAnswer& answer) {
    return bytesByModel(answer.provider ? answer.provider->heldTokens.p50
                                        : answer.trace.unlimited.heldTokens.p50);
}

std::string splitText(const CacheAnswer& answer) {
    const SplitFleet& fleet = answer.question.fleet;
    const PrefillDecodeSplit real = splitWith(fleet, 1 - answer.hitRate());
    const PrefillDecodeSplit limit = splitWith(fleet, 0);
    return fmt::format(
        "Prefill and decode: of {:g} GPUs, {} of their time prefill, a hit rate of {} frees {:.1f} "
        "({:.3f} times the throughput); a hit rate of 1 would free {:g} ({}), the limit.\n",
        fleet.gpus, formatShare(fleet.prefillShare), formatShare(answer.hitRate()), real.gpusFreed,
        real.speedUp, limit.gpusFreed,
        std::isfinite(limit.speedUp) ? formatReal(limit.speedUp, 3) + " times" : "no end of work");
}

} // namespace loadline::app
