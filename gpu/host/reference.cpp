#include "gpu/host/reference.h"

#include "core/base/parallel_for.h"
#include "gpu/format/codebook.h"
#include "gpu/host/half.h"

#include <cmath>
#include <limits>

namespace loadline::gpu {
namespace {

/// weight(row, k) in double.
template <typename Weight>
std::vector<double> product(std::int64_t k, std::int64_t n, std::span<const float> x, std::int64_t rowsM,
                            std::span<const std::int64_t> rows, Weight weight) {
    const std::size_t columns = rows.empty() ? static_cast<std::size_t>(n) : rows.size();
    std::vector<double> y(static_cast<std::size_t>(rowsM) * columns);
    parallelFor(columns, 0, {}, [&](std::size_t column, unsigned) {
        const std::int64_t row = rows.empty() ? static_cast<std::int64_t>(column) : rows[column];
        std::vector<double> weights(static_cast<std::size_t>(k));
        for (std::int64_t at = 0; at < k; ++at) {
            weights[static_cast<std::size_t>(at)] = weight(row, at);
        }
        for (std::int64_t m = 0; m < rowsM; ++m) {
            double sum = 0;
            for (std::int64_t at = 0; at < k; ++at) {
                sum += weights[static_cast<std::size_t>(at)] * x[static_cast<std::size_t>(m * k + at)];
            }
            y[static_cast<std::size_t>(m) * columns + column] = sum;
        }
    });
    return y;
}

double weightAt(const QuantisedWeights& weights, std::int64_t row, std::int64_t k) {
    const auto at = static_cast<std::size_t>(row * weights.shape.k + k);
    return static_cast<double>(codebookOf(weights.shape.bits)[weights.codes[at]]) *
           weights.absmax[at / blockWeights];
}

} // namespace

std::vector<double> referenceProduct(const QuantisedWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows) {
    return product(weights.shape.k, weights.shape.n, x, rowsM, rows,
                   [&](std::int64_t row, std::int64_t k) { return weightAt(weights, row, k); });
}

std::vector<double> referenceProduct(const DenseWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows) {
    return product(weights.k, weights.n, x, rowsM, rows, [&](std::int64_t row, std::int64_t k) {
        const auto at = static_cast<std::size_t>(row * weights.k + k);
        return static_cast<double>(weights.fp32.empty() ? floatOfHalf(weights.fp16[at]) : weights.fp32[at]);
    });
}

std::vector<double> referenceWeights(const QuantisedWeights& weights) {
    std::vector<double> result;
    result.reserve(weights.codes.size());
    for (std::int64_t row = 0; row < weights.shape.n; ++row) {
        for (std::int64_t k = 0; k < weights.shape.k; ++k) {
            result.push_back(weightAt(weights, row, k));
        }
    }
    return result;
}

double relativeError(std::span<const float> values, std::span<const double> reference) {
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < reference.size(); ++i) {
        if (!std::isfinite(values[i])) {
            return std::numeric_limits<double>::infinity();
        }
        const double d = values[i] - reference[i];
        difference += d * d;
        norm += reference[i] * reference[i];
    }
    return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

} // namespace loadline::gpu
