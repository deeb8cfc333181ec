// The agents' rows: context as steps, each call as a stacked column, a span and its output.
#include "ui/chart/timeline_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double leastWidth = 3; ///< pixels a lone call gets, where its neighbour leaves them
constexpr double textWidth = 46; ///< pixels from which a call carries words
constexpr double dimmed = 0.22;  ///< calls not behind the brushed bins

/// Neighbouring pixel columns that show the same call.
struct Run {
    double x0 = 0, x1 = 0;
    const CallSpan* call = nullptr;
    bool hit = true;
    bool inherited = false;
    bool inexact = false;
    Tokens output = 0; ///< largest of the calls that start in these columns
};

class CallPainter {
public:
    CallPainter(const TimelinePaint& paint, const TimelineRow& row)
        : paint_(paint), row_(row), bands_(bandsOf(row)), contextTop_(contextTop(paint.scene, row)),
          outputTop_(outputTop(paint.scene, row)) {}

    void paint() {
        const LaneFigures& figures = paint_.scene.lanes[row_.lane];
        const LaneSpans& spans = paint_.scene.index.lanes[row_.lane];
        if (spans.item.empty())
            return;
        if (bands_.context.height >= 8) {
            const double until =
                row_.kind == TimelineRow::Kind::Main ? paint_.scene.scale.extent() : spans.latestEnd.back();
            paintSteps(paint_, {figures.contextAt, figures.context, until, contextTop_}, bands_.context,
                       faded(paint_.theme.textMuted, 0.13), faded(paint_.theme.textMuted, 0.75));
        }
        for (const Run& run : runs())
            glyph(run);
    }

private:
    [[nodiscard]] std::vector<Run> runs() const {
        const TimelineGeometry& x = paint_.frame.x;
        const double pixel = paint_.pixel;
        const auto width = static_cast<std::uint32_t>(std::max(1.0, std::round(x.width / pixel)));
        const std::vector<TimelineColumn> columns =
            columnsOf(*paint_.scene.timeline, paint_.scene.index, row_.lane, x.start,
                      x.showsAll() ? x.end + x.span() * 1e-9 : x.end, width);
        std::vector<Run> result;
        for (std::size_t i = 0; i < columns.size();) {
            Run run;
            run.call = &paint_.scene.timeline->calls[columns[i].largest];
            run.hit = run.inherited = false;
            run.inherited = true;
            std::size_t j = i;
            do {
                run.hit = run.hit || columns[j].hit;
                run.inherited = run.inherited && columns[j].inherited;
                ++j;
            } while (j < columns.size() && columns[j].column == columns[j - 1].column + 1 &&
                     columns[j].largest == columns[i].largest);
            run.x0 = x.left + columns[i].column * pixel;
            run.x1 = x.left + (columns[j - 1].column + 1) * pixel;
            const double next =
                j < columns.size() ? x.left + columns[j].column * pixel : x.left + x.width + 4;
            if (run.x1 - run.x0 < leastWidth)
                run.x1 = std::max(run.x1, std::min(run.x0 + leastWidth, next));
            else if (next - run.x1 < pixel && run.x1 - run.x0 >= 5)
                run.x1 -= 1; // a hair between boxes
            run.output = run.call->usage.output;
            run.inexact = run.call->quality != OutputQuality::Final;
            result.push_back(run);
            i = j;
        }
        return result;
    }

    [[nodiscard]] QColor shade(const QColor& color, const Run& run) const {
        return run.hit ? color : mixed(paint_.theme.plotGround, color, dimmed);
    }

