// How runs that last until they are settled ended, as a part of documents and for a terminal.
#include "app/cli/simulate/run_document.h"

#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json endsOf(const Banded& figure) {
    const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    return Json::array({end(figure.low), end(figure.high)});
}

void addLatency(Json& document, const char* name, const LatencyIntervals& latency) {
    document[fmt::format("{}.mean", name)] = endsOf(latency.mean);
    document[fmt::format("{}.p50", name)] = endsOf(latency.p50);
    document[fmt::format("{}.p90", name)] = endsOf(latency.p90);
    document[fmt::format("{}.p99", name)] = endsOf(latency.p99);
}

} // namespace

Json runDocument(const std::optional<RunReport>& run) {
    if (!run) {
        return nullptr;
    }
    return {{"settled", run->settled},
            {"warm_up_s", run->warmUpS},
            {"measured_s", run->measuredS},
            {"turns_started", run->turnsStarted},
            {"turns_finished", run->turnsFinished},
            {"turns_in_flight", run->turnsInFlight},
            {"bound", run->bound == RunBound::None ? Json(nullptr) : Json(keyOf(run->bound))},
            {"little", run->turnsFinished > 0 ? Json(run->little) : Json(nullptr)},
            {"in_system", run->inSystem},
            {"drifts", run->drifts},
            {"steps", run->steps},
            {"warm_up_steps", run->plan.warmUpSteps},
            {"measured_steps", run->plan.measuredSteps},
            {"parts", run->plan.parts}};
}

Json intervalDocument(const std::optional<RunReport>& run, bool tells) {
    Json document = Json::object();
    if (!run) {
        return document;
    }
    document["time_vs_fp16"] = endsOf(run->timeVsFp16);
    if (!tells) {
        return document;
    }
    document["throughput_tokens_per_s"] = endsOf(run->throughputTokensPerS);
    document["turns_per_s"] = endsOf(run->turnsPerS);
    if (run->turnsFinished > 0) {
        addLatency(document, "ttft_s", run->ttftS);
        addLatency(document, "tpot_s", run->tpotS);
        addLatency(document, "e2e_s", run->e2eS);
    }
    return document;
}

std::string runText(const std::optional<RunReport>& run, bool tells) {
    if (!run) {
        return {};
    }
    const std::string unsettled = unsettledSentenceOf(run, tells);
    const auto off = [](const Banded& figure) {
        return formatShare(figure.value > 0 ? (figure.high - figure.low) / 2 / figure.value : 0);
    };
    std::string text = unsettled;
    if (run->settled && tells) {
        text = fmt::format(
            "Settled: output tokens a second \u00b1 {}, TTFT p50 \u00b1 {}, mean end-to-end \u00b1 {}.",
            off(run->throughputTokensPerS), off(run->ttftS.p50), off(run->e2eS.mean));
    } else if (run->settled) {
        text = fmt::format("Settled: time vs fp16 \u00b1 {}.", off(run->timeVsFp16));
    }
    return text + fmt::format("{}Measured: {} steps of each run after {} of warm-up{}.\n",
                              text.empty() ? "" : " ", formatExact(run->plan.measuredSteps),
                              formatExact(run->plan.warmUpSteps),
                              run->plan.parts > 1 ? fmt::format(", in {} parts", run->plan.parts) : "");
}

} // namespace loadline::app
