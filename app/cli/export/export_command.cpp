// loadline export: charts to files, without a display.
#include "app/asked/asked.h"
#include "app/cli/commands.h"
#include "app/cli/export/chart_options.h"
#include "app/cli/simulate/simulation_inputs.h"
#include "app/cli/terminal/load.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/progress_line.h"
#include "app/files/sample.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "app/simulation/self_check.h"
#include "app/study/study_sources.h"
#include "core/base/zone.h"
#include "core/session/files/session_formats.h"
#include "core/text/number_format.h"

#include <QApplication>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace loadline::app {
namespace {

std::string listOfCharts() {
    std::string text;
    for (const ChartSpec* chart : chartSpecs()) {
        text += fmt::format("{:<18}{}\n", chart->key, chart->description);
    }
    text += fmt::format("{:<18}{}\n", "page NAME", "all charts of a page as one picture:");
    for (const PageSpec& page : pageSpecs()) {
        text += fmt::format("{:<18}  {:<16}{}\n", "", page.key, page.tip);
    }
    return text + fmt::format("{:<18}{}\n", "all", "each of them, as PNG and CSV, into --out-dir");
}

/// Returns the charts that 'all' writes: every chart, in its most informative form.
std::vector<std::pair<std::string, ChartRequest>> everyChart(const ChartRequest& base) {
    std::vector<std::pair<std::string, ChartRequest>> all;
    for (const ChartSpec* chart : chartSpecs()) {
        if (chart->subject == ChartSubject::SelfCheck && base.asked.selfCheck.run.empty()) {
            continue;
        }
        if (chart->subject == ChartSubject::ServerLog && base.asked.log.files.empty()) {
            continue;
        }
        ChartRequest request = base;
        request.chart = chart;
        if (chart->variants.empty()) {
            all.emplace_back(chart->key, request);
            continue;
        }
        const AskedField& varied = askedField(chart->variants);
        for (const ask::Choice& choice : varied.field->access.choices) {
            varied.read(request.asked, choice.key);
            all.emplace_back(fmt::format("{}-by-{}", chart->key, choice.key), request);
        }
    }
    return all;
}

std::string drawingText(std::int64_t elapsedMs) {
    return "drawing, " + formatDuration(elapsedMs);
}

/// `lost`: set where something could not be read, and so is in no picture.
Status writeChart(const ChartRequest& request, ui::ExportOptions options,
                  const std::shared_ptr<const Corpus>& corpus, const std::vector<std::string>& files,
                  ChartMemory& memory, std::string& lost) {
    const auto drawing = [&] {
        const ProgressLine line(drawingText);
        return drawingFor(request, corpus, &memory);
    }();
    if (!drawing) {
        return drawing.error();
    }
    const bool alone = files.size() == 1; // of all charts some may hold nothing
    if (alone && request.chart->subject == ChartSubject::Cache && (*drawing)->table().rows.empty()) {
        return Error{"there is nothing to export: " + (*drawing)->sentence().toStdString(), "",
                     "another chart"};
    }
    const ChartRequest written = writtenDown(request, memory);
    options.caption = QString::fromStdString(captionFor(written, corpus));
    const std::string incomplete = incompleteFor({&written, 1}, memory, corpus);
    options.incomplete = QString::fromStdString(incomplete);
    lost = incomplete.empty() ? lost : incomplete;
    for (const std::string& file : files) {
        options.command = QString::fromStdString(commandFor(written, options, file));
        if (Status done = ui::exportDrawing(**drawing, file, options); !done) {
            return done;
        }
    }
    return Done{};
}

Status writePage(const ExportArguments& arguments, const std::shared_ptr<const Corpus>& corpus,
                 ChartMemory& memory, std::string& lost) {
    std::vector<ChartRequest> charts = chartsOf(*arguments.page, arguments.request);
    const Result<PagePicture> picture = [&] {
        const ProgressLine line(drawingText);
        return pictureOf(*arguments.page, charts, corpus, memory);
    }();
    if (!picture) {
        return picture.error();
    }
    for (const Error& error : picture->leftOut) {
        say("loadline: a chart is left out: " + error.sentence());
    }
    ui::ExportOptions options = arguments.options;
    for (ChartRequest& chart : charts) {
        chart = writtenDown(chart, memory);
    }
    options.caption = QString::fromStdString(captionFor(charts.front(), corpus));
    lost = incompleteFor(charts, memory, corpus);
    options.incomplete = QString::fromStdString(lost);
    options.command = QString::fromStdString(commandFor(*arguments.page, charts, options, arguments.out));
    return ui::exportDrawing(*picture->drawing, arguments.out, options);
}

std::string fileIn(const std::string& folder, const std::string& name) {
    return folder + "/" + name;
}

Status writeAll(const ExportArguments& arguments, const std::shared_ptr<const Corpus>& corpus,
                ChartMemory& memory, std::string& lost) {
    std::error_code failed;
    std::filesystem::create_directories(arguments.outDir, failed);
    if (failed) {
        return Error{"cannot make the folder: " + failed.message(), arguments.outDir, "another --out-dir"};
    }
    for (const auto& [name, request] : everyChart(arguments.request)) {
        const std::string file = fileIn(arguments.outDir, name);
        if (Status written =
                writeChart(request, arguments.options, corpus, {file + ".png", file + ".csv"}, memory, lost);
            !written && request.chart->asks != nullptr) {
            say("loadline: a chart is left out: " + written.error().sentence());
            continue; // it may ask for more than sessions
        } else if (!written) {
            return written;
        }
        say(file + ".png, .csv");
    }
    return Done{};
}

/// Every file that will be written.
std::vector<std::string> outputsOf(const ExportArguments& arguments) {
    if (!arguments.all) {
        return {arguments.out};
    }
    std::vector<std::string> files;
    for (const auto& [name, request] : everyChart(arguments.request)) {
        files.push_back(fileIn(arguments.outDir, name) + ".png");
        files.push_back(fileIn(arguments.outDir, name) + ".csv");
    }
    return files;
}

/// Returns the files that a chart reads beside the sessions.
std::vector<std::string> filesReadByChart(const ChartRequest& request) {
    std::vector<std::string> files = filesReadFor(request.simulation);
    if (request.against) {
        const std::vector<std::string> others = filesReadFor(*request.against);
        files.insert(files.end(), others.begin(), others.end());
    }
    const Asked& asked = request.asked;
    files.insert(files.end(),
                 {asked.kernels.compared, asked.selfCheck.run, asked.selfCheck.prompts, asked.cache.trace});
    files.insert(files.end(), asked.log.files.begin(), asked.log.files.end());
    if (const ask::Study* const study = request.chart->asks) {
        const std::vector<std::string> named = filesNamedIn(*study, request.questions[*study]);
        files.insert(files.end(), named.begin(), named.end());
    }
    return files;
}

bool needsSessionFiles(const ExportArguments& arguments) {
    if (arguments.page) {
        const std::vector<ChartRequest> charts = chartsOf(*arguments.page, arguments.request);
        return std::ranges::any_of(charts, needsCorpus);
    }
    return arguments.all || needsCorpus(arguments.request);
}

/// Before anything is read or computed.
Status canWriteAll(const ExportArguments& arguments, const std::vector<std::string>& outputs) {
    if (Status free = refuseToOverwrite(outputs, filesReadByChart(arguments.request)); !free) {
        return free;
    }
    std::error_code failed;
    if (arguments.all && !std::filesystem::is_directory(arguments.outDir, failed)) {
        return canWriteInto(arguments.outDir);
    }
    for (const std::string& output : outputs) {
        if (Status can = ui::canExport(output, arguments.options); !can) {
            return can;
        }
    }
    return Done{};
}

/// Qt's remarks about the machine (no XDG_RUNTIME_DIR ...) are none of the user's business here.
void onlyFailures(QtMsgType type, const QMessageLogContext& /*where*/, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        say("loadline: " + message.toStdString());
    }
}

} // namespace

