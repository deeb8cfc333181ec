// The list of commands.
#include "app/cli/commands.h"

#include <array>

namespace loadline::app {

std::span<const Command> commands() {
    static constexpr std::array<Command, 11> all = {{
        {"sessions", "Who used what: tokens by session, model and day", runSessions},
        {"turns", "Turns and their tokens, counted by one of three methods", runTurns},
        {"export", "Write a chart, or the numbers it shows, to a file", runExport},
        {"schedule", "What a batching scheduler decides, step by step", runSchedule},
        {"simulate", "What a batch costs: steps, kernels and latencies of a workload", runSimulate},
        {"sweep", "The same over users, chunk sizes and bits, with the crossover", runSweep},
        {"replay", "A recorded run of a real engine against its simulation", runReplay},
        {"bench", "Time kernels on this machine, for the cost model", runBench},
        {"cache", "What a KV cache would reuse, and what that takes and frees", runCache},
        {"log", "From a server's log to a verdict: is it slow, and why", runLog},
        {"generate", "Write made-up sessions for demos, tests and benchmarks", runGenerate},
    }};
    return all;
}

} // namespace loadline::app
