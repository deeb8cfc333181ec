// Cuts the ranges of dispatch rules where times and kernels end.
#include "core/cost/kernel/dispatch_reach.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>

namespace loadline {
namespace {

/// Puts it behind the last range, or makes that one longer.
void append(std::vector<KernelRange>& ranges, const KernelRange& next) {
    if (!ranges.empty() && ranges.back().kernel == next.kernel) {
        ranges.back().toM = next.toM;
    } else {
        ranges.push_back(next);
    }
}

/// `range` as far as its kernel reaches, the rest by those after it in the rule, the last by one that serves
/// every M.
void appendWithin(std::vector<KernelRange>& cut, std::span<const KernelRange> fromHere,
                  const KernelReaches& reaches, bool grouped) {
    const std::int64_t to = fromHere.front().toM;
    std::int64_t from = fromHere.front().fromM;
    for (const KernelRange& candidate : fromHere) {
        const std::int64_t last = std::min(to, reaches.at(static_cast<std::size_t>(candidate.kernel)).rowsM);
        if (from > last) {
            continue;
        }
        append(cut, {.kernel = candidate.kernel, .fromM = from, .toM = last});
        if (last == to) {
            return;
        }
        from = last + 1;
    }
    append(cut, {.kernel = servesEveryM(grouped), .fromM = from, .toM = to});
}

std::vector<KernelRange> within(const std::vector<KernelRange>& ranges, const KernelReaches& reaches,
                                bool grouped) {
    std::vector<KernelRange> cut;
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        appendWithin(cut, std::span(ranges).subspan(i), reaches, grouped);
    }
    return cut;
}

void addCuts(std::vector<std::string>& lines, const std::vector<KernelRange>& ranges,
             const KernelReaches& reaches, bool grouped, const KernelNaming& naming) {
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        const KernelRange& range = ranges[i];
        const KernelReach& reach = reaches.at(static_cast<std::size_t>(range.kernel));
        if (range.toM <= reach.rowsM) {
            continue;
        }
        std::vector<KernelRange> instead;
        appendWithin(instead, std::span(ranges).subspan(i), reaches, grouped);
        std::string names;
        for (const KernelRange& one : instead) {
            if (one.kernel != range.kernel) {
                names += (names.empty() ? "" : ", then ") + nameOf(one.kernel, naming);
            }
        }
        const std::string asked =
            range.toM == unboundedM ? std::string("at every M") : "up to " + formatExact(range.toM);
        lines.push_back(
            fmt::format("{} serves up to M = {}, the most that it {}, and not {} as the rule says: {} above",
                        nameOf(range.kernel, naming), formatExact(reach.rowsM),
                        reach.timed ? "was timed at" : "is built for", asked, names));
    }
}

} // namespace

bool reaches(const KernelReaches& reaches, Kernel kernel, double m) {
    const std::int64_t last = reaches.at(static_cast<std::size_t>(kernel)).rowsM;
    return last == unboundedM || std::ceil(m) <= static_cast<double>(last);
}

Kernel servesEveryM(bool grouped) {
    return formOf(Kernel::DequantCublas, grouped);
}

DispatchRule within(const DispatchRule& rule, const KernelReaches& reaches) {
    if (rule.fastest) {
        return rule;
    }
    DispatchRule cut = rule;
    cut.dense = within(rule.dense, reaches, false);
    cut.grouped = within(rule.grouped, reaches, true);
    return cut;
}

std::vector<std::string> cutsOf(const DispatchRule& rule, const KernelReaches& reaches, bool grouped,
                                const KernelNaming& naming) {
    std::vector<std::string> lines;
    if (rule.fastest) {
        return lines;
    }
    addCuts(lines, rule.dense, reaches, false, naming);
    if (grouped) {
        addCuts(lines, rule.grouped, reaches, true, naming);
    }
    return lines;
}

} // namespace loadline
