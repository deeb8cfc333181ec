// Points and errors of measured rows.
#include "core/validate/judge_servers.h"

#include "core/cost/device/atlas_name.h"
#include "core/validate/priced_server.h"
#include "core/validate/protocol.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace loadline {
namespace {

double roundedTo(double unit, double value) {
    const double perUnit = 1 / unit;
    return std::round(value * perUnit) / perUnit;
}

std::optional<double> judgedError(const std::optional<double>& measured, double predicted, bool isModelled) {
    constexpr double unit = 1e-4;
    return measured && isModelled && predicted > 0 ? std::optional(roundedTo(unit, predicted / *measured - 1))
                                                   : std::nullopt;
}

/// Mean lengths of a plan.
void putLengths(const ServingPlan& plan, ServerPoint& point) {
    constexpr double unit = 0.1;
    double prompts = 0;
    double outputs = 0;
    double contexts = 0; // of all generated tokens
    for (const PlannedRequest& request : plan.requests) {
        const auto prompt = static_cast<double>(request.prompt);
        const auto output = static_cast<double>(request.output);
        prompts += prompt;
        outputs += output;
        contexts += output * (prompt + (output - 1) / 2);
    }
    point.newTokens = roundedTo(unit, prompts / static_cast<double>(plan.requests.size()));
    point.context = roundedTo(unit, contexts / outputs);
}

} // namespace

Result<ServerPoint> serverPointOf(const ServerSettings& settings) {
    const Result<StepSetup> setup = stepSetupOf(settings);
    if (!setup) {
        return setup.error();
    }
    const Result<ServingPlan> plan = servingPlanOf(settings);
    if (!plan) {
        return plan.error();
    }
    const AtlasName* const name = findAtlasName(settings.system);
    const ModelBytes bytes = modelBytesOf(setup->model, bytesPerWeightOf(setup->weightFormat),
                                          bytesPerWeightOf(setup->expertFormat));
    ServerPoint point;
    point.gpu = name == nullptr ? settings.system : std::string(name->key);
    point.totalBytes = std::round(bytes.total);
    point.activeBytes = std::round(bytes.active);
    point.weights = setup->weightFormat;
    point.experts = setup->model.experts ? setup->expertFormat : "";
    point.kv = std::string(keyOf(settings.engine.kv));
    point.tensorParallel = settings.tensorParallel;
    putLengths(*plan, point);
    point.batch = static_cast<double>(std::min(plan->users, settings.engine.maxNumSeqs));
    return point;
}

std::vector<JudgedServer> judgedServersOf(std::span<const MeasuredRow> rows,
                                          std::span<const ServerPrediction> predictions) {
    std::vector<JudgedServer> servers;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredRow& row = rows[i];
        if (!row.refusal.empty()) {
            continue;
        }
        Result<ServerPoint> point = serverPointOf(row.settings);
        if (!point) {
            continue;
        }
        point->isKvBound = row.label.isKvBound;
        const ServerPrediction& predicted = predictions[i];
        const bool isModelled = predicted.notModelled.empty();
        servers.push_back({.model = row.settings.model,
                           .at = std::move(*point),
                           .tier = row.label.tier,
                           .ttftError = judgedError(row.measured.ttftMs, predicted.ttftMs, isModelled),
                           .tpotError = judgedError(row.measured.tpotMs, predicted.tpotMs, isModelled)});
    }
    return servers;
}

} // namespace loadline
