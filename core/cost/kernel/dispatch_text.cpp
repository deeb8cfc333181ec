// Reads and writes the one-line form of dispatch rules.
#include "core/cost/kernel/dispatch_text.h"

#include "core/text/parse_number.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

namespace loadline {
namespace {

constexpr std::string_view blanks = " \t\r\n";
constexpr std::size_t mostQuoted = 60;
constexpr std::string_view usualRule = "code";

std::vector<std::string_view> split(std::string_view text, char by) {
    std::vector<std::string_view> parts;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i == text.size() || text[i] == by) {
            parts.push_back(trimmed(text.substr(from, i - from), blanks));
            from = i + 1;
        }
    }
    return parts;
}

/// Returns a text in a form for error messages: short and on one line.
std::string quotable(std::string_view text) {
    return visibleText(text, mostQuoted);
}

std::string keysOf(const std::vector<Kernel>& kernels) {
    std::string keys;
    for (const Kernel kernel : kernels) {
        keys += (keys.empty() ? "" : ", ") + std::string(keyOf(kernel));
    }
    return keys;
}

/// The ranges of one side of the semicolon: the first thing that is wrong ends it.
class RangesReader {
public:
    RangesReader(std::string_view text, bool grouped) : text_(text), grouped_(grouped) {}

    Result<std::vector<KernelRange>> read() const {
        if (text_.empty()) {
            return error(fmt::format("no kernel serves {}", kind()), servers());
        }
        const std::vector<std::string_view> entries = split(text_, ',');
        if (entries.size() > mostRanges) {
            return error(fmt::format("the rule has more than {} ranges", mostRanges), "fewer");
        }
        std::vector<KernelRange> ranges;
        for (const std::string_view entry : entries) {
            if (!ranges.empty() && ranges.back().toM == unboundedM) {
                return error(fmt::format("\"{}\" has no bound, but another kernel follows",
                                         keyOf(ranges.back().kernel)),
                             fmt::format("{}:M, up to which it serves", keyOf(ranges.back().kernel)));
            }
            Result<KernelRange> range = rangeOf(entry, ranges.empty() ? 1 : ranges.back().toM + 1);
            if (!range) {
                return range.error();
            }
            ranges.push_back(*range);
        }
        if (ranges.back().toM != unboundedM) {
            return error(fmt::format("no kernel serves {} from M = {} on", kind(), ranges.back().toM + 1),
                         "a last kernel without a bound");
        }
        return ranges;
    }

private:
    [[nodiscard]] std::string_view kind() const { return grouped_ ? "experts" : "dense GEMMs"; }

    [[nodiscard]] std::string servers() const { return keysOf(servingKernels(grouped_)); }

    [[nodiscard]] Error error(std::string what, std::string remedy) const {
        return {.what = std::move(what), .where = quotable(text_), .remedy = std::move(remedy)};
    }

    [[nodiscard]] Result<KernelRange> rangeOf(std::string_view entry, std::int64_t from) const {
        if (entry.empty()) {
            return error("a kernel is missing between commas", servers());
        }
        const std::size_t colon = entry.find(':');
        const std::string_view key = trimmed(entry.substr(0, colon), blanks);
        const std::optional<Kernel> kernel = kernelFromKey(key);
        if (!kernel) {
            return error(fmt::format("there is no kernel \"{}\"", quotable(key)), servers());
        }
        if (!canServe(*kernel, grouped_)) {
            return error(fmt::format("{} cannot serve {}", nameOf(*kernel), kind()), servers());
        }
        if (colon == std::string_view::npos) {
            return KernelRange{.kernel = *kernel, .fromM = from};
        }
        const std::string_view number = trimmed(entry.substr(colon + 1), blanks);
        const std::optional<std::int64_t> bound = parseNumber<std::int64_t>(number, {1, mostBoundM});
        if (!bound) {
            return error(fmt::format("the bound \"{}\" of {} is not a whole number from 1 to {}",
                                     quotable(number), key, mostBoundM),
                         fmt::format("{}:16", key));
        }
        if (*bound < from) {
            return error(fmt::format("{} ends at M = {}, before it starts at {}", key, *bound, from),
                         "bounds that grow");
        }
        return KernelRange{.kernel = *kernel, .fromM = from, .toM = *bound};
    }

