// Standard output and standard error.
#include "app/cli/terminal/output.h"

#include "app/cli/help/command.h"
#include "core/ask/write_csv.h"
#include "core/ask/write_text.h"
#include "core/text/json/visible_json.h"
#include "core/text/visible_text.h"

#include <unistd.h>

#include <algorithm>

namespace loadline::app {
namespace {

constexpr const char* standardOutputName = "standard output";

int toStandardOutput(const std::string& text) {
    const Status written = writeTo(STDOUT_FILENO, text, standardOutputName);
    return written ? exitDone : fail(written.error());
}

/// Puts the pieces that `write` gives to its sink into a file, or for "-" on standard output.
template <typename Write>
Status writePieces(const std::string& path, const Write& write) {
    if (path != standardOutput) {
        NewFile file(path);
        write([&file](std::string_view piece) {
            file.append(piece);
            return true;
        });
        return file.commit();
    }
    Status written = Done{};
    write([&written](std::string_view piece) {
        written = writeTo(STDOUT_FILENO, piece, standardOutputName);
        return written.hasValue();
    });
    return written;
}

} // namespace

void say(std::string_view line) {
    (void)writeTo(STDERR_FILENO, visibleText(line) + "\n", ""); // nobody is left to tell when this fails
}

void sayLines(std::string_view lines) {
    while (!lines.empty()) {
        const std::size_t end = std::min(lines.find('\n'), lines.size());
        say(lines.substr(0, end));
        lines.remove_prefix(std::min(end + 1, lines.size()));
    }
}

void paintLine(std::string_view line) {
    (void)writeTo(STDERR_FILENO, "\r\x1b[K" + visibleText(line), "");
}

void sayAny(std::string_view line) {
    if (!line.empty()) {
        say(line);
    }
}

int fail(const Error& error) {
    say("loadline: " + error.sentence());
    return exitFailed;
}

int printText(std::string_view text) {
    return toStandardOutput(visibleLines(text));
}

int printJsonText(std::string_view json) {
    return toStandardOutput(visibleJson(json));
}

int printReport(const ask::Report& report, bool json) {
    if (!json) {
        return printText(ask::textOfReport(report));
    }
    const Status written = writeReportTo(standardOutput, report);
    return written ? exitDone : fail(written.error());
}

Status writeReportTo(const std::string& path, const ask::Report& report) {
    return writePieces(path, [&report](const ask::Sink& sink) { ask::writeJson(report, sink); });
}

Status writeCsvTo(const std::string& path, const ask::Table& table) {
    return writePieces(path, [&table](const ask::Sink& sink) { ask::writeCsv(table, sink); });
}

Status writeOutput(const std::string& path, std::string_view text) {
    if (path != standardOutput) {
        return writeFile(path, text);
    }
    const bool terminal = ::isatty(STDOUT_FILENO) != 0;
    return writeTo(STDOUT_FILENO, terminal ? visibleLines(text) : std::string(text), standardOutputName);
}

Status canWriteOutputs(const std::vector<std::string>& paths) {
    for (const std::string& path : paths) {
        if (!path.empty() && path != standardOutput) {
            if (Status can = canWrite(path); !can) {
                return can;
            }
        }
    }
    return Done{};
}

} // namespace loadline::app
