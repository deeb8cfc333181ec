// A simulated setting in words and tables.
#include "core/simulate/answer/replayed.h"
#include "core/simulate/answer/simulator_figure.h"
#include "core/simulate/answer/what_counts.h"
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/rate_crossings.h"
#include "core/simulate/study/remarks.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::string where(const SimulatorFigure& figure) {
    const ArrivalSetup& arrivals = figure.inputs.arrivals;
    return (arrivals.kind == ArrivalKind::Closed ? "With " : "At ") + describe(arrivals);
}

/// "36 % more time than fp16"; where the error does not tell which, "about as long as fp16".
std::string verdictOf(double ratio, double error, bool preview) {
    const double apart = std::abs(ratio - 1);
    return preview && apart < error
               ? "about as long as fp16"
               : roughShare(apart, error) + (ratio < 1 ? " less" : " more") + " time than fp16";
}

/// Empty where arrivals have a rate.
Cell usersCell(const SweepPoint& point) {
    return point.ratePerS > 0 ? Cell() : Cell(point.users);
}

/// turns_per_s_vs_against and what follows; empty where formats are not compared.
std::vector<Cell> againstCells(const SweepPoint& point) {
    std::vector<Cell> cells(10);
    if (!point.against) {
        return cells;
    }
    const PairedRatio& ratio = point.against->turnsPerS;
    const ServedFigures& other = point.against->figures;
    cells[0] = ratio.value;
    cells[1] = ratio.low ? Cell(*ratio.low) : Cell();
    cells[2] = ratio.high ? Cell(*ratio.high) : Cell();
    std::size_t place = 3;
    for (const Banded* figure : {&other.turnsPerS, &other.throughputTokensPerS, &other.ttftP50S,
                                 &other.ttftP99S, &other.tpotP50S, &other.tpotP99S, &other.e2eMeanS}) {
        cells[place++] = figure->value;
    }
    return cells;
}

Cell rateCell(const SweepPoint& point) {
    return point.ratePerS > 0 ? Cell(point.ratePerS) : Cell();
}

/// That fp16 could not serve this, for the first sentence, and why, as the next. Where fp16 has runs of its
/// own these say it.
std::pair<std::string, std::string> shortfallOf(const MemoryFit& fit) {
    const std::string clause = fp16ShortfallOf(fit);
    const std::size_t colon = clause.find(": ");
    if (colon == std::string::npos) {
        return {};
    }
    const bool isTold = !fit.fp16Fits().value_or(true); // by fp16SentenceOf
    return {"; " + clause.substr(0, colon), isTold ? "" : " " + clause.substr(colon + 2) + "."};
}

/// Returns the sentence about the same batches in both formats, and how the setting runs.
std::string batchesText(const SimulatorFigure& figure) {
    const double ratio = figure.timeVsFp16.value;
    const std::string what = figure.inputs.scope == StepScope::GemmOnly ? "GEMMs" : "whole steps";
    const bool preview = figure.stage == FigureStage::Preview;
    const bool isOneRun = preview && figure.present.runs <= 1; // which cannot tell how far it is off
    const double off = isOneRun ? oneRunError : std::max(figure.relativeError, preview ? previewError : 0.0);
    const double error = off * ratio;
    const std::string sure = isOneRun  ? "preview"
                             : preview ? fmt::format("preview, \u00b1{:.0f} %", 100 * off)
                                       : fmt::format("{:.2f} of it, {:.2f} to {:.2f}", ratio,
                                                     figure.timeVsFp16.low, figure.timeVsFp16.high);
    std::string text = fmt::format("{}, {} {} take {} ({})", where(figure), nameOf(figure.inputs.cost.format),
                                   what, verdictOf(ratio, error, preview), sure);
    const auto [shortfall, reason] = shortfallOf(figure.memory);
    text += shortfall;
    const SimulationResult& present = figure.present;
    if (!isOneRun) { // what steps hold on average, one run hardly knows
        text += fmt::format("; {} of the steps only decode, M is {} rows on average",
                            formatShare(present.decodeOnlyFraction(), preview ? previewError : 0),
                            formatReal(present.averageM(), preview ? 2 : 3));
    }
    return text + "." + reason;
}

