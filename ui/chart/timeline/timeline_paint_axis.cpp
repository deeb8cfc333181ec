// The time axis, idle gaps (cut or shaded), and in words what could not be drawn.
#include "core/base/zone.h"
#include "ui/chart/timeline/timeline_paint.h"
#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/format.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double leastTickDistance = 76; ///< pixels
constexpr double mostDayShift = 40;      ///< pixels a day may stand beside its tick
constexpr double zigzagWidth = 7;        ///< pixels: narrower cuts are a dotted line

constexpr std::size_t manyGaps = 60; ///< more of them are drawn without dashes

struct GapPlace {
    double x0 = 0, x1 = 0;
    std::int64_t ms = 0;
};

/// The gaps in view: cuts on a compressed axis, the real stretches on a wall-clock axis.
std::vector<GapPlace> gapsIn(const TimelinePaint& paint) {
    std::vector<GapPlace> result;
    const TimelineGeometry& x = paint.frame.x;
    const auto add = [&](double start, double end, const IdleGap& gap) {
        if (end >= x.start && start <= x.end) {
            result.push_back({x.toPixel(start), x.toPixel(end), gap.end.ms - gap.start.ms});
        }
    };
    const TimelineScale& scale = paint.scene.scale;
    if (scale.axis() == TimelineAxis::CompressedGaps) {
        for (const TimelineScale::CutGap& cut : scale.cutGaps()) {
            add(cut.start, cut.end, cut.gap);
        }
    } else if (scale.axis() == TimelineAxis::WallClock) {
        for (const IdleGap& gap : paint.scene.timeline->gaps) {
            add(scale.unitsAt(gap.start), scale.unitsAt(gap.end), gap);
        }
    }
    return result;
}

void zigzag(const TimelinePaint& paint, double x, double inwards) {
    const QRectF& plot = paint.frame.plot;
    QPolygonF line;
    bool out = true;
    for (double y = plot.top(); y < plot.bottom() + 5; y += 5, out = !out) {
        line << QPointF(x + (out ? 0 : inwards), std::min(y, plot.bottom()));
    }
    paint.painter.drawPolyline(line);
}

/// Longest gaps get their words first.
void paintGapWords(const TimelinePaint& paint, std::vector<GapPlace> gaps) {
    std::stable_sort(gaps.begin(), gaps.end(),
                     [](const GapPlace& a, const GapPlace& b) { return a.ms > b.ms; });
    const bool cut = paint.scene.scale.axis() == TimelineAxis::CompressedGaps;
    const QRectF& band = paint.frame.gapBand;
    std::vector<std::pair<double, double>> taken;
    for (const GapPlace& gap : gaps) {
        const QString text = cut ? durationText(gap.ms) : QStringLiteral("idle ") + durationText(gap.ms);
        const double width = paint.widthOf(text) + 6;
        if (!cut && gap.x1 - gap.x0 < width) {
            continue;
        }
        if (taken.size() > 60) {
            break;
        }
        const double middle = (std::max(gap.x0, band.left()) + std::min(gap.x1, band.right())) / 2;
        const double x0 =
            std::clamp(middle - width / 2, band.left(), std::max(band.left(), band.right() - width));
        const bool free = std::none_of(taken.begin(), taken.end(), [&](const auto& other) {
            return x0 < other.second + 4 && x0 + width > other.first - 4;
        });
        if (!free) {
            continue;
        }
        taken.emplace_back(x0, x0 + width);
        paint.text(QRectF(x0, band.top(), width, band.height()), Qt::AlignCenter, text,
                   paint.theme.textMuted);
    }
}

} // namespace

void paintGapGrounds(const TimelinePaint& paint) {
    if (paint.scene.scale.axis() != TimelineAxis::WallClock) {
        return;
    }
    for (const GapPlace& gap : gapsIn(paint)) {
        const double x0 = std::max(gap.x0, paint.frame.plot.left()),
                     x1 = std::min(gap.x1, paint.frame.plot.right());
        paint.fill(x0, paint.frame.plot.top(), x1 - x0, paint.frame.plot.height(),
                   faded(paint.theme.idle, 0.35));
    }
}

void paintGaps(const TimelinePaint& paint) {
    const std::vector<GapPlace> gaps = gapsIn(paint);
    if (gaps.empty()) {
        return;
    }
    const QRectF& plot = paint.frame.plot;
    if (paint.scene.scale.axis() == TimelineAxis::CompressedGaps) {
        paint.painter.save();
        paint.painter.setClipRect(plot, Qt::IntersectClip);
        double lastThin = -10;
        const bool many = gaps.size() > manyGaps;
        const QColor thin = mixed(paint.theme.plotGround, paint.theme.textMuted, many ? 0.25 : 0.5);
        for (const GapPlace& gap : gaps) {
            if (gap.x1 - gap.x0 < zigzagWidth) {
                if (gap.x0 - lastThin < 4) {
                    continue;
                }
                lastThin = gap.x0;
                const double dash = many ? plot.height() : 3;
                for (double y = plot.top(); y < plot.bottom(); y += 2 * dash) {
                    paint.fill((gap.x0 + gap.x1) / 2, y, paint.pixel, dash, thin);
                }
                continue;
            }
            paint.fill(gap.x0 + 1, plot.top(), gap.x1 - gap.x0 - 2, plot.height(), paint.theme.window);
            paint.painter.setRenderHint(QPainter::Antialiasing, true);
            paint.painter.setPen(QPen(faded(paint.theme.textMuted, 0.6), 1));
            zigzag(paint, gap.x0, 2.5);
            zigzag(paint, gap.x1 - 2.5, 2.5);
            paint.painter.setRenderHint(QPainter::Antialiasing, false);
        }
        paint.painter.restore();
    }
    paintGapWords(paint, gaps);
}

