// A selection without any filter, and a generated session of any size, for tests of figures.
#pragma once

#include "core/workload/scope/scope.h"
#include "tests/core/session_builder.h"

#include <random>
#include <string>

namespace loadline::test {

inline Selection everythingOf(const Corpus& corpus) {
    return select(corpus, Scope{}, TurnMethod::ApiCall);
}

inline SessionBuilder& addTool(SessionBuilder& builder, std::string_view id, std::string_view name,
                               std::int64_t useSeconds, std::int64_t resultSeconds, std::uint32_t call,
                               bool isError = false) {
    SessionFile& file = builder.file();
    auto found = std::ranges::find(file.names, name);
    if (found == file.names.end()) {
        file.names.emplace_back(name);
        found = file.names.end() - 1;
    }
    ToolUse use;
    use.id = hashOf(id);
    use.useTime = SessionBuilder::at(useSeconds);
    use.resultTime = resultSeconds < 0 ? unknownTime : SessionBuilder::at(resultSeconds);
    use.place = {.offset = 0, .length = 10, .line = 900 + static_cast<std::uint32_t>(file.tools.size())};
    use.call = call;
    use.name = static_cast<NameIndex>(found - file.names.begin());
    use.isError = isError;
    file.tools.push_back(use);
    return builder;
}

inline SessionBuilder& addEvent(SessionBuilder& builder, EventKind kind, std::int64_t seconds,
                                Tokens tokens = 0) {
    builder.file().events.push_back({.kind = kind,
                                     .time = SessionBuilder::at(seconds),
                                     .place = {.offset = 0, .length = 10, .line = 800},
                                     .tokens = tokens,
                                     .detail = noName,
                                     .lane = 0});
    return builder;
}

/// The last call began `seconds` earlier and ended `later` after its first line.
inline SessionBuilder& lasting(SessionBuilder& builder, std::int64_t seconds, std::int64_t later) {
    ApiCall& call = builder.file().calls.back();
    call.requestTime.ms -= seconds * 1000;
    call.lastTime.ms += later * 1000;
    return builder;
}

/// A main file and a sub-agent file of one session with calls, tools, prompts and pauses at random.
inline Corpus randomSession(unsigned seed, int calls) {
    std::mt19937_64 random(seed);
    const auto upTo = [&](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n + 1));
    };
    SessionBuilder main("p/s.jsonl", "s");
    SessionBuilder agent("p/s/subagents/agent-x.jsonl", "s");
    agent.subAgent("x");
    std::int64_t now = 0;
    for (int i = 0; i < calls; ++i) {
        now += upTo(20) == 0 ? upTo(90'000) : upTo(30);
        SessionBuilder& builder = upTo(3) == 0 ? agent : main;
        if (&builder == &main && upTo(5) == 0) {
            main.prompt(now);
        }
        const std::int64_t before = upTo(20);
        builder.call("m" + std::to_string(i), now + before,
                     used(upTo(50), upTo(5000), upTo(200'000), upTo(900)), upTo(9) == 0 ? "sonnet" : "opus",
                     upTo(2) == 0 ? OutputQuality::LowerBound : OutputQuality::Final);
        lasting(builder, before, upTo(15));
        if (upTo(1) == 0) {
            const std::int64_t use = now + before;
            addTool(builder, "t" + std::to_string(i), upTo(9) == 0 ? "AskUserQuestion" : "Bash", use,
                    upTo(9) == 0 ? -1 : use + upTo(400),
                    static_cast<std::uint32_t>(builder.file().calls.size() - 1));
        }
        now += upTo(10);
    }
    return corpusOf({main, agent});
}

} // namespace loadline::test
