// The tokens of one line of JSON: indexed by simdjson, then checked against the grammar value by value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace simdjson::internal {
class dom_parser_implementation;
}

namespace loadline {

/// Bytes after a line that must be readable (their values do not matter, but for the first: see index()).
inline constexpr std::size_t jsonPadding = 64;
/// Deeper nested values are refused (TooDeep).
inline constexpr std::uint32_t maxJsonDepth = 1024;

/// Token positions of one line, and for each checked bracket its counterpart, so that any value can be
/// stepped over at once. simdjson's first stage finds the tokens (strings, quotes and escapes, UTF-8), which
/// is nearly all of the work; its second stage and its On-Demand front are not used, because a session line
/// may hold several objects, numbers such as 1e400, NaN, lone surrogates and double keys, all of which must
/// be read as Python's json module reads them. Reused from line to line: it allocates only to grow.
class JsonTokens {
public:
    JsonTokens();
    ~JsonTokens();
    JsonTokens(JsonTokens&&) noexcept;
    JsonTokens& operator=(JsonTokens&&) noexcept;

    /// Takes a line. `text` must be followed by jsonPadding readable bytes of which the first is white space
    /// or NUL, and must stay alive. Invalid UTF-8 is replaced by U+FFFD in a copy; then repaired() is true.
    void index(std::string_view text);

    [[nodiscard]] bool repaired() const { return repaired_; }

    enum class Piece : std::uint8_t { Value, End, Bad, TooDeep };

    struct CheckedPiece {
        Piece piece = Piece::End;
        std::uint32_t first = 0; ///< its first token, for Piece::Value
        std::uint32_t next = 0;  ///< token to go on with
    };

    /// Checks the next value from token `at` on, after commas. After Bad or TooDeep nothing can follow.
    CheckedPiece check(std::uint32_t at);

    [[nodiscard]] char first(std::uint32_t token) const { return text_[starts_[token]]; }

    /// Bytes of a token without trailing white space; strings with their quotes.
    [[nodiscard]] std::string_view textOf(std::uint32_t token) const;

    /// The token after the value that starts at `token`. Precondition: checked.
    [[nodiscard]] std::uint32_t after(std::uint32_t token) const {
        const char c = first(token);
        return c == '{' || c == '[' ? match_[token] + 1 : token + 1;
    }

    [[nodiscard]] std::uint32_t start(std::uint32_t token) const { return starts_[token]; }

    /// Gives memory back that only an unusually long line needed.
    void shrink();

private:
    void reserve(std::size_t bytes);
    bool indexFast(std::string_view text);
    void indexBroken(std::string_view text);
    CheckedPiece checkValue(std::uint32_t at);

    std::unique_ptr<simdjson::internal::dom_parser_implementation> stage_;
    std::unique_ptr<std::uint32_t[]> match_;
    const char* text_ = nullptr;
    const std::uint32_t* starts_ = nullptr;
    std::uint32_t count_ = 0; ///< tokens that may be used; one more start follows as a sentinel
    std::size_t length_ = 0;
    std::size_t capacity_ = 0;
    std::size_t matchCapacity_ = 0;
    std::string copy_;
    bool repaired_ = false;
};

} // namespace loadline
