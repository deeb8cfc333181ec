// The tools' rows: boxes with names, parallel ones beside each other; errors and open ends shown.
#include "ui/chart/timeline/timeline_paint.h"

#include <QLinearGradient>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double openWidth = 48; ///< pixels over which a tool without a result fades out

/// What has been painted of one line of tools.
struct Line {
    double toolUntil = -1;  ///< right edge of the last box
    double errorUntil = -1; ///< right edge of the last error's box
};

class ToolPainter {
public:
    ToolPainter(const TimelinePaint& paint, const TimelineRow& row)
        : paint_(paint), row_(row), rows_(paint.scene.lanes[row.lane].toolRows) {}

    void paint() {
        const TimelineGeometry& x = paint_.frame.x;
        const LaneSpans& spans = paint_.scene.index.lanes[row_.lane];
        const IndexRange range = spansIn(spans, x.toUnits(paint_.frame.plot.left() - openWidth),
                                         x.toUnits(paint_.frame.plot.right()));
        for (std::size_t i = range.first; i < range.last; ++i) {
            const ToolSpan& tool = paint_.scene.timeline->tools[spans.item[i]];
            const std::uint8_t row = paint_.scene.toolRow[spans.item[i]];
            const double x0 = x.toPixel(spans.start[i]);
            double x1 = x.toPixel(spans.end[i]);
            if (x1 < paint_.frame.plot.left() && !tool.open) {
                continue;
            }
            x1 = std::max(x1, x0 + 1.5);
            Line& line = lines_.at(row);
            const bool covered = x1 - x0 < 2 && x0 < (tool.isError ? line.errorUntil : line.toolUntil);
            if (covered) {
                continue;
            }
            // Many within a pixel: one box stands for all of them.
            box(tool, row, std::max(x0, std::min(line.toolUntil, x1 - 1)), x1,
                i + 1 < range.last ? x.toPixel(spans.start[i + 1]) : 1e9);
            line.toolUntil = std::max(line.toolUntil, x1);
            if (tool.isError) {
                line.errorUntil = x1;
            }
        }
    }

private:
    void box(const ToolSpan& tool, int toolRow, double x0, double x1, double nextStart) {
        const Theme& theme = paint_.theme;
        const Band band = toolBand(row_, toolRow, rows_);
        const QColor color = tool.isError ? mixed(theme.plotGround, theme.error, 0.55)
                                          : mixed(theme.plotGround, theme.tools, 0.8);
        if (tool.open) {
            const double end = std::clamp(nextStart, x0 + 8, x0 + openWidth);
            QLinearGradient fade(x0, 0, end, 0);
            fade.setColorAt(0, color);
            fade.setColorAt(1, faded(color, 0));
            paint_.painter.fillRect(QRectF(x0, band.top, end - x0, band.height), fade);
            paint_.fill(x0, band.top, 1.5, band.height, theme.tools);
            return;
        }
        const double shown = x1 - x0 >= 4 ? x1 - x0 - 1 : x1 - x0;
        paint_.fill(x0, band.top, shown, band.height, color);
        if (tool.isError) {
            paint_.fill(x0, band.bottom() - 2, std::max(shown, 2.0), 2, theme.error);
        }
        const double left = std::max(x0, paint_.frame.plot.left()) + 4;
        const double right = std::min(x1, paint_.frame.plot.right()) - 3;
        if (band.height < paint_.lineHeight() - 4 || right - left < 22) {
            return;
        }
        const QString name = words(tool.name);
        if (paint_.widthOf(name) <= right - left || right - left > 60) {
            paint_.text(QRectF(left, band.top, right - left, band.height), Qt::AlignLeft | Qt::AlignVCenter,
                        name, inkOn(color));
        }
    }

    const TimelinePaint& paint_;
    const TimelineRow& row_;
    int rows_;
    std::array<Line, mostToolRows> lines_{};
};

} // namespace

void paintTools(const TimelinePaint& paint, const TimelineRow& row) {
    ToolPainter(paint, row).paint();
}

} // namespace loadline::ui
