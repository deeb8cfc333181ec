// loadline log: from a server's log to a verdict.
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "app/cli/log/log_document.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/options/literal_words.h"
#include "app/options/number_option.h"
#include "app/serverlog/log_shown.h"
#include "core/serverlog/read_server_log.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <utility>

namespace loadline::app {
namespace {

constexpr NumberRange<double> weightBitsRange{1, 32};
constexpr NumberRange<double> kvBytesRange{0.25, 8};
constexpr NumberRange<double> bandwidthRange{1, 1e6};

struct LogOptions {
    std::vector<std::string> files;
    ServedOn served;
    bool json = false;
    std::string out;
};

/// A model by its key, or by a name that tells its bits too.
void takeModel(const std::string& text, ServedOn& served) {
    const NamedModel named = modelNamed(text);
    if (named.model == nullptr) {
        std::string keys;
        for (const CacheModel& model : cacheModels()) {
            keys += (keys.empty() ? "" : ", ") + std::string(model.key);
        }
        throw notTaken("--model", "a name with one of: " + keys, text);
    }
    served.model = named.model;
    served.bitsPerWeight = served.bitsPerWeight > 0 ? served.bitsPerWeight : named.bitsPerWeight;
}

void takeDevice(const std::string& text, ServedOn& served) {
    if (findHardware(text) == nullptr) {
        std::string keys;
        for (const Hardware& device : hardwareTable()) {
            keys += (keys.empty() ? "" : ", ") + device.key;
        }
        throw notTaken("--device", keys, text);
    }
    served.device = text;
}

void addOptions(CLI::App& app, LogOptions& options) {
    app.add_option("FILE", options.files,
                   "Logs of a server, plain or compressed (gz, zst, xz); several are one that was rotated: "
                   "log.2.gz before log.1 before log, others as they are named")
        ->required()
        ->option_text("...");
    addTaken(app, "--model", "NAME",
             "What is served, by a name that holds a model's key, and may tell its bits "
             "(mlx-community/gemma-3-12b-it-4bit); without it the log's",
             "", [&options](const std::string& text) { takeModel(text, options.served); });
    addTaken(app, "--device", "KEY", "What it is served on (M3-Max-40c, H100-SXM, ...)", "",
             [&options](const std::string& text) { takeDevice(text, options.served); });
    addNumber(app, "--bandwidth-gb-per-s", options.served.bandwidthGBs, bandwidthRange,
              "Memory bandwidth of all devices together, 1e9 bytes (the device's)");
    addNumber(app, "--bits", options.served.bitsPerWeight, weightBitsRange,
              "Bits of a weight, scales included (as the model's name tells)");
    addNumber(app, "--kv-bytes", options.served.kvBytesPerValue, kvBytesRange,
              "Bytes of a value of K or V (2)");
    app.add_flag("--json", options.json, "One JSON document instead of text")->option_text(" ");
    app.add_option("--out", options.out, "Write the verdict as Markdown")->option_text("FILE.md");
}

Result<LogFigure> readFigure(const LogOptions& options, const Interruption& interruption) {
    Progress progress;
    const ProgressLine line("reading", progress);
    Result<ServerLog> log = readServerLog(options.files, interruption.token(), progress);
    if (!log) {
        return log.error();
    }
    LogFigure figure = logFigureOf(std::make_shared<const ServerLog>(std::move(*log)), options.served);
    const std::vector<LogLine> evidence = evidenceOf(figure.verdict);
    Result<std::vector<std::string>> texts = readLogLines(options.files, evidence, interruption.token());
    if (!texts) {
        return texts.error();
    }
    figure.evidenceTexts = std::move(*texts);
    return figure;
}

} // namespace

int runLog(const Arguments& arguments) {
    CLI::App app;
    setUp(app, "loadline log",
          "From a server's log to a verdict: what it does, what share of the memory bandwidth's ceiling that "
          "is, "
          "and which causes the log supports, excludes, or leaves open, with the lines that say so.",
          "  loadline log vllm.log\n"
          "  loadline log server.log --model gemma-3-12b-it-4bit --device M3-Max-40c\n"
          "  loadline log server.log.1.gz server.log --json\n"
          "  loadline log server.log --out verdict.md\n");
    LogOptions options;
    addOptions(app, options);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    options.files = oldestFirst(std::move(options.files));
    if (const Status apart = refuseToOverwrite(std::vector<std::string>{options.out}, options.files);
        !apart) {
        return fail(apart.error());
    }
    if (const Status possible = canWriteOutputs({options.out}); !possible) {
        return fail(possible.error());
    }
    const Interruption interruption;
    const Result<LogFigure> figure = readFigure(options, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!figure) {
        return fail(figure.error());
    }
    for (const Diagnostic& diagnostic : figure->log->diagnostics) {
        say("loadline: " + logSentenceOf(diagnostic));
    }
    if (!options.out.empty()) {
        const Status written =
            writeOutput(options.out, markdownOf(figure->verdict, *figure->log, figure->evidenceTexts));
        if (!written) {
            return fail(written.error());
        }
        if (options.out == standardOutput && !options.json) {
            return exitDone;
        }
    }
    const int printed = options.json ? printJson(logDocument(*figure)) : printText(logText(*figure));
    if (figure->log->known() || printed != exitDone) {
        return printed;
    }
    return fail(Error{"no line is of a known server", options.files.front(), "a log of one of those named"});
}

} // namespace loadline::app
