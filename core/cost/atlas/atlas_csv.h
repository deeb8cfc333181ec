// Tables of kernel times as CSV, as they are published and as others may measure them.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/cost/atlas/atlas_table.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A table without a source, and what was odd in its CSV.
struct AtlasCsv {
    AtlasTable table;
    std::vector<Diagnostic> diagnostics{}; ///< rows with equal keys
};

/// Returns the kind that a CSV's file is named for ("x/gemm.csv", also "x/gemm.csv.xz"); else the only kind
/// of which the first line names all key columns, a column of times and no other column. The Error: no kind
/// or several.
Result<AtlasKind> atlasKindOfCsv(std::string_view csv, const std::string& path);

/// Reads a table: columns by name, in any order and case, others are passed over; times in us. An empty cell
/// of a column of times was not measured; a column without any measured cell is left out. Rows with equal
/// keys become one: of each column the fastest time or the median (AtlasKindSpec::keepsFastest), a median of
/// two values rounded to five digits; a Diagnostic counts these rows and names the first line. The Error
/// names path, line and column: a missing column, a cell that is no finite number or beyond plausible limits
/// (in most kinds 0.1 us to 1,000 s), a column that seems to be in seconds or milliseconds, too many rows,
/// none.
Result<AtlasCsv> atlasTableFromCsv(std::string_view csv, AtlasKind kind, const std::string& path);

} // namespace loadline
