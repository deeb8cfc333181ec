// Marks (prompts and events, each kind with a shape and colour of its own) and the tools' boxes.
#include "core/workload/timeline/evidence.h"
#include "ui/chart/timeline/timeline_paint.h"

#include <QLinearGradient>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double radius = 4.5;      ///< pixels
constexpr double leastDistance = 8; ///< pixels between shapes; closer ones show the gravest
constexpr std::size_t manyGuides = 60;
constexpr double leastWords = 56, mostWords = 320; ///< pixels

struct MarkLook {
    int gravity; ///< the higher is shown where several fall together
    QColor Theme::*color;
};

/// By MarkKind. A compaction explains a fall of the context, which errors beside it do not.
constexpr std::array<MarkLook, 7> markLooks = {{{1, &Theme::prompt},
                                                {6, &Theme::compaction},
                                                {2, &Theme::compaction},
                                                {5, &Theme::error},
                                                {4, &Theme::warning},
                                                {3, &Theme::model},
                                                {0, &Theme::textMuted}}};

int gravity(MarkKind kind) {
    return markLooks.at(static_cast<std::size_t>(kind)).gravity;
}

QColor colorOf(const Theme& theme, MarkKind kind) {
    return theme.*markLooks.at(static_cast<std::size_t>(kind)).color;
}

void shape(const TimelinePaint& paint, MarkKind kind, QPointF at, double r) {
    QPainter& painter = paint.painter;
    const QColor color = colorOf(paint.theme, kind);
    QPen pen(color, 1.6);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    QPolygonF polygon;
    switch (kind) {
    case MarkKind::Prompt: // points at its moment
        polygon << at + QPointF(-r, -r * 0.8) << at + QPointF(r, -r * 0.8) << at + QPointF(0, r);
        painter.drawPolygon(polygon);
        break;
    case MarkKind::Compaction: // squeezed from both sides
        polygon << at + QPointF(-r, -r) << at + QPointF(r, -r) << at + QPointF(-r, r) << at + QPointF(r, r);
        painter.drawPolygon(polygon);
        break;
    case MarkKind::MicroCompaction:
        painter.setPen(pen);
        painter.setBrush(paint.theme.plotGround);
        r *= 0.75;
        polygon << at + QPointF(-r, -r) << at + QPointF(r, -r) << at + QPointF(-r, r) << at + QPointF(r, r);
        painter.drawPolygon(polygon);
        break;
    case MarkKind::ApiError:
        pen.setWidthF(2.2);
        painter.setPen(pen);
        painter.drawLine(at + QPointF(-r, -r) * 0.8, at + QPointF(r, r) * 0.8);
        painter.drawLine(at + QPointF(-r, r) * 0.8, at + QPointF(r, -r) * 0.8);
        break;
    case MarkKind::Interrupt:
        painter.drawRect(QRectF(at.x() - r * 0.8, at.y() - r * 0.8, 1.6 * r, 1.6 * r));
        break;
    case MarkKind::ModelChange:
        polygon << at + QPointF(0, -r) << at + QPointF(r, 0) << at + QPointF(0, r) << at + QPointF(-r, 0);
        painter.drawPolygon(polygon);
        break;
    case MarkKind::Synthetic:
        painter.setPen(pen);
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(at, r * 0.7, r * 0.7);
        break;
    }
}

struct PlacedMark {
    double x = 0;
    std::uint32_t mark = 0;
};

/// The marks of one line that are in view, thinned so that shapes do not overlap.
std::vector<PlacedMark> placed(const TimelinePaint& paint, const TimelineRow& row,
                               std::optional<bool> event) {
    std::vector<PlacedMark> result;
    const std::vector<std::uint32_t>& marks = paint.scene.lanes[row.lane].marks;
    const TimelineGeometry& x = paint.frame.x;
    const double from = x.toUnits(paint.frame.plot.left());
    auto at = std::lower_bound(marks.begin(), marks.end(), from, [&](std::uint32_t mark, double units) {
        return paint.scene.index.marks[mark] < units;
    });
    for (; at != marks.end(); ++at) {
        const double pixel = x.toPixel(paint.scene.index.marks[*at]);
        if (pixel > paint.frame.plot.right()) {
            break;
        }
        const MarkKind kind = paint.scene.timeline->marks[*at].kind;
        if (event && isEvent(kind) != *event) {
            continue;
        }
        if (result.empty() || pixel - result.back().x >= leastDistance) {
            result.push_back({pixel, *at});
        } else if (gravity(kind) > gravity(paint.scene.timeline->marks[result.back().mark].kind)) {
            result.back() = {pixel, *at};
        }
    }
    return result;
}

