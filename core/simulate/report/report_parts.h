// Parts that reports of simulations share: rows of columns, of which addRow makes facts.
#pragma once

#include "core/ask/report.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/request/simulation_request.h"
#include "core/simulate/study/study_tables.h"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::ask {

/// The cell where it is known, else none.
inline Cell only(bool known, Cell cell) {
    return known ? std::move(cell) : Cell();
}

/// Whole bytes; none where there are 0.
Cell bytesCell(double bytes);
Cell usersThatFitCell(const MemoryFit& fit);

inline Interval endsOf(const Banded& band) {
    return {band.low, band.high};
}

/// None of fewer than two runs.
Cell endsOf(const PairedRatio& ratio);

/// weights, kv, experts
std::vector<Column> formatColumns(const std::string& prefix,
                                  std::function<const Format&(std::size_t row)> of);
/// k; where no k names the weights it is null, and "weights" stands beside it.
std::vector<Column> weightsColumns(const std::function<Storage(std::size_t row)>& of);
/// n, mean, p50, p90, p99; none known of an empty sample
std::vector<Column> quantileColumns(const std::string& prefix,
                                    const std::function<const Quantiles&(std::size_t row)>& of);
/// Shares by serving kernel: always scalar, mma and dequant_cublas, others where they take time.
std::vector<Column>
kernelColumns(const std::string& prefix,
              const std::function<const std::array<double, kernelCount>&(std::size_t row)>& of);
/// fits (none: nobody knows), memory_needed_bytes, memory_available_bytes, fp16_fits and fp16_shortfall
/// (fp16ShortfallOf).
std::vector<Column> memoryColumns(const std::function<MemoryFit(std::size_t row)>& of);

void addFormat(Report& report, const std::string& path, const Format& format);
void addQuantiles(Report& report, const std::string& path, const Quantiles& quantiles);
void addMemory(Report& report, const MemoryFit& fit);

/// An interval by its name, what chance in the runs leaves of it, and what the error of kernel times does.
struct NamedInterval {
    std::string name;
    Cell whole = {}; ///< both together
    Cell runs = {};  ///< none where one run cannot tell
    Cell kernelTimes = {};
    std::optional<double> withoutError = {}; ///< share of the GEMM time; none: kernel times do not move it
    std::string of = {};
};

/// With the parts of an interval whose kernel times err.
NamedInterval namedInterval(std::string name, Cell whole, Cell runs, double value, const KernelError& error,
                            double z = z95);
/// runs, kernel_times, without_error_share, of
std::vector<Column> partColumns(const std::string& prefix,
                                const std::function<NamedInterval(std::size_t row)>& of);
/// {name: interval} and {name: {parts}}
void addIntervals(Report& report, const std::string& path, const std::vector<NamedInterval>& intervals);
void addParts(Report& report, const std::string& path, const std::vector<NamedInterval>& intervals);

/// The error of the kernel times in the intervals of one format's runs.
struct IntervalErrors {
    KernelError timeVsFp16;
    KernelError clock; ///< of tokens and turns a second
};

/// "run": whether the figures are settled, what was left out and measured, null for runs of a given length;
/// "interval" and "interval_parts": 95 % intervals by the name of the figure, with `tells` of latencies too.
void addRun(Report& report, const std::string& path, const std::optional<RunReport>& run, bool tells,
            const IntervalErrors& errors);
/// Returns how much was measured and how certain the first figures are; "" for runs of a given length.
std::string runText(const std::optional<RunReport>& run, bool tells, const IntervalErrors& errors);

/// "inputs": every choice with its value, defaults included but those of experts, KV cache, GPUs and the
/// format compared with, and what its names stood for: enough to run it again. `command`: the line that does.
void addInputs(Report& report, const SimulationRequest& request, const SimulationInputs& inputs,
               const std::string& command);
/// "8 users in a closed loop; vLLM V1, ...": the same for people. In a sweep without what is swept.
void sayInputs(Report& report, const SimulationRequest& request, const SimulationInputs& inputs,
               bool sweep = false);
void addWhatCounts(Report& report, std::vector<CountedFact> facts);
/// Returns which formats do not fit, quantised or fp16; "" if there is nothing to report.
std::string memoryText(const MemoryFit& fit);
/// Adds as caveats what does not fit, the facts that warn, and what else qualifies an answer of these inputs.
void addSimulationCaveats(Report& report, const SimulationInputs& inputs, const MemoryFit& fit,
                          std::span<const CountedFact> facts);
/// Adds the limits of the data as caveats, and the sources of times and turns.
void addSources(Report& report, const Workload& workload, const std::vector<std::string>& provenance);

/// Rows of quantiles for people: those that are of something.
void addQuantileTable(Report& report, const char* title, Form form,
                      std::vector<std::pair<const char*, Quantiles>> rows);

/// "against", "turns_per_s_vs_against", "vs_against", "interval_vs_against" with its parts, "compared_on",
/// "whole" and "headline"; for people a table of both formats' figures, and what turns they are of.
void addPair(Report& report, const FormatPair& pair);
/// The table for people.
void tellPair(Report& report, const FormatPair& pair);

/// "Turns refused: longer than fp16's KV room of 54 400 tokens": the smaller room of two formats, or
/// `maxModelLen`, which was asked for.
std::string refusedText(const SimulationInputs& inputs, Tokens maxModelLen,
                        const std::optional<FormatPair>& pair);

/// "study": {"source", "seeds", "iterations", "readings": [{"reading", "users": [..], "turn"}], "notes"}: of
/// each figure what was published (null where nothing was), ours, and ours's standard deviation.
void addStudy(Report& report, const StudyTables& tables);

} // namespace loadline::ask
