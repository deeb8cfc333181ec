// Describes a sweep.
#include "core/ask/table_of.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/report/swept.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline::ask {
namespace {

/// Whether every k that was swept fits: what the one that needs most needs.
MemoryFit mostMemory(const SweepResult& result) {
    return result.memory.empty() ? MemoryFit{}
                                 : *std::ranges::max_element(result.memory, {}, &MemoryFit::neededBytes);
}

/// Returns the facts of the k that takes the most memory, at the most users.
std::vector<CountedFact> factsOfSweep(const Swept& swept) {
    SimulationInputs inputs = swept.inputs.base;
    const MemoryFit memory = mostMemory(swept.result);
    if (!swept.result.memory.empty()) {
        inputs.cost.format = withWeights(inputs.cost.format, memory.weights);
    }
    if (!swept.inputs.users.empty()) {
        inputs.arrivals.users = swept.inputs.users.back();
    }
    std::vector<CountedFact> facts =
        whatCounts(inputs, swept.result.memory.empty() ? memory : swept.result.memoryWithKv(memory.weights));
    addModelledShares(facts, modelledSharesOf(swept.result));
    return facts;
}

/// The most that the KV cache held at each k, and what fp16's weights would leave for it.
void addKvPeaks(Report& report, const SweepResult& result) {
    std::vector<MemoryFit> fits;
    for (const Storage weights : result.weights) {
        fits.push_back(result.memoryWithKv(weights));
        fits.back().weights = weights;
    }
    const auto& kept = report.keep(std::move(fits));
    report.add(TableOf("kv_peak", kept)
                   .with(weightsColumns([&kept](std::size_t row) { return kept[row].weights; }))
                   .document("bytes", [](const MemoryFit& fit) { return bytesCell(fit.kvBytes); })
                   .document("fp16_leaves_bytes",
                             [](const MemoryFit& fit) {
                                 return only(fit.share > 0,
                                             bytesCell(fit.share * fit.memoryBytes - fit.weightFp16Bytes));
                             })
                   .document("sentence", fp16SentenceOf));
}

/// Room of each k and of the format compared with.
void addFormats(Report& report, const SweepResult& result) {
    using F = SweptPair;
    const auto& pairs = result.pairs;
    TableOf table("formats", pairs);
    table.with(formatColumns("format.", [&](std::size_t k) -> const Format& { return pairs[k].format; }))
        .document("fits", &F::fits)
        .document("longest_request_tokens", &F::longest)
        .document("refused_share", &F::refusedShare)
        .with({columnAt("users_that_fit", [&](std::size_t k) { return usersThatFit(result.memory[k]); })})
        .with(formatColumns("against.format.",
                            [&](std::size_t k) -> const Format& { return pairs[k].againstFormat; }))
        .document("against.fits", &F::againstFits)
        .document("against.weights_bytes",
                  [](const F& pair) { return std::llround(pair.against.weightBytes); })
        .document("against.longest_request_tokens", &F::againstLongest)
        .document("against.refused_share", &F::againstRefusedShare)
        .document("against.users_that_fit", [](const F& pair) { return usersThatFit(pair.against); });
    report.add(std::move(table));
}

std::string chunkText(Tokens chunk) {
    return chunk > 0 ? fmt::format("Chunk {}", chunk) : std::string("No chunk limit");
}

/// Turns per second, or time, against the other format by users, columns for each k that fits; behind them
/// the rest of the last k, which hardly differs.
class ChunkTable {
public:
    ChunkTable(const Swept& swept, std::size_t chunk) : swept_(swept), chunk_(chunk) {
        for (std::size_t k = 0; k < swept.result.weights.size(); ++k) {
            const Storage weights = swept.result.weights[k];
            const SweptPair* const own = swept.pairAt(weights);
            if (!swept.memoryAt(weights).isTooLarge() && (own == nullptr || own->fits)) {
                fitting_.push_back(k);
            }
        }
        isServed_ = !fitting_.empty() && !swept.result.pairs.empty() && pair().isCompared();
    }

    void addTo(Report& report) const {
        if (fitting_.empty()) { // a curve of what does not fit would be of no device
            return;
        }
        const SweepResult& result = swept_.result;
        std::vector<Column> columns;
        if (swept_.isClosed()) {
            columns.push_back(
                textColumn("Users", fitting_.back(), [](const SweepPoint& p) { return p.users; }));
        }
        for (const std::size_t k : fitting_) {
            addRatio(columns, k);
        }
        addRest(columns, fitting_.back());
        report.add({}, chunkText(result.chunks[chunk_]) + ": " + what(), result.users.size(),
                   std::move(columns));
        std::get<Table>(report.parts.back()).textRows = result.users.size();
    }

private:
    [[nodiscard]] const SweptPair& pair() const { return swept_.result.pairs[fitting_.back()]; }

    [[nodiscard]] std::string what() const {
        return isServed_ ? "turns per second vs " + nameOf(pair().againstFormat)
                         : std::string("time vs fp16");
    }

    template <typename Of>
    [[nodiscard]] Column textColumn(std::string title, std::size_t k, Of of, Form form = Form::Plain) const {
        return columnAt(
            {},
            [&result = swept_.result, chunk = chunk_, k, of](std::size_t u) {
                return Cell(of(result.at(k, chunk, u)));
            },
            std::move(title), form);
    }

    void addRatio(std::vector<Column>& columns, std::size_t k) const {
        const bool isServed = isServed_;
        columns.push_back(textColumn(std::string(specOf(swept_.result.weights[k]).name), k,
                                     [isServed](const SweepPoint& p) {
                                         return !p.fits()   ? Cell("does not fit")
                                                : !isServed ? Cell(p.timeVsFp16.value)
                                                : p.against ? Cell(p.against->turnsPerS.value)
                                                            : Cell();
                                     }));
        columns.push_back(textColumn(isServed ? "95 %" : "5 to 95 %", k, [isServed](const SweepPoint& p) {
            return !p.fits()   ? Cell()
                   : !isServed ? Cell(endsOf(p.timeVsFp16))
                   : p.against ? endsOf(p.against->turnsPerS)
                               : Cell();
        }));
    }

