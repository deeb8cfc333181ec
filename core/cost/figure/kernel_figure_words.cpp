// The sentence of a figure of kernels, and its tables.
#include "core/base/file/read_json.h"
#include "core/cost/figure/fp16_words.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/figure/warm_words.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

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

/// The k-bit kernel that is the fastest at the least M that was timed; nothing where none was timed.
const KernelCurve* fastestFirst(const KernelFigure& figure) {
    return figure.fastestFirst ? curveOf(figure, *figure.fastestFirst) : nullptr;
}

/// True if some point of the curve is no model's.
bool isTimed(const KernelFigure& figure, const KernelCurve& curve) {
    return std::ranges::any_of(curve.marks, [&](const KernelMark& mark) {
        return !isUnvalidated(figure.inputs.profile->points[mark.point]);
    });
}

/// Kernels among those of a model that others timed.
std::vector<std::string> timedAmongModelled(const KernelFigure& figure) {
    std::vector<std::string> names;
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile == 0 && isTimed(figure, curve)) {
            names.push_back(nameIn(figure, curve.kernel));
        }
    }
    return names;
}

const char* timedWord(const KernelFigure& figure) {
    return !isUnvalidated(*figure.inputs.profile) ? "timed"
           : timedAmongModelled(figure).empty()   ? "modelled"
                                                  : "timed or modelled";
}

