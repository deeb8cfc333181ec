// The agents' rows: context as steps, each call as a stacked column, a span and its output.
#include "ui/chart/timeline/timeline_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>

namespace loadline::ui {

namespace {

constexpr double leastWidth = 3; ///< pixels a lone call gets, where its neighbour leaves them
constexpr double textWidth = 46; ///< pixels from which a call carries words

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
        if (spans.item.empty()) {
            return;
        }
        const LaneKind kind = paint_.scene.timeline->lanes[row_.lane].kind;
        const bool converses = kind != LaneKind::Compaction && kind != LaneKind::PromptSuggestion;
        if (bands_.context.height >= 8 && converses) {
            const double until =
                row_.kind == TimelineRow::Kind::Main ? paint_.scene.scale.extent() : spans.latestEnd.back();
            paintSteps(paint_, {figures.contextAt, figures.context, until, contextTop_}, bands_.context,
                       faded(paint_.theme.textMuted, 0.13),
                       mixed(paint_.theme.plotGround, paint_.theme.textMuted, 0.75));
        }
        for (const Run& run : runs()) {
            glyph(run);
        }
    }

private:
    [[nodiscard]] std::vector<Run> runs() const {
        const TimelineGeometry& x = paint_.frame.x;
        const double pixel = paint_.pixel;
        const double left = paint_.frame.plot.left(), right = paint_.frame.plot.right();
        const auto width = static_cast<std::uint32_t>(std::max(1.0, std::ceil((right - left) / pixel)));
        const std::vector<TimelineColumn> columns =
            columnsOf(*paint_.scene.timeline, paint_.scene.index, row_.lane, x.toUnits(left),
                      x.toUnits(left + width * pixel), width);
        std::vector<Run> result;
        for (std::size_t i = 0; i < columns.size();) {
            Run run;
            run.call = &paint_.scene.timeline->calls[columns[i].largest];
            run.hit = false;
            run.inherited = true;
            std::size_t j = i;
            do {
                run.hit = run.hit || columns[j].hit;
                run.inherited = run.inherited && columns[j].inherited;
                ++j;
            } while (j < columns.size() && columns[j].column == columns[j - 1].column + 1 &&
                     columns[j].largest == columns[i].largest);
            run.x0 = left + columns[i].column * pixel;
            run.x1 = left + (columns[j - 1].column + 1) * pixel;
            // Columns touched by a hair are given back, else short pauses would close at random.
            const double x0 = rounded(x.toPixel(paint_.scene.scale.startOf(*run.call)));
            const double x1 = rounded(x.toPixel(paint_.scene.scale.endOf(*run.call)));
            if (run.x1 - run.x0 >= leastWidth) {
                run.x0 = std::clamp(x0, run.x0, run.x0 + pixel);
                run.x1 = std::clamp(x1, run.x1 - pixel, run.x1);
            }
            const double next = j < columns.size() ? left + columns[j].column * pixel : right;
            if (run.x1 - run.x0 < leastWidth) {
                run.x1 = std::max(run.x1, std::min(run.x0 + leastWidth, next));
            } else if (next - run.x1 < pixel && run.x1 - run.x0 >= 5) {
                run.x1 -= 1; // a hair between boxes
            }
            run.output = run.call->usage.output;
            run.inexact = run.call->quality != OutputQuality::Final;
            result.push_back(run);
            i = j;
        }
        return result;
    }

    [[nodiscard]] double rounded(double x) const { return std::round(x / paint_.pixel) * paint_.pixel; }

    [[nodiscard]] QColor shade(const QColor& color, const Run& run) const {
        return run.hit ? color : mixed(paint_.theme.plotGround, color, paleUnselected);
    }

    void glyph(const Run& run) {
        const Usage& usage = run.call->usage;
        const Theme& theme = paint_.theme;
        if (bands_.context.height > 0 && usage.context() > 0) {
            const double scale = bands_.context.height / contextTop_;
            const double fresh = static_cast<double>(usage.input) * scale;
            const double write = static_cast<double>(usage.cacheWrite) * scale;
            const double all = std::max(static_cast<double>(usage.context()) * scale, 1.0);
            const double y = bands_.context.bottom() - all;
            part(run, y, fresh, shade(theme.uncachedInput, run), tr("uncached"), usage.input);
            part(run, y + fresh, write, shade(theme.cacheWrite, run), tr("write"), usage.cacheWrite);
            part(run, y + fresh + write, all - fresh - write, shade(theme.cacheRead, run), tr("read"),
                 usage.cacheRead);
            if (run.inherited) {
                hatch(run, y, all);
            }
            if (row_.kind != TimelineRow::Kind::Compact) {
                sumUp(run, y, scale);
            }
        }
        span(run);
        if (bands_.output.height > 0) {
            output(run);
        }
    }

    static QString tr(const char* text) { return QString::fromLatin1(text); }

    /// Nothing stays nothing; a little is at least a pixel.
    static double height(Tokens tokens, double scale) {
        return tokens > 0 ? std::max(1.0, static_cast<double>(tokens) * scale) : 0;
    }

    void part(const Run& run, double y, double partHeight, const QColor& color, const QString& name,
              Tokens tokens) {
        if (partHeight <= 0) {
            return;
        }
        paint_.fill(run.x0, y, run.x1 - run.x0, partHeight, color);
        if (partHeight >= paint_.lineHeight()) {
            label(run, y, std::min(partHeight, paint_.lineHeight() + 4), color,
                  name + QLatin1Char(' ') + countText(static_cast<double>(tokens)),
                  countText(static_cast<double>(tokens)));
        }
    }

