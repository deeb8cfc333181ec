// The cost tables of several k, made once for many settings.
#include "core/simulate/run/cost_tables.h"

#include "core/simulate/policy/policies.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t leastTableM = 1024;
constexpr std::int64_t mostTableM = 16'384; // beyond, cuBLAS goes at constant FLOP/s: in proportion to M

} // namespace

GemmRates::GemmRates(CostTable table) : table_(std::move(table)) {
    const std::int64_t rows = table_.maxRows();
    for (const Kernel kernel : allKernels) {
        std::vector<double> us(static_cast<std::size_t>(rows) + 1);
        bool occurs = false;
        for (std::int64_t m = 1; m <= rows; ++m) {
            us[static_cast<std::size_t>(m)] = table_.kernelUs(m, kernel);
            occurs = occurs || us[static_cast<std::size_t>(m)] > 0;
        }
        if (occurs) {
            kernels_.push_back(kernel);
            kernelUs_.push_back(std::move(us));
        }
    }
    std::vector<double> us(static_cast<std::size_t>(rows) + 1);
    std::vector<double> fp16Us = us;
    bool occurs = false;
    for (std::int64_t m = 1; m <= rows; ++m) {
        const auto at = static_cast<std::size_t>(m);
        us[at] = table_.us(m) * table_.modelledShare(m);
        fp16Us[at] = table_.fp16Us(m) * table_.fp16ModelledShare(m);
        occurs = occurs || us[at] > 0 || fp16Us[at] > 0;
    }
    if (occurs) {
        modelledUs_ = std::move(us);
        modelledFp16Us_ = std::move(fp16Us);
    }
}

GemmTime GemmRates::timeOf(std::span<const RowsCount> counts) const {
    GemmTime time;
    const std::int64_t last = table_.maxRows();
    const std::span<const double> us = table_.usByRows();
    const std::span<const double> fp16Us = table_.fp16UsByRows();
    for (const RowsCount& count : counts) {
        const auto [row, steps] = StepsAt(count, last);
        time.us += steps * us[row];
        time.fp16Us += steps * fp16Us[row];
        for (std::size_t i = 0; i < kernels_.size(); ++i) {
            time.kernelUs[static_cast<std::size_t>(kernels_[i])] += steps * kernelUs_[i][row];
        }
        if (!modelledUs_.empty()) {
            time.modelledUs += steps * modelledUs_[row];
            time.modelledFp16Us += steps * modelledFp16Us_[row];
        }
    }
    return time;
}

bool CostTables::fits(const SimulationInputs& inputs, std::int64_t rows) const {
    const CostSetup& wanted = inputs.cost;
    const bool sameProfile =
        profile_ == inputs.profile || (profile_ && inputs.profile && *profile_ == *inputs.profile);
    return sameProfile && hardware_ == inputs.hardware && modelMissing_ == inputs.modelMissing &&
           setup_.model == wanted.model && setup_.rule == wanted.rule &&
           setup_.timeScale == wanted.timeScale && setup_.maxRows >= rows;
}

Result<std::shared_ptr<const CostTables>> CostTables::make(const SimulationInputs& inputs,
                                                           const std::vector<int>& kBits, std::int64_t rows) {
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
    }
    const bool complete = std::all_of(kBits.begin(), kBits.end(), [&](int k) { return tables->has(k); });
    if (complete) {
        return std::shared_ptr<const CostTables>(tables);
    }
    const KernelTimes times =
        inputs.profile
            ? KernelTimes(*inputs.profile, inputs.hardware,
                          {.absmax = AbsmaxFormat::E4M4, .modelMissingKernels = inputs.modelMissing})
            : KernelTimes::rooflineOnly(*inputs.hardware);
    for (const int k : kBits) {
        if (tables->has(k)) {
            continue;
        }
        CostSetup setup = tables->setup_;
        setup.kBits = k;
        auto table = makeCostTable(times, setup);
        if (!table) {
            return table.error();
        }
        tables->byK_[k] = std::make_shared<const GemmRates>(std::move(*table));
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
