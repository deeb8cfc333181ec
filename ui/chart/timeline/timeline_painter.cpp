// Paints a timeline into any painter: the same picture in the window and in exports.
#include "ui/chart/timeline/timeline_painter.h"

#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_paint.h"
#include "ui/chart/timeline/timeline_text.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline::ui {

namespace {

void paintRow(const TimelinePaint& paint, const TimelineRow& row) {
    switch (row.kind) {
    case TimelineRow::Kind::Main:
    case TimelineRow::Kind::Agent:
    case TimelineRow::Kind::Compact:
        paintCalls(paint, row);
        break;
    case TimelineRow::Kind::Tools:
        paintTools(paint, row);
        break;
    case TimelineRow::Kind::Heading: {
        const TimelineScene& scene = paint.scene;
        const Steps steps{scene.agentsAt, scene.agents, scene.scale.extent(),
                          static_cast<double>(std::max<Tokens>(scene.mostAgents, 1))};
        paintSteps(paint, steps, {row.band.top + 4, row.band.height - 7}, faded(paint.theme.model, 0.25),
                   mixed(paint.theme.plotGround, paint.theme.model, 0.7));
        break;
    }
    }
    if (row.band.height >= 8) {
        paint.fill(paint.frame.area.left(), row.band.bottom() - paint.pixel,
                   paint.frame.plot.right() - paint.frame.area.left(), paint.pixel, paint.theme.grid);
    }
}

void outline(const TimelinePaint& paint, const std::optional<TimelineItem>& item, const QColor& color,
             double width) {
    if (!item) {
        return;
    }
    const std::optional<QRectF> rect = rectOf(paint.scene, paint.frame, *item);
    if (!rect) {
        return;
    }
    const TimelineRow* row = paint.frame.rows.ofLane(placeOf(paint.scene, *item).lane);
    const Band clip = paint.frame.clipOf(*row);
    paint.painter.save();
    paint.painter.setClipRect(QRectF(paint.frame.plot.left(), clip.top, paint.frame.plot.width(), clip.height)
                                  .adjusted(0, -1, 0, 1),
                              Qt::IntersectClip);
    paint.painter.setPen(QPen(color, width));
    paint.painter.setBrush(Qt::NoBrush);
    paint.painter.drawRect(rect->adjusted(-1, -1, 1, 1));
    paint.painter.restore();
}

/// A ground through all lanes, where any of it is in view.
std::optional<std::pair<double, double>> paintStretch(const TimelinePaint& paint,
                                                      const std::pair<double, double>& stretch) {
    const QRectF& plot = paint.frame.plot;
    const double x0 = std::max(paint.frame.x.toPixel(stretch.first), plot.left());
    const double x1 = std::min(paint.frame.x.toPixel(stretch.second), plot.right());
    if (x1 < x0) {
        return std::nullopt;
    }
    paint.fill(x0, plot.top(), x1 - x0, plot.height(), faded(paint.theme.accent, 0.14));
    paint.fill(x0, plot.top(), 1.5, plot.height(), paint.theme.accent);
    paint.fill(x1 - 1.5, plot.top(), 1.5, plot.height(), paint.theme.accent);
    return std::pair(x0, x1);
}

void paintRange(const TimelinePaint& paint, const std::pair<double, double>& range, std::uint64_t calls) {
    const auto seen = paintStretch(paint, range);
    if (!seen) {
        return;
    }
    const auto [x0, x1] = *seen;
    const QRectF& plot = paint.frame.plot;
    const TimelineScale& scale = paint.scene.scale;
    const QString label =
        scale.axis() == TimelineAxis::TurnIndex
            ? words(counted(calls, "call"))
            : words(formatDuration(scale.timeAt(range.second).ms - scale.timeAt(range.first).ms));
    const double width = paint.widthOf(label) + 10;
    const double x =
        std::clamp((x0 + x1 - width) / 2, plot.left(), std::max(plot.left(), plot.right() - width));
    const QRectF tag(x, plot.bottom() - paint.lineHeight() - 4, width, paint.lineHeight() + 2);
    paint.painter.fillRect(tag, paint.theme.accent);
    paint.text(tag, Qt::AlignCenter, label, paint.theme.textOnAccent);
}

/// A line through all lanes, and its moment on the axis.
void paintCursor(const TimelinePaint& paint, double units) {
    const QRectF& plot = paint.frame.plot;
    const double x = paint.frame.x.toPixel(units);
    if (x < plot.left() || x > plot.right()) {
        return;
    }
    paint.fill(x, plot.top(), paint.pixel, plot.height(), faded(paint.theme.text, 0.35));
    const TimelineScale& scale = paint.scene.scale;
    const bool turns = scale.axis() == TimelineAxis::TurnIndex;
    const bool fine = paint.frame.x.pixelsPerUnit() > 0.05; // 20 ms are a pixel
    const QString label = turns ? QStringLiteral("#%1").arg(static_cast<qint64>(std::max(0.0, units)) + 1)
                                : words(clockOf(scale.timeAt(units), fine));
    const double width = paint.widthOf(label) + 10;
    const QRectF tag(std::clamp(x - width / 2, plot.left(), std::max(plot.left(), plot.right() - width)),
                     paint.frame.axisBand.top() + 4, width, paint.lineHeight() + 2);
    paint.painter.fillRect(tag, paint.theme.text);
    paint.text(tag, Qt::AlignCenter, label, paint.theme.plotGround);
}

} // namespace

