// Options as Markdown, for the manual.
#pragma once

#include "app/cli/help/command_help.h"

#include <string>

namespace loadline::app {

/// "### loadline cache" and its options, a list for each group.
std::string optionList(const CommandHelp& command);

} // namespace loadline::app
