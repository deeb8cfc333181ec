// Runs CLI11 on arguments and turns its exceptions into exit statuses.
#include "app/cli/parse.h"

#include "app/cli/output.h"

#include <algorithm>

namespace loadline::app {
namespace {

// CLI11 splits values of the form "[a,b]" into lists, but such names of files are legal. A mark in front
// keeps them whole; it is taken away before anybody sees the value.
constexpr char mark = '\x01';

std::string withMark(const std::string& argument) {
    const bool list = argument.size() > 1 && argument.front() == '[' && argument.back() == ']';
    return list || (!argument.empty() && argument.front() == mark) ? mark + argument : argument;
}

std::string withoutMark(const std::string& value) {
    return !value.empty() && value.front() == mark ? value.substr(1) : value;
}

} // namespace

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

std::string brokenAfterCommas(std::string list) {
    constexpr std::size_t width = 70;
    std::size_t begin = 0;
    while (list.size() - begin > width) {
        const std::size_t comma = list.rfind(", ", begin + width);
        if (comma == std::string::npos || comma < begin) {
            break;
        }
        list[comma + 1] = '\n';
        begin = comma + 2;
    }
    return list;
}

void parseLiterally(CLI::App& app, const Arguments& arguments) {
    std::vector<std::string> reversed; // the order that CLI11 wants
    std::transform(arguments.rbegin(), arguments.rend(), std::back_inserter(reversed), withMark);
    for (CLI::Option* option : app.get_options()) {
        if (option->get_type_size() > 0) {
            option->transform(withoutMark, "");
        }
    }
    app.parse(std::move(reversed));
}

std::optional<int> parse(CLI::App& app, const Arguments& arguments) {
    try {
        parseLiterally(app, arguments);
        return std::nullopt;
    } catch (const CLI::CallForHelp&) {
        return printText(app.help());
    } catch (const CLI::ParseError& error) {
        std::string what = error.what();
        what.erase(std::remove(what.begin(), what.end(), mark), what.end());
        say(app.get_name() + ": " + what);
        std::string usage = CLI::Formatter().make_usage(&app, app.get_name());
        usage.erase(0, usage.find_first_not_of('\n'));
        usage.erase(usage.find_last_not_of('\n') + 1);
        say(usage + "\n" + app.get_name() + " --help tells more.");
        return exitUsage;
    }
}

} // namespace loadline::app