int runExport(const Arguments& arguments) {
    ExportArguments wanted;
    if (const std::optional<int> status = parseExport(arguments, wanted)) {
        return *status;
    }
    if (wanted.list) {
        return printText(listOfCharts());
    }
    qInstallMessageHandler(onlyFailures);
    setShownZone(wanted.request.asked.sessions.clock);
    const std::vector<std::string> outputs = outputsOf(wanted);
    if (const Status can = canWriteAll(wanted, outputs); !can) {
        return fail(can.error());
    }
    std::vector<std::string> paths = wanted.request.paths;
    const bool reads = needsSessionFiles(wanted);
    if (paths.empty() && reads) {
        Result<std::string> sample = sampleFolder();
        if (!sample) {
            return fail(sample.error());
        }
        paths.push_back(*sample);
    }

    Interruption interruption;
    const Result<Loaded> loaded =
        reads ? load(paths, wanted.threads, wanted.all ? std::vector<std::string>{} : outputs, interruption)
              : Result<Loaded>(Loaded{});
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!loaded) {
        return fail(loaded.error());
    }
    if (reads && loaded->corpus->files.empty()) {
        return fail({"there are no sessions to draw: " + reasonForNothing(*loaded->corpus), paths.front(),
                     "a folder with session files of " + sessionPrograms(" or ") + " (*.jsonl)"});
    }

    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) {
        qputenv("QT_QPA_PLATFORM", "offscreen"); // nothing is shown, with a display or without
    }
    int count = 1;
    char name[] = "loadline";
    char* values[] = {name, nullptr};
    const QApplication application(count, values);
    ChartMemory memory;
    memory.stop = interruption.token();
    std::string lost;
    const Status written = wanted.all    ? writeAll(wanted, loaded->corpus, memory, lost)
                           : wanted.page ? writePage(wanted, loaded->corpus, memory, lost)
                                         : writeChart(wanted.request, wanted.options, loaded->corpus,
                                                      {wanted.out}, memory, lost);
    if (const std::optional<int> status = interruption.exitStatus()) {
        return *status;
    }
    if (!written) {
        return fail(written.error());
    }
    if (!lost.empty() && !loaded->losesData) { // else load() has said it
        say("loadline: " + lost);
    }
    return endedWith(exitDone, loaded->losesData || !lost.empty());
}

} // namespace loadline::app