/// True if there is no other k-bit kernel that the one could be faster than.
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
            if (curve.profile == 0 && !curve.marks.empty()) {
                const KernelMark& mark = curve.marks.front();
                const std::vector<int> timed = timedKBits(*figure.inputs.profile);
                const bool elsewhere = std::ranges::find(timed, figure.inputs.kBits) != timed.end();
                const std::string others =
                    timed.empty() ? ""
                    : elsewhere   ? " (other shapes were)"
                                  : fmt::format(" (the profile has k = {})", fmt::join(timed, ", "));
                return fmt::format("{} takes {} at M = {} on {}; no k-bit kernel was {} at k = {}{}.",
                                   nameIn(figure, curve.kernel), usText(mark.us), formatFixed(mark.rowsM, 0),
                                   shapeText(figure.inputs.shape), timedWord(figure), figure.inputs.kBits,
                                   others);
            }
        }
        return fmt::format("{} has no times of {} at k = {}.", profileLabelIn(figure, 0),
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
    constexpr std::size_t mostChanges = 3; // of which a headline of two lines has room
    const bool all = crossings.size() <= mostChanges;
    for (std::size_t i = 0; i < (all ? crossings.size() : 1); ++i) {
        const KernelCrossing& crossing = crossings[i];
        text += fmt::format("{}, from {} {}{}",
                            crossing.pointsEnd ? fmt::format(" (not {} beyond)", timedWord(figure)) : "",
                            crossingText(crossing), nameIn(figure, crossing.to),
                            crossing.pointsBegin ? fmt::format(" (not {} below)", timedWord(figure)) : "");
    }
    if (!all) {
        text += fmt::format("; {} more changes to {} from {} on", crossings.size() - 1,
                            nameIn(figure, crossings.back().to), crossings.back().rowsM);
    }
    return text + ".";
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

/// Returns a caveat before anything is ranked by unsteady times; "" if they are steady, or it is not known.
std::string unsteadyText(const KernelFigure& figure) {
    constexpr double worthSaying = 0.25; // of the points
    std::size_t all = 0;
    std::size_t unsteady = 0;
    std::size_t interrupted = 0;
    double most = 0;
    for (const KernelCurve& curve : figure.curves) {
        for (const KernelMark& mark : curve.profile == 0 ? curve.marks : std::vector<KernelMark>()) {
            const ProfilePoint& point = figure.inputs.profile->points[mark.point];
            if (point.origin == PointOrigin::Measured) {
                ++all;
                unsteady += isUnsteady(point) ? 1 : 0;
                interrupted += isInterrupted(point) ? 1 : 0;
                most = std::max(most, relativeErrorOf(point, 0));
            }
        }
    }
    if (unsteady == 0 || static_cast<double>(unsteady) < worthSaying * static_cast<double>(all)) {
        return "";
    }
    if (interrupted == unsteady) {
        return fmt::format(
            "Other programs interrupted {} of {} timings throughout. What follows may be chance. ", unsteady,
            all);
    }
    return fmt::format(
        "These times are unsteady, as if other work ran beside them: {} of {} {}vary by {} or more, "
        "up to {}. What follows may be chance. ",
        unsteady, all, interrupted > 0 ? "were interrupted or " : "", formatShare(unsteadyError),
        formatShare(most, most / 10));
}

/// " (2 left out, flagged)" of a pair's marks that correct nothing; "" without any.
std::string leftOutPairsText(const KernelFigure& figure, const KernelCurve& pair) {
    std::size_t leftOut = 0;
    std::size_t contradicting = 0;
    for (const KernelMark& mark : pair.marks) {
        if (mark.partsUs > 0 && mark.factor == 0) {
            ++leftOut;
            contradicting += contradictsParts(mark.us / mark.partsUs) &&
                                     !isFlagged(figure.inputs.profile->points[mark.point])
                                 ? 1
                                 : 0;
        }
    }
    return leftOut == 0 ? ""
                        : fmt::format(" ({} left out, {})", leftOut,
                                      contradicting == 0         ? "flagged"
                                      : contradicting == leftOut ? "contradicting their parts"
                                                                 : "flagged or contradicting their parts");
}

/// " 2 interrupted or implausible points are left out of the lines."; "" where none is.
std::string passedByText(const KernelFigure& figure) {
    return figure.passedBy == 0
               ? ""
               : fmt::format(" {} interrupted or implausible {} left out of the lines.", figure.passedBy,
                             figure.passedBy == 1 ? "point is" : "points are");
}

/// How a pair's line follows from its parts; nothing where none was timed with its parts.
std::string pairText(const KernelFigure& figure) {
    for (const KernelCurve& curve : figure.curves) {
        if (curve.profile != 0) {
            continue;
        }
        double least = 0;
        double most = 0;
        std::vector<std::string> rows;
        for (const KernelMark& mark : curve.marks) {
            if (mark.factor > 0) {
                least = rows.empty() ? mark.factor : std::min(least, mark.factor);
                most = std::max(most, mark.factor);
                rows.push_back(formatFixed(mark.rowsM, 0));
            }
        }
        const std::string leftOut = leftOutPairsText(figure, curve);
        if (!rows.empty()) {
            const std::string range = formatReal(least, 3);
            const std::string end = formatReal(most, 3);
            return fmt::format(" The line of {} is its parts' sum, corrected by what both take in one go at "
                               "M = {}: {}{} of the sum{}.",
                               nameIn(figure, curve.kernel), fmt::join(rows, ", "), range,
                               range == end ? "" : " to " + end, leftOut);
        }
        if (!leftOut.empty()) {
            return fmt::format(
                " The line of {} is its parts' sum; what both take in one go corrects nothing{}.",
                nameIn(figure, curve.kernel), leftOut);
        }
    }
    return "";
}

std::string comparedText(const KernelFigure& figure) {
    if (!figure.inputs.compared) {
        return "";
    }
    const std::string other = profileLabelIn(figure, 1);
    if (figure.comparisons.empty()) {
        return fmt::format("{} has no point of this shape in common. ", other);
    }
    std::string text;
    for (const KernelComparison& one : figure.comparisons) {
        text += text.empty() ? "" : ", ";
        if (one.points == 0) {
            text += nameIn(figure, one.kernel) + " has only flagged points";
            continue;
        }
        const std::string range =
            one.error > 0 ? fmt::format("{} to {}, ", formatReal(one.ratio * std::exp(-one.error), 3),
                                        formatReal(one.ratio * std::exp(one.error), 3))
                          : "";
        text += fmt::format("{} takes {} times as long ({}{})", nameIn(figure, one.kernel),
                            formatReal(one.ratio, 3), range,
                            counted(static_cast<std::size_t>(one.points), "point"));
    }
    return fmt::format("Compared with {}, {} (medians of unflagged points). ", other, text);
}

/// Returns `sentence`, preceded by "Modelled, unvalidated" for a model's profile.
std::string unvalidatedText(const KernelFigure& figure, std::string sentence) {
    if (!isUnvalidated(*figure.inputs.profile)) {
        return sentence;
    }
    if (sentence.starts_with("Up")) {
        sentence.front() = 'u';
    }
    const std::vector<std::string> timed = timedAmongModelled(figure);
    return fmt::format("Modelled, unvalidated{}: {}",
                       timed.empty() ? std::string() : fmt::format(" but for {}", fmt::join(timed, ", ")),
                       sentence);
}

std::string limitsSentence(const KernelFigure& figure) {
    return figure.limits.empty()
               ? ""
               : fmt::format(" What takes longest in {}: {}. No measured GPU was compared; there is no error "
                             "bar.",
                             nameIn(figure, formOf(Kernel::SwapAb, figure.inputs.shape.experts > 1)),
                             figure.limits);
}

/// Returns how far the model is from a measured profile.
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

/// Returns a fact that is written as JSON; null if there is none.
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

} // namespace

KernelNaming namingOf(const KernelFigure& figure, int profile) {
    const auto& drawn = profile == 0 ? figure.inputs.profile : figure.inputs.compared;
    return namingOf(drawn.get(), {figure.inputs.shape.size}, figure.inputs.kBits);
}

std::string kernelSentence(const KernelFigure& figure) {
    std::string text = comparedText(figure) + unsteadyText(figure) +
                       unvalidatedText(figure, fastestText(figure)) + limitsSentence(figure) +
                       againstModelText(figure) + againstFp16Text(figure, timedWord(figure)) +
                       warmSentenceOf(figure, timedWord(figure)) + passedByText(figure) +
                       fractionText(figure) + pairText(figure) + leftOutText(figure);
    if (const std::string cut = cutOf(*figure.inputs.profile); !cut.empty()) {
        text += fmt::format(" Not complete: {}{}", cut, cut.ends_with('.') ? "" : ".");
    }
    if (figure.inputs.profile->source == madeUpSource) {
        text += " The figures are invented: a made-up device.";
    }
    return text;
}

} // namespace loadline
