// User records: what kind they are, their length as the published script counts it, their tool results.
#include "core/session/claude/extractors.h"
#include "core/session/facts/preview.h"
#include "core/session/json/json_dump_length.h"

#include <algorithm>
#include <array>

namespace loadline::claude {
namespace {

struct UserBlockMembers {
    JsonValue type, text, toolUseId, content, isError;
};

UserBlockMembers userBlockMembersOf(JsonValue block) {
    UserBlockMembers members;
    block.forEachMember([&](std::string_view key, JsonValue value) {
        if (is(key, "type")) {
            members.type = value;
        } else if (is(key, "text")) {
            members.text = value;
        } else if (is(key, "tool_use_id")) {
            members.toolUseId = value;
        } else if (is(key, "content")) {
            members.content = value;
        } else if (is(key, "is_error")) {
            members.isError = value;
        }
    });
    return members;
}

/// Returns the characters of a tool result as the published script counts them: those of a text, or of each
/// element of a list as Python's json.dumps writes it (images inside with their base64 text).
std::size_t resultCharacters(JsonValue content) {
    if (content.isString()) {
        return codePointsOf(content.escaped());
    }
    std::size_t characters = 0;
    content.forEachElement(
        [&](JsonValue element) { characters += dumpedLength(element, LengthOf::AsciiDump); });
    return characters;
}

/// Asks a helper for the next prompt, in a sidechain too: nobody wrote it.
constexpr std::string_view suggestionBeginning = "[SUGGESTION MODE";

constexpr std::array<std::string_view, 11> injectedBeginnings{
    "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",    "<bash-stdout>",
    "<bash-stderr>",          "<task-notification>",    "<system-reminder>",         "<ci-monitor-event",
    "<user-memory-input>",    suggestionBeginning,      "Caveat: The messages below"};

UserKind kindOfText(std::string_view text, JsonValue origin) {
    if (text.starts_with("[Request interrupted by user")) {
        return UserKind::Interrupt;
    }
    if (text.starts_with("<command-name>") || text.starts_with("<command-message>")) {
        return UserKind::SlashCommand;
    }
    if (text.starts_with("<bash-input>")) {
        return UserKind::BashInput;
    }
    if (std::ranges::any_of(injectedBeginnings, [&](std::string_view b) { return text.starts_with(b); })) {
        return UserKind::Injected;
    }
    const JsonValue kind = origin["kind"];
    return kind.isTrue() && kind.escaped() != "human" ? UserKind::Injected : UserKind::Human;
}

struct Content {
    JsonValue firstText;
    bool hasToolResult = false;
};

Content extractContent(Extraction& x, JsonValue content, UserFacts& user) {
    Content found;
    if (content.isString()) {
        user.inputCharacters = static_cast<std::int64_t>(codePointsOf(content.escaped()));
        found.firstText = content;
        return found;
    }
    content.forEachElement([&](JsonValue value) {
        const UserBlockMembers block = userBlockMembersOf(value);
        const std::string_view type = block.type.escaped();
        if (is(type, "text")) {
            user.inputCharacters += static_cast<std::int64_t>(codePointsOf(block.text.escaped()));
            if (!found.firstText.present()) {
                found.firstText = block.text;
            }
        } else if (is(type, "tool_result")) {
            found.hasToolResult = true;
            user.inputCharacters += static_cast<std::int64_t>(resultCharacters(block.content));
            x.facts.results.push_back(
                {.id = hashOf(block.toolUseId.text(x.space)), .isError = block.isError.isTrue()});
        }
    });
    return found;
}

/// Returns the text between <tag> and </tag>; to the end of `text` if the end tag is cut off.
std::string_view insideOf(std::string_view text, std::string_view tag) {
    const std::string open = "<" + std::string(tag) + ">";
    const std::size_t begin = text.find(open);
    if (begin == std::string_view::npos) {
        return {};
    }
    text.remove_prefix(begin + open.size());
    return text.substr(0, text.find("</" + std::string(tag) + ">"));
}

/// The preview of a prompt without the tags of slash commands and bash input:
/// "<command-name>/fix</command-name><command-args>it</command-args>" gives "/fix it".
std::string previewOfPrompt(std::string_view text) {
    if (text.starts_with("<bash-input>")) {
        return previewOf("! " + std::string(insideOf(text, "bash-input")));
    }
    if (!text.starts_with("<command-name>") && !text.starts_with("<command-message>")) {
        return previewOf(text);
    }
    std::string command(insideOf(text, "command-name"));
    if (command.empty()) {
        command = "/" + std::string(insideOf(text, "command-message"));
    }
    return previewOf(command + " " + std::string(insideOf(text, "command-args")));
}

void addPreview(Extraction& x, UserFacts& user, std::string preview) {
    user.preview = static_cast<Row>(x.facts.texts.size());
    x.facts.texts.push_back(std::move(preview));
}

} // namespace

UserFacts extractUser(Extraction& x, const RecordMembers& members) {
    UserFacts user;
    user.firstResult = static_cast<Row>(x.facts.results.size());
    const Content content = extractContent(x, members.message["content"], user);
    user.resultCount = static_cast<Row>(x.facts.results.size()) - user.firstResult;
    if (content.hasToolResult) {
        user.kind = UserKind::ToolResult;
    } else if (members.isCompactSummary.isTrue()) {
        user.kind = UserKind::CompactSummary;
    } else if (members.isMeta.isTrue()) {
        user.kind = UserKind::Meta;
    } else if (members.isSidechain.isTrue()) {
        user.kind = UserKind::SidechainPrompt;
        user.textPrint = hashOf(content.firstText.escaped()).low;
        const std::string text = beginningOf(content.firstText);
        if (!text.starts_with(suggestionBeginning)) {
            addPreview(x, user, previewOf(text));
        }
    } else {
        const std::string text = beginningOf(content.firstText);
        user.kind = kindOfText(text, members.origin);
        if (user.kind == UserKind::Human || user.kind == UserKind::SlashCommand ||
            user.kind == UserKind::BashInput) {
            addPreview(x, user, previewOfPrompt(text));
        }
    }
    return user;
}

} // namespace loadline::claude
