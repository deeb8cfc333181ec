// Inputs and answers of each tool in the shapes that the transcripts have.
#include "tests/tools/generate/story/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace loadline::generate {
namespace {

constexpr std::array<std::string_view, 9> toolNames = {"Bash",  "Read",      "Edit",     "Grep", "Glob",
                                                       "Write", "TodoWrite", "WebFetch", "Task"};

// Published input per turn, 1 to 32,768 tokens, in parts of 10,000.
constexpr std::array<std::uint32_t, 16> resultWeights = {39,  61,  499, 622, 1523, 1677, 1000, 936,
                                                         850, 862, 642, 501, 357,  142,  138,  137};

// Weights of Bash, Read, Edit, Grep, Glob, Write, TodoWrite, WebFetch by the size of the answer.
Tool toolFor(Tokens resultTokens, Random& random) {
    static constexpr std::array<std::uint32_t, 8> tiny = {60, 0, 5, 15, 10, 0, 0, 0};
    static constexpr std::array<std::uint32_t, 8> small = {25, 4, 40, 5, 5, 8, 13, 0};
    static constexpr std::array<std::uint32_t, 8> middle = {45, 20, 5, 22, 6, 1, 0, 1};
    static constexpr std::array<std::uint32_t, 8> large = {22, 68, 0, 8, 0, 0, 0, 2};
    return static_cast<Tool>(random.pick(resultTokens < 12    ? tiny
                                         : resultTokens < 64  ? small
                                         : resultTokens < 512 ? middle
                                                              : large));
}

std::int64_t durationOf(Tool tool, Random& random) {
    switch (tool) {
    case Tool::Bash: {
        static constexpr std::array<std::uint32_t, 12> weights = {20, 25, 18, 12, 8, 6,
                                                                  5,  4,  3,  2,  1, 1}; // 64 ms up
        return draw(random, {6, weights});
    }
    case Tool::WebFetch:
        return random.between(900, 9000);
    default:
        return random.between(12, 180);
    }
}

struct Appender {
    std::string& out;
    const Texts& texts;
    Random& random;
    std::string_view cwd;
    Tokens room; ///< that one text may have

    /// "key":"<text of this many tokens>", and a comma when more follows.
    std::int64_t text(std::string_view key, const TextPool& pool, std::int64_t characters,
                      bool more = false) {
        characters = std::min(characters, room * 4);
        out.append("\"").append(key).append("\":\"");
        pool.append(out, characters, random);
        out += more ? "\"," : "\"";
        return characters;
    }

    void path(std::string_view key) {
        out.append("\"").append(key).append("\":\"").append(cwd).append("/").append(Texts::filePath(random));
        out += '"';
    }
};

/// The `toolUseResult` object of a successful call with this (escaped) content.
void appendResultObject(Appender& to, Tool tool, std::string_view content) {
    std::string& out = to.out;
    switch (tool) {
    case Tool::Bash:
        out.append(R"({"stdout":")")
            .append(content)
            .append(R"(","stderr":"","interrupted":false,"isImage":false})");
        return;
    case Tool::Read:
        out += R"({"type":"text","file":{)";
        to.path("filePath");
        out.append(R"(,"content":")").append(content).append(R"(","numLines":)");
        out += fmt::format(R"({0},"startLine":1,"totalLines":{0}}}}})", content.size() / 45 + 1);
        return;
    case Tool::Edit:
        out += '{';
        to.path("filePath");
        out += ',';
        to.text("oldString", to.texts.code, to.random.between(40, 600), true);
        to.text("newString", to.texts.code, to.random.between(40, 900), true);
        to.text("originalFile", to.texts.code, to.random.between(1500, 16'000), true);
        out += R"("structuredPatch":[],"userModified":false,"replaceAll":false})";
        return;
    case Tool::Grep:
        out.append(R"({"mode":"content","numFiles":0,"filenames":[],"content":")").append(content);
        out += fmt::format(R"(","numLines":{}}})", content.size() / 60 + 1);
        return;
    case Tool::Glob:
        out += fmt::format(R"({{"filenames":["{}/{}"],"durationMs":{},"numFiles":1,"truncated":false}})",
                           to.cwd, Texts::filePath(to.random), to.random.between(3, 90));
        return;
    case Tool::Write:
        out += R"({"type":"create",)";
        to.path("filePath");
        out += ',';
        to.text("content", to.texts.code, to.random.between(400, 9000), true);
        out += R"("structuredPatch":[]})";
        return;
    case Tool::TodoWrite:
        out += R"({"oldTodos":[],"newTodos":[{)";
        to.text("content", to.texts.prose, to.random.between(20, 60), true);
        out += R"("status":"in_progress"}]})";
        return;
    case Tool::WebFetch:
    case Tool::Task:
        out.append(R"({"code":200,"result":")").append(content).append(R"("})");
        return;
    }
}

} // namespace

