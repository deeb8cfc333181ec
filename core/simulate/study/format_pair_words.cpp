// Two served formats in words.
#include "core/simulate/study/format_pair_words.h"

#include "core/simulate/study/preview_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr double manyTimes = 1.5; // from there on a ratio reads better than a share
constexpr double alike = 0.1;     // neither more nor less by so much: nobody would choose by it

/// In the order of servedFigures.
constexpr std::array<const char*, servedFigures.size()> figureNames = {
    "Turns per second", "Output tokens per second", "TTFT p50", "TTFT p99", "TPOT p50",
    "TPOT p99",         "End to end, mean"};

std::string valueText(const ServedFigureSpec& spec, const ServedFormat& served) {
    if (!served.fits || !spec.isKnown(served.all)) {
        return "-";
    }
    if (spec.isWait && served.all.waitsGrow()) {
        return "grows";
    }
    const double value = spec.of(served.all);
    return spec.isTime ? formatSeconds(value) : formatReal(value, 3);
}

/// "TTFT p50 0.14 s against 9.3 s"; "" without an answered turn, and where a queue grows: it would tell how
/// long the run was.
std::string ttftText(const ServedFormat& own, const ServedFormat* against) {
    const auto known = [](const ServedFormat& served) {
        return served.fits && served.all.ttftS.n > 0 && !served.all.waitsGrow();
    };
    if (!known(own)) {
        return {};
    }
    std::string text = "TTFT p50 " + formatSeconds(own.all.ttftS.p50);
    return against != nullptr && known(*against) ? text + " against " + formatSeconds(against->all.ttftS.p50)
                                                 : text;
}

std::string aloneText(const ServedFormat& served) {
    const std::string ttft = ttftText(served, nullptr);
    return fmt::format("{} serves {} turns per second{}", nameOf(served.format),
                       formatReal(served.all.turnsPerS(), 3), ttft.empty() ? "" : ", " + ttft);
}

/// "does not fit: needs 35.8 GiB of 24 GiB", "serves no turn: its KV room holds 1 024 tokens"
std::string misfitText(const ServedFormat& served) {
    const std::string need = needWordsOf(served.memory);
    return !need.empty() ? need
                         : fmt::format("does not fit: its KV room of {} tokens holds no turn",
                                       formatExact(served.longestRequest));
}

/// ", contexts left out (44.6 k tokens a turn)"; "" where contexts are served, and where turns have none.
std::string leftOutText(const FormatPair& pair) {
    return pair.contextLeftOut > 0
               ? fmt::format(", contexts left out ({} tokens a turn)", formatCount(pair.contextLeftOut))
               : std::string();
}

/// Turns that come faster than a format answers them: latencies tell how long a run was; "" where both keep
/// up.
std::string behindText(const FormatPair& pair) {
    const auto answers = [](const ServedFormat& served) {
        return formatReal(served.all.turnsPerS(), 3) + " turns per second";
    };
    const std::string come =
        pair.arrivingPerS > 0 ? "Turns come at " + formatReal(pair.arrivingPerS, 3) + " a second, faster than"
                              : "Turns come faster than";
    const std::string grows = (pair.isOneCourse ? "; TTFT grows through the trace" : "") + leftOutText(pair);
    const bool own = pair.own.all.queueGrows();
    const bool against = pair.against.all.queueGrows();
    if (own && against) {
        return fmt::format("{} either format answers them: {} {}, {} {}{}.", come, nameOf(pair.own.format),
                           answers(pair.own), nameOf(pair.against.format), answers(pair.against), grows);
    }
    if (!own && !against) {
        return {};
    }
    const ServedFormat& behind = own ? pair.own : pair.against;
    const ServedFormat& other = own ? pair.against : pair.own;
    const std::string ttft = ttftText(other, nullptr);
    return fmt::format("{} {} answers them: {}; {} keeps up{}{}.", come, nameOf(behind.format),
                       answers(behind), nameOf(other.format), ttft.empty() ? "" : ", " + ttft,
                       leftOutText(pair));
}

/// True if the runs tell that both are alike, not only that they cannot tell them apart.
bool isAlike(const PairedRatio& ratio) {
    const PairedRatio runs = ratio.ofRuns();
    return std::abs(ratio.value - 1) < 0.0005 ||
           (ratio.isEven() && *runs.low >= 1 - alike && *runs.high <= 1 + alike);
}

/// " (0.9 to 1.7 times, as kernel times err)", shorter where the runs do not tell the order either:
/// " (0.99–1.3×)"; "" where the interval tells it.
std::string unsureText(const PairedRatio& ratio) {
    if (isAlike(ratio) || !ratio.isEvenAtMost()) {
        return {};
    }
    return ratio.isEven()
               ? fmt::format(" ({}×)", formatTimes(*ratio.low, *ratio.high, 2, "–"))
               : fmt::format(" ({} times, as kernel times err)", formatTimes(*ratio.low, *ratio.high, 2));
}

/// The interval whatever it tells: " (0.85–0.91×)"; "" where none is known.
std::string intervalText(const PairedRatio& ratio) {
    const std::string unsure = unsureText(ratio);
    return !unsure.empty() || !ratio.low
               ? unsure
               : fmt::format(" ({}×)", formatTimes(*ratio.low, *ratio.high, 2, "–"));
}

