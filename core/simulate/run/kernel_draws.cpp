// Draws of kernel times, and the intervals that follow from them.
#include "core/simulate/run/kernel_draws.h"

#include "core/base/parallel_for.h"
#include "core/base/random.h"
#include "core/base/statistics.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

double sumOver(std::span<const RowsCount> counts, const TimesByRows& times) {
    double us = 0;
    const auto last = static_cast<std::int64_t>(times.layersUs.size()) - 1;
    for (const RowsCount& count : counts) {
        const auto [row, steps, headSteps] = StepsAt(count, last);
        us += steps * times.layersUs[row];
        if (headSteps > 0 && !times.headUs.empty()) {
            us += headSteps * times.headUs[row];
        }
    }
    return us;
}

/// The time of these steps without an error bar; `at`: of one step.
double usWithoutBar(std::span<const RowsCount> counts, const CostTable& table,
                    double (CostTable::*at)(ForwardRows) const) {
    double us = 0;
    for (const RowsCount& count : counts) {
        us += static_cast<double>(count.steps) * (table.*at)({count.rows, 0});
        us += count.headSteps > 0 ? static_cast<double>(count.headSteps) * (table.*at)({0, count.rows}) : 0;
    }
    return us;
}

double deviationOf(const std::vector<double>& logarithms) {
    return spreadOf(logarithms).sd;
}

} // namespace

RowTimes::RowTimes(const CostTable& table, const CostTable* other)
    : kBit(table.usByRows()), fp16(other == nullptr ? table.fp16UsByRows() : other->usByRows()) {}

GemmTime RowTimes::of(const ReplicaRows& rows) const {
    GemmTime time;
    time.us = sumOver(rows.counts, kBit);
    time.fp16Us = sumOver(rows.isPaired() ? rows.otherCounts : rows.counts, fp16);
    return time;
}

std::vector<RowTimes> drawnTimes(const CostTable& table, const CostTable* other, std::size_t count,
                                 std::uint64_t seed, unsigned threads, const std::stop_token& stop) {
    std::vector<std::optional<RowTimes>> drawn(count);
    parallelFor(count, threads == 0 ? defaultThreads() : threads, stop, [&](std::size_t index, unsigned) {
        const std::uint64_t own = seedOf(seed, index);
        const auto against = other != nullptr ? std::optional(other->drawn(own)) : std::nullopt;
        drawn[index].emplace(table.drawn(own), against ? &*against : nullptr);
    });
    std::vector<RowTimes> result;
    for (auto& one : drawn) {
        if (one) {
            result.push_back(std::move(*one));
        }
    }
    return result;
}

Banded kernelBand(double value, double deviation, double z) {
    return {value, value * std::exp(-z * deviation), value * std::exp(z * deviation)};
}

Banded withKernelError(const Banded& runs, double deviation, double z) {
    if (!(deviation > 0) || !(runs.value > 0)) {
        return runs;
    }
    const auto end = [&](double edge, double sign) {
        const double chance = edge > 0 ? std::log(edge / runs.value) : 0;
        return runs.value * std::exp(sign * std::hypot(chance, z * deviation));
    };
    return {runs.value, runs.low > 0 ? std::min(runs.low, end(runs.low, -1)) : runs.low,
            std::isfinite(runs.high) ? std::max(runs.high, end(runs.high, 1)) : runs.high};
}

std::string wordsOf(const KernelError& error) {
    if (error.atGivenRate) {
        return "chance in the runs alone: turns are served as fast as they come";
    }
    if (!(error.deviation > 0)) {
        return error.withoutBar > 0 ? "chance in the runs alone: the kernel times come without an error bar"
                                    : "chance in the runs alone, with the kernel times as they are";
    }
    std::string text = "chance in the runs and the error of the kernel times";
    if (error.withoutBar > 0) {
        text += fmt::format("; {} of the GEMM time is modelled, without the model's own error",
                            formatShare(error.withoutBar));
    }
    return text;
}

KernelDraws::KernelDraws(std::shared_ptr<const CostTables> tables, std::vector<Format> formats,
                         const std::optional<Format>& against, std::uint64_t seed, unsigned threads,
                         const std::stop_token& stop)
    : tables_(std::move(tables)), against_(against) {
    if (against) {
        formats.push_back(*against);
    }
    for (const Format& format : formats) {
        const CostTable& table = tables_->at(format).table();
        if (drawn_.count(format) == 0) {
            drawn_[format] = table.hasErrorBars()
                                 ? drawnTimes(table, nullptr, usualCount, seed, threads, stop)
                                 : std::vector<RowTimes>();
        }
    }
}

const std::vector<RowTimes>* KernelDraws::timesOf(const Format& format) const {
    const auto found = drawn_.find(format);
    return found == drawn_.end() ? nullptr : &found->second;
}

KernelError KernelDraws::errorOf(const Format& format, const ReplicaRows& rows) const {
    const std::vector<RowTimes>* const own = timesOf(format);
    const std::vector<RowTimes>* const other = rows.isPaired() && against_ ? timesOf(*against_) : own;
    if (own == nullptr || other == nullptr) {
        return {};
    }
    const std::vector<RowsCount>& otherCounts = rows.isPaired() ? rows.otherCounts : rows.counts;
    const auto fp16Side = rows.isPaired() ? &RowTimes::kBit : &RowTimes::fp16;
    const CostTable& table = tables_->at(format).table();
    const CostTable& otherTable = rows.isPaired() && against_ ? tables_->at(*against_).table() : table;
    const auto otherBar = rows.isPaired() ? &CostTable::usWithoutBar : &CostTable::fp16UsWithoutBar;
    const double usualUs = sumOver(rows.counts, table.usByRows());
    const double usualOther =
        sumOver(otherCounts, rows.isPaired() ? otherTable.usByRows() : otherTable.fp16UsByRows());
    KernelError error;
    if (usualUs + usualOther > 0) {
        error.withoutBar = (usWithoutBar(rows.counts, table, &CostTable::usWithoutBar) +
                            usWithoutBar(otherCounts, otherTable, otherBar)) /
                           (usualUs + usualOther);
    }
    // If one side has no error bar at all, its usual times stay beside the other's draws.
    std::vector<double> logarithms;
    for (std::size_t d = 0; d < std::max(own->size(), other->size()); ++d) {
        const GemmTime gemm{.us = d < own->size() ? sumOver(rows.counts, (*own)[d].kBit) : usualUs,
                            .fp16Us =
                                d < other->size() ? sumOver(otherCounts, (*other)[d].*fp16Side) : usualOther};
        if (const double ratio = rows.ratio(gemm); ratio > 0) {
            logarithms.push_back(std::log(ratio));
        }
    }
    error.deviation = deviationOf(logarithms);
    return error;
}

KernelError KernelDraws::clockErrorOf(const Format& format, const ReplicaRows& rows) const {
    KernelError error;
    const CostTable& table = tables_->at(format).table();
    if (const double usual = sumOver(rows.counts, table.usByRows()); usual > 0) {
        error.withoutBar = usWithoutBar(rows.counts, table, &CostTable::usWithoutBar) / usual;
    }
    std::vector<double> logarithms;
    if (const std::vector<RowTimes>* const own = timesOf(format)) {
        for (const RowTimes& times : *own) {
            if (const double us = sumOver(rows.counts, times.kBit) + rows.restUs; us > 0) {
                logarithms.push_back(std::log(us));
            }
        }
    }
    error.deviation = deviationOf(logarithms);
    return error;
}

} // namespace loadline
