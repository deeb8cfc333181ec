// Any text as indented JSON for reading, also when it is broken or huge.
#include "core/text/json/json_pretty.h"

#include "core/text/number_format.h"
#include "core/text/utf8.h"
#include "core/text/visible_text.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace loadline {

namespace {

constexpr std::size_t maxIndentLevels = 40; // deeper nesting would run out of every window

bool isSpace(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Bytes of the escape sequence that the backslash at `at` begins, 0 if there is none.
std::size_t escapeLength(std::string_view text, std::size_t at) {
    const char kind = at + 1 < text.size() ? text[at + 1] : '\0';
    if (kind != 'u') {
        return kind != '\0' && std::string_view("\"\\/bfnrt").find(kind) != std::string_view::npos ? 2 : 0;
    }
    const std::string_view digits = text.substr(std::min(at + 2, text.size()), 4);
    const bool hex =
        digits.size() == 4 && digits.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
    return hex ? 6 : 0;
}

/// -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
bool isNumber(std::string_view word) {
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t start = i;
        while (i < word.size() && isDigit(word[i])) {
            ++i;
        }
        return i - start;
    };
    const auto take = [&](std::string_view any) {
        const bool found = i < word.size() && any.find(word[i]) != std::string_view::npos;
        i += found ? 1 : 0;
        return found;
    };
    take("-");
    const bool leadingZero = i < word.size() && word[i] == '0';
    const std::size_t whole = digits();
    if (whole == 0 || (leadingZero && whole > 1)) {
        return false;
    }
    if (take(".") && digits() == 0) {
        return false;
    }
    if (take("eE")) {
        take("+-");
        if (digits() == 0) {
            return false;
        }
    }
    return i == word.size();
}

/// Walks the text once and prints as it goes; stops at the first broken byte or at the cap.
class Printer {
public:
    Printer(std::string_view json, const JsonPrettyOptions& options)
        : in_(json), options_(options), at_(json.starts_with(byteOrderMark) ? byteOrderMark.size() : 0) {}

    JsonPretty print() {
        while (!full_ && step()) {
        }
        if (result_.broken && result_.text.size() > options_.maxOutputBytes) {
            full_ = true;
        } else if (result_.broken) {
            printRest();
        } else if (!result_.text.empty() && !full_) {
            newLine(0);
        }
        if (full_) {
            result_.text.resize(whole_.first);
            at_ = whole_.second;
        }
        result_.bytesLeftOut = in_.size() - at_;
        return std::move(result_);
    }

private:
    enum class Expect { Value, ValueOrEnd, Key, KeyOrEnd, Colon, CommaOrEnd, End };

    /// One token; false at the end of the text or of what can be understood.
    bool step() {
        while (at_ < in_.size() && isSpace(in_[at_])) {
            ++at_;
        }
        if (at_ == in_.size()) {
            // An unfinished document is broken at its end: nothing is left to show.
            result_.broken = expect_ != Expect::End && !result_.text.empty();
            return false;
        }
        const char c = in_[at_];
        switch (expect_) {
        case Expect::End: // another object on the same line
            newLine(0);
            expect_ = Expect::Value;
            return true;
        case Expect::Colon:
            if (c != ':') {
                return breakHere();
            }
            ++at_;
            result_.text += ": ";
            expect_ = Expect::Value;
            return true;
        case Expect::CommaOrEnd:
            if (c == ',') {
                ++at_;
                result_.text += ',';
                newLine(open_.size());
                expect_ = open_.back() == '}' ? Expect::Key : Expect::Value;
                return true;
            }
            return close(c);
        case Expect::KeyOrEnd:
            if (c == '}') {
                return close(c);
            }
            [[fallthrough]];
        case Expect::Key:
            beginIfFirst(Expect::KeyOrEnd);
            if (c != '"' || !printString()) {
                return breakHere();
            }
            expect_ = Expect::Colon;
            return true;
        case Expect::ValueOrEnd:
            if (c == ']') {
                return close(c);
            }
            [[fallthrough]];
        case Expect::Value:
            return value(c);
        }
        return false;
    }

    bool value(char c) {
        beginIfFirst(Expect::ValueOrEnd);
        if (c == '{' || c == '[') {
            ++at_;
            result_.text += c;
            open_.push_back(c == '{' ? '}' : ']');
            expect_ = c == '{' ? Expect::KeyOrEnd : Expect::ValueOrEnd;
            return true;
        }
        if (c == '"' ? !printString() : !printWord()) {
            return breakHere();
        }
        afterValue();
        return true;
    }

    /// The first item of a container starts a line; an empty container stays "{}".
    void beginIfFirst(Expect first) {
        if (expect_ == first) {
            newLine(open_.size());
        }
        if (expect_ == Expect::KeyOrEnd) {
            expect_ = Expect::Key;
        } else if (expect_ == Expect::ValueOrEnd) {
            expect_ = Expect::Value;
        }
    }

    bool close(char c) {
        if (open_.empty() || c != open_.back()) {
            return breakHere();
        }
        open_.pop_back();
        ++at_;
        if (expect_ == Expect::CommaOrEnd) {
            newLine(open_.size());
        }
        result_.text += c;
        afterValue();
        return true;
    }

