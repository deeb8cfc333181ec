// What `loadline sweep` says: the document, its table, and text for a terminal.
#include "app/cli/sweep/sweep_document.h"

#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/sweep/crossover_document.h"
#include "app/cli/sweep/point_document.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"
#include "core/text/text_table.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

/// Whether every k that was swept fits: what the one that needs most needs.
MemoryFit mostMemory(const SweepResult& result) {
    return result.memory.empty() ? MemoryFit{}
                                 : *std::ranges::max_element(result.memory, {}, &MemoryFit::neededBytes);
}

/// Of the k that takes most memory, at the most users.
std::vector<CountedFact> factsOf(const Swept& swept) {
    SimulationInputs inputs = swept.inputs.base;
    const MemoryFit memory = mostMemory(swept.result);
    if (!swept.result.memory.empty()) {
        inputs.cost.format = withBits(inputs.cost.format, memory.kBits);
    }
    if (!swept.inputs.users.empty()) {
        inputs.arrivals.users = swept.inputs.users.back();
    }
    std::vector<CountedFact> facts =
        whatCounts(inputs, swept.result.memory.empty() ? memory : swept.result.memoryWithKv(memory.kBits));
    addModelledShares(facts, modelledSharesOf(swept.result));
    return facts;
}

/// The most that the KV cache held at each k, and what fp16's weights would leave for it.
Json kvPeaks(const SweepResult& result) {
    const auto bytes = [](double value) { return value > 0 ? Json(std::llround(value)) : Json(nullptr); };
    Json list = Json::array();
    for (const int k : result.kBits) {
        const MemoryFit fit = result.memoryWithKv(k);
        const double left = fit.share * fit.memoryBytes - fit.weightFp16Bytes;
        list.push_back({{"k", k},
                        {"bytes", bytes(fit.kvBytes)},
                        {"fp16_leaves_bytes", fit.share > 0 ? bytes(std::max(left, 0.0)) : Json(nullptr)},
                        {"sentence", fp16SentenceOf(fit)}});
    }
    return list;
}

Json chunksOf(const SweepResult& result) {
    Json chunks = Json::array();
    for (const Tokens chunk : result.chunks) {
        chunks.push_back(chunkOrNull(chunk));
    }
    return chunks;
}

/// The ratio at one point and its interval: of turns per second, else of time.
std::pair<std::string, std::string> ratioCells(const SweepPoint& point, bool served) {
    if (!point.fits()) {
        return {"does not fit", ""};
    }
    if (!served) {
        const Banded& ratio = point.timeVsFp16;
        return {fmt::format("{:.3f}", ratio.value), fmt::format("{:.3f} .. {:.3f}", ratio.low, ratio.high)};
    }
    if (!point.against) {
        return {"-", "-"};
    }
    const PairedRatio& ratio = point.against->turnsPerS;
    return {fmt::format("{:.3f}", ratio.value),
            ratio.low ? fmt::format("{:.3f} .. {:.3f}", *ratio.low, *ratio.high) : std::string("-")};
}

