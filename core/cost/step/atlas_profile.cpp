// Reads layers of models off the surfaces.
#include "core/cost/step/atlas_profile.h"

#include "core/cost/device/atlas_name.h"
#include "core/cost/step/step_setup.h"
#include "core/text/json/compact_json.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace loadline {
namespace {

constexpr int weightOnlyBits = 4;
constexpr std::string_view int4Column = "int4_weights";

std::string engineWords(const AtlasSource& source) {
    return source.version.empty() ? source.engine : fmt::format("{} {}", source.engine, source.version);
}

/// "TensorRT-LLM"
std::string engineNameOf(const AtlasSource& source) {
    return source.engine == "tensorrt-llm" ? "TensorRT-LLM" : source.engine;
}

/// The time of a layer; nothing if there are none near its size.
std::optional<double> layerUs(const std::optional<GemmSurface>& surface, GemmSize size, double rowsM) {
    if (!surface) {
        return std::nullopt;
    }
    const GemmCurve curve = surface->curveOf(static_cast<double>(size.n), static_cast<double>(size.k));
    return curve.empty() ? std::nullopt : std::optional(curve.at(rowsM).us);
}

/// Appends one kernel's times of a size.
void addCurve(Profile& profile, const GemmCurve& curve, const ProfilePoint& like) {
    const bool isCell = curve.shapeReach() == SurfaceReach::Measured;
    for (const MeasuredPoint& measured : curve.curve().points()) {
        const SurfaceValue value = curve.at(measured.x);
        ProfilePoint point = like;
        point.rowsM = static_cast<std::int64_t>(measured.x);
        point.timeUs = value.us;
        point.betweenRuns = value.relativeError;
        point.origin = isCell && !value.isRaised ? PointOrigin::Published : PointOrigin::Modelled;
        profile.points.push_back(std::move(point));
    }
}

std::vector<GemmSize> denseSizes(std::span<const LayerGemm> gemms) {
    std::set<GemmSize> sizes;
    for (const LayerGemm& gemm : gemms) {
        if (!gemm.grouped()) {
            sizes.insert(gemm.size);
        }
    }
    return {sizes.begin(), sizes.end()};
}

/// The surface of a column of the other engine's table; nothing if nobody measured it on this GPU.
std::optional<GemmSurface> weightOnlySurface(const AtlasSurfaces& surfaces, std::string_view column) {
    const AtlasTable* const table = surfaces.atlas().table(AtlasKind::WeightOnlyGemm);
    if (table == nullptr || table->timesNamed(column) == nullptr) {
        return std::nullopt;
    }
    Result<GemmCells> cells = gemmCellsOf(*table, column);
    if (!cells) {
        return std::nullopt;
    }
    return GemmSurface(std::move(*cells),
                       {.bytesPerWeight = bytesPerWeightOf(column == int4Column ? "int4_wo" : "bf16"),
                        .limits = surfaces.limitsOf("bf16")});
}

} // namespace

AtlasDevice atlasDeviceOf(const Atlas& atlas) {
    AtlasDevice entry;
    entry.key = atlas.gpu();
    if (const AtlasName* const name = findAtlasName(atlas.gpu())) {
        entry.name = name->device;
        entry.hardware = name->hardware;
    }
    for (const AtlasKindSpec& spec : atlasKinds()) {
        const AtlasTable* const table = atlas.table(spec.kind);
        if (table == nullptr) {
            continue;
        }
        ++entry.tables;
        for (const AtlasTimes& column : table->times) {
            entry.times += static_cast<std::uint64_t>(
                std::ranges::count_if(column.us, [](double us) { return !std::isnan(us); }));
        }
        if (const std::string engine = engineWords(table->source);
            std::ranges::find(entry.engines, engine) == entry.engines.end()) {
            entry.engines.push_back(engine);
        }
        entry.date = std::max(entry.date, table->source.date);
    }
    for (const Diagnostic& problem : atlas.diagnostics()) {
        if (problem.kind == DiagnosticKind::ReadError) {
            entry.problems.push_back(problem.detail);
        }
    }
    return entry;
}

