// What a figure of kernels says in words, and its tables.
#include "core/base/file/read_json.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/number_format.h"
#include "core/text/table_columns.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

std::string usText(double us) {
    return formatSeconds(us * 1e-6);
}

std::string shapeText(const TimedShape& shape) {
    return shape.experts > 1 ? fmt::format("{} with {} experts", textOf(shape.size), shape.experts)
                             : textOf(shape.size);
}

std::string nameIn(const Profile& profile) {
    return profile.name.empty() ? profile.device : profile.name;
}

std::string crossingText(const KernelCrossing& crossing) {
    std::string text = fmt::format("{}", crossing.rowsM);
    if (crossing.low < crossing.rowsM || crossing.high > crossing.rowsM) {
        text += fmt::format(" ({} to {})", crossing.low, crossing.high);
    }
    return text;
}

std::string nameIn(const KernelFigure& figure, Kernel kernel) {
    return nameOf(kernel, namingOf(figure, 0));
}

const KernelCurve* curveOf(const KernelFigure& figure, Kernel kernel) {
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile == 0 && curve.kernel == kernel) {
            return &curve;
        }
    }
    return nullptr;
}

/// The k-bit kernel that is the fastest at M = 1; nothing where none was timed.
const KernelCurve* fastestFirst(const KernelFigure& figure) {
    if (!figure.crossings.empty()) {
        return curveOf(figure, figure.crossings.front().from);
    }
    const KernelCurve* best = nullptr;
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile == 0 && servesKBits(curve.kernel) && !curve.line.empty() &&
            (best == nullptr || curve.line.front().time.us < best->line.front().time.us)) {
            best = &curve;
        }
    }
    return best;
}

const char* timedWord(const KernelFigure& figure) {
    return isUnvalidated(*figure.inputs.profile) ? "modelled" : "timed";
}

/// There is nothing that it could be faster than.
bool isOnlyKBit(const KernelFigure& figure) {
    return std::ranges::count_if(figure.curves, [](const KernelCurve& curve) {
               return curve.profile == 0 && servesKBits(curve.kernel) && !curve.line.empty();
           }) == 1;
}

/// "Up to M = 4 scalar GEMV is the fastest k-bit kernel (not timed beyond), from 5 MMA, ..."
std::string fastestText(const KernelFigure& figure) {
    const KernelCurve* const first = fastestFirst(figure);
    if (first == nullptr) {
        for (const KernelCurve& curve : figure.curves) {
            if (curve.profile == 0 && !curve.line.empty()) {
                return fmt::format("{} takes {} at M = 1 on {}; no k-bit kernel was {} at k = {}.",
                                   nameIn(figure, curve.kernel), usText(curve.line.front().time.us),
                                   shapeText(figure.inputs.shape), timedWord(figure), figure.inputs.kBits);
            }
        }
        return fmt::format("{} has no times of {} at k = {}.", nameIn(*figure.inputs.profile),
                           shapeText(figure.inputs.shape), figure.inputs.kBits);
    }
    const std::vector<KernelCrossing>& crossings = figure.crossings;
    if (crossings.empty() && isOnlyKBit(figure)) {
        return fmt::format("{} is the only k-bit kernel that was {}.", nameIn(figure, first->kernel),
                           timedWord(figure));
    }
    if (crossings.empty()) {
        return fmt::format("{} is the fastest k-bit kernel at every M that was {}.",
                           nameIn(figure, first->kernel), timedWord(figure));
    }
    std::string text = fmt::format("Up to M = {} {} is the fastest k-bit kernel", crossings.front().rowsM - 1,
                                   nameIn(figure, crossings.front().from));
    for (const KernelCrossing& crossing : crossings) {
        text += fmt::format("{}, from {} {}",
                            crossing.pointsEnd ? fmt::format(" (not {} beyond)", timedWord(figure)) : "",
                            crossingText(crossing), nameIn(figure, crossing.to));
    }
    return text + ".";
}

