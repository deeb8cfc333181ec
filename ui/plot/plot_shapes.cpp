// From values to pixels.
#include "ui/plot/plot_shapes.h"

#include "ui/plot/plot_cut.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace loadline::ui {
namespace {

using ask::Kind;

constexpr double barHalf = 0.4; ///< half of a category's row that its bar takes

bool isKnownAt(const SceneMark& mark, std::size_t row) {
    return !std::isnan(mark.x[row]) && !std::isnan(mark.y[row]);
}

std::vector<std::vector<std::size_t>> rowsBySeries(const SceneMark& mark) {
    std::vector<std::vector<std::size_t>> rows(mark.seriesNames.size());
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        rows[mark.seriesAt(row)].push_back(row);
    }
    return rows;
}

/// Collects the points of one series, two in each column of pixels at most.
class ThinLine {
public:
    ThinLine(std::vector<PlotLine>& pieces, std::size_t series, double pixel)
        : pieces_(pieces), series_(series), pixel_(pixel) {}

    void add(const QPointF& at, ask::Basis basis) {
        const double column = std::floor(at.x() / pixel_);
        if (!isHeld_ || column != column_ || basis != low_.basis) {
            flush();
            if (broken_ || pieces_.empty() || !begun_) {
                pieces_.push_back({series_, {}, {}});
                begun_ = true;
            }
            broken_ = false;
            isHeld_ = true;
            column_ = column;
            low_ = high_ = {at, basis, count_};
        } else {
            broken_ = false; // a gap within a column cannot be seen
            low_ = at.y() > low_.at.y() ? Held{at, basis, count_} : low_;
            high_ = at.y() < high_.at.y() ? Held{at, basis, count_} : high_;
        }
        ++count_;
    }

    void breakOff() { broken_ = true; }

    void flush() {
        if (!isHeld_) {
            return;
        }
        const auto put = [&](const Held& held) {
            pieces_.back().points << held.at;
            pieces_.back().basis.push_back(held.basis);
        };
        put(low_.order <= high_.order ? low_ : high_);
        if (low_.order != high_.order) {
            put(low_.order <= high_.order ? high_ : low_);
        }
        isHeld_ = false;
    }

private:
    struct Held {
        QPointF at;
        ask::Basis basis = ask::Basis::Exact;
        std::size_t order = 0;
    };

    std::vector<PlotLine>& pieces_;
    std::size_t series_;
    double pixel_;
    Held low_, high_;
    double column_ = 0;
    std::size_t count_ = 0;
    bool isHeld_ = false, broken_ = false, begun_ = false;
};

/// Half the room of a bar that has no second end: most of the way to the nearest other one.
double halfWidthOf(const SceneMark& mark, const PlotAxes& axes) {
    constexpr double most = 20;
    std::vector<double> places;
    for (const double x : mark.x) {
        if (!std::isnan(x)) {
            places.push_back(axes.x(x));
        }
    }
    std::ranges::sort(places);
    double nearest = 2 * most / (2 * barHalf);
    for (std::size_t i = 1; i < places.size(); ++i) {
        nearest = places[i] > places[i - 1] ? std::min(nearest, places[i] - places[i - 1]) : nearest;
    }
    return barHalf * nearest;
}

QRectF boxOf(const SceneMark& mark, const PlotAxes& axes, std::size_t row, double halfWidth) {
    const bool isAcross = axes.scene().y.hasNames() && !axes.scene().x.hasNames(); // bars lie
    const bool right = mark.mark->onRight;
    const auto x = [&](double value) { return axes.x(value); };
    const auto y = [&](double value) { return axes.y(value, right); };
    const QRectF& plot = axes.plot();
    const double x1 = mark.x[row], y1 = mark.y[row];
    QPointF from, to;
    if (isAcross) {
        const double other = mark.x2.empty() ? 0 : mark.x2[row];
        from = {x(other), y(y1 - barHalf)};
        to = {x(x1), y(y1 + barHalf)};
    } else {
        from.setX(!mark.x2.empty()                 ? x(x1)
                  : axes.scene().x.hasNames()      ? x(x1 - barHalf)
                  : mark.mark->kind == Kind::Spans ? plot.left()
                                                   : x(x1) - halfWidth);
        to.setX(!mark.x2.empty()                 ? x(mark.x2[row])
                : axes.scene().x.hasNames()      ? x(x1 + barHalf)
                : mark.mark->kind == Kind::Spans ? x(x1)
                                                 : x(x1) + halfWidth);
        if (mark.mark->kind == Kind::Spans && std::isnan(y1)) { // over the whole height
            from.setY(plot.top());
            to.setY(plot.bottom());
        } else {
            from.setY(y(y1));
            to.setY(!mark.y2.empty() ? y(mark.y2[row]) : y(0));
        }
    }
    return QRectF(from, to).normalized() & plot; // null: nothing of it is seen
}