void paintAxis(const TimelinePaint& paint) {
    const QRectF& band = paint.frame.axisBand;
    const QRectF& plot = paint.frame.plot;
    const TimelineScale& scale = paint.scene.scale;
    const double line = paint.lineHeight();
    paint.fill(plot.left(), band.top(), plot.width(), std::max(1.0, paint.pixel), paint.theme.border);
    double labelEnd = -1e9, dayEnd = -1e9;
    for (const TimelineTick& tick : ticksOf(scale, paint.frame.x, leastTickDistance)) {
        const double x = paint.frame.x.toPixel(tick.units);
        paint.fill(x, plot.top(), paint.pixel, plot.height(),
                   tick.day.empty() ? paint.theme.grid : paint.theme.border);
        paint.fill(x, band.top(), paint.pixel, 5, paint.theme.textMuted);
        const QString label = words(tick.label);
        const double width = paint.widthOf(label) + 2;
        const double left =
            std::clamp(x - width / 2, band.left(), std::max(band.left(), paint.frame.area.right() - width));
        if (left >= labelEnd + 6) {
            paint.text(QRectF(left, band.top() + 5, width + 2, line), Qt::AlignHCenter | Qt::AlignVCenter,
                       label, paint.theme.text);
            labelEnd = left + width;
        }
        if (tick.day.empty()) {
            continue;
        }
        const QString day = words(tick.day);
        const double dayWidth = paint.widthOf(day) * 1.1 + 4;
        const double wanted = std::clamp(x - width / 2, band.left(),
                                         std::max(band.left(), paint.frame.area.right() - dayWidth));
        const double dayLeft = std::max(wanted, dayEnd + 8);
        if (dayLeft - wanted <= mostDayShift && dayLeft + dayWidth <= paint.frame.area.right()) {
            paint.text(QRectF(dayLeft, band.top() + 5 + line, dayWidth, line), leftMiddle, day,
                       paint.theme.textMuted, true);
            dayEnd = dayLeft + dayWidth;
        }
    }
    // The gutter beside the axis names the axis and how much of it is in view.
    const QRectF names(paint.frame.area.left() + 8, band.top() + 5, paint.frame.gutter.width() - 16, line);
    const bool turns = scale.axis() == TimelineAxis::TurnIndex;
    paint.text(names, rightMiddle,
               turns ? QStringLiteral("API call")
                     : QString::fromStdString(zoneAt(scale.timeAt(paint.frame.x.start))),
               paint.theme.textMuted);
    const QString shown =
        turns ? QStringLiteral("%1 calls").arg(std::llround(paint.frame.x.span()))
              : durationText(scale.timeAt(paint.frame.x.end).ms - scale.timeAt(paint.frame.x.start).ms);
    paint.text(names.translated(0, line), rightMiddle,
               (paint.frame.x.showsAll() ? QStringLiteral("all: ") : QStringLiteral("view: ")) + shown,
               paint.theme.textMuted);
    if (paint.frame.gapBand.height() > 0 && !gapsIn(paint).empty()) {
        paint.text(
            QRectF(names.left(), paint.frame.gapBand.top(), names.width(), paint.frame.gapBand.height()),
            rightMiddle, QStringLiteral("idle gaps"), paint.theme.textMuted);
    }
}

void paintNotes(const TimelinePaint& paint) {
    const Timeline& timeline = *paint.scene.timeline;
    struct Note {
        std::uint64_t count;
        const char* one;
        const char* many;
        const char* words;
    };
    const char* const notDrawn = " without a time, not drawn";
    QStringList notes;
    for (const Note& note :
         {Note{timeline.callsWithoutTime, "call", "calls", " without a time: in the totals, not drawn"},
          Note{timeline.toolsWithoutTime, "tool", "tools", notDrawn},
          Note{timeline.marksWithoutTime, "mark", "marks", notDrawn},
          Note{paint.scene.openTools, "tool", "tools", " without a result in the log: fading out"}}) {
        if (note.count > 0) {
            notes << exactText(static_cast<std::int64_t>(note.count)) + QLatin1Char(' ') +
                         QLatin1String(note.count == 1 ? note.one : note.many) + QLatin1String(note.words);
        }
    }
    if (notes.isEmpty()) {
        return;
    }
    paint.text(paint.frame.noteBand.adjusted(8, 0, -8, 0), leftMiddle,
               notes.join(QStringLiteral("  \u00b7  ")), paint.theme.textMuted);
}

} // namespace loadline::ui
