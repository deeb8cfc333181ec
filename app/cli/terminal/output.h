// Destinations of a command's results and messages: standard output, files, standard error.
#pragma once

#include "core/base/file/write_file.h"

#include <string>
#include <string_view>
#include <vector>

namespace loadline::ask {
struct Report;
struct Table;
} // namespace loadline::ask

namespace loadline::app {

/// A message on standard error: one line, whatever the names in it hold (core/text/visible_text.h). All
/// messages go through here.
void say(std::string_view line);
/// Words of our own that take several lines, each as say() prints it.
void sayLines(std::string_view lines);
/// A line of progress over the last one, on a terminal; "": takes it away.
void paintLine(std::string_view line);
/// The same, unless there is nothing to say.
void sayAny(std::string_view line);
/// "loadline: what: where (try: remedy)" on standard error; returns exitFailed.
int fail(const Error& error);

/// Text for people on standard output; returns the exit status. A reader that went away (`| head`) is no
/// failure; a full disk is. What steers a terminal stands there as an escape; names with line ends need
/// visibleText() before.
int printText(std::string_view text);
/// JSON text on standard output: controls and marks of direction are \u escapes there, the values the same.
int printJsonText(std::string_view json);

inline constexpr const char* standardOutput = "-";

/// A report on standard output, as one JSON document or as text; returns the exit status.
int printReport(const ask::Report& report, bool json);
/// A report's document into a file, or for "-" to standard output.
Status writeReportTo(const std::string& path, const ask::Report& report);
/// A table as CSV into a file, or for "-" to standard output.
Status writeCsvTo(const std::string& path, const ask::Table& table);

/// A result into a file, or for "-" to standard output as it is; on a terminal as printText() does.
Status writeOutput(const std::string& path, std::string_view text);
/// Before the work begins: an Error where a result cannot be written. "": no such file is asked for.
Status canWriteOutputs(const std::vector<std::string>& paths);

} // namespace loadline::app
