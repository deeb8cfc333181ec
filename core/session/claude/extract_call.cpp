// Assistant messages: usage, visible content and tool uses.
#include "core/session/claude/extractors.h"
#include "core/session/json/json_dump_length.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace loadline::claude {
namespace {

struct MessageMembers {
    JsonValue id, model, content, stopReason, usage;
};

MessageMembers messageMembersOf(JsonValue message) {
    MessageMembers members;
    message.forEachMember([&](std::string_view key, JsonValue value) {
        if (is(key, "id")) {
            members.id = value;
        } else if (is(key, "model")) {
            members.model = value;
        } else if (is(key, "content")) {
            members.content = value;
        } else if (is(key, "stop_reason")) {
            members.stopReason = value;
        } else if (is(key, "usage")) {
            members.usage = value;
        }
    });
    return members;
}

std::uint32_t countOf(Extraction& x, JsonValue value, std::string_view name) {
    return static_cast<std::uint32_t>(
        std::min<Tokens>(tokensOf(x, value, name), std::numeric_limits<std::int32_t>::max()));
}

/// Tries before the last one: the usage record's own counts are those of the last alone.
std::uint32_t earlierTriesOf(JsonValue iterations) {
    std::uint32_t tries = 0;
    iterations.forEachElement([&](JsonValue one) { tries += one.isObject() ? 1 : 0; });
    return std::max(tries, 1U) - 1;
}

Usage usageOf(Extraction& x, JsonValue value) {
    Usage usage;
    value.forEachMember([&](std::string_view key, JsonValue count) {
        if (is(key, "input_tokens")) {
            usage.input = tokensOf(x, count, key);
        } else if (is(key, "cache_creation_input_tokens")) {
            usage.cacheWrite = tokensOf(x, count, key);
        } else if (is(key, "cache_read_input_tokens")) {
            usage.cacheRead = tokensOf(x, count, key);
        } else if (is(key, "output_tokens")) {
            usage.output = tokensOf(x, count, key);
        } else if (is(key, "cache_creation")) {
            usage.cacheWrite5m = usage.cacheWrite1h = 0;
            count.forEachMember([&](std::string_view life, JsonValue part) {
                if (is(life, "ephemeral_5m_input_tokens")) {
                    usage.cacheWrite5m = tokensOf(x, part, life);
                } else if (is(life, "ephemeral_1h_input_tokens")) {
                    usage.cacheWrite1h = tokensOf(x, part, life);
                }
            });
        } else if (is(key, "speed")) {
            usage.fast = is(count.text(x.space), "fast");
        } else if (is(key, "iterations")) {
            usage.earlierTries = earlierTriesOf(count);
        } else if (is(key, "server_tool_use")) {
            usage.webSearches = countOf(x, count["web_search_requests"], "web_search_requests");
        }
    });
    return usage;
}

struct CallBlockMembers {
    JsonValue type, text, thinking, id, name, input, to;
};

CallBlockMembers callBlockMembersOf(JsonValue block) {
    CallBlockMembers members;
    block.forEachMember([&](std::string_view key, JsonValue value) {
        if (is(key, "type")) {
            members.type = value;
        } else if (is(key, "text")) {
            members.text = value;
        } else if (is(key, "thinking")) {
            members.thinking = value;
        } else if (is(key, "id")) {
            members.id = value;
        } else if (is(key, "name")) {
            members.name = value;
        } else if (is(key, "input")) {
            members.input = value;
        } else if (is(key, "to")) {
            members.to = value;
        }
    });
    return members;
}

std::uint64_t extractToolUse(Extraction& x, const CallBlockMembers& block, Hash128 uuid, Row firstTool) {
    ToolUseFacts tool;
    const std::string_view id = block.id.text(x.space);
    // Without an id a tool use is known by its record and its number in it.
    tool.id = id.empty() ? hashOf(std::to_string(uuid.low), std::to_string(x.facts.tools.size() - firstTool))
                         : hashOf(id);
    const std::string_view name = block.name.text(x.space);
    tool.name = x.facts.names.numberOf(name);
    if (is(name, "Task") || is(name, "Agent")) {
        tool.promptPrint = hashOf(block.input["prompt"].escaped()).low;
        tool.agentType = x.facts.names.numberOf(block.input["subagent_type"].text(x.space));
    }
    x.facts.tools.push_back(tool);
    return codePointsOf(block.name.escaped()) +
           (block.input.present() ? dumpedLength(block.input, LengthOf::UnicodeDump) : 0);
}

void extractFallback(Extraction& x, JsonValue to) {
    const JsonValue model = to.isObject() ? to["model"] : to;
    x.facts.events.push_back({.record = static_cast<Row>(x.facts.records.size()),
                              .kind = EventKind::ModelFallback,
                              .detail = x.facts.names.numberOf(model.text(x.space))});
}

/// Adds tool uses and events; the characters of what is visible.
std::uint64_t extractContent(Extraction& x, JsonValue content, Hash128 uuid, Row firstTool) {
    if (content.isString()) {
        return codePointsOf(content.escaped());
    }
    std::uint64_t characters = 0;
    content.forEachElement([&](JsonValue value) {
        const CallBlockMembers block = callBlockMembersOf(value);
        const std::string_view type = block.type.escaped();
        if (is(type, "text")) {
            characters += codePointsOf(block.text.escaped());
        } else if (is(type, "thinking")) {
            characters += codePointsOf(block.thinking.escaped());
        } else if (is(type, "tool_use")) {
            characters += extractToolUse(x, block, uuid, firstTool);
        } else if (is(type, "fallback")) {
            extractFallback(x, block.to);
        }
    });
    return characters;
}

} // namespace

CallFacts extractCall(Extraction& x, JsonValue message, JsonValue requestId, Hash128 uuid) {
    const MessageMembers members = messageMembersOf(message);
    CallFacts call;
    const std::string_view id = members.id.text(x.space);
    const std::string_view request = requestId.text(x.space2);
    call.named = !id.empty() || !request.empty();
    if (call.named) {
        call.key = hashOf(id, request);
        call.message = id.empty() ? 0 : hashOf(id).low;
    } else {
        call.key = uuid.isZero() ? hashOf(x.line) : uuid;
    }
    const std::string_view model = members.model.text(x.space);
    call.counts = members.usage.isObject() && model != "<synthetic>";
    call.model = x.model = x.facts.names.numberOf(model, x.model);
    call.usage = usageOf(x, members.usage);
    call.final = members.stopReason.present() && !members.stopReason.isNull();
    call.firstTool = static_cast<Row>(x.facts.tools.size());
    call.contentCharacters = extractContent(x, members.content, uuid, call.firstTool);
    call.toolCount = static_cast<Row>(x.facts.tools.size()) - call.firstTool;
    return call;
}

} // namespace loadline::claude
