// A small made-up corpus, read from lines as a session file holds them.
#pragma once

#include "core/session/corpus/corpus.h"
#include "core/session/files/read_sessions.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace loadline::test {

/// One assistant line with usage.
inline std::string call(const std::string& id, const std::string& session, const std::string& time,
                        const std::string& model, Tokens input, Tokens write, Tokens read, Tokens output,
                        bool finished = true) {
    return fmt::format(
        R"({{"type":"assistant","uuid":"u-{0}","sessionId":"{1}","timestamp":"{2}","cwd":"/home/ada/code/{8}","version":"2.1.0",)"
        R"("requestId":"r-{0}","message":{{"id":"m-{0}","type":"message","role":"assistant","model":"{3}",)"
        R"("stop_reason":{9},"content":[{{"type":"text","text":"made up"}}],"usage":{{"input_tokens":{4},)"
        R"("cache_creation_input_tokens":{5},"cache_read_input_tokens":{6},"output_tokens":{7}}}}}}})"
        "\n",
        id, session, time, model, input, write, read, output, session.substr(0, 5),
        finished ? R"("end_turn")" : "null");
}

inline std::string prompt(const std::string& id, const std::string& session, const std::string& time,
                          const std::string& text) {
    return fmt::format(
        R"({{"type":"user","uuid":"p-{0}","sessionId":"{1}","timestamp":"{2}","cwd":"/home/ada/code/{4}",)"
        R"("message":{{"role":"user","content":"{3}"}}}})"
        "\n",
        id, session, time, text, session.substr(0, 5));
}

struct MadeUpFile {
    std::string path;
    std::string text;
};

inline std::shared_ptr<const Corpus> corpusOfFiles(const std::vector<MadeUpFile>& made) {
    SessionFiles files;
    for (const MadeUpFile& file : made) {
        files.files.push_back(std::make_shared<const SessionFile>(readSessionText(file.path, file.text)));
    }
    return std::make_shared<const Corpus>(buildCorpus(std::move(files)));
}

/// Three sessions of two projects ("alpha", "beta_"): the largest is beta_-2, with a sub-agent; one line of
/// alpha-1 is broken.
inline std::shared_ptr<const Corpus> smallCorpus() {
    const std::string opus = "claude-opus-4-5-20251101";
    const std::string haiku = "claude-haiku-4-5-20251001";
    return corpusOfFiles({
        {"/logs/projects/alpha/alpha-1.jsonl",
         prompt("a1", "alpha-1", "2026-01-20T10:00:00.000Z", "Fix the login") +
             call("a1", "alpha-1", "2026-01-20T10:00:05.000Z", opus, 10, 100, 1000, 50) + "{\"broken\": \n" +
             call("a2", "alpha-1", "2026-01-20T10:01:00.000Z", haiku, 20, 0, 3000, 5, false)},
        {"/logs/projects/beta_/beta_-1.jsonl",
         prompt("b1", "beta_-1", "2026-01-21T09:00:00.000Z", "Write the docs") +
             call("b1", "beta_-1", "2026-01-21T09:00:10.000Z", opus, 5, 50, 0, 500)},
        {"/logs/projects/beta_/beta_-2.jsonl",
         prompt("c1", "beta_-2", "2026-01-22T09:00:00.000Z", "Measure everything") +
             call("c1", "beta_-2", "2026-01-22T09:00:30.000Z", opus, 7, 70, 70000, 700)},
        {"/logs/projects/beta_/beta_-2/subagents/agent-c0ffee1.jsonl",
         call("s1", "beta_-2", "2026-01-22T09:00:20.000Z", haiku, 3, 30, 300, 30)},
    });
}

} // namespace loadline::test
