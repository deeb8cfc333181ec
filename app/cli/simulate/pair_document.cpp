// Writes both formats beside each other.
#include "app/cli/simulate/pair_document.h"

#include "app/cli/simulate/run_document.h"
#include "core/text/text_table.h"
#include "core/simulate/run/kv_blocks.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <optional>
#include <string>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json usersDocument(const MemoryFit& fit) {
    const auto users = usersThatFit(fit);
    return users ? Json(*users) : Json(nullptr);
}

Json bytesDocument(double bytes) {
    return bytes > 0 ? Json(std::llround(bytes)) : Json(nullptr);
}

/// `errors`: of its kernel times.
Json servedDocument(const ServedFormat& served, const IntervalErrors& errors) {
    const auto figure = [&](double value) { return served.fits ? Json(value) : Json(nullptr); };
    const auto quantiles = [&](const Quantiles& of) {
        return quantilesDocument(served.fits ? of : Quantiles());
    };
    return {{"format", formatDocument(served.format)},
            {"fits", served.fits},
            {"weights_bytes", bytesDocument(served.memory.weightBytes)},
            {"memory_needed_bytes", bytesDocument(served.memory.neededBytes())},
            {"kv_blocks", served.kvBlocks > 0 ? Json(served.kvBlocks) : Json(nullptr)},
            {"longest_request_tokens", served.longestRequest},
            {"refused_share", served.refusedShare},
            {"served_output_share", served.servedOutputShare},
            {"users_that_fit", usersDocument(served.memory)},
            {"turns_per_s", figure(served.all.turnsPerS())},
            {"throughput_tokens_per_s", figure(served.all.throughputTokensPerS())},
            {"ttft_s", quantiles(served.all.ttftS)},
            {"tpot_s", quantiles(served.all.tpotS)},
            {"e2e_s", quantiles(served.all.e2eS)},
            {"preemptions",
             figure(static_cast<double>(served.all.preemptions) / static_cast<double>(served.all.runs))},
            {"queue_grows", served.fits ? Json(served.all.queueGrows()) : Json(nullptr)},
            {"run", runDocument(served.runs.run)},
            {"interval", intervalDocument(served.runs.run, true, errors)},
            {"interval_parts", intervalPartsDocument(served.runs.run, true, errors)}};
}

std::string roomText(const ServedFormat& served) {
    if (!served.fits) {
        return "-";
    }
    return served.memory.share > 0 ? formatCount(static_cast<double>(served.memory.roomTokens))
                                   : "not counted";
}

std::string usersThatFitText(const ServedFormat& served) {
    const auto users = usersThatFit(served.memory);
    return users ? formatExact(*users) : "not known";
}

} // namespace

nlohmann::ordered_json formatDocument(const Format& format) {
    return {{"weights", specOf(format.weights).key},
            {"kv", specOf(format.kv).key},
            {"experts", specOf(format.experts).key}};
}

nlohmann::ordered_json quantilesDocument(const Quantiles& quantiles) {
    const auto known = [&](double value) { return quantiles.n > 0 ? Json(value) : Json(nullptr); };
    return {{"n", quantiles.n},
            {"mean", known(quantiles.mean)},
            {"p50", known(quantiles.p50)},
            {"p90", known(quantiles.p90)},
            {"p99", known(quantiles.p99)}};
}

nlohmann::ordered_json kvDocument(const KvNeed& need) {
    Json document = {{"steps", need.steps},
                     {"p50_tokens", need.p50Tokens},
                     {"p99_tokens", need.p99Tokens},
                     {"peak_tokens", need.peakTokens},
                     {"contexts_known", need.contextsKnown},
                     {"weights_bytes", need.weightBytes},
                     {"weights_fp16_bytes", need.weightFp16Bytes}};
    if (need.bytesPerToken > 0) {
        document["bytes_per_token"] = need.bytesPerToken;
        document["p99_bytes"] = need.p99Bytes;
        document["peak_bytes"] = need.peakBytes;
    }
    if (need.memoryBytes > 0) {
        document["device_memory_bytes"] = need.memoryBytes;
    }
    return document;
}

