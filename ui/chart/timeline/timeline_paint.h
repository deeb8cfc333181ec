// Parts that the source files of the timeline's painter share; only they include it.
#pragma once

#include "ui/chart/paint_help.h"
#include "ui/chart/timeline/timeline_painter.h"

#include <QFontMetricsF>
#include <QString>

#include <string>
#include <vector>

namespace loadline::ui {

/// How much is left of a colour.
inline constexpr double paleUntilFirstLine = 0.45, paleUnselected = 0.22;

struct TimelinePaint {
    QPainter& painter;
    const TimelineScene& scene;
    const TimelineFrame& frame;
    const Theme& theme;
    QFont font, boldFont;
    QFontMetricsF metrics;
    double pixel; ///< a device pixel in logical pixels

    TimelinePaint(QPainter& aPainter, const TimelineScene& aScene, const TimelineFrame& aFrame,
                  const Theme& aTheme);

    void fill(double x, double y, double width, double height, const QColor& color) const;

    /// One line of text, elided to the rectangle.
    void text(const QRectF& where, Qt::Alignment alignment, const QString& words, const QColor& color,
              bool bold = false) const;
    [[nodiscard]] double widthOf(const QString& words) const { return metrics.horizontalAdvance(words); }

    [[nodiscard]] double lineHeight() const { return metrics.height(); }
};

QColor mixed(const QColor& a, const QColor& b, double shareOfB);
/// Black or white, whichever reads better.
QColor inkOn(const QColor& ground);

inline QString words(const std::string& text) {
    return QString::fromStdString(text);
}

/// A step function as filled columns with a line on top; from `at[i]` on `value[i]`, the last until `until`.
struct Steps {
    const std::vector<double>& at;
    const std::vector<Tokens>& value;
    double until;
    double top; ///< value at the upper end of the band
};

void paintSteps(const TimelinePaint& paint, const Steps& steps, Band band, const QColor& area,
                const QColor& line);

void paintCalls(const TimelinePaint& paint, const TimelineRow& row);
void paintTools(const TimelinePaint& paint, const TimelineRow& row);
void paintMarks(const TimelinePaint& paint, const TimelineRow& row);
void paintHeader(const TimelinePaint& paint);
void paintGutter(const TimelinePaint& paint, const TimelineRow& row);
void paintGapGrounds(const TimelinePaint& paint);
void paintGaps(const TimelinePaint& paint);
void paintAxis(const TimelinePaint& paint);
void paintNotes(const TimelinePaint& paint);

} // namespace loadline::ui
