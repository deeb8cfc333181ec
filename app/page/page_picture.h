// All charts of a page as one picture, and the command that makes it again.
#pragma once

#include "app/chart/chart_request.h"
#include "app/page/page.h"

#include <QString>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::app {

/// Returns the page with this PageSpec::key.
std::optional<Page> pageNamed(std::string_view key);
/// "Server log".
QString titleOf(Page page);
/// `base` for each chart of the page, in their order.
std::vector<ChartRequest> chartsOf(Page page, const ChartRequest& base);

struct PagePicture {
    std::shared_ptr<const ui::Drawing> drawing;
    std::vector<Error> leftOut; ///< charts that cannot be drawn now
};

/// Each chart is computed once. The Error: none can be drawn.
Result<PagePicture> pictureOf(Page page, std::span<const ChartRequest> charts,
                              const std::shared_ptr<const Corpus>& corpus, ChartMemory& memory);

/// The `loadline export page ...` command line that makes this picture again; see commandFor of a chart.
std::string commandFor(Page page, std::span<const ChartRequest> charts, const ui::ExportOptions& options,
                       const std::string& out);

} // namespace loadline::app
