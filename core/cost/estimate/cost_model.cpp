// What a cost table answers once it is made.
#include "core/cost/estimate/cost_model.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace loadline {
namespace {

constexpr double ninetyPercentZ = 1.645; // a 90 % interval is +- this many standard deviations

/// SplitMix64 (Steele, Lea, Flood 2014): one well-mixed number per counter value.
std::uint64_t mixed(std::uint64_t counter) {
    std::uint64_t z = counter + 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

/// Uniform in (0, 1).
double uniform(std::uint64_t counter) {
    return (static_cast<double>(mixed(counter) >> 11U) + 0.5) * 0x1p-53;
}

/// Box-Muller.
double normal(std::uint64_t key) {
    const double radius = std::sqrt(-2 * std::log(uniform(2 * key)));
    return radius * std::cos(2 * std::numbers::pi * uniform(2 * key + 1));
}

/// Bars of parts that err apart add in squares; modelled parts of one kernel share a model and err together.
struct ErrorSum {
    double squares = 0;
    double totalUs = 0;
    std::array<double, kernelCount> together{};

    void add(Kernel kernel, double us, double error, bool modelled) {
        totalUs += us;
        if (modelled) {
            together.at(static_cast<std::size_t>(kernel)) += us * error;
        } else {
            squares += us * error * us * error;
        }
    }

    [[nodiscard]] double relative() const {
        double sum = squares;
        for (const double one : together) {
            sum += one * one;
        }
        return totalUs > 0 ? std::sqrt(sum) / totalUs : 0;
    }
};

} // namespace

std::span<const CostTable::Row> CostTable::rowsAt(std::int64_t m) const {
    const std::size_t gemms = setup_.model.gemms.size();
    const auto row = static_cast<std::size_t>(std::clamp<std::int64_t>(m, 1, maxRows()) - 1);
    return std::span(rows_).subspan(row * gemms, gemms);
}

double CostTable::kernelUs(std::int64_t m, Kernel kernel) const {
    if (m < 1) {
        return 0;
    }
    double sum = 0;
    for (const Row& row : rowsAt(m)) {
        for (std::size_t i = 0; row.serving == kernel && i < row.parts; ++i) {
            sum += row.quantised[i].us;
        }
    }
    return m <= maxRows() ? sum : sum * (static_cast<double>(m) / static_cast<double>(maxRows()));
}

double CostTable::relativeError(std::int64_t m) const {
    ErrorSum sum;
    for (const Row& row : rowsAt(m)) {
        for (std::size_t i = 0; i < row.parts; ++i) {
            const Cell& cell = row.quantised[i];
            sum.add(cell.kernel, cell.us, cell.error, cell.kind == EstimateKind::Modelled);
        }
    }
    return sum.relative();
}

double CostTable::fp16RelativeError(std::int64_t m) const {
    ErrorSum sum;
    for (const Row& row : rowsAt(m)) {
        sum.add(row.fp16.kernel, row.fp16.us, row.fp16.error, row.fp16.kind == EstimateKind::Modelled);
    }
    return sum.relative();
}

double CostTable::modelledShare(std::int64_t m) const {
    double modelled = 0;
    double total = 0;
    for (const Row& row : rowsAt(m)) {
        for (std::size_t i = 0; i < row.parts; ++i) {
            total += row.quantised[i].us;
            modelled += row.quantised[i].origin == PointOrigin::Modelled ? row.quantised[i].us : 0;
        }
    }
    return total > 0 ? modelled / total : 0;
}

double CostTable::fp16ModelledShare(std::int64_t m) const {
    double modelled = 0;
    double total = 0;
    for (const Row& row : rowsAt(m)) {
        total += row.fp16.us;
        modelled += row.fp16.origin == PointOrigin::Modelled ? row.fp16.us : 0;
    }
    return total > 0 ? modelled / total : 0;
}

std::vector<GemmService> CostTable::services(std::int64_t m) const {
    std::vector<GemmService> services;
    for (const Row& row : rowsAt(m)) {
        GemmService service{.kernel = row.serving, .parts = {}, .partCount = row.parts};
        for (std::size_t i = 0; i < row.parts; ++i) {
            const Cell& cell = row.quantised[i];
            service.parts[i] = {
                .kernel = cell.kernel,
                .estimate = {
                    .us = cell.us, .relativeError = cell.error, .kind = cell.kind, .origin = cell.origin}};
            service.us += cell.us;
        }
        services.push_back(service);
    }
    return services;
}

CostTable CostTable::drawn(std::uint64_t seed) const {
    CostTable table = *this;
    const std::size_t gemms = setup_.model.gemms.size();
    std::vector<double> z((gemms + 1) * kernelCount); // the last row: what is modelled
    for (std::size_t i = 0; i < z.size(); ++i) {
        z[i] = normal(mixed(seed) + i);
    }
    const auto move = [&](Cell& cell, std::size_t gemm) {
        const std::size_t row = cell.kind == EstimateKind::Modelled ? gemms : gemm;
        const double one = z[row * kernelCount + static_cast<std::size_t>(cell.kernel)];
        cell.us = static_cast<float>(cell.us * std::exp(one * cell.error / ninetyPercentZ));
    };
    for (std::size_t i = 0; i < table.rows_.size(); ++i) {
        Row& row = table.rows_[i];
        for (std::size_t part = 0; part < row.parts; ++part) {
            move(row.quantised[part], i % gemms);
        }
        move(row.fp16, i % gemms);
    }
    table.sum();
    return table;
}

void CostTable::sum() {
    const std::size_t gemms = setup_.model.gemms.size();
    const std::size_t steps = rows_.size() / gemms;
    us_.assign(steps + 1, 0.0);
    fp16Us_.assign(steps + 1, 0.0);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        for (std::size_t part = 0; part < row.parts; ++part) {
            us_[i / gemms + 1] += row.quantised[part].us;
        }
        fp16Us_[i / gemms + 1] += row.fp16.us;
    }
}

} // namespace loadline
