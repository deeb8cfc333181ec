// loadline simulate: a workload, a batching policy and kernel times give the time of every step.
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "app/cli/simulate/simulate_document.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "core/text/text_table.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/study/study_tables.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>

namespace loadline::app {
namespace {

using Json = nlohmann::ordered_json;

Json figure(const std::optional<double>& published, const Spread& ours) {
    return {
        {"published", published ? Json(*published) : Json(nullptr)}, {"mean", ours.mean}, {"sd", ours.sd}};
}

Json usersOf(const StudyTables& tables, const ReproducedUsers& ours) {
    const PublishedUsers& printed = *publishedUsersOf(ours.users);
    const auto atK = [&tables](const std::optional<double>& share) {
        return tables.kBits == publishedKBits ? share : std::nullopt;
    };
    return {{"users", ours.users},
            {"avg_m", figure(printed.averageM, ours.averageM)},
            {"decode_only_fraction", figure(printed.decodeOnlyFraction, ours.decodeOnlyFraction)},
            {"time_vs_fp16", figure(atK(printed.timeVsFp16), ours.timeVsFp16)},
            {"kernel_share",
             {{"scalar", figure(atK(printed.scalarShare), ours.scalarShare)},
              {"mma", figure(atK(printed.mmaShare), ours.mmaShare)},
              {"dequant_cublas", figure(atK(printed.dequantShare), ours.dequantShare)}}}};
}

std::string number(const std::optional<double>& value, const Spread& ours, int digits) {
    const std::string printed = value ? fmt::format("{:.{}f}", *value, digits) : "-";
    return fmt::format("{} | {:.{}f} +- {:.{}f}", printed, ours.mean, digits, ours.sd, digits);
}

std::string share(double published, const Spread& ours) {
    return number(100 * published, {100 * ours.mean, 100 * ours.sd}, 1);
}

/// {"source", "seeds", "iterations", "readings": [{"reading", "users": [..], "turn"}], "notes"}: of each
/// figure what was published (null where nothing was), ours, and ours's standard deviation.
nlohmann::ordered_json studyDocument(const StudyTables& tables) {
    const PublishedTurn printed;
    Json readings = Json::array();
    for (const Reproduction& reproduction : tables.readings) {
        Json users = Json::array();
        for (const ReproducedUsers& ours : reproduction.users) {
            users.push_back(usersOf(tables, ours));
        }
        const ReproducedTurn& turn = reproduction.turn;
        readings.push_back(
            {{"reading", keyOf(reproduction.reading)},
             {"users", std::move(users)},
             {"turn",
              {{"decode_us", figure(printedAt(tables, printed.decodeUs), turn.decodeUs)},
               {"prefill_us", figure(printedAt(tables, printed.prefillUs), turn.prefillUs)},
               {"time_vs_fp16", figure(printedAt(tables, printed.timeVsFp16), turn.timeVsFp16)}}}});
    }
    Json ratios = Json::array();
    for (const InputToOutput& one : tables.ratios) {
        ratios.push_back({{"workload", one.name},
                          {"input_to_output", one.ratio},
                          {"prompt_to_output", one.withContext ? Json(*one.withContext) : Json(nullptr)}});
    }
    return {{"k", tables.kBits},
            {"ratios", std::move(ratios)},
            {"source", studySource},
            {"seeds", tables.seeds},
            {"iterations", tables.iterations},
            {"turns", tables.turns},
            {"readings", std::move(readings)},
            {"notes", studyNotes(tables)},
            {"provenance", tables.provenance}};
}

/// For a terminal.
std::string studyText(const StudyTables& tables) {
    TextTable table;
    table.columns = {{"Users", true},
                     {"M, published | ours", true},
                     {"Decode only %", true},
                     {"Time vs fp16", true},
                     {"scalar / MMA / dequantise + cuBLAS %", true}};
    const PublishedTurn printed;
    std::string turns;
    for (const Reproduction& reproduction : tables.readings) {
        table.rows.push_back({std::string(nameOf(reproduction.reading))});
        for (const ReproducedUsers& ours : reproduction.users) {
            const PublishedUsers& line = *publishedUsersOf(ours.users);
            table.rows.push_back({formatExact(ours.users), number(line.averageM, ours.averageM, 0),
                                  share(line.decodeOnlyFraction, ours.decodeOnlyFraction),
                                  number(printedAt(tables, line.timeVsFp16), ours.timeVsFp16, 2),
                                  fmt::format("{:.0f} / {:.0f} / {:.0f}", 100 * ours.scalarShare.mean,
                                              100 * ours.mmaShare.mean, 100 * ours.dequantShare.mean)});
        }
        const ReproducedTurn& turn = reproduction.turn;
        turns += fmt::format("{}: a single user's turn, us and layer: decode {}; other steps {}\n",
                             nameOf(reproduction.reading),
                             number(printedAt(tables, printed.decodeUs), turn.decodeUs, 0),
                             number(printedAt(tables, printed.prefillUs), turn.prefillUs, 0));
    }
    std::string text =
        fmt::format("Beside the published study ({}; printed at k = {}), at k = {}: published | "
                    "ours\n",
                    studySource, publishedKBits, tables.kBits);
    text += alignedText(table) + "\n" + turns + "\n";
    for (const std::string& note : studyNotes(tables)) {
        text += "Note: " + note + "\n";
    }
    return text;
}

constexpr const char* simulateName = "loadline simulate";

/// The words of the command line that runs it again.
std::vector<std::string> commandOf(const SimulationRequest& request) {
    std::vector<std::string> words = {"loadline", "simulate"};
    for (std::string& word : commandWordsOf(request)) {
        words.push_back(std::move(word));
    }
    return words;
}

/// Returns what the KV cache needs: as found with `served`, if its fit was judged by that.
Result<KvNeed> kvNeedOf(const SimulationInputs& inputs, const ServedFormat* served,
                        const std::stop_token& stop) {
    return served != nullptr && served->kvNeed ? *served->kvNeed : kvNeed(inputs, kvNeedSteps, stop);
}

/// The runs of both formats where these are compared, else of one; and what its KV cache needs.
Result<Simulated> simulatedOf(const SimulationRequest& request, const SimulationInputs& inputs,
                              unsigned threads, const std::stop_token& stop) {
    Simulated simulated{request, inputs, {}, {}};
    if (comparesFormats(inputs)) {
        auto pair = serveFormats(inputs, threads, stop);
        if (!pair) {
            return pair.error();
        }
        if (auto done = serveWhole(*pair, inputs, threads, stop); !done) {
            return done.error();
        }
        simulated.result = pair->own.runs;
        simulated.result.wallS += pair->against.runs.wallS;
        simulated.result.steps += pair->against.runs.steps;
        if (pair->whole) {
            simulated.result.wallS += pair->whole->runs.wallS;
            simulated.result.steps += pair->whole->runs.steps;
        }
        simulated.result.provenance = provenanceOf(inputs);
        simulated.pair = std::move(*pair);
    } else {
        auto result = simulate(inputs, threads, stop);
        if (!result) {
            return result.error();
        }
        simulated.result = std::move(*result);
    }
    if (simulated.pair && !simulated.pair->own.fits) {
        const ServedFormat& own = simulated.pair->own;
        if (specOf(inputs.policy.policy).paged && !(own.memory.kvBytes > 0)) {
            simulated.kv = weightsAlone(inputs); // no run on this device holds any
            return simulated;
        }
        auto kv = kvNeedOf(inputs, &own, stop); // too much, or it would be beside the weights
        if (!kv) {
            return kv.error();
        }
        simulated.kv = withPeakOf(*kv, inputs, own.all);
        return simulated;
    }
    const bool bothRan = simulated.pair && simulated.pair->against.fits;
    const auto errors = kernelErrorsOf(inputs, pooled(simulated.result.replicas),
                                       bothRan ? &simulated.pair->against.all : nullptr, threads, stop);
    if (!errors) {
        return errors.error();
    }
    simulated.kernelErrors = *errors;
    if (bothRan) {
        simulated.pair->setKernelErrors(*errors);
    }
    if (simulated.pair) { // the turns that its figures are of
        simulated.inputs.policy.maxModelLen = simulated.pair->longestRequest;
    }
    auto kv = kvNeedOf(simulated.inputs, simulated.pair ? &simulated.pair->own : nullptr, stop);
    if (!kv) {
        return kv.error();
    }
    simulated.kv = withPeakOf(*kv, inputs, pooled(simulated.result.replicas));
    return simulated;
}

} // namespace

int runSimulate(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, simulateName,
        "Simulates continuous batching: what each step holds, which kernel serves it, how long it takes with "
        "quantised weights and with fp16.",
        "  loadline simulate --users 16\n"
        "  loadline simulate --shapes study --policy single-prefill --chunk 512 --users 64 --json | jq "
        ".avg_m\n"
        "  loadline simulate --workload ~/.claude/projects --turn-order replayed --kv-blocks 20000\n"
        "  loadline simulate --shapes qwen3-32b --profile roofline:H100-SXM --users 64\n");
    SimulationOptions options;
    bool json = false;
    bool study = false;
    std::string out;
    unsigned threads = 0;
    options.add(app);
    app.add_flag("--json", json, "One JSON document instead of text");
    app.add_flag("--study", study,
                 "Add the published study's two tables beside ours, with these kernel times, this k and 16 "
                 "seeds");
    app.add_option("--out", out, "Write the JSON document to FILE")->option_text("FILE");
    addThreads(app, threads, "simulate");
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    sayAny(options.takeLocalProfile());
    SimulationRequest request = options.request();
    if (const std::optional<Error> problem = problemOf(request)) {
        return wrongValue(simulateName, *problem);
    }

