// Words of both formats' figures.
#include "core/simulate/answer/served_facts.h"

#include "core/simulate/study/format_pair_words.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace loadline {
namespace {

/// "TTFT 0.14 s (p99 2.3 s)": the median first.
std::string quantileText(const char* name, const Quantiles& quantiles) {
    return quantiles.n == 0 ? std::string()
                            : fmt::format(", {} {} (p99 {})", name, formatSeconds(quantiles.p50),
                                          formatSeconds(quantiles.p99));
}

/// TTFT and TPOT; of a queue that grows no TTFT, which would measure how long the run was.
std::string latenciesText(const SimulationResult& all) {
    return (all.waitsGrow() ? std::string(", TTFT grows") : quantileText("TTFT", all.ttftS)) +
           quantileText("TPOT", all.tpotS);
}

CountedFact factOf(const ServedFormat& served, const char* key) {
    const std::string name = nameOf(served.format);
    if (!served.fits) {
        const std::string need = needWordsOf(served.memory);
        return {key, name + " " + (need.empty() ? "does not fit: its KV room holds no turn" : need),
                misfitSentence(served.memory), true};
    }
    const SimulationResult& all = served.all;
    CountedFact fact{
        key,
        fmt::format("{}: {} tokens/s{}", name, formatReal(all.throughputTokensPerS(), 3), latenciesText(all)),
        {}};
    if (all.e2eS.n > 0) {
        fact.more = fmt::format("{} turns a second; TTFT and TPOT: median, and p99 in brackets.",
                                formatReal(all.turnsPerS(), 3));
        if (!all.waitsGrow()) {
            fact.more += fmt::format(" From end to end a turn takes {} on average, {} at p99.",
                                     formatSeconds(all.e2eS.mean), formatSeconds(all.e2eS.p99));
        }
    }
    if (const auto users = usersThatFit(served.memory)) {
        fact.more += fmt::format("{}Beside its weights fit the conversations of {} users, {} tokens of KV.",
                                 fact.more.empty() ? "" : " ", formatExact(*users),
                                 formatExact(served.memory.roomTokens));
    }
    return fact;
}

/// " On all 89.5 % of turns that it takes k = 4 serves 9.42 tokens/s, TTFT 3 min 55 s (p99 ...), ..."
std::string wholeText(const FormatPair& pair) {
    if (!pair.whole) {
        return {};
    }
    const ServedFormat& whole = *pair.whole;
    return fmt::format(" On all {} of turns that it takes, with {} of the output tokens, {} serves {} "
                       "tokens/s{}.",
                       formatShare(1 - whole.refusedShare), formatShare(whole.servedOutputShare),
                       nameOf(whole.format), formatReal(whole.all.throughputTokensPerS(), 3),
                       latenciesText(whole.all));
}

} // namespace

std::vector<CountedFact> servedFactsOf(const FormatPair& pair) {
    std::vector<CountedFact> facts = {factOf(pair.own, "served"), factOf(pair.against, "served_against")};
    if (std::string turns = comparedOnText(pair); !turns.empty()) {
        facts.push_back(
            {"compared_on", std::move(turns),
             "A turn that is longer than a format's KV room is refused by it, so both are compared "
             "on the turns that both serve." +
                 wholeText(pair),
             pair.refusedShare > fewRefused});
    }
    return facts;
}

} // namespace loadline
