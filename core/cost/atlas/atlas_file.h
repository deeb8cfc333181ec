// Packed tables: one file a table, a line of JSON and a zstd frame. resources/atlas/README.md describes the
// form.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The first line of a packed table: what the table holds, readable without unpacking it.
struct AtlasHead {
    AtlasKind kind = AtlasKind::Gemm;
    AtlasSource source{};
    std::size_t rows = 0;
    std::vector<std::string> times{}; ///< AtlasTimes::name of each column
    std::size_t bytes = 0;            ///< of the unpacked columns
    bool operator==(const AtlasHead&) const = default;
};

/// Returns the bytes of a table's file; times are rounded to five significant digits (timeCodeOf). The Error:
/// libarchive cannot write zstd, or the table is none: key columns that are not those of its kind, rows out
/// of order or with equal keys, cells beyond the limits in atlas_kind.h.
Result<std::string> packed(const AtlasTable& table);

/// Reads the first line of a packed table; the digest shows that the whole file is as it was written.
/// `name` names the table in errors: "gemm of h200-sxm".
Result<AtlasHead> atlasHeadFrom(std::string_view bytes, std::string_view name);

/// Unpacks a table. Any bytes give a table that keeps the promises of AtlasTable, or the Error
/// "gemm of h200-sxm is damaged: why".
Result<AtlasTable> atlasTableFrom(std::string_view bytes, std::string_view name);

} // namespace loadline