    const Interruption interruption;
    Result<SimulationInputs> inputs = resolveInputs(request, threads, {out}, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!inputs) {
        return fail(inputs.error());
    }
    request = resolved(std::move(request), *inputs);
    Result<Simulated> served = [&] {
        const ProgressLine line(
            [](std::int64_t elapsedMs) { return "simulating, " + formatDuration(elapsedMs); });
        return simulatedOf(request, *inputs, threads, interruption.token());
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!served) {
        return fail(served.error());
    }
    Simulated& simulated = *served;
    const SimulationResult all = pooled(simulated.result.replicas);
    if (const auto cost = ruleCostOf(simulated.inputs, all)) {
        simulated.ruleCost = *cost; // what cannot be told is not said
    }
    Json document = simulateDocument(simulated, commandOf(request));
    std::string text = simulateText(simulated);
    if (study) {
        const auto tables = studyTables(simulated.inputs, 16, 10'000, threads, interruption.token());
        if (const std::optional<int> status = interruption.exitStatus()) {
            return *status;
        }
        if (!tables) {
            return fail(tables.error());
        }
        document["study"] = studyDocument(*tables);
        text += "\n" + studyText(*tables);
    }
    if (!out.empty()) {
        const Status written = writeOutput(out, textOf(document));
        if (!written) {
            return fail(written.error());
        }
    }
    const int written = json ? printJson(document) : out == "-" ? exitDone : printText(text);
    return endedWith(written, !simulated.inputs.workload->incomplete.empty());
}

} // namespace loadline::app