    void glyph(const Run& run) {
        const Usage& usage = run.call->usage;
        const Theme& theme = paint_.theme;
        if (bands_.context.height > 0 && usage.context() > 0) {
            const double scale = bands_.context.height / contextTop_;
            double fresh = height(usage.input, scale), write = height(usage.cacheWrite, scale);
            const double all = std::max(static_cast<double>(usage.context()) * scale, 1.0);
            fresh = std::min(fresh, all);
            write = std::min(write, all - fresh);
            double y = bands_.context.bottom() - all;
            part(run, y, fresh, shade(theme.uncachedInput, run), tr("uncached"), usage.input);
            part(run, y + fresh, write, shade(theme.cacheWrite, run), tr("write"), usage.cacheWrite);
            part(run, y + fresh + write, all - fresh - write, shade(theme.cacheRead, run), tr("read"),
                 usage.cacheRead);
            if (run.inherited)
                hatch(run, y, all);
        }
        span(run);
        if (bands_.output.height > 0)
            output(run);
    }

    static QString tr(const char* text) { return QString::fromLatin1(text); }

    /// Nothing stays nothing; a little is at least a pixel.
    static double height(Tokens tokens, double scale) {
        return tokens > 0 ? std::max(1.0, static_cast<double>(tokens) * scale) : 0;
    }

    void part(const Run& run, double y, double partHeight, const QColor& color, const QString& name,
              Tokens tokens) {
        if (partHeight <= 0)
            return;
        paint_.fill(run.x0, y, run.x1 - run.x0, partHeight, color);
        if (partHeight >= paint_.lineHeight())
            label(run, y, std::min(partHeight, paint_.lineHeight() + 4), color,
                  name + QLatin1Char(' ') + countText(static_cast<double>(tokens)),
                  countText(static_cast<double>(tokens)));
    }

    /// The longer of two texts that fits into the visible part of the run.
    void label(const Run& run, double y, double labelHeight, const QColor& ground, const QString& words,
               const QString& fewWords) {
        if (run.x1 - run.x0 < textWidth)
            return;
        const QRectF plot = paint_.frame.plot;
        const double x0 = std::max(run.x0, plot.left()) + 4, x1 = std::min(run.x1, plot.right()) - 3;
        const QString& fitting = paint_.widthOf(words) <= x1 - x0 ? words : fewWords;
        if (paint_.widthOf(fitting) <= x1 - x0)
            paint_.text(QRectF(x0, y, x1 - x0, labelHeight), Qt::AlignLeft | Qt::AlignVCenter, fitting,
                        inkOn(ground));
    }

    void hatch(const Run& run, double y, double hatchHeight) {
        paint_.painter.fillRect(QRectF(run.x0, y, run.x1 - run.x0, hatchHeight),
                                QBrush(faded(paint_.theme.plotGround, 0.75), Qt::BDiagPattern));
    }

    void span(const Run& run) {
        const Band& band = bands_.spans;
        const QColor color = shade(paint_.theme.model, run);
        double decode = run.x0;
        const bool timed = paint_.scene.scale.axis() != TimelineAxis::TurnIndex;
        if (timed && run.x1 - run.x0 >= 4 && isKnown(run.call->firstLine))
            decode = std::clamp(paint_.frame.x.toPixel(paint_.scene.scale.unitsAt(run.call->firstLine)),
                                run.x0, run.x1);
        const QColor waiting = mixed(paint_.theme.plotGround, color, 0.45);
        paint_.fill(run.x0, band.top, decode - run.x0, band.height, waiting);
        paint_.fill(decode, band.top, run.x1 - decode, band.height, color);
        if (run.inherited)
            hatch(run, band.top, band.height);
        if (band.height >= paint_.lineHeight() - 3) {
            const std::int64_t ms = run.call->end.ms - run.call->start.ms;
            const QString duration = ms > 0 ? durationText(ms) : QString();
            label(run, band.top, band.height, decode - run.x0 > (run.x1 - run.x0) / 2 ? waiting : color,
                  duration, duration);
        }
    }

