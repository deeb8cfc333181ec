// The list of commands.
#include "app/cli/commands.h"

namespace loadline::app {

std::span<const Command> commands() {
    return {};
}

} // namespace loadline::app