std::string_view nameOf(Tool tool) {
    return toolNames[static_cast<std::size_t>(tool)];
}

ToolPlan chooseTool(Random& random, Tokens maxTokens) {
    ToolPlan plan;
    plan.resultTokens =
        std::clamp<Tokens>(draw(random, {0, resultWeights}), 1, std::max<Tokens>(1, maxTokens));
    plan.tool = toolFor(plan.resultTokens, random);
    plan.durationMs = durationOf(plan.tool, random);
    plan.fails = random.chance(35);
    return plan;
}

std::int64_t appendToolInput(std::string& out, Tool tool, const Texts& texts, Random& random,
                             std::string_view cwd, Tokens room) {
    const std::size_t before = out.size();
    Appender to{out, texts, random, cwd, room};
    out += '{';
    switch (tool) {
    case Tool::Bash:
        out += R"("command":")";
        if (random.chance(150)) { // a small script
            texts.output.append(out, std::min(random.between(200, 1200), room * 4), random);
        } else {
            appendEscaped(out, Texts::command(random));
        }
        out += R"(","description":")";
        appendEscaped(out, "Look at the " + Texts::word(random));
        out += '"';
        break;
    case Tool::Read:
        to.path("file_path");
        if (random.chance(400)) {
            out += fmt::format(R"(,"offset":{},"limit":{})", random.between(1, 400), random.between(20, 200));
        }
        break;
    case Tool::Edit:
        to.path("file_path");
        out += ',';
        to.text("old_string", texts.code, random.between(40, 600), true);
        to.text("new_string", texts.code, random.between(40, 1200));
        break;
    case Tool::Grep:
        out += fmt::format(R"("pattern":"{}|{}","path":"{}/src","output_mode":"content","-n":true)",
                           Texts::word(random), Texts::word(random), cwd);
        break;
    case Tool::Glob:
        out += fmt::format(R"("pattern":"**/{}*.ts")", Texts::word(random));
        break;
    case Tool::Write:
        to.path("file_path");
        out += ',';
        to.text("content", texts.code, random.between(400, 9000));
        break;
    case Tool::TodoWrite:
        out += R"("todos":[)";
        for (std::int64_t i = random.between(2, 6); i > 0; --i) {
            out += '{';
            to.text("content", texts.prose, random.between(20, 70), true);
            out += i > 3 ? R"("status":"completed"})" : R"("status":"pending"})";
            out += i > 1 ? "," : "";
        }
        out += ']';
        break;
    case Tool::WebFetch:
        out += fmt::format(R"("url":"https://tides.example/{}","prompt":"Which {} does it describe?")",
                           Texts::word(random), Texts::word(random));
        break;
    case Tool::Task:
        to.text("description", texts.prose, random.between(20, 40), true);
        to.text("prompt", texts.prose, random.between(200, 1600), true);
        out += R"("subagent_type":"Explore")";
        break;
    }
    out += '}';
    return static_cast<std::int64_t>(out.size() - before);
}

void appendToolAnswer(std::string& out, const ToolPlan& plan, std::string_view toolUseId, const Texts& texts,
                      Random& random, std::string_view cwd, Tokens room) {
    std::string content;
    const TextPool& pool = plan.tool == Tool::Read ? texts.code : texts.output;
    pool.append(content, plan.resultTokens * 4 + random.between(0, 3), random);
    out += R"(,"message":{"role":"user","content":[{"tool_use_id":")";
    out.append(toolUseId).append(R"(","type":"tool_result","content":")").append(content);
    if (plan.fails) {
        out.append(R"(","is_error":true}]},"toolUseResult":"Error: )").append(content).append("\"");
        return;
    }
    out += plan.tool == Tool::Bash ? R"(","is_error":false}]},"toolUseResult":)" : R"("}]},"toolUseResult":)";
    Appender to{out, texts, random, cwd, room};
    appendResultObject(to, plan.tool, content);
}

} // namespace loadline::generate
