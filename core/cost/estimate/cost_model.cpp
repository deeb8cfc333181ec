// Answers questions from a cost table.
#include "core/cost/estimate/cost_model.h"

#include "core/cost/kernel/time_limits.h"

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

/// Normal numbers by row and kernel. Those of the engine's kernels stand behind all others, which so stay
/// what they were before there were any.
class NormalDraws {
public:
    NormalDraws(std::uint64_t seed, std::size_t rows) : rows_(rows), z_(rows * kernelCount) {
        for (std::size_t i = 0; i < z_.size(); ++i) {
            z_[i] = normal(mixed(seed) + i);
        }
    }

    [[nodiscard]] double at(std::size_t row, Kernel kernel) const {
        const auto place = static_cast<std::size_t>(kernel);
        constexpr std::size_t behind = kernelCount - profiledKernelCount;
        return place < profiledKernelCount
                   ? z_[row * profiledKernelCount + place]
                   : z_[rows_ * profiledKernelCount + row * behind + place - profiledKernelCount];
    }

private:
    std::size_t rows_;
    std::vector<double> z_;
};

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

const CostTable::Row& CostTable::rowAt(std::int64_t rows, std::size_t column) const {
    const auto place = static_cast<std::size_t>(std::clamp<std::int64_t>(rows, 1, maxRows()) - 1);
    return rows_[place * ofHead_.size() + column];
}

/// use(row, scale) of each column that has rows; scale: beyond the table, in proportion to them.
template <typename Use>
void CostTable::eachRow(ForwardRows rows, const Use& use) const {
    for (std::size_t column = 0; column < ofHead_.size(); ++column) {
        const std::int64_t its = ofHead_[column] ? rows.head : rows.m;
        if (its > 0) {
            use(rowAt(its, column),
                its <= maxRows() ? 1.0 : static_cast<double>(its) / static_cast<double>(maxRows()));
        }
    }
}

double CostTable::kernelUs(ForwardRows rows, Kernel kernel) const {
    double sum = 0;
    eachRow(rows, [&](const Row& row, double scale) {
        for (std::size_t i = 0; row.serving == kernel && i < row.parts; ++i) {
            sum += scale * row.quantised[i].us;
        }
    });
    return sum;
}

double CostTable::relativeError(ForwardRows rows) const {
    ErrorSum sum;
    eachRow(rows, [&](const Row& row, double scale) {
        for (std::size_t i = 0; i < row.parts; ++i) {
            const Cell& cell = row.quantised[i];
            sum.add(cell.kernel, scale * cell.us, cell.error, cell.kind == EstimateKind::Modelled);
        }
    });
    return sum.relative();
}

double CostTable::fp16RelativeError(ForwardRows rows) const {
    ErrorSum sum;
    eachRow(rows, [&](const Row& row, double scale) {
        sum.add(row.fp16.kernel, scale * row.fp16.us, row.fp16.error,
                row.fp16.kind == EstimateKind::Modelled);
    });
    return sum.relative();
}

double CostTable::modelledShare(ForwardRows rows) const {
    double modelled = 0;
    double total = 0;
    eachRow(rows, [&](const Row& row, double scale) {
        for (std::size_t i = 0; i < row.parts; ++i) {
            const double us = scale * row.quantised[i].us;
            total += us;
            modelled += row.quantised[i].origin == PointOrigin::Modelled ? us : 0;
        }
    });
    return total > 0 ? modelled / total : 0;
}

double CostTable::fp16ModelledShare(ForwardRows rows) const {
    double modelled = 0;
    double total = 0;
    eachRow(rows, [&](const Row& row, double scale) {
        const double us = scale * row.fp16.us;
        total += us;
        modelled += row.fp16.origin == PointOrigin::Modelled ? us : 0;
    });
    return total > 0 ? modelled / total : 0;
}

