// loadline KEY of every study.
#include "app/cli/study/study_command.h"

#include "app/cli/terminal/interruption.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/parse.h"
#include "app/cli/terminal/progress_line.h"
#include "app/faces/field_options.h"
#include "app/study/study_sources.h"
#include "core/ask/described.h"
#include "core/ask/write_text.h"
#include "core/text/number_format.h"
#include "core/text/plain_words.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace loadline::app {
namespace {

struct StudyOptions {
    ask::Question question;
    std::vector<ask::Field> fields; ///< of the study; one may stand without a name
    std::vector<std::string> paths;
    unsigned threads = 0;
    Output output;
    bool markdown = false;
    std::string table; ///< Table::path of the CSV; "": the first
};

void addOptions(CLI::App& app, const ask::Study& study, StudyOptions& options) {
    if (readsSessions(study)) {
        addPaths(app, options.paths);
    }
    options.fields.assign(study.fields().begin(), study.fields().end());
    for (ask::Field& field : options.fields) {
        field.traits.command.byPosition = field.key == study.byPosition;
    }
    addFields(app, options.fields, options.question.data());
    addThreads(app, options.threads, readsSessions(study) ? "read and compute" : "compute");
    addOutput(app, options.output, {.csv = "Write a table to FILE ('-': standard output)"});
    app.add_flag("--markdown", options.markdown, "Markdown instead of text")->option_text(" ");
    app.add_option("--table", options.table, "The table of --csv, as --json names it (the first)")
        ->option_text("NAME");
    app.callback([&options] {
        if (options.output.json && options.markdown) {
            throw CLI::ValidationError("--markdown", "is another form than --json: give one");
        }
        if (!options.table.empty() && options.output.csv.empty()) {
            throw CLI::ValidationError("--table", "names the table of --csv: give --csv FILE");
        }
        if (options.output.csv == standardOutput && options.markdown) {
            throw CLI::ValidationError("--csv -", "leaves no room for another form: name a file");
        }
    });
}

Status writeTable(const ask::Report& report, const StudyOptions& options) {
    std::vector<std::string> paths;
    for (const auto& part : report.parts) {
        const auto* const table = std::get_if<ask::Table>(&part);
        if (table == nullptr || table->path.empty() || table->within) {
            continue;
        }
        if (options.table.empty() || table->path == options.table) {
            return writeCsvTo(options.output.csv, *table);
        }
        paths.push_back(table->path);
    }
    return paths.empty() ? Error{"this answer has no table", "", "--json"}
                         : Error{"there is no such table", options.table, commaList(paths)};
}

int print(const ask::Report& report, const StudyOptions& options) {
    if (options.markdown) {
        return printText(markdownOfReport(report));
    }
    return options.output.csv == standardOutput ? exitDone : printReport(report, options.output.json);
}

} // namespace

int runStudy(const ask::Study& study, const Arguments& arguments) {
    CLI::App app;
    setUp(app, fmt::format("loadline {}", study.key), fmt::format("{}.", study.tip),
          std::string(study.examples));
    StudyOptions options;
    options.question = study.defaults();
    addOptions(app, study, options);
    if (const std::optional<int> status = parse(app, arguments)) {
        return *status;
    }
    const std::vector<std::string> read = filesNamedIn(study, options.question);
    if (const Status free = refuseToOverwrite(std::vector{options.output.csv}, read); !free) {
        return fail(free.error());
    }
    Interruption interruption;
    Loaded loaded;
    if (readsSessions(study)) {
        Result<Loaded> result = load(options.paths, options.threads, {options.output.csv}, interruption);
        if (const std::optional<int> status = interruption.exitStatus()) {
            return *status;
        }
        if (!result) {
            return fail(result.error());
        }
        loaded = std::move(*result);
        sayIfEmpty(loaded);
    } else if (const Status can = canWriteOutputs({options.output.csv}); !can) {
        return fail(can.error());
    }
    const Scoped scoped =
        loaded.corpus
            ? std::make_shared<const ScopedCorpus>(scopedCorpus(loaded.corpus, {}, TurnMethod::ApiCall))
            : nullptr;
    WorkProgress progress;
    const ask::Run run{.stop = interruption.token(), .progress = &progress, .threads = options.threads};
    const Result<ask::Answer> answer = [&] {
        const ProgressLine line([&](std::int64_t elapsedMs) {
            return fmt::format("computing, {:.0f} %, {}", 100 * progress.share(), formatDuration(elapsedMs));
        });
        return study.compute(options.question, sourcesOf(study, scoped), run);
    }();
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!answer) {
        return fail(answer.error());
    }
    const ask::Report report = described(study, *answer, options.question);
    if (report.problem) {
        return fail(*report.problem);
    }
    if (!options.output.csv.empty()) {
        if (const Status written = writeTable(report, options); !written) {
            return fail(written.error());
        }
    }
    return endedWith(print(report, options), loaded.losesData);
}

} // namespace loadline::app
