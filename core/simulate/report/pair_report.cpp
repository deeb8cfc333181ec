// Describes both formats, and their ratios.
#include "core/ask/table_of.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <cmath>

namespace loadline::ask {
namespace {

/// `errors`: of its kernel times.
void addServed(Report& report, const std::string& path, const ServedFormat& served,
               const IntervalErrors& errors) {
    const bool fits = served.fits;
    const SimulationResult& all = served.all;
    const Below below(report, path);
    addFormat(report, path + ".format", served.format);
    below.add("fits", fits);
    below.add("weights_bytes", bytesCell(served.memory.weightBytes));
    below.add("memory_needed_bytes", bytesCell(served.memory.neededBytes()));
    below.add("kv_blocks", only(served.kvBlocks > 0, served.kvBlocks));
    below.add("longest_request_tokens", served.longestRequest);
    below.add("refused_share", served.refusedShare);
    below.add("served_output_share", served.servedOutputShare);
    below.add("users_that_fit", usersThatFitCell(served.memory));
    below.add("turns_per_s", only(fits, all.turnsPerS()));
    below.add("throughput_tokens_per_s", only(fits, all.throughputTokensPerS()));
    addQuantiles(report, path + ".ttft_s", fits ? all.ttftS : Quantiles());
    addQuantiles(report, path + ".tpot_s", fits ? all.tpotS : Quantiles());
    addQuantiles(report, path + ".e2e_s", fits ? all.e2eS : Quantiles());
    below.add("preemptions",
              only(fits, static_cast<double>(all.preemptions) / static_cast<double>(all.runs)));
    below.add("queue_grows", only(fits, all.queueGrows()));
    addRun(report, path + ".", served.runs.run, true, errors);
}

std::string roomText(const ServedFormat& served) {
    return !served.fits              ? "-"
           : served.memory.share > 0 ? formatCount(static_cast<double>(served.memory.roomTokens))
                                     : "not counted";
}

std::string usersText(const ServedFormat& served) {
    const auto users = usersThatFit(served.memory);
    return users ? formatExact(*users) : "not known";
}

} // namespace

void addPair(Report& report, const FormatPair& pair) {
    report.add("longest_request_tokens", pair.own.longestRequest);
    report.add("refused_share", pair.own.refusedShare);
    report.add("served_output_share", pair.own.servedOutputShare);
    report.add("users_that_fit", usersThatFitCell(pair.own.memory));
    const KernelErrors errors = pair.kernelErrors.value_or(KernelErrors());
    addServed(report, "against", pair.against, {{}, errors.againstClock});
    if (pair.against.format == fp16Format) {
        report.add("fp16_fits", pair.against.fits); // by its own runs
    }
    report.add("turns_per_s_vs_against", pair.turnsPerS ? Cell(pair.turnsPerS->value) : Cell());
    std::vector<NamedInterval> ratios, intervals, parts;
    for (const ServedFigure figure : servedFigures) {
        const ServedFigureSpec& spec = specOf(figure);
        const auto ratio = pair.ratioOf(figure);
        const std::string key(spec.key);
        const Cell ends = ratio ? endsOf(*ratio) : Cell();
        ratios.push_back({.name = key, .whole = ratio ? Cell(ratio->value) : Cell()});
        if (!pair.isOneCourse) {
            intervals.push_back({.name = key, .whole = ends});
        }
        if (!spec.isTime && ratio && errors.vsAgainst) {
            parts.push_back(
                namedInterval(key, ends, endsOf(ratio->ofRuns()), ratio->value, *errors.vsAgainst));
        }
    }
    addIntervals(report, "vs_against", ratios);
    addIntervals(report, "interval_vs_against", intervals);
    addParts(report, "interval_vs_against_parts", parts);
    report.add("compared_on.longest_request_tokens", pair.longestRequest);
    report.add("compared_on.share_of_turns", 1 - pair.refusedShare);
    if (pair.whole) {
        const bool isOwn = pair.whole->format == pair.own.format;
        addServed(report, "whole", *pair.whole, {{}, isOwn ? errors.clock : errors.againstClock});
    }
    if (pair.isOneCourse) {
        report.add("arriving_turns_per_s",
                   only(pair.arrivingPerS > 0, pair.arrivingPerS)); // else all at once
    }
    report.add("context_left_out_tokens", std::llround(pair.contextLeftOut));
    report.add("headline", servingSentenceOf(pair));
}

void tellPair(Report& report, const FormatPair& pair) {
    std::vector<PairedFigure> figures = pairedFiguresOf(pair);
    const auto both = [&](const char* name, const auto& text) {
        figures.push_back({name, text(pair.own), text(pair.against), ""});
    };
    both("Weights", [](const ServedFormat& served) {
        return served.memory.weightBytes > 0 ? formatGib(served.memory.weightBytes) : "not known";
    });
    both("KV room, tokens", roomText);
    if (pair.refusedShare > 0) {
        both("Turns that it takes", [](const ServedFormat& served) {
            return served.fits ? formatShare(1 - served.refusedShare) : std::string("-");
        });
        both("Output tokens of them", [](const ServedFormat& served) {
            return served.fits ? formatShare(served.servedOutputShare) : std::string("-");
        });
    }
    both("Users whose conversations fit", usersText);
    report.add(TableOf("", report.keep(std::move(figures)))
                   .titled("Both formats, each served by itself")
                   .textColumn("Served", &PairedFigure::name, Form::Text)
                   .textColumn(nameOf(pair.own.format), &PairedFigure::own)
                   .textColumn(nameOf(pair.against.format), &PairedFigure::against)
                   .textColumn("Ratio (95 %)", &PairedFigure::ratio));
    if (const std::string turns = comparedOnText(pair); !turns.empty()) {
        report.say("Compared on " + turns + ".");
    }
    if (pair.whole) {
        const SimulationResult& all = pair.whole->all;
        report.say(fmt::format("On all turns that it takes {} serves {} tokens/s, TTFT p50 {}.",
                               nameOf(pair.whole->format), formatReal(all.throughputTokensPerS(), 3),
                               all.waitsGrow()   ? "grows"
                               : all.ttftS.n > 0 ? formatSeconds(all.ttftS.p50)
                                                 : "not known"));
    }
}

std::string refusedText(const SimulationInputs& inputs, Tokens maxModelLen,
                        const std::optional<FormatPair>& pair) {
    const Tokens longest = longestRequestOf(inputs);
    std::string what = fmt::format("the KV room of {} tokens", formatExact(longest));
    if (longest >= maxModelLen) {
        what = fmt::format("the --max-model-len of {} tokens", formatExact(longest));
    } else if (pair && pair->own.fits && pair->against.fits) {
        const bool isOther = pair->against.longestRequest < pair->own.longestRequest;
        what = fmt::format("{}'s KV room of {} tokens",
                           nameOf(isOther ? pair->against.format : pair->own.format), formatExact(longest));
    }
    return "Turns refused: longer than " + what;
}

} // namespace loadline::ask
