// Two axes and the plot between them.
#include "ui/chart/xy_axes.h"

#include "ui/chart/paint_help.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline::ui {
namespace {

double shareOf(const XyAxis& axis, double value) {
    const double held = std::clamp(value, axis.low, axis.high);
    return axis.log ? std::log(held / axis.low) / std::log(axis.high / axis.low)
                    : (held - axis.low) / (axis.high - axis.low);
}

double valueOf(const XyAxis& axis, double share) {
    const double held = std::clamp(share, 0.0, 1.0);
    return axis.log ? axis.low * std::pow(axis.high / axis.low, held)
                    : axis.low + held * (axis.high - axis.low);
}

QFont tickFont() {
    return fontOf(0.82);
}

constexpr std::size_t leastTicks = 2;
constexpr int mostRowTicks = 6;

constexpr double minuteS = 60, hourS = 60 * minuteS, dayS = 24 * hourS;

/// Within [low, high], at most about `most`: as clocks count, and by decades on both sides of that, finer
/// where there is room.
std::vector<double> timeTicks(double low, double high, int most) {
    struct Ladder {
        std::vector<double> below; ///< a second: digits of each decade
        std::vector<double> above;
    };
    const std::vector<double> clock = {1,       2,           5,           10,           30,
                                       minuteS, 2 * minuteS, 5 * minuteS, 10 * minuteS, 30 * minuteS,
                                       hourS,   2 * hourS,   5 * hourS,   12 * hourS};
    const std::vector<double> tens = {1, 10, minuteS, 10 * minuteS, hourS, 10 * hourS};
    const Ladder ladders[] = {
        {{1, 2, 5}, clock}, {{1, 3}, clock}, {{1}, clock}, {{1}, tens}, {{1}, {1, minuteS, hourS}}};
    std::vector<double> ticks;
    for (const auto& [below, above] : ladders) {
        const std::vector<double> finer = std::exchange(ticks, {});
        const auto add = [&](double tick) {
            if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) {
                ticks.push_back(tick);
            }
        };
        for (int power = std::min(0, static_cast<int>(std::floor(std::log10(low)))); power < 0; ++power) {
            for (const double digit : below) {
                add(digit * std::pow(10.0, power));
            }
        }
        std::ranges::for_each(above, add);
        for (double days = dayS; days <= high * (1 + 1e-9); days *= 10) {
            add(days);
        }
        if (ticks.size() < leastTicks && finer.size() >= leastTicks) { // one tick tells no distance
            return {finer.front(), finer.back()};
        }
        if (static_cast<int>(ticks.size()) <= most) {
            break;
        }
    }
    return ticks;
}

std::vector<double> evenTicks(const XyAxis& axis, int most,
                              std::initializer_list<double> digits = {1, 1.5, 2, 3, 5, 8}) {
    std::vector<double> ticks;
    // Round in what is written: the unit of the titles may be another than that of the values.
    const double unit = axis.factor > 0 ? axis.factor : 1;
    const double step = niceAbove((axis.high - axis.low) * unit / std::max(most, 1) * 0.999, digits) / unit;
    for (double i = std::ceil(axis.low / step - 1e-9); i * step <= axis.high * (1 + 1e-9); ++i) {
        ticks.push_back(i * step);
    }
    return ticks;
}