    void afterValue() { expect_ = open_.empty() ? Expect::End : Expect::CommaOrEnd; }

    bool breakHere() {
        result_.broken = true;
        return false;
    }

    bool printWord() {
        std::size_t end = at_;
        while (end < in_.size() &&
               (isDigit(in_[end]) || (in_[end] >= 'a' && in_[end] <= 'z') || in_[end] == 'E' ||
                in_[end] == '+' || in_[end] == '-' || in_[end] == '.')) {
            ++end;
        }
        const std::string_view word = in_.substr(at_, end - at_);
        if (word != "true" && word != "false" && word != "null" && !isNumber(word)) {
            return false;
        }
        result_.text += word;
        at_ = end;
        return true;
    }

    /// Prints a string. Returns false, and prints nothing, if the string does not end or holds a bare control
    /// character.
    bool printString() {
        std::size_t end = at_ + 1;
        std::size_t characters = 0;
        std::size_t shownEnd = 0; // end of the last character that is shown when the string is shortened
        bool clean = true;
        for (; end < in_.size() && in_[end] != '"'; ++characters) {
            if (characters == options_.maxStringCharacters) {
                shownEnd = end;
            }
            const auto c = static_cast<unsigned char>(in_[end]);
            if (c < 0x20) {
                return false;
            }
            if (c == '\\') {
                const std::size_t length = escapeLength(in_, end);
                if (length == 0) {
                    return false;
                }
                end += length;
                continue;
            }
            const std::size_t length = characterAt(end);
            clean = clean && length > 0;
            end += std::max<std::size_t>(length, 1);
        }
        if (end >= in_.size()) {
            return false;
        }
        const bool shorten = characters > options_.maxStringCharacters;
        const std::string_view shown = in_.substr(at_, (shorten ? shownEnd : end) - at_);
        if (clean) {
            result_.text += shown;
        } else {
            appendReadable(shown, std::string::npos);
        }
        if (shorten) {
            const auto more = static_cast<std::int64_t>(characters - options_.maxStringCharacters);
            result_.text += "…\" ⟨+" + formatExact(more) + " characters⟩";
            ++result_.shortenedStrings;
        } else {
            result_.text += '"';
        }
        at_ = end + 1;
        return true;
    }

    void newLine(std::size_t levels) {
        result_.text += '\n';
        if (result_.text.size() > options_.maxOutputBytes) {
            full_ = true;
        } else {
            whole_ = {result_.text.size(), at_};
        }
        result_.text.append(std::min(levels, maxIndentLevels) * static_cast<std::size_t>(options_.indent),
                            ' ');
    }

    /// Appends the rest, which could not be understood, with its own line ends and hidden characters made
    /// visible. Its last line may be cut.
    void printRest() {
        while (at_ < in_.size()) {
            const std::size_t lineEnd = std::min(in_.find('\n', at_), in_.size());
            at_ += appendReadable(in_.substr(at_, lineEnd - at_), options_.maxOutputBytes);
            full_ = at_ < lineEnd || (at_ < in_.size() && result_.text.size() >= options_.maxOutputBytes);
            if (full_ || at_ == in_.size()) {
                break;
            }
            ++at_;
            result_.text += '\n';
        }
        if (!result_.text.empty() && result_.text.back() != '\n') {
            result_.text += '\n';
        }
        whole_ = {result_.text.size(), at_};
    }

    /// Bytes of the character at `at`; 0 where there is none, or one that has to be made visible.
    [[nodiscard]] std::size_t characterAt(std::size_t at) const {
        const auto c = static_cast<unsigned char>(in_[at]);
        if (c >= 0x20 && c < 0x7F) {
            return 1;
        }
        const Utf8Sequence sequence = utf8SequenceAt(in_.substr(at));
        const bool shows = sequence.valid && !isHidden(codePointOf(in_.substr(at, sequence.length)));
        return shows ? sequence.length : 0;
    }

    /// Appends valid UTF-8 without anything hidden. Stops before the character that would make the output
    /// longer than `cap`; returns how much of `text` was taken.
    std::size_t appendReadable(std::string_view text, std::size_t cap) {
        std::size_t i = 0;
        while (i < text.size()) {
            const std::size_t length = std::min(utf8SequenceAt(text.substr(i)).length, text.size() - i);
            const std::string shown = visibleLines(text.substr(i, length));
            if (result_.text.size() + shown.size() > cap) {
                break;
            }
            result_.text += shown;
            i += length;
        }
        return i;
    }

    std::string_view in_;
    JsonPrettyOptions options_;
    JsonPretty result_;
    std::size_t at_;         ///< a byte order mark before the value is no part of it: readers drop it too
    std::vector<char> open_; // closing brackets owed
    Expect expect_ = Expect::Value;
    std::pair<std::size_t, std::size_t> whole_{}; // sizes of text and input at the last line below the cap
    bool full_ = false;
};

} // namespace

JsonPretty prettyJson(std::string_view json, const JsonPrettyOptions& options) {
    return Printer(json, options).print();
}

} // namespace loadline
