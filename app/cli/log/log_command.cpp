// loadline log: from a server's log to a verdict.
#include "app/cli/commands.h"
#include "app/cli/load.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/number_option.h"
#include "app/options/cost_option.h"
#include "app/options/literal_words.h"
#include "app/options/shell_words.h"
#include "app/serverlog/log_shown.h"
#include "core/base/file/spooled_stream.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/study/log_report.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>
#include <utility>

namespace loadline::app {
namespace {

constexpr NumberRange<double> weightBitsRange{1, 32};
constexpr NumberRange<double> kvBytesRange{0.25, 8};
constexpr NumberRange<double> bandwidthRange{1, 1e6};
constexpr NumberRange<double> gbPerTokenRange{0.001, 1e5};
constexpr NumberRange<double> kvPerTokenRange{1, 1e9};
constexpr NumberRange<double> secondsRange{0, 1e9};
constexpr NumberRange<int> devicesRange{1, 1024};

struct LogOptions {
    std::vector<std::string> files;
    ServedOn served;
    LogRange range;
    std::string shapes; ///< of a model that is in no table; "": none
    bool json = false;
    std::string out;
};

/// A model by its key, or by a name that tells its bits too.
void takeModel(const std::string& text, ServedOn& served) {
    if (modelNamed(text).model == nullptr) {
        std::string keys;
        for (const CacheModel& model : cacheModels()) {
            keys += (keys.empty() ? "" : ", ") + std::string(model.key);
        }
        throw notTaken("--model", "a name with one of: " + keys, text);
    }
    takeNamed(served, text);
}

/// A model by its own shapes, instead of a name.
Status takeShapes(LogOptions& options) {
    if (options.shapes.empty()) {
        return Done{};
    }
    const Result<ModelShapes> shapes = resolveShapes(options.shapes);
    if (!shapes) {
        return shapes.error();
    }
    if (!shapes->attention) {
        return Error{"the shapes tell nothing of attention, so the KV cache is not known", options.shapes,
                     "\"attention\" in them"};
    }
    options.served.own = ownModelOf(*shapes);
    options.served.model = &options.served.own->model;
    if (options.served.bitsPerWeight == 0) {
        options.served.bitsPerWeight = fp16Bits;
    }
    return Done{};
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
    addWords(app, "FILE", options.files,
             "Logs of a server, plain or compressed (gz, zst, xz), \"-\" for standard input, or FIFOs; "
             "several are one that was rotated: "
             "log.2.gz before log.1 before log, others as they are named")
        ->required()
        ->option_text("...");
    addTaken(app, "--model", "NAME",
             "What is served, by a name that holds a model's key, and may tell its bits "
             "(mlx-community/gemma-3-12b-it-4bit); without it the log's",
             "", [&options](const std::string& text) { takeModel(text, options.served); });
    app.add_option("--shapes", options.shapes,
                   "Another model by its shapes: a preset's key, or a FILE.json as `simulate` takes it")
        ->option_text("SHAPES");
    addTaken(app, "--device", "KEY", "What it is served on (M3-Max-40c, H100-SXM, ...)", "",
             [&options](const std::string& text) { takeDevice(text, options.served); });
    addNumber(app, "--bandwidth-gb-per-s", options.served.bandwidthGBs, bandwidthRange,
              "Memory bandwidth of all devices together, 1e9 bytes (the device's)");
    addNumber(app, "--tensor-parallel", options.served.devices, devicesRange,
              "Devices that share each step (as the log tells, else 1)");
    addNumber(app, "--gb-per-token", options.served.weightsGBPerToken, gbPerTokenRange,
              "1e9 bytes of weights that one stream reads for a token, of any model (by the model's shapes)");
    addNumber(
        app, "--kv-bytes-per-token", options.served.kvBytesPerToken, kvPerTokenRange,
        "Bytes of KV cache that a token of context takes, on all devices together (by the model's shapes)");
    addNumber(app, "--bits", options.served.bitsPerWeight, weightBitsRange,
              "Bits of a weight, scales included (as the model's name tells)");
    addNumber(app, "--kv-bytes", options.served.kvBytesPerValue, kvBytesRange,
              "Bytes of a value of K or V (2)");
    addNumber(app, "--from", options.range.fromS, secondsRange,
              "The verdict is on the lines from so many seconds after the log's first time (0)");
    addNumber(app, "--to", options.range.toS, secondsRange, "... to so many (the last)");
    app.add_flag("--json", options.json, "One JSON document instead of text")->option_text(" ");
    app.add_option("--out", options.out, "Write the verdict as Markdown")->option_text("FILE.md");
}

/// The paths that files are read from (of a stream, its copy's) and their names.
struct LogInputs {
    std::vector<std::string> paths, names;
    std::vector<SpooledStream> streams;
};

Result<LogInputs> inputsOf(const std::vector<std::string>& files, const std::stop_token& stop,
                           Progress& progress) {
    LogInputs inputs;
    for (const std::string& file : files) {
        inputs.names.push_back(file == standardInput ? "standard input" : file);
        if (!isStream(file)) {
            inputs.paths.push_back(file);
            continue;
        }
        Result<SpooledStream> stream = SpooledStream::read(file, stop, progress, whyNoLog);
        if (!stream) {
            return stream.error();
        }
        inputs.paths.push_back(stream->path());
        inputs.streams.push_back(std::move(*stream));
    }
    return inputs;
}

/// True if Ctrl-C ended a stream without an end of its own, as of `kubectl logs -f`: the lines until then are
/// judged.
bool endsStreams(const LogInputs& inputs, const Interruption& interruption) {
    constexpr int bySignal = 128;
    return !inputs.streams.empty() && interruption.exitStatus() == bySignal + SIGINT;
}

/// Why the log has no lines within a range that was given; nothing if it has.
std::optional<Error> problemOf(const LogRange& range, const ServerLog& log) {
    const auto words = [&] { return fmt::format("--from {} --to {}", range.fromS, range.toS); };
    if (range.toS > 0 && range.toS <= range.fromS) {
        return Error{"the range ends before it begins", words(), "--to after --from, or none: the log's end"};
    }
    if (range.fromS > log.lengthS || (range.toS > 0 && log.clock == LogClock::None)) {
        return Error{log.clock == LogClock::None
                         ? std::string("the log tells no times")
                         : fmt::format("the log ends {} after its first time", formatSeconds(log.lengthS)),
                     words(), fmt::format("--from 0 to {:.0f}", log.lengthS)};
    }
    return std::nullopt;
}

/// Sets `ended` if Ctrl-C ended a stream.
Result<LogFigure> readFigure(const LogOptions& options, const Interruption& interruption, bool& ended) {
    Progress progress;
    const ProgressLine line("reading", progress);
    const Result<LogInputs> inputs = inputsOf(options.files, interruption.token(), progress);
    if (!inputs) {
        return inputs.error();
    }
    ended = endsStreams(*inputs, interruption);
    const std::stop_token stop = ended ? std::stop_token() : interruption.token();
    Result<ServerLog> log = readServerLog(inputs->paths, stop, progress, inputs->names);
    if (!log) {
        return log.error();
    }
    LogRange range = options.range;
    if (const auto problem = problemOf(range, *log)) {
        return *problem;
    }
    range.toS = range.fromS > 0 && range.toS == 0 ? std::max(log->lengthS, range.fromS + 1) : range.toS;
    LogFigure figure = logFigureOf(std::make_shared<const ServerLog>(std::move(*log)), options.served, range);
    const std::vector<LogLine> evidence = evidenceOf(figure.verdict);
    Result<std::vector<std::string>> texts = readLogLines(inputs->paths, evidence, stop);
    if (!texts) {
        return texts.error();
    }
    figure.evidenceTexts = std::move(*texts);
    return figure;
}

std::string commandOf(const Arguments& arguments) {
    std::string words = "loadline log";
    for (const auto& argument : arguments) {
        words += " " + quotedForShell(std::string(argument));
    }
    return words;
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
          "  loadline log server.log --out verdict.md\n"
          "  kubectl logs POD | loadline log -\n"
          "  loadline log server.log --gb-per-token 3.2 --kv-bytes-per-token 98304 --device L40S\n");
    LogOptions options;
    addOptions(app, options);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    if (const Status shapes = takeShapes(options); !shapes) {
        return fail(shapes.error());
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
    bool ended = false;
    const Result<LogFigure> figure = readFigure(options, interruption, ended);
    if (const std::optional<int> status = interruption.exitStatus(); status && !ended) {
        return *status;
    }
    if (ended) {
        say("loadline: interrupted: the verdict is on what came until then");
    }
    if (!figure) {
        return fail(figure.error());
    }
    for (const Diagnostic& diagnostic : figure->log->diagnostics) {
        say("loadline: " + logSentenceOf(diagnostic));
    }
    if (!options.out.empty()) {
        const Status written =
            writeOutput(options.out, markdownOf(figure->verdict, *figure->log, figure->evidenceTexts,
                                                {writtenNow(), commandOf(arguments)}));
        if (!written) {
            return fail(written.error());
        }
        if (options.out == standardOutput && !options.json) {
            return exitDone;
        }
    }
    const int printed = printReport(ask::logReport(*figure), options.json);
    if (figure->log->known() || printed != exitDone) {
        return printed;
    }
    return fail(Error{"no line is of a known server", options.files.front(), "a log of one of those named"});
}

} // namespace loadline::app
