// Cells of a key column as places among its distinct cells: what sorts rows, and what is packed.
#pragma once

#include "core/cost/atlas/atlas_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace loadline {

/// A key column of which each distinct cell is stored once. `distinct` has no name of the column's.
struct KeyIndex {
    AtlasKeys distinct{};          ///< ascending, each once
    std::vector<std::uint32_t> at; ///< one place in `distinct` a row

    /// Number of distinct cells.
    [[nodiscard]] std::size_t size() const { return distinct.words.size() + distinct.numbers.size(); }
};

KeyIndex keyIndexOf(const AtlasKeys& column);

/// Compares the keys of two rows in the order of the columns: below 0, 0 or above 0.
int compareAtlasRows(const std::vector<KeyIndex>& columns, std::size_t one, std::size_t other);

} // namespace loadline