/// 1, 2, 5, 10, ..., more digits within a decade; round steps where the axis is too narrow for them.
std::vector<double> logTicks(const XyAxis& axis, int most) {
    using Digits = std::vector<double>;
    constexpr double narrow = 4; // high over low: digits 1, 2, 5 would leave fewer than leastTicks
    constexpr double decade = 10;
    const double reach = axis.high / axis.low;
    const auto evenOnes = [&] { // leastTicks or more: a single one shows no scale
        std::vector<double> even = evenTicks(axis, most, {1, 2, 5}); // steps of which 1 is a multiple
        for (int more = most; even.size() < leastTicks && more <= 4 * most; ++more) {
            even = evenTicks(axis, more);
        }
        return even;
    };
    if (reach <= narrow) {
        if (std::vector<double> even = evenOnes(); even.size() >= leastTicks) {
            return even;
        }
    }
    std::vector<Digits> ladders = {{1, 2, 5}, {1, 3}, {1}};
    if (reach <= decade) {
        ladders.insert(ladders.begin(), {Digits{1, 2, 3, 4, 5, 6, 7, 8, 9}, Digits{1, 2, 3, 5, 7}});
    }
    std::vector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(axis.low)));
    const int last = static_cast<int>(std::ceil(std::log10(axis.high)));
    for (const Digits& digits : ladders) {
        const std::vector<double> finer = std::exchange(ticks, {});
        for (int power = first; power <= last; ++power) {
            for (const double digit : digits) {
                const double value = digit * std::pow(10.0, power);
                if (value >= axis.low * (1 - 1e-9) && value <= axis.high * (1 + 1e-9)) {
                    ticks.push_back(value);
                }
            }
        }
        if (ticks.size() < leastTicks) {
            return finer.size() >= leastTicks ? finer : evenOnes();
        }
        if (static_cast<int>(ticks.size()) <= most) {
            return ticks;
        }
    }
    std::vector<double> fewer;
    const std::size_t step = ticks.size() / static_cast<std::size_t>(std::max(most, 1)) + 1;
    for (std::size_t i = 0; i < ticks.size(); i += step) {
        fewer.push_back(ticks[i]);
    }
    return fewer;
}

/// XyAxis::ticks, every second or third of them where they are too many.
std::vector<double> someOf(const std::vector<double>& ticks, int most) {
    const auto every = (ticks.size() - 1) / static_cast<std::size_t>(std::max(most, 1)) + 1;
    std::vector<double> some;
    for (std::size_t i = 0; i < ticks.size(); i += every) {
        some.push_back(ticks[i]);
    }
    return some;
}

QString timeText(double seconds) {
    const auto [name, perS] = seconds >= dayS * (1 - 1e-9)      ? TimeUnit{QStringLiteral("d"), 1 / dayS}
                              : seconds >= hourS * (1 - 1e-9)   ? TimeUnit{QStringLiteral("h"), 1 / hourS}
                              : seconds >= minuteS * (1 - 1e-9) ? TimeUnit{QStringLiteral("min"), 1 / minuteS}
                                                                : timeUnitOf(seconds * 10);
    const double value = seconds * perS;
    return (value >= 1000 ? countText(value) : QString::number(value, 'g', 3)) + u'\u202F' + name;
}

} // namespace

std::vector<double> ticksOf(const XyAxis& axis, int most) {
    std::vector<double> ticks = !axis.ticks.empty() ? someOf(axis.ticks, most)
                                : axis.times        ? timeTicks(axis.low, axis.high, most)
                                : axis.log          ? logTicks(axis, most)
                                                    : evenTicks(axis, most);
    std::erase_if(ticks, [&](double tick) { return tick > axis.lastTick; });
    return ticks;
}

TimeUnit timeUnitOf(double mostS) {
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    constexpr double day = 24 * hour;
    constexpr double few = 10; // of a unit, before it is written in it
    return mostS >= few * day      ? TimeUnit{QStringLiteral("d"), 1 / day}
           : mostS >= few * hour   ? TimeUnit{QStringLiteral("h"), 1 / hour}
           : mostS >= few * minute ? TimeUnit{QStringLiteral("min"), 1 / minute}
           : mostS >= few          ? TimeUnit{QStringLiteral("s"), 1}
           : mostS >= 1e-3         ? TimeUnit{QStringLiteral("ms"), 1e3}
                                   : TimeUnit{QStringLiteral("\u00b5s"), 1e6};
}

XyAxis timeAxis(const QString& what, double lowUs, double highUs) {
    constexpr double decades = 20; // a logarithmic axis stays with the shorter unit for longer
    const TimeUnit unit = timeUnitOf(highUs * 1e-6 >= decades ? highUs * 1e-6 : highUs * 1e-6 / decades);
    return {what.arg(unit.name), lowUs, highUs, true, false, unit.perS * 1e-6};
}

QString tickText(const XyAxis& axis, double value) {
    if (axis.text) {
        return axis.text(value);
    }
    value *= axis.factor;
    if (axis.times) {
        return timeText(value);
    }
    if (axis.shares) {
        return QString::number(value * 100, 'g', 3) + QStringLiteral("\u202F%");
    }
    return std::abs(value) >= 1000 ? countText(value) : QString::number(value, 'g', 3);
}

