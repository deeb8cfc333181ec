// Any bytes as JSON for people and as a line of a log: both readers of JSON agree on what is JSON.
#include "core/session/json/json_dump_length.h"
#include "core/session/json/json_number.h"
#include "core/session/json/json_tokens.h"
#include "core/session/json/json_value.h"
#include "core/session/json/utf8_repair.h"
#include "core/text/excerpt.h"
#include "core/text/json/json_pretty.h"
#include "tests/fuzz/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace {

using namespace loadline;
using namespace loadline::fuzz;
using Json = nlohmann::json;

bool isUtf8(const std::string& text) {
    return Json::accept("\"" + [&] {
        std::string plain = text;
        std::erase_if(plain,
                      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '"' || c == '\\'; });
        return plain;
    }() + "\"");
}

/// What the other parser takes for JSON; it ends at a NUL as at the end of the text.
bool isJson(std::string_view text) {
    return text.find('\0') == std::string_view::npos && Json::accept(text);
}

std::size_t depthOf(std::string_view text) {
    std::size_t depth = 0;
    std::size_t deepest = 0;
    for (const char c : text) { // brackets in strings count too: an upper bound
        depth += c == '{' || c == '[' ? 1 : 0;
        depth -= depth > 0 && (c == '}' || c == ']') ? 1 : 0;
        deepest = std::max(deepest, depth);
    }
    return deepest;
}

/// The value of a line whose first and only value is legal; pairs of keys and floats are left to Python's
/// rules.
void checkSame(JsonValue ours, const Json& theirs) {
    check(ours.isObject() == theirs.is_object() && ours.isArray() == theirs.is_array());
    check(ours.isString() == theirs.is_string() && ours.isNull() == theirs.is_null());
    if (theirs.is_string()) {
        std::string space;
        checkEqual(std::string(ours.text(space)), theirs.get<std::string>());
    } else if (theirs.is_number_integer() && !theirs.is_number_unsigned()) {
        check(wholeNumber(ours.word()) == theirs.get<std::int64_t>());
    } else if (theirs.is_array()) {
        std::size_t i = 0;
        ours.forEachElement([&](JsonValue element) {
            check(i < theirs.size());
            checkSame(element, theirs[i++]);
        });
        check(i == theirs.size());
    } else if (theirs.is_object()) {
        for (const auto& [key, value] : theirs.items()) {
            checkSame(ours[key], value);
        }
    }
}

void checkLine(std::string_view text) {
    std::string padded(text);
    padded += std::string(jsonPadding, '\n');
    const std::string_view line(padded.data(), text.size());
    JsonTokens tokens;
    tokens.index(line);
    check(tokens.repaired() == (repairUtf8(line) != line));
    const Json theirs =
        depthOf(text) < maxJsonDepth && isJson(text) ? Json::parse(text) : Json(Json::value_t::discarded);
    JsonTokens::CheckedPiece piece = tokens.check(0);
    const bool hasMark = text.starts_with("\xef\xbb\xbf");
    if (!theirs.is_discarded() && !hasMark) {
        check(piece.piece == JsonTokens::Piece::Value);
        check(tokens.check(piece.next).piece == JsonTokens::Piece::End);
        checkSame({tokens, piece.first}, theirs);
    }
    for (int pieces = 0; piece.piece == JsonTokens::Piece::Value && pieces < 1000; ++pieces) {
        const JsonValue value(tokens, piece.first);
        const std::size_t ascii = dumpedLength(value, LengthOf::AsciiDump);
        check(ascii >= dumpedLength(value, LengthOf::UnicodeDump) && ascii >= 1);
        piece = tokens.check(piece.next);
    }
}

void checkPretty(std::string_view text) {
    for (const JsonPrettyOptions& options :
         {JsonPrettyOptions{},
          JsonPrettyOptions{.maxStringCharacters = 3, .maxOutputBytes = 200, .indent = 1}}) {
        const JsonPretty pretty = prettyJson(text, options);
        check(isUtf8(pretty.text));
        check(pretty.text.size() <= options.maxOutputBytes + 1); // the end of a line that was cut
        check(pretty.bytesLeftOut <= text.size());
        const JsonPretty whole =
            prettyJson(text, {.maxStringCharacters = SIZE_MAX, .maxOutputBytes = SIZE_MAX, .indent = 2});
        check(!whole.broken || !isJson(text));
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::string repaired = repairUtf8(text);
    check(isUtf8(repaired) && repairUtf8(repaired) == repaired);
    check(isUtf8(excerpt(repaired, digestOf(text) % 50)));
    checkPretty(text);
    checkLine(text);
    checkLine(text.substr(0, text.find('\n')));
    return 0;
}