TimelinePaint::TimelinePaint(QPainter& aPainter, const TimelineScene& aScene, const TimelineFrame& aFrame,
                             const Theme& aTheme)
    : painter(aPainter), scene(aScene), frame(aFrame), theme(aTheme), font(fontOf(0.85)),
      boldFont(fontOf(0.85, true)), metrics(font),
      pixel(1 / std::clamp(aPainter.deviceTransform().m11(), 1.0, 3.0)) {}

/// Qt's raster engine gives translucent rectangles of more than 95 rows to a thread pool, which for narrow
/// ones takes ten times as long as painting them: they are painted in pieces.
void TimelinePaint::fill(double x, double y, double width, double height, const QColor& color) const {
    const double piece = 90 * pixel;
    if (color.alpha() == 255 || height <= piece || width > 300) {
        painter.fillRect(QRectF(x, y, width, height), color);
        return;
    }
    const double bottom = y + height;
    for (double top = std::round(y / pixel) * pixel; top < bottom; top += piece) {
        painter.fillRect(QRectF(x, top, width, std::min(piece, bottom - top)), color);
    }
}

void TimelinePaint::text(const QRectF& where, Qt::Alignment alignment, const QString& said,
                         const QColor& color, bool bold) const {
    if (where.width() < 6) {
        return;
    }
    const QString words = lineText(said);
    painter.setFont(bold ? boldFont : font);
    painter.setPen(color);
    const bool fits = metrics.horizontalAdvance(words) * (bold ? 1.1 : 1) <= where.width();
    painter.drawText(where, static_cast<int>(alignment) | Qt::TextSingleLine,
                     fits ? words
                          : QFontMetricsF(painter.font()).elidedText(words, Qt::ElideRight, where.width()));
}

QColor mixed(const QColor& a, const QColor& b, double shareOfB) {
    const auto part = [shareOfB](float x, float y) { return x + (y - x) * static_cast<float>(shareOfB); };
    return QColor::fromRgbF(part(a.redF(), b.redF()), part(a.greenF(), b.greenF()),
                            part(a.blueF(), b.blueF()));
}

QColor inkOn(const QColor& ground) {
    const double light = 0.299 * ground.redF() + 0.587 * ground.greenF() + 0.114 * ground.blueF();
    return light > 0.53 ? QColor(0x12, 0x14, 0x18) : QColor(Qt::white);
}

