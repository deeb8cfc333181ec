// A checked JSON value inside a line: navigation that cannot fail.
#pragma once

#include "core/session/json/json_number.h"
#include "core/session/json/json_text.h"
#include "core/session/json/json_tokens.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace loadline {

/// Equality with a literal whose length the compiler knows, so that it needs no call.
template <std::size_t Size>
bool is(std::string_view text, const char (&word)[Size]) {
    return text.size() == Size - 1 && std::memcmp(text.data(), word, Size - 1) == 0;
}

/// A view of one value; "absent" when default-made. Valid while its JsonTokens hold the line.
class JsonValue {
public:
    JsonValue() = default;

    JsonValue(const JsonTokens& tokens, std::uint32_t token) : tokens_(&tokens), token_(token) {}

    [[nodiscard]] bool present() const { return tokens_ != nullptr; }

    [[nodiscard]] bool isObject() const { return present() && tokens_->first(token_) == '{'; }

    [[nodiscard]] bool isArray() const { return present() && tokens_->first(token_) == '['; }

    [[nodiscard]] bool isString() const { return present() && tokens_->first(token_) == '"'; }

    [[nodiscard]] bool isNull() const { return present() && tokens_->first(token_) == 'n'; }

    /// Python's truth: false, null, 0, "", [] and {} are false; absent is false.
    [[nodiscard]] bool isTrue() const;

    /// A string's inside, still escaped; "" when it is no string.
    [[nodiscard]] std::string_view escaped() const {
        if (!tokens_ || !isString()) {
            return {};
        }
        const std::string_view text = tokens_->textOf(token_);
        return text.substr(1, text.size() - 2);
    }

    /// A string's characters; "" when it is no string. `space` is used when escapes must be undone.
    [[nodiscard]] std::string_view text(std::string& space) const {
        const std::string_view inside = escaped();
        if (inside.find('\\') == std::string_view::npos) {
            return inside;
        }
        space.clear();
        appendUnescaped(inside, space);
        return space;
    }

    /// A number, true, false or null as it stands; "" for anything else.
    [[nodiscard]] std::string_view word() const;

    /// The value of a key (the last one, as Python's json has it); absent when there is none.
    [[nodiscard]] JsonValue operator[](std::string_view key) const;

    /// Calls visit(escapedKey, value) for each member of an object in order; does nothing for other values.
    template <typename Visit>
    void forEachRawMember(Visit visit) const {
        if (!isObject()) {
            return;
        }
        std::uint32_t at = token_ + 1;
        while (tokens_->first(at) == '"') {
            visit(JsonValue(*tokens_, at).escaped(), JsonValue(*tokens_, at + 2));
            at = tokens_->after(at + 2);
            at += tokens_->first(at) == ',' ? 1 : 0;
        }
    }

    /// Calls visit(key, value) for each member, with the key's characters.
    template <typename Visit>
    void forEachMember(Visit visit) const {
        forEachRawMember([&](std::string_view key, JsonValue value) {
            if (key.find('\\') == std::string_view::npos) {
                visit(key, value);
            } else {
                std::string plain;
                appendUnescaped(key, plain);
                visit(std::string_view(plain), value);
            }
        });
    }

    /// Calls visit(value) for each element of an array in order; does nothing for other values.
    template <typename Visit>
    void forEachElement(Visit visit) const {
        if (!isArray()) {
            return;
        }
        std::uint32_t at = token_ + 1;
        while (tokens_->first(at) != ']') {
            visit(JsonValue(*tokens_, at));
            at = tokens_->after(at);
            at += tokens_->first(at) == ',' ? 1 : 0;
        }
    }

private:
    const JsonTokens* tokens_ = nullptr;
    std::uint32_t token_ = 0;
};

} // namespace loadline
