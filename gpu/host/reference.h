// The reference for checks of every kernel: the same codes in double precision.
#pragma once

#include "core/cost/kernel/attention_call.h"
#include "gpu/format/packed_weights.h"
#include "gpu/host/weight_views.h"

#include <cstdint>
#include <span>
#include <vector>

namespace loadline::gpu {

/// y[m][n] = sum over k of x[m][k] codebook[code] scale, all in double; scales exactly decoded.
/// `rows`: only these rows of W (for large matrices), y is then [m][rows.size()]; empty: all.
std::vector<double> referenceProduct(const QuantisedWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows = {});
/// Returns the same product for dense weights as they are stored.
std::vector<double> referenceProduct(const DenseWeights& weights, std::span<const float> x,
                                     std::int64_t rowsM, std::span<const std::int64_t> rows = {});
/// Return the same product for weights that lie elsewhere.
std::vector<double> referenceProduct(const PackedView& weights, std::span<const float> x, std::int64_t rowsM,
                                     std::span<const std::int64_t> rows = {});
std::vector<double> referenceProduct(const DenseView& weights, std::span<const float> x, std::int64_t rowsM,
                                     std::span<const std::int64_t> rows = {});
/// W[row][k] for one row, in double.
std::vector<double> referenceRow(const PackedView& weights, std::int64_t row);
/// W[n][k] in double.
std::vector<double> referenceWeights(const QuantisedWeights& weights);

/// Attention of one sequence in double, as AttentionJob means it: q [queries][qHeads][headDim], k and v
/// [context][kvHeads][headDim] in fp16; the queries are the last of the context. The result is as q.
std::vector<double> referenceAttention(const AttentionHeads& heads, std::int64_t queries,
                                       std::int64_t context, std::span<const float> q,
                                       std::span<const std::uint16_t> k, std::span<const std::uint16_t> v);

/// ||values - reference|| / ||reference||; infinite where a value is not finite. Same sizes.
double relativeError(std::span<const float> values, std::span<const double> reference);

} // namespace loadline::gpu
