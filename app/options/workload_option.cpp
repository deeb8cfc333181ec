// The words after --workload and --outputs.
#include "app/options/workload_option.h"

#include <CLI/CLI.hpp>

namespace loadline::app {

void addWorkload(CLI::App& app, WorkloadOption& option) {
    app.add_option("--workload", option.workload,
                   "Where the turns come from (reference: the published distributions of 397\n"
                   "sessions): a distribution file (loadline turns --out), a folder of sessions, or\n"
                   "a request trace (Mooncake, Azure, kv-cache-tester, or a table with the columns\n"
                   "arrival_s,input_tokens,output_tokens); files of at most 1 GiB")
        ->option_text("W")
        ->group("Who asks");
    app.add_option("--outputs", option.outputs,
                   "Of sessions whose logs hold only a lower bound of outputs: recorded: the bound;\n"
                   "visible: at least the characters of the answer / 4 (recorded)")
        ->check(CLI::IsMember({"recorded", "visible"}))
        ->option_text("recorded|visible")
        ->group("Who asks");
}

} // namespace loadline::app
