// Runs CLI11 on arguments and turns its exceptions into exit statuses.
#include "app/cli/terminal/parse.h"

#include "app/cli/help/help_form.h"
#include "app/cli/terminal/output.h"
#include "app/faces/field_options.h"
#include "app/faces/not_taken.h"
#include "app/faces/number_words.h"
#include "core/ask/field_row.h"

#include <CLI/CLI.hpp>

#include <array>
#include <string_view>

namespace loadline::app {
namespace {

ask::Fields pathFields() {
    using Paths = std::vector<std::string>;
    static const std::array rows = {
        ask::row("paths", ask::inWords<Paths>(),
                 {"paths", "Session files, or folders that are searched for them"}, {}, {}, {},
                 {.text = {.form = "PATH",
                           .read =
                               [](void* paths, std::string_view path) {
                                   static_cast<Paths*>(paths)->emplace_back(path);
                                   return true;
                               },
                           .several = [](const void* paths) { return *static_cast<const Paths*>(paths); }},
                  .command = {.byPosition = true, .isRequired = true, .words = 0}})};
    return rows;
}

} // namespace

void setUp(CLI::App& app, const std::string& name, const std::string& summary, const std::string& examples) {
    app.name(name);
    app.description(summary);
    if (!examples.empty()) {
        app.footer("\nExamples:\n" + examples);
    }
    app.get_formatter()->column_width(30);
    app.get_formatter()->label("REQUIRED", "");
    app.set_help_flag("-h,--help", "This text");
}

void addPaths(CLI::App& app, std::vector<std::string>& paths) {
    addFields(app, pathFields(), &paths);
}

void addThreads(CLI::App& app, unsigned& threads, const std::string& work) {
    const std::string name = "--threads";
    app.add_option_function<std::string>(
           name,
           [&threads, name](const std::string& text) {
               const auto count = parseNumber(text, threadCounts);
               if (!count) {
                   throw notTaken(name, wordsOf(threadCounts), text);
               }
               threads = *count;
           },
           fmt::format("How many threads {}; the results do not depend on it [{}]", work,
                       wordsOf(threadCounts)))
        ->option_text("N");
}

void addOutput(CLI::App& app, Output& output, const OutputHelp& help) {
    app.add_flag("--json", output.json, help.json)->option_text(" ");
    if (!help.csv.empty()) {
        app.add_option("--csv", output.csv, help.csv)->option_text("FILE");
    }
    if (!help.out.empty()) {
        app.add_option("--out", output.out, help.out)->option_text(help.outForm);
    }
    app.final_callback([&output] {
        const bool toOut = output.out == standardOutput;
        if (output.csv == standardOutput && (output.json || toOut)) {
            throw CLI::ValidationError("--csv -", "leaves no room for another form: name a file");
        }
        if (output.json && toOut) {
            throw CLI::ValidationError("--out -", "leaves no room for --json: name a file");
        }
    });
}

std::optional<int> parse(CLI::App& app, const Arguments& arguments) {
    if (arguments.size() == 1) {
        if (const std::optional<HelpForm> form = helpFormFrom(arguments[0])) {
            return printText(helpIn(*form, commandHelpOf(app)));
        }
    }
    try {
        parseLiterally(app, arguments);
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        return printText(app.help());
    } catch (const CLI::ParseError& error) {
        say(app.get_name() + ": " + withoutMarks(error.what()));
        std::string usage = CLI::Formatter().make_usage(&app, app.get_name());
        usage.erase(0, usage.find_first_not_of('\n'));
        usage.erase(usage.find_last_not_of('\n') + 1);
        sayLines(usage);
        say(app.get_name() + " --help tells more.");
        return exitUsage;
    }
}

} // namespace loadline::app
