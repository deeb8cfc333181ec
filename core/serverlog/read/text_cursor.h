// Walks through a line as a regular expression would, piece by piece.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>

namespace loadline {

inline bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// \s of a line
inline bool isBlank(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

inline bool isWordLetter(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Each step is true when what it asks for is there, which is then behind the cursor. After a step that is
/// not, the cursor's place means nothing.
class TextCursor {
public:
    TextCursor(std::string_view text, std::size_t at) : text_(text), at_(at) {}

    [[nodiscard]] std::size_t at() const { return at_; }

    [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }

    bool skip(std::string_view literal) {
        const bool there = text_.compare(at_, literal.size(), literal) == 0;
        at_ += there ? literal.size() : 0;
        return there;
    }

    bool skipBlanks(std::size_t least = 0) {
        const std::size_t from = at_;
        while (at_ < text_.size() && isBlank(text_[at_])) {
            ++at_;
        }
        return at_ - from >= least;
    }

    /// \d+, or as many as are asked for
    bool digits(std::string_view& into, std::size_t exactly = 0) {
        const std::size_t most = exactly == 0 ? text_.size() : exactly;
        return run(into, most, isDigit) && (exactly == 0 || into.size() == exactly);
    }

    /// -?\d+
    bool whole(std::string_view& into) {
        const std::size_t from = at_;
        skip("-");
        const bool there = digits(into);
        into = there ? text_.substr(from, at_ - from) : into;
        return there;
    }

    /// [\d.]+
    bool number(std::string_view& into) {
        return run(into, text_.size(), [](char c) { return isDigit(c) || c == '.'; });
    }

    /// \d[\d,]*
    bool count(std::string_view& into) {
        return at_ < text_.size() && isDigit(text_[at_]) &&
               run(into, text_.size(), [](char c) { return isDigit(c) || c == ','; });
    }

    /// \w+
    bool word(std::string_view& into) { return run(into, text_.size(), isWordLetter); }

    /// \S+
    bool text(std::string_view& into) {
        return run(into, text_.size(), [](char c) { return !isBlank(c); });
    }

    /// [^e]+
    bool upTo(char end, std::string_view& into) {
        return run(into, text_.size(), [end](char c) { return c != end; });
    }

    /// Goes back where `steps` fail: they may be left out.
    template <typename Steps>
    bool maybe(Steps&& steps) {
        const TextCursor before = *this;
        if (!std::forward<Steps>(steps)()) {
            *this = before;
        }
        return true;
    }

private:
    template <typename Fits>
    bool run(std::string_view& into, std::size_t most, Fits fits) {
        const std::size_t from = at_;
        while (at_ < text_.size() && at_ - from < most && fits(text_[at_])) {
            ++at_;
        }
        into = text_.substr(from, at_ - from);
        return at_ != from;
    }

    std::string_view text_;
    std::size_t at_;
};

/// The digits that end before `end`: where they begin.
inline std::size_t digitsBefore(std::string_view text, std::size_t end) {
    while (end > 0 && isDigit(text[end - 1])) {
        --end;
    }
    return end;
}

/// True if the literal ends before `end`.
inline bool endsBefore(std::string_view text, std::size_t end, std::string_view literal) {
    return end >= literal.size() && text.substr(end - literal.size(), literal.size()) == literal;
}

} // namespace loadline
