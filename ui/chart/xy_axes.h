// Two axes, linear or logarithmic, and the plot between them: where values lie, ticks, grid, titles.
#pragma once

#include "ui/theme/theme.h"

#include <QPainter>
#include <QRectF>
#include <QString>

#include <functional>
#include <initializer_list>
#include <limits>
#include <vector>

namespace loadline::ui {

struct XyAxis {
    QString title; ///< with its unit
    double low = 0;
    double high = 1; ///< above low; both above 0 where it is logarithmic
    bool log = false;
    bool shares = false; ///< written as per cent
    double factor = 1;   ///< what is written of a value: its unit is not that of the values
    bool times = false;  ///< of seconds, logarithmic: each tick in its own unit, "30 s", "5 min", "2 h"
    std::vector<double> ticks = {};                 ///< the only values that have a tick; empty: round ones
    std::function<QString(double value)> text = {}; ///< what is written at a tick; {}: its number
    double lastTick = std::numeric_limits<double>::infinity(); ///< no tick lies beyond
};

/// A unit of time, and how many of it a second has.
struct TimeUnit {
    QString name;
    double perS = 1;
};

/// In which the largest value of an axis has few digits: microseconds to days, never thousands of seconds.
TimeUnit timeUnitOf(double mostS);

/// Logarithmic, of values in microseconds, written in the unit in which the largest has few digits. `what`
/// follows the unit: "%1 a call".
XyAxis timeAxis(const QString& what, double lowUs, double highUs);

/// XyAxis::ticks, every second or third of them where they are too many; else 1, 2, 5, 10, ... (log) or round
/// steps (linear), at most about `most` of them. A logarithmic axis whose ends are at most 4 apart has
/// round steps.
std::vector<double> ticksOf(const XyAxis& axis, int most);
/// "256", "1.2 k", "0.5", "40 %"
QString tickText(const XyAxis& axis, double value);
/// The smallest of the digits (from 1 on, ascending) times a power of ten that is not below `value`.
double niceAbove(double value, std::initializer_list<double> digits = {1, 1.5, 2, 3, 5, 8});
/// The largest of them that is not above `value`.
double niceBelow(double value, std::initializer_list<double> digits = {1, 1.5, 2, 3, 5, 8});

class XyAxes {
public:
    /// `left`: the least room for the ticks' texts, for plots one above the other.
    XyAxes(XyAxis x, XyAxis y, const QRectF& area, double left = 0);

    /// Returns the width of the widest text at the ticks of a y axis.
    [[nodiscard]] static double roomFor(const XyAxis& y);

    [[nodiscard]] const QRectF& plot() const { return plot_; }

    [[nodiscard]] double x(double value) const; ///< held within the plot
    [[nodiscard]] double y(double value) const;
    [[nodiscard]] double valueAtX(double x) const; ///< held within the axis
    [[nodiscard]] double valueAtY(double y) const;

    /// Ground, grid, ticks and titles.
    void paint(QPainter& painter, const Theme& theme) const;

private:
    XyAxis x_, y_;
    QRectF area_, plot_;
};

} // namespace loadline::ui
