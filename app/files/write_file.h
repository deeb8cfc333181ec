// Files that appear whole or not at all.
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>
#include <string_view>

namespace loadline::app {

/// All of `text`, to an open descriptor that errors call `name`. A reader that went away (`| head`) is no
/// failure; a full disk is.
Status writeTo(int descriptor, std::string_view text, const std::string& name);
/// Writes `text` beside `path` and renames it, so that `path` is old or new and never half. "-" is standard
/// output; devices and pipes are written directly.
Status writeFile(const std::string& path, std::string_view text);
/// Whether writeFile could begin: an Error where the folder is missing or may not be written to. Nothing is
/// left behind.
Status canWrite(const std::string& path);
/// An Error when `path` is one of the files (also by another name): results never overwrite what was read.
Status refuseToOverwrite(const std::string& path, std::span<const std::string> filesRead);

} // namespace loadline::app