/// The first sentences: of a replayed log against its own server, of the formats served by themselves, else
/// of the same batches.
std::string answerText(const SimulatorFigure& figure, bool isHeadline) {
    if (std::string replay = replaySentenceOf(figure); !replay.empty()) {
        const std::string differences = logDifferencesOf(figure.inputs);
        return differences.empty() ? replay : replay + " " + differences;
    }
    if (!figure.pair) {
        return batchesText(figure);
    }
    const bool isPreview = figure.stage == FigureStage::Preview;
    if (isHeadline && figure.inputs.arrivals.kind == ArrivalKind::Closed) {
        return servingHeadlineOf(*figure.pair, isPreview, where(figure));
    }
    return servingSentenceOf(*figure.pair, isPreview);
}

/// Says why there is nothing to compare; "" if there is.
std::string noAnswerText(const SimulatorFigure& figure) {
    if (figure.pair && !figure.pair->own.fits) {
        const std::string need = misfitSentence(figure.memory);
        return need.empty() ? servingSentenceOf(*figure.pair) : need;
    }
    return figure.present.rows.iterations() == 0 ? "No step was simulated." : "";
}

/// True if the first sentence has too many words for a headline, which would be cut before its numbers.
bool isLong(const std::string& text) {
    constexpr std::ptrdiff_t mostWords = 20;
    const std::string first = text.substr(0, text.find(". "));
    return std::ranges::count(first, ' ') >= mostWords;
}

/// The answer, how sure it is, and the curve over users or rates.
std::string figuresText(const SimulatorFigure& figure, bool isHeadline) {
    const bool preview = figure.stage == FigureStage::Preview;
    std::string text = answerText(figure, isHeadline);
    if (const std::string unsettled = unsettledSentenceOf(figure.run, tellsLatencies(figure.inputs), preview);
        !unsettled.empty()) {
        text += " " + unsettled;
    }
    const std::string queue = queueSentenceOf(figure.present);
    // servingSentenceOf() says of a whole trace that its turns come too fast.
    const bool isSaid = figure.pair && !figure.present.waitsGrow() && replaySentenceOf(figure).empty();
    if (!queue.empty() && !isSaid) {
        text += " " + queue;
    }
    for (const Crossover& crossover : figure.crossovers) {
        if (crossover.weights == figure.inputs.cost.format.weights) {
            Crossover alone = crossover;
            alone.memory = {}; // of which the first sentences spoke
            text += crossover.misfit.empty() ? " " + crossoverSentence(alone) : std::string();
        }
    }
    if (const std::string overRates = rateSentenceOf(
            figure.overUsers.points, figure.inputs.cost.format.weights, figure.inputs.against, preview);
        !overRates.empty()) {
        text += " " + overRates;
        for (const std::string& leftOut : figure.overUsers.leftOut) {
            text += leftOut.empty() ? "" : " " + leftOut;
        }
    }
    return text;
}

} // namespace

std::string simulatorSentence(const SimulatorFigure& figure) {
    if (const std::string none = noAnswerText(figure); !none.empty()) {
        return none;
    }
    const std::string modelled = modelledSentenceOf(figure.inputs, figure.modelled);
    const std::string text = figuresText(figure, false);
    return withRemarks(modelled.empty() ? text : text + " " + modelled, figure.inputs, figure.memory);
}

std::string headlineOf(const SimulatorFigure& figure) {
    if (const std::string none = noAnswerText(figure); !none.empty()) {
        return figure.pair && isLong(none) ? servingSentenceOf(*figure.pair) + " " + none : none;
    }
    std::string all = withFit(figuresText(figure, true), figure.inputs, figure.memory);
    for (const std::string& remark : kernelRemarksOf(figure.inputs, figure.memory)) {
        all += " " + remark;
    }
    return all;
}

