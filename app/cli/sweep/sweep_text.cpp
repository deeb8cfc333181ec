// `loadline sweep` for a terminal.
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/sweep/sweep_document.h"
#include "app/cli/terminal/text_table.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

namespace loadline::app {
namespace {

/// Time against fp16 by users, a column for each k; below it the rest of the last k, which hardly differs.
std::string chunkTable(const Swept& swept, std::size_t chunk) {
    const SweepResult& result = swept.result;
    const bool closed = swept.request.arrivals.kind == ArrivalKind::Closed;
    TextTable table;
    table.columns = {{closed ? "Users" : "", true}};
    for (const int k : result.kBits) {
        table.columns.push_back({fmt::format("k = {}", k), true});
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
        const SweepPoint& last = result.at(result.kBits.size() - 1, chunk, u);
        std::vector<std::string> row = {closed ? fmt::format("{}", last.users) : std::string()};
        for (std::size_t k = 0; k < result.kBits.size(); ++k) {
            const Banded& ratio = result.at(k, chunk, u).timeVsFp16;
            row.push_back(fmt::format("{:.3f}", ratio.value));
            row.push_back(fmt::format("{:.3f} .. {:.3f}", ratio.low, ratio.high));
        }
        row.push_back(fmt::format("{:.1f}", last.averageM.value));
        row.push_back(formatShare(last.decodeOnlyFraction.value));
        if (swept.inputs.latencies) {
            row.push_back(formatCount(last.throughputTokensPerS.value));
            row.push_back(fmt::format("{:.3g} s", last.ttftP50S.value));
            row.push_back(fmt::format("{:.3g} ms", 1e3 * last.tpotP50S.value));
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

std::string sweepText(const Swept& swept) {
    std::string text;
    for (const MemoryFit& memory : swept.result.memory) {
        const std::string line = memoryText(memory);
        text += text.find(line) == std::string::npos ? line : std::string(); // fp16 is the same at every k
    }
    text += (text.empty() ? "" : "\n") + inputsText(swept.request, swept.inputs.base, true) + "\n";
    const bool whole = swept.request.scope == StepScope::WholeStep;
    text += sentences(swept.crossovers, whole ? ", whole steps" : "");
    text += sentences(swept.gemmCrossovers, ", GEMMs alone");
    for (std::size_t chunk = 0; chunk < swept.result.chunks.size(); ++chunk) {
        text += chunkTable(swept, chunk);
    }
    text += sourcesText(*swept.inputs.base.workload, swept.provenance);
    return text + fmt::format("{} settings, {} steps in {:.3g} s\n", swept.result.points.size(),
                              formatCount(static_cast<double>(swept.result.steps)),
                              swept.pointsWallS + swept.crossoversWallS);
}

} // namespace loadline::app
