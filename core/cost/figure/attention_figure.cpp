// Makes curves, words and a table of a profile's attention.
#include "core/cost/figure/attention_figure.h"

#include "core/base/statistics.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/time_bar.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

std::optional<KernelBounds> boundsOf(const Profile& profile) {
    const std::optional<KernelBounds> measured = measuredBounds(profile);
    return measured ? measured : datasheetBounds(profile);
}

AttentionMark markOf(const Profile& profile, std::size_t index, const std::optional<KernelBounds>& bounds) {
    const AttentionTiming& timing = profile.attention[index];
    const TimeBar bar = barOf(timing);
    AttentionMark mark{.point = index,
                       .tokens = static_cast<double>(timing.call.tokens),
                       .us = timing.timeUs,
                       .low = bar.low,
                       .high = bar.high};
    if (bounds) {
        const double bytesUs = contextBytes(timing.call) / (bounds->readGbS * 1e3);
        const double flopUs = bounds->gemmTflopS > 0 ? flopOf(timing.call) / (bounds->gemmTflopS * 1e6) : 0;
        mark.boundUs = std::max(bytesUs, flopUs);
        mark.byArithmetic = flopUs > bytesUs;
        mark.fraction = mark.boundUs / mark.us;
    }
    return mark;
}

std::vector<AttentionCurve> curvesOf(const Profile& profile, int index) {
    const std::optional<KernelBounds> bounds = boundsOf(profile);
    std::map<std::tuple<AttentionHeads, AttentionPhase, int>, std::vector<AttentionMark>> byCurve;
    for (std::size_t i = 0; i < profile.attention.size(); ++i) {
        const AttentionCall& call = profile.attention[i].call;
        byCurve[{call.heads, call.phase, call.batch}].push_back(markOf(profile, i, bounds));
    }
    std::vector<AttentionCurve> curves;
    for (auto& [key, marks] : byCurve) {
        std::ranges::sort(marks, {}, &AttentionMark::tokens);
        curves.push_back({.phase = std::get<1>(key),
                          .heads = std::get<0>(key),
                          .batch = std::get<2>(key),
                          .profile = index,
                          .marks = std::move(marks)});
    }
    return curves;
}

/// The point of a phase that comes nearest to its bound.
std::pair<const AttentionCurve*, const AttentionMark*> bestOf(const AttentionFigure& figure,
                                                              AttentionPhase phase) {
    std::pair<const AttentionCurve*, const AttentionMark*> best{};
    for (const AttentionCurve& curve : figure.curves) {
        for (const AttentionMark& mark : curve.marks) {
            if (curve.profile == 0 && curve.phase == phase &&
                (best.second == nullptr || mark.fraction > best.second->fraction)) {
                best = {&curve, &mark};
            }
        }
    }
    return best;
}

std::string rateOf(const AttentionCall& call, double us, bool byArithmetic) {
    return byArithmetic
               ? fmt::format("does {} TFLOP/s", formatReal(flopOf(call) / us / 1e6, 3))
               : fmt::format("reads its context at {} GB/s", formatReal(contextBytes(call) / us / 1e3, 3));
}

/// "Compared with theirs, decode takes 0.5 times as long (3 calls): medians of unflagged calls. "; "" if
/// nothing is compared.
std::string comparedWords(const AttentionFigure& figure) {
    if (!figure.compared) {
        return "";
    }
    const std::string other = visibleText(labelOf(*figure.compared));
    std::string text;
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        std::vector<double> ratios;
        for (const AttentionTiming& timing : figure.profile->attention) {
            const auto same =
                std::ranges::find(figure.compared->attention, timing.call, &AttentionTiming::call);
            if (timing.call.phase == phase && same != figure.compared->attention.end() &&
                timing.flags.empty() && same->flags.empty()) {
                ratios.push_back(timing.timeUs / same->timeUs);
            }
        }
        if (!ratios.empty()) {
            text += fmt::format("{}{} takes {} times as long ({})", text.empty() ? "" : ", ", keyOf(phase),
                                formatReal(medianOf(ratios), 3), counted(ratios.size(), "call"));
        }
    }
    return text.empty() ? fmt::format("{} has no unflagged call in common. ", other)
                        : fmt::format("Compared with {}, {}: medians of unflagged calls. ", other, text);
}

