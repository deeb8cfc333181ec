// The linear layers of one GPU's atlas as a profile, for lists and charts of kernels.
#pragma once

#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile.h"
#include "core/cost/step/atlas_surfaces.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace loadline {

/// Counts the tables of a GPU; reads all of them.
AtlasDevice atlasDeviceOf(const Atlas& atlas);

/// The times that a kernel of one's own is measured against on this GPU, at one size and M.
struct TimesToBeat {
    double rowsM = 1;
    double bf16Us = 0;               ///< vLLM's library GEMM
    std::optional<double> int4Us;    ///< 4-bit weights of another engine; nothing where nobody timed them
    std::optional<double> ownBf16Us; ///< bf16 of that engine, which tells its run from vLLM's
};

/// Returns them at M = 1, 16, 64 and 256. Nothing if the atlas has no bf16 layers.
std::vector<TimesToBeat> timesToBeat(const AtlasSurfaces& surfaces, GemmSize size);

/// "To win at 14336 x 4096, a kernel for k = 4 must take less than 18.9 µs at M = 1 (int4 of TensorRT-LLM
/// 18.9, bf16 34.5), .."; "" without times.
std::string timesToBeatText(const AtlasSurfaces& surfaces, GemmSize size);

/// Returns a profile with the dense sizes of these GEMMs, each at every M that was measured: bf16 as
/// Kernel::CublasFp16, and 4-bit weights of another engine (AtlasKind::WeightOnlyGemm) in the place of
/// Kernel::SwapAb at k = 4 under that engine's name. Points at measured sizes are Published, those of sizes
/// between measured ones Modelled; each has its table's error bar. The Error: the atlas has no bf16 layers.
Result<Profile> atlasProfile(const AtlasSurfaces& surfaces, std::span<const LayerGemm> gemms);

/// The same of the sizes of all presets.
Result<Profile> atlasProfile(const AtlasSurfaces& surfaces);

} // namespace loadline
