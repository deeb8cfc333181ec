// The rows that the kernels of a step compute: CUDA graphs pad them to a captured size.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/engine/engine_settings.h"

#include <vector>

namespace loadline {

/// Returns the sizes of the captured graphs, ascending: 1, 2, 4, then by 8 to 256, then by 16; by 8
/// throughout up to 0.11.0 (vllm/config/vllm.py, _set_cudagraph_sizes). Empty with GraphMode::None.
std::vector<Tokens> captureSizes(const EngineSettings& settings);

/// The rows of a step after padding.
struct PaddedRows {
    Tokens rows = 0;
    bool isCaptured = false; ///< a graph is replayed; if false, nothing is padded
    bool operator==(const PaddedRows&) const = default;
};

/// Pads steps of one server; a lookup.
class RowPadding {
public:
    explicit RowPadding(const EngineSettings& settings);

    /// `decodesOnly`: every sequence of the step has one new token and none is a prompt's.
    [[nodiscard]] PaddedRows of(Tokens rows, bool decodesOnly) const {
        if (rows >= static_cast<Tokens>(padded_.size()) || (onlyDecodes_ && !decodesOnly)) {
            return {.rows = rows, .isCaptured = false};
        }
        return {.rows = padded_[static_cast<std::size_t>(rows)], .isCaptured = true};
    }

private:
    std::vector<Tokens> padded_; ///< by rows, up to the largest captured size
    bool onlyDecodes_ = false;
};

/// Returns the padded rows of one step; RowPadding is quicker for many.
PaddedRows paddedRows(const EngineSettings& settings, Tokens rows, bool decodesOnly);

} // namespace loadline
