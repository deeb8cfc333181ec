// A table of kernel times that others measured: key columns, and a column of times per format.
#pragma once

#include "core/cost/atlas/atlas_kind.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The origin of a table's times; shown beside every answer that uses them. Each text may be empty:
/// not recorded.
struct AtlasSource {
    std::string engine{};    ///< whose kernels were timed: "vllm"
    std::string version{};   ///< of the engine: "0.24.0"
    std::string date{};      ///< of the published snapshot, "2026-08-21"
    std::string licence{};   ///< "Apache-2.0"
    std::string publisher{}; ///< who measured them, and which snapshot
    bool operator==(const AtlasSource&) const = default;
};

/// A key column: what was timed, one cell a row. `words` or `numbers` holds the cells, the other is empty
/// (isAtlasWordKey).
struct AtlasKeys {
    std::string name; ///< as in AtlasKindSpec::keys: "n", "kv"
    std::vector<std::string> words{};
    std::vector<std::int64_t> numbers{};
    bool operator==(const AtlasKeys&) const = default;
};

/// A column of times.
struct AtlasTimes {
    std::string name; ///< the format ("fp8", "int4_weights"), or "time" if a key column names the format
    std::vector<double> us; ///< microseconds of one operation, one cell a row; NaN: not measured
};

/// Rows in ascending order of their keys, the axis along which curves run changing fastest; no two rows have
/// equal keys. The key columns are all those of the kind, in its order; columns of times may be fewer.
struct AtlasTable {
    AtlasKind kind = AtlasKind::Gemm;
    AtlasSource source{};
    std::size_t rows = 0;
    std::vector<AtlasKeys> keys{};
    std::vector<AtlasTimes> times{};

    /// Null if the table has no such column.
    [[nodiscard]] const AtlasKeys* keysNamed(std::string_view name) const;
    [[nodiscard]] const AtlasTimes* timesNamed(std::string_view name) const;
};

/// True if both tables are equal, cells that were not measured being equal to each other.
bool isSameAtlasTable(const AtlasTable& one, const AtlasTable& other);

} // namespace loadline