    /// A lower bound has no top: paler, with its sides drawn, and says ">=" where there is room.
    void output(const Run& run) {
        if (run.output <= 0)
            return;
        const Band& band = bands_.output;
        const double tall = std::min(height(run.output, band.height / outputTop_), band.height);
        const double y = band.bottom() - tall, width = run.x1 - run.x0;
        const QColor color = shade(paint_.theme.output, run);
        if (run.inexact) {
            paint_.fill(run.x0, y, width, tall, mixed(paint_.theme.plotGround, color, 0.55));
            if (width >= 4) {
                paint_.fill(run.x0, y, 1, tall, color);
                paint_.fill(run.x1 - 1, y, 1, tall, color);
            }
        } else {
            paint_.fill(run.x0, y, width, tall, color);
        }
        if (run.inherited)
            hatch(run, y, tall);
        const QString number = (run.inexact ? QStringLiteral("\u2265 ") : QString()) +
                               countText(static_cast<double>(run.output));
        if (band.height < paint_.lineHeight())
            return;
        const bool inside = tall >= paint_.lineHeight();
        const QColor ground = inside ? (run.inexact ? mixed(paint_.theme.plotGround, color, 0.55) : color)
                                     : paint_.theme.plotGround;
        const double top = inside ? y : std::max(band.top, y - paint_.lineHeight());
        label(run, top, paint_.lineHeight(), ground, QStringLiteral("out ") + number, number);
    }

    const TimelinePaint& paint_;
    const TimelineRow& row_;
    AgentBands bands_;
    double contextTop_, outputTop_;
};

} // namespace

double contextTop(const TimelineScene& scene, const TimelineRow& row) {
    const Tokens largest = row.kind == TimelineRow::Kind::Main ? scene.lanes[row.lane].largestContext
                                                               : scene.largestSubAgentContext;
    return std::max(1.0, static_cast<double>(largest) * 1.05);
}

double outputTop(const TimelineScene& scene, const TimelineRow& row) {
    const Tokens largest = row.kind == TimelineRow::Kind::Main ? scene.lanes[row.lane].largestOutput
                                                               : scene.largestSubAgentOutput;
    return std::max(1.0, static_cast<double>(largest));
}

void paintSteps(const TimelinePaint& paint, const Steps& steps, Band band, const QColor& area,
                const QColor& line) {
    if (steps.at.empty())
        return;
    const TimelineGeometry& x = paint.frame.x;
    const double pixel = paint.pixel, stroke = std::max(1.0, pixel);
    const auto yOf = [&](Tokens value) {
        return band.bottom() - band.height * static_cast<double>(value) / steps.top;
    };
    const auto snapped = [&](double units) {
        return x.left + std::floor((x.toPixel(units) - x.left) / pixel) * pixel;
    };
    const double right = paint.frame.plot.right();
    std::size_t i = static_cast<std::size_t>(
        std::upper_bound(steps.at.begin(), steps.at.end(), x.toUnits(paint.frame.plot.left())) -
        steps.at.begin());
    i = i > 0 ? i - 1 : 0;
    Tokens previous = steps.value[i];
    while (i < steps.at.size()) {
        // All changes within one pixel column become one upright line from the lowest to the highest.
        const double column = std::max(snapped(steps.at[i]), paint.frame.plot.left());
        if (column > right)
            return;
        Tokens low = std::min(previous, steps.value[i]), high = std::max(previous, steps.value[i]);
        while (i + 1 < steps.at.size() && snapped(steps.at[i + 1]) <= column) {
            ++i;
            low = std::min(low, steps.value[i]);
            high = std::max(high, steps.value[i]);
        }
        const Tokens value = steps.value[i];
        const double next = i + 1 < steps.at.size() ? snapped(steps.at[i + 1]) : x.toPixel(steps.until);
        const double end = std::min(std::max(next, column + pixel), right);
        paint.fill(column, yOf(value), end - column, band.bottom() - yOf(value), area);
        paint.fill(column, yOf(value) - stroke / 2, end - column, stroke, line);
        if (high > low)
            paint.fill(column, yOf(high), stroke, yOf(low) - yOf(high), line);
        previous = value;
        ++i;
    }
}

void paintCalls(const TimelinePaint& paint, const TimelineRow& row) {
    CallPainter(paint, row).paint();
}

} // namespace loadline::ui
