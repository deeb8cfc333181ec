// CLI11 made to take the words of a command line as they are.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace loadline::app {

/// Parses words, each taken literally whatever it looks like. Throws what CLI11 throws.
void parseLiterally(CLI::App& app, const std::vector<std::string>& words);
/// The text of such an exception as it is shown.
std::string withoutMarks(std::string text);

} // namespace loadline::app
