// Files of sub-agents, their echo in the main transcript, and their answer.
#include "tests/tools/generate/story/sub_agents.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::generate {

void SubAgents::attachTo(Strand& strand) {
    strand.runSubAgent = [this](std::string& members, ToolUseAsked& asked) { run(members, asked); };
    if (main_.version().subAgents == SubAgentPlace::Folder) {
        strand.onCompact = [this, &strand](Tokens before, Tokens summary) {
            summarize(strand.now(), before, summary);
        };
    }
}

Identity SubAgents::identityOf(const std::string& agentId) const {
    Identity identity = main_.identity();
    identity.sidechain = true;
    identity.agentId = main_.version().subAgents == SubAgentPlace::Inline ? "" : agentId;
    return identity;
}

void SubAgents::close(OutFile& file) {
    world_.closedBytes += static_cast<std::int64_t>(file.bytes());
    world_.subFile = nullptr;
    if (file.isKept()) {
        ++world_.ledger.files;
        ++world_.ledger.subAgentFiles;
        world_.ledger.bytes += file.bytes();
    }
    if (Status closed = file.close(); !closed && status_) {
        status_ = closed;
    }
}

void SubAgents::writeMeta(const std::string& stem, const std::string& description,
                          const ToolUseAsked& asked) {
    OutFile meta(stem + ".meta.json");
    meta.buffer() = fmt::format(R"({{"agentType":"Explore","description":"{}","toolUseId":"{}"}})",
                                description, asked.id);
    if (Status closed = meta.close(); !closed && status_) {
        status_ = closed;
    }
}

void SubAgents::mirrorInto(Strand& agent, const std::string& agentId, const std::string& toolUseId) {
    agent.mirror = [this, agentId, toolUseId](std::string_view message, std::string_view requestId,
                                              TimeMs time) {
        std::string& out = main_.open("progress");
        out.append(R"(,"data":{"message":{"type":"assistant","message":)").append(message);
        if (!requestId.empty()) {
            out.append(R"(,"requestId":")").append(requestId).append("\"");
        }
        out +=
            fmt::format(R"(,"uuid":"{}","timestamp":"{}"}},"normalizedMessages":[],"type":"agent_progress",)",
                        uuid(random_), formatIso8601(time));
        out += fmt::format(R"("prompt":"","agentId":"{}"}},"toolUseID":"agent_msg","parentToolUseID":"{}")",
                           agentId, toolUseId);
        main_.close(time, random_);
    };
}

void SubAgents::run(std::string& members, ToolUseAsked& asked) {
    const CliVersion& version = main_.version();
    const std::string agentId = fmt::format("{:07x}", random_.below(1ULL << 28));
    const bool isInline = version.subAgents == SubAgentPlace::Inline;
    // Some transcripts are cleaned up before the session that asked for them.
    const bool lost = version.progress && random_.chance(60);
    const std::string stem = names_.subAgentFile(version.subAgents, agentId);
    const bool kept = !isInline && !lost && world_.counting;
    OutFile own = kept ? OutFile(stem + ".jsonl") : OutFile();
    OutFile& file = isInline ? main_.file() : own;
    world_.subFile = isInline ? nullptr : &own;

    Random random(random_.next());
    Transcript transcript(file, identityOf(agentId), world_.ledger);
    Strand agent(world_, transcript, random,
                 CacheState(random.between(4000, 9000), false, version.cacheSplit),
                 std::string(models_[random.chance(500) ? 1 : 2]), TimeMs{asked.time.ms + 40});
    agent.onlyMirrored = lost;
    if (version.progress) {
        mirrorInto(agent, agentId, asked.id);
    }
    std::string prompt;
    world_.texts.prose.append(prompt, random.between(150, 1200), random);
    agent.userText(prompt);
    static constexpr std::array<std::uint32_t, 4> callCounts = {25, 35, 30, 10}; // 2 up
    agent.work(static_cast<int>(draw(random, {1, callCounts})));
    if (!isInline) {
        close(own);
    }
    const std::string description = Texts::title(random);
    if (kept && version.meta) {
        writeMeta(stem, description, asked);
    }

    asked.plan.durationMs = agent.now().ms - asked.time.ms;
    asked.plan.resultTokens = random.between(80, 900);
    std::string report;
    world_.texts.prose.append(report, asked.plan.resultTokens * 4, random);
    const Usage& last = agent.lastUsage();
    members += fmt::format(
        R"(,"message":{{"role":"user","content":[{{"tool_use_id":"{}","type":"tool_result","content":[{{"type":"text","text":"{}"}}]}}]}})",
        asked.id, report);
    members += fmt::format(
        R"(,"toolUseResult":{{"status":"completed","prompt":"","agentId":"{}","content":[{{"type":"text","text":"{}"}}],"totalDurationMs":{},"totalTokens":{},"totalToolUseCount":{},"usage":{{"input_tokens":{},"cache_creation_input_tokens":{},"cache_read_input_tokens":{},"output_tokens":{}}}}})",
        agentId, report, asked.plan.durationMs, last.context() + last.output, agent.toolUses(), last.input,
        last.cacheWrite, last.cacheRead, last.output);
}

void SubAgents::summarize(TimeMs now, Tokens before, Tokens summary) {
    const std::string agentId = fmt::format("acompact-{:06x}", random_.below(1ULL << 24));
    OutFile file =
        world_.counting ? OutFile(names_.subAgentFile(SubAgentPlace::Folder, agentId) + ".jsonl") : OutFile();
    world_.subFile = &file;
    Random random(random_.next());
    Transcript transcript(file, identityOf(agentId), world_.ledger);
    Strand agent(world_, transcript, random,
                 CacheState(std::max<Tokens>(1000, before - summary), false, main_.version().cacheSplit),
                 std::string(models_[0]), TimeMs{now.ms + 200});
    agent.userText("Your task is to create a detailed summary of the conversation so far.");
    agent.answer();
    close(file);
}

} // namespace loadline::generate
