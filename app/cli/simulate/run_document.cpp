// How runs that last until they are settled ended, as a part of documents and for a terminal.
#include "app/cli/simulate/run_document.h"

#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json endsOf(const Banded& figure) {
    const auto end = [](double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); };
    return Json::array({end(figure.low), end(figure.high)});
}

/// One figure of a run, and whether the kernel times move it by a known deviation.
struct ShownInterval {
    std::string name;
    Banded ofRuns;
    std::optional<KernelError> kernels = {};
};

std::vector<ShownInterval> intervalsOf(const RunReport& run, bool tells, const IntervalErrors& errors) {
    std::vector<ShownInterval> list = {{"time_vs_fp16", run.timeVsFp16, errors.timeVsFp16}};
    if (!tells) {
        return list;
    }
    list.push_back({"throughput_tokens_per_s", run.throughputTokensPerS, errors.clock});
    list.push_back({"turns_per_s", run.turnsPerS, errors.clock});
    const auto add = [&](const char* name, const LatencyIntervals& latency) {
        list.push_back({fmt::format("{}.mean", name), latency.mean});
        list.push_back({fmt::format("{}.p50", name), latency.p50});
        list.push_back({fmt::format("{}.p90", name), latency.p90});
        list.push_back({fmt::format("{}.p99", name), latency.p99});
    };
    if (run.turnsFinished > 0) {
        add("ttft_s", run.ttftS);
        add("tpot_s", run.tpotS);
        add("e2e_s", run.e2eS);
    }
    return list;
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

Json partsDocument(const Json& runs, double value, const KernelError& error, double z) {
    return {
        {"runs", runs},
        {"kernel_times", error.deviation > 0 ? endsOf(kernelBand(value, error.deviation, z)) : Json(nullptr)},
        {"without_error_share", error.withoutBar},
        {"of", wordsOf(error)}};
}

Json intervalDocument(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors) {
    Json document = Json::object();
    if (run) {
        for (const ShownInterval& one : intervalsOf(*run, tells, errors)) {
            document[one.name] =
                endsOf(withKernelError(one.ofRuns, one.kernels.value_or(KernelError()).deviation));
        }
    }
    return document;
}

Json intervalPartsDocument(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors) {
    Json document = Json::object();
    if (run) {
        for (const ShownInterval& one : intervalsOf(*run, tells, errors)) {
            document[one.name] = one.kernels
                                     ? partsDocument(endsOf(one.ofRuns), one.ofRuns.value, *one.kernels)
                                     : Json{{"runs", endsOf(one.ofRuns)},
                                            {"kernel_times", nullptr},
                                            {"of", wordsOf(KernelError())}};
        }
    }
    return document;
}

std::string runText(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors) {
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
    const double kernels = (tells ? errors.clock : errors.timeVsFp16).deviation;
    if (kernels > 0) {
        text +=
            fmt::format("{}With the error of the kernel times: {} \u00b1 {}.", text.empty() ? "" : " ",
                        tells ? "output tokens a second" : "time vs fp16",
                        off(withKernelError(tells ? run->throughputTokensPerS : run->timeVsFp16, kernels)));
    }
    return text + fmt::format("{}Measured: {} steps of each run after {} of warm-up{}.\n",
                              text.empty() ? "" : " ", formatExact(run->plan.measuredSteps),
                              formatExact(run->plan.warmUpSteps),
                              run->plan.parts > 1 ? fmt::format(", in {} parts", run->plan.parts) : "");
}

} // namespace loadline::app
