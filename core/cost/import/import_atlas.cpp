// From a table of the atlas's form to points.
#include "core/cost/import/import_atlas.h"

#include "core/cost/atlas/atlas_csv.h"
#include "core/cost/import/plausible_times.h"
#include "core/cost/shapes/shape_limits.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/trace/csv_row.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

/// A column of linear layers and the kernel that it stands for.
struct LayerColumn {
    std::string_view times;
    Kernel kernel = Kernel::CublasFp16;
    int kBits = fp16Bits;
    const char* name = ""; ///< of points; "": that of the role
};

constexpr std::array<LayerColumn, 2> layerColumns{
    {{.times = "bf16"},
     {.times = "int4_weights", .kernel = Kernel::SwapAb, .kBits = 4, .name = "int4 weights"}}};

bool isOfLayers(AtlasKind kind) {
    return kind == AtlasKind::Gemm || kind == AtlasKind::WeightOnlyGemm;
}

/// True if a profile can hold layers of these sizes.
bool areSizesOfLayers(const AtlasTable& table) {
    const auto isWithin = [&](const char* key, std::int64_t most) {
        return std::ranges::all_of(table.keysNamed(key)->numbers,
                                   [=](std::int64_t one) { return one <= most; });
    };
    return isWithin("n", mostSide) && isWithin("k", mostSide) && isWithin("m", mostTimedRows);
}

/// True if at most one key column is missing, so that the reader can name it.
bool isLikeKind(const CsvHeader& header, const AtlasKindSpec& spec) {
    const auto isThere = [&](std::string_view name) { return header.find(name).has_value(); };
    return std::ranges::any_of(spec.times, isThere) &&
           std::ranges::count_if(spec.keys, isThere) + 1 >= std::ssize(spec.keys);
}

const AtlasName* gpuOfFolders(std::string_view path) {
    while (!path.empty()) {
        const std::size_t slash = path.find_last_of('/');
        const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
        if (const AtlasName* const gpu = findAtlasName(name)) {
            return gpu;
        }
        path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
    }
    return nullptr;
}

const LayerColumn* layerColumnOf(const AtlasTimes& column) {
    const auto* const found = std::ranges::find(layerColumns, column.name, &LayerColumn::times);
    return found == layerColumns.end() ? nullptr : found;
}

void addColumn(Profile& profile, const AtlasTable& table, const AtlasTimes& column, const LayerColumn& as) {
    const AtlasKeys& n = *table.keysNamed("n");
    const AtlasKeys& k = *table.keysNamed("k");
    const AtlasKeys& m = *table.keysNamed("m");
    for (std::size_t row = 0; row < table.rows; ++row) {
        if (std::isnan(column.us[row])) {
            continue;
        }
        ProfilePoint point;
        point.kernel = as.kernel;
        point.kBits = as.kBits;
        point.name = as.name;
        point.size = {.k = k.numbers[row], .n = n.numbers[row]};
        point.rowsM = m.numbers[row];
        point.timeUs = column.us[row];
        point.origin = PointOrigin::Published;
        profile.points.push_back(std::move(point));
    }
}

} // namespace

bool isAtlasCsv(std::string_view csv, const std::string& path) {
    const std::string file = nameOfFile(path);
    const CsvHeader header(TraceLines(csv).next().value_or(TraceLine{}).text);
    if (const AtlasKindSpec* spec = findAtlasKind(std::string_view(file).substr(0, file.find('.')))) {
        return isLikeKind(header, *spec);
    }
    return std::ranges::any_of(atlasKinds(), [&](const AtlasKindSpec& spec) {
        const auto isThere = [&](std::string_view name) { return header.find(name).has_value(); };
        return std::ranges::all_of(spec.keys, isThere) && std::ranges::any_of(spec.times, isThere);
    });
}

Result<AtlasImport> readAtlasCsv(std::string_view csv, const std::string& path) {
    const Result<AtlasKind> kind = atlasKindOfCsv(csv, path);
    if (!kind) {
        return kind.error();
    }
    Result<AtlasCsv> read = atlasTableFromCsv(csv, *kind, path);
    if (!read) {
        return read.error();
    }
    return AtlasImport{.path = path,
                       .table = std::move(read->table),
                       .gpu = gpuOfFolders(path),
                       .diagnostics = std::move(read->diagnostics)};
}

bool isInAtlas(const AtlasImport& import, const Atlas& atlas) {
    const AtlasTable* const shipped = atlas.table(import.table.kind);
    if (shipped == nullptr || shipped->rows != import.table.rows) {
        return false;
    }
    AtlasTable same = import.table;
    same.source = shipped->source; // a CSV does not tell its origin
    return isSameAtlasTable(same, *shipped);
}

Result<Profile> profileFromAtlas(const AtlasImport& import) {
    const AtlasTable& table = import.table;
    const AtlasKindSpec& spec = specOf(table.kind);
    Profile profile;
    if (isOfLayers(table.kind) && !areSizesOfLayers(table)) {
        return Error{fmt::format("a table of {} with n, k or m above {}", spec.name, mostSide), import.path,
                     "a table of layers that a GPU can hold"};
    }
    if (isOfLayers(table.kind)) {
        for (const AtlasTimes& column : table.times) {
            if (const LayerColumn* const as = layerColumnOf(column)) {
                addColumn(profile, table, column, *as);
            }
        }
    }
    if (profile.points.empty()) {
        return Error{isOfLayers(table.kind)
                         ? fmt::format("a table of {} without times in bf16 or with 4-bit weights, which are "
                                       "all of it that a profile can hold",
                                       spec.name)
                         : fmt::format("a table of {} in {}: a profile holds linear layers alone", spec.name,
                                       counted(table.rows, "row")),
                     import.path, "gemm.csv or weight_only_gemm_trtllm.csv of the same GPU"};
    }
    if (import.gpu != nullptr) {
        profile.device = import.gpu->device;
        profile.hardware = import.gpu->hardware;
    }
    profile.name = import.gpu != nullptr ? fmt::format("{}, {}", import.gpu->hardware, spec.name)
                                         : fmt::format("table of {}", spec.name);
    profile.source = std::string(importedFrom) + nameOfFile(import.path);
    profile.method = "a table of kernel times in the atlas's form";
    flagFasterThanDevice(profile);
    return profile;
}

std::vector<std::string> atlasImportRemarks(const AtlasImport& import) {
    std::vector<std::string> remarks;
    std::vector<std::string> leftOut;
    for (const AtlasTimes& column : import.table.times) {
        if (layerColumnOf(column) == nullptr) {
            leftOut.push_back(column.name);
        }
    }
    if (!leftOut.empty() && isOfLayers(import.table.kind)) {
        remarks.push_back(
            fmt::format("left out, as no kernel of a profile has this format: {}", fmt::join(leftOut, ", ")));
    }
    for (const Diagnostic& repeated : import.diagnostics) {
        remarks.push_back(fmt::format("{} with keys that stood before, the first in line {}: {}",
                                      counted(repeated.count, "row"), repeated.line, repeated.detail));
    }
    return remarks;
}

} // namespace loadline