Table rowsTable(const SimulatorFigure& figure) {
    Table table = tableWith("m_low m_high step_share decode_only_share time_share");
    for (const Kernel kernel : figure.kernels) {
        table.columns.push_back("step_share_" + std::string(keyOf(kernel)));
    }
    for (const RowsBin& bin : figure.rows) {
        std::vector<Cell> row = {bin.low, bin.high, bin.stepShare, bin.decodeOnlyShare, bin.timeShare};
        for (const Kernel kernel : figure.kernels) {
            row.emplace_back(bin.stepShareBy[static_cast<std::size_t>(kernel)]);
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table kernelTable(const SimulatorFigure& figure) {
    Table table = tableWith("kernel share_of_time time_us fp16_time_us kernel_name gemms");
    const KernelNaming naming = namingOf(figure.inputs);
    const GemmTime& gemm = figure.present.gemm;
    const double all = std::max(figure.present.wholeUs, gemm.us);
    const double fp16 = std::max(figure.present.wholeFp16Us, gemm.fp16Us);
    const auto row = [&](std::string key, double us, Cell fp16Us, Cell name = {}, Cell gemms = {}) {
        table.rows.push_back({std::move(key), all > 0 ? us / all : 0.0, us, std::move(fp16Us),
                              std::move(name), std::move(gemms)});
    };
    for (const Kernel kernel : figure.kernels) {
        row(std::string(keyOf(kernel)), gemm.kernelUs[static_cast<std::size_t>(kernel)], std::monostate(),
            nameOf(kernel, naming), gemmsOf(figure.inputs.cost.model, kernel));
    }
    if (all > gemm.us) {
        row("attention_and_host", all - gemm.us, fp16 - gemm.fp16Us);
    }
    row("all", all, fp16);
    return table;
}

Table usersTable(const SimulatorFigure& figure) {
    Table table =
        tableWith("users time_vs_fp16 time_vs_fp16_low time_vs_fp16_high average_m decode_only "
                  "throughput_tokens_per_s ttft_p50_s ttft_p90_s tpot_p50_s tpot_p90_s "
                  "modelled_k_bit modelled_fp16 rate_per_s queue_grows fp16_fits "
                  "turns_per_s ttft_p99_s tpot_p99_s e2e_mean_s turns_per_s_vs_against "
                  "vs_against_low vs_against_high against_turns_per_s against_throughput_tokens_per_s "
                  "against_ttft_p50_s against_ttft_p99_s against_tpot_p50_s against_tpot_p99_s "
                  "against_e2e_mean_s");
    const bool tells = tellsLatencies(figure.inputs);
    const auto known = [tells](double value) { return tells ? Cell(value) : Cell(); };
    for (const SweepPoint& point : figure.overUsers.points) {
        table.rows.push_back({usersCell(point),
                              point.timeVsFp16.value,
                              point.timeVsFp16.low,
                              point.timeVsFp16.high,
                              point.averageM.value,
                              point.decodeOnlyFraction.value,
                              known(point.throughputTokensPerS.value),
                              known(point.ttftP50S.value),
                              known(point.ttftP90S.value),
                              known(point.tpotP50S.value),
                              known(point.tpotP90S.value),
                              point.modelled.kBit,
                              point.modelled.fp16,
                              rateCell(point),
                              point.ratePerS > 0 ? Cell(std::int64_t{point.queueGrows}) : Cell(),
                              fitCell(figure.memory.fp16Fits()),
                              known(point.turnsPerS.value),
                              known(point.ttftP99S.value),
                              known(point.tpotP99S.value),
                              known(point.e2eMeanS.value)});
        std::vector<Cell> against = againstCells(point);
        table.rows.back().insert(table.rows.back().end(), against.begin(), against.end());
    }
    return table;
}

Table mapTable(const SimulatorFigure& figure) {
    Table table = tableWith("users chunk_tokens time_vs_fp16 low high rate_per_s turns_per_s_vs_against "
                            "turns_per_s_vs_against_low turns_per_s_vs_against_high");
    for (const SweepPoint& point : figure.map.points) {
        const bool hasBand = point.replicaRatios.size() > 1;
        std::vector<Cell> row = {usersCell(point),
                                 point.chunkTokens,
                                 point.timeVsFp16.value,
                                 hasBand ? Cell(point.timeVsFp16.low) : Cell(),
                                 hasBand ? Cell(point.timeVsFp16.high) : Cell(),
                                 rateCell(point)};
        const std::vector<Cell> against = againstCells(point);
        row.insert(row.end(), against.begin(), against.begin() + 3);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace loadline