double niceAbove(double value, std::initializer_list<double> digits) {
    if (!(value > 0) || !std::isfinite(value)) {
        return 1;
    }
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    for (const double digit : digits) {
        if (digit * power >= value * (1 - 1e-9)) {
            return digit * power;
        }
    }
    return 10 * power;
}

double niceBelow(double value, std::initializer_list<double> digits) {
    if (!(value > 0) || !std::isfinite(value)) {
        return 0;
    }
    const double power = std::pow(10.0, std::floor(std::log10(value)));
    double below = power;
    for (const double digit : digits) {
        if (digit * power <= value * (1 + 1e-9)) {
            below = digit * power;
        }
    }
    return below;
}

double XyAxes::roomFor(const XyAxis& y) {
    double room = 0;
    for (const double tick : y.text ? y.ticks : std::vector<double>()) { // names
        room = std::max(room, widthOf(tickFont(), tickText(y, tick)));
    }
    for (int rows = 2; rows <= mostRowTicks;
         ++rows) { // how many there are, the height tells: fewer may be wider
        for (const double tick : ticksOf(y, rows)) {
            room = std::max(room, widthOf(tickFont(), tickText(y, tick)));
        }
    }
    return room;
}

XyAxes::XyAxes(XyAxis x, XyAxis y, const QRectF& area, double left)
    : x_(std::move(x)), y_(std::move(y)), area_(area) {
    const double line = heightOf(tickFont());
    left = std::max(left, roomFor(y_));
    const double below = (x_.title.isEmpty() ? 1 : 2) * line;
    plot_ = area.adjusted(left + spacing, line + spacing / 2.0, -spacing, -below - spacing / 2.0);
    if (plot_.width() < 8 || plot_.height() < 8) {
        plot_ = area;
    }
}

double XyAxes::x(double value) const {
    return plot_.left() + shareOf(x_, value) * plot_.width();
}

double XyAxes::y(double value) const {
    return plot_.bottom() - shareOf(y_, value) * plot_.height();
}

double XyAxes::valueAtX(double x) const {
    return valueOf(x_, (x - plot_.left()) / plot_.width());
}

double XyAxes::valueAtY(double y) const {
    return valueOf(y_, (plot_.bottom() - y) / plot_.height());
}

void XyAxes::paint(QPainter& painter, const Theme& theme) const {
    painter.fillRect(plot_, theme.plotGround);
    const QFont font = tickFont();
    const double line = heightOf(font);
    const int columns = std::max(2, static_cast<int>(plot_.width() / 44));
    const int rows = std::max(2, static_cast<int>(plot_.height() / (1.8 * line)));
    for (const double tick : ticksOf(x_, columns)) {
        const double at = x(tick);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(at, plot_.top()), QPointF(at, plot_.bottom()));
        const QRectF place(at - 40, plot_.bottom() + 2, 80, line);
        drawText(painter, place, Qt::AlignHCenter | Qt::AlignTop, font, theme.textMuted, tickText(x_, tick));
    }
    const bool hasNames = y_.text && !y_.ticks.empty();
    for (const double tick :
         ticksOf(y_, hasNames ? static_cast<int>(plot_.height() / line) + 1 : std::min(rows, mostRowTicks))) {
        const double at = y(tick);
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(plot_.left(), at), QPointF(plot_.right(), at));
        const QRectF place(area_.left(), at - line / 2, plot_.left() - area_.left() - spacing / 2.0, line);
        drawText(painter, place, Qt::AlignRight | Qt::AlignVCenter, font, theme.textMuted,
                 tickText(y_, tick));
    }
    painter.setPen(QPen(theme.border, 1));
    painter.drawLine(plot_.bottomLeft(), plot_.bottomRight());
    const QRectF below(plot_.left(), plot_.bottom() + 2 + line, plot_.width(), line);
    drawText(painter, below, Qt::AlignRight | Qt::AlignTop, font, theme.textMuted, x_.title);
    const QRectF above(area_.left(), area_.top(), area_.width(), line);
    drawText(painter, above, Qt::AlignLeft | Qt::AlignTop, font, theme.textMuted, y_.title);
}

} // namespace loadline::ui
