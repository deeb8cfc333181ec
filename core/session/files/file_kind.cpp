// The table of known kinds of files, and the search in it.
#include "core/session/files/file_kind.h"

#include "core/base/file/read_file.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/session/claude/session_format.h"
#include "core/session/files/file_facts.h"
#include "core/text/word_rule.h"
#include "core/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace loadline {
namespace {

// A rule (word_rule.h) is of facts (file_facts.h) that must all hold of one record: "a.b" is a member that is
// there, "a=x" a member with this value, "a=x*" with one that begins so. A kind without a rule is found in
// another way. Copies of a shape stand before the shape that they copy. A new reader of an agent's logs ends
// its row with its SessionFormat; that is all that names it.
constexpr auto kinds = std::to_array<FileKind>({
    {"qwen", "a Qwen Code log", "Qwen Code logs", FileContent::Sessions,
     "uuid sessionId message.parts | uuid sessionId systemPayload"},
    {"claude-code", "a Claude Code log", "Claude Code logs", FileContent::Sessions,
     "type uuid sessionId | type parentUuid | type sessionId | type=summary leafUuid | "
     "type=file-history-snapshot messageId | type=assistant message.usage | "
     "type=user message.role=user message.content uuid | type session_id",
     &claude::sessionFormat},
    {"codex", "a Codex CLI log", "Codex CLI logs", FileContent::Sessions,
     "type=session_meta payload | type=turn_context payload | type=response_item payload | "
     "type=event_msg payload | type=compacted payload | record_type=state | id timestamp instructions"},
    {"gemini", "a Gemini CLI log", "Gemini CLI logs", FileContent::Sessions,
     "sessionId projectHash startTime | type=gemini content id | []sessionId []messageId []message"},
    {"copilot", "a Copilot CLI log", "Copilot CLI logs", FileContent::Sessions,
     "type=session.start data | type data id timestamp parentId"},
    {"copilot-chat", "a VS Code Copilot chat", "VS Code Copilot chats", FileContent::Sessions,
     "requests responderUsername"},
    {"pi", "a pi session log", "pi session logs", FileContent::Sessions, "type=session id timestamp cwd"},
    {"droid", "a Factory Droid log", "Factory Droid logs", FileContent::Sessions, "type=session_start id"},
    {"kimi", "a Kimi CLI log", "Kimi CLI logs", FileContent::Sessions,
     "type=metadata protocol_version | timestamp message.type message.payload | role=_checkpoint | "
     "role=_usage token_count | role=_system_prompt"},
    {"amp", "an Amp thread", "Amp threads", FileContent::Sessions, "messages usageLedger | id=T-* messages"},
    {"codebuff", "a Codebuff log", "Codebuff logs", FileContent::Sessions, "[]variant []content []timestamp"},
    {"cline", "a Cline or Roo Code log", "Cline or Roo Code logs", FileContent::Sessions,
     "[]ts []type=say | []ts []type=ask"},
    {"kilo", "a Kilo Code database", "Kilo Code databases", FileContent::Sessions,
     "table.session table.message table.part name=kilo.db"},
    {"opencode", "an OpenCode log", "OpenCode logs", FileContent::Sessions,
     "info.id=ses_* messages | id=msg_* sessionID role | id=prt_* messageID sessionID | "
     "id=ses_* projectID time | table.session table.message table.part | database name=opencode.db"},
    {"cursor", "a Cursor log", "Cursor logs", FileContent::Sessions,
     "table.ItemTable table.cursorDiskKV | database name=state.vscdb | role=user message.content | "
     "role=assistant message.content"},
    {"hermes", "a Hermes database", "Hermes databases", FileContent::Sessions,
     "table.sessions table.messages table.messages_fts"},
    {"goose", "a Goose log", "Goose logs", FileContent::Sessions,
     "working_dir message_count | table.sessions table.messages table.schema_version"},
    {"crush", "a Crush database", "Crush databases", FileContent::Sessions,
     "table.sessions table.messages table.files"},
    {"aider", "an Aider chat history", "Aider chat histories", FileContent::Sessions,
     "heading=aider_chat_started_at*"},
    // Formats of traces are rows of their own table (core/trace/trace.cpp), which this one stands for.
    {"trace", "a request trace", "request traces", FileContent::Trace, ""},
    {"distribution", "a distribution file", "distribution files", FileContent::Distribution,
     "input_tokens_per_turn | generated_tokens_per_turn"},
    {"profile", "a profile of kernel times", "profiles of kernel times", FileContent::KernelTimes,
     "schema=loadline.profile/*"},
    {"kernel-table", "a table of kernel times", "tables of kernel times", FileContent::KernelTimes,
     "column.kernel column.m column.time_us"},
    {"nvbench", "timings of NVBench", "timings of NVBench", FileContent::KernelTimes, "devices benchmarks"},
    {"document", "a document of Loadline", "documents of Loadline", FileContent::Document,
     "schema=loadline.*"},
    {"schedule", "a schedule of a batching policy", "schedules of a batching policy", FileContent::Document,
     "schema=batching-oracle/*"},
    // Servers are rows of their own table (core/serverlog/format/server_formats.cpp).
    {"server-log", "a log of an inference server", "logs of inference servers", FileContent::ServerLog, ""},
});

constexpr std::size_t mostRecords = 16; ///< later ones are no clearer

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

const FileKind* kindOf(const FileFacts& facts) {
    const auto found = std::ranges::find_if(kinds, [&](const FileKind& kind) {
        return fits(kind.rule, [&](std::string_view fact) { return facts.holds(fact); });
    });
    return found == kinds.end() ? nullptr : &*found;
}

const FileKind* kindWith(FileContent content) {
    return std::ranges::find(kinds, content, &FileKind::content);
}

const FileKind* traceIn(std::string_view text) {
    return traceFormatOf(text) ? kindWith(FileContent::Trace) : nullptr;
}

const FileKind* kindOfTable(std::string_view text) {
    const FileKind* kind = kindOf(factsOfTable(text));
    return kind == nullptr ? traceIn(text) : kind;
}

/// The text as lines of JSON, or as one document where the first line is not all of it.
const FileKind* kindOfJson(std::string_view text) {
    std::string_view lines = text;
    const std::string_view first = cutUpTo(lines, '\n');
    FileFacts facts = factsOfJson(first);
    const bool document = !facts.complete();
    if (document) {
        facts = factsOfJson(text);
    }
    const FileKind* kind = kindOf(facts);
    for (std::size_t i = 1; kind == nullptr && i < mostRecords && !lines.empty(); ++i) {
        kind = kindOf(factsOfJson(cutUpTo(lines, '\n')));
    }
    return kind == nullptr ? traceIn(document ? text : first) : kind;
}

std::string fileKindSentence(const FileKind& kind, std::size_t count) {
    const std::string found = count == 1 ? fmt::format("1 file looks like {}", kind.one)
                                         : fmt::format("{} files look like {}", count, kind.many);
    switch (kind.content) {
    case FileContent::Sessions:
        return fmt::format("{}; Loadline does not read those yet. No {} made of {}.", found,
                           count == 1 ? "session was" : "sessions were", count == 1 ? "it" : "them");
    case FileContent::Distribution:
    case FileContent::Trace:
        return found + ", which holds no sessions: open it alone, or simulate it as a workload.";
    case FileContent::KernelTimes:
    case FileContent::ServerLog:
        return found + ", which holds no sessions: open it alone to see it.";
    case FileContent::Document:
        return found + ", which holds no sessions.";
    case FileContent::Unknown:
        break;
    }
    return found + ".";
}

/// Returns the kind by rules and tables; not kinds that only lines of text tell.
const FileKind* kindOfRecords(std::string_view head, std::string_view text) {
    if (text.front() == '#') {
        return kindOf(factsOfHeading(text));
    }
    const bool json = text.front() == '{' || text.front() == '[';
    const FileKind* table = json ? nullptr : kindOfTable(head);
    return table != nullptr ? table : kindOfJson(text); // the first line may be broken
}

} // namespace

