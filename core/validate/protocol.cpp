// InferenceX's closed loop.
#include "core/validate/protocol.h"

#include "core/validate/np_rand.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace loadline {
namespace {

constexpr std::int64_t requestsPerUser = 10;
constexpr std::int64_t warmUpPerUser = 2;
constexpr int warmUpSince = 20'260'121;
constexpr std::uint32_t clientSeed = 0;

Tokens drawnLength(NpRandom& random, Tokens nominal, double ratio) {
    const auto least = static_cast<Tokens>(static_cast<double>(nominal) * ratio);
    return std::max<Tokens>(1, random.integer(least, nominal + 1));
}

} // namespace

Result<ServingPlan> servingPlanOf(const ServerSettings& settings) {
    const std::int64_t count =
        settings.users <= mostPlannedRequests ? requestsPerUser * settings.users : mostPlannedRequests + 1;
    const Tokens each = settings.promptTokens + settings.outputTokens;
    const Tokens budget = std::max<Tokens>(settings.engine.maxNumBatchedTokens, 1);
    const bool isTooMuch = count > mostPlannedRequests || each > mostPlannedTokens / count;
    if (isTooMuch || each * count / budget > mostPlannedSteps) {
        return Error{
            fmt::format("{} users with {} tokens a request are too much to simulate", settings.users, each),
            "", "fewer users, or shorter requests"};
    }
    NpRandom random(clientSeed);
    std::vector<PlannedRequest> all(static_cast<std::size_t>(count));
    for (PlannedRequest& request : all) {
        request.prompt = drawnLength(random, settings.promptTokens, settings.lengthRatio);
    }
    for (PlannedRequest& request : all) {
        request.output = drawnLength(random, settings.outputTokens, settings.lengthRatio);
    }
    const std::int64_t engines = std::max(1, settings.dataParallel);
    ServingPlan plan{.users = (settings.users + engines - 1) / engines};
    for (std::size_t i = 0; i < all.size(); i += static_cast<std::size_t>(engines)) {
        plan.requests.push_back(all[i]);
    }
    if (settings.measuredFrom && *settings.measuredFrom >= warmUpSince) {
        plan.warmUpCopies = warmUpPerUser * plan.users;
    }
    return plan;
}

} // namespace loadline