std::string attentionSentence(const AttentionFigure& figure) {
    if (figure.profile->attention.empty()) {
        return "No attention was timed: measuring with the shapes of a model times it, those of the study "
               "say "
               "nothing of attention.";
    }
    std::string text;
    for (const AttentionPhase phase : {AttentionPhase::Decode, AttentionPhase::Prefill}) {
        const auto [curve, mark] = bestOf(figure, phase);
        if (mark == nullptr) {
            continue;
        }
        const AttentionCall& call = figure.profile->attention[mark->point].call;
        text += fmt::format("{} {} at best", phase == AttentionPhase::Decode ? "Decode" : "Prefill",
                            rateOf(call, mark->us, mark->byArithmetic));
        if (mark->boundUs > 0) {
            text += fmt::format(", {} of the ceiling", formatShare(mark->fraction));
        }
        text +=
            fmt::format(" ({} of {} tokens). ", counted(static_cast<std::uint64_t>(call.batch), "sequence"),
                        formatExact(call.tokens));
    }
    return text + comparedWords(figure) + "Simple kernels, not FlashAttention: engines' own are faster.";
}

} // namespace

AttentionFigure attentionFigure(std::shared_ptr<const Profile> profile,
                                std::shared_ptr<const Profile> compared) {
    AttentionFigure figure;
    figure.curves = curvesOf(*profile, 0);
    if (compared) {
        std::vector<AttentionCurve> others = curvesOf(*compared, 1);
        figure.curves.insert(figure.curves.end(), others.begin(), others.end());
    }
    figure.severalHeads = std::ranges::any_of(figure.curves, [&](const AttentionCurve& curve) {
        return curve.heads != figure.curves.front().heads;
    });
    const std::optional<KernelBounds> bounds = boundsOf(*profile);
    figure.boundSource = bounds ? bounds->source : "";
    figure.profile = std::move(profile);
    figure.compared = std::move(compared);
    figure.sentence = attentionSentence(figure);
    return figure;
}

std::string nameOf(const AttentionCurve& curve, bool withHeads) {
    std::string name = fmt::format("{}, {}", keyOf(curve.phase),
                                   counted(static_cast<std::uint64_t>(curve.batch), "sequence"));
    if (withHeads) {
        name +=
            fmt::format(", {}/{} heads of {}", curve.heads.qHeads, curve.heads.kvHeads, curve.heads.headDim);
    }
    return name;
}

Table attentionTable(const AttentionFigure& figure) {
    Table table = tableWith("profile phase q_heads kv_heads head_dim batch tokens time_us p25_us p75_us "
                            "min_us low_us high_us bound_us bound_by fraction_of_ceiling samples clock_mhz "
                            "flags origin not_complete");
    for (const AttentionCurve& curve : figure.curves) {
        const Profile& profile = curve.profile == 0 ? *figure.profile : *figure.compared;
        for (const AttentionMark& mark : curve.marks) {
            const AttentionTiming& timing = profile.attention[mark.point];
            const bool bounded = mark.boundUs > 0;
            table.rows.push_back(
                {Cell(profile.name.empty() ? profile.device : profile.name),
                 Cell(std::string(keyOf(curve.phase))),
                 Cell(std::int64_t{curve.heads.qHeads}),
                 Cell(std::int64_t{curve.heads.kvHeads}),
                 Cell(std::int64_t{curve.heads.headDim}),
                 Cell(std::int64_t{curve.batch}),
                 Cell(timing.call.tokens),
                 Cell(timing.timeUs),
                 cellOf(timing.p25Us),
                 cellOf(timing.p75Us),
                 cellOf(timing.minUs),
                 Cell(mark.low),
                 Cell(mark.high),
                 bounded ? Cell(mark.boundUs) : Cell(),
                 bounded ? Cell(std::string(mark.byArithmetic ? "arithmetic" : "memory")) : Cell(),
                 bounded ? Cell(mark.fraction) : Cell(),
                 timing.samples > 0 ? Cell(std::int64_t{timing.samples}) : Cell(),
                 timing.clockMhz > 0 ? Cell(timing.clockMhz) : Cell(),
                 Cell(fmt::format("{}", fmt::join(timing.flags, " "))),
                 Cell(std::string(keyOf(timing.origin))),
                 Cell(cutOf(profile))});
        }
    }
    return table;
}

} // namespace loadline
