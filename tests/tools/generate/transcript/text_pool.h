// Believable text in any amount, copied from pools that are made once.
#pragma once

#include "tests/tools/generate/transcript/random.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::generate {

/// Many lines of text, already escaped for a JSON string.
class TextPool {
public:
    /// One more line, not escaped, without its end.
    void addLine(std::string_view line);
    /// Appends `characters` characters from a random line on; exact.
    void append(std::string& out, std::int64_t characters, Random& random) const;

private:
    std::string text_;
    std::vector<std::uint32_t> starts_; ///< of each line in text_, and the end
    std::vector<std::uint32_t> counts_; ///< characters before each line, its "\n" counted as one
};

/// Texts that agents and people write about a made-up app for tide tables.
struct Texts {
    TextPool prose;     ///< explanations, in Markdown here and there
    TextPool code;      ///< source code as Read and Write show it
    TextPool output;    ///< compilers, tests, listings
    std::string base64; ///< for signatures

    explicit Texts(std::uint64_t seed);

    /// `opening`: the prompt makes sense without earlier ones.
    static std::string prompt(Random& random, bool opening);
    static std::string title(Random& random);
    static std::string filePath(Random& random); ///< below the project's folder
    static std::string command(Random& random);
    static std::string word(Random& random);
};

/// Appends text as the inside of a JSON string.
void appendEscaped(std::string& out, std::string_view text);

} // namespace loadline::generate
