// Loads at which a curve of ratios passes 1, and the answer in words.
#include "core/simulate/study/crossing_words.h"

#include "core/simulate/study/preview_words.h"
#include "core/simulate/study/serving_crossing_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

/// Both ends are written in the same digits.
double errorOfGains(const Crossover& crossover) {
    return std::max({crossover.bestError, crossover.worstError,
                     crossover.bestKernelError.deviation * crossover.best.value,
                     crossover.worstKernelError.deviation * crossover.worst.value});
}

/// "24.1 %" of a ratio of 1.241 or 0.759; "24 %" where no more is known; "24 \u00b1 12 %" where the error of
/// the kernel times is in its band.
std::string percentOff(const Crossover& crossover, const Banded& ratio, const KernelError& kernels) {
    constexpr double wholePercent = 0.005;
    const double off = std::abs(ratio.value - 1);
    const double error = errorOfGains(crossover);
    if (crossover.isPreview) {
        return roughShare(off, error);
    }
    const double half = (ratio.high - ratio.low) / 2;
    return kernels.deviation > 0 && half >= wholePercent
               ? fmt::format("{:.0f} \u00b1 {:.0f} %", 100 * off, 100 * half)
               : formatShare(off, error);
}

std::string bestOf(const Crossover& crossover) {
    return percentOff(crossover, crossover.best, crossover.bestKernelError);
}

std::string worstOf(const Crossover& crossover) {
    return percentOff(crossover, crossover.worst, crossover.worstKernelError);
}

/// "7.0 % to 43.0 %"; once where both are the same.
std::string fromTo(const std::string& least, const std::string& most) {
    return least == most ? least : least + " to " + most;
}

bool isWide(const Crossover& crossover, const Crossing& crossing) {
    return !crossover.isPreview && crossing.isWide();
}

/// "17 users on"; of a preview "about 17 users on"; "17 to 24 users on" where none of them but the last was
/// simulated.
std::string crossingText(const Crossover& crossover, const Crossing& crossing) {
    if (crossover.isPreview) {
        return "about " + usersText(firstUsersBehind(crossing.users)) + " on";
    }
    return crossing.isWide() ? placeText(crossover, crossing) + " users on"
                             : usersText(firstUsersBehind(crossing)) + " on";
}

/// "; 3 users were not simulated", "; between 4 and 8 users nothing was simulated"
std::string gapText(const Crossing& crossing) {
    return crossing.toUsers - crossing.fromUsers == 2
               ? fmt::format("; {} users were not simulated", formatExact(crossing.fromUsers + 1))
               : fmt::format("; between {} and {} users nothing was simulated",
                             formatExact(crossing.fromUsers), formatExact(crossing.toUsers));
}

/// Both ends in whole users. An end within a wide crossing becomes that crossing's own end: between its two
/// settings nothing was simulated.
std::pair<std::string, std::string> endsOf(const Crossover& crossover, const CrossoverInterval& interval) {
    const auto usersAt = [&](double end, bool low) {
        const std::int64_t users = firstUsersBehind(end);
        for (const Crossing& crossing : crossover.crossings) {
            if (isWide(crossover, crossing) && users > crossing.fromUsers && users <= crossing.toUsers) {
                return low ? crossing.fromUsers + 1 : crossing.toUsers;
            }
        }
        return users;
    };
    return {interval.low ? formatExact(usersAt(*interval.low, true))
                         : "below " + formatExact(crossover.fromUsers),
            interval.high ? formatExact(usersAt(*interval.high, false))
                          : "above " + formatExact(crossover.toUsers)};
}

/// "; 80.0 % of the draws cross"; "" where all do.
std::string crossingDraws(const CrossoverInterval& interval) {
    constexpr double nearlyAll = 0.995;
    return interval.shareWithCrossing < nearlyAll
               ? fmt::format("; {} of the draws cross", formatShare(interval.shareWithCrossing))
               : "";
}

constexpr std::string_view withinItsPlace = " (all draws)";

