// API calls line by line, with their tools' answers between them.
#include "tests/tools/generate/story/strand.h"

#include "tests/tools/generate/story/reply.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace loadline::generate {
namespace {

constexpr Tokens fullContext = 155'000; ///< the agent compacts beyond it
constexpr std::int64_t leastBytes = 4000;

std::string usageJson(const Usage& usage, Tokens output, bool split) {
    std::string json =
        fmt::format(R"({{"input_tokens":{},"cache_creation_input_tokens":{},"cache_read_input_tokens":{},)",
                    usage.input, usage.cacheWrite, usage.cacheRead);
    if (split) {
        json += fmt::format(
            R"("cache_creation":{{"ephemeral_5m_input_tokens":{},"ephemeral_1h_input_tokens":{}}},)",
            usage.cacheWrite5m, usage.cacheWrite1h);
    }
    return json + fmt::format(R"("output_tokens":{},"service_tier":"standard"}})", output);
}

} // namespace

/// One content block and, when it is a tool use, what it asks for.
struct Strand::Block {
    std::string json;
    Tokens tokens = 0;
    std::optional<ToolUseAsked> asked;
};

struct Strand::Reply {
    std::string id;
    std::string requestId;
    Usage usage; ///< output left 0
    RecordedOutput output;
    std::string_view stopReason;
    TimeMs firstLine;
};

/// Returns the output count in the first message of the stream.
Tokens Strand::startOutput(const Reply& reply) {
    return std::min<Tokens>(reply.output.byLine.front(), 3);
}

std::int64_t World::left() const {
    return budget - closedBytes - static_cast<std::int64_t>(mainFile != nullptr ? mainFile->bytes() : 0) -
           static_cast<std::int64_t>(subFile != nullptr ? subFile->bytes() : 0);
}

Tokens World::room() const {
    return std::clamp<Tokens>(left() / 16, 16, largestResult);
}

Strand::Strand(World& world, Transcript& transcript, Random& random, CacheState cache, std::string model,
               TimeMs start)
    : world_(world), transcript_(transcript), random_(random), cache_(cache), model_(std::move(model)),
      now_(start) {}

void Strand::userText(std::string_view escapedText, std::string_view members) {
    std::string& out = transcript_.open("user");
    out.append(R"(,"message":{"role":"user","content":")").append(escapedText).append("\"}").append(members);
    transcript_.close(now_, random_);
    fresh_ += static_cast<Tokens>(escapedText.size()) / 4 + 4;
}

std::vector<Strand::Block> Strand::blocks(bool last) {
    static constexpr std::array<std::uint32_t, 7> thinkingSizes = {20, 30, 25, 14, 7, 3, 1}; // 16 tokens up
    static constexpr std::array<std::uint32_t, 6> remarkSizes = {25, 35, 25, 10, 4, 1};      // 8 tokens up
    static constexpr std::array<std::uint32_t, 6> answerSizes = {10, 20, 28, 24, 14, 4};     // 32 tokens up
    std::vector<Block> result;
    if (random_.chance(last ? 450 : 350)) {
        Block& block = result.emplace_back();
        block.tokens = std::min(world_.room(), draw(random_, {4, thinkingSizes}));
        block.json = R"({"type":"thinking","thinking":")";
        if (transcript_.version().thinkingText) {
            world_.texts.prose.append(block.json, block.tokens * 4, random_);
        }
        const std::uint64_t signature = 200 + random_.below(500);
        block.json += R"(","signature":")";
        block.json.append(world_.texts.base64, random_.below(world_.texts.base64.size() - signature),
                          signature);
        block.json += "\"}";
    }
    if (last || random_.chance(380)) {
        Block& block = result.emplace_back();
        block.tokens =
            std::min(world_.room(), last ? draw(random_, {5, answerSizes}) : draw(random_, {3, remarkSizes}));
        block.json = R"({"type":"text","text":")";
        world_.texts.prose.append(block.json, block.tokens * 4, random_);
        block.json += "\"}";
    }
    if (!last) {
        addToolUses(result);
    }
    return result;
}

void Strand::addToolUses(std::vector<Block>& result) {
    static constexpr std::array<std::uint32_t, 5> counts = {800, 130, 45, 15, 10};
    const bool tasks = runSubAgent && world_.left() > 20'000 && (taskNext || random_.chance(4));
    taskNext = taskNext && !tasks;
    const std::size_t count = tasks ? 1 + random_.below(3) : 1 + random_.pick(counts);
    for (std::size_t i = 0; i < count; ++i) {
        Block& block = result.emplace_back();
        ToolUseAsked& asked = block.asked.emplace();
        asked.id = providerId("toolu_01", random_);
        asked.plan = chooseTool(random_, world_.room());
        if (tasks) {
            asked.plan.tool = Tool::Task;
            asked.plan.fails = false;
        }
        block.json = R"({"type":"tool_use","id":")";
        block.json.append(asked.id)
            .append(R"(","name":")")
            .append(nameOf(asked.plan.tool))
            .append(R"(","input":)");
        block.tokens = 20 + appendToolInput(block.json, asked.plan.tool, world_.texts, random_,
                                            transcript_.identity().cwd, world_.room()) /
                                4;
        block.json += '}';
    }
}

