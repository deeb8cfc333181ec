// Time share of each kernel and the gain of making it faster: a table with bars.
#include "core/simulate/plot/plot_parts.h"
#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/sensitivity_words.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace loadline {
namespace {

/// A row for each kernel and factor, and for each choice with what it does to latencies.
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

constexpr std::size_t gainColumns = 3;

/// In no more digits than the error of a preview leaves.
std::string gainWords(const Improvement& improvement, double error) {
    const double saved = improvement.speedUp > 0 ? 1 - 1 / improvement.speedUp : 0;
    if (saved < 0.001) {
        return "nothing";
    }
    const std::string share = roughShare(saved, error);
    const bool isNumber = !share.empty() && share.front() >= '0' && share.front() <= '9';
    return isNumber ? "\u2212" + share : share + " less";
}

std::string crossingWords(const Improvement& improvement, Storage weights) {
    if (!improvement.crossingKnown) {
        return {};
    }
    if (improvement.crossing) {
        const std::int64_t users = firstUsersBehind(*improvement.crossing);
        return fmt::format("cross at {} user{}", formatExact(users), users == 1 ? "" : "s");
    }
    return fmt::format("{} wins", improvement.fasterAtFirst ? sideNameOf(weights) : "fp16");
}

/// "TTFT p50 0.15 s, TPOT p99 1.07 s; then 0.14 s, 1.20 s; with 2 048: 0.50 s, 0.34 s, in 8.0 % more time"
std::string latencyWords(const ChoiceLatency& latency) {
    std::string text = fmt::format("TTFT p50 {}, TPOT p99 {}", formatSeconds(latency.ttftP50S),
                                   formatSeconds(latency.tpotP99S));
    if (latency.bestTpotP99S > 0) {
        text += fmt::format("; then {}, {}", formatSeconds(latency.bestTtftP50S),
                            formatSeconds(latency.bestTpotP99S));
    }
    if (latency.leastTpotP99S < latency.tpotP99S) {
        const double more = latency.leastTime - 1;
        text += fmt::format("; with {}: {}, {}, in {} {} time", formatExact(latency.leastAt),
                            formatSeconds(latency.leastTtftP50S), formatSeconds(latency.leastTpotP99S),
                            formatShare(std::abs(more)), more < 0 ? "less" : "more");
    }
    return text;
}

/// A column of a row: words, the second line muted, over a bar of what is saved.
struct PayCell {
    std::string words;
    double saved = std::numeric_limits<double>::quiet_NaN();
};

PayCell gainCell(const Improvement& gain, const WhatPays& pays, const std::string& more = {}) {
    const double saved = gain.speedUp > 0 ? std::clamp(1 - 1 / gain.speedUp, 0.0, 1.0) : 0;
    const std::string crossing = crossingWords(gain, pays.weights);
    return {gainWords(gain, pays.shareError) + more + (crossing.empty() ? "" : "\n" + crossing), saved};
}

/// One line of the picture.
struct PayRow {
    std::string name; ///< its second line: a note
    double share = 0; ///< of the time; 0 of a choice
    ask::Ink ink = ask::Ink::Rest;
    std::array<PayCell, gainColumns> gains = {};
    std::vector<std::string> words = {}; ///< read out over it
};

/// Read-out of a kernel that serves some GEMMs by itself and others behind dequantise: elsewhere the latter
/// count with the pair.
std::vector<std::string> aloneWords(const KernelPay& pay, const WhatPays& pays) {
    const std::string gemms = visibleText(pays.fp16Gemms);
    if (readsKBits(pay.kernel) || !(pay.aloneShare > 0) || gemms.empty()) {
        return {};
    }
    const auto share = [&](double of) { return roughShare(of, pays.shareError); };
    const std::string begin =
        fmt::format("{}: {} of the time, ", nameOf(pay.kernel, pays.naming), share(pay.share));
    if (pay.aloneShare >= pay.share) {
        return {fmt::format("{}all of it for {}", begin, gemms)};
    }
    return {fmt::format("{}{} for {} and {} behind dequantise", begin, share(pay.aloneShare), gemms,
                        share(pay.share - pay.aloneShare)),
            "where the time goes (Simulator) counts the latter with dequantise"};
}

PayRow rowOf(const KernelPay& kernel, const WhatPays& pays) {
    PayRow row{.name = nameOf(kernel.kernel, pays.naming),
               .share = kernel.share,
               .ink = inkOf(kernel.kernel),
               .words = aloneWords(kernel, pays)};
    if (!row.words.empty()) {
        row.name += fmt::format("\n{}: {}", visibleText(pays.fp16Gemms),
                                roughShare(kernel.aloneShare, pays.shareError));
    }
    for (std::size_t i = 0; i + 1 < gainColumns && i < kernel.improvements.size(); ++i) {
        row.gains[i] = gainCell(kernel.improvements[i], pays);
    }
    PayCell& last = row.gains.back();
    if (!isOurs(kernel.kernel, pays.naming)) {
        last.words = "not ours to change";
    } else if (!kernel.limit) {
        last.words = "limit not known";
    } else if (kernel.limit->factor > 1) {
        const double factor = kernel.limit->factor;
        last = gainCell(*kernel.limit, pays,
                        std::isinf(factor) ? " (free)" : fmt::format(" ({}\u00d7)", formatReal(factor, 3)));
    } else {
        last.words = "is there";
    }
    return row;
}

/// True of what is chosen rather than made faster: it takes no time of its own.
bool isChoice(const OtherPay& other) {
    return other.share <= 0;
}

/// The lines that are read out over a part or choice.
std::vector<std::string> wordsOfOther(const OtherPay& other, const WhatPays& pays) {
    std::vector<std::string> words;
    if (other.kind == PayKind::Dispatch) {
        words.emplace_back("rows a step are M in the kernels' charts");
    }
    for (const Improvement& gain : other.improvements) {
        if (gain.saved) {
            words.push_back(fmt::format("{} to {} less in 9 of 10 runs",
                                        roughShare(gain.saved->low, pays.shareError),
                                        roughShare(gain.saved->high, pays.shareError)));
        }
    }
    if (!other.turns.empty()) {
        words.push_back(other.turns);
    }
    if (other.latency) {
        words.push_back(latencyWords(*other.latency));
    } else if (!other.why.empty()) {
        words.push_back(other.why);
    }
    return words;
}

PayRow rowOf(const OtherPay& other, const WhatPays& pays) {
    PayRow row{
        .name = std::string(nameOf(other.kind)), .share = other.share, .words = wordsOfOther(other, pays)};
    for (std::size_t i = 0; i < gainColumns && i < other.improvements.size(); ++i) {
        row.gains[i] =
            gainCell(other.improvements[i], pays, std::isinf(other.improvements[i].factor) ? " (free)" : "");
    }
    if (other.kind == PayKind::Attention && other.improvements.empty()) {
        row.gains.back().words = "is there: a roofline";
    }
    return row;
}

std::vector<PayRow> rowsOf(const WhatPays& pays) {
    std::vector<PayRow> ours, theirs;
    for (const KernelPay& kernel : pays.kernels) {
        const bool isMine = isOurs(kernel.kernel, pays.naming) && readsKBits(kernel.kernel);
        (isMine ? ours : theirs).push_back(rowOf(kernel, pays));
    }
    for (const OtherPay& other : pays.others) {
        if (!isChoice(other)) {
            ours.push_back(rowOf(other, pays));
        }
    }
    const bool restIsSplit = std::ranges::any_of(
        pays.others, [](const OtherPay& other) { return other.kind == PayKind::Attention; });
    if (pays.restShare > 0 && !restIsSplit) {
        ours.push_back({.name = "attention and host", .share = pays.restShare});
    }
    ours.insert(ours.end(), theirs.begin(), theirs.end());
    const std::string limits =
        pays.limits.empty()
            ? ""
            : fmt::format("its limit: all bytes read, or all arithmetic done, at {}", pays.limits);
    for (PayRow& row : ours) {
        row.words.emplace_back("1.5\u00d7, 2\u00d7: this part takes so many times less time; beside it, "
                               "how much less the same turns take");
        row.words.push_back(limits);
        row.words.emplace_back(
            pays.memory.fp16Fits() == false
                ? "fp16 does not fit: there is no crossover"
                : "cross at so many users: from there on the quantised kernels are slower");
    }
    return ours;
}

/// A row of the second table: what can be chosen otherwise.
struct ChoiceRow {
    std::string name, change; ///< the second line of the change: why
    PayCell gain;
    std::vector<std::string> words; ///< read out over it
};

std::vector<ChoiceRow> choicesOf(const WhatPays& pays) {
    std::vector<ChoiceRow> rows;
    for (const OtherPay& other : pays.others) {
        if (!isChoice(other)) {
            continue;
        }
        ChoiceRow row{.name = std::string(nameOf(other.kind)),
                      .change = other.change,
                      .gain = {},
                      .words = wordsOfOther(other, pays)};
        const std::string price = other.latency ? priceOf(*other.latency) : "";
        row.change += price.empty() ? "" : ": " + price;
        if (!other.improvements.empty()) {
            row.gain = gainCell(other.improvements.front(), pays);
        } else if (row.change.empty()) {
            row.change = pays.isPreview ? "follows when refined" : "not known";
        }
        const std::string why = other.latency ? latencyWords(*other.latency) : other.why;
        row.change += why.empty() ? "" : "\n" + why;
        rows.push_back(std::move(row));
    }
    return rows;
}

template <typename Row>
ask::Column textColumn(const std::vector<Row>& rows, std::string key, std::string title, auto read) {
    return ask::columnOf(rows, std::move(key), std::move(title), read, ask::Form::Text);
}

/// The words that are read out over a row of a drawn table.
template <typename Row>
ask::Column wordsColumn(const std::vector<Row>& rows) {
    ask::Column column = textColumn(rows, "words", "", [](const Row& row) { return linesOf(row.words); });
    column.readOut = "{}";
    column.shown = ask::Shown::Document;
    return column;
}

/// Parts of the time, and the gain of making each faster.
void addParts(ask::Report& report, const WhatPays& pays) {
    const std::vector<PayRow>& rows = report.keep(rowsOf(pays));
    const auto shareWords = [error = pays.shareError](const PayRow& row) {
        return row.share > 0 ? roughShare(row.share, error) : std::string();
    };
    ask::Table table{.path = "rows",
                     .title = {},
                     .rows = rows.size(),
                     .columns = {textColumn(rows, "name", "", &PayRow::name),
                                 textColumn(rows, "share", "share of the time", shareWords)}};
    table.columns.back().bar = [&rows](std::size_t row) {
        return rows[row].share > 0 ? rows[row].share : std::numeric_limits<double>::quiet_NaN();
    };
    table.columns.back().ink = [&rows](std::size_t row) { return rows[row].ink; };
    constexpr std::array<const char*, gainColumns> heads = {"if 1.5\u00d7", "if 2\u00d7", "at its limit"};
    for (std::size_t i = 0; i < gainColumns; ++i) {
        table.columns.push_back(textColumn(rows, fmt::format("gain{}", i), heads[i],
                                           [i](const PayRow& row) { return row.gains[i].words; }));
        table.columns.back().bar = [&rows, i](std::size_t row) { return rows[row].gains[i].saved; };
    }
    table.columns.push_back(wordsColumn(rows));
    report.plots.front().height = 2 * static_cast<int>(rows.size() + 1);
    report.tables.push_back(std::move(table));
}

/// Choices below the parts, under heads of their own.
void addChoices(ask::Report& report, const WhatPays& pays) {
    const std::vector<ChoiceRow>& rows = report.keep(choicesOf(pays));
    if (rows.empty()) {
        return;
    }
    ask::Table table{.path = "choices",
                     .title = {},
                     .rows = rows.size(),
                     .columns = {textColumn(rows, "name", "choice", &ChoiceRow::name),
                                 textColumn(rows, "change", "change", &ChoiceRow::change),
                                 textColumn(rows, "gain", "with the change",
                                            [](const ChoiceRow& row) { return row.gain.words; })}};
    table.columns.back().bar = [&rows](std::size_t row) { return rows[row].gain.saved; };
    table.columns.push_back(wordsColumn(rows));
    report.tables.push_back(std::move(table));
    ask::Plot plot = report.plots.front();
    plot.drawn = "choices";
    plot.height = 2 * static_cast<int>(rows.size() + 1) + 1; // odd: plots of one height lie beside each other
    report.plots.push_back(std::move(plot));
}

} // namespace

ask::Report whatPaysReport(const std::shared_ptr<const WhatPays>& pays) {
    constexpr const char* title = "What pays";
    if (pays->memory.isTooLarge()) {
        return memoryReport("what-pays", title, pays->sentence, pays->memory);
    }
    ask::Report report = reportOf({.key = "what-pays",
                                   .title = title,
                                   .description = {},
                                   .sentence = pays->sentence,
                                   .x = {},
                                   .y = {},
                                   .marks = {},
                                   .empty = pays->kernels.empty() ? "no step" : "",
                                   .facet = "what-pays",
                                   .drawn = "rows"},
                                  whatPaysTable(*pays));
    addParts(report, *pays);
    if (report.plots.front().empty.empty()) {
        addChoices(report, *pays);
    }
    return report;
}

} // namespace loadline
