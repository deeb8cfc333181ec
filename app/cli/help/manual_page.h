// Manual pages in roff's man macros.
#pragma once

#include "app/cli/help/command.h"
#include "app/cli/help/command_help.h"

#include <span>
#include <string_view>

namespace loadline::app {

/// Text so that roff prints just this: no requests, escapes or typographic substitutes.
std::string roffText(std::string_view text);

std::string manualPage(const CommandHelp& command);
std::string manualPage(const CommandHelp& program, std::span<const Command> commands);

} // namespace loadline::app