/// "k = 4 answers a turn in 12 % less time than fp16 on average"
std::string answersText(const FormatPair& pair, bool isPreview) {
    const std::string own = nameOf(pair.own.format);
    const std::string against = nameOf(pair.against.format);
    const auto ratio = pair.ratioOf(ServedFigure::E2eMean);
    if (!ratio) {
        return aloneText(pair.own);
    }
    const double apart = std::abs(ratio->value - 1);
    if (isPreview ? apart < oneRunError : isAlike(*ratio)) {
        return fmt::format("{} and {} answer a turn in {}the same time on average", own, against,
                           isPreview ? "about " : "");
    }
    const std::string share = isPreview ? roughShare(apart, oneRunError) : formatShare(apart, 0.005);
    const std::string time =
        ratio->value >= manyTimes
            ? fmt::format("{}{} times the time of", isPreview ? "about " : "", formatReal(ratio->value, 2))
            : share + (ratio->value < 1 ? " less" : " more") + " time than";
    return fmt::format("{} answers a turn in {} {} on average{}", own, time, against,
                       isPreview ? "" : unsureText(*ratio));
}

/// `interval`: what is said in brackets of a ratio.
std::string servingText(const FormatPair& pair, bool isPreview, std::string (*interval)(const PairedRatio&)) {
    const std::string own = nameOf(pair.own.format);
    const std::string against = nameOf(pair.against.format);
    if (!pair.own.fits) {
        return fmt::format("{} at {} {}.", pair.own.memory.model, own, misfitText(pair.own));
    }
    if (!pair.against.fits) {
        return fmt::format("{}{}; {} {}.", aloneText(pair.own), leftOutText(pair), against,
                           misfitText(pair.against));
    }
    if (!pair.turnsPerS) {
        return pair.own.all.turns > 0 ? aloneText(pair.own) + leftOutText(pair) + "."
                                      : "No turn was answered in these runs.";
    }
    if (const std::string behind = behindText(pair); !behind.empty()) {
        return behind;
    }
    const std::string more = moreTurnsText(*pair.turnsPerS, isPreview);
    const bool isEven = more.ends_with("as many");
    const std::string ttft = ttftText(pair.own, &pair.against);
    std::string on = pair.refusedShare > fewRefused ? fmt::format(", on the {} of turns that both serve",
                                                                  formatShare(1 - pair.refusedShare))
                                                    : std::string();
    if (const ServedFormat* const wider = takesMoreOf(pair)) {
        on += fmt::format(" ({} alone {})", nameOf(wider->format), formatShare(1 - wider->refusedShare));
    }
    on += leftOutText(pair);
    if (pair.isOneCourse || pair.isAtRate) {
        return answersText(pair, isPreview) + on + (ttft.empty() ? "" : "; " + ttft) + ".";
    }
    const std::string unsure = isPreview ? std::string() : interval(*pair.turnsPerS);
    return fmt::format("{} serves {} turns per second {} {}{}{}{}.", own, more,
                       isEven || more.ends_with("times as many") ? "as" : "than", against, unsure, on,
                       ttft.empty() ? "" : "; " + ttft);
}

} // namespace

std::string moreTurnsText(const PairedRatio& ratio, bool isPreview) {
    const double value = ratio.value;
    const double apart = std::abs(value - 1);
    // A preview has too few runs to tell that both are even; it tells its value, roughly.
    if (isPreview ? apart < oneRunError : isAlike(ratio)) {
        return isPreview ? "about as many" : "as many";
    }
    if (value >= manyTimes || value <= 1 / manyTimes) {
        return fmt::format("{}{} times as many", isPreview ? "about " : "", formatReal(value, 2));
    }
    const PairedRatio runs = ratio.ofRuns();
    const double chance = runs.low ? (*runs.high - *runs.low) / 2 : 0;
    const double error = isPreview ? oneRunError : chance;
    const std::string share =
        isPreview ? roughShare(apart, error) : formatShare(apart, std::max(error, 0.005));
    return share + (value > 1 ? " more" : " fewer");
}

std::string servingSentenceOf(const FormatPair& pair, bool isPreview) {
    return servingText(pair, isPreview, unsureText);
}

std::string servingHeadlineOf(const FormatPair& pair, bool isPreview, const std::string& where) {
    const std::string text = servingText(pair, isPreview, intervalText);
    return pair.own.fits && text.starts_with(nameOf(pair.own.format)) ? where + ", " + text : text;
}

std::string ratioText(const PairedRatio& ratio) {
    const std::string value = formatReal(ratio.value, 3);
    return ratio.low ? fmt::format("{} ({})", value, formatTimes(*ratio.low, *ratio.high, 3)) : value;
}

std::vector<PairedFigure> pairedFiguresOf(const FormatPair& pair) {
    std::vector<PairedFigure> figures;
    for (std::size_t i = 0; i < servedFigures.size(); ++i) {
        const ServedFigureSpec& spec = specOf(servedFigures[i]);
        const char* const until = pair.isOneCourse && !spec.isTime ? ", until the last answer" : "";
        const auto ratio = pair.ratioOf(servedFigures[i]);
        figures.push_back({std::string(figureNames[i]) + until, valueText(spec, pair.own),
                           valueText(spec, pair.against), ratio ? ratioText(*ratio) : "-"});
    }
    return figures;
}

std::string comparedOnText(const FormatPair& pair) {
    if (!(pair.refusedShare > 0) && !(pair.own.refusedShare > 0) && !(pair.against.refusedShare > 0)) {
        return {};
    }
    std::string text = fmt::format("{} of turns, up to {} tokens", formatShare(1 - pair.refusedShare),
                                   formatExact(pair.longestRequest));
    bool isFirst = true;
    for (const ServedFormat* served : {&pair.own, &pair.against}) {
        if (served->fits && served->refusedShare > 0) {
            text += fmt::format("{} {}{}", isFirst ? ";" : ",", nameOf(served->format),
                                isFirst ? " refuses " : " ") +
                    formatShare(served->refusedShare);
            isFirst = false;
        }
    }
    return text;
}

} // namespace loadline
