// How fp16 stands against the k-bit kernels, in words.
#include "core/cost/figure/fp16_words.h"

#include "core/cost/kernel/kernel_naming.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {
namespace {

constexpr std::size_t mostNamed = 3; // ranges in one sentence

std::string rangeText(std::int64_t fromM, std::int64_t toM) {
    return fromM == toM ? std::to_string(fromM) : fmt::format("{} to {}", fromM, toM);
}

/// "M = 1 and 4 to 4096", with the kernel that was not timed beyond.
std::string rangesText(const KernelFigure& figure, Fp16Standing standing, const std::string& timedWord) {
    std::vector<std::string> ranges;
    for (const Fp16Span& span : figure.fp16Spans) {
        if (span.standing == standing) {
            ranges.push_back(
                rangeText(span.fromM, span.toM) +
                (span.ended ? fmt::format(" ({} not {} beyond {})", nameOf(*span.ended, namingOf(figure, 0)),
                                          timedWord, span.fromM - 1)
                            : ""));
        }
    }
    return "M = " + listed(ranges);
}

std::size_t spansThat(const KernelFigure& figure, Fp16Standing standing) {
    return static_cast<std::size_t>(std::ranges::count(figure.fp16Spans, standing, &Fp16Span::standing));
}

/// The sentence if fp16 stands alike at all Ms that have both.
std::string onlyText(const KernelFigure& figure, const std::string& fp16, const std::string& timedWord) {
    const Fp16Standing standing = figure.fp16Spans.front().standing;
    const bool one = figure.fp16FromM == figure.fp16ToM;
    const std::string where =
        one ? fmt::format(" At M = {}, the only one at which both were {}, ", figure.fp16ToM, timedWord)
            : fmt::format(" From M = {} to {}, where both were {}, ", figure.fp16FromM, figure.fp16ToM,
                          timedWord);
    switch (standing) {
    case Fp16Standing::Slower:
        return where + fmt::format("{} is {} faster.", fp16, one ? "not" : "never");
    case Fp16Standing::Alike:
        return where + fmt::format("{} is as fast as the fastest of them within the error bars.", fp16);
    case Fp16Standing::Faster:
        break;
    }
    return where + fmt::format("{} is faster than all of them.", fp16);
}

/// How often fp16 is faster, where too many ranges would have to be named.
std::string countText(const KernelFigure& figure, const std::string& timedWord) {
    std::size_t faster = 0;
    std::size_t all = 0;
    for (const Fp16Span& span : figure.fp16Spans) {
        faster += span.standing == Fp16Standing::Faster ? span.points : 0;
        all += span.points;
    }
    return fmt::format("{} of the {} M at which both were {}, from {} to {}", faster, all, timedWord,
                       figure.fp16FromM, figure.fp16ToM);
}

} // namespace

std::string crossingText(const KernelCrossing& crossing) {
    std::string text = fmt::format("{}", crossing.rowsM);
    if (crossing.low < crossing.rowsM || crossing.high > crossing.rowsM) {
        text += fmt::format(" ({} to {})", crossing.low, crossing.high);
    }
    return text;
}

std::string againstFp16Text(const KernelFigure& figure, const std::string& timedWord) {
    if (figure.fp16Spans.empty()) {
        return "";
    }
    const std::string fp16 = nameOf(fp16Kernel(figure.inputs.shape.experts > 1), namingOf(figure, 0));
    const std::size_t faster = spansThat(figure, Fp16Standing::Faster);
    const std::size_t alike = spansThat(figure, Fp16Standing::Alike);
    if (std::ranges::all_of(figure.fp16Spans, [&](const Fp16Span& span) {
            return span.standing == figure.fp16Spans.front().standing;
        })) {
        return onlyText(figure, fp16, timedWord);
    }
    if (figure.fp16Wins && faster == 1 && alike == 0) {
        const KernelCrossing& start = *figure.fp16Wins;
        const std::string limit =
            start.pointsEnd ? fmt::format(" ({} not {} beyond {})", nameOf(start.from, namingOf(figure, 0)),
                                          timedWord, start.rowsM - 1)
            : start.pointsBegin ? fmt::format(" (not {} below)", timedWord)
                                : "";
        return start.rowsM == figure.fp16ToM
                   ? fmt::format(
                         " At M = {}{}, the last at which both were {}, {} is faster than all of them.",
                         crossingText(start), limit, timedWord, fp16)
                   : fmt::format(
                         " From M = {}{} to {}, the last at which both were {}, {} is faster than all "
                         "of them.",
                         crossingText(start), limit, figure.fp16ToM, timedWord, fp16);
    }
    if (faster > mostNamed) {
        return fmt::format(" {} is faster than all of them at {}.", fp16, countText(figure, timedWord));
    }
    std::string text = faster == 0 ? fmt::format(" {} is never faster than the fastest of them", fp16)
                                   : fmt::format(" {} is faster than all of them at {}", fp16,
                                                 rangesText(figure, Fp16Standing::Faster, timedWord));
    if (alike > 0 && alike <= mostNamed) {
        text += fmt::format(", as fast within the error bars at {}",
                            rangesText(figure, Fp16Standing::Alike, timedWord));
    }
    return text +
           fmt::format(", of M = {} to {}, where both were {}.", figure.fp16FromM, figure.fp16ToM, timedWord);
}

} // namespace loadline
