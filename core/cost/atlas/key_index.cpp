// Finds the distinct cells of key columns.
#include "core/cost/atlas/key_index.h"

#include <algorithm>

namespace loadline {
namespace {

/// Fills `distinct` with the cells in ascending order, each once; returns the place of each cell.
template <typename Cell>
std::vector<std::uint32_t> distinctPlaces(const std::vector<Cell>& cells, std::vector<Cell>& distinct) {
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (row == 0 || cells[row] != cells[row - 1]) { // most cells repeat the one above
            distinct.push_back(cells[row]);
        }
    }
    std::ranges::sort(distinct);
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    std::vector<std::uint32_t> places(cells.size());
    for (std::size_t row = 0; row < cells.size(); ++row) {
        places[row] = row > 0 && cells[row] == cells[row - 1]
                          ? places[row - 1]
                          : static_cast<std::uint32_t>(std::ranges::lower_bound(distinct, cells[row]) -
                                                       distinct.begin());
    }
    return places;
}

} // namespace

KeyIndex keyIndexOf(const AtlasKeys& column) {
    KeyIndex index;
    index.at = column.words.empty() ? distinctPlaces(column.numbers, index.distinct.numbers)
                                    : distinctPlaces(column.words, index.distinct.words);
    return index;
}

int compareAtlasRows(const std::vector<KeyIndex>& columns, std::size_t one, std::size_t other) {
    for (const KeyIndex& column : columns) {
        if (column.at[one] != column.at[other]) {
            return column.at[one] < column.at[other] ? -1 : 1;
        }
    }
    return 0;
}

} // namespace loadline