std::string againstFp16(const KernelFigure& figure) {
    const KernelCurve* const first = fastestFirst(figure);
    if (first == nullptr) {
        return "";
    }
    if (figure.fp16Wins && figure.fp16Wins->rowsM <= 1) {
        return fmt::format(" {} is faster at every M.", nameIn(figure, figure.fp16Wins->to));
    }
    if (figure.fp16Wins) {
        return fmt::format(" From M = {} on {} is faster than all of them.", crossingText(*figure.fp16Wins),
                           nameIn(figure, figure.fp16Wins->to));
    }
    const bool hasFp16 = std::ranges::any_of(figure.curves, [](const KernelCurve& curve) {
        return curve.profile == 0 && !readsKBits(curve.kernel);
    });
    return hasFp16 ? " fp16 never overtakes them." : "";
}

std::string fractionText(const KernelFigure& figure) {
    const KernelCurve* const first = fastestFirst(figure);
    if (first == nullptr || first->marks.empty() || !(first->marks.front().boundUs > 0)) {
        return "";
    }
    const KernelMark& mark = first->marks.front();
    const std::string above = mark.fraction <= 1 ? ""
                              : mark.byArithmetic
                                  ? ": more arithmetic a second than that rate"
                                  : ": faster than memory is read, as its weights came from a cache";
    return fmt::format(" At M = {} {} reaches {} of the bound by {}{}.", mark.rowsM,
                       nameIn(figure, first->kernel), formatShare(mark.fraction), figure.boundSource, above);
}

/// Said before anything is ranked by such times; "" where they are steady, or nobody knows.
std::string unsteadyText(const KernelFigure& figure) {
    constexpr double worthSaying = 0.25; // of the points
    std::size_t all = 0;
    std::size_t unsteady = 0;
    double most = 0;
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.profile == 0 ? curve.marks : std::vector<KernelMark>()) {
            const ProfilePoint& point = figure.inputs.profile->points[mark.point];
            if (point.origin == PointOrigin::Measured) {
                ++all;
                unsteady += isUnsteady(point) ? 1 : 0;
                most = std::max(most, relativeErrorOf(point, 0));
            }
        }
    }
    if (unsteady == 0 || static_cast<double>(unsteady) < worthSaying * static_cast<double>(all)) {
        return "";
    }
    return fmt::format(
        "These times are unsteady, as if other work ran beside them: {} of {} vary by {} or more, "
        "up to {}. What follows may be chance. ",
        unsteady, all, formatShare(unsteadyError), formatShare(most, most / 10));
}

/// How a pair's line follows from its parts; nothing where none was timed with its parts.
std::string pairText(const KernelFigure& figure) {
    for (const KernelCurve& curve : figure.curves) {
        double least = 0;
        double most = 0;
        std::vector<std::string> rows;
        for (const KernelMark& mark : curve.marks) {
            if (mark.partsUs > 0) {
                const double ratio = mark.us / mark.partsUs;
                least = rows.empty() ? ratio : std::min(least, ratio);
                most = std::max(most, ratio);
                rows.push_back(formatFixed(mark.rowsM, 0));
            }
        }
        if (curve.profile == 0 && !rows.empty()) {
            const std::string range = formatReal(least, 3);
            const std::string end = formatReal(most, 3);
            return fmt::format(" The line of {} is its parts' sum, corrected by what both take in one go at "
                               "M = {}: {}{} of the sum.",
                               nameIn(figure, curve.kernel), fmt::join(rows, ", "), range,
                               range == end ? "" : " to " + end);
        }
    }
    return "";
}

std::string comparedText(const KernelFigure& figure) {
    if (!figure.inputs.compared) {
        return "";
    }
    const std::string other = nameIn(*figure.inputs.compared);
    if (figure.comparisons.empty()) {
        return fmt::format(" {} has no point of this shape in common.", other);
    }
    std::string text;
    for (const KernelComparison& one : figure.comparisons) {
        text += fmt::format("{}{} takes {} times as long", text.empty() ? "" : ", ",
                            nameIn(figure, one.kernel), formatReal(one.ratio, 3));
    }
    return fmt::format(" Compared with {}, {} (medians).", other, text);
}