/// " (60 to 140; 80.0 % of the draws cross there)"; withinItsPlace where it tells no more than the place.
std::string ownIntervalText(const Crossover& crossover, std::size_t crossing) {
    const CrossoverInterval& interval = crossover.byCrossing[crossing];
    const auto [low, high] = endsOf(crossover, interval);
    const std::string draws = crossingDraws(interval);
    const std::string span = low == high ? low : fmt::format("{} to {}", low, high);
    return draws.empty() && span == placeText(crossover, crossover.crossings[crossing])
               ? std::string(withinItsPlace)
               : fmt::format(" ({}{})", span, draws.empty() ? "" : draws + " there");
}

bool isSlower(const Crossover& crossover) {
    return crossover.kind == CrossoverKind::QuantisedSlower;
}

std::string_view inTheMean(const Crossover& crossover) {
    return hasDissent(crossover) ? "in the mean " : "";
}

std::string oneCrossing(const Crossover& crossover) {
    const Crossing& crossing = crossover.crossings.front();
    const bool losesLater = crossing.quantisedFasterBelow;
    const std::string later = losesLater ? worstOf(crossover) : bestOf(crossover);
    const std::string before = losesLater ? bestOf(crossover) : worstOf(crossover);
    return fmt::format("{} from {}{}, by up to {}; below, they {} by up to {}{}", losesLater ? "lose" : "win",
                       crossingText(crossover, crossing), intervalText(crossover), later,
                       losesLater ? "win" : "lose", before,
                       isWide(crossover, crossing) ? gapText(crossing) : "");
}

std::string severalCrossings(const Crossover& crossover) {
    const std::string list = placesText(crossover, " and ");
    return fmt::format("and fp16 change places at {}{} users{}: at most {} faster (at {}), {} slower (at {})",
                       crossover.isPreview ? "about " : "", list,
                       crossover.isPreview ? intervalText(crossover) : "", bestOf(crossover),
                       usersText(crossover.bestUsers), worstOf(crossover), usersText(crossover.worstUsers));
}

/// Sentences behind the answer, each after a blank.
std::string remarksText(const Crossover& crossover) {
    std::string text = crossover.leftOutLoads.empty() ? "" : " " + crossover.leftOutLoads;
    text += crossover.leftOut ? " " + ruleLeftOutSentence(*crossover.leftOut) : "";
    return text + (crossover.ruleJump ? " " + ruleJumpSentence(*crossover.ruleJump) : "");
}

} // namespace

std::string kernelsText(Storage weights) {
    const StorageSpec& spec = specOf(weights);
    return spec.kernels == WeightKernels::Rule ? fmt::format("Quantised kernels ({})", spec.name)
                                               : fmt::format("{} kernels, against fp16's,", spec.name);
}

std::string usersText(std::int64_t users) {
    return fmt::format("{} {}", formatExact(users), users == 1 ? "user" : "users");
}

std::string intervalText(const Crossover& crossover) {
    const CrossoverInterval& all = crossover.all;
    if (crossover.isPreview) {
        return " (preview)";
    }
    if (all.shareWithCrossing <= 0) {
        return ""; // not worked out
    }
    const auto [low, high] = endsOf(crossover, all);
    const std::string draws = crossingDraws(all);
    if (crossover.crossings.size() == 1 && draws.empty() &&
        placeText(crossover, crossover.crossings.front()) == fmt::format("{} to {}", low, high)) {
        return ""; // the crossing's own words
    }
    return low == high && draws.empty() ? " (sure to a user)"
                                        : fmt::format(" ({} to {}{})", low, high, draws);
}

std::string placesText(const Crossover& crossover, std::string_view last) {
    std::vector<std::string> intervals; // "" where it was not worked out
    bool tells = false;                 // one of them more than its place
    for (std::size_t i = 0; i < crossover.crossings.size(); ++i) {
        const bool isKnown = !crossover.isPreview && i < crossover.byCrossing.size() &&
                             crossover.byCrossing[i].shareWithCrossing > 0;
        intervals.push_back(isKnown ? ownIntervalText(crossover, i) : "");
        tells = tells || (isKnown && intervals[i] != withinItsPlace);
    }
    std::string list;
    for (std::size_t i = 0; i < crossover.crossings.size(); ++i) {
        const bool isLast = i > 0 && i + 1 == crossover.crossings.size();
        list += (i == 0   ? ""
                 : isLast ? std::string(last)
                          : ", ") +
                placeText(crossover, crossover.crossings[i]) + (tells ? intervals[i] : "");
    }
    return list;
}

