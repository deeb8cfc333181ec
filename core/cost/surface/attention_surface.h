// Measured attention of one layer: decode over batch and context, prefill over new tokens.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"
#include "core/cost/surface/batch_curves.h"
#include "core/cost/surface/surface_value.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace loadline {

/// The attention of one layer on one GPU.
struct AttentionShape {
    std::string kv = "bfloat16"; ///< type of the cache, as in the table: "bfloat16", "fp8"
    std::int64_t heads = 1;      ///< query heads of this GPU
    std::int64_t kvHeads = 1;
    std::int64_t headDim = 128;
    std::int64_t window = 0; ///< tokens a query sees at most; 0: all
    auto operator<=>(const AttentionShape&) const = default;

    /// Bytes of K and V of one token: 2 x KV heads x head size x bytes of a value (fp8: 1, else 2).
    [[nodiscard]] double kvBytesPerToken() const;
    /// Tokens of `context` that a query sees.
    [[nodiscard]] double seen(double context) const;
    /// Pairs of query and key that `tokens` causal queries from an empty cache see: n^2 / 2 up to the window,
    /// a window per query beyond it.
    [[nodiscard]] double pairs(double tokens) const;
    /// Floating-point operations of a pair, both products, all heads: 4 x heads x head size.
    [[nodiscard]] double flopPerPair() const;
};

/// One token each of a batch of sequences.
class DecodeCurves {
public:
    DecodeCurves() = default;
    DecodeCurves(BatchCurves curves, const AttentionShape& shape, const DeviceLimits& limits);

    [[nodiscard]] bool empty() const { return curves_.empty(); }

    /// `context`: tokens in the cache of each sequence, a window's ones included (the kernel skips what lies
    /// before the window). At least the time to read the KV bytes. Precondition: not empty.
    [[nodiscard]] SurfaceValue at(double batch, double context) const;

    [[nodiscard]] const BatchCurves& curves() const { return curves_; }

private:
    BatchCurves curves_;
    double usPerToken_ = 0; ///< reading the KV bytes of one token
    double window_ = 0;     ///< infinite without one
};

/// One sequence of new tokens with an empty cache.
class PrefillCurve {
public:
    PrefillCurve() = default;
    /// Points ascending in tokens.
    PrefillCurve(std::vector<MeasuredPoint> points, AttentionShape shape, const DeviceLimits& limits);

    [[nodiscard]] bool empty() const { return points_.empty(); }

    /// Log-log between measured numbers of tokens; beyond the last one by the pairs of query and key
    /// (quadratic; linear with a window). At least the tensor cores' time. Precondition: not empty,
    /// tokens > 0.
    [[nodiscard]] SurfaceValue at(double tokens) const;

    /// Best rate of the curve in us per pair of query and key (all heads): min t(n) / pairs(n). A curve of a
    /// full attention that ends below 8,192 tokens has not reached the kernel's rate (prefixes priced
    /// by one that ends at 2,048 are 38 % too slow: spec of measured servers, section 3): the slope of t(n) /
    /// n over n / 2 between the last point and the one at half its tokens stands for it.
    [[nodiscard]] double bestUsPerPair() const { return bestUsPerPair_; }

    [[nodiscard]] const AttentionShape& shape() const { return shape_; }

    [[nodiscard]] const DeviceLimits& limits() const { return limits_; }

    [[nodiscard]] const std::vector<MeasuredPoint>& points() const { return points_; }

    /// Returns the error of the interpolation between points.
    [[nodiscard]] const LeftOutError& error() const { return error_; }

private:
    std::vector<MeasuredPoint> points_;
    AttentionShape shape_;
    DeviceLimits limits_;
    LeftOutError error_;
    double bestUsPerPair_ = 0;
};

/// All decode curves of a table. Immutable.
class DecodeSurface {
public:
    /// The Error: a column is missing.
    static Result<DecodeSurface> make(const AtlasTable& table, const DeviceLimits& limits);

    /// Null if the table has no such shape.
    [[nodiscard]] const DecodeCurves* find(const AttentionShape& shape) const;

    [[nodiscard]] const std::map<AttentionShape, DecodeCurves>& all() const { return curves_; }

    /// Cells faster than their KV bytes can be read, which were raised.
    [[nodiscard]] std::size_t raised() const { return raised_; }

private:
    std::map<AttentionShape, DecodeCurves> curves_;
    std::size_t raised_ = 0;
};

/// All prefill curves of a table: rows of one sequence with an empty cache. Immutable.
class PrefillSurface {
public:
    /// Keeps the median of several rows with one key. The Error: a column is missing. flopPerUs: of fp16.
    static Result<PrefillSurface> make(const AtlasTable& table, const DeviceLimits& limits);

    /// Null if the table has no such shape.
    [[nodiscard]] const PrefillCurve* find(const AttentionShape& shape) const;

    /// The best rate in us per pair (all heads of `shape`) among curves of the same kernel: cache type, head
    /// size and window are equal, heads may differ. Few heads leave multiprocessors idle at the end of a
    /// causal prompt, but not after a long prefix. 0 if there is none.
    [[nodiscard]] double kernelUsPerPair(const AttentionShape& shape) const;

    [[nodiscard]] const std::map<AttentionShape, PrefillCurve>& all() const { return curves_; }

private:
    std::map<AttentionShape, PrefillCurve> curves_;
};

} // namespace loadline
