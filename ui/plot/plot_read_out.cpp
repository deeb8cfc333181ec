// The read-out: the row or rows under the cursor, in words.
#include "ui/plot/plot_read_out.h"

#include "ui/plot/plot_hand.h"
#include "ui/plot/plot_shapes.h"
#include "ui/theme/format.h"

#include <QLineF>

#include <algorithm>
#include <cmath>

namespace loadline::ui {
namespace {

using ask::Kind;
using ask::Rule;

constexpr double dotReach = 12; ///< pixels between the cursor and a point
constexpr double nearGrip = 8, onLine = 3;

bool isLineLike(const SceneMark& mark) {
    return mark.mark->kind == Kind::Line || mark.mark->kind == Kind::Step || mark.mark->kind == Kind::Area;
}

bool isBoxLike(const SceneMark& mark) {
    return mark.mark->kind == Kind::Bars || mark.mark->kind == Kind::Spans || mark.mark->kind == Kind::Cells;
}

QString wordsOf(const ask::Column& column, std::size_t row) {
    const ask::Cell cell = column.at(row);
    return cell.isEmpty()
               ? QString()
               : QString::fromStdString(column.readOut)
                     .replace(QStringLiteral("{}"), QString::fromStdString(ask::wordsOf(cell, column.form)));
}

/// Returns the row of a series that is nearest to a place along x; rows() beyond the ends of its line, or
/// where it has no row.
std::size_t nearestAlong(const SceneMark& mark, std::size_t series, double place, const PlotAxes& axes) {
    const double value = axes.valueAtX(place);
    std::size_t before = mark.rows(), after = mark.rows(); // one on each side: no logarithm a row
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        if (mark.seriesAt(row) != series || std::isnan(mark.x[row]) || std::isnan(mark.y[row])) {
            continue;
        }
        if (mark.x[row] <= value && (before == mark.rows() || mark.x[row] >= mark.x[before])) {
            before = row;
        }
        if (mark.x[row] >= value && (after == mark.rows() || mark.x[row] < mark.x[after])) {
            after = row;
        }
    }
    const auto far = [&](std::size_t row) { return std::abs(axes.x(mark.x[row]) - place); };
    if (before == mark.rows() || after == mark.rows()) {
        const std::size_t end = std::min(before, after);
        return end < mark.rows() && far(end) <= dotReach ? end : mark.rows();
    }
    if (mark.mark->kind == Kind::Step) { // it holds up to the next
        return before;
    }
    return far(before) <= far(after) ? before : after;
}

} // namespace

QStringList wordsOfRow(const ask::Table& table, std::size_t row, const QString& before,
                       const std::string& without) {
    QStringList lines;
    for (const ask::Column& column : table.columns) {
        const QString words =
            column.readOut.empty() || column.key == without ? QString() : wordsOf(column, row);
        for (const QString& line : words.split(u'\n', Qt::SkipEmptyParts)) {
            lines << (before.isEmpty() ? line : before + QStringLiteral(": ") + line);
        }
    }
    return lines;
}

std::optional<PlotHand::Row> PlotHand::rowUnder(const QPointF& at, const PlotAxes& axes) const {
    std::optional<Row> best;
    double reach = dotReach;
    for (const SceneMark& mark : scene_->marks) {
        if (isLineLike(mark) || isBoxLike(mark) || mark.mark->background) {
            continue;
        }
        for (const PlotDot& dot : dotsOf(mark, axes)) {
            if (const double distance = QLineF(dot.at, at).length(); distance < reach) {
                reach = distance;
                best = Row{&mark, dot.row};
            }
        }
    }
    if (best) {
        return best;
    }
    std::optional<Row> column;                    // of a bar below or above the cursor
    for (const SceneMark& mark : scene_->marks) { // the last one lies on top
        if (!isBoxLike(mark) || mark.mark->background) {
            continue;
        }
        const bool stands = mark.mark->kind == Kind::Bars && !scene_->y.hasNames();
        for (const PlotBox& box : boxesOf(mark, axes)) {
            const QRectF rect = box.rect.adjusted(-0.5, 0, 0.5, 0);
            if (rect.contains(at)) {
                best = Row{&mark, box.row};
            } else if (stands && rect.left() <= at.x() && at.x() <= rect.right()) {
                column = Row{&mark, box.row};
            }
        }
    }
    return best ? best : column ? column : rowOfName(at, axes);
}

