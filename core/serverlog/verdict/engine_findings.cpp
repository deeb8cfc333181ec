// Finds whether the engine's own settings slow it down, or software between it and the client.
#include "core/serverlog/server_log.h"
#include "core/serverlog/verdict/log_evidence.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace loadline {

Finding engineSettings(const LogEvidence& evidence) {
    Finding finding{.key = "engine_settings",
                    .claim = "Settings of the engine (prefill step, batch size, eager mode) slow it down"};
    finding.weight = 2;
    static constexpr std::array settings = {"eager",          "cuda_graph", "prefill_step_size",
                                            "max_batch_size", "parallel",   "max_batched_tokens"};
    std::string details;
    for (const char* setting : settings) {
        const auto fact = std::find_if(evidence.log.facts.rbegin(), evidence.log.facts.rend(),
                                       [setting](const LogFact& one) { return one.name == setting; });
        if (fact == evidence.log.facts.rend()) {
            continue;
        }
        details += (details.empty() ? "" : ", ") + std::string(setting) + "=" + fact->value;
        finding.evidence.push_back(fact->where);
    }
    const std::vector<LogInterval>& intervals = evidence.log.intervals;
    const auto most = std::ranges::max_element(
        intervals, {}, [](const LogInterval& one) { return isTold(one.running) ? one.running : 0; });
    if (most != intervals.end() && most->running > 1) {
        details += (details.empty() ? "" : ", ") + formatReal(most->running, 1) + " running at most";
        finding.evidence.push_back(most->where);
    }
    if (factOf(evidence.log, "eager") == "on" || factOf(evidence.log, "cuda_graph") == "off") {
        finding.verdict = Verdict::Supported;
        finding.reason = "The engine launches the kernels of its steps one by one, without CUDA graphs: that "
                         "costs most where steps are short, as with few requests.";
    } else {
        finding.reason =
            "The batch shares each step, and a step with a prompt is as long as the prefill step "
            "lets it be; the log tells of no other settings.";
        finding.decide = "Repeat one request alone, then with another prefill step and batch size.";
    }
    finding.reason += details.empty() ? "" : " Told: " + details + ".";
    return finding;
}

Finding partialOffload(const LogEvidence& evidence) {
    Finding finding{.key = "partial_offload", .claim = "A part of the model runs on the CPU"};
    finding.weight = 11;
    const auto fact = std::find_if(evidence.log.facts.rbegin(), evidence.log.facts.rend(),
                                   [](const LogFact& one) { return one.name == "on_cpu"; });
    if (fact == evidence.log.facts.rend()) {
        finding.reason = "The log does not tell how many layers the device holds.";
        finding.decide = "Log the start of the server: it tells \"offloaded N/M layers to GPU\".";
        return finding;
    }
    finding.evidence = {fact->where};
    const bool all = fact->value == "0";
    finding.verdict = all ? Verdict::Excluded : Verdict::Supported;
    finding.reason = all ? "All layers are on the device."
                         : fmt::format("{} on the CPU, for which every token waits: the usual cause of slow "
                                       "decoding, and the device's ceiling does not hold.",
                                       fact->value == "1" ? "1 layer is" : fact->value + " layers are");
    return finding;
}

bool mayOffload(const ServerLog& log) {
    static constexpr std::array servers = {"llama-cpp", "ollama", "lm-studio"};
    return !factOf(log, "on_cpu").empty() ||
           (log.server != nullptr && std::ranges::find(servers, log.server->key) != servers.end());
}

bool tellsFailures(const ServerLog& log) {
    return std::ranges::any_of(log.events,
                               [](const LogEvent& event) { return event.kind == LogEventKind::Failure; });
}

Finding failures(const LogEvidence& evidence) {
    Finding finding{.key = "failures", .claim = "The engine runs out of memory or dies"};
    finding.weight = 12;
    finding.evidence = linesWhere<LogEvent>(
        evidence.log.events, [](const LogEvent& event) { return event.kind == LogEventKind::Failure; });
    const auto first = std::ranges::find(evidence.log.events, LogEventKind::Failure, &LogEvent::kind);
    if (first == evidence.log.events.end()) {
        finding.reason = "No line tells of a failure.";
        return finding;
    }
    const auto times = static_cast<std::uint64_t>(
        std::ranges::count(evidence.log.events, LogEventKind::Failure, &LogEvent::kind));
    finding.verdict = Verdict::Supported;
    finding.reason =
        fmt::format("The engine failed {}, first on line {}: \"{}\".",
                    times == 1 ? std::string("once") : counted(times, "time"),
                    formatExact(static_cast<std::int64_t>(first->where.line)), visibleText(first->detail));
    return finding;
}

Finding streamingOrClient(const LogEvidence& evidence) {
    Finding finding{.key = "streaming_or_client", .claim = "Streaming or the client holds the answer up"};
    finding.weight = 1;
    for (const LogRequest& request : evidence.log.requests) {
        const bool timed = timesDecoding(request);
        const bool whole = request.streams == false && isTold(request.outputTokens) && isTold(request.endS);
        if (request.generates && (timed || whole) && finding.evidence.size() < mostEvidence) {
            finding.verdict = Verdict::Excluded;
            finding.reason = timed ? "The server times decoding by its own clock."
                                   : "The answer was not streamed: its time ends before anything is sent.";
            finding.evidence.push_back(request.last);
        }
    }
    const auto engines = linesWhere<LogInterval>(
        evidence.log.intervals, [](const LogInterval& interval) { return interval.outputTokensPerS > 0; });
    if (finding.evidence.empty() && !engines.empty()) {
        finding.verdict = Verdict::Excluded;
        finding.reason = "Throughput is the engine's own.";
        finding.evidence = {engines.front()};
    }
    if (finding.verdict == Verdict::NotExcluded) {
        finding.reason = "No time in the log is the engine's alone.";
        finding.decide = "Time the same request without streaming, on the server itself.";
    }
    return finding;
}

} // namespace loadline
