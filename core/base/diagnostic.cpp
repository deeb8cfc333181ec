#include "core/base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {
namespace {

using Effect = DiagnosticEffect;

struct KindWords {
    std::string_view key;
    std::string_view phrase;
    Effect effect;
};

constexpr std::array<KindWords, 27> words{{
    {"cannot_open", "cannot be opened", Effect::LosesData},
    {"read_error", "could not be read to its end", Effect::LosesData},
    {"vanished_while_read", "vanished or shrank while being read", Effect::LosesData},
    {"link_loop", "symbolic link loop, not followed", Effect::Mended},
    {"link_leads_out", "symbolic link out of the folder, not followed (open what it leads to by its name)",
     Effect::LeftAside},
    {"other_log", "no session was made of it", Effect::LeftAside},
    {"not_a_session_log", "not a session log that Loadline knows, no session was made of it",
     Effect::LeftAside},
    {"bad_line", "line does not decode as JSON", Effect::LosesData},
    {"bad_last_line", "last line is cut (still being written?)", Effect::LosesData},
    {"line_too_long", "line too long, skipped", Effect::LosesData},
    {"too_deep", "nested too deeply, skipped", Effect::LosesData},
    {"glued_objects", "several objects on one line, all read", Effect::Mended},
    {"not_an_object", "value is not an object, left out", Effect::Noted},
    {"invalid_utf8", "invalid UTF-8 replaced", Effect::Noted},
    {"byte_order_mark", "byte order mark dropped", Effect::Mended},
    {"nul_padding", "NUL padding dropped", Effect::Mended},
    {"unknown_type", "unknown record type, counted only", Effect::Noted},
    {"missing_field", "expected field is missing, counted as zero", Effect::Noted},
    {"bad_number", "count is not a usable number, counted as zero", Effect::LosesData},
    {"bad_timestamp", "timestamp is not ISO-8601, record has no time", Effect::Noted},
    {"ambiguous_origin", "calls shared with other sessions, origin unclear", Effect::Noted},
    {"unequal_block", "block has other lengths in other prompts, kept as one", Effect::Noted},
    {"no_call_id",
     "message.id is missing, lines with the same prompt that follow each other taken for one call",
     Effect::Guessed},
    {"repeated_call_id", "message.id is that of calls with other prompts too, told apart", Effect::Guessed},
    {"several_sessions",
     "records of several sessions in one file, read as one session (one file a session tells them apart)",
     Effect::Guessed},
    {"cached_in_input",
     "input_tokens seem to hold the tokens read from the cache too, read as they stand: prompts and costs "
     "count these twice",
     Effect::Guessed},
    {"repeated_row", "rows with equal keys, made one", Effect::Guessed},
}};

const KindWords& wordsOf(DiagnosticKind kind) {
    return words.at(static_cast<std::size_t>(kind));
}

} // namespace

std::string_view describe(DiagnosticKind kind) {
    return wordsOf(kind).phrase;
}

std::string_view keyOf(DiagnosticKind kind) {
    return wordsOf(kind).key;
}

DiagnosticEffect effectOf(DiagnosticKind kind) {
    return wordsOf(kind).effect;
}

bool losesData(DiagnosticKind kind) {
    return effectOf(kind) == Effect::LosesData;
}

bool isGuess(DiagnosticKind kind) {
    return effectOf(kind) == Effect::Guessed;
}

bool leavesOut(DiagnosticKind kind) {
    return losesData(kind) || effectOf(kind) == Effect::LeftAside;
}

void listLine(Diagnostic& diagnostic, std::uint64_t line) {
    if (line < diagnostic.line) {
        std::swap(line, diagnostic.line);
    }
    std::vector<std::uint64_t>& others = diagnostic.otherLines;
    if (line == diagnostic.line || (others.size() == maxOtherLines && line >= others.back())) {
        return;
    }
    const auto place = std::ranges::lower_bound(others, line);
    if (place != others.end() && *place == line) {
        return;
    }
    others.insert(place, line);
    if (others.size() > maxOtherLines) {
        others.pop_back();
    }
}

bool leavesOutLines(const Diagnostic& diagnostic) {
    return diagnostic.otherLines.size() == maxOtherLines && diagnostic.count > 1 + maxOtherLines;
}

std::string linesOf(const Diagnostic& diagnostic, std::size_t most) {
    const std::vector<std::uint64_t>& others = diagnostic.otherLines;
    if (others.empty()) {
        return fmt::format("line {}", diagnostic.line);
    }
    const std::size_t named = std::min(others.size(), std::max<std::size_t>(most, 1) - 1);
    const bool all = named == others.size() && !leavesOutLines(diagnostic);
    std::string text = fmt::format("{} {}", named == 0 ? "line" : "lines", diagnostic.line);
    for (std::size_t i = 0; i < named; ++i) {
        text += fmt::format("{} {}", all && i + 1 == named ? " and" : ",", others[i]);
    }
    return all ? text : text + " and more";
}

std::string diagnosticSentence(const Diagnostic& diagnostic) {
    std::string text(describe(diagnostic.kind));
    if (!diagnostic.detail.empty()) {
        text += ": " + diagnostic.detail;
    }
    if (diagnostic.count > 1) {
        text += fmt::format(" ({} times)", diagnostic.count);
    }
    return text;
}

} // namespace loadline
