// One simulated run a row.
#include "core/validate/predict.h"

#include "core/base/parallel_for.h"
#include "core/validate/protocol.h"
#include "core/validate/serving_run.h"

#include <cstddef>
#include <string>

namespace loadline {
namespace {

ServerPrediction notModelledAs(const std::string& reason) {
    return {.ttftMs = 0, .tpotMs = 0, .isKvBound = false, .notModelled = reason};
}

} // namespace

ServerPrediction predictServer(const ServerSettings& settings, const PriceServer& price,
                               const FrontEndCosts& costs, const std::stop_token& stop) {
    const auto plan = servingPlanOf(settings);
    if (!plan) {
        return notModelledAs(plan.error().what);
    }
    auto priced = price(settings);
    if (!priced) {
        return notModelledAs(priced.error().what);
    }
    const ServingSetup setup{.engine = settings.engine, .kvBlocks = priced->kvBlocks, .frontEnd = costs};
    const auto figures = runServing(*plan, setup, *priced->prices, stop);
    if (!figures) {
        return notModelledAs(figures.error().what);
    }
    return {.ttftMs = figures->ttftMs, .tpotMs = figures->tpotMs, .isKvBound = figures->isKvBound};
}

std::vector<ServerPrediction> predictServers(std::span<const MeasuredRow> rows, const PriceServer& price,
                                             unsigned threads, const std::stop_token& stop,
                                             const FrontEndCosts& costs, WorkProgress* progress) {
    if (progress != nullptr) {
        progress->planned += rows.size();
    }
    std::vector<ServerPrediction> predictions(rows.size(), notModelledAs("the prediction was stopped"));
    parallelFor(rows.size(), threads, stop, [&](std::size_t row, unsigned /*worker*/) {
        predictions[row] = rows[row].refusal.empty() ? predictServer(rows[row].settings, price, costs, stop)
                                                     : notModelledAs(rows[row].refusal);
        if (progress != nullptr) {
            ++progress->done;
        }
    });
    return predictions;
}

} // namespace loadline
