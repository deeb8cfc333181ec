// The answers above the histograms: the typical turn, the tail, how far output can be trusted, and what the
// choice of the method changes.
#include "core/text/number_format.h"
#include "core/workload/distribution/distribution_figure.h"

#include <fmt/format.h>

#include <string>

namespace loadline {
namespace {

std::string countOfTurns(std::uint64_t n) {
    return formatExact(static_cast<std::int64_t>(n));
}

/// Quantiles and means, as the chart writes them beside their lines.
std::string amount(double n) {
    return formatCount(n);
}

struct Words {
    std::string one, many, of; ///< "API call", "API calls", what its input is
};

Words wordsOf(TurnMethod method) {
    switch (method) {
    case TurnMethod::PerLine:
        return {"user record", "user records", "tokens of visible text (characters / 4)"};
    case TurnMethod::ApiCall:
        return {"API call", "API calls", "new prompt tokens"};
    case TurnMethod::Prompt:
        break;
    }
    return {"prompt turn", "prompt turns", "new prompt tokens"};
}

/// "the mean is 1.3 k because the largest 1 %, above 20 k, hold 43 % of them": the tail is named where
/// it carries the mean.
std::string meanOf(const Summary& summary, const TailShares& tail, const char* about = "") {
    std::string text = std::string("the mean is ") + about + amount(summary.mean);
    if (summary.n >= 100 && summary.mean > summary.p75) {
        const bool one = tail.largest1 >= 0.25;
        text += fmt::format(" because the largest {} %, above {}, hold {} of them", one ? 1 : 10,
                            amount(one ? summary.p99 : summary.p90),
                            formatShare(one ? tail.largest1 : tail.largest10));
    }
    return text;
}

/// " The logs of 141 of the 282 API calls record no cache: ..."; "" if all record one.
std::string unrecordedPart(const DistributionFigure& figure, const Words& words) {
    if (figure.aboutInputTurns == 0) {
        return {};
    }
    const bool all = figure.aboutInputTurns == figure.turns;
    return fmt::format(" The logs of {} record no cache: what the call before had not sent counts as new.",
                       all ? fmt::format("these {}", words.many)
                           : fmt::format("{} of the {} {}", countOfTurns(figure.aboutInputTurns),
                                         countOfTurns(figure.turns), words.many));
}

std::string inputPart(const DistributionFigure& figure, const Words& words) {
    const Summary& summary = figure.input.summary;
    const char* const about = figure.aboutInputTurns > 0 ? "about " : "";
    if (summary.n == 0) {
        return fmt::format("None of the {} {} adds input.", countOfTurns(figure.turns), words.many);
    }
    if (summary.n == 1) {
        return fmt::format("One {} adds {}{} {}.", words.one, about, amount(summary.mean), words.of) +
               unrecordedPart(figure, words);
    }
    const std::string which =
        figure.input.zeros == 0
            ? countOfTurns(summary.n) + " " + words.many
            : fmt::format("{} {} with input ({} {} none)", countOfTurns(summary.n), words.many,
                          countOfTurns(figure.input.zeros), figure.input.zeros == 1 ? "has" : "have");
    return fmt::format("Half of the {} add {}{} {} or fewer; {}.", which, about, amount(summary.p50),
                       words.of, meanOf(summary, figure.inputTail, about)) +
           unrecordedPart(figure, words);
}

std::string outputPart(const DistributionFigure& figure, const Words& words) {
    const Summary& summary = figure.output.summary;
    if (summary.n == 0) {
        return " No output is recorded.";
    }
    const auto share = [&](std::uint64_t part) {
        return formatShare(static_cast<double>(part) / static_cast<double>(figure.turns));
    };
    const bool inexact = figure.inexactOutputTurns > 0;
    std::string text =
        fmt::format(" Output: half give {}{} or fewer", inexact ? "≥ " : "", amount(summary.p50));
    text += inexact ? ", the mean is ≥ " + amount(summary.mean) : "; " + meanOf(summary, figure.outputTail);
    if (figure.output.zeros > 0) {
        text += fmt::format(", {} give none", countOfTurns(figure.output.zeros));
    }
    if (inexact) {
        text += fmt::format(": {} of the {} record only a lower bound", share(figure.inexactOutputTurns),
                            words.many);
        if (figure.placeholderTurns > 0) {
            text += fmt::format(" ({} a mere placeholder)", share(figure.placeholderTurns));
        }
        if (figure.exactOutputMean > 0) {
            text += fmt::format(", the others give {} on average", amount(figure.exactOutputMean));
        }
    }
    return text + ".";
}

/// The bin that holds the median, from shares per power of two.
Tokens medianBin(const BucketFrequencies& frequencies) {
    double sum = 0;
    for (const auto& [bin, share] : frequencies.frequency) {
        sum += share;
        if (sum >= 0.5) {
            return bin;
        }
    }
    return 0;
}

std::string referencePart(const DistributionFigure& figure) {
    if (!figure.options.reference || figure.options.bins != BinKind::PowerOfTwo ||
        figure.input.summary.n == 0 || figure.output.summary.n == 0) {
        return {};
    }
    const TokenDistribution& published = publishedReference();
    const TokenDistribution here = distributionOf(figure.input, figure.output, figure.sessions, "");
    const bool sameTurns = figure.options.method == TurnMethod::PerLine;
    const std::string caution = sameTurns ? ""
                                          : fmt::format(" The reference counts per line, these bars {}.",
                                                        wordsOf(figure.options.method).many);
    return caution +
           fmt::format(" Median bins: input {} here and {} in the published study, output {} and {}.",
                       amount(static_cast<double>(medianBin(here.input))),
                       amount(static_cast<double>(medianBin(published.input))),
                       amount(static_cast<double>(medianBin(here.output))),
                       amount(static_cast<double>(medianBin(published.output))));
}

std::string times(std::int64_t now, std::int64_t then) {
    return then == 0 ? "without comparison"
                     : formatCount(static_cast<double>(now) / static_cast<double>(then)) + " times";
}

std::string insteadOf(std::int64_t now, std::int64_t then) {
    return formatCount(static_cast<double>(now)) + " instead of " + formatCount(static_cast<double>(then));
}

} // namespace

std::string distributionSentence(const DistributionFigure& figure) {
    const Words words = wordsOf(figure.options.method);
    if (figure.turns == 0) {
        return fmt::format("No {} are in scope.", words.many);
    }
    std::string text = inputPart(figure, words) + outputPart(figure, words) + referencePart(figure);
    if (figure.brushedTurns < figure.turns) {
        text += fmt::format(" Selected: {} of {} {}.", countOfTurns(figure.brushedTurns),
                            countOfTurns(figure.turns), words.many);
    }
    return text;
}

std::string methodChangeOf(const DistributionFigure& figure, const Corpus& corpus,
                           const Selection& selection) {
    if (figure.options.method == TurnMethod::ApiCall) {
        return {};
    }
    Tokens input = 0;
    Tokens output = 0;
    const std::vector<Turn> calls = turnsInScope(corpus, selection, TurnMethod::ApiCall);
    for (const Turn& call : calls) {
        input += call.input;
        output += call.output;
    }
    const Tokens inputNow = figure.input.summary.sum;
    const Tokens outputNow = figure.output.summary.sum;
    const std::string counts = fmt::format("{} {} instead of {} API calls", countOfTurns(figure.turns),
                                           figure.turns == 1 ? "turn" : "turns", countOfTurns(calls.size()));
    if (figure.options.method == TurnMethod::PerLine) {
        return fmt::format("Per-line counts output {}: {} over the same calls; input {}: {}, as it sees only "
                           "the text of user records. {}.",
                           times(outputNow, output), insteadOf(outputNow, output), times(inputNow, input),
                           insteadOf(inputNow, input), counts);
    }
    const Tokens left = input + output - inputNow - outputNow;
    if (left == 0) {
        return fmt::format("Per prompt: {}, and the same tokens.", counts);
    }
    return fmt::format(
        "Per prompt: {}. {} of the new tokens, those of sub-agents and before the first prompt, are in "
        "no prompt turn.",
        counts, formatShare(static_cast<double>(left) / static_cast<double>(input + output)));
}

} // namespace loadline