void addPair(nlohmann::ordered_json& document, const FormatPair& pair) {
    document["longest_request_tokens"] = pair.own.longestRequest;
    document["refused_share"] = pair.own.refusedShare;
    document["served_output_share"] = pair.own.servedOutputShare;
    document["users_that_fit"] = usersDocument(pair.own.memory);
    const KernelErrors errors = pair.kernelErrors.value_or(KernelErrors());
    document["against"] = servedDocument(pair.against, {{}, errors.againstClock});
    if (pair.against.format == fp16Format) {
        document["fp16_fits"] = pair.against.fits; // by its own runs
    }
    document["turns_per_s_vs_against"] = pair.turnsPerS ? Json(pair.turnsPerS->value) : Json(nullptr);
    Json ratios = Json::object();
    Json intervals = Json::object();
    Json parts = Json::object();
    const auto endsOf = [](const std::optional<PairedRatio>& ratio) {
        return ratio && ratio->low ? Json::array({*ratio->low, *ratio->high}) : Json(nullptr);
    };
    for (const ServedFigure figure : servedFigures) {
        const ServedFigureSpec& spec = specOf(figure);
        const auto ratio = pair.ratioOf(figure);
        const std::string key(spec.key);
        ratios[key] = ratio ? Json(ratio->value) : Json(nullptr);
        if (!pair.isOneCourse) {
            intervals[key] = endsOf(ratio);
        }
        if (!spec.isTime && ratio && errors.vsAgainst) {
            parts[key] = partsDocument(endsOf(ratio->ofRuns()), ratio->value, *errors.vsAgainst);
        }
    }
    document["vs_against"] = std::move(ratios);
    document["interval_vs_against"] = std::move(intervals);
    document["interval_vs_against_parts"] = std::move(parts);
    document["compared_on"] = {{"longest_request_tokens", pair.longestRequest},
                               {"share_of_turns", 1 - pair.refusedShare}};
    if (pair.whole) {
        const bool isOwn = pair.whole->format == pair.own.format;
        document["whole"] = servedDocument(*pair.whole, {{}, isOwn ? errors.clock : errors.againstClock});
    }
    if (pair.isOneCourse) {
        document["arriving_turns_per_s"] =
            pair.arrivingPerS > 0 ? Json(pair.arrivingPerS) : Json(nullptr); // all at once
    }
    document["context_left_out_tokens"] = std::llround(pair.contextLeftOut);
    document["headline"] = servingSentenceOf(pair);
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

std::string pairText(const FormatPair& pair) {
    TextTable table;
    table.columns = {{"Served"},
                     {nameOf(pair.own.format), true},
                     {nameOf(pair.against.format), true},
                     {"Ratio (95 %)", true}};
    for (const PairedFigure& figure : pairedFiguresOf(pair)) {
        table.rows.push_back({figure.name, figure.own, figure.against, figure.ratio});
    }
    const auto both = [&](const char* name, const auto& text) {
        table.rows.push_back({name, text(pair.own), text(pair.against), ""});
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
    both("Users whose conversations fit", usersThatFitText);
    std::string text = servingSentenceOf(pair) + "\n\n" + alignedText(table);
    if (const std::string turns = comparedOnText(pair); !turns.empty()) {
        text += "Compared on " + turns + ".\n";
    }
    if (pair.whole) {
        const SimulationResult& all = pair.whole->all;
        text += fmt::format("On all turns that it takes {} serves {} tokens/s, TTFT p50 {}.\n",
                            nameOf(pair.whole->format), formatReal(all.throughputTokensPerS(), 3),
                            all.waitsGrow()   ? "grows"
                            : all.ttftS.n > 0 ? formatSeconds(all.ttftS.p50)
                                              : "not known");
    }
    return text;
}

} // namespace loadline::app