void Strand::call(bool last) {
    std::vector<Block> parts = blocks(last);
    Tokens output = 0;
    for (const Block& block : parts) {
        output += block.tokens;
    }
    if (random_.chance(transcript_.version().hiddenThinkingPerMille)) {
        static constexpr std::array<std::uint32_t, 7> hiddenSizes = {20, 25, 25, 15, 9, 4, 2}; // 32 tokens up
        output += draw(random_, {5, hiddenSizes});
    }
    Reply reply;
    reply.id = providerId("msg_01", random_);
    reply.requestId = world_.requestIds ? providerId("req_011C", random_) : "";
    reply.usage = cache_.next(std::max<Tokens>(16, fresh_), now_, random_);
    reply.output = recordedOutput(transcript_.version().output, parts.size(), output, random_);
    reply.stopReason = last ? "end_turn" : "tool_use";
    const std::int64_t prefillMs = random_.between(700, 3500) + reply.usage.newPrefill() / 12;
    const std::int64_t decodeMs = output * 1000 / random_.between(45, 95);
    reply.firstLine =
        TimeMs{now_.ms + prefillMs +
               decodeMs * parts.front().tokens / std::max<Tokens>(output, parts.front().tokens)};
    const TimeMs end{now_.ms + prefillMs + decodeMs};
    if (parts.size() == 1) {
        reply.firstLine = end;
    }
    count(reply);
    lastUsage_ = reply.usage;
    lastUsage_.output = reply.output.byLine.back();
    fresh_ = output;

    TimeMs latest = end;
    std::vector<ToolUseAsked> pending;
    const auto answerAll = [&] {
        for (ToolUseAsked& asked : pending) {
            result(asked);
            latest = std::max(latest, TimeMs{asked.time.ms + asked.plan.durationMs});
        }
        pending.clear();
    };
    const auto lines = static_cast<std::int64_t>(parts.size());
    for (std::int64_t i = 0; i < lines; ++i) {
        const Block& block = parts[static_cast<std::size_t>(i)];
        const TimeMs time =
            lines == 1 ? end : TimeMs{reply.firstLine.ms + (end.ms - reply.firstLine.ms) * i / (lines - 1)};
        line(block, reply, static_cast<std::size_t>(i), time);
        if (block.asked) {
            ++toolUses_;
            pending.push_back(*block.asked);
            pending.back().time = time;
            pending.back().assistantUuid = transcript_.lastUuid();
            if (i + 1 < lines && random_.chance(200)) {
                answerAll(); // some tools answer while the model still writes
            }
        }
    }
    answerAll();
    now_ = TimeMs{latest.ms + random_.between(5, 60)};
}

void Strand::line(const Block& block, const Reply& reply, std::size_t index, TimeMs time) {
    const auto message = [&](Tokens output, bool stopped) {
        std::string json = R"({"model":")" + model_ + R"(","id":")" + reply.id +
                           R"(","type":"message","role":"assistant","content":[)" + block.json + "],";
        json += stopped ? fmt::format(R"("stop_reason":"{}","stop_sequence":null,"usage":)", reply.stopReason)
                        : R"("stop_reason":null,"stop_sequence":null,"usage":)";
        return json + usageJson(reply.usage, output, transcript_.version().cacheSplit) + "}";
    };
    const int stopLine = reply.output.firstStopLine;
    std::string& out = transcript_.open("assistant");
    out += R"(,"message":)" +
           message(reply.output.byLine[index], stopLine >= 0 && static_cast<int>(index) >= stopLine);
    if (!reply.requestId.empty()) {
        out += R"(,"requestId":")" + reply.requestId + '"';
    }
    transcript_.close(time, random_);
    if (mirror) {
        mirror(message(startOutput(reply), false), reply.requestId, time);
    }
}

void Strand::count(const Reply& reply) const {
    if (!world_.counting) {
        return;
    }
    Usage usage = reply.usage;
    if (onlyMirrored) {
        usage.output = startOutput(reply);
        world_.ledger.progressOnly.add(usage, OutputQuality::LowerBound, 0, unpriced);
        return;
    }
    usage.output = reply.output.byLine.back();
    const OutputQuality quality = reply.output.quality(transcript_.version().output);
    world_.ledger.totals.add(usage, quality, 0, unpriced);
    world_.ledger.byModel[model_].add(usage, quality, 0, unpriced);
    world_.ledger.byUtcDay[utcDay(reply.firstLine)].add(usage, quality, 0, unpriced);
}

