// How runs that last until they are settled ended.
#include "core/simulate/report/report_parts.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline::ask {
namespace {

std::vector<NamedInterval> intervalsOfRun(const RunReport& run, bool tells, const IntervalErrors& errors) {
    std::vector<NamedInterval> list;
    const auto add = [&list](const std::string& name, const Banded& ofRuns, const KernelError& error) {
        list.push_back(namedInterval(name, endsOf(withKernelError(ofRuns, error.deviation)), endsOf(ofRuns),
                                     ofRuns.value, error));
    };
    const auto addLatency = [&](const std::string& name, const LatencyIntervals& latency) {
        for (const auto& [key, of] :
             {std::pair(".mean", &LatencyIntervals::mean), std::pair(".p50", &LatencyIntervals::p50),
              std::pair(".p90", &LatencyIntervals::p90), std::pair(".p99", &LatencyIntervals::p99)}) {
            add(name + key, latency.*of, {});
            list.back().withoutError.reset();
        }
    };
    add("time_vs_fp16", run.timeVsFp16, errors.timeVsFp16);
    if (tells) {
        add("throughput_tokens_per_s", run.throughputTokensPerS, errors.clock);
        add("turns_per_s", run.turnsPerS, errors.clock);
    }
    if (tells && run.turnsFinished > 0) {
        addLatency("ttft_s", run.ttftS);
        addLatency("tpot_s", run.tpotS);
        addLatency("e2e_s", run.e2eS);
    }
    return list;
}

} // namespace

void addRun(Report& report, const std::string& path, const std::optional<RunReport>& run, bool tells,
            const IntervalErrors& errors) {
    if (!run) {
        report.add(path + "run", Cell());
    } else {
        const Below below(report, path + "run");
        below.add("settled", run->settled);
        below.add("warm_up_s", run->warmUpS);
        below.add("measured_s", run->measuredS);
        below.add("turns_started", run->turnsStarted);
        below.add("turns_finished", run->turnsFinished);
        below.add("turns_in_flight", run->turnsInFlight);
        below.add("bound", only(run->bound != RunBound::None, keyOf(run->bound)));
        below.add("little", only(run->turnsFinished > 0, run->little));
        below.add("in_system", run->inSystem);
        below.add("drifts", run->drifts);
        below.add("steps", run->steps);
        below.add("warm_up_steps", run->plan.warmUpSteps);
        below.add("measured_steps", run->plan.measuredSteps);
        below.add("parts", run->plan.parts);
    }
    const std::vector<NamedInterval> intervals =
        run ? intervalsOfRun(*run, tells, errors) : std::vector<NamedInterval>();
    addIntervals(report, path + "interval", intervals);
    addParts(report, path + "interval_parts", intervals);
}

std::string runText(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors) {
    if (!run) {
        return {};
    }
    const auto off = [](const Banded& figure) {
        return formatShare(figure.value > 0 ? (figure.high - figure.low) / 2 / figure.value : 0);
    };
    std::string text = unsettledSentenceOf(run, tells);
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
    return text + fmt::format("{}Measured: {} steps of each run after {} of warm-up{}.",
                              text.empty() ? "" : " ", formatExact(run->plan.measuredSteps),
                              formatExact(run->plan.warmUpSteps),
                              run->plan.parts > 1 ? fmt::format(", in {} parts", run->plan.parts) : "");
}

} // namespace loadline::ask
