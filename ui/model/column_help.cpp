// Words for the symbols in the tables of simulations.
#include "ui/model/column_help.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loadline::ui {
namespace {

constexpr std::string_view rowsOfStep =
    "rows M of a step: one for each sequence that decodes, one for each prompt token that is computed";

constexpr auto helps = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"rows_m", rowsOfStep},
    {"m_low", rowsOfStep},
    {"m_high", rowsOfStep},
    {"average_m", rowsOfStep},
    {"avg_m", rowsOfStep},
    {"k", "bits of a quantised weight; fp16 has 16"},
    {"k_bits", "bits of a quantised weight; fp16 has 16"},
    {"chunk_tokens", "chunk: most prompt tokens of one request in a step"},
    {"users", "who send turns, each the next when the last is answered"},
    {"rate_per_s", "turns that arrive in a second"},
    {"time_vs_fp16", "time with quantised weights / time of the same steps with fp16 weights"},
    {"turns_per_s", "turns that are answered in a second"},
    {"turns_per_s_vs_against", "turns per second / those of the format compared with, each served by itself"},
    {"vs_against_low", "of that ratio: lower end of the 95 % interval, over runs paired by seed"},
    {"vs_against_high", "of that ratio: upper end of the 95 % interval, over runs paired by seed"},
    {"ttft_p99_s", "time to the first token: 99 of 100 turns are faster"},
    {"tpot_p99_s", "time per output token after the first: 99 of 100 turns are faster"},
    {"e2e_mean_s", "time from a turn's arrival to its last token, on average"},
    {"against_turns_per_s", "turns per second of the format compared with"},
    {"against_throughput_tokens_per_s", "output tokens per second of the format compared with"},
    {"decode_only", "share of the steps that hold no prompt tokens"},
    {"decode_only_fraction", "share of the steps that hold no prompt tokens"},
    {"ttft_p50_s", "time to the first token: half of the turns are faster"},
    {"ttft_p90_s", "time to the first token: nine of ten turns are faster"},
    {"tpot_p50_s", "time per output token after the first: half of the turns are faster"},
    {"tpot_p90_s", "time per output token after the first: nine of ten turns are faster"},
    {"crossing_users", "where time against fp16 passes 1, between two whole numbers of users"},
    {"share_with_crossing", "of the draws of chance, sessions and kernel times, those that cross 1"},
    {"share_otherwise", "where the mean crosses nowhere: of the draws, those that say otherwise somewhere"},
    {"otherwise_users", "up to (of a faster mean: from) how many users the middle 90 % of the draws do"},
    {"replicas_low", "of runs with other seeds alone: 5th percentile"},
    {"replicas_high", "of runs with other seeds alone: 95th percentile"},
    {"speed_up", "k-bit time before / after"},
    {"modelled_share", "share of the time that stands on models, not on timings"},
    {"alone_share", "of share_of_time: serving a GEMM by itself, not behind dequantise"},
    {"gemms", "the GEMMs of the model that it serves"},
});

} // namespace

QString columnHelp(std::string_view column) {
    const auto found = std::ranges::find(helps, column, [](const auto& entry) { return entry.first; });
    const QString name = QString::fromUtf8(column.data(), static_cast<qsizetype>(column.size()));
    return found == helps.end()
               ? name
               : name + QStringLiteral(": ") +
                     QString::fromUtf8(found->second.data(), static_cast<qsizetype>(found->second.size()));
}

} // namespace loadline::ui