    std::string_view text_;
    bool grouped_;
};

std::string listOf(const std::vector<KernelRange>& ranges) {
    std::string text;
    for (const KernelRange& range : ranges) {
        text += text.empty() ? "" : ",";
        text += keyOf(range.kernel);
        if (range.toM != unboundedM) {
            text += fmt::format(":{}", range.toM);
        }
    }
    return text;
}

bool servesAs(const DispatchRule& a, const DispatchRule& b) {
    return a.fastest == b.fastest && (a.fastest || (a.dense == b.dense && a.grouped == b.grouped));
}

} // namespace

std::string rangesTextOf(const DispatchRule& rule) {
    return listOf(rule.dense) + ";" + listOf(rule.grouped);
}

DispatchRule editedRule(std::vector<KernelRange> dense, std::vector<KernelRange> grouped) {
    DispatchRule rule;
    rule.dense = std::move(dense);
    rule.grouped = std::move(grouped);
    for (const DispatchRule& preset : dispatchPresets()) {
        if (servesAs(preset, rule)) {
            return preset;
        }
    }
    rule.key = rangesTextOf(rule);
    rule.name = wordsOf(rule.dense);
    rule.source = "edited; experts: " + wordsOf(rule.grouped);
    return rule;
}

Result<DispatchRule> dispatchRuleFromText(std::string_view text, const DispatchRule* before) {
    const std::string_view line = trimmed(text, blanks);
    if (const DispatchRule* preset = findDispatchPreset(line)) {
        return *preset;
    }
    const std::vector<std::string_view> sides = split(line, ';');
    if (sides.size() > 2) {
        return Error{"a dispatch rule has one semicolon at most", quotable(line),
                     "KERNEL:M,...,KERNEL;GROUPED_KERNEL:M,...,GROUPED_KERNEL"};
    }
    const DispatchRule& kept =
        before != nullptr && !before->fastest ? *before : *findDispatchPreset(usualRule);
    const bool hasExperts = sides.size() > 1 && !sides[1].empty();
    const bool hasDense = !sides[0].empty() || !hasExperts;
    Result<std::vector<KernelRange>> dense = hasDense ? RangesReader(sides[0], false).read() : kept.dense;
    if (!dense) {
        return dense.error();
    }
    Result<std::vector<KernelRange>> grouped =
        sides.size() > 1 ? RangesReader(sides[1], true).read() : kept.grouped;
    if (!grouped) {
        return grouped.error();
    }
    return editedRule(std::move(*dense), std::move(*grouped));
}

std::string withKeysForNames(std::string_view text, const KernelNaming& naming) {
    constexpr std::string_view marks = ":,;";
    std::string keys;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find_first_of(marks, begin), text.size());
        std::string_view word = text.substr(begin, end - begin);
        const std::size_t first = std::min(word.find_first_not_of(' '), word.size());
        const std::size_t last = word.find_last_not_of(' ');
        const std::string name(word.substr(first, last == std::string_view::npos ? 0 : last - first + 1));
        for (const auto& [kernel, names] : naming.given) {
            if (!name.empty() && names.contains(name) && !kernelFromKey(name)) {
                word = keyOf(kernel);
            }
        }
        keys += word;
        if (end < text.size()) {
            keys += text[end];
        }
        begin = end + 1;
    }
    return keys;
}

std::string textOf(const DispatchRule& rule) {
    for (const DispatchRule& preset : dispatchPresets()) {
        if (servesAs(preset, rule)) {
            return preset.key;
        }
    }
    return rangesTextOf(rule);
}

std::string wordsOf(const std::vector<KernelRange>& ranges, const KernelNaming& naming) {
    std::string words;
    for (const KernelRange& range : ranges) {
        words += words.empty() ? "" : ", ";
        words += nameOf(range.kernel, naming);
        if (range.toM == unboundedM) {
            words += ranges.size() > 1 ? " above" : " for every M";
        } else {
            words += &range == ranges.data() ? " to M = " : " to ";
            words += fmt::format("{}", range.toM);
        }
    }
    return words;
}

} // namespace loadline
