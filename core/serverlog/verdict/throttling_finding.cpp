// Finds whether rates fall, judged on the slowest span.
#include "core/serverlog/verdict/log_evidence.h"
#include "core/serverlog/verdict/prompt_rates.h"
#include "core/serverlog/verdict/rate_course.h"
#include "core/serverlog/verdict/worst_span.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

namespace loadline {
namespace {

constexpr double steady = 0.05;
constexpr std::size_t enoughRates = 6;

/// How full the KV cache was where rates were: at the first and last of them. It grows with the context.
std::pair<double, double> kvUseEnds(const ServerLog& log) {
    std::pair<double, double> ends{notTold, notTold};
    for (const LogInterval& interval : log.intervals) {
        if (isTold(interval.kvUse) && isTold(interval.outputTokensPerS) && interval.outputTokensPerS > 0) {
            ends.first = isTold(ends.first) ? ends.first : interval.kvUse;
            ends.second = interval.kvUse;
        }
    }
    return ends;
}

/// Growth of the context from the first rate that has one to the last.
struct ContextGrowth {
    double factor = 1;
    bool atMost = false; ///< outputs alone are told
};

ContextGrowth contextGrowthOf(const std::vector<ObservedRate>& rates) {
    ContextGrowth growth;
    double first = notTold;
    for (const ObservedRate& rate : rates) {
        const double context = toldContextOf(rate);
        if (rate.atLeast || !isTold(context)) {
            continue;
        }
        growth.atMost = growth.atMost || rate.contextAtLeast;
        first = isTold(first) ? first : context;
        growth.factor = first > 0 ? context / first : 1;
    }
    return growth;
}

std::vector<LogLine> lineEnds(const std::vector<ObservedRate>& rates) {
    return rates.empty()       ? std::vector<LogLine>()
           : rates.size() == 1 ? std::vector<LogLine>{rates.front().where}
                               : std::vector<LogLine>{rates.front().where, rates.back().where};
}

std::vector<LogLine> linesOfFall(const RateFall& fall) {
    std::vector<LogLine> lines;
    for (const LogLine& line : {fall.fast.first, fall.fast.last, fall.slow.first, fall.slow.last}) {
        if (line.line > 0 && std::ranges::find(lines, line) == lines.end()) {
            lines.push_back(line);
        }
    }
    return lines;
}

/// "55 tokens/s", "20 steps/s (60 tokens/s)", "48 % of its ceiling".
std::string spanRateWords(const RateFall& fall, const RateSpan& span) {
    return fall.ofShares  ? formatShare(span.rate) + " of its ceiling"
           : fall.ofSteps ? fmt::format("{} steps/s ({} tokens/s)", formatReal(span.rate, 3),
                                        formatReal(span.tokensPerS, 3))
                          : formatReal(span.rate, 3) + " tokens/s";
}

const char* whatHas(const RateFall& fall) {
    return fall.ofPrompts ? "a prompt is computed at" : "a stream has";
}

/// "In lines 31 to 60 a stream has 55 tokens/s, 45 % less than the 100 tokens/s in lines 1 to 6"
std::string fallWords(const ServerLog& log, const RateFall& fall) {
    const double share = 1 - fall.slow.rate / fall.fast.rate;
    return fmt::format("In {} {} {}, {} {} than the {} in {}", spanWords(log, fall.slow), whatHas(fall),
                       spanRateWords(fall, fall.slow), share > 0 ? formatShare(share) : std::string("no"),
                       fall.ofSteps ? "fewer steps" : "less", spanRateWords(fall, fall.fast),
                       spanWords(log, fall.fast));
}

/// Returns fallWords() without rates, because those of the headline are of all prompts and batches: "In lines
/// 31 to 60 a stream has 45 % less than in lines 1 to 6"
std::string fallInShort(const ServerLog& log, const RateFall& fall) {
    return fmt::format("In {} {} {} {} than in {}", spanWords(log, fall.slow),
                       fall.ofPrompts ? "prompts are computed" : "a stream has",
                       formatShare(1 - fall.slow.rate / fall.fast.rate),
                       fall.ofSteps     ? "fewer steps/s"
                       : fall.ofShares  ? "less of its ceiling"
                       : fall.ofPrompts ? "slower"
                                        : "less",
                       spanWords(log, fall.fast));
}

/// "No span of 88 spans in 30 min is more than 1 % slower than one before it"; of shares the fall beyond what
/// batch and context take.
std::string mostWords(const RateFall& fall) {
    const std::string spans =
        counted(fall.spans, "span") + (fall.seconds > 0 ? " in " + formatSeconds(fall.seconds) : "");
    const char* slower = fall.ofSteps ? "slower (in steps/s)" : "slower";
    const double share = fall.ofShares ? fall.beyond : fall.share;
    return share > 0 ? fmt::format("No span of {} is more than {} {} than one before it", spans,
                                   formatShare(share), slower)
                     : fmt::format("No span of {} is {} than one before it", spans, slower);
}

/// Lines between the fast span and the slow one on which requests were preempted.
std::vector<LogLine> preemptedBetween(const ServerLog& log, const RateFall& fall) {
    return linesWhere<LogEvent>(log.events, [&](const LogEvent& event) {
        return event.kind == LogEventKind::Preemption && event.where > fall.fast.first &&
               event.where < fall.slow.last;
    });
}

/// True if prompts beside the slow rates can have made them so: of lines that all hold some, unless there are
/// no more beside the slow rates than beside the fast ones, or not many more and their cost was taken out.
/// Those of preempted requests are not counted.
bool promptsMayExplain(const ServerLog& log, const RateFall& fall) {
    const double most = fall.withoutPrompts ? likeStreams : 1 + steady;
    return fall.withPrompts && !(fall.prompts <= most && preemptedBetween(log, fall).empty());
}

bool isHeat(const ServerLog& log, const RateFall& fall) {
    return std::min(fall.beyond, fall.typical) > slowdown && fall.typical > fall.noise && fall.likeContext &&
           !promptsMayExplain(log, fall);
}

/// The fall at a like batch and context: of rates as they are where it is the device's by these alone, else
/// of their shares of the ceiling, where that is known.
RateFall fallAtLike(const LogEvidence& evidence) {
    static const std::optional<SpeedOfLight> none;
    if (evidence.light) {
        const RateFall ofRates =
            largestFall({evidence.log, evidence.rates, none, evidence.served, evidence.concurrency});
        if (isHeat(evidence.log, ofRates)) {
            return ofRates;
        }
    }
    return largestFall(evidence);
}

/// ", at a like batch and context"
std::string likenessWords(const LogEvidence& evidence, const RateFall& fall) {
    if (fall.ofPrompts) {
        return ", at a like length";
    }
    const bool somePrompts = std::ranges::any_of(evidence.rates, &ObservedRate::atLeast);
    const std::string prompts =
        !fall.withPrompts ? somePrompts ? " and without prompts" : ""
        : fall.prompts < 1 - steady
            ? fmt::format(", with {} fewer prompt tokens/s", formatShare(1 - fall.prompts))
        : fall.prompts > 1 + steady ? fmt::format(", with {} more prompt tokens/s, whose cost is taken out",
                                                  formatShare(fall.prompts - 1))
                                    : std::string(", with as many prompt tokens/s");
    return (fall.ofShares ? ", beyond what batch and context explain (each rate over its ceiling)"
                          : ", at a like batch and context") +
           prompts;
}

/// ", and is as fast again from line 110 on. ..."; of a fall that lasts ".".
std::string recoveryWords(const ServerLog& log, const RateFall& fall) {
    return fall.recovers
               ? fmt::format(", and is as fast again from {} on. Another program that used the device for "
                             "a while explains that as well as heat.",
                             lineWords(log, *fall.recovers))
               : std::string(".");
}

/// A step reads weights and cache: where the cache grows so many times, it slows down by no more than this.
double mostByGrowth(double times) {
    return 1 - 1 / times;
}

/// True if a larger batch and a longer context can explain a fall from any span to any other.
bool explainedByGrowth(const RateFall& any) {
    const auto times = [](double slow, double fast) { return slow > fast && fast > 0 ? slow / fast : 1; };
    return any.share - slowdown <= mostByGrowth(times(any.slow.streams, any.fast.streams) *
                                                times(any.slow.context, any.fast.context));
}

/// "context alone may explain it", or how little it does.
std::string growthWords(const RateFall& any, double times, std::string_view enough) {
    const double most = mostByGrowth(times);
    return any.share <= most ? std::string(enough)
                             : fmt::format("that explains {} at most.", formatShare(most));
}

/// Returns why a fall from any span to any other need not be the device's.
std::string otherCauses(const LogEvidence& evidence, const RateFall& any) {
    const auto [kvFirst, kvLast] = kvUseEnds(evidence.log);
    const ContextGrowth growth = contextGrowthOf(evidence.rates);
    if (const std::vector<LogLine> lines = preemptedBetween(evidence.log, any); !lines.empty()) {
        return fmt::format("; requests were preempted in between ({}), which may explain it.",
                           lineWords(evidence.log, lines.front()));
    }
    if (any.withPrompts) {
        return "; these lines hold prompts too, which may explain it.";
    }
    if (isTold(any.fast.streams) && isTold(any.slow.streams) && any.slow.streams > any.fast.streams) {
        return fmt::format("; {} run there where {} ran before, which may explain it.",
                           streamsWords(any.slow.streams), formatReal(any.fast.streams, 3));
    }
    if (!any.ofShares && isTold(kvFirst) && kvLast > kvFirst) {
        return fmt::format(
            " while the KV cache fills from {} to {}: {}", formatShare(kvFirst), formatShare(kvLast),
            growthWords(any, kvFirst > 0 ? kvLast / kvFirst : std::numeric_limits<double>::infinity(),
                        "context alone may explain it."));
    }
    if (!any.ofShares && growth.factor > 1 + slowdown) {
        return fmt::format(" while the context grows {}{} times: {}", growth.atMost ? "at most " : "",
                           formatReal(growth.factor, 2),
                           growthWords(any, growth.factor,
                                       growth.atMost ? "with the prompt's length it could be taken out."
                                                     : "with a model and a device it can be taken out."));
    }
    return any.ofShares ? "; batch and context may explain it." : "; the context is not told.";
}

/// Returns why a fall at a like batch and context is not called the device's.
std::string doubtsOf(const LogEvidence& evidence, const RateFall& fall, const RateFall& any) {
    if (!fall.paired && fall.typical == 0) {
        return ": too few rates at a like batch and context to tell.";
    }
    if (fall.typical > slowdown && fall.typical <= fall.noise && !promptsMayExplain(evidence.log, fall)) {
        return fmt::format(", at a like batch and context: no more than the scatter of rates explains ({}).",
                           formatShare(fall.noise));
    }
    return fall.typical > slowdown ? otherCauses(evidence, any)
                                   : ", at a like batch and context: too little to tell from other causes.";
}

/// True if few spans are left that are like none before, and none is slower than chance makes it.
bool isSteady(const RateFall& fall) {
    // While the context grows on, only neighbours compare, and a slow decline shows in none of them.
    const bool isFar =
        fall.ofShares || !isTold(fall.apartS) || fall.apartS >= std::min(enoughS, fall.seconds);
    return fall.likeContext && 2 * fall.compared >= fall.spans && isFar && fall.lasting <= steady &&
           fall.beyond <= std::max(steady, std::min(fall.noise, slowdown));
}

void support(const LogEvidence& evidence, const RateFall& fall, Finding& finding) {
    finding.verdict = Verdict::Supported;
    finding.decide.clear();
    const std::string how = likenessWords(evidence, fall) + recoveryWords(evidence.log, fall);
    finding.reason = fallWords(evidence.log, fall) + how;
    finding.headline = fallInShort(evidence.log, fall) + how;
    finding.evidence = linesOfFall(fall);
}

/// Judges by the rates of prompts, where the log tells too few of decoding.
void decideByPrompts(const LogEvidence& evidence, Finding& finding) {
    static const std::optional<SpeedOfLight> none;
    const std::vector<ObservedRate> rates = promptRatesOverTime(evidence.log);
    if (rates.size() < enoughRates) {
        return;
    }
    const LogEvidence ofPrompts{evidence.log, rates, none, evidence.served, evidence.concurrency};
    RateFall fall = largestFall(ofPrompts);
    fall.ofPrompts = true;
    if (isHeat(evidence.log, fall)) {
        support(ofPrompts, fall, finding);
        return;
    }
    finding.evidence = lineEnds(rates);
    const std::string tooShort = tooShortWords(ofPrompts, fall);
    if (isSteady(fall) && tooShort.empty()) {
        finding.verdict = Verdict::Excluded;
        finding.decide.clear();
        finding.reason = mostWords(fall) + ", by the rates of prompts at a like length.";
    } else {
        finding.reason = fmt::format("By the rates of {} at a like length no fall is sure{}.",
                                     counted(rates.size(), "prompt"), tooShort);
    }
}

} // namespace

Finding thermalDecay(const LogEvidence& evidence) {
    Finding finding{.key = "thermal_decay", .claim = "The device slows down as it heats up (throttling)"};
    finding.weight = 3;
    finding.evidence = lineEnds(evidence.rates);
    finding.decide =
        "Log the rate every few seconds, and the device's clock, for five minutes at one context.";
    if (clockGoesBack(evidence.log) && evidence.rates.size() > 1) {
        finding.reason =
            "The clock of the log goes back: which rates came first is not told, so they are not "
            "compared over time.";
        finding.decide = "Read the lines before and after the clock was set as logs of their own.";
        return finding;
    }
    if (evidence.rates.size() < enoughRates) {
        finding.reason =
            evidence.rates.empty()
                ? "The log tells no rate over time."
                : fmt::format("{} too few to tell a trend.",
                              evidence.rates.size() == 1 ? std::string("One rate is")
                                                         : counted(evidence.rates.size(), "rate") + " are");
        decideByPrompts(evidence, finding);
        return finding;
    }
    const RateFall fall = fallAtLike(evidence);
    const RateFall any = largestFall(evidence, false);
    const double explained = std::max(steady, std::min(fall.noise, slowdown));
    if (any.share <= steady ||
        (isSteady(fall) && !fall.withPrompts && (any.ofShares || explainedByGrowth(any)))) {
        const RateFall& most = any.share <= steady ? any : fall;
        const std::string tooShort = tooShortWords(evidence, most);
        finding.reason = mostWords(most) + (most.ofShares    ? " beyond what its batch and context explain"
                                            : &most == &fall ? " at a like batch and context"
                                                             : "");
        finding.reason +=
            tooShort + (most.withPrompts ? ": these lines hold prompts, and bound it from below." : ".");
        if (tooShort.empty() && !most.withPrompts) {
            finding.verdict = Verdict::Excluded;
            finding.decide.clear();
        }
        finding.evidence = most.share > 0 ? linesOfFall(most) : finding.evidence;
        return finding;
    }
    if (isHeat(evidence.log, fall)) {
        support(evidence, fall, finding);
        return finding;
    }
    const bool isAlike = fall.likeContext && fall.beyond > explained;
    const RateFall& shown = isAlike ? fall : any;
    finding.evidence = linesOfFall(shown);
    finding.reason = fallWords(evidence.log, shown) +
                     (isAlike ? doubtsOf(evidence, fall, any) : otherCauses(evidence, any));
    return finding;
}

} // namespace loadline
