// Puts the charts of a page together.
#include "app/page/page_picture.h"

#include "app/page/page_spec.h"
#include "ui/chart/frame/page_drawing.h"

#include <QObject>

#include <algorithm>
#include <utility>

namespace loadline::app {

std::optional<Page> pageNamed(std::string_view key) {
    const auto found = std::ranges::find(pageSpecs(), key, &PageSpec::key);
    return found == pageSpecs().end() ? std::nullopt : std::optional(found->page);
}

QString titleOf(Page page) {
    return QObject::tr(specOf(page).words.c_str()).remove('&');
}

std::vector<ChartRequest> chartsOf(Page page, const ChartRequest& base) {
    const PageSpec& spec = specOf(page);
    std::vector<ChartRequest> charts(spec.charts.size(), base);
    for (std::size_t i = 0; i < charts.size(); ++i) {
        charts[i].chart = spec.charts[i];
    }
    return spec.requests != nullptr ? spec.requests(charts.front()) : charts;
}

Result<PagePicture> pictureOf(Page page, std::span<const ChartRequest> charts,
                              const std::shared_ptr<const Corpus>& corpus, ChartMemory& memory) {
    PagePicture picture;
    std::vector<std::shared_ptr<const ui::Drawing>> drawings;
    for (const ChartRequest& chart : charts) {
        if (auto drawing = drawingFor(chart, corpus, &memory)) {
            drawings.push_back(std::move(*drawing));
        } else {
            picture.leftOut.push_back(drawing.error());
        }
    }
    if (memory.stop.stop_requested()) {
        return stoppedError();
    }
    if (drawings.empty()) {
        return picture.leftOut.back();
    }
    const auto sentence = specOf(page).sentence;
    picture.drawing = ui::pageDrawing(
        titleOf(page), sentence ? sentence(charts.front(), corpus, memory) : QString(), std::move(drawings));
    return picture;
}

std::string commandFor(Page page, std::span<const ChartRequest> charts, const ui::ExportOptions& options,
                       const std::string& out) {
    return commandOf("page " + specOf(page).key, charts, options, out);
}

} // namespace loadline::app