/// Turns per second, or time, against the other format by users, a column for each k; below it the rest of
/// the last k, which hardly differs.
std::string chunkTable(const Swept& swept, std::size_t chunk) {
    const SweepResult& result = swept.result;
    const bool closed = swept.request.arrivals.kind == ArrivalKind::Closed;
    std::vector<std::size_t> fitting; // a curve of what does not fit would be of no device
    for (std::size_t k = 0; k < result.kBits.size(); ++k) {
        if (!memoryAt(result, result.kBits[k]).isTooLarge()) {
            fitting.push_back(k);
        }
    }
    if (fitting.empty()) {
        return {};
    }
    TextTable table;
    table.columns = {{closed ? "Users" : "", true}};
    const bool served = !result.pairs.empty() && result.pairs[fitting.back()].isCompared();
    for (const std::size_t k : fitting) {
        table.columns.push_back({fmt::format("k = {}", result.kBits[k]), true});
        table.columns.push_back({served ? "95 %" : "5 to 95 %"});
    }
    table.columns.push_back({"M", true});
    table.columns.push_back({"Decode only", true});
    if (swept.inputs.latencies) {
        table.columns.push_back({"Tokens/s", true});
        table.columns.push_back({"TTFT p50", true});
        table.columns.push_back({"TPOT p50", true});
    }
    if (served) {
        const std::string other = nameOf(result.pairs[fitting.back()].againstFormat);
        table.columns.push_back({other + " tokens/s", true});
        table.columns.push_back({other + " TTFT p50", true});
        table.columns.push_back({"Same batches", true});
    }
    for (std::size_t u = 0; u < result.users.size(); ++u) {
        const SweepPoint& last = result.at(fitting.back(), chunk, u);
        std::vector<std::string> row = {closed ? formatExact(last.users) : std::string()};
        for (const std::size_t k : fitting) {
            const auto [value, band] = ratioCells(result.at(k, chunk, u), served);
            row.push_back(value);
            row.push_back(band);
        }
        if (!last.fits()) {
            row.resize(table.columns.size(), "-");
            table.rows.push_back(std::move(row));
            continue;
        }
        row.push_back(fmt::format("{:.1f}", last.averageM.value));
        row.push_back(formatShare(last.decodeOnlyFraction.value));
        if (swept.inputs.latencies) {
            row.push_back(formatCount(last.throughputTokensPerS.value));
            row.push_back(formatSeconds(last.ttftP50S.value));
            row.push_back(formatSeconds(last.tpotP50S.value));
        }
        if (served) {
            const ServedFigures other = last.against ? last.against->figures : ServedFigures();
            row.push_back(last.againstFits() ? formatCount(other.throughputTokensPerS.value) : "-");
            row.push_back(last.againstFits() ? formatSeconds(other.ttftP50S.value) : "-");
            row.push_back(fmt::format("{:.3f}", last.timeVsFp16.value));
        }
        table.rows.push_back(std::move(row));
    }
    const Tokens tokens = result.chunks[chunk];
    const std::string head = tokens > 0 ? fmt::format("Chunk {}", tokens) : std::string("No chunk limit");
    return fmt::format("{}: {}\n{}\n", head,
                       served ? "turns per second vs " + nameOf(result.pairs[fitting.back()].againstFormat)
                              : "time vs fp16",
                       alignedText(table));
}

/// Columns of what each format serves; empty where they are not compared.
std::vector<Cell> servedCells(const SweepPoint& point) {
    std::vector<Cell> cells = {point.turnsPerS.value};
    if (!point.against) {
        cells.resize(14);
        return cells;
    }
    const PairedRatio& ratio = point.against->turnsPerS;
    const ServedFigures& other = point.against->figures;
    cells.emplace_back(ratio.value);
    cells.push_back(ratio.low ? Cell(*ratio.low) : Cell());
    cells.push_back(ratio.high ? Cell(*ratio.high) : Cell());
    for (const Banded* figure :
         {&other.turnsPerS, &other.throughputTokensPerS, &point.ttftP99S, &point.tpotP99S, &point.e2eMeanS,
          &other.ttftP50S, &other.ttftP99S, &other.tpotP50S, &other.tpotP99S, &other.e2eMeanS}) {
        cells.emplace_back(figure->value);
    }
    return cells;
}

std::string sentences(const std::vector<Crossover>& crossovers, const std::string& scope) {
    std::string text;
    for (const Crossover& crossover : crossovers) {
        const std::string chunk = crossover.chunkTokens > 0 ? fmt::format("Chunk {}", crossover.chunkTokens)
                                                            : std::string("No chunk limit");
        text += fmt::format("{}{}: {}\n", chunk, scope, crossover.sentence);
    }
    return text.empty() ? text : text + "\n";
}

} // namespace

nlohmann::ordered_json sweepDocument(const Swept& swept, const std::vector<std::string>& command) {
    Json inputs = inputsDocument(swept.request, swept.inputs.base, command);
    if (swept.request.arrivals.kind == ArrivalKind::Closed) {
        inputs["users"] = swept.result.users;
    }
    inputs["chunk"] = chunksOf(swept.result);
    inputs["k"] = swept.result.kBits;
    Json points = Json::array();
    for (const SweepPoint& point : swept.result.points) {
        points.push_back(pointDocument(swept, point));
    }
    Json document = {
        {"schema", "loadline.sweep/1"}, {"inputs", std::move(inputs)}, {"replicas", swept.request.replicas}};
    addMemory(document, mostMemory(swept.result));
    document["what_counts"] = whatCountsDocument(factsOf(swept));
    document["memory_counts"] = "weights"; // what the KV cache takes beside them grows with the users
    document["kv_peak"] = kvPeaks(swept.result);
    if (!swept.result.pairs.empty()) {
        document["formats"] = formatsDocument(swept.result);
    }
    document["points"] = std::move(points);
    document["crossovers"] = crossoversDocument(swept.crossovers);
    if (swept.request.scope == StepScope::WholeStep) {
        document["gemm_crossovers"] = crossoversDocument(swept.gemmCrossovers);
    }
    const double wallS = swept.pointsWallS;
    document["speed"] = {{"steps_per_s", wallS > 0 ? static_cast<double>(swept.result.steps) / wallS : 0},
                         {"wall_s", wallS},
                         {"crossovers_wall_s", swept.crossoversWallS},
                         {"steps", swept.result.steps},
                         {"turns", swept.result.turns}};
    document["provenance"] = swept.provenance;
    return document;
}