    void addRest(std::vector<Column>& columns, std::size_t k) const {
        const auto add = [&](std::string title, Form form, auto of) {
            columns.push_back(textColumn(
                std::move(title), k, [of](const SweepPoint& p) { return p.fits() ? Cell(of(p)) : Cell(); },
                form));
        };
        add("M", Form::Plain, [](const SweepPoint& p) { return p.averageM.value; });
        add("Decode only", Form::Share, [](const SweepPoint& p) { return p.decodeOnlyFraction.value; });
        if (swept_.inputs.latencies) {
            add("Tokens/s", Form::Tokens, [](const SweepPoint& p) { return p.throughputTokensPerS.value; });
            add("TTFT p50", Form::Seconds, [](const SweepPoint& p) { return p.ttftP50S.value; });
            add("TPOT p50", Form::Seconds, [](const SweepPoint& p) { return p.tpotP50S.value; });
        }
        if (isServed_) {
            const std::string other = nameOf(pair().againstFormat);
            const auto addOther = [&](const char* title, Form form, Banded ServedFigures::*of) {
                add(other + title, form, [of](const SweepPoint& p) {
                    const ServedFigures figures = p.against ? p.against->figures : ServedFigures();
                    return only(p.againstFits(), (figures.*of).value);
                });
            };
            addOther(" tokens/s", Form::Tokens, &ServedFigures::throughputTokensPerS);
            addOther(" TTFT p50", Form::Seconds, &ServedFigures::ttftP50S);
            add("Same batches", Form::Plain, [](const SweepPoint& p) { return p.timeVsFp16.value; });
        }
    }

    const Swept& swept_;
    std::size_t chunk_;
    std::vector<std::size_t> fitting_;
    bool isServed_ = false;
};

void sayCrossovers(Report& report, const std::vector<Crossover>& crossovers, const char* scope) {
    std::string text;
    for (const Crossover& crossover : crossovers) {
        text += fmt::format("{}{}{}: {}", text.empty() ? "" : "\n", chunkText(crossover.chunkTokens), scope,
                            crossover.sentence);
    }
    report.say(text);
}

/// Adds the sentences on formats that do not fit, each once: fp16's is the same at every k.
void sayMemory(Report& report, const Swept& swept) {
    std::string text;
    for (const Storage weights : swept.result.weights) {
        const std::string line = memoryText(swept.result.memoryWithKv(weights));
        if (text.find(line) == std::string::npos) {
            text += (text.empty() ? "" : "\n") + line;
        }
    }
    report.say(text);
    report.say(beyondPositionsOf(swept.inputs.base));
}

} // namespace

Report sweepReport(const Swept& swept, const std::string& command) {
    const SweepResult& result = swept.result;
    Report report;
    report.schema = "loadline.sweep/1";
    sayMemory(report, swept);
    addInputs(report, swept.request, swept.inputs.base, command);
    if (swept.isClosed()) {
        report.add(listOf("inputs.users", result.users));
    }
    report.add(TableOf("inputs.chunk", result.chunks, Shape::Scalars).document("value", [](Tokens chunk) {
        return only(chunk > 0, chunk);
    }));
    report.add(TableOf("inputs.k", result.weights, Shape::Scalars).document("value", kOf));
    if (!std::ranges::all_of(result.weights, [](Storage weights) { return kOf(weights).has_value(); })) {
        report.add(
            TableOf("inputs.weights", result.weights, Shape::Scalars).document("value", [](Storage weights) {
                return specOf(weights).key;
            }));
    }
    sayInputs(report, swept.request, swept.inputs.base, true);
    report.add("replicas", swept.request.replicas);
    addMemory(report, mostMemory(result));
    std::vector<CountedFact> facts = factsOfSweep(swept);
    addSimulationCaveats(report, swept.inputs.base, mostMemory(result), facts);
    addWhatCounts(report, std::move(facts));
    report.add("memory_counts", "weights"); // what the KV cache takes beside them grows with the users
    addKvPeaks(report, result);
    if (!result.pairs.empty()) {
        addFormats(report, result);
    }
    const bool isWhole = swept.request.scope == StepScope::WholeStep;
    sayCrossovers(report, swept.crossovers, isWhole ? ", whole steps" : "");
    sayCrossovers(report, swept.gemmCrossovers, ", GEMMs alone");
    addPoints(report, swept);
    for (std::size_t chunk = 0; chunk < result.chunks.size(); ++chunk) {
        ChunkTable(swept, chunk).addTo(report);
    }
    addCrossovers(report, "crossovers", swept.crossovers);
    if (isWhole) {
        addCrossovers(report, "gemm_crossovers", swept.gemmCrossovers);
    }
    const double wallS = swept.pointsWallS;
    report.add("speed.steps_per_s", wallS > 0 ? static_cast<double>(result.steps) / wallS : 0.0);
    report.add("speed.wall_s", wallS);
    report.add("speed.crossovers_wall_s", swept.crossoversWallS);
    report.add("speed.steps", result.steps);
    report.add("speed.turns", result.turns);
    addSources(report, *swept.inputs.base.workload, swept.provenance);
    report.say(fmt::format("{} settings, {} steps in {}", result.points.size(),
                           formatExact(static_cast<std::int64_t>(result.steps)),
                           formatSeconds(wallS + swept.crossoversWallS)));
    return report;
}

} // namespace loadline::ask
