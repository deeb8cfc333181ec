// The model's points, as a profile and beside measured ones.
#include "core/cost/analytic/modelled_profile.h"

#include "core/cost/estimate/hardware.h"
#include "core/cost/profile/profile_place.h"
#include "core/text/json/compact_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace loadline {
namespace {

/// As measuring takes them, and where an instance of swap-AB begins.
constexpr std::int64_t swapAbRows[] = {1, 2, 4, 8, 9, 16, 17, 32, 33, 64};
constexpr std::int64_t fp16Rows[] = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192};

void add(std::vector<ModelledPoint>& points, const GpuFacts& gpu, Kernel kernel, GemmSize size,
         std::int64_t rowsM, int kBits) {
    if (const auto time = modelledTime(gpu, kernel, size, static_cast<double>(rowsM), kBits)) {
        points.push_back({kernel, size, rowsM, kBits, *time});
    }
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
            {"source_of_device", compactJson(std::string(gpu.source))},
            {"source_of_architecture", compactJson(std::string(architecture.source))},
            {"source_of_rates", compactJson(findHardware(gpu.hardware)->source)}};
}

/// Whether what was timed are our kernels: those that this program measured, here or elsewhere.
bool isOurs(const Profile& profile, const ProfilePoint& point) {
    const std::string_view words = originWords(profile, point);
    return point.name.empty() && (words == "measured" || words == "measured elsewhere");
}

double medianOf(std::vector<double> values) {
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : std::sqrt(values[middle - 1] * values[middle]);
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
    std::set<GemmSize> sizes;
    std::set<GemmSize> quantised;
    for (const LayerGemm& gemm : gemms) {
        if (!gemm.grouped()) {
            sizes.insert(gemm.size);
        }
        if (!gemm.grouped() && gemm.quantised) {
            quantised.insert(gemm.size);
        }
    }
    std::vector<ModelledPoint> points;
    for (const GemmSize size : sizes) {
        for (const std::int64_t rowsM : fp16Rows) {
            add(points, gpu, Kernel::CublasFp16, size, rowsM, fp16Bits);
        }
    }
    for (const GemmSize size : quantised) {
        for (const int k : kBits) {
            for (const std::int64_t rowsM : swapAbRows) {
                add(points, gpu, Kernel::SwapAb, size, rowsM, k);
            }
            add(points, gpu, Kernel::Dequantise, size, 0, k);
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
    for (const ModelledPoint& modelled : modelledPoints(gpu, gemms, kBits)) {
        ProfilePoint point;
        point.kernel = modelled.kernel;
        point.size = modelled.size;
        point.rowsM = modelled.rowsM;
        point.kBits = modelled.kBits;
        point.timeUs = modelled.time.us;
        point.flags = {unvalidatedFlag};
        point.origin = PointOrigin::Modelled;
        profile.points.push_back(std::move(point));
    }
    return profile;
}

std::vector<AgainstModel> againstModel(const Profile& profile, GemmSize size, int kBits) {
    const GpuFacts* const gpu = findGpu(profile.hardware);
    std::vector<AgainstModel> all;
    for (const Kernel kernel : {Kernel::SwapAb, Kernel::Dequantise, Kernel::CublasFp16}) {
        std::vector<double> ratios;
        for (const ProfilePoint& point : profile.points) {
            if (gpu == nullptr || point.kernel != kernel || point.size != size || point.experts > 1 ||
                (readsKBits(kernel) && point.kBits != kBits) || !isOurs(profile, point)) {
                continue;
            }
            const auto time = modelledTime(*gpu, kernel, size, static_cast<double>(point.rowsM), point.kBits);
            if (time) {
                ratios.push_back(point.timeUs / time->us);
            }
        }
        if (!ratios.empty()) {
            const int count = static_cast<int>(ratios.size());
            all.push_back({kernel, medianOf(std::move(ratios)), count});
        }
    }
    return all;
}

} // namespace loadline