std::optional<PlotHand::Row> PlotHand::rowOfName(const QPointF& at, const PlotAxes& axes) const {
    for (const SceneMark& mark : scene_->marks) {
        for (std::size_t row = 0; scene_->y.hasNames() && !scene_->x.hasNames() && row < mark.rows(); ++row) {
            if (std::abs(mark.y[row] - axes.valueAtY(at.y())) <= 0.5) {
                return Row{&mark, row};
            }
        }
    }
    return std::nullopt;
}

/// The name of the band across the plot that the cursor is in.
QString PlotHand::wordsOfBand(const QPointF& at, const PlotAxes& axes) const {
    for (const Rule& rule : scene_->plot->rules) {
        if (rule.label.empty() || !rule.field.empty() || !rule.at || !rule.to ||
            rule.across == Rule::Across::Diagonal) {
            continue;
        }
        const bool isX = rule.across == Rule::Across::X;
        const auto [low, high] = isX ? std::minmax({axes.x(*rule.at), axes.x(*rule.to)})
                                     : std::minmax({axes.y(*rule.at), axes.y(*rule.to)});
        const double place = isX ? at.x() : at.y();
        if (low <= place && place <= high) {
            return QString::fromStdString(rule.label);
        }
    }
    return {};
}

/// The nearest rows of lines that have words; of many lines that of the one nearest to the cursor.
std::vector<PlotHand::Row> PlotHand::rowsOfLines(const QPointF& at, const PlotAxes& axes) const {
    constexpr std::size_t mostRead = 6; // more would cover the chart
    std::vector<Row> rows;
    std::vector<const ask::Table*> read;
    for (const SceneMark& mark : scene_->marks) {
        if (!isLineLike(mark) || mark.mark->background || std::ranges::count(read, mark.table) > 0) {
            continue;
        }
        read.push_back(mark.table);
        for (std::size_t series = 0; series < mark.seriesNames.size(); ++series) {
            const std::size_t row = nearestAlong(mark, series, at.x(), axes);
            if (row < mark.rows() && !wordsOfRow(*mark.table, row).isEmpty()) {
                rows.push_back({&mark, row});
            }
        }
    }
    if (rows.size() > mostRead) {
        const auto far = [&](const Row& one) {
            return std::abs(axes.y(one.mark->y[one.row], one.mark->mark->onRight) - at.y());
        };
        rows = {*std::ranges::min_element(rows, {}, far)};
    }
    return rows;
}

QStringList PlotHand::wordsOfLines(const QPointF& at, const PlotAxes& axes) const {
    QStringList lines;
    for (const Row& one : rowsOfLines(at, axes)) { // the first line says where on x
        const SceneMark& mark = *one.mark;
        const std::string x = lines.isEmpty() ? std::string() : mark.mark->x;
        const QString name = QString::fromStdString(mark.seriesNames[mark.seriesAt(one.row)]);
        if (!lines.isEmpty() || name.isEmpty()) {
            lines << wordsOfRow(*mark.table, one.row, name, x);
            continue;
        }
        const auto column = std::ranges::find(mark.table->columns, mark.mark->x, &ask::Column::key);
        if (column != mark.table->columns.end() && !column->readOut.empty()) {
            lines << wordsOf(*column, one.row);
        }
        lines << wordsOfRow(*mark.table, one.row, name, mark.mark->x);
    }
    return lines;
}

QStringList PlotHand::readOut(const QPointF& at, const PlotAxes& axes) const {
    const Rule* grip = gripAt(Rule::Across::X, at, axes);
    const bool isAlone = grip != nullptr && this->isAlone(Rule::Across::X);
    if (grip != nullptr && !grip->readOut.empty() && (isAlone || at.y() < axes.plot().top() + 2 * nearGrip) &&
        std::abs(axes.x(*grip->at) - at.x()) < (isAlone ? onLine : nearGrip)) {
        return listFromUtf8(grip->readOut);
    }
    if (!axes.plot().contains(at)) {
        return {};
    }
    const auto under = rowUnder(at, axes);
    QStringList words = under ? wordsOfRow(*under->mark->table, under->row) : QStringList();
    words = words.isEmpty() ? wordsOfLines(at, axes) : words;
    const QString band = words.isEmpty() ? wordsOfBand(at, axes) : QString();
    return band.isEmpty() ? words : QStringList{band};
}

} // namespace loadline::ui
