// Describes the model of our kernels on one GPU.
#include "core/cost/analytic/modelled_report.h"

#include "core/ask/table_of.h"
#include "core/cost/analytic/modelled_words.h"
#include "core/cost/device/hardware.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace loadline {

ModelledKernels modelledKernels(const GpuFacts& gpu, const ModelShapes& shapes,
                                const std::vector<int>& kBits) {
    constexpr std::array<std::int64_t, 5> steps = {1, 4, 16, 64, 256}; // rows
    ModelledKernels modelled{&gpu, modelledPoints(gpu, shapes.gemms, kBits), {}};
    for (const LayerGemm& gemm : shapes.gemms) {
        for (const int k : gemm.quantised ? kBits : std::vector<int>()) {
            for (const std::int64_t rowsM : steps) {
                if (const auto step = expertStep(gpu, gemm, rowsM, k)) {
                    modelled.experts.push_back(
                        {gemm.name, gemm.size, gemm.experts, gemm.expertsPerRow, k, *step});
                }
            }
        }
    }
    return modelled;
}

namespace ask {
namespace {

constexpr const char* unvalidated = "unvalidated: no measured GPU was compared, and there is no error bar.";

/// The window shows the same share: the datasheet's bandwidth is the ceiling where none was measured.
double datasheetShareOf(const ModelledPoint& point) {
    return point.time.readShare * ModelAssumptions{}.readShare;
}

void addGpu(Report& report, const GpuFacts& gpu) {
    const GpuArchitecture& architecture = architectureOf(gpu);
    const Hardware& hardware = *findHardware(gpu.hardware);
    const Below below(report, "gpu");
    below.add("key", gpu.hardware);
    below.add("name", gpu.name);
    below.add("compute_capability", architecture.number / 10.0);
    below.add("counts_of_compute_capability", architecture.counted / 10.0);
    below.add("multiprocessors", gpu.multiprocessors);
    below.add("clock_mhz", gpu.clockMhz);
    below.add("shared_bytes", architecture.sharedBytes);
    below.add("mma_share", architecture.mmaShare);
    below.add("bandwidth_gb_s", hardware.bandwidthGbS);
    below.add("fp16_tflop_s", hardware.fp16Tflops);
    below.add("source", gpu.source);
    below.add("source_of_architecture", architecture.source);
    below.add("source_of_rates", hardware.source);
}

void addModelledPoints(Report& report, const std::vector<ModelledPoint>& points) {
    TableOf table("points", points);
    table.document("kernel", [](const ModelledPoint& point) { return keyOf(point.kernel); })
        .document("shape", [](const ModelledPoint& point) { return textOf(point.size); })
        .document("experts", &ModelledPoint::experts)
        .document("k_bits", &ModelledPoint::kBits)
        .document("rows_m", &ModelledPoint::rowsM)
        .document("time_us", [](const ModelledPoint& point) { return point.time.us; })
        .document("limit", [](const ModelledPoint& point) { return keyOf(point.time.limit); });
    for (std::size_t i = 0; i < kernelLimitCount; ++i) {
        table.document("parts_us." + std::string(keyOf(static_cast<KernelLimit>(i))),
                       [i](const ModelledPoint& point) { return point.time.partUs[i]; });
    }
    const auto isCounted = [](const ModelledPoint& point) { return point.time.blocks > 0; };
    table.document("bytes", [](const ModelledPoint& point) { return point.time.bytes; })
        .document("share_of_read_ceiling", [](const ModelledPoint& point) { return point.time.readShare; })
        .document("share_of_datasheet", datasheetShareOf)
        .where(isCounted, "resident_blocks", [](const ModelledPoint& point) { return point.time.blocks; })
        .where(isCounted, "imbalance", [](const ModelledPoint& point) { return point.time.imbalance; });
    report.add(std::move(table));
}

/// A size of weights, and how many active experts have one.
using ModelledSize = std::pair<GemmSize, int>;
using ModelledRow = std::pair<std::string, std::map<std::int64_t, std::string>>; ///< cells by M

std::string kernelAndK(const ModelledPoint& point) {
    const std::string name = nameOf(point.kernel, KernelNaming(KernelNaming::Gpu));
    return readsKBits(point.kernel) ? fmt::format("{}, k = {}", name, point.kBits) : name;
}

/// For people, some M: "10.3 42% shared memory".
void tellSize(Report& report, const std::vector<ModelledPoint>& points, const ModelledSize& size) {
    constexpr std::array<std::int64_t, 6> shownRows = {0, 1, 8, 16, 32, 64}; // 0: whatever M is
    std::map<std::pair<Kernel, int>, ModelledRow> byKernel;
    std::set<std::int64_t> columns;
    for (const ModelledPoint& point : points) {
        if (ModelledSize(point.size, point.experts) == size &&
            std::ranges::find(shownRows, point.rowsM) != shownRows.end()) {
            columns.insert(point.rowsM);
            auto& [name, cells] = byKernel[{point.kernel, point.kBits}];
            name = kernelAndK(point);
            cells[point.rowsM] = fmt::format("{:.1f} {:.0f}% {}", point.time.us,
                                             100 * datasheetShareOf(point), keyOf(point.time.limit));
        }
    }
    std::vector<ModelledRow> rows;
    for (auto& [key, row] : byKernel) {
        rows.push_back(std::move(row));
    }
    const auto& [weights, experts] = size;
    TableOf table("", report.keep(std::move(rows)));
    table.titled(experts > 1 ? fmt::format("{}, {} experts", textOf(weights), experts) : textOf(weights))
        .textColumn("Kernel", &ModelledRow::first, Form::Text);
    for (const std::int64_t m : columns) {
        table.textColumn(
            m == 0 ? "any M" : fmt::format("M = {}", m),
            [m](const ModelledRow& row) {
                const auto cell = row.second.find(m);
                return cell == row.second.end() ? std::string() : cell->second;
            },
            Form::Text);
    }
    report.add(std::move(table));
}

/// A row per GEMM, k and rows of a step.
void addExperts(Report& report, const std::vector<ModelledExperts>& experts) {
    if (experts.empty()) {
        return;
    }
    using E = ModelledExperts;
    report.say("A step of M rows over experts by swap-AB, rows choosing independently: uneven loads read an "
               "expert of more rows than a group's again. Routing comes once for all GEMMs of a layer's "
               "experts.");
    report.add(
        TableOf("expert_steps", experts)
            .titled("Experts", experts.size())
            .column("gemm", "GEMM", &E::gemm, Form::Text)
            .column(
                "shape", "Shape", [](const E& one) { return textOf(one.size); }, Form::Text)
            .column("experts", "Experts", &E::experts)
            .column("experts_per_row", "of a row", &E::top)
            .column("k_bits", "k", &E::kBits)
            .column("rows_m", "M", [](const E& one) { return one.step.rowsM; })
            .column("experts_touched", "touched", [](const E& one) { return one.step.load.activeExperts; })
            .column("rows_per_expert", "rows of each",
                    [](const E& one) { return one.step.load.rowsPerExpert; })
            .column("even_us", "us if even", [](const E& one) { return one.step.evenUs; })
            .column("uneven_us", "us uneven", [](const E& one) { return one.step.unevenUs; })
            .column("rows_per_group", "rows of a group", [](const E& one) { return one.step.rowsPerGroup; })
            .column("groups", "groups", [](const E& one) { return one.step.groups; })
            .column("routing_us", "routing us", [](const E& one) { return one.step.routingUs; }));
}

} // namespace

Report modelledReport(const ModelledKernels& modelled) {
    const GpuFacts& gpu = *modelled.gpu;
    Report report;
    report.schema = "loadline.kernel_model/1";
    report.headline = fmt::format("Model of {} ({}), {}", gpu.hardware, gpu.name, unvalidated);
    report.say(fmt::format("Microseconds of one call, share of the datasheet's bandwidth, and the part that "
                           "takes longest.\n{} multiprocessors at {:.0f} MHz (source: {}).",
                           gpu.multiprocessors, gpu.clockMhz, gpu.source));
    report.add("provenance", unvalidatedSource);
    report.add("validated", false);
    addGpu(report, gpu);
    std::string assumed = "assumed:";
    for (const auto& [key, value] : assumptionsOf({})) {
        report.add("assumed." + std::string(key), value);
        assumed += fmt::format(" {} {}", key, value);
    }
    report.add("not_modelled", notModelledText());
    addModelledPoints(report, modelled.points);
    std::set<ModelledSize> sizes;
    for (const ModelledPoint& point : modelled.points) {
        sizes.insert({point.size, point.experts});
    }
    for (const ModelledSize& size : sizes) {
        tellSize(report, modelled.points, size);
    }
    addExperts(report, modelled.experts);
    report.notes.push_back({assumed, Note::Kind::Hint});
    report.addCaveat(asSentence(unvalidated), true); // the headline
    report.addCaveat(notModelledText());
    return report;
}

} // namespace ask
} // namespace loadline
