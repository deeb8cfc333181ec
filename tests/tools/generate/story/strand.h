// One agent at work: API calls, the tools they ask for, the answers that go into the next call.
#pragma once

#include "tests/tools/generate/story/cache_state.h"
#include "tests/tools/generate/story/tools.h"
#include "tests/tools/generate/transcript/transcript.h"

#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace loadline::generate {

/// State shared by all agents of a session.
struct World {
    const Texts& texts;
    GeneratedLedger& ledger;
    std::stop_token stop;
    bool counting = true;         ///< false while another session's history is copied
    std::int64_t budget = 0;      ///< bytes of the session
    std::int64_t closedBytes = 0; ///< of its finished files
    const OutFile* mainFile = nullptr;
    const OutFile* subFile = nullptr;
    Tokens largestResult = 32'768; ///< of one tool
    bool requestIds = true;        ///< false behind gateways that drop them

    [[nodiscard]] std::int64_t left() const;
    /// Tokens that one part of a record may have so that the session's end stays near its budget.
    [[nodiscard]] Tokens room() const;
};

struct ToolUseAsked {
    std::string id;
    ToolPlan plan;
    TimeMs time;
    std::string assistantUuid;
};

class Strand {
public:
    Strand(World& world, Transcript& transcript, Random& random, CacheState cache, std::string model,
           TimeMs start);

    /// A user record with text content; `members` are more members of the record.
    void userText(std::string_view escapedText, std::string_view members = {});
    /// Calls and answers until a call that asks for no tool, or `maxCalls`, or the end of the budget.
    void work(int maxCalls);
    /// One call that answers with text.
    void answer();
    /// "[Request interrupted by user]"
    void interrupt();
    /// A failed attempt or several, then silence until the next.
    void fail(int attempts);
    /// The history is summarized; the next call begins with the summary.
    void compact(std::string_view trigger);
    void microCompact();

    void wait(std::int64_t ms) { now_.ms += ms; }

    void switchModel(std::string model);
    /// Text that reaches the prompt without a user or tool record.
    void addFresh(Tokens tokens) { fresh_ += tokens; }

    [[nodiscard]] TimeMs now() const { return now_; }

    [[nodiscard]] Tokens context() const { return cache_.context() + fresh_; }

    [[nodiscard]] int toolUses() const { return toolUses_; }

    [[nodiscard]] const Usage& lastUsage() const { return lastUsage_; }

    /// Runs a sub-agent for a Task and appends the record members of its answer; sets the answer's tokens and
    /// duration in the plan. Empty: this agent has no Task tool.
    std::function<void(std::string& members, ToolUseAsked& asked)> runSubAgent;
    /// Sees each assistant line: its message (with the usage at its start) and the rest of an agent_progress.
    std::function<void(std::string_view message, std::string_view requestId, TimeMs time)> mirror;
    /// Sees each compaction: the tokens before it and those of the summary.
    std::function<void(Tokens before, Tokens summary)> onCompact;
    /// Calls are known from the mirror alone: there is no transcript.
    bool onlyMirrored = false;
    /// The next call with tools asks for sub-agents.
    bool taskNext = false;

private:
    struct Block;
    struct Reply;
    [[nodiscard]] std::vector<Block> blocks(bool last);
    void addToolUses(std::vector<Block>& blocks);
    void call(bool last);
    void line(const Block& block, const Reply& reply, std::size_t index, TimeMs time);
    void result(ToolUseAsked& asked);
    void count(const Reply& reply) const;
    [[nodiscard]] static Tokens startOutput(const Reply& reply);
    void bashProgress(const ToolUseAsked& asked);

    World& world_;
    Transcript& transcript_;
    Random& random_;
    CacheState cache_;
    std::string model_;
    TimeMs now_;
    Tokens fresh_ = 0;
    Usage lastUsage_;
    int toolUses_ = 0;
};

} // namespace loadline::generate