std::span<const FileKind> fileKinds() {
    return kinds;
}

const FileKind* fileKindOf(std::string_view head, std::string_view name) {
    head = head.substr(0, headBytes);
    std::string_view text = head.starts_with("\xEF\xBB\xBF") ? head.substr(3) : head;
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    if (text.empty()) {
        return nullptr;
    }
    if (isDatabase(head)) {
        return kindOf(factsOfDatabase(head, name));
    }
    const FileKind* kind = kindOfRecords(head, text);
    return kind == nullptr && isServerLog(head) ? kindWith(FileContent::ServerLog) : kind;
}

FileContent contentOf(std::string_view head) {
    head = head.substr(0, headBytes);
    if (const FileKind* kind = fileKindOf(head)) {
        return kind->content;
    }
    const std::size_t start = head.find_first_not_of(" \t\r\n\xef\xbb\xbf");
    const bool record = start != std::string_view::npos && head[start] == '{';
    return record && head.find("\"type\"") != std::string_view::npos ? FileContent::Sessions
                                                                     : FileContent::Unknown;
}

bool mayBeLog(std::string_view name) {
    constexpr std::array<std::string_view, 6> ends{".json",   ".db",      ".vscdb",
                                                   ".sqlite", ".sqlite3", ".aider.chat.history.md"};
    const auto isEnd = [&](std::string_view end) { return name.ends_with(end); };
    const auto isOf = [&](const FileKind& kind) {
        return kind.sessions != nullptr && std::ranges::any_of(kind.sessions->endings, isEnd);
    };
    return !name.ends_with(".meta.json") && // of a sub-agent, one beside each log
           (std::ranges::any_of(ends, isEnd) || std::ranges::any_of(kinds, isOf));
}

std::string reasonNotToRead(const FileKind& kind) {
    return fmt::format("it looks like {}{}", kind.one,
                       kind.content == FileContent::Sessions ? ", which Loadline does not read yet" : "");
}

std::vector<std::string> sentencesOf(std::span<const NotRead> files) {
    std::map<const FileKind*, std::size_t> counts; // rows of one table: in its order
    for (const NotRead& file : files) {
        ++counts[file.looksLike];
    }
    std::vector<std::string> sentences;
    for (const auto& [kind, count] : counts) {
        sentences.push_back(fileKindSentence(*kind, count));
    }
    return sentences;
}

} // namespace loadline
