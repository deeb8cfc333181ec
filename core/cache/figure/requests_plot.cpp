// "Requests, one by one".
#include "core/cache/figure/requests_plot.h"

#include "core/cache/figure/cache_words.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace loadline {
namespace {

using ask::columnAt, ask::columnOf, ask::Form;

/// The tokens of a request, from the foot of its bar on.
constexpr std::size_t partsOfRequest = 3;

Tokens tokensOf(const RequestParts& request, std::size_t part) {
    return part == 0 ? request.cached : part == 1 ? request.newInput : request.output;
}

std::string wordsOfBreak(const PrefixBreak& lost) {
    const bool compaction = lost.cause() == BreakCause::Compaction;
    return fmt::format("{} tokens {}: {}", formatExact(compaction ? lost.compacted : lost.paidAgain),
                       compaction ? "of a new prompt" : "paid again", describe(lost.cause()));
}

/// Words of the request that `requestOf` finds for a row: which it is, its tokens, why its prefix broke.
void addWords(ask::Table& table, const std::vector<RequestParts>& all, auto requestOf) {
    constexpr std::size_t evidenceLetters = 120;
    const auto add = [&](const char* key, auto words) {
        table.columns.push_back(columnAt(key, [&all, requestOf, words](std::size_t row) {
            return ask::Cell(words(all[requestOf(row)], requestOf(row)));
        }));
        table.columns.back().form = Form::Text;
        table.columns.back().readOut = "{}";
    };
    using Words = std::optional<std::string>;
    add("which", [](const RequestParts& one, std::size_t i) -> Words {
        return fmt::format("request {}, after {}", formatExact(static_cast<std::int64_t>(i + 1)),
                           formatSeconds(one.startS));
    });
    add("tokens_words", [](const RequestParts& one, std::size_t) -> Words {
        return fmt::format("{} cached, {} new, {} output", formatExact(one.cached), formatExact(one.newInput),
                           formatExact(one.output));
    });
    add("break_words", [](const RequestParts& one, std::size_t) {
        return one.lost != nullptr ? Words(wordsOfBreak(*one.lost)) : Words();
    });
    add("evidence_words", [](const RequestParts& one, std::size_t) {
        return one.lost != nullptr ? Words(visibleText(one.lost->reasons.front().evidence, evidenceLetters))
                                   : Words();
    });
}

ask::Table requestsTable(const CacheFigure& figure, const std::vector<RequestParts>& all) {
    const char* from = figure.ofProvider() ? "provider" : figure.ofSessions() ? "estimated" : "unlimited";
    const auto ofBreak = [](auto read) {
        return [read](const RequestParts& one) {
            return one.lost != nullptr ? ask::Cell(read(*one.lost)) : ask::Cell();
        };
    };
    return {.path = "requests",
            .title = "Requests, one by one",
            .rows = all.size(),
            .columns = {columnAt(
                            "request", [](std::size_t row) { return row + 1; }, "request", Form::Whole),
                        columnOf(all, "start_utc", "start", &RequestParts::time, Form::Time),
                        columnOf(all, "start_s", "after", &RequestParts::startS, Form::Seconds),
                        columnOf(all, "cached_tokens", "cached", &RequestParts::cached, Form::Tokens),
                        columnOf(all, "new_input_tokens", "new", &RequestParts::newInput, Form::Tokens),
                        columnOf(all, "output_tokens", "output", &RequestParts::output, Form::Tokens),
                        columnOf(all, "tokens_paid_again", "paid again",
                                 ofBreak(std::mem_fn(&PrefixBreak::paidAgain)), Form::Tokens),
                        columnOf(all, "cause", "cause",
                                 ofBreak([](const auto& lost) { return keyOf(lost.cause()); })),
                        columnOf(all, "evidence", "evidence",
                                 ofBreak([](const auto& lost) { return lost.reasons.front().evidence; })),
                        columnAt(
                            "cached_from", [from](std::size_t) { return from; }, "cached from")}};
}

} // namespace

void addRequestsPlot(ask::Report& report, const CacheFigure& figure, const NamedRequests& requests) {
    const std::vector<RequestParts>& all = requests.requests;
    auto broken = std::make_shared<std::vector<std::size_t>>();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].lost != nullptr) {
            broken->push_back(i);
        }
    }
    const auto requestOf = [](std::size_t row) { return row / partsOfRequest; };
    ask::Table bars{.path = "request_bars",
                    .title = {},
                    .rows = partsOfRequest * all.size(),
                    .columns = {columnAt("from", requestOf),
                                columnAt("to", [](std::size_t row) { return row / partsOfRequest + 1; }),
                                columnAt("part",
                                         [](std::size_t row) {
                                             const std::size_t part = row % partsOfRequest;
                                             return part == 0 ? "cached" : part == 1 ? "new" : "output";
                                         }),
                                columnAt("tokens", [&all](std::size_t row) {
                                    return tokensOf(all[row / partsOfRequest], row % partsOfRequest);
                                })}};
    addWords(bars, all, requestOf);
    ask::Table breaks{
        .path = "request_breaks",
        .title = {},
        .rows = broken->size(),
        .columns = {columnOf(*broken, "at", "", [](std::size_t i) { return static_cast<double>(i) + 0.5; }),
                    columnOf(*broken, "request", "", [](std::size_t i) { return i + 1; })}};
    addWords(breaks, all, [broken = broken.get()](std::size_t row) { return (*broken)[row]; });
    report.tables.insert(report.tables.end(),
                         {requestsTable(figure, all), std::move(bars), std::move(breaks)});
    report.keeps.push_back(std::move(broken));
    report.plots.push_back(
        {.key = "cache-requests",
         .title = "Requests, one by one",
         .description = "cached, new and output tokens of a session's requests, with prefix breaks",
         .sentence = requestsSentence(figure, requests.name, all),
         .x = {"requests", Form::Whole, ask::Scale::Linear, 0,
               static_cast<double>(std::max<std::size_t>(all.size(), 1))},
         .y = {"tokens"},
         .marks = {{.kind = ask::Kind::Bars,
                    .table = "request_bars",
                    .x = "from",
                    .y = "tokens",
                    .x2 = "to",
                    .series = "part",
                    .legend = "{}",
                    .inks = {ask::Ink::CacheRead, ask::Ink::NewInput, ask::Ink::Output}},
                   {.kind = ask::Kind::Flags,
                    .table = "request_breaks",
                    .x = "at",
                    .y = {},
                    .legend = "prefix break",
                    .ink = ask::Ink::Warning,
                    .pickField = "picked",
                    .pickColumn = "request",
                    .leadColumn = "request"}},
         .empty = all.empty() ? "no request is in scope" : "",
         .table = "requests",
         .corner = figure.ofProvider()   ? "provider's cache"
                   : figure.ofSessions() ? "estimated: prompts grow"
                                         : "unlimited cache"});
}

} // namespace loadline
