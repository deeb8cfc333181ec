// Lines and outlines cut off at a rectangle.
#include "ui/plot/plot_cut.h"

#include <algorithm>
#include <utility>

namespace loadline::ui {
namespace {

/// The part of a segment within a rectangle, by Liang and Barsky; false: there is none.
bool cutSegment(QPointF& a, QPointF& b, const QRectF& rect) {
    double from = 0, to = 1;
    const QPointF way = b - a;
    const auto within = [&](double step, double room) { // step * t <= room
        if (step == 0) {
            return room >= 0;
        }
        const double t = room / step;
        step > 0 ? to = std::min(to, t) : from = std::max(from, t);
        return from <= to;
    };
    if (!within(-way.x(), a.x() - rect.left()) || !within(way.x(), rect.right() - a.x()) ||
        !within(-way.y(), a.y() - rect.top()) || !within(way.y(), rect.bottom() - a.y())) {
        return false;
    }
    b = a + to * way;
    a += from * way;
    return true;
}

bool isInside(const QPolygonF& points, const QRectF& rect) {
    const QRectF wider = rect.adjusted(-0.01, -0.01, 0.01, 0.01);
    return std::ranges::all_of(points, [&](const QPointF& at) { return wider.contains(at); });
}

} // namespace

std::vector<PlotLine> cutOff(std::vector<PlotLine> lines, const QRectF& rect) {
    std::vector<PlotLine> kept;
    for (PlotLine& line : lines) {
        if (isInside(line.points, rect)) {
            kept.push_back(std::move(line));
            continue;
        }
        bool joins = false;
        for (qsizetype i = 0; i + 1 < line.points.size(); ++i) {
            QPointF a = line.points[i], b = line.points[i + 1];
            if (!cutSegment(a, b, rect)) {
                joins = false;
                continue;
            }
            const auto place = static_cast<std::size_t>(i);
            if (!joins) {
                kept.push_back({line.series, {{a}}, {line.basis[place]}});
            }
            kept.back().points << b;
            kept.back().basis.push_back(line.basis[place + 1]);
            joins = b == line.points[i + 1];
        }
    }
    return kept;
}

// Along one edge after the other, by Sutherland and Hodgman.
QPolygonF cutPolygon(QPolygonF polygon, const QRectF& rect) {
    const auto cut = [&](auto depth) { // how far within the edge; negative: beyond
        QPolygonF inside;
        for (qsizetype i = 0; i < polygon.size(); ++i) {
            const QPointF a = polygon[i], b = polygon[(i + 1) % polygon.size()];
            const double within = depth(a), next = depth(b);
            if (within >= 0) {
                inside << a;
            }
            if ((within >= 0) != (next >= 0)) {
                inside << a + within / (within - next) * (b - a);
            }
        }
        polygon = std::move(inside);
    };
    if (!isInside(polygon, rect)) {
        cut([&](const QPointF& at) { return at.x() - rect.left(); });
        cut([&](const QPointF& at) { return rect.right() - at.x(); });
        cut([&](const QPointF& at) { return at.y() - rect.top(); });
        cut([&](const QPointF& at) { return rect.bottom() - at.y(); });
    }
    return polygon;
}

} // namespace loadline::ui
