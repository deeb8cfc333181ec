// loadline log: from a server's log to a verdict.
#include "app/cli/commands.h"
#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/field_options.h"
#include "app/options/cost_option.h"
#include "app/options/shell_words.h"
#include "app/serverlog/log_shown.h"
#include "core/ask/field_row.h"
#include "core/base/file/spooled_stream.h"
#include "core/serverlog/files/read_server_log.h"
#include "core/serverlog/study/log_question.h"
#include "core/serverlog/study/log_report.h"
#include "core/text/number_format.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <optional>
#include <utility>

namespace loadline::app {
namespace {

struct LogOptions {
    ServerLogQuestion question;
    std::string shapes; ///< of a model that is in no table; "": none
    Output output;
};

/// A model by its own shapes, instead of a name.
Result<ServedOn> servedOn(const LogOptions& options) {
    ServedOn served = servedOn(options.question.served);
    if (options.shapes.empty()) {
        return served;
    }
    const Result<ModelShapes> shapes = resolveShapes(options.shapes);
    if (!shapes) {
        return shapes.error();
    }
    if (!shapes->attention) {
        return Error{"the shapes tell nothing of attention, so the KV cache is not known", options.shapes,
                     "\"attention\" in them"};
    }
    served.own = ownModelOf(*shapes);
    served.model = &served.own->model;
    served.bitsPerWeight = served.bitsPerWeight == 0 ? fp16Bits : served.bitsPerWeight;
    return served;
}

/// The files, and what stands behind the question's options.
ask::Fields filesAndShapes() {
    using Q = LogOptions;
    using ask::row;
    static const std::array rows = {
        row("files", ask::inWords<Q>(),
            {"files", "Logs of a server, plain or compressed (gz, zst, xz), \"-\" for standard input, or "
                      "FIFOs; several are one that was rotated: "
                      "log.2.gz before log.1 before log, others as they are named"},
            {}, {}, {},
            {.text = ask::textsOf<&Q::question, &ServerLogQuestion::files>("FILE"),
             .command = {.byPosition = true, .isRequired = true, .words = 0}}),
        row("shapes", ask::bound<&Q::shapes>(),
            {"shapes", "Another model by its shapes: a preset's key, or a FILE.json as `simulate` takes it"},
            {}, {}, {}, {.text = {.form = "SHAPES"}})};
    return rows;
}

void addOptions(CLI::App& app, LogOptions& options) {
    addFields(app, filesAndShapes().first(1), &options);
    addFields(app, logCommandFields(), &options.question);
    addFields(app, filesAndShapes().subspan(1), &options);
    addOutput(app, options.output, {.out = "Write the verdict as Markdown", .outForm = "FILE.md"});
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
Result<LogFigure> readFigure(const LogOptions& options, const ServedOn& served,
                             const Interruption& interruption, bool& ended) {
    Progress progress;
    const ProgressLine line("reading", progress);
    const Result<LogInputs> inputs = inputsOf(options.question.files, interruption.token(), progress);
    if (!inputs) {
        return inputs.error();
    }
    ended = endsStreams(*inputs, interruption);
    const std::stop_token stop = ended ? std::stop_token() : interruption.token();
    Result<ServerLog> log = readServerLog(inputs->paths, stop, progress, inputs->names);
    if (!log) {
        return log.error();
    }
    LogRange range = options.question.range;
    if (const auto problem = problemOf(range, *log)) {
        return *problem;
    }
    range.toS = range.fromS > 0 && range.toS == 0 ? std::max(log->lengthS, range.fromS + 1) : range.toS;
    LogFigure figure = logFigureOf(std::make_shared<const ServerLog>(std::move(*log)), served, range);
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
    const Result<ServedOn> served = servedOn(options);
    if (!served) {
        return fail(served.error());
    }
    options.question.files = oldestFirst(std::move(options.question.files));
    if (const Status apart =
            refuseToOverwrite(std::vector<std::string>{options.output.out}, options.question.files);
        !apart) {
        return fail(apart.error());
    }
    if (const Status possible = canWriteOutputs({options.output.out}); !possible) {
        return fail(possible.error());
    }
    const Interruption interruption;
    bool ended = false;
    const Result<LogFigure> figure = readFigure(options, *served, interruption, ended);
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
    if (!options.output.out.empty()) {
        const Status written =
            writeOutput(options.output.out, markdownOf(figure->verdict, *figure->log, figure->evidenceTexts,
                                                       {writtenNow(), commandOf(arguments)}));
        if (!written) {
            return fail(written.error());
        }
        if (options.output.out == standardOutput) {
            return exitDone;
        }
    }
    const int printed = printReport(ask::logReport(*figure), options.output.json);
    if (figure->log->known() || printed != exitDone) {
        return printed;
    }
    return fail(
        Error{"no line is of a known server", options.question.files.front(), "a log of one of those named"});
}

} // namespace loadline::app
