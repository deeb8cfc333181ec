// Tables of kernel times in the atlas's form, as a user may name them: one kind becomes a profile.
#pragma once

#include "core/base/diagnostic.h"
#include "core/cost/atlas/atlas.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A table in the atlas's form out of a CSV.
struct AtlasImport {
    std::string path;
    AtlasTable table;
    const AtlasName* gpu = nullptr;        ///< that a folder of the path names; null: none does
    std::vector<Diagnostic> diagnostics{}; ///< rows with equal keys
};

/// True if a CSV's first line names a column of times and, but for one, the key columns of some kind: of the
/// kind that the file is named for ("gemm.csv"), else of any.
bool isAtlasCsv(std::string_view csv, const std::string& path);

/// The Error names path, line and column (atlasTableFromCsv), or the kinds among which the file's name
/// decides.
Result<AtlasImport> readAtlasCsv(std::string_view csv, const std::string& path);

/// True if the atlas has the same table, its origin aside.
bool isInAtlas(const AtlasImport& import, const Atlas& atlas);

/// Returns a profile of linear layers: bf16 as Kernel::CublasFp16, 4-bit weights (AtlasKind::WeightOnlyGemm)
/// in the place of Kernel::SwapAb at k = 4; all points Published. The Error of a table of another kind, or
/// one without these columns, says what it is and that no profile can hold it.
Result<Profile> profileFromAtlas(const AtlasImport& import);

/// Sentences on columns that the profile leaves out, and on rows with equal keys; none where all of the
/// table became points.
std::vector<std::string> atlasImportRemarks(const AtlasImport& import);

} // namespace loadline
