// The cost tables of several formats, made once for many settings.
#include "core/simulate/run/cost_tables.h"

#include "core/simulate/policy/policies.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t leastTableM = 1024;
constexpr std::int64_t mostTableM = 16'384; // beyond, cuBLAS goes at constant FLOP/s: in proportion to M

/// The rows of one part of a forward alone.
ForwardRows onlyOf(bool head, std::int64_t rows) {
    return head ? ForwardRows(0, rows) : ForwardRows(rows, 0);
}

Tokens largestGraphOf(const SimulationInputs& inputs) {
    return engineSettingsOf(inputs.policy, Storage::Fp16).cudagraphMax;
}

} // namespace

GemmRates::GemmRates(CostTable table) : table_(std::move(table)) {
    const std::int64_t rows = table_.maxRows();
    const auto count = static_cast<std::size_t>(rows) + 1;
    const std::vector<bool> parts = table_.hasHead() ? std::vector{false, true} : std::vector{false};
    for (const Kernel kernel : allKernels) {
        std::vector<std::vector<double>> us(parts.size(), std::vector<double>(count));
        bool occurs = false;
        for (std::size_t part = 0; part < parts.size(); ++part) {
            for (std::int64_t m = 1; m <= rows; ++m) {
                double& one = us[part][static_cast<std::size_t>(m)];
                one = table_.kernelUs(onlyOf(parts[part], m), kernel);
                occurs = occurs || one > 0;
            }
        }
        if (occurs) {
            kernels_.push_back(kernel);
            layers_.kernelUs.push_back(std::move(us.front()));
            if (table_.hasHead()) {
                head_.kernelUs.push_back(std::move(us.back()));
            }
        }
    }
    for (const bool head : parts) {
        std::vector<double> us(count);
        std::vector<double> fp16Us(count);
        bool occurs = false;
        for (std::int64_t m = 1; m <= rows; ++m) {
            const auto at = static_cast<std::size_t>(m);
            const ForwardRows part = onlyOf(head, m);
            us[at] = table_.us(part) * table_.modelledShare(part);
            fp16Us[at] = table_.fp16Us(part) * table_.fp16ModelledShare(part);
            occurs = occurs || us[at] > 0 || fp16Us[at] > 0;
        }
        if (occurs) {
            Rates& rates = head ? head_ : layers_;
            rates.modelledUs = std::move(us);
            rates.modelledFp16Us = std::move(fp16Us);
        }
    }
}

[[gnu::always_inline]] inline void GemmRates::Rates::add(GemmTime& time, std::size_t row, double steps,
                                                         const std::vector<Kernel>& kernels) const {
    for (std::size_t i = 0; i < kernelUs.size(); ++i) {
        time.kernelUs[static_cast<std::size_t>(kernels[i])] += steps * kernelUs[i][row];
    }
    if (!modelledUs.empty()) {
        time.modelledUs += steps * modelledUs[row];
        time.modelledFp16Us += steps * modelledFp16Us[row];
    }
}

template <bool withHead>
GemmTime GemmRates::sumOf(std::span<const RowsCount> counts) const {
    GemmTime time;
    const std::int64_t last = table_.maxRows();
    const TimesByRows& us = table_.usByRows();
    const TimesByRows& fp16Us = table_.fp16UsByRows();
    for (const RowsCount& count : counts) {
        const auto [row, steps, headSteps] = StepsAt(count, last);
        time.us += steps * us.layersUs[row];
        time.fp16Us += steps * fp16Us.layersUs[row];
        layers_.add(time, row, steps, kernels_);
        if constexpr (withHead) {
            if (headSteps > 0) {
                time.us += headSteps * us.headUs[row];
                time.fp16Us += headSteps * fp16Us.headUs[row];
                head_.add(time, row, headSteps, kernels_);
            }
        }
    }
    return time;
}

GemmTime GemmRates::timeOf(std::span<const RowsCount> counts) const {
    return table_.hasHead() ? sumOf<true>(counts) : sumOf<false>(counts);
}

bool CostTables::fits(const SimulationInputs& inputs, std::int64_t rows) const {
    const CostSetup& wanted = inputs.cost;
    const bool sameProfile =
        profile_ == inputs.profile || (profile_ && inputs.profile && *profile_ == *inputs.profile);
    return sameProfile && hardware_ == inputs.hardware && modelMissing_ == inputs.modelMissing &&
           setup_.model == wanted.model && setup_.rule == wanted.rule &&
           setup_.timeScale == wanted.timeScale && setup_.maxRows >= rows && engine_ == inputs.engine &&
           (!engine_.surfaces || (isWholeStep_ == (inputs.scope == StepScope::WholeStep) &&
                                  largestGraph_ == largestGraphOf(inputs)));
}

Result<std::shared_ptr<const CostTables>>
CostTables::make(const SimulationInputs& inputs, const std::vector<Format>& formats, std::int64_t rows) {
    if (auto problem = inputs.engine.surfaces ? std::nullopt
                                              : problemOf(inputs.engine, inputs.policy, inputs.cost.format)) {
        return *problem;
    }
    if (!inputs.profile && inputs.hardware == nullptr) {
        return Error{"there are no kernel times", "", "choose a profile, or a roofline of known hardware"};
    }
    auto tables = std::make_shared<CostTables>();
    if (inputs.tables && inputs.tables->fits(inputs, rows)) {
        *tables = *inputs.tables;
    } else {
        tables->profile_ = inputs.profile;
        tables->hardware_ = inputs.hardware;
        tables->modelMissing_ = inputs.modelMissing;
        tables->setup_ = inputs.cost;
        tables->setup_.maxRows = rows;
        tables->engine_ = inputs.engine;
        tables->largestGraph_ = largestGraphOf(inputs);
        tables->isWholeStep_ = inputs.scope == StepScope::WholeStep;
    }
    const bool complete = std::ranges::all_of(formats, [&](const Format& one) { return tables->has(one); });
    if (complete) {
        return std::shared_ptr<const CostTables>(tables);
    }
    const KernelTimes times =
        inputs.profile
            ? KernelTimes(*inputs.profile, inputs.hardware,
                          {.absmax = AbsmaxFormat::E4M4, .modelMissingKernels = inputs.modelMissing})
            : KernelTimes::rooflineOnly(*inputs.hardware);
    const bool hasEngine = inputs.engine.surfaces != nullptr;
    const auto fp16 = hasEngine ? servedStepOf(inputs.engine, inputs.policy, fp16Format)
                                : Result(std::shared_ptr<const ServedStep>());
    for (const Format& format : formats) {
        if (tables->has(format)) {
            continue;
        }
        CostSetup setup = tables->setup_;
        setup.format = format;
        const auto own = hasEngine ? servedStepOf(inputs.engine, inputs.policy, format) : fp16;
        if (!own) {
            return own.error();
        }
        auto table = makeCostTable(
            times, setup,
            {.own = own->get(), .fp16 = fp16 ? fp16->get() : nullptr, .isWholeStep = tables->isWholeStep_});
        if (!table) {
            return table.error();
        }
        tables->byFormat_[format] = std::make_shared<const GemmRates>(std::move(*table));
    }
    return std::shared_ptr<const CostTables>(tables);
}

std::int64_t rowsReached(const PolicySetup& policy, std::int64_t users, Tokens chunk) {
    const std::int64_t rows =
        withPolicy(policy.policy, [&]<typename P>(P) { return P::rowsReached(policy, users, chunk); });
    const auto rounded =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max(rows, leastTableM))));
    return std::min(rounded, mostTableM);
}

} // namespace loadline
