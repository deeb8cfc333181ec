// Which chart of what, with which options: what `loadline export` is asked for and what a PNG remembers.
#pragma once

#include "core/base/result.h"
#include "core/cache/composition.h"
#include "core/workload/distribution_figure.h"
#include "core/workload/scope.h"
#include "ui/chart/drawings.h"
#include "ui/chart/export_drawing.h"

#include <memory>
#include <string>
#include <vector>

namespace loadline::app {

enum class ChartKind { Distributions, Timeline, Composition };
inline constexpr ChartKind chartKinds[] = {ChartKind::Distributions, ChartKind::Timeline,
                                           ChartKind::Composition};
std::string keyOf(ChartKind kind);    ///< "distributions", "timeline", "composition"
std::string describe(ChartKind kind); ///< one line for `export --list`

/// Everything that decides what a chart shows. Equal requests on equal files give equal pictures.
struct ChartRequest {
    ChartKind kind = ChartKind::Distributions;
    std::vector<std::string> paths; ///< empty: the bundled sample
    Scope scope;
    DistributionOptions distribution;
    std::string session; ///< Session::key, session id or its unique beginning; "": most tokens
    ui::TimelineView timeline;
    CompositionGroup group = CompositionGroup::Session;
    ui::CompositionView composition;
    bool operator==(const ChartRequest&) const = default;
};

/// The `loadline export ...` command line that makes this chart again, quoted for a POSIX shell.
std::string commandFor(const ChartRequest& request, const ui::ExportOptions& options, const std::string& out);

/// Computes the figure and makes its drawing. Error when nothing is in scope or no session fits.
Result<std::shared_ptr<const ui::Drawing>> drawingFor(const ChartRequest& request,
                                                      std::shared_ptr<const Corpus> corpus);

} // namespace loadline::app
