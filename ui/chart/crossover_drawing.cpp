// From how many users on quantised kernels lose: curves of every k, and the interval of each crossing.
#include "core/text/table.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulator_charts.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DashDotLine, Qt::DotLine};

Cell cellOf(const std::optional<double>& value) {
    return value ? Cell(*value) : Cell(std::monostate());
}

class CrossoverDrawing : public PlotDrawing {
public:
    CrossoverDrawing(std::shared_ptr<const SweepResult> sweep, std::vector<Crossover> crossovers, int kBits,
                     std::int64_t users, PlotExtents held, PinnedCurves pinned)
        : sweep_(std::move(sweep)), crossovers_(std::move(crossovers)), pinned_(std::move(pinned)),
          kBits_(kBits), users_(users), held_(std::move(held)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Crossover"); }

    [[nodiscard]] QString sentence() const override {
        for (const Crossover& crossover : crossovers_) {
            if (crossover.kBits == kBits_) {
                return QString::fromStdString(crossover.sentence);
            }
        }
        return {};
    }

    [[nodiscard]] Table table() const override {
        return pinned_.sweep ? joined(tableOf(crossovers_), tableOf(pinned_.crossovers))
                             : tableOf(crossovers_);
    }

    [[nodiscard]] PlotExtents extents() const override {
        double most = 1.2;
        for (const SweepPoint& point : sweep_->points) {
            most = std::max({most, point.timeVsFp16.value, point.timeVsFp16.high});
        }
        for (const SweepPoint& point : pinnedCurve()) {
            most = std::max(most, point.timeVsFp16.value);
        }
        return atLeast({niceAbove(most)}, held_);
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (sweep_->users.size() < 2) {
            paintNothing(painter, area, theme, QStringLiteral("over users in closed loop only"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        painter.setPen(QPen(theme.cublas, 1.6));
        painter.drawLine(QPointF(axes.plot().left(), axes.y(1)), QPointF(axes.plot().right(), axes.y(1)));
        std::vector<LegendEntry> entries;
        for (std::size_t k = 0; k < sweep_->kBits.size(); ++k) {
            const bool chosen = sweep_->kBits[k] == kBits_;
            const QColor color = chosen ? theme.text : theme.textMuted;
            const Qt::PenStyle style = styles[k % styles.size()];
            paintCurve(
                painter, axes, sweep_->curve(k, 0), [](const SweepPoint& p) { return p.timeVsFp16; }, color,
                style, chosen);
            entries.push_back({color, false, style, QStringLiteral("k = %1").arg(sweep_->kBits[k])});
        }
        if (!pinnedCurve().empty()) {
            paintCurve(
                painter, axes, pinnedCurve(), [](const SweepPoint& p) { return p.timeVsFp16; },
                pinnedColour(theme), Qt::DashLine, false);
            entries.push_back({pinnedColour(theme), false, Qt::DashLine, pinned_.name});
        }
        const double legend = axes.plot().left() + widthOf(fontOf(0.82), QStringLiteral("time / fp16 time"));
        paintLegend(painter, QRectF(legend + 16, area.top(), area.right() - legend - 16, 16), entries, theme);
        paintMarker(painter, axes, static_cast<double>(users_), theme, false);
        const QRectF rows = rowsOf(area);
        const double height = rows.height() / std::max<double>(1, static_cast<double>(crossovers_.size()));
        double top = rows.top();
        for (const Crossover& crossover : crossovers_) {
            const QRectF row(rows.left(), top, rows.width(), height);
            paintRow(painter, axes, row, crossover, kBits_, theme);
            paintPinned(painter, axes, row, crossover, theme);
            top += height;
        }
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        return sweep_->users.size() < 2 ? std::nullopt : usersAt(axesOf(area), from, to);
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        if (sweep_->users.size() < 2) {
            return {};
        }
        const QRectF rows = rowsOf(area);
        if (rows.contains(at) && !crossovers_.empty()) {
            const double height = rows.height() / static_cast<double>(crossovers_.size());
            const auto row = static_cast<std::size_t>((at.y() - rows.top()) / height);
            const Crossover& c = crossovers_[std::min(row, crossovers_.size() - 1)];
            return {QString::fromStdString(c.sentence), rangeText("all together", c.all),
                    rangeText("chance in the turns", c.replicas), rangeText("which sessions", c.sessions),
                    rangeText("kernel times", c.kernels)};
        }
        const SweepPoint* point = nearest(sweep_->curve(0, 0), axesOf(area), at.x());
        QStringList lines{QStringLiteral("%1 users").arg(point->users)};
        const auto u = static_cast<std::size_t>(point - sweep_->curve(0, 0).data());
        for (std::size_t k = 0; k < sweep_->kBits.size(); ++k) {
            lines << QStringLiteral("k = %1: %2 of fp16's time")
                         .arg(sweep_->kBits[k])
                         .arg(shareOfFp16Text(sweep_->at(k, 0, u).timeVsFp16.value));
        }
        return lines;
    }

private:
    static Table tableOf(const std::vector<Crossover>& crossovers) {
        Table table;
        table.columns = {"k",
                         "step",
                         "crossing_users",
                         "low",
                         "high",
                         "replicas_low",
                         "replicas_high",
                         "sessions_low",
                         "sessions_high",
                         "kernels_low",
                         "kernels_high"};
        for (const Crossover& c : crossovers) {
            const std::optional<double> users =
                c.crossings.empty() ? std::nullopt : std::optional(c.crossings.front().users);
            table.rows.push_back({std::int64_t{c.kBits}, std::string(keyOf(c.scope)), cellOf(users),
                                  cellOf(c.all.low), cellOf(c.all.high), cellOf(c.replicas.low),
                                  cellOf(c.replicas.high), cellOf(c.sessions.low), cellOf(c.sessions.high),
                                  cellOf(c.kernels.low), cellOf(c.kernels.high)});
        }
        return table;
    }

    [[nodiscard]] std::span<const SweepPoint> pinnedCurve() const {
        for (std::size_t k = 0; pinned_.sweep && k < pinned_.sweep->kBits.size(); ++k) {
            if (pinned_.sweep->kBits[k] == pinned_.kBits) {
                return pinned_.sweep->curve(k, 0);
            }
        }
        return {};
    }

    static QString rangeText(const char* what, const CrossoverInterval& range) {
        const auto end = [](const std::optional<double>& users) {
            return users ? QString::number(*users, 'f', 1) : QStringLiteral("outside");
        };
        return QStringLiteral("%1: %2 to %3").arg(QString::fromLatin1(what), end(range.low), end(range.high));
    }

    [[nodiscard]] QRectF rowsOf(const QRectF& area) const {
        const double height = std::min(0.45 * area.height(), 26.0 * static_cast<double>(crossovers_.size()));
        return {area.left(), area.bottom() - height, area.width(), height};
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        return {usersAxis(sweep_->curve(0, 0)),
                {QStringLiteral("time / fp16 time"), 0, extents()[0]},
                area.adjusted(0, 0, 0, -rowsOf(area).height() - spacing)};
    }

    /// k at the left, the interval as a bar under the same axis of users, its crossing as a dot.
    static void paintRow(QPainter& painter, const XyAxes& axes, const QRectF& row, const Crossover& c,
                         int chosen, const Theme& theme) {
        const QFont font = fontOf(0.82);
        const double y = row.center().y();
        const double head = widthOf(font, QStringLiteral("k = 5")) + spacing;
        drawText(painter, QRectF(axes.plot().left(), row.top(), head, row.height()),
                 Qt::AlignLeft | Qt::AlignVCenter, font, c.kBits == chosen ? theme.text : theme.textMuted,
                 QStringLiteral("k = %1").arg(c.kBits));
        painter.setPen(QPen(theme.grid, 1));
        painter.drawLine(QPointF(axes.plot().left() + head, y), QPointF(axes.plot().right(), y));
        if (c.all.low || c.all.high) {
            const double left = c.all.low ? axes.x(*c.all.low) : axes.plot().left();
            const double right = c.all.high ? axes.x(*c.all.high) : axes.plot().right();
            painter.fillRect(QRectF(left, y - 4, std::max(1.5, right - left), 8),
                             tinted(theme.warning, theme.plotGround, 0.4));
        }
        painter.setPen(QPen(theme.warning, 1.8));
        painter.setBrush(theme.plotGround);
        for (const Crossing& crossing : c.crossings) {
            painter.drawEllipse(QPointF(axes.x(crossing.users), y), 4, 4);
        }
        if (c.crossings.empty()) {
            const QString words = c.kind == CrossoverKind::QuantisedSlower
                                      ? QStringLiteral("slower throughout")
                                      : QStringLiteral("faster throughout");
            const QRectF place(axes.plot().left() + head, row.top() - 2, axes.plot().width() - head,
                               row.height() / 2);
            drawText(painter, place, Qt::AlignLeft | Qt::AlignBottom, font, theme.text, words);
        }
    }

    /// Where the pinned curve of the same k crosses: a cross on the row.
    void paintPinned(QPainter& painter, const XyAxes& axes, const QRectF& row, const Crossover& c,
                     const Theme& theme) const {
        for (const Crossover& other : pinned_.crossovers) {
            if (other.kBits != c.kBits || other.scope != c.scope) {
                continue;
            }
            painter.setPen(QPen(pinnedColour(theme), 2));
            for (const Crossing& crossing : other.crossings) {
                const QPointF at(axes.x(crossing.users), row.center().y());
                painter.drawLine(at + QPointF(-4, -4), at + QPointF(4, 4));
                painter.drawLine(at + QPointF(-4, 4), at + QPointF(4, -4));
            }
        }
    }

    std::shared_ptr<const SweepResult> sweep_;
    std::vector<Crossover> crossovers_;
    PinnedCurves pinned_;
    int kBits_;
    std::int64_t users_;
    PlotExtents held_;
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(std::shared_ptr<const SweepResult> sweep,
                                       std::vector<Crossover> crossovers, int kBits, std::int64_t users,
                                       const PlotExtents& held, const PinnedCurves& pinned) {
    return std::make_unique<CrossoverDrawing>(std::move(sweep), std::move(crossovers), kBits, users, held,
                                              pinned);
}

} // namespace loadline::ui
