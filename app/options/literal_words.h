// CLI11 made to take the words of a command line as they are.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace loadline::app {

/// An option, or an argument by position, of one word or more, each taken literally.
CLI::Option* addWords(CLI::App& app, const std::string& name, std::vector<std::string>& words,
                      const std::string& help);
/// Parses words, each taken literally whatever it looks like. Throws what CLI11 throws.
void parseLiterally(CLI::App& app, const std::vector<std::string>& words);
/// The text of such an exception as it is shown.
std::string withoutMarks(std::string text);

} // namespace loadline::app
