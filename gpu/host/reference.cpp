#include "gpu/host/reference.h"

#include "core/base/parallel_for.h"
#include "gpu/format/codebook.h"
#include "gpu/format/e4m4.h"
#include "gpu/format/lane_layout.h"
#include "gpu/host/kernel/half.h"

#include <algorithm>
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

std::vector<float> floatsOf(std::span<const std::uint16_t> halves) {
    std::vector<float> floats(halves.size());
    std::transform(halves.begin(), halves.end(), floats.begin(), floatOfHalf);
    return floats;
}

double weightAt(const QuantisedWeights& weights, std::int64_t row, std::int64_t k) {
    const auto at = static_cast<std::size_t>(row * weights.shape.k + k);
    return static_cast<double>(codebookOf(weights.shape.bits)[weights.codes[at]]) *
           weights.absmax[at / blockWeights];
}

/// A bit field of a word.
std::uint32_t bitsAt(const PackedView& weights, BitPlace place, int bits) {
    return weights.words[place.word] >> place.shift & ((1U << bits) - 1);
}

double weightAt(const PackedView& weights, std::int64_t row, std::int64_t k) {
    const KBitShape& shape = weights.shape;
    const std::uint32_t field = bitsAt(weights, laneField(shape, row, k), fieldBitsOf(shape.bits));
    const std::uint32_t sign =
        hasSigns(shape.bits) ? bitsAt(weights, laneSign(shape, row, k), 1) : std::uint32_t{0};
    const std::int64_t scale = laneAbsmax(shape, row, k / blockWeights);
    const float absmax =
        weights.absmaxBytes != nullptr ? decodeE4m4(weights.absmaxBytes[scale]) : weights.absmaxFloats[scale];
    return static_cast<double>(codebookOf(shape.bits)[laneCodeOf(shape.bits, field, sign)]) * absmax;
}

double weightAt(const DenseView& weights, std::int64_t row, std::int64_t k) {
    const std::int64_t at = row * weights.k + k;
    return static_cast<double>(weights.fp32 == nullptr ? floatOfHalf(weights.fp16[at]) : weights.fp32[at]);
}

} // namespace

std::vector<double> referenceProduct(const QuantisedWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows) {
    return product(weights.shape.k, weights.shape.n, x, rowsM, rows,
                   [&](std::int64_t row, std::int64_t k) { return weightAt(weights, row, k); });
}

std::vector<double> referenceProduct(const DenseWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows) {
    return referenceProduct(DenseView(&weights), x, rowsM, rows);
}

std::vector<double> referenceProduct(const PackedView& weights, std::span<const float> x, std::int64_t rowsM,
                                     std::span<const std::int64_t> rows) {
    return product(weights.shape.k, weights.shape.n, x, rowsM, rows,
                   [&](std::int64_t row, std::int64_t k) { return weightAt(weights, row, k); });
}

std::vector<double> referenceProduct(const DenseView& weights, std::span<const float> x, std::int64_t rowsM,
                                     std::span<const std::int64_t> rows) {
    return product(weights.k, weights.n, x, rowsM, rows,
                   [&](std::int64_t row, std::int64_t k) { return weightAt(weights, row, k); });
}

std::vector<double> referenceRow(const PackedView& weights, std::int64_t row) {
    std::vector<double> values;
    for (std::int64_t k = 0; k < weights.shape.k; ++k) {
        values.push_back(weightAt(weights, row, k));
    }
    return values;
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

std::vector<double> referenceAttention(const AttentionHeads& heads, std::int64_t queries,
                                       std::int64_t context, std::span<const float> q,
                                       std::span<const std::uint16_t> k, std::span<const std::uint16_t> v) {
    const auto headDim = static_cast<std::size_t>(heads.headDim);
    const auto qHeads = static_cast<std::size_t>(heads.qHeads);
    const auto kvHeads = static_cast<std::size_t>(heads.kvHeads);
    const double scale = 1 / std::sqrt(static_cast<double>(heads.headDim));
    const std::vector<float> keys = floatsOf(k);
    const std::vector<float> values = floatsOf(v);
    std::vector<double> out(q.size());
    parallelFor(static_cast<std::size_t>(queries) * qHeads, 0, {}, [&](std::size_t row, unsigned) {
        const std::size_t query = row / qHeads;
        const std::size_t head = row % qHeads / (qHeads / kvHeads);
        const std::size_t seen = static_cast<std::size_t>(context - queries) + query + 1;
        const auto at = [&](std::size_t key, std::size_t d) { return (key * kvHeads + head) * headDim + d; };
        std::vector<double> scores(seen);
        for (std::size_t key = 0; key < seen; ++key) {
            for (std::size_t d = 0; d < headDim; ++d) {
                scores[key] += static_cast<double>(q[row * headDim + d]) * keys[at(key, d)];
            }
            scores[key] *= scale;
        }
        const double most = *std::max_element(scores.begin(), scores.end());
        double weight = 0;
        for (std::size_t key = 0; key < seen; ++key) {
            const double share = std::exp(scores[key] - most);
            weight += share;
            for (std::size_t d = 0; d < headDim; ++d) {
                out[row * headDim + d] += share * values[at(key, d)];
            }
        }
        for (std::size_t d = 0; d < headDim; ++d) {
            out[row * headDim + d] /= weight;
        }
    });
    return out;
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
