// Quotes for a shell.
#include "app/options/shell_words.h"

#include "core/text/utf8.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

namespace loadline::app {
namespace {

bool needsNoQuotes(unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-./:=@%+,").find(static_cast<char>(c)) != std::string_view::npos;
}

/// $'...', as bash and others read it: bytes that are no text, and what is hidden, by their numbers. So is
/// '!', which an interactive shell would look for.
std::string quotedByEscapes(const std::string& word) {
    std::string quoted = "$'";
    for (std::string_view rest = word; !rest.empty();) {
        const Utf8Sequence sequence = utf8SequenceAt(rest);
        const std::string_view bytes = rest.substr(0, sequence.length);
        const bool asItIs = sequence.valid && !isHidden(codePointOf(bytes)) &&
                            std::string_view("\\'!").find(bytes.front()) == std::string_view::npos;
        if (asItIs) {
            quoted += bytes;
        } else {
            for (const char c : bytes) {
                quoted += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
            }
        }
        rest.remove_prefix(bytes.size());
    }
    return quoted + "'";
}

/// The words of a line as a shell would see them, as far as quotes and backslashes go.
class ShellWords {
public:
    explicit ShellWords(std::string_view line) : line_(line) {}

    std::vector<std::string> words() {
        while (at_ < line_.size()) {
            const char c = line_[at_];
            if (c == ' ') {
                inWord_ = false;
                ++at_;
                continue;
            }
            begin();
            if (c == '\'') {
                plainQuotes();
            } else if (line_.substr(at_, 2) == "$'") {
                escapingQuotes();
            } else {
                at_ += c == '\\' && at_ + 1 < line_.size() ? 1 : 0;
                words_.back() += line_[at_++];
            }
        }
        return std::move(words_);
    }

    [[nodiscard]] bool isOpen() const { return open_; } ///< a quotation mark was not closed

private:
    void begin() {
        if (!inWord_) {
            words_.emplace_back();
            inWord_ = true;
        }
    }

    void plainQuotes() {
        const std::size_t end = line_.find('\'', at_ + 1);
        open_ = end == std::string_view::npos;
        words_.back() += line_.substr(at_ + 1, open_ ? end : end - at_ - 1);
        at_ = open_ ? line_.size() : end + 1;
    }

    void escapingQuotes() {
        for (at_ += 2; at_ < line_.size() && line_[at_] != '\'';) {
            if (line_[at_] == '\\' && at_ + 1 < line_.size()) {
                escape();
            } else {
                words_.back() += line_[at_++];
            }
        }
        open_ = at_ >= line_.size();
        at_ += open_ ? 0 : 1;
    }

    void escape() {
        static constexpr std::string_view letters = "abeEfnrtv\\'\"?";
        static constexpr std::string_view meanings = "\a\b\x1b\x1b\f\n\r\t\v\\'\"?";
        const char kind = line_[at_ + 1];
        at_ += 2;
        if (kind == 'x') {
            unsigned byte = 0;
            const std::string_view digits = line_.substr(at_, 2);
            const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), byte, 16);
            words_.back() += static_cast<char>(byte);
            at_ += static_cast<std::size_t>(read.ptr - digits.data());
        } else if (const std::size_t known = letters.find(kind); known != std::string_view::npos) {
            words_.back() += meanings[known];
        } else {
            words_.back() += {'\\', kind};
        }
    }

    std::string_view line_;
    std::size_t at_ = 0;
    bool inWord_ = false, open_ = false;
    std::vector<std::string> words_;
};

} // namespace

std::string quotedForShell(const std::string& word) {
    if (!word.empty() && std::all_of(word.begin(), word.end(), needsNoQuotes)) {
        return word;
    }
    if (visibleText(word) != word) {
        return quotedByEscapes(word);
    }
    std::string quoted = "'";
    for (const char c : word) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

std::string joinedForShell(const std::vector<std::string>& words) {
    std::string line;
    for (const std::string& word : words) {
        line += (line.empty() ? "" : " ") + quotedForShell(word);
    }
    return line;
}

Result<std::vector<std::string>> wordsOfShell(std::string_view line) {
    ShellWords shell(line);
    std::vector<std::string> words = shell.words();
    if (shell.isOpen()) {
        return Error{"a quotation mark ' is not closed", std::string(line), "close it"};
    }
    return words;
}

} // namespace loadline::app
