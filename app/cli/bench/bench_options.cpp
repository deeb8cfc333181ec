// The words of `loadline bench`.
#include "app/cli/bench/bench_options.h"

#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "app/faces/number_option.h"
#include "app/options/literal_words.h"
#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/setup/setup_limits.h"
#include "core/text/plain_words.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace loadline::app {
namespace {

constexpr const char* examples =
    "  loadline bench --list\n"
    "  loadline bench --preset quick\n"
    "  loadline bench --device cuda:0 --shapes llama-3.1-8b --out here.json\n"
    "  loadline simulate --profile here.json\n"
    "\nA GPU that nobody here has: what its times would be and what binds them, then as a profile:\n"
    "  loadline bench --modelled B200 --shapes llama-3.1-8b --k 4\n"
    "  loadline simulate --profile model:B200 --rule fastest --k 4\n"
    "\nA kernel of your own, from a CSV (kernel,shape,K,N,M,k_bits,time_us) or NVBench's JSON, in the place "
    "of\n"
    "one of Loadline's and beside all others:\n"
    "  loadline bench --import mine.csv --as swap_ab --into here.json --out both.json\n"
    "\nBefore and after a change, each under its name:\n"
    "  loadline bench --preset quick --name after --out after.json\n"
    "  loadline bench --compare before.json after.json\n"
    "\nCtrl-C ends a run early: the points so far become a profile that says it is not complete. So it is "
    "where\n"
    "the device crashes or hangs; without --out such a profile is kept in the folder of profiles.\n"
    "The device made-up has invented figures, for demonstrations and tests; its profiles say so.\n";

std::string gpuKeys() {
    std::string keys;
    for (const GpuFacts& gpu : gpuTable()) {
        keys += (keys.empty() ? "" : ", ") + std::string(gpu.hardware);
    }
    return brokenAfterCommas(keys);
}

} // namespace

std::optional<int> parseBench(const Arguments& arguments, BenchOptions& options) {
    CLI::App app;
    setUp(
        app, "loadline bench",
        "Times kernels on a device of this machine, each checked against float64 first, and gives a profile\n"
        "for --profile. No setting of any device is touched.",
        examples);
    app.add_flag("--list", options.list, "The devices there are, and what is missing for others");
    addFields(app, benchFields(), static_cast<BenchRequest*>(&options));
    app.get_option("--k")->join()->expected(1, CLI::detail::expected_max_vector_size); // parts apart by '\n'
    CLI::Option* const out = app.get_option("--out");
    auto* json = app.add_flag("--json", options.json,
                              "The profile (with --list the devices, with --modelled what times are made "
                              "of)\nas one JSON document")
                     ->excludes(out);
    auto* lines = app.add_flag("--json-lines", options.jsonLines,
                               "Tell what happens as it happens: one JSON object per line")
                      ->excludes(json);
    app.add_flag("--until-input-ends", options.untilInputEnds,
                 "End early when standard input ends: for a parent process");
    addNumber(app, "--patience", options.patienceSeconds, {0.1, 86400},
              "Seconds without a sign of life before a run is given up; its points are kept (60)")
        ->excludes(lines);
    app.add_option("--modelled", options.modelled,
                   "Calculate the times of Loadline's CUDA kernels on a GPU instead of measuring:\n" +
                       gpuKeys() +
                       ".\nInstruction counts over the datasheet, unvalidated; tells what each time is made "
                       "of")
        ->excludes(lines)
        ->option_text("GPU");
    auto* import =
        app.add_option("--import", options.import,
                       "Read timings of others instead of measuring: CSV, NVBench's JSON, a profile")
            ->option_text("FILE");
    addWords(app, "--as", options.as,
             "With --import: which kernel theirs stands for, KERNEL or THEIRS=KERNEL (such as swap_ab)")
        ->needs(import)
        ->option_text("K");
    app.add_option("--into", options.into,
                   "With --import: a profile whose points they join, taking the place of its own")
        ->needs(import)
        ->option_text("P");
    addWords(app, "--compare", options.compare,
             "Ratios of two profiles, AFTER over BEFORE, as a Markdown table or with --json")
        ->expected(2)
        ->excludes(import)
        ->excludes(out)
        ->excludes(lines)
        ->option_text("BEFORE AFTER");
    const std::optional<int> status = parse(app, arguments);
    options.deviceNamed = app.count("--device") > 0;
    return status;
}

} // namespace loadline::app
