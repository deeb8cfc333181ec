// What making one kernel faster would buy for this workload: Amdahl's question, answered by re-simulation.
#include "core/simulate/study/sensitivity.h"

#include "core/simulate/answer/remarks.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/simulate.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>

namespace loadline {
namespace {

constexpr std::array factors = {1.5, 2.0, std::numeric_limits<double>::infinity()};

constexpr std::int64_t fewestReplicas = 16; // one run alone says little about a crossing

struct Part {
    double us = 0;
    double modelledUs = 0;
};

/// Time of each timed kernel, over the counted steps.
std::map<Kernel, Part> partsOf(const std::vector<RowsCount>& counts, const CostTable& table) {
    std::map<Kernel, Part> parts;
    for (const RowsCount& count : counts) {
        const std::int64_t m = std::min<std::int64_t>(count.rows, table.maxRows());
        const double steps =
            static_cast<double>(count.steps) * (static_cast<double>(count.rows) / static_cast<double>(m));
        for (const GemmService& service : table.services(m)) {
            for (int i = 0; i < service.partCount; ++i) {
                const GemmPart& part = service.parts[static_cast<std::size_t>(i)];
                Part& sum = parts[part.kernel];
                sum.us += steps * part.estimate.us;
                if (part.estimate.kind == EstimateKind::Modelled ||
                    part.estimate.origin == PointOrigin::Modelled) {
                    sum.modelledUs += steps * part.estimate.us;
                }
            }
        }
    }
    return parts;
}

struct Outcome {
    std::optional<double> timeVsFp16;
    std::optional<double> crossing;
    bool fasterAtFirst = false;
};

/// The present setting and the curve over users, with some kernel's time scaled. A faster cuBLAS serves both
/// sides; where it is free, fp16 takes no time and there is no ratio.
Result<Outcome> outcomeOf(const SimulationInputs& inputs, const std::vector<std::int64_t>& users,
                          const std::stop_token& stop) {
    if (comparesWithNothing(inputs)) {
        return Outcome{};
    }
    SweepInputs all;
    all.base = inputs;
    all.users = users;
    const auto curve = sweep(all, stop);
    if (!curve) {
        return curve.error();
    }
    SweepInputs one;
    one.base = inputs;
    const auto present = sweep(one, stop);
    if (!present) {
        return present.error();
    }
    Outcome outcome;
    if (curve->points.empty() || present->points.empty()) {
        return outcome; // stopped
    }
    outcome.fasterAtFirst = curve->points.front().timeVsFp16.value < 1;
    outcome.timeVsFp16 = present->points.front().timeVsFp16.value;
    const std::vector<Crossover> crossovers = crossoversOf(*curve, inputs.scope);
    if (!crossovers.front().crossings.empty()) {
        outcome.crossing = crossovers.front().crossings.front().users;
    }
    return outcome;
}

std::string sentenceOf(const WhatPays& pays) {
    if (pays.kernels.empty()) {
        return "No step was simulated.";
    }
    const KernelPay* best = &pays.kernels.front();
    for (const KernelPay& pay : pays.kernels) {
        if (pay.improvements[1].speedUp > best->improvements[1].speedUp) {
            best = &pay;
        }
    }
    const Improvement& twice = best->improvements[1];
    std::string text = fmt::format(
        "At {} users {} pays most: it takes {} of the time; twice as fast, the step takes {} less",
        pays.users, nameOf(best->kernel, pays.naming), formatShare(best->share),
        formatShare(1 - 1 / twice.speedUp));
    if (twice.crossing && pays.crossing && std::lround(*twice.crossing) == std::lround(*pays.crossing)) {
        text += fmt::format(" and the crossover stays at {:.0f} users", *pays.crossing);
    } else if (twice.crossing && pays.crossing) {
        text += fmt::format(" and the crossover moves from {:.0f} to {:.0f} users", *pays.crossing,
                            *twice.crossing);
    } else if (pays.crossing) {
        text += fmt::format(" and the crossover at {:.0f} users is gone: {} wins everywhere", *pays.crossing,
                            twice.fasterAtFirst ? "k-bit" : "fp16");
    } else if (twice.crossing) {
        text += fmt::format(" and a crossover appears at {:.0f} users", *twice.crossing);
    }
    return text + ".";
}

} // namespace

Result<WhatPays> whatPays(const SimulationInputs& asked, const std::vector<std::int64_t>& users,
                          const std::stop_token& stop) {
    SimulationInputs inputs = asked;
    inputs.replicas = std::max(inputs.replicas, goesFast(inputs) ? fewestReplicas : 1);
    const auto replicas = simulate(inputs, 0, stop);
    if (!replicas) {
        return replicas.error();
    }
    const SimulationResult present = pooled(replicas->replicas);
    const int k = inputs.cost.kBits;
    const auto tables = CostTables::make(
        inputs, {k}, rowsReached(inputs.policy, inputs.arrivals.users, chunkOf(inputs.policy)));
    if (!tables) {
        return tables.error();
    }
    const auto counts = countsOf(present.rows);
    const double restUs = present.wholeUs - present.gemm.us;
    WhatPays pays;
    pays.users = inputs.arrivals.users;
    pays.kBits = k;
    pays.naming = namingOf(inputs.profile.get());
    pays.restShare = present.wholeUs > 0 ? std::max(0.0, restUs) / present.wholeUs : 0;
    const auto base = outcomeOf(inputs, users, stop);
    if (!base) {
        return base.error();
    }
    pays.timeVsFp16 = base->timeVsFp16.value_or(0);
    pays.crossing = base->crossing;
    for (const auto& [kernel, part] : partsOf(counts, (*tables)->at(k).table())) {
        if (stop.stop_requested() || part.us <= 0) {
            continue;
        }
        KernelPay pay;
        pay.kernel = kernel;
        pay.share = present.wholeUs > 0 ? part.us / present.wholeUs : 0;
        pay.modelledShare = part.modelledUs / part.us;
        for (const double factor : factors) {
            SimulationInputs faster = inputs;
            faster.cost.timeScale[static_cast<std::size_t>(kernel)] /= factor;
            faster.tables = nullptr;
            const auto outcome = outcomeOf(faster, users, stop);
            if (!outcome) {
                return outcome.error();
            }
            const auto scaled = CostTables::make(faster, {k}, (*tables)->at(k).table().maxRows());
            if (!scaled) {
                return scaled.error();
            }
            const double us = restUs + (*scaled)->at(k).timeOf(counts).us;
            pay.improvements.push_back(
                {factor, outcome->timeVsFp16,
                 us > 0 ? present.wholeUs / us : std::numeric_limits<double>::infinity(), outcome->crossing,
                 outcome->fasterAtFirst});
        }
        pays.kernels.push_back(std::move(pay));
    }
    std::sort(pays.kernels.begin(), pays.kernels.end(),
              [](const KernelPay& a, const KernelPay& b) { return a.share > b.share; });
    pays.memory = memoryFitOf(inputs);
    pays.sentence = withRemarks(sentenceOf(pays), inputs, pays.memory);
    return pays;
}

} // namespace loadline