void onGround(const TimelinePaint& paint, const QRectF& where, const QString& words, const QColor& color) {
    paint.painter.fillRect(where.adjusted(-1, 1, 1, -1), faded(paint.theme.plotGround, 0.85));
    paint.text(where, leftMiddle, words, color);
}

/// Upright lines below the shapes, first, so that no words are struck through.
void paintGuides(const TimelinePaint& paint, const std::vector<PlacedMark>& marks, const Band& band) {
    for (const PlacedMark& placedMark : marks) {
        const MarkKind kind = paint.scene.timeline->marks[placedMark.mark].kind;
        const bool grave = gravity(kind) >= 3;
        if (marks.size() <= manyGuides) {
            paint.fill(placedMark.x - (grave ? 0.75 : 0), band.top, grave ? 1.5 : paint.pixel, band.height,
                       faded(colorOf(paint.theme, kind), grave ? 0.55 : 0.35));
        }
    }
}

QString wordsOf(const TimelineMark& mark) {
    const QString text = QString::fromStdString(mark.text).simplified().left(200);
    const QString kind = QString::fromStdString(describe(mark.kind));
    const bool compacts = mark.kind == MarkKind::Compaction || mark.kind == MarkKind::MicroCompaction;
    return text.isEmpty() ? kind : compacts ? kind + QStringLiteral(": ") + text : text;
}

void paintLine(const TimelinePaint& paint, const std::vector<PlacedMark>& marks, const Band& band, double r,
               bool withWords) {
    const double middle = band.top + band.height / 2;
    double used = paint.frame.plot.left() + 2; // words end here
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const TimelineMark& mark = paint.scene.timeline->marks[marks[i].mark];
        paint.painter.setRenderHint(QPainter::Antialiasing, true);
        shape(paint, mark.kind, {marks[i].x, middle}, r);
        paint.painter.setRenderHint(QPainter::Antialiasing, false);
        const double before = marks[i].x - r - 3, after = marks[i].x + r + 3;
        const double right = i + 1 < marks.size() ? marks[i + 1].x - r - 4 : paint.frame.plot.right() - 2;
        if (withWords && std::max(right - after, before - used) >= leastWords / 2) {
            const QString text = wordsOf(mark);
            const double wanted = paint.widthOf(text) + 1;
            const QColor color =
                mark.kind == MarkKind::Prompt ? paint.theme.textMuted : colorOf(paint.theme, mark.kind);
            const bool fitsAfter = wanted <= right - after, fitsBefore = wanted <= before - used;
            if (fitsAfter || (right - after >= leastWords && !fitsBefore)) {
                const double width = std::min({wanted, right - after, mostWords});
                onGround(paint, QRectF(after, band.top, width, band.height), text, color);
                used = after + width;
            } else if (fitsBefore && wanted <= mostWords) {
                onGround(paint, QRectF(before - wanted, band.top, wanted, band.height), text, color);
            }
        }
        used = std::max(used, after);
    }
}

} // namespace

void paintMarks(const TimelinePaint& paint, const TimelineRow& row) {
    if (paint.scene.lanes[row.lane].marks.empty() || row.band.height < 9) {
        return;
    }
    const AgentBands bands = bandsOf(row);
    if (bands.events.height == 0) {
        paintLine(paint, placed(paint, row, std::nullopt), {row.band.top, 9}, radius * 0.8, false);
        return;
    }
    const std::vector<PlacedMark> prompts = placed(paint, row, false), events = placed(paint, row, true);
    const bool words = bands.events.height >= paint.lineHeight() - 3;
    paintGuides(paint, prompts, {bands.prompts.bottom(), row.band.bottom() - bands.prompts.bottom()});
    paintGuides(paint, events, {bands.events.bottom(), row.band.bottom() - bands.events.bottom()});
    paintLine(paint, prompts, bands.prompts, radius, words);
    paintLine(paint, events, bands.events, radius, words);
}

namespace {

constexpr double openWidth = 48; ///< pixels over which a tool without a result fades out

/// Extent of the boxes painted so far in one line of tools.
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
            paint_.text(QRectF(left, band.top, right - left, band.height), leftMiddle, name, inkOn(color));
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
