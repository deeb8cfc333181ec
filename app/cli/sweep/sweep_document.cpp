// What `loadline sweep` says: the document, its table, and text for a terminal.
#include "app/cli/sweep/sweep_document.h"

#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/terminal/text_table.h"
#include "core/simulate/answer/remarks.h"
#include "core/simulate/study/study_tables.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <string_view>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

std::string_view keyOf(CrossoverKind kind) {
    switch (kind) {
    case CrossoverKind::QuantisedFaster:
        return "quantised_faster";
    case CrossoverKind::QuantisedSlower:
        return "quantised_slower";
    case CrossoverKind::One:
        return "one";
    case CrossoverKind::Several:
        break;
    }
    return "several";
}

Json orNull(const std::optional<double>& value) {
    return value ? Json(*value) : Json(nullptr);
}

/// A chunk of 0 stands for none.
Json chunkOrNull(Tokens chunk) {
    return chunk > 0 ? Json(chunk) : Json(nullptr);
}

Json bandOf(const Banded& banded) {
    return Json::array({banded.low, banded.high});
}

/// The published study's line for this point; null where it has none: another workload, other shapes, k or
/// chunk.
const PublishedUsers* publishedAt(const Swept& swept, const SweepPoint& point) {
    constexpr Tokens studyChunk = 512;
    const bool same = swept.request.workload == "reference" && swept.request.shapes.starts_with("study") &&
                      swept.request.arrivals.kind == ArrivalKind::Closed && point.kBits == 4 &&
                      point.chunkTokens == studyChunk;
    return same ? publishedUsersOf(point.users) : nullptr;
}

/// Of the k that was swept; nothing known of another.
MemoryFit memoryAt(const SweepResult& result, int kBits) {
    const auto found = std::ranges::find(result.memory, kBits, &MemoryFit::kBits);
    return found == result.memory.end() ? MemoryFit{} : *found;
}

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
        inputs.cost.kBits = memory.kBits;
    }
    if (!swept.inputs.users.empty()) {
        inputs.arrivals.users = swept.inputs.users.back();
    }
    return whatCounts(inputs, swept.result.memory.empty() ? memory : swept.result.memoryWithKv(memory.kBits));
}

Json pointDocument(const Swept& swept, const SweepPoint& point) {
    const bool closed = swept.request.arrivals.kind == ArrivalKind::Closed;
    Json document = {
        {"users", closed ? Json(point.users) : Json(nullptr)},
        {"chunk", chunkOrNull(point.chunkTokens)},
        {"k", point.kBits},
        {"avg_m", point.averageM.value},
        {"decode_only_fraction", point.decodeOnlyFraction.value},
        {"kernel_share", kernelShares(point.kernelShare)},
        {"time_vs_fp16", point.timeVsFp16.value},
        {"standard_error", point.standardError},
        {"band",
         {{"time_vs_fp16", bandOf(point.timeVsFp16)},
          {"avg_m", bandOf(point.averageM)},
          {"decode_only_fraction", bandOf(point.decodeOnlyFraction)}}},
        {"replicas_time_vs_fp16", point.replicaRatios},
    };
    MemoryFit memory = memoryAt(swept.result, point.kBits);
    memory.conversations = closed ? point.users : memory.conversations;
    addMemory(document, memory);
    if (const PublishedUsers* published = publishedAt(swept, point)) {
        document["published"] = {{"avg_m", published->averageM},
                                 {"decode_only_fraction", published->decodeOnlyFraction},
                                 {"time_vs_fp16", published->timeVsFp16},
                                 {"source", studySource}};
    }
    document["settled"] = swept.inputs.base.length.isGiven() ? Json(nullptr) : Json(point.settled);
    if (!closed) {
        document["queue_grows"] = point.queueGrows;
    }
    if (swept.inputs.latencies) {
        document["throughput_tokens_per_s"] = point.throughputTokensPerS.value;
        document["ttft_s"] = {{"p50", point.ttftP50S.value}, {"p90", point.ttftP90S.value}};
        document["tpot_s"] = {{"p50", point.tpotP50S.value}, {"p90", point.tpotP90S.value}};
    }
    if (memoryAt(swept.result, point.kBits).isTooLarge()) {
        withoutFigures(document, {"users", "chunk", "k", "fits", "memory_needed_bytes",
                                  "memory_available_bytes", "fp16_fits", "fp16_shortfall", "published"});
    }
    return document;
}

Json intervalOf(const CrossoverInterval& interval) {
    return {{"low", orNull(interval.low)},
            {"high", orNull(interval.high)},
            {"share_with_crossing", interval.shareWithCrossing},
            {"share_otherwise", interval.shareOtherwise},
            {"otherwise_users", orNull(interval.otherwiseUsers)}};
}

Json crossingsOf(const Crossover& crossover) {
    Json crossings = Json::array();
    for (const Crossing& crossing : crossover.crossings) {
        crossings.push_back(
            {{"users", crossing.users}, {"quantised_faster_below", crossing.quantisedFasterBelow}});
    }
    return crossings;
}

