// Where a curve of ratios passes 1, and the answer in words.
#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/preview_runs.h"
#include "core/simulate/study/preview_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
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

/// Places of the least and the largest pace; a preview's of few answers are passed over as long as there are
/// others.
std::pair<std::size_t, std::size_t> extremesOf(std::span<const SweepPoint> curve) {
    const bool hasOthers = !std::ranges::all_of(curve, isRough);
    std::optional<std::size_t> best, worst;
    for (std::size_t i = 0; i < curve.size(); ++i) {
        if (hasOthers && isRough(curve[i])) {
            continue;
        }
        const double pace = curve[i].pace().value;
        best = !best || pace < curve[*best].pace().value ? i : *best;
        worst = !worst || pace >= curve[*worst].pace().value ? i : *worst;
    }
    return {best.value_or(0), worst.value_or(0)};
}

PointLatency latencyOf(const SweepPoint& point) {
    return {.ttftP50S = point.ttftP50S.value,
            .againstTtftP50S = point.against ? point.against->figures.ttftP50S.value : 0};
}

/// "fp16 does not fit: needs 139 GiB of 24 GiB." with the users that fit at k; "" where both fit.
std::string misfitOf(const SweptPair& pair, const MemoryFit& own) {
    if (pair.isCompared()) {
        return {};
    }
    const bool isOwn = !pair.fits;
    const std::string need = needWordsOf(isOwn ? own : pair.against);
    const Tokens room = isOwn ? pair.longest : pair.againstLongest;
    std::string text =
        nameOf(isOwn ? pair.format : pair.againstFormat) + " " +
        (need.empty() ? fmt::format("does not fit: its KV room of {} tokens holds no turn", formatExact(room))
                      : need) +
        ".";
    if (const auto users = usersThatFit(isOwn ? pair.against : own); users && *users > 0) {
        text += fmt::format(" {} does, with room for the conversations of {}.",
                            nameOf(isOwn ? pair.againstFormat : pair.format), usersText(*users));
    }
    return text;
}

} // namespace

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
    std::string list;
    for (std::size_t i = 0; i < crossover.crossings.size(); ++i) {
        const std::string place = placeText(crossover, crossover.crossings[i]);
        const bool isLast = i > 0 && i + 1 == crossover.crossings.size();
        list += (i == 0 ? "" : isLast ? std::string(last) : ", ") + place;
        if (crossover.isPreview || i >= crossover.byCrossing.size() ||
            crossover.byCrossing[i].shareWithCrossing <= 0) {
            continue;
        }
        const CrossoverInterval& interval = crossover.byCrossing[i];
        const auto [low, high] = endsOf(crossover, interval);
        const std::string draws = crossingDraws(interval);
        const std::string span = low == high ? low : fmt::format("{} to {}", low, high);
        if (span != place || !draws.empty()) {
            list += fmt::format(" ({}{})", span, draws.empty() ? "" : draws + " there");
        }
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

std::int64_t firstUsersBehind(double crossing) {
    constexpr double exact = 1e-9; // a curve that is 1 at a number of users has crossed there
    return static_cast<std::int64_t>(std::ceil(crossing - exact));
}

std::int64_t firstUsersBehind(const Crossing& crossing) {
    return crossing.isWide() ? crossing.toUsers : firstUsersBehind(crossing.users);
}

std::vector<Crossing> crossingsOf(std::span<const std::int64_t> users, std::span<const double> ratios) {
    std::vector<Crossing> crossings;
    for (std::size_t i = 1; i < users.size() && i < ratios.size(); ++i) {
        const double below = ratios[i - 1] - 1;
        const double above = ratios[i] - 1;
        if ((below < 0) == (above < 0)) {
            continue;
        }
        const double share = below / (below - above);
        const double from = std::log(static_cast<double>(users[i - 1]));
        const double to = std::log(static_cast<double>(users[i]));
        crossings.push_back({std::exp(from + share * (to - from)), below < 0, users[i - 1], users[i]});
    }
    return crossings;
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

std::string sentenceOf(const Crossover& crossover) {
    if (crossover.memory.isTooLarge()) {
        return sentenceOf(crossover.memory);
    }
    if (!crossover.misfit.empty()) {
        return crossover.misfit;
    }
    if (crossover.byTurns) {
        std::string text = servingCrossingSentenceOf(crossover);
        if (crossover.leftOut) {
            text += " " + sentenceOf(*crossover.leftOut);
        }
        return crossover.ruleJump ? text + " " + sentenceOf(*crossover.ruleJump) : text;
    }
    const std::string who = fmt::format("Quantised kernels (k = {})", crossover.kBits);
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
    text += ".";
    if (crossover.leftOut) {
        text += " " + sentenceOf(*crossover.leftOut);
    }
    return crossover.ruleJump ? text + " " + sentenceOf(*crossover.ruleJump) : text;
}

std::vector<Crossover> crossoversOf(const SweepResult& sweep, StepScope scope, bool isPreview) {
    std::vector<Crossover> found;
    if (sweep.points.empty()) {
        return found;
    }
    for (std::size_t k = 0; k < sweep.kBits.size(); ++k) {
        for (std::size_t chunk = 0; chunk < sweep.chunks.size(); ++chunk) {
            const std::vector<SweepPoint> curve = sweep.ownCurve(k, chunk);
            Crossover one;
            one.kBits = sweep.kBits[k];
            one.chunkTokens = sweep.chunks[chunk];
            one.scope = scope;
            one.memory = k < sweep.memory.size() ? sweep.memory[k] : MemoryFit{};
            one.fromUsers = sweep.users.front();
            one.toUsers = sweep.users.back();
            std::vector<double> ratios;
            std::vector<std::int64_t> users;
            for (const SweepPoint& point : curve) {
                ratios.push_back(point.pace().value);
                users.push_back(point.users);
            }
            if (k < sweep.pairs.size()) {
                const SweptPair& pair = sweep.pairs[k];
                one.format = pair.format;
                one.against = pair.againstFormat;
                one.byTurns = pair.isCompared();
                one.misfit = misfitOf(pair, one.memory);
            } else {
                one.format = one.kBits;
            }
            one.crossings = one.misfit.empty() ? crossingsOf(users, ratios) : std::vector<Crossing>();
            const auto [bestPlace, worstPlace] = extremesOf(curve);
            const SweepPoint& bestPoint = curve[bestPlace];
            const SweepPoint& worstPoint = curve[worstPlace];
            one.best = bestPoint.pace();
            one.bestTimeVsFp16 = bestPoint.timeVsFp16.value;
            one.bestKernelError = bestPoint.paceKernelError();
            one.atBest = latencyOf(bestPoint);
            one.bestUsers = bestPoint.users;
            one.worst = worstPoint.pace();
            one.worstTimeVsFp16 = worstPoint.timeVsFp16.value;
            one.worstKernelError = worstPoint.paceKernelError();
            one.atWorst = latencyOf(worstPoint);
            one.worstUsers = worstPoint.users;
            const auto errorOf = [&](const SweepPoint& point) {
                const double known = point.paceError() * point.pace().value;
                if (!isPreview) {
                    return known;
                }
                return known > 0 ? std::max(known, previewError) : oneRunError * point.pace().value;
            };
            one.bestError = errorOf(bestPoint);
            one.worstError = errorOf(worstPoint);
            one.isPreview = isPreview;
            if (one.crossings.empty()) {
                one.kind =
                    ratios.front() < 1 ? CrossoverKind::QuantisedFaster : CrossoverKind::QuantisedSlower;
            } else {
                one.kind = one.crossings.size() == 1 ? CrossoverKind::One : CrossoverKind::Several;
            }
            one.sentence = sentenceOf(one);
            found.push_back(std::move(one));
        }
    }
    return found;
}

} // namespace loadline