std::string rangeText(const Crossover& crossover) {
    const std::string where =
        crossover.fromUsers == crossover.toUsers
            ? "at " + usersText(crossover.toUsers)
            : fmt::format("from {} to {}", formatExact(crossover.fromUsers), usersText(crossover.toUsers));
    return where + (crossover.isPreview ? intervalText(crossover) : "");
}

bool hasDissent(const Crossover& crossover) {
    return crossover.crossings.empty() && crossover.all.shareOtherwise > 0;
}

std::string otherwiseWhere(const Crossover& crossover, const CrossoverInterval& interval) {
    if (!interval.otherwiseUsers) {
        return "";
    }
    const std::int64_t behind = firstUsersBehind(*interval.otherwiseUsers);
    if (!isSlower(crossover)) {
        return fmt::format(", from {} on", usersText(behind));
    }
    const bool reachesTheEnd = *interval.otherwiseUsers >= static_cast<double>(crossover.toUsers);
    return ", up to " +
           usersText(reachesTheEnd ? crossover.toUsers : std::max(behind - 1, crossover.fromUsers));
}

std::string placeText(const Crossover& crossover, const Crossing& crossing) {
    return isWide(crossover, crossing)
               ? fmt::format("{} to {}", formatExact(crossing.fromUsers + 1), formatExact(crossing.toUsers))
               : formatExact(firstUsersBehind(crossing.users));
}

std::string wordsOf(const Crossover& crossover, const CrossoverInterval& interval) {
    if (crossover.crossings.empty()) {
        const std::string_view other = isSlower(crossover) ? "faster" : "slower";
        return interval.shareOtherwise > 0
                   ? fmt::format("{} in {} of the draws{}", other, formatShare(interval.shareOtherwise),
                                 otherwiseWhere(crossover, interval))
                   : fmt::format("{} in no draw", other);
    }
    if (interval.shareWithCrossing <= 0) {
        return "no draw crosses";
    }
    const auto [low, high] = endsOf(crossover, interval);
    return fmt::format("{} to {} users{}", low, high, crossingDraws(interval));
}

std::string crossoverSentence(const Crossover& crossover) {
    if (crossover.memory.fits() == false) {
        return misfitSentence(crossover.memory);
    }
    if (!crossover.misfit.empty()) {
        return crossover.misfit;
    }
    if (crossover.byTurns) {
        return servingCrossingSentenceOf(crossover) + remarksText(crossover);
    }
    const std::string who = kernelsText(crossover.weights);
    std::string text;
    switch (crossover.kind) {
    case CrossoverKind::QuantisedFaster:
        text = fmt::format("{} win {}{}: by {}", who, inTheMean(crossover), rangeText(crossover),
                           fromTo(worstOf(crossover), bestOf(crossover)));
        break;
    case CrossoverKind::QuantisedSlower:
        text = fmt::format("{} lose {}{}: by {}", who, inTheMean(crossover), rangeText(crossover),
                           fromTo(bestOf(crossover), worstOf(crossover)));
        break;
    case CrossoverKind::One:
        text = fmt::format("{} {}", who, oneCrossing(crossover));
        break;
    case CrossoverKind::Several:
        text = fmt::format("{} {}", who, severalCrossings(crossover));
        break;
    }
    if (hasDissent(crossover)) {
        text +=
            fmt::format("; in {} of the draws they {} somewhere{}", formatShare(crossover.all.shareOtherwise),
                        isSlower(crossover) ? "win" : "lose", otherwiseWhere(crossover, crossover.all));
    }
    if (const std::string shortfall = fp16ShortfallOf(crossover.memory); !shortfall.empty()) {
        text += "; " + shortfall;
    }
    return text + "." + remarksText(crossover);
}

} // namespace loadline
