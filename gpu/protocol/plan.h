// Which points are timed, in which order: values only, no device is touched.
#pragma once

#include "core/cost/shapes/shapes.h"
#include "gpu/backend.h"
#include "gpu/protocol/attention_plan.h"
#include "gpu/protocol/samples.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace loadline::gpu {

enum class Preset : std::uint8_t { Quick, Standard, Thorough };
std::string_view keyOf(Preset preset); ///< "quick", "standard", "thorough"
std::optional<Preset> presetFromKey(std::string_view key);

/// The rules of a preset.
struct PresetRule {
    std::vector<std::int64_t> rowsM;     ///< of the fp16 GEMM; k-bit kernels take those they support
    std::vector<std::int64_t> pairRowsM; ///< of dequantise and the fp16 GEMM in one go: some of rowsM
    SamplingRule sampling;
    int passes = 1;              ///< over all points, each in another order
    double repeatShare = 0;      ///< of the points, timed again at the end
    int anchorEvery = 0;         ///< points between two timings of the anchor; 0: none
    double mostAgainSeconds = 0; ///< for points timed again as the anchor moved
    double mostSeconds = 10;     ///< points that do not fit are left out, the longest first, and named
    AttentionRule attention;     ///< its seconds are among mostSeconds
};
PresetRule ruleOf(Preset preset);

/// One point in so many is also timed by itself.
inline constexpr std::size_t isolatedEvery = 10;

enum class PointRole : std::uint8_t { Point, Anchor, Repeat };

/// Points that are checked as one: a kernel at one k and shape.
using SeriesKey = std::tuple<Kernel, GemmSize, int, int>;

inline SeriesKey seriesOf(const PointSpec& spec) {
    return {spec.kernel, spec.size, spec.experts, spec.kBits};
}

struct PlannedPoint {
    PointSpec spec;
    PointRole role = PointRole::Point;
    int pass = 0;
    bool isolated = false; ///< one call by itself is timed as well
    bool operator==(const PlannedPoint&) const = default;
};

struct Plan {
    Preset preset = Preset::Standard;
    std::uint64_t seed = 1;
    std::string shapes; ///< name of the model
    std::vector<int> kBits;
    std::vector<PlannedPoint> points; ///< in the order of measuring
    std::optional<PointSpec> anchor;  ///< timed between them, and again after the last of them
    std::vector<PointSpec> leftOut;   ///< supported, but too long for the preset
    std::vector<PointSpec> checks;    ///< of each kernel, k and shape, at up to five M
    AttentionPlan attention;          ///< timed after the points
    double guessedSeconds = 0;
};

/// The point that shows whether the device stays as it is: 8192x8192 in fp16 at M = 16 where that takes no
/// more than 2 ms, else the fp16 GEMM at M = 16 with most bytes among `points`; nothing where there is none.
std::optional<PointSpec> anchorOf(const Backend& backend, const std::vector<PointSpec>& points);

/// Every distinct size of the model's GEMMs, quantised ones at every k, for all kernels the backend supports.
/// The fp16 GEMM does not depend on k, dequantise not on M: each is timed once. Both in one go are timed at
/// every k and a few M: what that costs or saves is near 1 and moves little. The order is a random
/// permutation given by the seed alone.
Plan makePlan(const Backend& backend, const ModelShapes& model, const std::vector<int>& kBits, Preset preset,
              std::uint64_t seed = 1);

/// copies = ceil(max(4 x cache, 256 MB) / bytes of a copy), 2 to the most the device takes, no more than a
/// third of the free memory but 2 at least; calls = ceil(1 ms / guessed time), 8 to 512; two where a call
/// takes 2 ms or more, one where it takes 20 ms or more.
Rotation rotationFor(const Backend& backend, const PointSpec& point);

} // namespace loadline::gpu