Result<Profile> atlasProfile(const AtlasSurfaces& surfaces, std::span<const LayerGemm> gemms) {
    const Result<const GemmSurface*> bf16 = surfaces.gemms("bf16");
    if (!bf16) {
        return bf16.error();
    }
    const Atlas& atlas = surfaces.atlas();
    const AtlasSource& source = atlas.table(AtlasKind::Gemm)->source;
    const AtlasName* const name = findAtlasName(atlas.gpu());
    Profile profile;
    profile.name = fmt::format("{}, measured by others", surfaces.hardware().key);
    profile.source =
        fmt::format("linear layers of {}, {} ({})", engineWords(source), source.publisher, source.licence);
    profile.device = name != nullptr ? std::string(name->device) : std::string();
    profile.hardware = surfaces.hardware().key;
    profile.method = "CUDA graphs of one layer; sizes between measured ones are interpolated";
    profile.date = source.date;
    profile.methodFacts["atlas"] = compactJson(std::string(atlas.gpu()));
    const std::optional<GemmSurface> int4 = weightOnlySurface(surfaces, int4Column);
    ProfilePoint ofBf16;
    ProfilePoint ofInt4;
    ofInt4.kernel = Kernel::SwapAb;
    ofInt4.kBits = weightOnlyBits;
    if (int4) {
        const AtlasSource& theirs = atlas.table(AtlasKind::WeightOnlyGemm)->source;
        ofInt4.name = "int4 of " + engineNameOf(theirs);
        ofInt4.source = fmt::format("{}, {} ({})", engineWords(theirs), theirs.publisher, theirs.licence);
    }
    for (const GemmSize size : denseSizes(gemms)) {
        const auto n = static_cast<double>(size.n);
        const auto k = static_cast<double>(size.k);
        if (const GemmCurve curve = (*bf16)->curveOf(n, k); !curve.empty()) {
            ofBf16.size = size;
            addCurve(profile, curve, ofBf16);
        }
        if (!int4) {
            continue;
        }
        if (const GemmCurve curve = int4->curveOf(n, k); !curve.empty()) {
            ofInt4.size = size;
            addCurve(profile, curve, ofInt4);
        }
    }
    return profile;
}

std::vector<TimesToBeat> timesToBeat(const AtlasSurfaces& surfaces, GemmSize size) {
    const Result<const GemmSurface*> bf16 = surfaces.gemms("bf16");
    if (!bf16) {
        return {};
    }
    const GemmCurve curve = (*bf16)->curveOf(static_cast<double>(size.n), static_cast<double>(size.k));
    if (curve.empty()) {
        return {};
    }
    const auto int4 = weightOnlySurface(surfaces, int4Column);
    const auto theirBf16 = weightOnlySurface(surfaces, "bf16");
    std::vector<TimesToBeat> times;
    for (const double rowsM : {1.0, 16.0, 64.0, 256.0}) {
        times.push_back({.rowsM = rowsM,
                         .bf16Us = curve.at(rowsM).us,
                         .int4Us = layerUs(int4, size, rowsM),
                         .ownBf16Us = layerUs(theirBf16, size, rowsM)});
    }
    return times;
}

std::string timesToBeatText(const AtlasSurfaces& surfaces, GemmSize size) {
    const std::vector<TimesToBeat> times = timesToBeat(surfaces, size);
    if (times.empty()) {
        return {};
    }
    const AtlasTable* const others = surfaces.atlas().table(AtlasKind::WeightOnlyGemm);
    const std::string engine = others != nullptr ? engineNameOf(others->source) : std::string();
    std::vector<std::string> each;
    for (const TimesToBeat& one : times) {
        const double least = std::min(one.bf16Us, one.int4Us.value_or(one.bf16Us));
        std::string parts = fmt::format("bf16 {}", formatReal(one.bf16Us, 3));
        if (one.int4Us && one.ownBf16Us) {
            parts = fmt::format("int4 of {} {}, its bf16 {}, vLLM's {}", engine, formatReal(*one.int4Us, 3),
                                formatReal(*one.ownBf16Us, 3), formatReal(one.bf16Us, 3));
        }
        each.push_back(fmt::format("{} \u00b5s at M = {:g} ({})", formatReal(least, 3), one.rowsM, parts));
    }
    return fmt::format("To win at {} on {}, a kernel for k = 4 must take less than {}.{}", textOf(size),
                       surfaces.hardware().key, fmt::join(each, "; "),
                       times.front().int4Us ? "" : " Nobody measured 4-bit weights at this size there.");
}

Result<Profile> atlasProfile(const AtlasSurfaces& surfaces) {
    std::vector<LayerGemm> gemms;
    for (const ModelShapes& model : shapePresets()) {
        gemms.insert(gemms.end(), model.gemms.begin(), model.gemms.end());
    }
    return atlasProfile(surfaces, gemms);
}

} // namespace loadline
