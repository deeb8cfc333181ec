// The table of known kinds of files, and the search in it.
#include "core/session/log_kind.h"

#include "core/base/read_file.h"
#include "core/session/log_facts.h"
#include "core/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>

namespace loadline {
namespace {

// A rule is a list of alternatives divided by '|', each a list of facts (log_facts.h) that must all hold of
// one record: "a.b" is a member that is there, "a=x" a member with this value, "a=x*" with one that begins
// so. A kind without a rule is found in another way. Copies of a shape stand before the shape that they copy.
constexpr std::array<LogKind, 24> kinds{{
    {"qwen", "a Qwen Code log", "Qwen Code logs", LogUse::UnreadAgent,
     "uuid sessionId message.parts | uuid sessionId systemPayload"},
    {"claude-code", "a Claude Code log", "Claude Code logs", LogUse::Session,
     "type uuid sessionId | type parentUuid | type sessionId | type=summary leafUuid | "
     "type=file-history-snapshot messageId | type=assistant message.usage | "
     "type=user message.role=user message.content uuid | type session_id"},
    {"codex", "a Codex CLI log", "Codex CLI logs", LogUse::UnreadAgent,
     "type=session_meta payload | type=turn_context payload | type=response_item payload | "
     "type=event_msg payload | type=compacted payload | record_type=state | id timestamp instructions"},
    {"gemini", "a Gemini CLI log", "Gemini CLI logs", LogUse::UnreadAgent,
     "sessionId projectHash startTime | type=gemini content id | []sessionId []messageId []message"},
    {"copilot", "a Copilot CLI log", "Copilot CLI logs", LogUse::UnreadAgent,
     "type=session.start data | type data id timestamp parentId"},
    {"copilot-chat", "a VS Code Copilot chat", "VS Code Copilot chats", LogUse::UnreadAgent,
     "requests responderUsername"},
    {"pi", "a pi session log", "pi session logs", LogUse::UnreadAgent, "type=session id timestamp cwd"},
    {"droid", "a Factory Droid log", "Factory Droid logs", LogUse::UnreadAgent, "type=session_start id"},
    {"kimi", "a Kimi CLI log", "Kimi CLI logs", LogUse::UnreadAgent,
     "type=metadata protocol_version | timestamp message.type message.payload | role=_checkpoint | "
     "role=_usage token_count | role=_system_prompt"},
    {"amp", "an Amp thread", "Amp threads", LogUse::UnreadAgent, "messages usageLedger | id=T-* messages"},
    {"codebuff", "a Codebuff log", "Codebuff logs", LogUse::UnreadAgent, "[]variant []content []timestamp"},
    {"cline", "a Cline or Roo Code log", "Cline or Roo Code logs", LogUse::UnreadAgent,
     "[]ts []type=say | []ts []type=ask"},
    {"kilo", "a Kilo Code database", "Kilo Code databases", LogUse::UnreadAgent,
     "table.session table.message table.part name=kilo.db"},
    {"opencode", "an OpenCode log", "OpenCode logs", LogUse::UnreadAgent,
     "info.id=ses_* messages | id=msg_* sessionID role | id=prt_* messageID sessionID | "
     "id=ses_* projectID time | table.session table.message table.part | database name=opencode.db"},
    {"cursor", "a Cursor log", "Cursor logs", LogUse::UnreadAgent,
     "table.ItemTable table.cursorDiskKV | database name=state.vscdb | role=user message.content | "
     "role=assistant message.content"},
    {"hermes", "a Hermes database", "Hermes databases", LogUse::UnreadAgent,
     "table.sessions table.messages table.messages_fts"},
    {"goose", "a Goose log", "Goose logs", LogUse::UnreadAgent,
     "working_dir message_count | table.sessions table.messages table.schema_version"},
    {"crush", "a Crush database", "Crush databases", LogUse::UnreadAgent,
     "table.sessions table.messages table.files"},
    {"aider", "an Aider chat history", "Aider chat histories", LogUse::UnreadAgent,
     "heading=aider_chat_started_at*"},
    {"trace", "a request trace", "request traces", LogUse::Trace, ""},
    {"distribution", "a distribution file", "distribution files", LogUse::Distribution,
     "input_tokens_per_turn | generated_tokens_per_turn"},
    {"profile", "a profile of kernel times", "profiles of kernel times", LogUse::KernelTimes,
     "schema=loadline.profile/*"},
    {"document", "a document of Loadline", "documents of Loadline", LogUse::Document, "schema=loadline.*"},
    {"schedule", "a schedule of a batching policy", "schedules of a batching policy", LogUse::Document,
     "schema=batching-oracle/*"},
}};

constexpr std::size_t mostRecords = 16; ///< later ones are no clearer

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\0';
}

/// Cuts the next piece up to `end` off `text`.
std::string_view cut(std::string_view& text, char end) {
    const std::size_t at = std::min(text.find(end), text.size());
    const std::string_view piece = text.substr(0, at);
    text.remove_prefix(std::min(at + 1, text.size()));
    return piece;
}

bool holdsAll(std::string_view terms, const LogFacts& facts) {
    bool any = false;
    while (!terms.empty()) {
        const std::string_view term = cut(terms, ' ');
        if (!term.empty() && !facts.holds(term)) {
            return false;
        }
        any = any || !term.empty();
    }
    return any;
}

const LogKind* kindOf(const LogFacts& facts) {
    for (const LogKind& kind : kinds) {
        std::string_view rule = kind.rule;
        while (!rule.empty()) {
            if (holdsAll(cut(rule, '|'), facts)) {
                return &kind;
            }
        }
    }
    return nullptr;
}

const LogKind* traceIn(std::string_view text) {
    return traceFormatOf(text) ? std::ranges::find(kinds, LogUse::Trace, &LogKind::use) : nullptr;
}

/// The text as lines of JSON, or as one document where the first line is not all of it.
const LogKind* kindOfJson(std::string_view text) {
    std::string_view lines = text;
    const std::string_view first = cut(lines, '\n');
    LogFacts facts = factsOfJson(first);
    const bool document = !facts.complete();
    if (document) {
        facts = factsOfJson(text);
    }
    const LogKind* kind = kindOf(facts);
    for (std::size_t i = 1; kind == nullptr && i < mostRecords && !lines.empty(); ++i) {
        kind = kindOf(factsOfJson(cut(lines, '\n')));
    }
    return kind == nullptr ? traceIn(document ? text : first) : kind;
}

std::string sentenceOf(const LogKind& kind, std::size_t count) {
    const std::string found = count == 1 ? fmt::format("1 file looks like {}", kind.one)
                                         : fmt::format("{} files look like {}", count, kind.many);
    switch (kind.use) {
    case LogUse::Session:
        break;
    case LogUse::UnreadAgent:
        return fmt::format("{}; Loadline does not read those yet. No {} made of {}.", found,
                           count == 1 ? "session was" : "sessions were", count == 1 ? "it" : "them");
    case LogUse::Distribution:
    case LogUse::Trace:
        return found + ", which holds no sessions: open it alone, or simulate it as a workload.";
    case LogUse::KernelTimes:
        return found + ", which holds no sessions: open it alone to see it.";
    case LogUse::Document:
        return found + ", which holds no sessions.";
    }
    return found + ".";
}

} // namespace

