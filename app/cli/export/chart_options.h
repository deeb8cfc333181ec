// The options of `loadline export`: a chart request and how to draw it.
#pragma once

#include "app/chart/chart_request.h"
#include "app/cli/help/command.h"
#include "app/page/page.h"

#include <optional>

namespace loadline::app {

struct ExportArguments {
    bool list = false;
    bool all = false;         ///< every chart, into outDir
    std::optional<Page> page; ///< all charts of this one; request.chart is its first
    ChartRequest request;
    ui::ExportOptions options; ///< caption and command left empty
    std::string out;
    std::string outDir;
    unsigned threads = 0;
};

/// The exit status when the program is to end here: help was asked for or the usage was wrong, both said.
std::optional<int> parseExport(const Arguments& arguments, ExportArguments& result);

} // namespace loadline::app
