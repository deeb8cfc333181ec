// A made-up log of a server as values: intervals, requests with and without ends, events.
#pragma once

#include "core/serverlog/verdict/log_figure.h"

#include <cmath>
#include <memory>
#include <string>

namespace made_up {

/// A line of statistics each ten seconds; line 1 is a server's start.
inline loadline::LogInterval intervalOf(std::size_t i) {
    loadline::LogInterval one;
    one.where = {0, 2 + i};
    one.timeS = 10.0 * static_cast<double>(i + 1);
    one.spanS = 10;
    one.outputTokensPerS = 100 + 50 * std::sin(static_cast<double>(i) * 0.3);
    one.promptTokensPerS = i % 7 == 0 ? 4000 : 0;
    one.running = static_cast<double>(i % 5);
    one.waiting = static_cast<double>(i % 3);
    one.kvUse = 0.4;
    one.prefixHit = 0.7;
    return one;
}

/// With phases; every fifth has none, every seventh no end.
inline loadline::LogRequest requestOf(std::size_t i) {
    loadline::LogRequest one;
    one.first = {0, 1000 + 10 * i};
    one.last = {0, 1005 + 10 * i};
    one.id = "request " + std::to_string(i);
    one.path = "POST /v1/messages";
    one.arrivalS = 20.0 * static_cast<double>(i);
    one.inputTokens = 9983;
    one.cachedTokens = 4096;
    one.outputTokens = 512;
    if (i % 7 != 6) {
        one.endS = one.arrivalS + 35;
    }
    if (i % 5 != 4) {
        one.firstTokenS = one.arrivalS + 6;
        one.prefillS = 5;
        one.decodeTokensPerS = 17.6;
    }
    return one;
}

inline loadline::ServerLog logOf(std::size_t intervals, std::size_t requests) {
    using namespace loadline;
    ServerLog log;
    log.files = {"server.log"};
    log.clock = LogClock::Date;
    log.begin = *parseIso8601("2026-01-20T10:13:01Z");
    log.zoneTold = true;
    for (std::size_t i = 0; i < intervals; ++i) {
        log.intervals.push_back(intervalOf(i));
    }
    for (std::size_t i = 0; i < requests; ++i) {
        log.requests.push_back(requestOf(i));
    }
    log.lengthS = std::max(10.0 * static_cast<double>(intervals), 20.0 * static_cast<double>(requests) + 40);
    log.lines = log.knownLines = 2000 + intervals + 10 * requests;
    log.requestsFrom = requests > 0 ? RequestsFrom::Log : RequestsFrom::None;
    log.events = {{{0, 1}, LogEventKind::ServerStarted, 0, notTold, notTold, ""},
                  {{0, 900}, LogEventKind::CacheHit, 50, 49'152, notTold, "msg_22"},
                  {{0, 901}, LogEventKind::Preemption, 90, notTold, notTold, "recompute"}};
    return log;
}

inline loadline::LogLine lineOf(std::uint64_t line) {
    return {0, line};
}

/// Two rates and three findings; a ceiling where `served`.
inline std::shared_ptr<const loadline::LogFigure> logFigure(loadline::ServerLog log, bool served = true) {
    using namespace loadline;
    LogFigure figure;
    figure.log = std::make_shared<const ServerLog>(std::move(log));
    figure.concurrency = concurrencyOf(*figure.log);
    figure.verdict.headline = "It is as fast as it can be. Nothing is wrong.";
    figure.verdict.findings = {
        {"concurrent_requests",
         "Concurrent requests share the batch",
         Verdict::NotExcluded,
         "Two streamed answers have no end.",
         {lineOf(3), lineOf(700)},
         "Log the batch",
         2},
        {"output_cap", "The output's cap was reached", Verdict::Supported, "8 192 tokens.", {lineOf(5)}},
        {"prefill", "Prompts interrupt decoding", Verdict::Excluded, "No prompt was computed.", {}}};
    figure.verdict.next = {"Log the batch", "Try a smaller model"};
    ObservedRate rate{lineOf(1005), 40, 17.6};
    rate.contextLow = rate.contextHigh = 10'000;
    ObservedRate least{lineOf(1015), 60, 12};
    least.contextLow = 20'000;
    least.contextHigh = 40'000;
    least.atLeast = true;
    least.streams = 3;
    ObservedRate open{lineOf(1025), 80, 9};
    open.streamsTold = false;
    figure.verdict.rates = {rate, least, open};
    if (served) {
        figure.verdict.light.emplace(ServedOn{findCacheModel("llama-3.1-8b"), 4.5, 2, "M3-Max-40c", 0});
    }
    figure.mostContext = 50'000;
    return std::make_shared<const LogFigure>(std::move(figure));
}

} // namespace made_up