/// The edges of cells between their neighbours' middles.
std::map<double, std::pair<double, double>> edgesOf(const std::vector<double>& values, double low,
                                                    double high, const auto& place) {
    std::map<double, std::pair<double, double>> edges;
    for (const double value : values) {
        if (!std::isnan(value)) {
            edges[value];
        }
    }
    for (auto at = edges.begin(); at != edges.end(); ++at) {
        const auto next = std::next(at);
        const double before = at == edges.begin() ? low : std::prev(at)->second.second;
        const double after = next == edges.end() ? high : (place(at->first) + place(next->first)) / 2;
        at->second = {before, after};
    }
    return edges;
}

std::vector<PlotBox> cellsOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    const QRectF& plot = axes.plot();
    const auto columns = edgesOf(mark.x, plot.left(), plot.right(), [&](double v) { return axes.x(v); });
    const auto lines = edgesOf(mark.y, plot.bottom(), plot.top(), [&](double v) { return axes.y(v); });
    std::vector<PlotBox> boxes;
    std::unordered_map<std::int64_t, std::size_t> seen; // pixel -> place in boxes
    const auto shadeAt = [&](std::size_t row) { return mark.shade.empty() ? 0 : mark.shade[row]; };
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        if (!isKnownAt(mark, row) || std::isnan(shadeAt(row))) {
            continue;
        }
        const auto& [left, right] = columns.at(mark.x[row]);
        const auto& [bottom, top] = lines.at(mark.y[row]);
        QRectF rect = QRectF(QPointF(left, top), QPointF(right, bottom)).normalized() & plot;
        if (rect.width() < pixel || rect.height() < pixel) {
            rect = QRectF(std::floor(rect.left() / pixel) * pixel, std::floor(rect.top() / pixel) * pixel,
                          std::max(rect.width(), pixel), std::max(rect.height(), pixel));
            const auto key = static_cast<std::int64_t>(rect.left() / pixel) * (std::int64_t{1} << 32) +
                             static_cast<std::int64_t>(rect.top() / pixel);
            const auto [found, isNew] = seen.try_emplace(key, boxes.size());
            if (!isNew) {
                PlotBox& other = boxes[found->second];
                other = shadeAt(row) > shadeAt(other.row) ? PlotBox{row, rect} : other;
                continue;
            }
        }
        boxes.push_back({row, rect});
    }
    return boxes;
}

/// Bars thinner than a pixel: the tallest of each column.
std::vector<PlotBox> thinnedBoxes(const SceneMark& mark, std::vector<PlotBox> boxes, double pixel) {
    struct Tallest {
        double top = std::numeric_limits<double>::infinity();
        double x = 0;
    };
    const auto columnOf = [pixel](const PlotBox& box) {
        return static_cast<std::int64_t>(std::floor(box.rect.center().x() / pixel));
    };
    std::unordered_map<std::int64_t, Tallest> tallest;
    for (const PlotBox& box : boxes) {
        Tallest& best = tallest[columnOf(box)];
        if (box.rect.top() < best.top) {
            best = {box.rect.top(), mark.x[box.row]};
        }
    }
    std::erase_if(boxes, [&](const PlotBox& box) { return tallest[columnOf(box)].x != mark.x[box.row]; });
    for (PlotBox& box : boxes) {
        box.rect =
            QRectF(static_cast<double>(columnOf(box)) * pixel, box.rect.top(), pixel, box.rect.height());
    }
    return boxes;
}

/// Joins level (or upright) ranges of one row (or column) of pixels where they overlap.
void joinRanges(std::vector<PlotLine>& ranges, bool upright, double pixel) {
    const auto along = [&](const QPointF& at) { return upright ? at.y() : at.x(); };
    const auto lane = [&](const PlotLine& range) {
        const QPointF& at = range.points.front();
        return std::pair(range.series, std::floor((upright ? at.x() : at.y()) / pixel));
    };
    std::vector<PlotLine> kept;
    std::vector<PlotLine> joined;
    for (PlotLine& range : ranges) {
        const QPointF way = range.points.back() - range.points.front();
        const bool isAlong = (upright ? way.x() : way.y()) == 0;
        if (isAlong && along(range.points.front()) > along(range.points.back())) {
            std::ranges::reverse(range.points);
        }
        (isAlong ? joined : kept).push_back(std::move(range));
    }
    std::ranges::stable_sort(joined, {}, [&](const PlotLine& range) {
        return std::pair(lane(range), along(range.points.front()));
    });
    for (PlotLine& range : joined) {
        PlotLine* last = kept.empty() ? nullptr : &kept.back();
        const bool overlaps = last != nullptr && &range != &joined.front() && lane(*last) == lane(range) &&
                              along(range.points.front()) <= along(last->points.back()) + pixel;
        if (!overlaps) {
            kept.push_back(std::move(range));
        } else if (along(range.points.back()) > along(last->points.back())) {
            last->points.back() = range.points.back();
        }
    }
    ranges = std::move(kept);
}

} // namespace

