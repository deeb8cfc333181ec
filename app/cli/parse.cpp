// Runs CLI11 on arguments and turns its exceptions into exit statuses.
#include "app/cli/parse.h"

#include "app/cli/output.h"

#include <CLI/CLI.hpp>

namespace loadline::app {
void setUp(CLI::App& app, const std::string& name, const std::string& summary, const std::string& examples) {
    app.name(name);
    app.description(summary);
    app.footer("\nExamples:\n" + examples);
    app.get_formatter()->column_width(30);
    app.get_formatter()->label("REQUIRED", "");
    app.set_help_flag("-h,--help", "This text");
}

void addPaths(CLI::App& app, std::vector<std::string>& paths) {
    app.add_option("PATH", paths, "Session files, or folders that are searched for them")
        ->required()
        ->option_text("...");
}

void addThreads(CLI::App& app, unsigned& threads, const std::string& work) {
    app.add_option("--threads", threads, "How many threads " + work + "; the results do not depend on it")
        ->check(CLI::Range(1, 1024))
        ->option_text("N");
}

std::optional<int> parse(CLI::App& app, const Arguments& arguments) {
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
        say(usage + "\n" + app.get_name() + " --help tells more.");
        return exitUsage;
    }
}

} // namespace loadline::app
