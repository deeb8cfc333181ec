#include "core/session/json/json_tokens.h"

#include "core/base/free_memory.h"
#include "core/session/json/json_number.h"
#include "core/session/json/json_text.h"
#include "core/session/json/utf8_repair.h"

#include <simdjson.h>

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr std::size_t usualLineBytes = std::size_t{1} << 20;

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool isOperator(char c) {
    return c == '{' || c == '}' || c == '[' || c == ']' || c == ':' || c == ',';
}

/// Position after the closing quote of the string that opens at `at`; npos when it does not end.
std::size_t endOfString(std::string_view text, std::size_t at) {
    for (std::size_t i = at + 1; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        if (c == '"') {
            return i + 1;
        }
        if (c < 0x20) {
            return std::string_view::npos;
        }
        if (c == '\\') {
            ++i;
        }
    }
    return std::string_view::npos;
}

} // namespace

JsonTokens::JsonTokens() = default;
JsonTokens::~JsonTokens() = default;
JsonTokens::JsonTokens(JsonTokens&&) noexcept = default;
JsonTokens& JsonTokens::operator=(JsonTokens&&) noexcept = default;

void JsonTokens::reserve(std::size_t bytes) {
    if (bytes <= capacity_ && stage_) {
        return;
    }
    capacity_ = std::max({bytes, capacity_ * 2, std::size_t{1} << 16});
    stage_.reset();
    // Fails only without memory, which then ends the file like any other failed allocation.
    if (simdjson::get_active_implementation()->create_dom_parser_implementation(
            capacity_, maxJsonDepth, stage_) != simdjson::SUCCESS) {
        throw std::bad_alloc();
    }
}

void JsonTokens::shrink() {
    if (capacity_ > usualLineBytes) {
        stage_.reset();
        match_.reset();
        capacity_ = matchCapacity_ = 0;
        freeMemory(copy_);
    }
}

bool JsonTokens::indexFast(std::string_view text) {
    text_ = text.data();
    length_ = text.size();
    const auto error = stage_->stage1(reinterpret_cast<const std::uint8_t*>(text.data()), text.size(),
                                      simdjson::stage1_mode::regular);
    if (error != simdjson::SUCCESS) {
        return false;
    }
    count_ = stage_->n_structural_indexes;
    starts_ = stage_->structural_indexes.get();
    return true;
}

void JsonTokens::indexBroken(std::string_view text) {
    text_ = text.data();
    length_ = text.size();
    std::uint32_t* starts = stage_->structural_indexes.get();
    std::uint32_t count = 0;
    std::size_t i = 0;
    while (i < text.size()) {
        const char c = text[i];
        if (isSpace(c)) {
            ++i;
            continue;
        }
        starts[count] = static_cast<std::uint32_t>(i);
        if (c == '"') {
            i = endOfString(text, i);
            if (i == std::string_view::npos) {
                break; // this token stays outside the usable ones and serves as the sentinel
            }
        } else if (isOperator(c)) {
            ++i;
        } else {
            while (i < text.size() && !isSpace(text[i]) && !isOperator(text[i]) && text[i] != '"') {
                ++i;
            }
        }
        ++count;
    }
    if (i == text.size()) {
        starts[count] = static_cast<std::uint32_t>(text.size());
    }
    count_ = count;
    starts_ = starts;
}

void JsonTokens::index(std::string_view text) {
    reserve(text.size());
    repaired_ = false;
    if (!indexFast(text)) {
        if (!simdjson::validate_utf8(text.data(), text.size())) {
            repaired_ = true;
            copy_ = repairUtf8(text);
            const std::size_t length = copy_.size();
            copy_.append(jsonPadding, '\0');
            text = std::string_view(copy_).substr(0, length);
            reserve(text.size());
        }
        if (!repaired_ || !indexFast(text)) {
            indexBroken(text);
        }
    }
    if (const std::size_t broken = brokenEscapeIn(text); broken != std::string_view::npos) {
        // Tokens before the one with the broken escape stay usable; that token is the sentinel.
        const std::uint32_t* after = std::upper_bound(starts_, starts_ + count_, broken);
        count_ = after == starts_ ? 0 : static_cast<std::uint32_t>(after - starts_) - 1;
    }
    if (matchCapacity_ < count_ + std::size_t{1}) {
        matchCapacity_ = std::max<std::size_t>(count_ + std::size_t{1}, matchCapacity_ * 2);
        match_ = std::make_unique_for_overwrite<std::uint32_t[]>(matchCapacity_);
    }
}

std::string_view JsonTokens::textOf(std::uint32_t token) const {
    const char* begin = text_ + starts_[token];
    const char* end = text_ + starts_[token + 1];
    while (end > begin && isSpace(end[-1])) {
        --end;
    }
    return {begin, static_cast<std::size_t>(end - begin)};
}

JsonTokens::CheckedPiece JsonTokens::check(std::uint32_t at) {
    while (at < count_ && first(at) == ',') {
        ++at;
    }
    if (at >= count_) {
        // A string without end is no token but still there: it does not decode.
        return {.piece = starts_[count_] < length_ ? Piece::Bad : Piece::End};
    }
    return checkValue(at);
}

JsonTokens::CheckedPiece JsonTokens::checkValue(std::uint32_t at) {
    std::array<std::uint32_t, maxJsonDepth> open; // NOLINT(cppcoreguidelines-pro-type-member-init)
    std::uint32_t depth = 0;
    const std::uint32_t begin = at;
    const CheckedPiece bad{.piece = Piece::Bad};
    enum class Expect : std::uint8_t { Value, Key, AfterValue };
    Expect expect = Expect::Value;
    while (true) {
        if (expect == Expect::AfterValue && depth == 0) {
            return {.piece = Piece::Value, .first = begin, .next = at};
        }
        if (at >= count_) {
            return bad;
        }
        const char c = first(at);
        if (expect == Expect::Key) {
            if (c != '"' || at + 1 >= count_ || first(at + 1) != ':') {
                return bad;
            }
            at += 2;
            expect = Expect::Value;
            continue;
        }
        if (expect == Expect::AfterValue) {
            const bool inObject = first(open[depth - 1]) == '{';
            ++at;
            if (c == ',') {
                expect = inObject ? Expect::Key : Expect::Value;
            } else if (c == (inObject ? '}' : ']')) {
                match_[open[--depth]] = at - 1;
            } else {
                return bad;
            }
            continue;
        }
        expect = Expect::AfterValue;
        if (c == '{' || c == '[') {
            if (depth == maxJsonDepth) {
                return {.piece = Piece::TooDeep};
            }
            open[depth++] = at++;
            if (at < count_ && first(at) == (c == '{' ? '}' : ']')) {
                match_[open[--depth]] = at++;
            } else {
                expect = c == '{' ? Expect::Key : Expect::Value;
            }
        } else if (c == '"' || isJsonWord(textOf(at))) {
            ++at;
        } else {
            return bad;
        }
    }
}

} // namespace loadline