double CostTable::usWithoutBar(ForwardRows rows) const {
    double us = 0;
    eachRow(rows, [&](const Row& row, double scale) {
        for (std::size_t i = 0; i < row.parts; ++i) {
            us += row.quantised[i].error > 0 || row.factorError > 0 ? 0 : scale * row.quantised[i].us;
        }
    });
    return us;
}

double CostTable::fp16UsWithoutBar(ForwardRows rows) const {
    double us = 0;
    eachRow(rows, [&](const Row& row, double scale) { us += row.fp16.error > 0 ? 0 : scale * row.fp16.us; });
    return us;
}

bool CostTable::hasErrorBars() const {
    return std::ranges::any_of(rows_, [](const Row& row) {
        return row.factorError > 0 || row.fp16.error > 0 || row.quantised[0].error > 0 ||
               (row.parts > 1 && row.quantised[1].error > 0);
    });
}

std::vector<GemmService> CostTable::services(ForwardRows rows) const {
    std::vector<GemmService> services;
    for (std::size_t g = 0; g < setup_.model.gemms.size(); ++g) {
        const std::int64_t ofGemm = setup_.model.gemms[g].isHead() ? rows.head : rows.m;
        const Row& row = rowAt(ofGemm, g);
        GemmService service{.kernel = row.serving, .parts = {}};
        for (std::size_t i = 0; ofGemm > 0 && i < row.parts; ++i) {
            const Cell& cell = row.quantised[i];
            service.parts[i] = {
                .kernel = cell.kernel,
                .estimate = {
                    .us = cell.us, .relativeError = cell.error, .kind = cell.kind, .origin = cell.origin}};
            service.us += cell.us;
            ++service.partCount;
        }
        services.push_back(service);
    }
    return services;
}

CostTable CostTable::drawn(std::uint64_t seed) const {
    CostTable table = *this;
    const std::size_t columns = ofHead_.size();
    const NormalDraws z(seed, columns + 1); // the last row: what is modelled
    const auto move = [&](Cell& cell, std::size_t column, double ownShare, double factor) {
        if (!(cell.us > 0)) {
            return;
        }
        const double one = z.at(cell.kind == EstimateKind::Modelled ? columns : column, cell.kernel);
        const double us = cell.us * factor * std::exp(one * cell.error * ownShare / ninetyPercentZ);
        cell.us = static_cast<float>(std::clamp(us, leastTimeUs, mostTimeUs));
    };
    for (std::size_t i = 0; i < table.rows_.size(); ++i) {
        Row& row = table.rows_[i];
        // How a pair differs from its parts is known as well as that pair was timed: fp16's own time moves
        // without it.
        const double pair = z.at(i % columns, row.serving);
        const double factor = std::exp(pair * row.factorError / ninetyPercentZ);
        for (std::size_t part = 0; part < row.parts; ++part) {
            move(row.quantised[part], i % columns, row.ownShare, factor);
        }
        move(row.fp16, i % columns, 1, 1);
    }
    table.sum();
    return table;
}

void CostTable::sum() {
    const std::size_t columns = ofHead_.size();
    const std::size_t steps = rows_.size() / columns;
    const bool hasHead = std::ranges::find(ofHead_, true) != ofHead_.end();
    for (TimesByRows* times : {&kBit_, &fp16_}) {
        times->layersUs.assign(steps + 1, 0.0);
        times->headUs.assign(hasHead ? steps + 1 : 0, 0.0);
    }
    for (std::size_t column = 0; column < columns; ++column) {
        std::vector<double>& kBitUs = ofHead_[column] ? kBit_.headUs : kBit_.layersUs;
        std::vector<double>& fp16Us = ofHead_[column] ? fp16_.headUs : fp16_.layersUs;
        for (std::size_t step = 0; step < steps; ++step) {
            const Row& row = rows_[step * columns + column];
            for (std::size_t part = 0; part < row.parts; ++part) {
                kBitUs[step + 1] += row.quantised[part].us;
            }
            fp16Us[step + 1] += row.fp16.us;
        }
    }
}

} // namespace loadline
