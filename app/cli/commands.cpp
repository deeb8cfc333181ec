// The list of commands.
#include "app/cli/commands.h"

#include "app/cli/generate_command.h"

#include <array>

namespace loadline::app {

std::span<const Command> commands() {
    static constexpr std::array<Command, 1> all = {{
        {"generate", "Write made-up sessions for demos, tests and benchmarks", runGenerate},
    }};
    return all;
}

} // namespace loadline::app
