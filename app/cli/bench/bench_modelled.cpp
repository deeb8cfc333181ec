// bench --modelled: what a GPU's times would be and what each is made of, as text, document and profile.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "core/text/text_table.h"
#include "app/options/cost_option.h"
#include "core/base/file/write_file.h"
#include "core/cost/analytic/expert_step.h"
#include "core/cost/analytic/modelled_profile.h"
#include "core/cost/analytic/modelled_words.h"
#include "core/cost/device/hardware.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace loadline::app {
namespace {

/// Of those in the document; 0: whatever M is.
constexpr std::array<std::int64_t, 6> shownRows = {0, 1, 8, 16, 32, 64};

/// What the window shows as well: the datasheet's bandwidth is the ceiling where none was measured.
double datasheetShareOf(const ModelledTime& time) {
    return time.readShare * ModelAssumptions{}.readShare;
}

std::string kernelAndK(Kernel kernel, int kBits) {
    const std::string name = nameOf(kernel, KernelNaming(KernelNaming::Gpu));
    return readsKBits(kernel) ? fmt::format("{}, k = {}", name, kBits) : name;
}

/// Steps of so many rows are shown of experts.
constexpr std::array<std::int64_t, 5> shownSteps = {1, 4, 16, 64, 256};

/// One GEMM over experts at one k and M.
struct ExpertsShown {
    std::string gemm;
    GemmSize size;
    int experts = 0;
    int top = 0;
    int kBits = 0;
    ExpertStep step;
};

std::vector<ExpertsShown> expertsOf(const GpuFacts& gpu, const ModelShapes& shapes,
                                    const std::vector<int>& kBits) {
    std::vector<ExpertsShown> shown;
    for (const LayerGemm& gemm : shapes.gemms) {
        for (const int k : gemm.quantised ? kBits : std::vector<int>()) {
            for (const std::int64_t rowsM : shownSteps) {
                if (const auto step = expertStep(gpu, gemm, rowsM, k)) {
                    shown.push_back({gemm.name, gemm.size, gemm.experts, gemm.expertsPerRow, k, *step});
                }
            }
        }
    }
    return shown;
}

/// A row per GEMM, k and rows of a step.
std::string expertTable(const std::vector<ExpertsShown>& experts) {
    if (experts.empty()) {
        return "";
    }
    TextTable table;
    for (const char* title : {"experts", "k", "M", "touched", "rows of each", "us if even", "us uneven",
                              "groups", "routing us"}) {
        table.columns.push_back({title, table.columns.size() > 1});
    }
    for (const ExpertsShown& one : experts) {
        const ExpertStep& step = one.step;
        table.rows.push_back(
            {fmt::format("{} {} of {}, {} a row", one.gemm, textOf(one.size), one.experts, one.top),
             std::to_string(one.kBits), std::to_string(step.rowsM),
             fmt::format("{:.1f}", step.load.activeExperts), fmt::format("{:.2f}", step.load.rowsPerExpert),
             fmt::format("{:.1f}", step.evenUs), fmt::format("{:.1f}", step.unevenUs),
             fmt::format("{:.1f} of {}", step.groups, step.rowsPerGroup),
             fmt::format("{:.1f}", step.routingUs)});
    }
    return "\nA step of M rows over experts by swap-AB, rows choosing independently: uneven loads read an "
           "expert of more rows\nthan a group's again. Routing comes once for all GEMMs of a layer's "
           "experts.\n" +
           alignedText(std::move(table));
}

/// A size of weights, and how many active experts have one.
using ModelledSize = std::pair<GemmSize, int>;

/// A row per kernel and k, a column per M: "10.3 us  42 %  shared memory".
std::string modelTable(const std::vector<ModelledPoint>& points, const ModelledSize& size) {
    std::set<std::int64_t> rows;
    std::map<std::pair<Kernel, int>, std::map<std::int64_t, std::string>> cells;
    for (const ModelledPoint& point : points) {
        if (ModelledSize(point.size, point.experts) == size &&
            std::ranges::find(shownRows, point.rowsM) != shownRows.end()) {
            rows.insert(point.rowsM);
            cells[{point.kernel, point.kBits}][point.rowsM] =
                fmt::format("{:.1f} {:.0f}% {}", point.time.us, 100 * datasheetShareOf(point.time),
                            keyOf(point.time.limit));
        }
    }
    TextTable table;
    const auto& [weights, experts] = size;
    table.columns.push_back(
        {experts > 1 ? fmt::format("{}, {} experts", textOf(weights), experts) : textOf(weights), false});
    for (const std::int64_t m : rows) {
        table.columns.push_back({m == 0 ? "any M" : fmt::format("M = {}", m), false});
    }
    for (const auto& [of, byRows] : cells) {
        std::vector<std::string> row{kernelAndK(of.first, of.second)};
        for (const std::int64_t m : rows) {
            const auto found = byRows.find(m);
            row.push_back(found == byRows.end() ? "" : found->second);
        }
        table.rows.push_back(std::move(row));
    }
    return "\n" + alignedText(std::move(table));
}

std::string modelText(const GpuFacts& gpu, const std::vector<ModelledPoint>& points,
                      const std::vector<ExpertsShown>& experts) {
    std::string text = fmt::format(
        "Model of {} ({}), unvalidated: no measured GPU was compared, and there is no error bar.\n"
        "Microseconds of one call, share of the datasheet's bandwidth, and the part that takes longest.\n"
        "{} multiprocessors at {:.0f} MHz (source: {}).\n",
        gpu.hardware, gpu.name, gpu.multiprocessors, gpu.clockMhz, gpu.source);
    std::set<ModelledSize> sizes;
    for (const ModelledPoint& point : points) {
        sizes.insert({point.size, point.experts});
    }
    for (const ModelledSize& size : sizes) {
        text += modelTable(points, size);
    }
    text += expertTable(experts);
    text += "\nassumed:";
    for (const auto& [key, value] : assumptionsOf({})) {
        text += fmt::format(" {} {}", key, value);
    }
    return text + fmt::format("\n{}\n", notModelledText());
}

nlohmann::ordered_json gpuDocument(const GpuFacts& gpu) {
    const GpuArchitecture& architecture = architectureOf(gpu);
    const Hardware& hardware = *findHardware(gpu.hardware);
    return {{"key", gpu.hardware},
            {"name", gpu.name},
            {"compute_capability", architecture.number / 10.0},
            {"counts_of_compute_capability", architecture.counted / 10.0},
            {"multiprocessors", gpu.multiprocessors},
            {"clock_mhz", gpu.clockMhz},
            {"shared_bytes", architecture.sharedBytes},
            {"mma_share", architecture.mmaShare},
            {"bandwidth_gb_s", hardware.bandwidthGbS},
            {"fp16_tflop_s", hardware.fp16Tflops},
            {"source", gpu.source},
            {"source_of_architecture", architecture.source},
            {"source_of_rates", hardware.source}};
}

nlohmann::ordered_json pointDocument(const ModelledPoint& point) {
    nlohmann::ordered_json parts = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < kernelLimitCount; ++i) {
        parts[std::string(keyOf(static_cast<KernelLimit>(i)))] = point.time.partUs.at(i);
    }
    nlohmann::ordered_json document = {{"kernel", keyOf(point.kernel)},
                                       {"shape", textOf(point.size)},
                                       {"experts", point.experts},
                                       {"k_bits", point.kBits},
                                       {"rows_m", point.rowsM},
                                       {"time_us", point.time.us},
                                       {"limit", keyOf(point.time.limit)},
                                       {"parts_us", std::move(parts)},
                                       {"bytes", point.time.bytes},
                                       {"share_of_read_ceiling", point.time.readShare},
                                       {"share_of_datasheet", datasheetShareOf(point.time)}};
    if (point.time.blocks > 0) {
        document["resident_blocks"] = point.time.blocks;
        document["imbalance"] = point.time.imbalance;
    }
    return document;
}

