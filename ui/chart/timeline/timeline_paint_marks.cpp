// Marks: prompts and events, each kind with a shape and colour of its own, with words where there is room.
#include "core/workload/timeline/evidence.h"
#include "ui/chart/timeline/timeline_paint.h"

#include <QPainterPath>

#include <algorithm>
#include <array>

namespace loadline::ui {

namespace {

constexpr double radius = 4.5;      ///< pixels
constexpr double leastDistance = 8; ///< pixels between shapes; closer ones show the gravest
constexpr std::size_t manyGuides = 60;
constexpr double leastWords = 56, mostWords = 320; ///< pixels

/// Higher is graver: it is shown where several fall together.
int gravity(MarkKind kind) {
    switch (kind) {
    case MarkKind::ApiError:
        return 6;
    case MarkKind::Compaction:
        return 5;
    case MarkKind::Interrupt:
        return 4;
    case MarkKind::ModelChange:
        return 3;
    case MarkKind::MicroCompaction:
        return 2;
    case MarkKind::Prompt:
        return 1;
    case MarkKind::Synthetic:
        break;
    }
    return 0;
}

QColor colorOf(const Theme& theme, MarkKind kind) {
    switch (kind) {
    case MarkKind::ApiError:
        return theme.error;
    case MarkKind::Compaction:
    case MarkKind::MicroCompaction:
        return theme.compaction;
    case MarkKind::Interrupt:
        return theme.warning;
    case MarkKind::ModelChange:
        return theme.model;
    case MarkKind::Prompt:
        return theme.prompt;
    case MarkKind::Synthetic:
        break;
    }
    return theme.textMuted;
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
    paint.text(where, Qt::AlignLeft | Qt::AlignVCenter, words, color);
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
    return text.isEmpty() ? QString::fromStdString(describe(mark.kind)) : text;
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

} // namespace loadline::ui
