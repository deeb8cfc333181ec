// Completion scripts for bash and zsh, in parts: one function per command between a beginning and an end.
#pragma once

#include "app/cli/commands.h"
#include "app/cli/help/command_help.h"

#include <span>

namespace loadline::app {

std::string bashFunction(const CommandHelp& command);
std::string bashBegin();
std::string bashEnd(const CommandHelp& program, std::span<const Command> commands);

std::string zshFunction(const CommandHelp& command);
std::string zshBegin();
std::string zshEnd(const CommandHelp& program, std::span<const Command> commands);

} // namespace loadline::app
