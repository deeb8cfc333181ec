// The sentence on what pays: the best of the changes that its reader can make.
#include "core/simulate/study/sensitivity_words.h"

#include "core/simulate/study/preview_words.h"
#include "core/text/enum_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

/// Something that may pay most.
struct Candidate {
    std::string text; ///< "MMA pays most: it takes 40 % of the time; twice as fast"
    const Improvement* improvement = nullptr;
};

/// "so far attention takes about 40 % of the time, MMA about 30 %": what is ours, the largest first.
std::string sharesText(const WhatPays& pays) {
    std::vector<std::pair<double, std::string>> shares;
    for (const KernelPay& pay : pays.kernels) {
        if (isOurs(pay.kernel, pays.naming)) {
            shares.emplace_back(pay.share, nameOf(pay.kernel, pays.naming));
        }
    }
    for (const OtherPay& pay : pays.others) {
        if (pay.share > 0) {
            shares.emplace_back(pay.share, nameOf(pay.kind));
        }
    }
    std::ranges::stable_sort(shares, std::greater(), &std::pair<double, std::string>::first);
    std::string text;
    for (const auto& [share, name] : shares) {
        text += fmt::format("{}{} {}", text.empty() ? "; so far " : ", ", name, text.empty() ? "takes " : "");
        text += roughShare(share, pays.shareError);
        text += text.find(" of the time") == std::string::npos ? " of the time" : "";
    }
    return text;
}

std::vector<Candidate> candidatesOf(const WhatPays& pays) {
    constexpr std::size_t twice = 1; // of 1.5, 2, free
    const std::string most = "pays most";
    std::vector<Candidate> candidates;
    for (const KernelPay& pay : pays.kernels) {
        if (isOurs(pay.kernel, pays.naming) && pay.improvements.size() > twice) {
            const Improvement& doubled = pay.improvements[twice];
            const bool held = pay.limit && pay.limit->factor < doubled.factor; // the device allows no more
            candidates.push_back(
                {fmt::format("{} {}: it takes {} of the time; {}", nameOf(pay.kernel, pays.naming), most,
                             formatShare(pay.share),
                             held ? formatReal(pay.limit->factor, 3) + " times as fast, its limit"
                                  : "twice as fast"),
                 held ? &*pay.limit : &doubled});
        }
    }
    for (const OtherPay& pay : pays.others) {
        if (pay.improvements.size() > twice) {
            candidates.push_back({fmt::format("{} {}: it takes {} of the time; twice as fast",
                                              nameOf(pay.kind), most, formatShare(pay.share)),
                                  &pay.improvements[twice]});
        } else if (!pay.improvements.empty()) {
            const std::string price = pay.latency ? priceOf(*pay.latency) : std::string();
            const std::string both = pay.why + (pay.why.empty() || price.empty() ? "" : "; ") + price;
            const std::string why = both.empty() ? both : " (" + both + ")";
            candidates.push_back(
                {fmt::format("the {} {}: with {}{}", nameOf(pay.kind), most, pay.change, why),
                 &pay.improvements.front()});
        }
    }
    return candidates;
}

std::string crossoverText(const Improvement& improvement, const WhatPays& pays) {
    const std::optional<double>& now = pays.crossing;
    const auto users = [](double crossing) {
        const std::int64_t first = firstUsersBehind(crossing);
        return formatExact(first) + (first == 1 ? " user" : " users");
    };
    if (!improvement.crossingKnown) {
        return {};
    }
    if (improvement.crossing && now) {
        const bool stays = firstUsersBehind(*improvement.crossing) == firstUsersBehind(*now);
        return stays ? " and the crossover stays at " + users(*now)
                     : fmt::format(" and {} {} from {} on instead of {}", sideNameOf(pays.weights),
                                   improvement.fasterAtFirst ? "loses" : "wins", users(*improvement.crossing),
                                   formatExact(firstUsersBehind(*now)));
    }
    if (now) {
        return fmt::format(" and the crossover at {} is gone: {} wins everywhere", users(*now),
                           improvement.fasterAtFirst ? sideNameOf(pays.weights) : "fp16");
    }
    return improvement.crossing ? " and a crossover appears at " + users(*improvement.crossing)
                                : std::string();
}

/// "33.1 % to 40.2 % in 9 of 10"
std::string rangeText(const Banded& saved) {
    return fmt::format("{} to {} in 9 of 10", formatShare(saved.low), formatShare(saved.high));
}

} // namespace

std::string_view keyOf(PayKind kind) {
    return wordOf(kind, {"dispatch", "chunk", "budget", "attention", "host"});
}

std::string_view nameOf(PayKind kind) {
    return wordOf(kind, {"dispatch rule", "chunk", "token budget", "attention", "host time"});
}

bool isOurs(Kernel kernel, const KernelNaming& naming) {
    return readsKBits(kernel) || naming.device == KernelNaming::Cpu;
}

std::string whatPaysSentence(const WhatPays& pays) {
    if (pays.kernels.empty()) {
        return "No step was simulated.";
    }
    const std::string where = "At " + describe(pays.arrivals);
    if (pays.isPreview) {
        return fmt::format("{} what pays most is said when all is simulated (preview){}.", where,
                           sharesText(pays));
    }
    const std::vector<Candidate> candidates = candidatesOf(pays);
    const auto best = std::ranges::max_element(candidates, {}, [](const Candidate& one) {
        const Improvement& gain = *one.improvement; // a smaller one before one that chance explains
        return std::pair(gain.speedUp > 1 && !(gain.saved && gain.saved->low <= 0), gain.speedUp);
    });
    if (best == candidates.end() || !(best->improvement->speedUp > 1)) {
        return where + " nothing here would pay: all the time is fp16's GEMM, which is not ours to change.";
    }
    const std::optional<Banded>& saved = best->improvement->saved;
    return fmt::format("{} {}, the same turns take {} less time{}{}.", where, best->text,
                       formatShare(1 - 1 / best->improvement->speedUp),
                       saved ? fmt::format(" ({} of the runs)", rangeText(*saved)) : "",
                       crossoverText(*best->improvement, pays));
}

} // namespace loadline