nlohmann::ordered_json expertDocument(const ExpertsShown& one) {
    return {{"gemm", one.gemm},
            {"shape", textOf(one.size)},
            {"experts", one.experts},
            {"experts_per_row", one.top},
            {"k_bits", one.kBits},
            {"rows_m", one.step.rowsM},
            {"experts_touched", one.step.load.activeExperts},
            {"rows_per_expert", one.step.load.rowsPerExpert},
            {"even_us", one.step.evenUs},
            {"uneven_us", one.step.unevenUs},
            {"rows_per_group", one.step.rowsPerGroup},
            {"groups", one.step.groups},
            {"routing_us", one.step.routingUs}};
}

nlohmann::ordered_json modelDocument(const GpuFacts& gpu, const std::vector<ModelledPoint>& points,
                                     const std::vector<ExpertsShown>& experts) {
    nlohmann::ordered_json document = {{"schema", "loadline.kernel_model/1"},
                                       {"provenance", unvalidatedSource},
                                       {"validated", false},
                                       {"gpu", gpuDocument(gpu)}};
    for (const auto& [key, value] : assumptionsOf({})) {
        document["assumed"][std::string(key)] = value;
    }
    document["not_modelled"] = notModelledText();
    document["points"] = nlohmann::ordered_json::array();
    for (const ModelledPoint& point : points) {
        document["points"].push_back(pointDocument(point));
    }
    if (!experts.empty()) {
        document["expert_steps"] = nlohmann::ordered_json::array();
    }
    for (const ExpertsShown& one : experts) {
        document["expert_steps"].push_back(expertDocument(one));
    }
    return document;
}

} // namespace

int runModelled(const BenchOptions& options) {
    if (const Status possible = canWriteOutputs({options.out}); !possible) {
        return fail(possible.error());
    }
    if (const Status free = refuseToOverwrite({&options.out, 1}, {&options.shapes, 1}); !free) {
        return fail(free.error());
    }
    const Result<const GpuFacts*> gpu = resolveGpu(options.modelled);
    if (!gpu) {
        return fail(gpu.error());
    }
    const Result<ModelShapes> shapes = resolveShapes(options.shapes);
    if (!shapes) {
        return fail(shapes.error());
    }
    if (!options.out.empty()) {
        const Profile profile = modelledProfile(**gpu, shapes->gemms, options.kBits);
        if (const Status written = writeOutput(options.out, toJson(profile)); !written) {
            return fail(written.error());
        }
        if (options.out == standardOutput) {
            return exitDone;
        }
        say(fmt::format("{} in {}", counted(profile.points.size(), "point"), options.out));
    }
    const std::vector<ModelledPoint> points = modelledPoints(**gpu, shapes->gemms, options.kBits);
    const std::vector<ExpertsShown> experts = expertsOf(**gpu, *shapes, options.kBits);
    return options.json ? printJson(modelDocument(**gpu, points, experts))
                        : printText(modelText(**gpu, points, experts));
}

} // namespace loadline::app
