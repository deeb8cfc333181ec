// The columns of a table as bytes, not yet compressed.
#pragma once

#include "core/base/result.h"
#include "core/cost/atlas/atlas_file.h"

#include <string>
#include <string_view>

namespace loadline {

/// Most bytes that columns take; those of the largest published table take 1.0 MB.
inline constexpr std::size_t mostAtlasColumnBytes = std::size_t{1} << 24;

/// Returns the columns' bytes; the Error says why the table is none (see packed()).
Result<std::string> atlasColumnBytes(const AtlasTable& table);

/// Returns the table whose columns are these bytes. The Error's `what` says what is wrong with the bytes
/// ("its rows are out of order"); it has no remedy.
Result<AtlasTable> atlasTableOfColumns(const AtlasHead& head, std::string_view bytes);

} // namespace loadline