std::span<const LogKind> logKinds() {
    return kinds;
}

const LogKind* logKindOf(std::string_view head, std::string_view name) {
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
    if (text.front() == '#') {
        return kindOf(factsOfHeading(text));
    }
    const bool json = text.front() == '{' || text.front() == '[';
    const LogKind* table = json ? nullptr : traceIn(head);
    return table != nullptr ? table : kindOfJson(text); // the first line may be broken
}

bool mayBeOtherLog(std::string_view name) {
    constexpr std::array<std::string_view, 6> ends{".json",   ".db",      ".vscdb",
                                                   ".sqlite", ".sqlite3", ".aider.chat.history.md"};
    return !name.ends_with(".meta.json") && // of a sub-agent, one beside each log
           std::ranges::any_of(ends, [&](std::string_view end) { return name.ends_with(end); });
}

std::string reasonNotToRead(const LogKind& kind) {
    return fmt::format("it looks like {}{}", kind.one,
                       kind.use == LogUse::UnreadAgent ? ", which Loadline does not read yet" : "");
}

std::vector<std::string> sentencesOf(std::span<const NotRead> files) {
    std::map<const LogKind*, std::size_t> counts; // rows of one table: in its order
    for (const NotRead& file : files) {
        ++counts[file.looksLike];
    }
    std::vector<std::string> sentences;
    for (const auto& [kind, count] : counts) {
        sentences.push_back(sentenceOf(*kind, count));
    }
    return sentences;
}

} // namespace loadline
