// The list of commands.
#include "app/cli/commands.h"

#include "app/cli/study/study_command.h"
#include "app/study/studies.h"

#include <vector>

namespace loadline::app {

std::span<const Command> commands() {
    static const std::vector<Command> all = [] {
        std::vector<Command> rows = {
            {"sessions", "Who used what: tokens by session, model and day", runSessions},
            {"turns", "Turns and their tokens, counted by one of three methods", runTurns},
            {"export", "Write a chart, or the numbers it shows, to a file", runExport},
            {"schedule", "What a batching scheduler decides, step by step", runSchedule},
            {"simulate", "What a batch costs: steps, kernels and latencies of a workload", runSimulate},
            {"sweep", "The same over users, chunk sizes and weights, with the crossover", runSweep},
            {"replay", "A recorded run of a real engine against its simulation", runReplay},
            {"bench", "Time kernels on this machine, for the cost model", runBench},
            {"cache", "What a KV cache would reuse, and what that takes and frees", runCache},
            {"log", "From a server's log to a verdict: is it slow, and why", runLog},
        };
        for (const ask::Study& study : studies()) {
            rows.push_back({std::string(study.key), std::string(study.tip),
                            [&study](const Arguments& arguments) { return runStudy(study, arguments); }});
        }
        return rows;
    }();
    return all;
}

} // namespace loadline::app
