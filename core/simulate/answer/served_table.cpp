// Rows of what two formats serve.
#include "core/simulate/answer/served_table.h"

#include "core/simulate/study/format_pair_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr const char* noneText = "\u2013";
constexpr const char* growsText = "grows";

struct RowSpec {
    ServedFigure figure;
    const char* name;
    const char* help;
    Banded (*interval)(const RunReport& run);
};

constexpr std::array rowSpecs = {
    RowSpec{ServedFigure::TokensPerS, "tokens/s", "output tokens a second, of all users together",
            [](const RunReport& run) { return run.throughputTokensPerS; }},
    RowSpec{ServedFigure::TurnsPerS, "turns/s", "turns answered a second",
            [](const RunReport& run) { return run.turnsPerS; }},
    RowSpec{ServedFigure::TtftP50, "TTFT p50", "time to the first token, median",
            [](const RunReport& run) { return run.ttftS.p50; }},
    RowSpec{ServedFigure::TtftP99, "TTFT p99", "time to the first token, 99 of 100 turns are faster",
            [](const RunReport& run) { return run.ttftS.p99; }},
    RowSpec{ServedFigure::TpotP50, "TPOT p50", "time of each further token, median over turns",
            [](const RunReport& run) { return run.tpotS.p50; }},
    RowSpec{ServedFigure::TpotP99, "TPOT p99", "time of each further token, 99 of 100 turns are faster",
            [](const RunReport& run) { return run.tpotS.p99; }},
    RowSpec{ServedFigure::E2eMean, "E2E mean", "from a turn's arrival to its last token, mean",
            [](const RunReport& run) { return run.e2eS.mean; }},
};

/// Seconds stay seconds to 1000, so that two columns are compared at sight.
std::string cellTime(double s) {
    return s >= 100 && s < 1000 ? formatReal(s, 3) + " s" : formatSeconds(s);
}

std::string cellText(double value, bool isTime) {
    return isTime ? cellTime(value) : formatReal(value, 3);
}

/// "\u00b16 %", "\u00b10.4 %"
std::string offText(const Banded& interval) {
    if (!std::isfinite(interval.high)) {
        return "or more";
    }
    const double off = 50 * (interval.high - interval.low) / interval.value; // per cent
    return fmt::format("\u00b1{}\u202f%", off >= 1 ? fmt::format("{:.0f}", off) : fmt::format("{:.1g}", off));
}

/// `clock`: of this format's rates.
ServedCell cellOf(const RowSpec& row, const ServedFormat& served, const KernelError& clock) {
    const ServedFigureSpec& spec = specOf(row.figure);
    if (!served.fits || !spec.isKnown(served.all)) {
        return {noneText, {}, {}};
    }
    if (spec.isWait && served.all.waitsGrow()) {
        return {growsText, {}, {}};
    }
    ServedCell cell{cellText(spec.of(served.all), spec.isTime), {}, {}};
    if (served.runs.run) {
        const Banded interval =
            withKernelError(row.interval(*served.runs.run), spec.isTime ? 0 : clock.deviation);
        if (interval.value > 0 && interval.high > interval.low) {
            cell.off = offText(interval);
            const std::string low = cellText(interval.low, spec.isTime);
            cell.interval = std::isfinite(interval.high) ? low + " to " + cellText(interval.high, spec.isTime)
                                                         : low + " or more";
        }
    }
    return cell;
}

ServedCell roomOf(const ServedFormat& served) {
    const Tokens tokens = served.memory.roomTokens;
    return {
        served.fits && tokens > 0 ? formatCount(static_cast<double>(tokens)) : std::string(noneText), {}, {}};
}

} // namespace

ServedTable servedTableOf(const FormatPair& pair) {
    ServedTable table;
    const auto both = {&pair.own, &pair.against};
    for (const ServedFormat* served : both) {
        table.formats.push_back(nameOf(served->format) + (served->fits ? "" : ": does not fit"));
    }
    const KernelErrors errors = pair.kernelErrors.value_or(KernelErrors());
    for (const RowSpec& row : rowSpecs) {
        const bool isRate = !specOf(row.figure).isTime;
        const auto ratio = pair.ratioOf(row.figure);
        table.rows.push_back(
            {row.name,
             pair.isOneCourse && isRate ? row.help + std::string(", until the trace's last answer")
                                        : row.help,
             {cellOf(row, pair.own, errors.clock), cellOf(row, pair.against, errors.againstClock)},
             ratio ? ratioText(*ratio) : std::string()});
    }
    table.rows.push_back({"KV tokens",
                          "tokens that the memory beside the weights holds, in conversations of mean length",
                          {roomOf(pair.own), roomOf(pair.against)},
                          {}});
    return table;
}

std::string tabbedTextOf(const ServedTable& table) {
    std::string text;
    for (const std::string& format : table.formats) {
        text += "\t" + format + "\t95 %";
    }
    text += "\tratio\n";
    for (const ServedRow& row : table.rows) {
        text += row.name;
        for (const ServedCell& cell : row.cells) {
            text += "\t" + cell.value + "\t" + cell.interval;
        }
        text += "\t" + row.ratio + "\n";
    }
    return text;
}

} // namespace loadline