/// Null where the curve has none.
Json ruleJumpDocument(const std::optional<RuleJump>& jump) {
    if (!jump) {
        return nullptr;
    }
    return {{"from_users", jump->fromUsers},           {"to_users", jump->toUsers},
            {"time_vs_fp16_before", jump->before},     {"time_vs_fp16_after", jump->after},
            {"time_vs_fp16_fastest", jump->fastest},   {"bound_m", jump->move.boundM},
            {"kernel_below", keyOf(jump->move.below)}, {"kernel_above", keyOf(jump->move.above)},
            {"faster_to_m", jump->move.fasterToM}};
}

/// Null where the rule leaves no kernel out that would save time.
Json leftOutDocument(const std::optional<RuleLeftOut>& left) {
    if (!left) {
        return nullptr;
    }
    Json kernels = Json::array();
    for (const Kernel kernel : left->kernels) {
        kernels.push_back(keyOf(kernel));
    }
    return {{"kernels", kernels},
            {"users", left->users},
            {"time_vs_fp16", left->asRuled},
            {"time_vs_fp16_fastest", left->fastest}};
}

/// The first whole number of users from which on the other side is faster.
Json wholeUsers(const Crossover& crossover) {
    return crossover.crossings.empty() ? Json(nullptr) : Json(firstUsersBehind(crossover.crossings.front()));
}

Json crossoverDocument(const Crossover& crossover) {
    Json document = {
        {"k", crossover.kBits},
        {"chunk", chunkOrNull(crossover.chunkTokens)},
        {"fits", crossover.memory.fits() ? Json(*crossover.memory.fits()) : Json(nullptr)},
        {"users", crossover.crossings.empty() ? Json(nullptr) : Json(crossover.crossings.front().users)},
        {"low", orNull(crossover.all.low)},
        {"high", orNull(crossover.all.high)},
        {"kind", keyOf(crossover.kind)},
        {"crossings", crossingsOf(crossover)},
        {"step", keyOf(crossover.scope)},
        {"from_users", crossover.fromUsers},
        {"to_users", crossover.toUsers},
        {"share_with_crossing", crossover.all.shareWithCrossing},
        {"share_otherwise", crossover.all.shareOtherwise},
        {"otherwise_users", orNull(crossover.all.otherwiseUsers)},
        {"alone",
         {{"replicas", intervalOf(crossover.replicas)},
          {"sessions", intervalOf(crossover.sessions)},
          {"kernels", intervalOf(crossover.kernels)}}},
        {"best", {{"users", crossover.bestUsers}, {"time_vs_fp16", crossover.best.value}}},
        {"worst", {{"users", crossover.worstUsers}, {"time_vs_fp16", crossover.worst.value}}},
        {"from_whole_users", wholeUsers(crossover)},
        {"rule_jump", ruleJumpDocument(crossover.ruleJump)},
        {"rule_left_out", leftOutDocument(crossover.leftOut)},
        {"modelled_share", orNull(crossover.modelledShare)},
        {"sentence", crossover.sentence}};
    if (crossover.memory.isTooLarge()) {
        withoutFigures(document, {"k", "chunk", "fits", "step", "from_users", "to_users", "sentence"});
    }
    return document;
}

Json crossoversDocument(const std::vector<Crossover>& crossovers) {
    Json list = Json::array();
    for (const Crossover& crossover : crossovers) {
        list.push_back(crossoverDocument(crossover));
    }
    return list;
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

/// Time against fp16 by users, a column for each k; below it the rest of the last k, which hardly differs.
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
    for (const std::size_t k : fitting) {
        table.columns.push_back({fmt::format("k = {}", result.kBits[k]), true});
        table.columns.push_back({"5 to 95 %"});
    }
    table.columns.push_back({"M", true});
    table.columns.push_back({"Decode only", true});
    if (swept.inputs.latencies) {
        table.columns.push_back({"Tokens/s", true});
        table.columns.push_back({"TTFT p50", true});
        table.columns.push_back({"TPOT p50", true});
    }
    for (std::size_t u = 0; u < result.users.size(); ++u) {
        const SweepPoint& last = result.at(fitting.back(), chunk, u);
        std::vector<std::string> row = {closed ? formatExact(last.users) : std::string()};
        for (const std::size_t k : fitting) {
            const Banded& ratio = result.at(k, chunk, u).timeVsFp16;
            row.push_back(fmt::format("{:.3f}", ratio.value));
            row.push_back(fmt::format("{:.3f} .. {:.3f}", ratio.low, ratio.high));
        }
        row.push_back(fmt::format("{:.1f}", last.averageM.value));
        row.push_back(formatShare(last.decodeOnlyFraction.value));
        if (swept.inputs.latencies) {
            row.push_back(formatCount(last.throughputTokensPerS.value));
            row.push_back(formatSeconds(last.ttftP50S.value));
            row.push_back(formatSeconds(last.tpotP50S.value));
        }
        table.rows.push_back(std::move(row));
    }
    const Tokens tokens = result.chunks[chunk];
    const std::string head = tokens > 0 ? fmt::format("Chunk {}", tokens) : std::string("No chunk limit");
    return fmt::format("{}: time vs fp16\n{}\n", head, alignedText(table));
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
        const MemoryFit memory = memoryAt(swept.result, point.kBits);
        if (memory.isTooLarge()) {
            std::fill(row.begin() + 3, row.end(), Cell());
        }
        row.push_back(fitCell(memory.fits()));
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