void Strand::bashProgress(const ToolUseAsked& asked) {
    const std::int64_t ticks = std::min<std::int64_t>(asked.plan.durationMs / 2000, 6);
    for (std::int64_t i = 1; i <= ticks; ++i) {
        std::string& out = transcript_.open("progress");
        out += R"(,"data":{"type":"bash_progress","output":")";
        world_.texts.output.append(out, 20 + static_cast<std::int64_t>(random_.below(400)), random_);
        out += fmt::format(R"(","elapsedTimeSeconds":{},"totalLines":{}}},"toolUseID":"bash-progress-{}")",
                           i * 2, i * 7, i);
        out += R"(,"parentToolUseID":")" + asked.id + '"';
        transcript_.close(TimeMs{asked.time.ms + i * 2000}, random_);
    }
}

void Strand::result(ToolUseAsked& asked) {
    std::string members;
    if (asked.plan.tool == Tool::Task && runSubAgent) {
        runSubAgent(members, asked);
    } else {
        if (asked.plan.tool == Tool::Bash && transcript_.version().progress) {
            bashProgress(asked);
        }
        appendToolAnswer(members, asked.plan, asked.id, world_.texts, random_, transcript_.identity().cwd,
                         world_.room());
    }
    std::string& out = transcript_.open("user");
    out += members;
    if (transcript_.version().slug) {
        out += R"(,"sourceToolAssistantUUID":")" + asked.assistantUuid + '"';
    }
    transcript_.close(TimeMs{asked.time.ms + asked.plan.durationMs}, random_);
    fresh_ += asked.plan.resultTokens + 14;
}

void Strand::answer() {
    call(true);
}

void Strand::work(int maxCalls) {
    const bool sub = transcript_.identity().sidechain;
    for (int i = 1; !world_.stop.stop_requested(); ++i) {
        const bool full = context() > fullContext;
        if (full && !sub) {
            compact("auto");
        } else if (!sub && context() > 60'000 && random_.chance(2)) {
            microCompact();
        }
        if (i > 1 && random_.chance(4)) {
            fail(1 + static_cast<int>(random_.below(3)));
        }
        const bool last = i >= maxCalls || world_.left() < leastBytes || (full && sub);
        call(last);
        if (last) {
            return;
        }
    }
}

void Strand::interrupt() {
    wait(random_.between(500, 8000));
    std::string& out = transcript_.open("user");
    out += R"(,"message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]})";
    transcript_.close(now_, random_);
}

void Strand::fail(int attempts) {
    for (int i = 1; i <= attempts; ++i) {
        wait(random_.between(800, 20'000));
        std::string& out = transcript_.open("system");
        out += fmt::format(
            R"(,"subtype":"api_error","level":"error","error":{{"status":529,"error":{{"type":"error","error":{{"type":"overloaded_error","message":"Overloaded"}}}}}},"retryInMs":{},"retryAttempt":{},"maxRetries":10)",
            500 << i, i);
        transcript_.close(now_, random_);
        wait(500 << i);
        world_.ledger.apiErrors += world_.counting && transcript_.file().isKept() ? 1 : 0;
    }
}

void Strand::compact(std::string_view trigger) {
    const Tokens before = context();
    const Tokens summary = random_.between(1200, 3500);
    if (onCompact) {
        onCompact(before, summary);
    }
    wait(random_.between(25'000, 90'000));
    const std::string logicalParent = transcript_.lastUuid();
    transcript_.detach();
    transcript_.open("system") += fmt::format(
        R"(,"logicalParentUuid":"{}","subtype":"compact_boundary","content":"Conversation compacted","isMeta":false,"level":"info","compactMetadata":{{"trigger":"{}","preTokens":{}}})",
        logicalParent, trigger, before);
    transcript_.close(now_, random_);
    cache_.replaceBy(0);
    fresh_ = 0;
    std::string text =
        "This session is being continued from a previous conversation that ran out of context.\\n";
    world_.texts.prose.append(text, summary * 4, random_);
    userText(text, R"(,"isVisibleInTranscriptOnly":true,"isCompactSummary":true)");
    world_.ledger.compactions += world_.counting ? 1 : 0;
}

void Strand::microCompact() {
    const Tokens saved = random_.between(8000, 26'000);
    transcript_.open("system") += fmt::format(
        R"(,"subtype":"microcompact_boundary","content":"Context microcompacted","isMeta":false,"level":"info","microcompactMetadata":{{"trigger":"auto","preTokens":{},"tokensSaved":{},"compactedToolIds":[],"clearedAttachmentUUIDs":[]}})",
        context(), saved);
    transcript_.close(now_, random_);
    cache_.remove(saved);
}

void Strand::switchModel(std::string model) {
    model_ = std::move(model);
    cache_.forget();
}

} // namespace loadline::generate
