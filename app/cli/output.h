// Where a command's results and messages go: standard output, files, standard error.
#pragma once

#include "core/base/result.h"

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

namespace loadline::app {

/// One line on standard error.
void say(std::string_view line);
/// "loadline: what: where (try: remedy)" on standard error; returns exitFailed.
int fail(const Error& error);

/// Writes to standard output and returns the exit status. A reader that went away (`| head`) is no failure;
/// a full disk is.
int printText(std::string_view text);
/// One JSON document on standard output, bytes that are no UTF-8 replaced by U+FFFD.
int printJson(const nlohmann::ordered_json& document);
std::string textOf(const nlohmann::ordered_json& document);

/// Writes `text` beside `path` and renames it, so that `path` is old or new and never half. "-" is standard
/// output; devices and pipes are written directly.
Status writeFile(const std::string& path, std::string_view text);
/// Whether writeFile could begin: an Error where the folder is missing or may not be written to. Nothing is
/// left behind.
Status canWrite(const std::string& path);
/// An Error when `path` is one of the files (also by another name): results never overwrite what was read.
Status refuseToOverwrite(const std::string& path, std::span<const std::string> filesRead);

} // namespace loadline::app
