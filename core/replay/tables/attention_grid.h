// One layer's attention, timed over what a step holds: a chunk of a prompt and decodes, each with its
// context.
#pragma once

#include "core/replay/tables/linear_curve.h"

#include <cstddef>
#include <vector>

namespace loadline {

/// The work of attention in a step; tokens before the step's own count as context.
struct AttentionLoad {
    double chunk = 0;         ///< prompt tokens computed
    double chunkContext = 0;  ///< tokens before them
    double decodes = 0;       ///< sequences with one new token
    double decodeContext = 0; ///< tokens before it, in each of them
    bool operator==(const AttentionLoad&) const = default;
};

struct AttentionPoint {
    AttentionLoad work;
    double timeUs = 0;
};

/// Times over the four axes, linear on each, carried on beyond the last point as LLMServingSim does
/// (docs/simulator/trace-generation). Where a pair of chunk and decodes was not timed, the nearest pair
/// stands for it.
class AttentionGrid {
public:
    AttentionGrid() = default;
    explicit AttentionGrid(const std::vector<AttentionPoint>& points);

    [[nodiscard]] bool empty() const { return slices_.empty(); }

    /// Microseconds, never below 0; 0 where there is nothing to do. Precondition: not empty.
    [[nodiscard]] double at(const AttentionLoad& work) const;

private:
    /// All that was timed at one chunk and one number of decodes.
    struct Slice {
        std::vector<double> chunkContexts;
        std::vector<LinearCurve> overDecodeContext; ///< by chunkContexts
    };

    [[nodiscard]] std::size_t sliceOf(std::size_t chunk, std::size_t decodes) const {
        return sliceAt_[chunk * decodes_.size() + decodes];
    }

    [[nodiscard]] static double timeIn(const Slice& slice, const AttentionLoad& work);

    std::vector<double> chunks_;
    std::vector<double> decodes_;
    std::vector<Slice> slices_;
    std::vector<std::size_t> sliceAt_; ///< into slices_: itself or the nearest, by chunk and decodes
};

} // namespace loadline
