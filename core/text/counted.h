// Numbers of things in sentences, and words as a sentence.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace loadline {

/// "1 turn", "12 turns", "24 229 turns": things whose plural takes an s.
std::string counted(std::uint64_t n, const char* one);

/// "1", "1 and 2", "1, 2 and 3"; "" of none.
std::string listed(std::span<const std::string> things);

/// The words with a full stop, and a capital where the first is a plain word: not "k" or "fp16".
std::string asSentence(std::string words);

} // namespace loadline
