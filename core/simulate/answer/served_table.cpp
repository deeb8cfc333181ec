// Rows of what two formats serve.
#include "core/simulate/answer/served_table.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr const char* noneText = "\u2013";
constexpr const char* growsText = "grows"; // what it is of a run tells how long the run was

struct RowSpec {
    const char* name;
    const char* help;
    bool isTime; ///< in seconds; else a rate
    bool isWait; ///< has no value where a queue grows
    double (*of)(const SimulationResult& run);
    bool (*isKnown)(const SimulationResult& run);
    Banded (*interval)(const RunReport& run);
};

constexpr auto ran = [](const SimulationResult& run) { return run.simulatedS > 0; };
constexpr auto answered = [](const SimulationResult& run) { return run.ttftS.n > 0; };
constexpr auto decoded = [](const SimulationResult& run) { return run.tpotS.n > 0; };

constexpr std::array rowSpecs = {
    RowSpec{"tokens/s", "output tokens a second, of all users together", false, false,
            [](const SimulationResult& run) { return run.throughputTokensPerS(); }, ran,
            [](const RunReport& run) { return run.throughputTokensPerS; }},
    RowSpec{"turns/s", "turns answered a second", false, false,
            [](const SimulationResult& run) { return run.turnsPerS(); }, ran,
            [](const RunReport& run) { return run.turnsPerS; }},
    RowSpec{"TTFT p50", "time to the first token, median", true, true,
            [](const SimulationResult& run) { return run.ttftS.p50; }, answered,
            [](const RunReport& run) { return run.ttftS.p50; }},
    RowSpec{"TTFT p99", "time to the first token, 99 of 100 turns are faster", true, true,
            [](const SimulationResult& run) { return run.ttftS.p99; }, answered,
            [](const RunReport& run) { return run.ttftS.p99; }},
    RowSpec{"TPOT p50", "time of each further token, median over turns", true, false,
            [](const SimulationResult& run) { return run.tpotS.p50; }, decoded,
            [](const RunReport& run) { return run.tpotS.p50; }},
    RowSpec{"TPOT p99", "time of each further token, 99 of 100 turns are faster", true, false,
            [](const SimulationResult& run) { return run.tpotS.p99; }, decoded,
            [](const RunReport& run) { return run.tpotS.p99; }},
    RowSpec{"E2E mean", "from a turn's arrival to its last token, mean", true, true,
            [](const SimulationResult& run) { return run.e2eS.mean; }, answered,
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

/// `deviation`: of the kernel times, where the figure moves with them.
ServedCell cellOf(const RowSpec& spec, const ServedFormat& served, double deviation) {
    if (!served.fits || !spec.isKnown(served.all)) {
        return {noneText, {}, {}};
    }
    if (spec.isWait && served.all.queueGrows()) {
        return {growsText, {}, {}};
    }
    ServedCell cell{cellText(spec.of(served.all), spec.isTime), {}, {}};
    if (served.runs.run) {
        const Banded interval = withKernelError(spec.interval(*served.runs.run), deviation);
        if (interval.value > 0 && interval.high > interval.low) {
            cell.off = offText(interval);
            const std::string low = cellText(interval.low, spec.isTime);
            cell.interval = std::isfinite(interval.high) ? low + " to " + cellText(interval.high, spec.isTime)
                                                         : low + " or more";
        }
    }
    return cell;
}

std::string ratioText(const std::optional<PairedRatio>& ratio) {
    if (!ratio) {
        return {};
    }
    const std::string value = formatReal(ratio->value, 3);
    return ratio->low
               ? fmt::format("{} ({} to {})", value, formatReal(*ratio->low, 3), formatReal(*ratio->high, 3))
               : value;
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
    for (const RowSpec& spec : rowSpecs) {
        ServedRow row{spec.name,
                      spec.help,
                      {},
                      ratioText(spec.isWait && pair.queueGrows() ? std::nullopt
                                : spec.isTime                    ? pair.ratioOf(spec.of)
                                                                 : pair.rateRatioOf(spec.of))};
        const KernelErrors errors = pair.kernelErrors.value_or(KernelErrors());
        row.cells.push_back(cellOf(spec, pair.own, spec.isTime ? 0 : errors.clock));
        row.cells.push_back(cellOf(spec, pair.against, spec.isTime ? 0 : errors.againstClock));
        table.rows.push_back(std::move(row));
    }
    table.rows.push_back({"KV tokens",
                          "tokens that the memory beside the weights holds",
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