/// A model's profile says so first.
std::string unvalidatedText(const KernelFigure& figure, std::string sentence) {
    if (!isUnvalidated(*figure.inputs.profile)) {
        return sentence;
    }
    if (sentence.starts_with("Up")) {
        sentence.front() = 'u';
    }
    return "Modelled, unvalidated: " + sentence;
}

std::string limitsSentence(const KernelFigure& figure) {
    return figure.limits.empty()
               ? ""
               : fmt::format(" What takes longest in {}: {}. No measured GPU was compared; there is no error "
                             "bar.",
                             nameIn(figure, formOf(Kernel::SwapAb, figure.inputs.shape.experts > 1)),
                             figure.limits);
}

/// Of a measured profile, how far the model is from it.
std::string againstModelText(const KernelFigure& figure) {
    std::vector<std::string> parts;
    for (const AgainstModel& one : figure.againstModel) {
        parts.push_back(fmt::format("{} {}", nameIn(figure, one.kernel), formatReal(one.ratio, 3)));
    }
    return parts.empty() ? ""
                         : fmt::format(" Measured over modelled (medians): {}; the model of {} itself is not "
                                       "validated.",
                                       fmt::join(parts, ", "), figure.inputs.profile->hardware);
}

/// Of a fact that is written as JSON; null where there is none.
nlohmann::json factOf(const Profile& profile, const char* key) {
    const auto found = profile.methodFacts.find(key);
    return found == profile.methodFacts.end() ? nlohmann::json() : jsonFrom(found->second);
}

/// Kernels of which the preset's time held no point of this shape and k: its plan says which it left out, as
/// "MMA, 2048x5120 x 8 experts, k = 4, M = 16".
std::string leftOutText(const KernelFigure& figure) {
    const nlohmann::json leftOut = factOf(*figure.inputs.profile, "left_out_for_time");
    const nlohmann::json preset = factOf(*figure.inputs.profile, "preset");
    const TimedShape& shape = figure.inputs.shape;
    const std::string size =
        ", " + textOf(shape.size) + (shape.experts > 1 ? fmt::format(" x {} experts", shape.experts) : "");
    std::vector<std::string> names;
    for (const nlohmann::json& one : leftOut.is_array() ? leftOut : nlohmann::json::array()) {
        const std::string words = one.is_string() ? one.get<std::string>() + "," : std::string();
        const std::size_t at = words.find(size + ",");
        const bool otherK = words.find(", k = ") != std::string::npos &&
                            words.find(fmt::format(", k = {},", figure.inputs.kBits)) == std::string::npos;
        if (at == std::string::npos || otherK) {
            continue;
        }
        const std::string name = words.substr(0, at);
        const bool drawn = std::ranges::any_of(figure.curves, [&](const KernelCurve& curve) {
            return curve.profile == 0 && !curve.marks.empty() && nameIn(figure, curve.kernel) == name;
        });
        if (!drawn && std::ranges::find(names, name) == names.end()) {
            names.push_back(name);
        }
    }
    if (names.empty()) {
        return "";
    }
    if (!cutOf(*figure.inputs.profile).empty()) {
        return fmt::format(" Not timed so far: {}.", fmt::join(names, ", "));
    }
    return fmt::format(" Left out, as too long for the {}preset: {}; a longer one times {}.",
                       preset.is_string() ? preset.get<std::string>() + " " : std::string(),
                       fmt::join(names, ", "), names.size() == 1 ? "it" : "them");
}

std::string boundBy(const KernelMark& mark) {
    return mark.byArithmetic ? "arithmetic" : "memory";
}

