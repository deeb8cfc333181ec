// A timeline as a table: every call, tool and mark in time order with its exact numbers and place.
#include "core/workload/timeline/evidence.h"
#include "core/workload/timeline/timeline.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace loadline {
namespace {

Cell whole(std::int64_t n) {
    return n;
}

std::string keyOf(MarkKind kind) {
    std::string key = describe(kind);
    std::replace(key.begin(), key.end(), ' ', '_');
    std::transform(key.begin(), key.end(), key.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return key;
}

const std::vector<std::string> columns = {
    "kind",           "lane",          "start_utc",      "duration_ms",        "first_line_ms",
    "turn_index",     "name",          "input_tokens",   "cache_write_tokens", "cache_read_tokens",
    "context_tokens", "output_tokens", "output_quality", "inherited",          "error",
    "path",           "line"};

} // namespace

std::vector<TimelineTableRow> tableRowsOf(const Timeline& timeline) {
    std::vector<TimelineTableRow> rows;
    rows.reserve(timeline.calls.size() + timeline.tools.size() + timeline.marks.size());
    const auto enlist = [&](const auto& items, TimelineTableRow::Kind kind, auto time) {
        for (std::uint32_t i = 0; i < items.size(); ++i) {
            rows.push_back({std::invoke(time, items[i]), kind, i});
        }
    };
    enlist(timeline.marks, TimelineTableRow::Kind::Mark, &TimelineMark::time);
    enlist(timeline.calls, TimelineTableRow::Kind::Call, &CallSpan::start);
    enlist(timeline.tools, TimelineTableRow::Kind::Tool, &ToolSpan::start);
    std::sort(rows.begin(), rows.end());
    return rows;
}

Table tableOf(const Timeline& timeline, const Corpus& corpus) {
    const std::vector<TimelineTableRow> order = tableRowsOf(timeline);
    Table table{.columns = columns, .rows = {}};
    table.rows.reserve(order.size());
    for (const auto& [time, kind, i] : order) {
        std::vector<Cell> row(columns.size());
        EvidencePlace evidence;
        std::uint32_t lane = 0;
        row[2] = formatIso8601(time);
        if (kind == TimelineTableRow::Kind::Call) {
            const CallSpan& call = timeline.calls[i];
            evidence = call.evidence;
            lane = call.lane;
            row[0] = std::string("call");
            row[3] = whole(call.end.ms - call.start.ms);
            row[4] = whole(call.firstLine.ms - call.start.ms);
            row[5] = whole(call.ordinal);
            row[6] = corpus.models[call.model];
            row[7] = whole(call.usage.input);
            row[8] = whole(call.usage.cacheWrite);
            row[9] = whole(call.usage.cacheRead);
            row[10] = whole(call.usage.context());
            row[11] = whole(call.usage.output);
            row[12] = std::string(loadline::keyOf(call.quality));
            row[13] = whole(call.inherited ? 1 : 0);
        } else if (kind == TimelineTableRow::Kind::Tool) {
            const ToolSpan& tool = timeline.tools[i];
            evidence = tool.evidence;
            lane = tool.lane;
            row[0] = std::string("tool");
            row[3] = tool.open ? Cell() : whole(tool.end.ms - tool.start.ms);
            row[5] = tool.ordinalStart;
            row[6] = tool.name;
            row[14] = whole(tool.isError ? 1 : 0);
        } else {
            const TimelineMark& mark = timeline.marks[i];
            evidence = mark.evidence;
            lane = mark.lane;
            row[0] = keyOf(mark.kind);
            row[5] = mark.ordinal;
            row[6] = mark.text;
        }
        row[1] = timeline.lanes[lane].name;
        row[15] = corpus.files[evidence.file].file->path;
        row[16] = whole(evidence.place.line);
        table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace loadline
