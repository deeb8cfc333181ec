// Made-up lines of vLLM's statistics, and what a verdict says of them.
#pragma once

#include "core/serverlog/files/server_log_reader.h"
#include "core/serverlog/verdict/finding.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <string_view>

namespace loadline::test {

struct VllmStats {
    double prompt = 0;
    double output = 100;
    int running = 1;
    int waiting = 0;
    double kv = 5;
    double hit = 0;        ///< of the prefix cache, per cent
    double accepted = 0;   ///< tokens that a step gives; 0: without speculative decoding
    std::string more = {}; ///< " Preemptions: 3,"
};

/// One line of an engine, `seconds` after 10 o'clock.
inline std::string vllmLine(const VllmStats& s, int seconds, int engine = 0) {
    const std::string stamp =
        fmt::format("INFO 06-01 {:02}:{:02}:{:02}", 10 + seconds / 3600, seconds / 60 % 60, seconds % 60);
    std::string text =
        fmt::format("{} [loggers.py:123] Engine {:03}: Avg prompt throughput: {:.1f} "
                    "tokens/s, Avg generation throughput: "
                    "{:.1f} tokens/s, Running: {} reqs, Waiting: {} reqs,{} GPU KV cache "
                    "usage: {:.1f}%, Prefix cache hit "
                    "rate: {:.1f}%\n",
                    stamp, engine, s.prompt, s.output, s.running, s.waiting, s.more, s.kv, s.hit);
    if (s.accepted > 0) {
        text +=
            fmt::format("{} [metrics.py:101] SpecDecoding metrics: Mean acceptance length: {:.2f}, Accepted "
                        "throughput: 1.00 tokens/s, Drafted throughput: 2.00 tokens/s, Accepted: 1 tokens, "
                        "Drafted: 2 tokens, Per-position acceptance rate: 0.9, 0.6, 0.3, Avg Draft "
                        "acceptance rate: 66.7%\n",
                        stamp, s.accepted);
    }
    return text;
}

/// Each ten seconds.
inline std::string vllmLines(int lines, const std::function<VllmStats(int)>& of) {
    std::string text;
    for (int i = 0; i < lines; ++i) {
        text += vllmLine(of(i), 10 * i);
    }
    return text;
}

inline Finding findingOn(const std::string& text, std::string_view key, const ServedOn& served = {}) {
    for (Finding& finding : verdictOf(serverLogOf(text), served).findings) {
        if (finding.key == key) {
            return std::move(finding);
        }
    }
    ADD_FAILURE() << key;
    return {};
}

inline std::string headlineOn(const std::string& text) {
    return verdictOf(serverLogOf(text), {}).headline;
}

inline bool says(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

} // namespace loadline::test