Table sweepTable(const Swept& swept) {
    Table table;
    table.columns = {"k",
                     "chunk_tokens",
                     "users",
                     "time_vs_fp16",
                     "time_vs_fp16_low",
                     "time_vs_fp16_high",
                     "standard_error",
                     "average_m",
                     "decode_only_fraction"};
    std::vector<std::size_t> kernels;
    for (const Kernel kernel : allKernels) {
        const auto i = static_cast<std::size_t>(kernel);
        for (const SweepPoint& point : swept.result.points) {
            if (point.kernelShare[i] > 0) {
                kernels.push_back(i);
                table.columns.push_back("share_" + std::string(keyOf(kernel)));
                break;
            }
        }
    }
    if (swept.inputs.latencies) {
        for (const char* column :
             {"throughput_tokens_per_s", "ttft_p50_s", "ttft_p90_s", "tpot_p50_s", "tpot_p90_s"}) {
            table.columns.emplace_back(column);
        }
    }
    const bool served = !swept.result.pairs.empty();
    if (served) {
        for (const char* column :
             {"turns_per_s", "turns_per_s_vs_against", "vs_against_low", "vs_against_high",
              "against_turns_per_s", "against_throughput_tokens_per_s", "ttft_p99_s", "tpot_p99_s",
              "e2e_mean_s", "against_ttft_p50_s", "against_ttft_p99_s", "against_tpot_p50_s",
              "against_tpot_p99_s", "against_e2e_mean_s"}) {
            table.columns.emplace_back(column);
        }
    }
    table.columns.emplace_back("fits");
    table.columns.emplace_back("fp16_fits");
    const bool closed = swept.request.arrivals.kind == ArrivalKind::Closed;
    for (const SweepPoint& point : swept.result.points) {
        std::vector<Cell> row(3); // empty: no chunk limit, no users
        row[0] = std::int64_t{point.kBits};
        if (point.chunkTokens > 0) {
            row[1] = point.chunkTokens;
        }
        if (closed) {
            row[2] = point.users;
        }
        for (const double value :
             {point.timeVsFp16.value, point.timeVsFp16.low, point.timeVsFp16.high, point.standardError,
              point.averageM.value, point.decodeOnlyFraction.value}) {
            row.emplace_back(value);
        }
        for (const std::size_t i : kernels) {
            row.emplace_back(point.kernelShare[i]);
        }
        if (swept.inputs.latencies) {
            for (const double value : {point.throughputTokensPerS.value, point.ttftP50S.value,
                                       point.ttftP90S.value, point.tpotP50S.value, point.tpotP90S.value}) {
                row.emplace_back(value);
            }
        }
        if (served) {
            for (Cell& cell : servedCells(point)) {
                row.push_back(std::move(cell));
            }
        }
        const MemoryFit memory = memoryAt(swept.result, point.kBits);
        if (memory.isTooLarge() || !point.fits()) {
            std::fill(row.begin() + 3, row.end(), Cell());
        }
        row.push_back(fitCell(point.fits() ? memory.fits() : false));
        row.push_back(fitCell(memory.fp16Fits()));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string sweepText(const Swept& swept) {
    std::string text;
    for (const int k : swept.result.kBits) {
        const MemoryFit memory = swept.result.memoryWithKv(k);
        const std::string line = memoryText(memory);
        text += text.find(line) == std::string::npos ? line : std::string(); // fp16 is the same at every k
    }
    if (const std::string beyond = beyondPositionsOf(swept.inputs.base); !beyond.empty()) {
        text += beyond + "\n";
    }
    text += (text.empty() ? "" : "\n") + inputsText(swept.request, swept.inputs.base, true) + "\n";
    text += whatCountsText(factsOf(swept)) + "\n";
    const bool whole = swept.request.scope == StepScope::WholeStep;
    text += sentences(swept.crossovers, whole ? ", whole steps" : "");
    text += sentences(swept.gemmCrossovers, ", GEMMs alone");
    for (std::size_t chunk = 0; chunk < swept.result.chunks.size(); ++chunk) {
        text += chunkTable(swept, chunk);
    }
    text += sourcesText(*swept.inputs.base.workload, swept.provenance);
    return text + fmt::format("{} settings, {} steps in {}\n", swept.result.points.size(),
                              formatExact(static_cast<std::int64_t>(swept.result.steps)),
                              formatSeconds(swept.pointsWallS + swept.crossoversWallS));
}

} // namespace loadline::app
