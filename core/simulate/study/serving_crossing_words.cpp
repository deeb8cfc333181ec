// A crossover of turns per second in words.
#include "core/simulate/study/serving_crossing_words.h"

#include "core/simulate/study/crossing_words.h"
#include "core/simulate/study/format_pair_words.h"
#include "core/simulate/study/preview_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <cmath>

namespace loadline {
namespace {

/// Turns per second against the other format's.
double turnsRatio(const Banded& pace) {
    return pace.value > 0 ? 1 / pace.value : 0;
}

/// "24 % more", "12 % fewer", "2.8 times as many"; "about 13 % more" where the error leaves the order open
std::string manyText(const Crossover& crossover, const Banded& pace, double error) {
    PairedRatio ratio{.value = turnsRatio(pace), .low = {}, .high = {}};
    const double half = 2 * error; // about 95 %
    if (!crossover.isPreview && half > 0) {
        ratio.low = ratio.value / (1 + half);
        ratio.high = ratio.value * (1 + half);
    }
    const std::string text = moreTurnsText(ratio, crossover.isPreview);
    return ratio.isEven() && text != "as many" ? "about " + text : text;
}

/// "3 % to 24 % more", "as many to 24 % more", "about 40 % more to 3.2 times as many"
std::string spanText(const std::string& least, std::string most) {
    if (least == most) {
        return most;
    }
    constexpr std::string_view about = "about "; // said once of both
    if (least.starts_with(about) && most.starts_with(about)) {
        most.erase(0, about.size());
    }
    const std::size_t word = most.rfind(' ');
    const bool isSame =
        word != std::string::npos && least.ends_with(most.substr(word)) && !least.ends_with("as many");
    return (isSame ? least.substr(0, least.size() - (most.size() - word)) : least) + " to " + most;
}

/// " than fp16", " as fp16"
std::string thanText(const Crossover& crossover, const std::string& many) {
    return (many.ends_with("as many") ? " as " : " than ") + nameOf(crossover.against);
}

std::string ttftText(const Crossover& crossover, const PointLatency& latency) {
    if (!(latency.ttftP50S > 0) || !(latency.againstTtftP50S > 0)) {
        return {};
    }
    return fmt::format("TTFT p50 {} against {}", formatSeconds(latency.ttftP50S),
                       formatSeconds(latency.againstTtftP50S)) +
           (crossover.isPreview ? " (preview)" : "");
}

/// "At 96 users 24 % more, TTFT p50 0.2 s against 30 s."
std::string atText(const Crossover& crossover, std::int64_t users, const std::string& many,
                   const PointLatency& latency) {
    const std::string ttft = ttftText(crossover, latency);
    return fmt::format(" At {} {}{}.", usersText(users), many, ttft.empty() ? "" : ", " + ttft);
}

} // namespace

std::string servingCrossingSentenceOf(const Crossover& crossover) {
    const std::string who = nameOf(crossover.format);
    const std::string best = manyText(crossover, crossover.best, crossover.bestError);
    const std::string worst = manyText(crossover, crossover.worst, crossover.worstError);
    std::string text;
    if (crossover.isUntold) {
        return fmt::format("At how many users {} serves more turns per second than {} is said when all is "
                           "simulated (preview).",
                           who, nameOf(crossover.against));
    }
    if (crossover.crossings.empty()) {
        const bool isFaster = crossover.kind == CrossoverKind::QuantisedFaster;
        const std::string& least = isFaster ? worst : best;
        const std::string& most = isFaster ? best : worst;
        const std::string span = spanText(least, most);
        text = fmt::format("{} serves {} turns per second{} {}.", who, span, thanText(crossover, most),
                           rangeText(crossover));
        text += atText(crossover, isFaster ? crossover.bestUsers : crossover.worstUsers, most,
                       isFaster ? crossover.atBest : crossover.atWorst);
        if (hasDissent(crossover)) {
            text += fmt::format(" In {} of the draws it serves {} somewhere{}.",
                                formatShare(crossover.all.shareOtherwise), isFaster ? "fewer" : "more",
                                otherwiseWhere(crossover, crossover.all));
        }
        return text;
    }
    if (crossover.crossings.size() == 1) {
        const Crossing& crossing = crossover.crossings.front();
        const bool moreFirst = crossing.quantisedFasterBelow;
        text = fmt::format("{} serves {} turns per second than {} below {} users{}, then {}.", who,
                           moreFirst ? "more" : "fewer", nameOf(crossover.against),
                           placeText(crossover, crossing), intervalText(crossover),
                           moreFirst ? "fewer" : "more");
    } else {
        const bool moreFirst = crossover.crossings.front().quantisedFasterBelow;
        text = fmt::format(
            "{} serves {} turns per second than {} below {} users; the order turns at {} users{}.", who,
            moreFirst ? "more" : "fewer", nameOf(crossover.against),
            placeText(crossover, crossover.crossings.front()), placesText(crossover, " and "),
            crossover.isPreview ? intervalText(crossover) : "");
    }
    return text + atText(crossover, crossover.bestUsers, best, crossover.atBest) +
           atText(crossover, crossover.worstUsers, worst, crossover.atWorst);
}

} // namespace loadline
