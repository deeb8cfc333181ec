// loadline cache: what is reused, what it takes to keep it, what it frees.
#include "app/cli/commands.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/field_options.h"
#include "core/ask/field_row.h"
#include "core/cache/study/cache_report.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/trace/write_trace.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <span>
#include <utility>

namespace loadline::app {
namespace {

constexpr Tokens mooncakeBlockTokens = 512; // its lines do not tell

struct CacheOptions {
    CacheQuestion question;
    std::vector<std::string> paths;
    unsigned threads = 0;
    Output output;
    std::string exportAs;
};

bool isTraceForm(std::string_view text) {
    return text == "mooncake" || text == "weka";
}

/// The paths, and what stands behind the question's options.
ask::Fields pathsAndExport() {
    using Q = CacheOptions;
    using ask::row;
    static const std::array rows = {
        row("paths", ask::inWords<Q>(),
            {"paths", "Session files, request traces (Mooncake, kv-cache-tester, Azure, BurstGPT, "
                      "Qwen-Bailian), archives of traces, or folders of either"},
            {}, {}, {},
            {.text = ask::textsOf<&Q::paths>("PATH"),
             .command = {.byPosition = true, .isRequired = true, .words = 0}}),
        row("export-trace", ask::bound<&Q::exportAs>(),
            {"trace to write",
             "Write the workload as a trace without text, paths or names, to replay it elsewhere"},
            {}, {}, {}, {.text = {.form = "mooncake|weka", .read = ask::readIf<isTraceForm, &Q::exportAs>}})};
    return rows;
}

void addOptions(CLI::App& app, CacheOptions& options) {
    addFields(app, pathsAndExport().first(1), &options);
    addFields(app, cacheCommandFields(), &options.question);
    addThreads(app, options.threads, "read and count");
    addOutput(app, options.output, {.out = "The trace's file; of weka a new folder, a file a session"});
    addFields(app, pathsAndExport().subspan(1), &options);
    CLI::Option* out = app.get_option("--out");
    CLI::Option* exportAs = app.get_option("--export-trace");
    exportAs->needs(out);
    out->needs(exportAs);
}

Status writeTrace(const CacheOptions& options, const BlockTrace& trace) {
    if (trace.blockTokens == 0) {
        return Error{"cannot export the trace: it tells no blocks", options.paths.front(),
                     "sessions, or a trace with hash_ids"};
    }
    if (options.exportAs == "mooncake") {
        if (trace.blockTokens != mooncakeBlockTokens) {
            say(fmt::format("loadline: blocks of {} tokens, which such a trace does not tell: {} are usual",
                            trace.blockTokens, mooncakeBlockTokens));
        }
        return writeOutput(options.output.out, mooncakeLines(trace));
    }
    if (!trace.conversations) {
        return Error{"cannot export the trace as sessions: it does not tell who follows whom",
                     options.paths.front(), "--export-trace mooncake"};
    }
    std::error_code error;
    std::filesystem::create_directories(options.output.out, error);
    if (error) {
        return Error{"cannot make the folder: " + error.message(), options.output.out, "another folder"};
    }
    for (const WekaFile& file : wekaFiles(trace)) {
        if (Status written = writeFile(options.output.out + "/" + file.name, file.text); !written) {
            return written;
        }
    }
    return Done{};
}

/// Whether what --out names can be written, and is nothing that is read.
Status canExport(const CacheOptions& options) {
    if (options.exportAs.empty()) {
        return Done{};
    }
    if (Status apart = refuseToOverwrite(std::vector<std::string>{options.output.out}, options.paths);
        !apart) {
        return apart;
    }
    std::error_code error;
    if (options.exportAs == "mooncake") {
        if (options.output.out != standardOutput &&
            std::filesystem::is_regular_file(options.output.out, error)) {
            return Error{"cannot export the trace: the file is there already", options.output.out,
                         "a new file"};
        }
        return canWriteOutputs({options.output.out});
    }
    if (options.output.out == standardOutput) {
        return Error{"cannot export the trace: it is a file for each session", options.output.out,
                     "a new folder, or --export-trace mooncake"};
    }
    if (std::filesystem::exists(options.output.out, error) &&
        !std::filesystem::is_empty(options.output.out, error)) {
        return Error{"cannot export the trace: the folder is not empty", options.output.out, "a new folder"};
    }
    return canWriteInto(options.output.out);
}

Result<CacheInput> readTraces(const CacheOptions& options, const CacheFiles& found,
                              const Interruption& interruption) {
    for (const PathDiagnostic& one : found.diagnostics) {
        say("loadline: " + one.path + ": " + diagnosticSentence(one.diagnostic));
    }
    Progress progress;
    const ProgressLine line("reading", progress);
    Result<CacheRequests> requests =
        cacheRequestsIn(found, {options.threads, options.question.blockTokens.value_or(0), {}},
                        interruption.token(), progress, options.question.agents());
    if (!requests) {
        return requests.error();
    }
    if (const std::string lost = incompleteSentence(*requests->files); !lost.empty()) {
        say("loadline: " + lost);
    }
    return CacheInput{options.paths, std::move(*requests), {}};
}

Result<CacheInput> readSessions(const CacheOptions& options, const std::vector<std::string>& paths,
                                const Interruption& interruption) {
    Result<Loaded> loaded = load(paths, options.threads, {}, interruption);
    if (!loaded) {
        return loaded.error();
    }
    if (loaded->corpus->files.empty()) {
        return Error{"there is nothing to count: " + reasonForNothing(*loaded->corpus), paths.front(),
                     "sessions, request traces or archives of traces"};
    }
    const Selection everything = select(*loaded->corpus, {}, TurnMethod::ApiCall);
    const Tokens usual = options.exportAs == "mooncake" ? mooncakeBlockTokens : sessionBlockTokens;
    CacheInput input{options.paths,
                     cacheRequestsOf(loaded->corpus, everything, options.question.blockTokens.value_or(usual),
                                     interruption.token(), options.question.agents()),
                     compositionsOf(*loaded->corpus, everything)};
    if (input.requests.callsLeftOut > 0) {
        say(fmt::format("loadline: {} of absurd length left out of the blocks",
                        counted(input.requests.callsLeftOut, "call")));
    }
    return input;
}

Result<CacheInput> readInput(const CacheOptions& options, const Interruption& interruption) {
    const Result<CacheFiles> found = cacheFilesIn(options.paths, interruption.token());
    if (!found) {
        return found.error();
    }
    return found->traces.empty() ? readSessions(options, found->sessions, interruption)
                                 : readTraces(options, *found, interruption);
}

Result<CacheAnswer> answerWithProgress(CacheInput input, const CacheOptions& options,
                                       const Interruption& interruption) {
    WorkProgress progress;
    const ProgressLine line([&progress](std::int64_t elapsedMs) {
        return fmt::format("counting, {} of {} parts, {}", progress.done.load(), progress.planned.load(),
                           formatDuration(elapsedMs));
    });
    return cacheAnswerOf(std::move(input), options.question,
                         {.stop = interruption.token(), .progress = &progress, .threads = options.threads});
}

/// Says what became of --sessions where not so many were counted.
void saySessions(const CacheAnswer& answer) {
    const double sessions = answer.machine.sessions.value_or(0);
    if (answer.machine.sessions && answer.asked == nullptr) {
        say(fmt::format("loadline: --sessions {:g} is not counted: {}", sessions,
                        answer.caches().conversations
                            ? fmt::format("no session has {} requests or more", leastSharedRequests)
                            : std::string("the trace does not tell sessions apart")));
    } else if (answer.asked != nullptr && static_cast<double>(answer.asked->sessions) < sessions) {
        say(fmt::format("loadline: --sessions {:g}: {} with {} requests or more are there, and counted",
                        sessions, counted(answer.asked->sessions, "session"), leastSharedRequests));
    }
}

} // namespace

int runCache(const Arguments& arguments) {
    CLI::App app;
    setUp(
        app, "loadline cache",
        "What prompts repeat, what it takes to keep that in a KV cache, and what it frees. Of sessions: what "
        "the provider's cache read, wrote and lost; of request traces: what an unlimited cache and an "
        "engine's would hit.",
        "  loadline cache ~/.claude/projects\n"
        "  loadline cache conversation_trace.jsonl --capacity-blocks 1000,10000,100000 --json\n"
        "  loadline cache weka_traces.tar.xz --ttl-s 60,300,3600 --split gpus=64,prefill=0.5\n"
        "  loadline cache ~/.claude/projects --model qwen3-coder-480b-a35b --tiers h100-node,HBM:300 "
        "--gpu-hour 2\n"
        "  loadline cache ~/.claude/projects --export-trace mooncake --out trace.jsonl\n");
    CacheOptions options;
    addOptions(app, options);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    options.question.splitGiven = app.count("--split") > 0;
    if (const Result<TierQuestion> possible = options.question.machine.resolved(); !possible) {
        return fail(possible.error());
    }
    if (const Status possible = canExport(options); !possible) {
        return fail(possible.error());
    }
    const auto start = std::chrono::steady_clock::now();
    const Interruption interruption;
    Result<CacheInput> input = readInput(options, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!input) {
        return fail(input.error());
    }
    if (input->requests.provider && input->requests.provider->input.n == 0) {
        const std::uint64_t agents = input->requests.provider->subAgentCalls;
        return fail(Error{agents == 0 ? std::string("no main agent made an API call here")
                                      : fmt::format("no main agent made an API call here: all {} are of "
                                                    "sub-agents, which --sub-agents counts",
                                                    agents),
                          options.paths.front(), "a folder of sessions that were used, or a request trace"});
    }
    Result<CacheAnswer> answer = answerWithProgress(std::move(*input), options, interruption);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!answer) {
        return fail(answer.error());
    }
    saySessions(*answer);
    answer->seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (!options.exportAs.empty()) {
        const CacheFigure& figure = *answer->figure;
        if (figure.ofSessions()) {
            say(fmt::format(
                "loadline: the trace's blocks are rebuilt from usage: an unlimited cache hits {} of its "
                "tokens, the provider's read {}",
                formatShare(cachedShareOf(std::nullopt, figure.caches.unlimited)),
                figure.ofProvider() ? formatShare(figure.hitRate()) : "is not recorded"));
        }
        if (const Status written = writeTrace(options, figure.requests.trace); !written) {
            return fail(written.error());
        }
    }
    const int written = options.output.out == standardOutput
                            ? exitDone // the trace went there
                            : printReport(ask::cacheReport(*answer, options.question), options.output.json);
    return endedWith(written, !answer->incomplete().empty());
}

} // namespace loadline::app