void paintTimeline(QPainter& painter, const TimelineScene& scene, const TimelineFrame& frame,
                   const Theme& theme) {
    painter.save();
    const TimelinePaint paint(painter, scene, frame, theme);
    painter.setClipRect(frame.area, Qt::IntersectClip);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(frame.plot, theme.plotGround);
    paintHeader(paint);
    paintGapGrounds(paint);
    paintAxis(paint);
    for (const bool scrolls : {false, true}) {
        const Band band = scrolls ? frame.rows.scrolled : frame.rows.fixed;
        const QRectF lanes(frame.area.left(), band.top, frame.plot.right() - frame.area.left(), band.height);
        const auto visible = [&](const TimelineRow& row) {
            return row.scrolls == scrolls && row.band.bottom() > band.top && row.band.top < band.bottom();
        };
        painter.save();
        painter.setClipRect(lanes, Qt::IntersectClip);
        for (const TimelineRow& row : frame.rows.rows) {
            if (visible(row)) {
                paintGutter(paint, row);
            }
        }
        painter.setClipRect(QRectF(frame.plot.left(), band.top, frame.plot.width(), band.height),
                            Qt::IntersectClip);
        for (const TimelineRow& row : frame.rows.rows) {
            if (visible(row)) {
                paintRow(paint, row);
            }
        }
        painter.restore();
    }
    paintGaps(paint);
    painter.save();
    painter.setClipRect(frame.plot, Qt::IntersectClip);
    for (const TimelineRow& row : frame.rows.rows) {
        const bool agent = row.kind != TimelineRow::Kind::Tools && row.kind != TimelineRow::Kind::Heading;
        const Band clip = frame.clipOf(row);
        if (agent && row.band.top >= clip.top - 1 && row.band.top < clip.bottom()) {
            paintMarks(paint, row);
        }
    }
    painter.restore();
    paintNotes(paint);
    painter.restore();
}

void paintHand(QPainter& painter, const TimelineScene& scene, const TimelineFrame& frame, const Theme& theme,
               const TimelineHand& hand) {
    painter.save();
    const TimelinePaint paint(painter, scene, frame, theme);
    painter.setClipRect(frame.area, Qt::IntersectClip);
    for (const std::pair<double, double>& stretch : hand.stretches) {
        paintStretch(paint, stretch);
    }
    if (hand.range) {
        paintRange(paint, *hand.range, hand.callsInRange);
    }
    for (const std::uint32_t lane : hand.lanes) {
        if (const TimelineRow* row = frame.rows.ofLane(lane)) {
            const Band clip = frame.clipOf(*row);
            const double top = std::max(row->band.top, clip.top);
            const double bottom = std::min(row->band.bottom(), clip.bottom());
            paint.fill(frame.area.left() + 1, top + 1, 3, std::max(0.0, bottom - top - 2), theme.accent);
        }
    }
    if (hand.cursor) {
        paintCursor(paint, *hand.cursor);
    }
    outline(paint, hand.hovered, faded(theme.text, 0.7), 1);
    outline(paint, hand.walked, theme.text, 2);
    outline(paint, hand.pinned, theme.accent, 2);
    painter.restore();
}

namespace {

class TimelineDrawing : public Drawing {
public:
    TimelineDrawing(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Corpus> corpus,
                    const TimelineView& view, const std::string& sentence)
        : scene_(sceneOf(std::move(timeline), std::move(corpus), view.axis)), view_(view),
          sentence_(QString::fromStdString(sentence.empty() ? scene_->timeline->sentence : sentence)) {}

    [[nodiscard]] QString title() const override {
        const QString name = lineText(QString::fromStdString(scene_->timeline->title).simplified());
        return name.isEmpty() ? QStringLiteral("Timeline") : QStringLiteral("Timeline: ") + name;
    }

    [[nodiscard]] QString sentence() const override { return sentence_; }

    [[nodiscard]] Table table() const override {
        return scene_->corpus ? tableOf(*scene_->timeline, *scene_->corpus) : Table{};
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        if (scene_->timeline->lanes.empty() || !isKnown(scene_->timeline->first)) {
            painter.setPen(theme.textMuted);
            painter.setFont(fontOf(1));
            painter.drawText(area, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                             QStringLiteral("No record of this session carries a time."));
            return;
        }
        paintTimeline(painter, *scene_, frameOf(*scene_, area, view_, {}, 0, true), theme);
    }

private:
    std::shared_ptr<const TimelineScene> scene_;
    TimelineView view_;
    QString sentence_;
};

} // namespace

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Timeline> timeline,
                                   std::shared_ptr<const Corpus> corpus, const TimelineView& view,
                                   const std::string& sentence) {
    return std::make_unique<TimelineDrawing>(std::move(timeline), std::move(corpus), view, sentence);
}

} // namespace loadline::ui
