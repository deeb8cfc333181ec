#include "core/base/diagnostic.h"

#include <fmt/format.h>

#include <array>

namespace loadline {
namespace {

struct KindWords {
    std::string_view key;
    std::string_view phrase;
    bool losesData;
};

constexpr std::array<KindWords, 17> words{{
    {"cannot_open", "cannot be opened", true},
    {"vanished_while_read", "vanished or shrank while being read", true},
    {"link_loop", "symbolic link loop, not followed", false},
    {"bad_line", "line does not decode as JSON", true},
    {"bad_last_line", "last line is cut (still being written?)", true},
    {"line_too_long", "line too long, skipped", true},
    {"too_deep", "nested too deeply, skipped", true},
    {"glued_objects", "several objects on one line, all read", false},
    {"not_an_object", "value is not an object, left out", false},
    {"invalid_utf8", "invalid UTF-8 replaced", false},
    {"byte_order_mark", "byte order mark dropped", false},
    {"nul_padding", "NUL padding dropped", false},
    {"unknown_type", "unknown record type, counted only", false},
    {"missing_field", "expected field is missing, counted as zero", false},
    {"bad_number", "count is not a usable number, counted as zero", true},
    {"bad_timestamp", "timestamp is not ISO-8601, record has no time", false},
    {"ambiguous_origin", "calls shared with other sessions, origin unclear", false},
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

bool losesData(DiagnosticKind kind) {
    return wordsOf(kind).losesData;
}

std::string sentenceOf(const Diagnostic& diagnostic) {
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