    /// The longer of two texts that fits into the visible part of the run.
    void label(const Run& run, double y, double labelHeight, const QColor& ground, const QString& words,
               const QString& fewWords) {
        if (run.x1 - run.x0 < textWidth) {
            return;
        }
        const QRectF plot = paint_.frame.plot;
        const double x0 = std::max(run.x0, plot.left()) + 4, x1 = std::min(run.x1, plot.right()) - 3;
        const QString& fitting = paint_.widthOf(words) <= x1 - x0 ? words : fewWords;
        if (paint_.widthOf(fitting) <= x1 - x0) {
            paint_.text(QRectF(x0, y, x1 - x0, labelHeight), leftMiddle, fitting, inkOn(ground));
        }
    }

    /// Above a wide column: the context, and the parts that are too thin to carry their own number.
    void sumUp(const Run& run, double y, double scale) {
        const double line = paint_.lineHeight();
        if (run.x1 - run.x0 < textWidth || y - line < bands_.context.top - 2) {
            return;
        }
        const Usage& usage = run.call->usage;
        const QString context = QStringLiteral("context ") + countText(static_cast<double>(usage.context()));
        QString words = context;
        const auto add = [&](const char* name, Tokens tokens) {
            if (tokens > 0 && static_cast<double>(tokens) * scale < line) {
                words += QStringLiteral(", %1 %2").arg(tr(name), countText(static_cast<double>(tokens)));
            }
        };
        add("read", usage.cacheRead);
        add("write", usage.cacheWrite);
        add("uncached", usage.input);
        label(run, y - line - 1, line, paint_.theme.plotGround, words, context);
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
        if (timed && run.x1 - run.x0 >= 4 && isKnown(run.call->firstLine)) {
            decode = std::clamp(paint_.frame.x.toPixel(paint_.scene.scale.unitsAt(run.call->firstLine)),
                                run.x0, run.x1);
        }
        const QColor waiting = mixed(paint_.theme.plotGround, color, paleUntilFirstLine);
        paint_.fill(run.x0, band.top, decode - run.x0, band.height, waiting);
        paint_.fill(decode, band.top, run.x1 - decode, band.height, color);
        if (run.inherited) {
            hatch(run, band.top, band.height);
        }
        const std::int64_t ms = run.call->end.ms - run.call->start.ms;
        if (band.height < paint_.lineHeight() - 3 || ms <= 0) {
            return;
        }
        // The words stand on one colour: on the wider part.
        const bool onWaiting = decode - run.x0 > run.x1 - decode;
        Run part = run;
        (onWaiting ? part.x1 : part.x0) = decode;
        const QString duration = durationText(ms);
        const std::int64_t first = run.call->firstLine.ms - run.call->start.ms;
        const bool split = isKnown(run.call->firstLine) && first > 0 && first < ms;
        label(part, band.top, band.height, onWaiting ? waiting : color,
              split ? duration + QStringLiteral(", first line after ") + durationText(first) : duration,
              duration);
    }

    /// A lower bound has no top: paler, with its sides drawn, and says ">=" where there is room.
    void output(const Run& run) {
        if (run.output <= 0) {
            return;
        }
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
        if (run.inherited) {
            hatch(run, y, tall);
        }
        const QString number = (run.inexact ? QStringLiteral("\u2265 ") : QString()) +
                               countText(static_cast<double>(run.output));
        if (band.height < paint_.lineHeight()) {
            return;
        }
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

void paintSteps(const TimelinePaint& paint, const Steps& steps, Band band, const QColor& area,
                const QColor& line) {
    if (steps.at.empty()) {
        return;
    }
    const TimelineGeometry& x = paint.frame.x;
    const double pixel = paint.pixel, stroke = std::max(1.0, pixel);
    const auto yOf = [&](Tokens value) {
        return band.bottom() - band.height * static_cast<double>(value) / steps.top;
    };
    const double left = paint.frame.plot.left(), right = paint.frame.plot.right();
    const auto snapped = [&](double units) {
        return left + std::floor((x.toPixel(units) - left) / pixel) * pixel;
    };
    std::size_t i = static_cast<std::size_t>(
        std::upper_bound(steps.at.begin(), steps.at.end(), x.toUnits(paint.frame.plot.left())) -
        steps.at.begin());
    i = i > 0 ? i - 1 : 0;
    Tokens previous = steps.value[i];
    while (i < steps.at.size()) {
        // All changes within one pixel column become one upright line from the lowest to the highest.
        const double column = std::max(snapped(steps.at[i]), paint.frame.plot.left());
        if (column > right) {
            return;
        }
        Tokens low = std::min(previous, steps.value[i]), high = std::max(previous, steps.value[i]);
        const double columnEnd = x.toUnits(column + pixel);
        while (i + 1 < steps.at.size() && steps.at[i + 1] < columnEnd) {
            ++i;
            low = std::min(low, steps.value[i]);
            high = std::max(high, steps.value[i]);
        }
        const Tokens value = steps.value[i];
        const double next = i + 1 < steps.at.size() ? snapped(steps.at[i + 1]) : x.toPixel(steps.until);
        const double end = std::min(std::max(next, column + pixel), right);
        if (i + 1 == steps.at.size() && next <= column && steps.at[i] < x.toUnits(paint.frame.plot.left())) {
            return; // it ended before the view
        }
        paint.fill(column, yOf(value), end - column, band.bottom() - yOf(value), area);
        paint.fill(column, yOf(value) - stroke / 2, end - column, stroke, line);
        if (high > low) {
            paint.fill(column, yOf(high), stroke, yOf(low) - yOf(high), line);
        }
        previous = value;
        ++i;
    }
}

void paintCalls(const TimelinePaint& paint, const TimelineRow& row) {
    CallPainter(paint, row).paint();
}

} // namespace loadline::ui
