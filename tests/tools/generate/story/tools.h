// The agent's tools: which one, what it is asked, what it answers and how long it takes.
#pragma once

#include "core/session/usage.h"
#include "tests/tools/generate/transcript/random.h"
#include "tests/tools/generate/transcript/text_pool.h"

#include <string>
#include <string_view>

namespace loadline::generate {

enum class Tool : std::uint8_t { Bash, Read, Edit, Grep, Glob, Write, TodoWrite, WebFetch, Task };
std::string_view nameOf(Tool tool);

struct ToolPlan {
    Tool tool = Tool::Bash;
    Tokens resultTokens = 0;
    std::int64_t durationMs = 0;
    bool fails = false;
};

/// Sizes of results as in the published distribution of input per turn, at most `maxTokens`; tools that fit
/// the size. Never Task.
ToolPlan chooseTool(Random& random, Tokens maxTokens);

/// The input object, no text in it of more than `room` tokens; returns its characters.
std::int64_t appendToolInput(std::string& out, Tool tool, const Texts& texts, Random& random,
                             std::string_view cwd, Tokens room);

/// The message and toolUseResult members of the record with the tool's answer. `largestResult` also limits
/// what toolUseResult alone holds, such as the file before an edit.
void appendToolAnswer(std::string& out, const ToolPlan& plan, std::string_view toolUseId, const Texts& texts,
                      Random& random, std::string_view cwd, Tokens room);

} // namespace loadline::generate
