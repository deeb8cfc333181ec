// Where a command's results and messages go: standard output, files, standard error.
#pragma once

#include "app/files/write_file.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace loadline::app {

/// One line on standard error.
void say(std::string_view line);
/// The same, unless there is nothing to say.
void sayAny(std::string_view line);
/// "loadline: what: where (try: remedy)" on standard error; returns exitFailed.
int fail(const Error& error);

/// Writes to standard output and returns the exit status. A reader that went away (`| head`) is no failure;
/// a full disk is.
int printText(std::string_view text);
/// One JSON document on standard output, bytes that are no UTF-8 replaced by U+FFFD.
int printJson(const nlohmann::ordered_json& document);
std::string textOf(const nlohmann::ordered_json& document);

} // namespace loadline::app
