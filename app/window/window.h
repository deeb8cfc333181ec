// The window, as main sees it.
#pragma once

#include "core/ask/study.h"

#include <span>
#include <string>
#include <vector>

class QApplication;

namespace loadline::app {

/// Opens the window on files and folders (none: the empty state) and runs it until the user closes it.
/// Returns the exit status.
int openWindow(QApplication& application, const std::vector<std::string>& paths,
               std::span<const ask::Study> list);

} // namespace loadline::app
