// What pays, as a table.
#include "core/simulate/study/sensitivity_words.h"
#include "ui/chart/simulation/simulation_paint.h"

#include <cmath>
#include <iterator>

namespace loadline::ui {

Table whatPaysTable(const WhatPays& pays) {
    Table table;
    table.columns = {
        "kernel",           "share_of_time",   "modelled_share", "factor",        "speed_up",
        "time_vs_fp16",     "crossing_users",  "change",         "ours",          "kernel_name",
        "alone_share",      "ttft_p50_s",      "tpot_p99_s",     "least_tpot_at", "least_ttft_p50_s",
        "least_tpot_p99_s", "best_ttft_p50_s", "best_tpot_p99_s"};
    const auto add = [&table](std::string_view what, double share, Cell modelled, const Improvement& i,
                              Cell factor, Cell change, bool ours) {
        table.rows.push_back({std::string(what), share, std::move(modelled), std::move(factor),
                              std::isinf(i.speedUp) ? Cell() : Cell(i.speedUp),
                              i.timeVsFp16 ? Cell(*i.timeVsFp16) : Cell(),
                              i.crossing ? Cell(*i.crossing) : Cell(), std::move(change),
                              std::string(ours ? "true" : "false"), Cell(), Cell()});
    };
    const auto name = [&](const KernelPay& kernel) {
        *std::next(table.rows.back().rbegin()) = nameOf(kernel.kernel, pays.naming);
        table.rows.back().back() = kernel.aloneShare;
    };
    const auto factorCell = [](double factor) {
        return std::isinf(factor) ? Cell(std::string("free")) : Cell(factor);
    };
    for (const KernelPay& kernel : pays.kernels) {
        const bool ours = isOurs(kernel.kernel, pays.naming);
        for (const Improvement& i : kernel.improvements) {
            add(keyOf(kernel.kernel), kernel.share, kernel.modelledShare, i, factorCell(i.factor), Cell(),
                ours);
            name(kernel);
        }
        if (kernel.limit) {
            add(keyOf(kernel.kernel), kernel.share, kernel.modelledShare, *kernel.limit, kernel.limit->factor,
                "limit: " + pays.limits, ours);
            name(kernel);
        }
    }
    for (const OtherPay& other : pays.others) {
        const bool choice = other.improvements.size() == 1;
        for (const Improvement& i : other.improvements) {
            add(keyOf(other.kind), other.share, Cell(), i, choice ? Cell() : factorCell(i.factor),
                choice ? Cell(other.change + (other.why.empty() ? "" : ": " + other.why)) : Cell(), true);
        }
        if (other.improvements.empty() && other.latency) {
            add(keyOf(other.kind), other.share, Cell(), Improvement{}, Cell(), other.change, true);
        }
        if (other.latency) {
            const ChoiceLatency& latency = *other.latency;
            for (const double seconds : {latency.ttftP50S, latency.tpotP99S}) {
                table.rows.back().emplace_back(seconds);
            }
            table.rows.back().emplace_back(latency.leastAt);
            for (const double seconds : {latency.leastTtftP50S, latency.leastTpotP99S}) {
                table.rows.back().emplace_back(seconds);
            }
            for (const double seconds : {latency.bestTtftP50S, latency.bestTpotP99S}) {
                table.rows.back().push_back(seconds > 0 ? Cell(seconds) : Cell());
            }
        }
    }
    if (pays.restShare > 0) {
        std::vector<Cell> rest(table.columns.size());
        rest[0] = std::string("attention_and_host");
        rest[1] = pays.restShare;
        table.rows.push_back(std::move(rest));
    }
    for (std::vector<Cell>& row : table.rows) {
        row.resize(table.columns.size());
    }
    return table;
}

} // namespace loadline::ui
