// Command lines that a shell takes apart again into the same words.
#pragma once

#include "core/base/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline::app {

/// The word so that bash, and every shell that knows $'...', reads it back unchanged. The result is valid
/// UTF-8 on one line, with nothing hidden in it, whatever bytes the word has.
std::string quotedForShell(const std::string& word);
/// Words quoted so, one after the other, and back. The Error: a quotation mark that is not closed.
std::string joinedForShell(const std::vector<std::string>& words);
Result<std::vector<std::string>> wordsOfShell(std::string_view line);

} // namespace loadline::app
