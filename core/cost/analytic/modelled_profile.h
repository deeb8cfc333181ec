// A profile of a GPU that nobody has measured, from the model of our kernels; and the model beside a measured
// one.
#pragma once

#include "core/cost/analytic/modelled_time.h"
#include "core/cost/profile/profile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadline {

/// "model:B200-HGX" names the profile of that GPU's model.
inline constexpr std::string_view modelPrefix = "model:";
std::string modelNameOf(const GpuFacts& gpu);
bool isModelName(std::string_view name);

/// One call as the model has it; `rowsM` is 0 for Dequantise, `kBits` fp16Bits for CublasFp16.
struct ModelledPoint {
    Kernel kernel = Kernel::SwapAb;
    GemmSize size;
    int experts = 1; ///< active; 1: dense
    std::int64_t rowsM = 1;
    int kBits = fp16Bits;
    ModelledTime time;
};

/// Every kernel that is modelled at every size of these GEMMs, once each, at the rows that measuring takes
/// and at the first of each instance of swap-AB. Experts: as many as a row chooses (which is what measuring
/// takes), four times as many, and all.
std::vector<ModelledPoint> modelledPoints(const GpuFacts& gpu, const std::vector<LayerGemm>& gemms,
                                          const std::vector<int>& kBits);

/// Returns the profile of these GEMMs: modelled, unvalidated, without error bars.
Profile modelledProfile(const GpuFacts& gpu, const std::vector<LayerGemm>& gemms,
                        const std::vector<int>& kBits);
/// Returns the profile of all models offered, at k = 2 to 5.
Profile modelledProfile(const GpuFacts& gpu);

/// Median of time / modelled time over the points of this size, experts and k; a measured GPU validates the
/// model.
struct AgainstModel {
    Kernel kernel = Kernel::SwapAb;
    double ratio = 1;
    int points = 0;
    bool operator==(const AgainstModel&) const = default;
};
/// Returns the ratio of each kernel that is modelled; nothing if the profile's GPU is not known, if the
/// profile is a model itself, or if others' kernels were timed.
std::vector<AgainstModel> againstModel(const Profile& profile, GemmSize size, int experts, int kBits);

} // namespace loadline
