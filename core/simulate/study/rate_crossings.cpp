// Passes of 1 over rates, and their sentence.
#include "core/simulate/study/rate_crossings.h"

#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/preview_words.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

bool overRates(std::span<const SweepPoint> curve) {
    return !curve.empty() && curve.front().ratePerS > 0;
}

/// Formats served by themselves are compared by what their users see, the mean latency.
std::string whoText(std::span<const SweepPoint> curve, Storage weights) {
    return curve.front().against ? fmt::format("From end to end {}", specOf(weights).name)
                                 : kernelsText(weights);
}

/// "24.1 %" of a ratio of 1.241 or 0.759.
std::string offText(const SweepPoint& point, bool isPreview) {
    const double off = std::abs(point.pace().value - 1);
    const double known = point.paceError() * point.pace().value;
    return isPreview
               ? roughShare(off, known > 0 ? std::max(known, previewError) : oneRunError * point.pace().value)
               : formatShare(off, known);
}

/// " At 2 and 4 turns a second the two are not told apart."; "" if they are told apart at every rate.
std::string undecidedText(const std::vector<double>& undecided) {
    if (undecided.empty()) {
        return {};
    }
    std::vector<std::string> rates;
    for (const double rate : undecided) {
        rates.push_back(formatReal(rate, 3));
    }
    rates.back() = rateText(undecided.back());
    return " At " + listed(rates) + " the two are not told apart.";
}

/// The sentence on points that all tell the two apart. Precondition: not empty.
std::string decidedText(std::span<const SweepPoint> curve, Storage weights, const Format& against,
                        bool isPreview);

} // namespace

std::string rateText(double ratePerS) {
    return formatReal(ratePerS, 3) + (ratePerS == 1 ? " turn a second" : " turns a second");
}

std::vector<RateCrossing> rateCrossingsOf(std::span<const SweepPoint> curve) {
    std::vector<RateCrossing> crossings;
    if (!overRates(curve)) {
        return crossings;
    }
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const double below = curve[i - 1].pace().value - 1;
        const double above = curve[i].pace().value - 1;
        if ((below < 0) == (above < 0)) {
            continue;
        }
        const double from = curve[i - 1].ratePerS;
        const double to = curve[i].ratePerS;
        const double share = below / (below - above);
        crossings.push_back({from, to, from * std::pow(to / from, share), below < 0});
    }
    return crossings;
}

std::string rateSentenceOf(std::span<const SweepPoint> curve, Storage weights, const Format& against,
                           bool isPreview) {
    if (!overRates(curve)) {
        return {};
    }
    std::vector<SweepPoint> decided;
    std::vector<double> undecided;
    for (const SweepPoint& point : curve) {
        if (!isPreview && point.isEvenAtMost()) { // its interval holds 1
            undecided.push_back(point.ratePerS);
        } else {
            decided.push_back(point);
        }
    }
    if (decided.empty()) {
        return fmt::format("{} and {} are not told apart from {} to {}.", whoText(curve, weights),
                           nameOf(against), formatReal(curve.front().ratePerS, 3),
                           rateText(curve.back().ratePerS));
    }
    return decidedText(decided, weights, against, isPreview) + undecidedText(undecided);
}

namespace {

std::string decidedText(std::span<const SweepPoint> curve, Storage weights, const Format& against,
                        bool isPreview) {
    const std::vector<RateCrossing> crossings = rateCrossingsOf(curve);
    const auto ratioOf = [](const SweepPoint& point) { return point.pace().value; };
    const SweepPoint& best = *std::ranges::min_element(curve, {}, ratioOf);
    const SweepPoint& worst = *std::ranges::max_element(curve, {}, ratioOf);
    const bool isServed = curve.front().against.has_value();
    const std::string who = whoText(curve, weights);
    const char* const win = isServed ? "is faster" : "win";
    const char* const lose = isServed ? "is slower" : "lose";
    const std::string preview = isPreview ? " (preview)" : "";
    if (crossings.empty()) {
        const bool wins = best.pace().value < 1;
        const std::string least = offText(wins ? worst : best, isPreview);
        const std::string most = offText(wins ? best : worst, isPreview);
        const std::string where = curve.size() == 1
                                      ? "at " + rateText(curve.front().ratePerS)
                                      : fmt::format("from {} to {}", formatReal(curve.front().ratePerS, 3),
                                                    rateText(curve.back().ratePerS));
        return fmt::format("{} {} {}{}: by {}.", who, wins ? win : lose, where, preview,
                           least == most ? least : least + " to " + most);
    }
    if (crossings.size() == 1) {
        const RateCrossing& one = crossings.front();
        const bool winsFirst = one.quantisedFasterBelow;
        return fmt::format("{} {} up to {}, by up to {}, and {} from {} on, by up to {}{}.", who,
                           winsFirst ? win : lose, rateText(one.fromPerS),
                           offText(winsFirst ? best : worst, isPreview), winsFirst ? lose : win,
                           rateText(one.toPerS), offText(winsFirst ? worst : best, isPreview), preview);
    }
    std::string list;
    for (const RateCrossing& one : crossings) {
        list += fmt::format("{}between {} and {}", list.empty() ? "" : ", ", formatReal(one.fromPerS, 3),
                            formatReal(one.toPerS, 3));
    }
    return fmt::format("{} and {} change places {} turns a second{}: at most {} faster (at {}), {} slower "
                       "(at {}).",
                       who, nameOf(against), list, preview, offText(best, isPreview), rateText(best.ratePerS),
                       offText(worst, isPreview), rateText(worst.ratePerS));
}

} // namespace
} // namespace loadline
