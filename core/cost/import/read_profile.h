// Tells files of kernel times apart by their content.
#pragma once

#include "core/base/result.h"
#include "core/cost/import/import_kernels.h"
#include "core/cost/profile/profile.h"

#include <string>
#include <string_view>

namespace loadline {

/// Any file of kernel times, told apart by content: loadline.profile/1, the k-bit timings, a CSV of kernel
/// timings, NVBench's JSON (import_kernels.h), the GEMM table (whose device is taken from the hardware
/// table's name in the path, "h100" for one), a table in the atlas's form (import_atlas.h). The Error for
/// anything else says what the file seems to be and what can be read. `names` are for kernels of a CSV or of
/// NVBench.
Result<Profile> readProfile(std::string_view text, const std::string& path, const KernelNames& names = {});

} // namespace loadline