const Profile& profileOf(const KernelFigure& figure, const KernelCurve& curve) {
    return curve.profile == 0 ? *figure.inputs.profile : *figure.inputs.compared;
}

std::vector<Cell> headOf(const KernelFigure& figure, const KernelCurve& curve, const ProfilePoint& point) {
    const Profile& profile = profileOf(figure, curve);
    return {nameIn(profile),
            std::string(keyOf(curve.kernel)),
            point.name.empty() ? codeNameOf(curve.kernel, profile) : point.name,
            textOf(point.size),
            std::int64_t{point.experts},
            std::int64_t{point.kBits},
            point.rowsM};
}

template <typename Row>
void eachMark(const KernelFigure& figure, Row row) {
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.marks) {
            row(curve, mark, profileOf(figure, curve).points[mark.point]);
        }
    }
}

} // namespace

KernelNaming namingOf(const KernelFigure& figure, int profile) {
    const auto& drawn = profile == 0 ? figure.inputs.profile : figure.inputs.compared;
    return namingOf(drawn.get(), {figure.inputs.shape.size}, figure.inputs.kBits);
}

std::string sentenceOf(const KernelFigure& figure) {
    std::string text = unsteadyText(figure) + unvalidatedText(figure, fastestText(figure)) +
                       limitsSentence(figure) + againstModelText(figure) + againstFp16(figure) +
                       fractionText(figure) + pairText(figure) + comparedText(figure) + leftOutText(figure);
    if (const std::string cut = cutOf(*figure.inputs.profile); !cut.empty()) {
        text += fmt::format(" Not complete: {}{}", cut, cut.ends_with('.') ? "" : ".");
    }
    if (figure.inputs.profile->source == madeUpSource) {
        text += " The figures are invented: a made-up device.";
    }
    return text;
}

Table timesTable(const KernelFigure& figure) {
    Table table = tableWith("profile kernel kernel_name shape experts k_bits rows_m time_us p25_us p75_us "
                            "min_us low_us high_us repeat_us isolated_us drifted_us samples clock_mhz flags "
                            "origin source parts_us not_complete");
    eachMark(figure, [&](const KernelCurve& curve, const KernelMark& mark, const ProfilePoint& point) {
        std::vector<Cell> row = headOf(figure, curve, point);
        const std::string& source = point.source.empty() ? profileOf(figure, curve).source : point.source;
        for (Cell cell :
             {Cell(point.timeUs), cellOf(point.p25Us), cellOf(point.p75Us), cellOf(point.minUs),
              Cell(mark.low), Cell(mark.high), cellOf(point.repeatUs), cellOf(point.isolatedUs),
              cellOf(point.driftedUs), point.samples > 0 ? Cell(std::int64_t{point.samples}) : Cell(),
              point.clockMhz > 0 ? Cell(point.clockMhz) : Cell(),
              Cell(fmt::format("{}", fmt::join(point.flags, " "))), Cell(std::string(keyOf(point.origin))),
              Cell(source), mark.partsUs > 0 ? Cell(mark.partsUs) : Cell(),
              Cell(cutOf(profileOf(figure, curve)))}) {
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    });
    return table;
}

Table ceilingTable(const KernelFigure& figure) {
    Table table =
        tableWith("profile kernel kernel_name shape experts k_bits rows_m time_us bound_us bound_by "
                  "fraction_of_ceiling not_complete");
    eachMark(figure, [&](const KernelCurve& curve, const KernelMark& mark, const ProfilePoint& point) {
        if (!(mark.boundUs > 0)) {
            return;
        }
        std::vector<Cell> row = headOf(figure, curve, point);
        for (Cell cell : {Cell(point.timeUs), Cell(mark.boundUs), Cell(boundBy(mark)), Cell(mark.fraction),
                          Cell(cutOf(profileOf(figure, curve)))}) {
            row.push_back(std::move(cell));
        }
        table.rows.push_back(std::move(row));
    });
    return table;
}

} // namespace loadline
