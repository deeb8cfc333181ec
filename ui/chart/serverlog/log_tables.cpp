// The numbers that the charts of a server's log draw.
#include "ui/chart/serverlog/log_axis.h"
#include "ui/chart/serverlog/log_words.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loadline::ui {
namespace {

constexpr std::array kinds = {"interval", "request", "event", "step", "progress"};
constexpr std::array eventKeys = {"cache_miss", "cache_hit",    "full_reprocess", "preemption",
                                  "truncated",  "started",      "server_stopped", "failure",
                                  "refused",    "reported_rate"};

Cell cellOfTold(double value) {
    return isTold(value) ? Cell(value) : Cell();
}

/// A row of the time line's table, in the order of its columns.
enum class At : std::size_t {
    Kind,
    File,
    Line,
    TimeS,
    EndS,
    OutputRate,
    PromptRate,
    Running,
    Waiting,
    KvUse,
    PrefixHit,
    Input,
    Cached,
    Output,
    Detail,
    Engine,
    Accepted,
    End
};
using Row = std::vector<Cell>;

Cell& at(Row& row, At column) {
    return row[static_cast<std::size_t>(column)];
}

void put(Row& row, std::initializer_list<std::pair<At, double>> values) {
    for (const auto& [column, value] : values) {
        at(row, column) = cellOfTold(value);
    }
}

void fill(Row& row, const LogInterval& one) {
    put(row, {{At::EndS, one.timeS},
              {At::TimeS, isTold(one.spanS) ? one.timeS - one.spanS : one.timeS},
              {At::OutputRate, one.outputTokensPerS},
              {At::PromptRate, one.promptTokensPerS},
              {At::Running, one.running},
              {At::Waiting, one.waiting},
              {At::KvUse, one.kvUse},
              {At::PrefixHit, one.prefixHit},
              {At::Input, one.newTokens},
              {At::Cached, one.cachedTokens},
              {At::Accepted, one.acceptedLength}});
    at(row, At::Engine) = std::int64_t{one.engine};
}

void fill(Row& row, const LogRequest& one) {
    put(row, {{At::TimeS, one.arrivalS},
              {At::EndS, one.endS},
              {At::OutputRate, one.decodeTokensPerS},
              {At::Input, one.inputTokens},
              {At::Cached, one.cachedTokens},
              {At::Output, one.outputTokens}});
    at(row, At::Detail) = one.id.empty() ? one.path : one.path.empty() ? one.id : one.path + ", " + one.id;
}

void fill(Row& row, const LogEvent& one) {
    put(row, {{At::TimeS, one.timeS}});
    at(row, At::Kind) = std::string(eventKeys.at(static_cast<std::size_t>(one.kind)));
    if (one.kind == LogEventKind::CacheHit) {
        put(row, {{At::Cached, one.tokens}});
    } else {
        put(row, {{At::Output, one.tokens}});
    }
    at(row, At::Detail) = one.detail;
}

void fill(Row& row, const LogStep& one) {
    put(row, {{At::TimeS, isTold(one.seconds) ? one.timeS - one.seconds : one.timeS},
              {At::EndS, one.timeS},
              {At::Running, one.active},
              {At::Output, one.responses}});
}

void fill(Row& row, const LogProgress& one) {
    put(row, {{At::TimeS, one.timeS},
              {one.ofPrompt ? At::PromptRate : At::OutputRate,
               isTold(one.recentTokensPerS) ? one.recentTokensPerS : one.tokensPerS},
              {one.ofPrompt ? At::Input : At::Output, one.tokens}});
}

Row rowOf(const ServerLog& log, const LogMark& mark) {
    Row row(static_cast<std::size_t>(At::End));
    at(row, At::Kind) = std::string(kinds.at(static_cast<std::size_t>(mark.kind)));
    at(row, At::File) = mark.where.file < log.files.size() ? log.files[mark.where.file] : std::string();
    at(row, At::Line) = static_cast<std::int64_t>(mark.where.line);
    switch (mark.kind) {
    case LogMark::Kind::Interval:
        fill(row, log.intervals[mark.index]);
        break;
    case LogMark::Kind::Request:
        fill(row, log.requests[mark.index]);
        break;
    case LogMark::Kind::Event:
        fill(row, log.events[mark.index]);
        break;
    case LogMark::Kind::Step:
        fill(row, log.steps[mark.index]);
        break;
    case LogMark::Kind::Progress:
        fill(row, log.progress[mark.index]);
        break;
    }
    return row;
}

} // namespace

Table timeTable(const LogScene& scene, const PlotChange::Stretch& stretch) {
    Table table{{"kind", "file", "line", "begin_s", "end_s", "output_tokens_per_s", "prompt_tokens_per_s",
                 "running", "waiting", "kv_use", "prefix_hit", "input_tokens", "cached_tokens",
                 "output_tokens", "detail", "engine", "accepted_length"},
                {}};
    const LogAxis axis = axisOf(scene, stretch, 0, 1);
    for (const LogMark& mark : scene.marks()) {
        if (mark.place < axis.begin || mark.place > axis.end) {
            continue;
        }
        if (table.rows.size() == mostLogRows) {
            Row more(static_cast<std::size_t>(At::End));
            at(more, At::Kind) = std::string("more: zoom in");
            table.rows.push_back(std::move(more));
            break;
        }
        table.rows.push_back(rowOf(scene.log(), mark));
    }
    return table;
}

} // namespace loadline::ui
