// The lines of the details panel for one item of a timeline: labels with exact numbers, units and quality.
#pragma once

#include "core/workload/timeline/timeline.h"

#include <string>
#include <utility>
#include <vector>

namespace loadline {

/// Label and value, in reading order. Numbers are exact and grouped, times in UTC; an output count that is
/// not final carries "≥" or says that it is a placeholder.
using Details = std::vector<std::pair<std::string, std::string>>;

Details detailsOf(const CallSpan& call, const Timeline& timeline, const Corpus& corpus);
Details detailsOf(const ToolSpan& tool, const Timeline& timeline, const Corpus& corpus);
Details detailsOf(const TimelineMark& mark, const Timeline& timeline, const Corpus& corpus);

/// "path:line", as editors and terminals understand it.
std::string placeOf(const EvidencePlace& evidence, const Corpus& corpus);
/// Output with its quality: "1 204", "≥ 1 204", "≥ 3 (placeholder)".
std::string outputOf(Tokens output, OutputQuality quality);
/// Prompt, compaction, ...: one or two words for people.
std::string describe(MarkKind kind);

} // namespace loadline
