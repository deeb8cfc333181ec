// The model's points, as a profile and beside measured ones.
#include "core/cost/analytic/modelled_profile.h"

#include "core/base/statistics.h"
#include "core/cost/device/hardware.h"
#include "core/cost/profile/profile_place.h"
#include "core/text/json/compact_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

namespace loadline {
namespace {

/// The rows that measuring takes, and the first rows of each instance of swap-AB.
constexpr std::int64_t swapAbRows[] = {1, 2, 4, 8, 9, 16, 17, 32, 33, 64};
constexpr std::int64_t scalarRows[] = {1, 2, 3, 4};
constexpr std::int64_t mmaRows[] = {1, 2, 4, 8, 16, 32, 48, 64};
constexpr std::int64_t noRows[] = {0};
constexpr int mmaTileRows = 16;
constexpr std::int64_t fp16Rows[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};

/// A size of weights, dense or of experts.
struct ModelledShape {
    GemmSize size;
    int experts = 1; ///< active
    auto operator<=>(const ModelledShape&) const = default;
};

void add(std::vector<ModelledPoint>& points, const GpuFacts& gpu, Kernel kernel, ModelledShape shape,
         std::span<const std::int64_t> rows, int kBits) {
    for (const std::int64_t rowsM : rows) {
        if (const auto time =
                modelledTime(gpu, kernel, shape.size, static_cast<double>(rowsM), kBits, shape.experts)) {
            points.push_back({kernel, shape.size, shape.experts, rowsM, kBits, *time});
        }
    }
}

/// One active expert is a dense GEMM.
std::vector<ModelledShape> shapesOf(const LayerGemm& gemm) {
    if (!gemm.grouped()) {
        return {{gemm.size, 1}};
    }
    std::vector<ModelledShape> shapes;
    const int top = std::clamp(gemm.expertsPerRow, 1, gemm.experts);
    for (const int experts : {top, std::min(4 * top, gemm.experts), gemm.experts}) {
        if (experts > 1) {
            shapes.push_back({gemm.size, experts});
        }
    }
    return shapes;
}

std::vector<LayerGemm> allGemms() {
    std::vector<LayerGemm> gemms;
    for (const ModelShapes& shapes : shapePresets()) {
        gemms.insert(gemms.end(), shapes.gemms.begin(), shapes.gemms.end());
    }
    return gemms;
}

Facts methodFactsOf(const ModelAssumptions& assumed) {
    Facts facts;
    for (const auto& [key, value] : assumptionsOf(assumed)) {
        facts[fmt::format("assumed_{}", key)] = fmt::format("{}", value);
    }
    return facts;
}

Facts deviceFactsOf(const GpuFacts& gpu) {
    const GpuArchitecture& architecture = architectureOf(gpu);
    return {{"multiprocessors", std::to_string(gpu.multiprocessors)},
            {"boost_mhz", fmt::format("{}", gpu.clockMhz)},
            {"compute_capability", compactJson(fmt::format("{:.1f}", architecture.number / 10.0))},
            {"cache_latency_cycles", fmt::format("{}", architecture.cacheCycles)},
            {"memory_latency_cycles", fmt::format("{}", architecture.memoryCycles)},
            {"l2_bytes_per_clock", fmt::format("{}", architecture.cacheBytesPerClock)}, // 0: not known
            {"source_of_device", compactJson(std::string(gpu.source))},
            {"source_of_architecture", compactJson(std::string(architecture.source))},
            {"source_of_rates", compactJson(findHardware(gpu.hardware)->source)}};
}

/// True if our kernels were timed: those that this program measured, here or elsewhere.
bool isOurs(const Profile& profile, const ProfilePoint& point) {
    const std::string_view words = originWords(profile, point);
    return point.name.empty() && (words == "measured" || words == "measured elsewhere");
}

} // namespace

std::string modelNameOf(const GpuFacts& gpu) {
    return std::string(modelPrefix) + std::string(gpu.hardware);
}

bool isModelName(std::string_view name) {
    return name.starts_with(modelPrefix);
}

std::vector<ModelledPoint> modelledPoints(const GpuFacts& gpu, const std::vector<LayerGemm>& gemms,
                                          const std::vector<int>& kBits) {
    std::set<ModelledShape> sizes;
    std::set<ModelledShape> quantised;
    for (const LayerGemm& gemm : gemms) {
        for (const ModelledShape& shape : shapesOf(gemm)) {
            sizes.insert(shape);
            if (gemm.quantised) {
                quantised.insert(shape);
            }
        }
    }
    std::vector<ModelledPoint> points;
    for (const ModelledShape& shape : sizes) {
        add(points, gpu, fp16Kernel(shape.experts > 1), shape, fp16Rows, fp16Bits);
    }
    for (const ModelledShape& shape : quantised) {
        const bool grouped = shape.experts > 1;
        for (const int k : kBits) {
            add(points, gpu, formOf(Kernel::Scalar, grouped), shape, scalarRows, k);
            add(points, gpu, formOf(Kernel::Mma, grouped), shape, mmaRows, k);
            add(points, gpu, formOf(Kernel::SwapAb, grouped), shape, swapAbRows, k);
            add(points, gpu, Kernel::Dequantise, shape, noRows, k);
        }
    }
    return points;
}

Profile modelledProfile(const GpuFacts& gpu) {
    return modelledProfile(gpu, allGemms(), {2, 3, 4, 5});
}

Profile modelledProfile(const GpuFacts& gpu, const std::vector<LayerGemm>& gemms,
                        const std::vector<int>& kBits) {
    Profile profile;
    profile.name = fmt::format("Model of {}, unvalidated", gpu.hardware);
    profile.source = unvalidatedSource;
    profile.device = gpu.name;
    profile.hardware = gpu.hardware;
    profile.method = "calculated: instruction counts of Loadline's CUDA kernels over the GPU's datasheet, "
                     "cuBLAS by a roofline; no error bar";
    profile.deviceFacts = deviceFactsOf(gpu);
    profile.methodFacts = methodFactsOf({});
    for (const Kernel kernel : {Kernel::Mma, Kernel::GroupedMma}) {
        profile.rowTiles[std::string(keyOf(kernel))] = mmaTileRows;
    }
    for (const ModelledPoint& modelled : modelledPoints(gpu, gemms, kBits)) {
        ProfilePoint point;
        point.kernel = modelled.kernel;
        point.size = modelled.size;
        point.experts = modelled.experts;
        point.rowsM = modelled.rowsM;
        point.kBits = modelled.kBits;
        point.timeUs = modelled.time.us;
        point.flags = {unvalidatedFlag};
        point.origin = PointOrigin::Modelled;
        profile.points.push_back(std::move(point));
    }
    return profile;
}

std::vector<AgainstModel> againstModel(const Profile& profile, GemmSize size, int experts, int kBits) {
    const GpuFacts* const gpu = findGpu(profile.hardware);
    std::vector<AgainstModel> all;
    for (const Kernel kernel : profiledKernels) {
        std::vector<double> ratios;
        for (const ProfilePoint& point : profile.points) {
            if (gpu == nullptr || point.kernel != kernel || point.size != size || point.experts != experts ||
                (readsKBits(kernel) && point.kBits != kBits) || !isOurs(profile, point)) {
                continue;
            }
            const auto time = modelledTime(*gpu, kernel, size, static_cast<double>(point.rowsM), point.kBits,
                                           point.experts);
            if (time) {
                ratios.push_back(point.timeUs / time->us);
            }
        }
        if (!ratios.empty()) {
            const int count = static_cast<int>(ratios.size());
            all.push_back({kernel, medianRatioOf(std::move(ratios)), count});
        }
    }
    return all;
}

} // namespace loadline
