// Gathers the rows once; matches them where their anchors are.
#include "core/serverlog/read/pattern_table.h"

#include "core/serverlog/read/log_stamp.h"

#include <algorithm>

namespace loadline {

PatternTable tableOf(std::span<const FormatPatterns> formats) {
    std::vector<const LogPattern*> patterns;
    std::vector<std::size_t> serverOf;
    std::vector<std::string_view> anchors = {timeAnchor};
    anchors.insert(anchors.end(), uptimeAnchors.begin(), uptimeAnchors.end());
    anchors.push_back(epochAnchor);
    std::vector<std::vector<std::size_t>> patternsOf(anchors.size());
    for (std::size_t server = 0; server < formats.size(); ++server) {
        for (const LogPattern& pattern : formats[server].patterns) {
            for (const std::string_view anchor : pattern.anchors) {
                if (anchor.empty()) {
                    continue;
                }
                const auto known = std::ranges::find(anchors, anchor);
                const auto at = static_cast<std::size_t>(known - anchors.begin());
                if (known == anchors.end()) {
                    anchors.push_back(anchor);
                    patternsOf.emplace_back();
                }
                patternsOf[at].push_back(patterns.size());
            }
            patterns.push_back(&pattern);
            serverOf.push_back(server);
        }
    }
    AnchorScan scan(anchors);
    return {std::move(patterns),   std::move(serverOf), std::move(anchors),
            std::move(patternsOf), std::move(scan),     formats};
}

void matchLine(const PatternTable& table, std::string_view line, std::span<const AnchorHit> hits,
               std::vector<PatternMatch>& matches) {
    matches.clear();
    for (const AnchorHit& hit : hits) {
        for (const std::size_t pattern : table.patternsOf[hit.anchor]) {
            PatternMatch& found = matches.emplace_back();
            found.pattern = pattern;
            const auto overlaps = [&](const PatternMatch& before) {
                return before.pattern == pattern && found.match.begin < before.match.end;
            };
            if (!table.patterns[pattern]->match(line, hit.at, found.match) ||
                std::any_of(matches.begin(), matches.end() - 1, overlaps)) {
                matches.pop_back();
            }
        }
    }
    const auto begin = [](const PatternMatch& found) { return found.match.begin; };
    if (!std::ranges::is_sorted(matches, {}, begin)) {
        std::ranges::stable_sort(matches, {}, begin);
    }
}

} // namespace loadline