std::vector<PlotLine> linesOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    std::vector<PlotLine> lines;
    const bool right = mark.mark->onRight;
    const std::vector<std::vector<std::size_t>> all = rowsBySeries(mark);
    for (std::size_t series = 0; series < all.size(); ++series) {
        ThinLine line(lines, series, pixel);
        bool isBegun = false;
        double lastY = 0;
        for (const std::size_t row : all[series]) {
            if (!isKnownAt(mark, row)) {
                line.breakOff();
                isBegun = false;
                continue;
            }
            const QPointF at(axes.x(mark.x[row]), axes.y(mark.y[row], right));
            const ask::Basis basis = mark.basisAt(row);
            if (mark.mark->kind == Kind::Step && isBegun) {
                line.add(QPointF(at.x(), lastY), basis);
            }
            line.add(at, basis);
            isBegun = true;
            lastY = at.y();
        }
        line.flush();
    }
    return cutOff(std::move(lines), axes.plot());
}

std::vector<PlotLine> rangesOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    const bool right = mark.mark->onRight;
    std::vector<PlotLine> ranges;
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        const double x2 = mark.x2.empty() ? mark.x[row] : mark.x2[row];
        const double y2 = mark.y2.empty() ? mark.y[row] : mark.y2[row];
        if (isKnownAt(mark, row) && !std::isnan(x2) && !std::isnan(y2)) {
            ranges.push_back(
                {mark.seriesAt(row),
                 {{axes.x(mark.x[row]), axes.y(mark.y[row], right)}, {axes.x(x2), axes.y(y2, right)}},
                 {mark.basisAt(row), mark.basisAt(row)}});
        }
    }
    ranges = cutOff(std::move(ranges), axes.plot());
    joinRanges(ranges, true, pixel);
    joinRanges(ranges, false, pixel);
    return ranges;
}

std::vector<PlotArea> areasOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    std::vector<PlotArea> areas;
    const bool right = mark.mark->onRight;
    const std::vector<std::vector<std::size_t>> all = rowsBySeries(mark);
    for (std::size_t series = 0; series < all.size(); ++series) {
        QPolygonF above, below;
        const auto finish = [&] {
            if (above.size() > 1) {
                std::ranges::reverse(below);
                const QPolygonF outline = cutPolygon(above + below, axes.plot());
                if (!outline.isEmpty()) {
                    areas.push_back({series, outline});
                }
            }
            above.clear();
            below.clear();
        };
        for (const std::size_t row : all[series]) {
            const double foot = mark.y2.empty() ? 0 : mark.y2[row];
            if (!isKnownAt(mark, row) || std::isnan(foot)) {
                finish();
                continue;
            }
            const double x = axes.x(mark.x[row]);
            const double first = axes.y(mark.y[row], right), second = axes.y(foot, right);
            const double top = std::min(first, second), bottom = std::max(first, second);
            if (!above.isEmpty() && std::floor(above.back().x() / pixel) == std::floor(x / pixel)) {
                above.back().setY(std::min(above.back().y(), top));
                below.back().setY(std::max(below.back().y(), bottom));
            } else {
                above << QPointF(x, top);
                below << QPointF(x, bottom);
            }
        }
        finish();
    }
    return areas;
}

std::vector<PlotBox> boxesOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    if (mark.mark->kind == Kind::Cells) {
        return cellsOf(mark, axes, pixel);
    }
    const double halfWidth = mark.x2.empty() ? halfWidthOf(mark, axes) : 0;
    std::vector<PlotBox> boxes;
    bool isThin = false;
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        const bool isSpan = mark.mark->kind == Kind::Spans;
        if (std::isnan(mark.x[row]) || (std::isnan(mark.y[row]) && !isSpan) ||
            (!mark.x2.empty() && std::isnan(mark.x2[row]))) {
            continue;
        }
        if (const QRectF rect = boxOf(mark, axes, row, halfWidth); !rect.isNull()) {
            isThin = isThin || rect.width() < pixel;
            boxes.push_back({row, rect});
        }
    }
    const bool standing = !axes.scene().y.hasNames();
    return isThin && standing && boxes.size() > static_cast<std::size_t>(axes.plot().width() / pixel)
               ? thinnedBoxes(mark, std::move(boxes), pixel)
               : boxes;
}

std::vector<PlotDot> dotsOf(const SceneMark& mark, const PlotAxes& axes, double pixel) {
    constexpr double flagDepth = 6;
    const QRectF room = axes.plot().adjusted(-0.01, -0.01, 0.01, 0.01);
    std::vector<PlotDot> dots;
    std::unordered_set<std::int64_t> taken;
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        if (!mark.isPlaced(row)) {
            continue;
        }
        QPointF at(axes.x(mark.x[row]), axes.plot().top() + flagDepth);
        if (!std::isnan(mark.y[row])) {
            at.setY(axes.y(mark.y[row], mark.mark->onRight));
        }
        const auto key = static_cast<std::int64_t>(std::floor(at.x() / pixel)) * (std::int64_t{1} << 32) +
                         static_cast<std::int64_t>(std::floor(at.y() / pixel));
        if (room.contains(at) && taken.insert(key).second) {
            dots.push_back({row, at});
        }
    }
    return dots;
}

} // namespace loadline::ui
