// The words of `loadline bench`.
#include "app/cli/bench/bench_options.h"

#include "app/cli/terminal/parse.h"
#include "app/faces/field_options.h"
#include "core/ask/field_row.h"
#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/shapes/shapes.h"
#include "core/text/plain_words.h"

#include <CLI/CLI.hpp>

#include <array>

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

/// The options of the command beside those of what is measured; the first stands before these in the help.
ask::Fields benchCommandFields() {
    using Q = BenchOptions;
    using ask::row;
    static const std::string modelledHelp =
        "Calculate the times of Loadline's CUDA kernels on a GPU instead of measuring:\n" +
        brokenAfterCommas(commaList(gpuTable(), &GpuFacts::hardware)) +
        ".\nInstruction counts over the datasheet, unvalidated; tells what each time is made of";
    static const std::array rows = {
        row("list", ask::bound<&Q::list>(),
            {"list", "The devices there are, what is missing for others, and GPUs that others measured"}),
        row("json", ask::bound<&Q::json>(),
            {"document", "The profile (with --list the devices, with --modelled what times are made of)\nas "
                         "one JSON document"}),
        row("json-lines", ask::bound<&Q::jsonLines>(),
            {"events", "Tell what happens as it happens: one JSON object per line"}),
        row("until-input-ends", ask::bound<&Q::untilInputEnds>(),
            {"end with the input", "End early when standard input ends: for a parent process"}),
        row("patience", ask::bound<&Q::patienceSeconds>(),
            {"patience", "Seconds without a sign of life before a run is given up; its points are kept (60)"},
            {0.1, 86400}),
        row("modelled", ask::bound<&Q::modelled>(), {"modelled GPU", modelledHelp}, {}, {}, {},
            {.text = {.form = "GPU"}}),
        row("import", ask::bound<&Q::import>(),
            {"timings of others",
             "Read timings of others instead of measuring: CSV, NVBench's JSON, a profile"},
            {}, {}, {}, {.text = {.form = "FILE"}}),
        row("as", ask::inWords<Q>(),
            {"kernels of others",
             "With --import: which kernel theirs stands for, KERNEL or THEIRS=KERNEL (such as swap_ab)"},
            {}, {}, {}, {.text = ask::textsOf<&Q::as>("K"), .command = {.words = 0}}),
        row("into", ask::bound<&Q::into>(),
            {"profile to join",
             "With --import: a profile whose points they join, taking the place of its own"},
            {}, {}, {}, {.text = {.form = "P"}}),
        row("compare", ask::inWords<Q>(),
            {"compared profiles",
             "Ratios of two profiles, AFTER over BEFORE, as a Markdown table or with --json"},
            {}, {}, {}, {.text = ask::textsOf<&Q::compare>("BEFORE AFTER"), .command = {.words = 2}})};
    return rows;
}

/// Which go together, and which do not.
void relateOptions(CLI::App& app) {
    const auto option = [&app](const char* name) { return app.get_option(name); };
    option("--k")->join()->expected(1, CLI::detail::expected_max_vector_size); // parts apart by '\n'
    option("--json")->excludes(option("--out"));
    option("--json-lines")->excludes(option("--json"));
    option("--patience")->excludes(option("--json-lines"));
    option("--modelled")->excludes(option("--json-lines"));
    option("--as")->needs(option("--import"));
    option("--into")->needs(option("--import"));
    for (const char* other : {"--list", "--import", "--modelled"}) {
        option("--compare")->excludes(option(other));
    }
    option("--list")->excludes(option("--import"))->excludes(option("--modelled"));
    option("--modelled")->excludes(option("--import"))->excludes(option("--name"));
    option("--compare")->excludes(option("--out"))->excludes(option("--json-lines"));
}

} // namespace

std::optional<int> parseBench(const Arguments& arguments, BenchOptions& options) {
    CLI::App app;
    setUp(
        app, "loadline bench",
        "Times kernels on a device of this machine, each checked against float64 first, and gives a profile\n"
        "for --profile. No setting of any device is touched.",
        examples);
    addFields(app, benchCommandFields().first(1), &options);
    addFields(app, benchFields(), static_cast<BenchRequest*>(&options));
    addFields(app, benchCommandFields().subspan(1), &options);
    relateOptions(app);
    const std::optional<int> status = parse(app, arguments);
    options.deviceNamed = app.count("--device") > 0;
    return status;
}

} // namespace loadline::app
