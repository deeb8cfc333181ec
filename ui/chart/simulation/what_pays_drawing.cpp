// What each kernel takes of the time, and what making it faster would buy.
#include "core/simulate/run/cost_tables.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline::ui {
namespace {

QString factorText(double factor) {
    return std::isinf(factor) ? QStringLiteral("free") : QString::number(factor, 'g', 3) + QChar(0x00D7);
}

QString gainText(const Improvement& improvement) {
    const double saved = improvement.speedUp > 0 ? 1 - 1 / improvement.speedUp : 0;
    return saved < 0.001 ? QStringLiteral("nothing") : QChar(0x2212) + shareText(saved);
}

QString crossingText(const Improvement& improvement) {
    if (improvement.crossing) {
        return QStringLiteral("cross at %1").arg(*improvement.crossing, 0, 'f', 0);
    }
    return improvement.fasterAtFirst ? QStringLiteral("k-bit wins") : QStringLiteral("fp16 wins");
}

class WhatPaysDrawing : public PlotDrawing {
public:
    explicit WhatPaysDrawing(std::shared_ptr<const WhatPays> pays) : pays_(std::move(pays)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("What pays"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(pays_->sentence); }

    [[nodiscard]] Table table() const override {
        Table table;
        table.columns = {"kernel",   "share_of_time", "modelled_share", "factor",
                         "speed_up", "time_vs_fp16",  "crossing_users"};
        for (const KernelPay& kernel : pays_->kernels) {
            for (const Improvement& i : kernel.improvements) {
                table.rows.push_back({std::string(keyOf(kernel.kernel)), kernel.share, kernel.modelledShare,
                                      std::isinf(i.factor) ? Cell(std::string("free")) : Cell(i.factor),
                                      std::isinf(i.speedUp) ? Cell() : Cell(i.speedUp),
                                      i.timeVsFp16 ? Cell(*i.timeVsFp16) : Cell(),
                                      i.crossing ? Cell(*i.crossing) : Cell()});
            }
        }
        if (pays_->restShare > 0) {
            table.rows.push_back({std::string("attention_and_host"), pays_->restShare, Cell(), Cell(), Cell(),
                                  Cell(), Cell()});
        }
        return table;
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        const QFont font = fontOf(0.9);
        const double line = heightOf(font);
        if (pays_->kernels.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no step"));
            return;
        }
        const double names = nameWidth(font) + 2 * spacing;
        const double bars = std::max(60.0, (area.width() - names) * 0.22);
        const std::size_t columns = pays_->kernels.front().improvements.size();
        const double column =
            (area.width() - names - bars - spacing) / std::max<double>(1, static_cast<double>(columns));
        const auto placeOf = [&](std::size_t i) {
            return area.left() + names + bars + spacing + static_cast<double>(i) * column;
        };
        drawText(painter, QRectF(area.left() + names, area.top(), bars, line), Qt::AlignLeft, font,
                 theme.textMuted, QStringLiteral("share of the time"));
        for (std::size_t i = 0; i < columns; ++i) {
            drawText(painter, QRectF(placeOf(i), area.top(), column - 4, line), Qt::AlignLeft, font,
                     theme.textMuted,
                     QStringLiteral("if %1").arg(factorText(pays_->kernels.front().improvements[i].factor)));
        }
        const std::size_t rows = pays_->kernels.size() + (pays_->restShare > 0 ? 1 : 0);
        const double room = (area.height() - line - spacing) / static_cast<double>(rows);
        const double height = std::min(room, 3.2 * line);
        double top = area.top() + line + spacing;
        for (const KernelPay& kernel : pays_->kernels) {
            const QRectF row(area.left(), top, area.width(), height);
            paintShare(painter, row, names, bars, nameText(kernel.kernel, pays_->naming), kernel.share, theme,
                       [&](const QRectF& bar) { paintKernel(painter, bar, kernel.kernel, theme); });
            for (std::size_t i = 0; i < kernel.improvements.size() && i < columns; ++i) {
                const Improvement& improvement = kernel.improvements[i];
                const double saved = improvement.speedUp > 0 ? 1 - 1 / improvement.speedUp : 0;
                painter.fillRect(
                    QRectF(placeOf(i), row.bottom() - 6, (column - 8) * std::clamp(saved, 0.0, 1.0), 3),
                    theme.good);
                drawText(painter, QRectF(placeOf(i), row.center().y() - line, column - 4, line), leftMiddle,
                         font, theme.text, gainText(improvement));
                drawText(painter, QRectF(placeOf(i), row.center().y(), column - 4, line), leftMiddle,
                         fontOf(0.82), theme.textMuted, crossingText(improvement));
            }
            painter.setPen(QPen(theme.grid, 1));
            painter.drawLine(row.bottomLeft(), row.bottomRight());
            top += height;
        }
        if (pays_->restShare > 0) {
            const QRectF row(area.left(), top, area.width(), height);
            paintShare(painter, row, names, bars, restText(), pays_->restShare, theme,
                       [&](const QRectF& bar) { painter.fillRect(bar, restColour(theme)); });
            drawText(painter, QRectF(placeOf(0), row.top(), row.right() - placeOf(0), height), leftMiddle,
                     fontOf(0.82), theme.textMuted, QStringLiteral("none of these kernels: stays as it is"));
        }
    }

private:
    /// Its name, and its share of the time as a bar with the number.
    template <typename Fill>
    static void paintShare(QPainter& painter, const QRectF& row, double names, double bars,
                           const QString& name, double share, const Theme& theme, const Fill& fill) {
        drawText(painter, QRectF(row.left(), row.top(), names - spacing, row.height()), leftMiddle,
                 fontOf(0.9), theme.text, name);
        const double thick = std::min(22.0, row.height() - 4);
        const double widest = bars - widthOf(fontOf(0.82), QStringLiteral("100.0 %")) - 4;
        const QRectF bar(row.left() + names, row.center().y() - thick / 2, widest * share, thick);
        fill(bar);
        drawText(painter, QRectF(bar.right() + 4, row.top(), bars, row.height()), leftMiddle, fontOf(0.82),
                 theme.text, shareText(share));
    }

    [[nodiscard]] double nameWidth(const QFont& font) const {
        double width = pays_->restShare > 0 ? widthOf(font, restText()) : 0;
        for (const KernelPay& kernel : pays_->kernels) {
            width = std::max(width, widthOf(font, nameText(kernel.kernel, pays_->naming)));
        }
        return width;
    }

    std::shared_ptr<const WhatPays> pays_;
};

struct KernelCurve {
    Kernel kernel = Kernel::CublasFp16;
    QPolygonF points;              ///< M, us
    std::vector<PointOrigin> from; ///< of each point
};

/// Time of the step's GEMMs by timed kernel over M; a kernel is drawn where it serves.
std::vector<KernelCurve> curvesOf(const CostTable& table) {
    std::vector<KernelCurve> curves;
    curves.reserve(allKernels.size());
    for (const Kernel kernel : allKernels) {
        curves.push_back({kernel, {}, {}});
    }
    const auto most = static_cast<double>(table.maxRows());
    std::int64_t last = 0;
    for (double m = 1; m <= most; m = std::max(m + 1, m * 1.09)) {
        const auto rows = static_cast<std::int64_t>(std::llround(m));
        if (rows == last) {
            continue;
        }
        last = rows;
        std::array<double, kernelCount> us{};
        std::array<PointOrigin, kernelCount> from{}; // the least that is known of any part
        for (const GemmService& service : table.services(rows)) {
            for (int i = 0; i < service.partCount; ++i) {
                const GemmPart& part = service.parts[static_cast<std::size_t>(i)];
                const auto place = static_cast<std::size_t>(part.kernel);
                us[place] += part.estimate.us;
                from[place] = std::max(from[place], part.estimate.kind == EstimateKind::Modelled
                                                        ? PointOrigin::Modelled
                                                        : part.estimate.origin);
            }
        }
        for (KernelCurve& curve : curves) {
            const double value = us[static_cast<std::size_t>(curve.kernel)];
            if (value > 0) {
                curve.points << QPointF(static_cast<double>(rows), value);
                curve.from.push_back(from[static_cast<std::size_t>(curve.kernel)]);
            }
        }
    }
    std::erase_if(curves, [](const KernelCurve& curve) { return curve.points.isEmpty(); });
    return curves;
}

class KernelCurves : public SimulatorDrawing {
public:
    KernelCurves(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held)
        : SimulatorDrawing(std::move(figure), std::move(held), {}) {
        const auto& inputs = this->figure().inputs;
        if (inputs.tables && inputs.tables->has(inputs.cost.kBits)) {
            const CostTable& table = inputs.tables->at(inputs.cost.kBits).table();
            curves_ = curvesOf(table);
            most_ = static_cast<double>(table.maxRows());
        }
    }

    [[nodiscard]] QString title() const override { return QStringLiteral("Kernel times"); }

    [[nodiscard]] Table tableOf(const SimulatorFigure& /*figure*/) const override {
        Table table;
        table.columns = {"kernel", "rows_m", "time_us"};
        for (const KernelCurve& curve : curves_) {
            for (const QPointF& point : curve.points) {
                table.rows.push_back(
                    {std::string(keyOf(curve.kernel)), static_cast<std::int64_t>(point.x()), point.y()});
            }
        }
        return table;
    }

    [[nodiscard]] PlotExtents extents() const override {
        double high = 10;
        double low = 1e300;
        for (const KernelCurve& curve : curves_) {
            for (const QPointF& point : curve.points) {
                high = std::max(high, point.y());
                low = std::min(low, point.y());
            }
        }
        low = std::max(1e-3, std::min(low, high / 10));
        // The second is upside down: it grows when the least falls.
        return atLeast({high * 1.5, 1 / (low / 1.5), most_}, held());
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (curves_.empty()) {
            paintNothing(painter, area, theme, QStringLiteral("no kernel times"));
            return;
        }
        const XyAxes axes = axesOf(area);
        axes.paint(painter, theme);
        const double place =
            axes.plot().left() + widthOf(fontOf(0.82), QStringLiteral("us in a step's GEMMs"));
        paintLegend(painter, QRectF(place + 16, area.top(), area.right() - place - 16, 16), origins(theme),
                    theme);
        std::vector<QRectF> labels;
        for (const KernelCurve& curve : curves_) {
            QPolygonF line;
            for (const QPointF& point : curve.points) {
                line << QPointF(axes.x(point.x()), axes.y(point.y()));
            }
            const double scale = figure().inputs.cost.timeScale[static_cast<std::size_t>(curve.kernel)];
            paintRuns(painter, line, [&](qsizetype i) {
                return QPen(colourOf(curve.kernel, theme), scale == 1 ? 2.0 : 3.0,
                            styleOf(curve.from[static_cast<std::size_t>(i)]));
            });
            QString name = nameText(curve.kernel, namingOf(figure().inputs.profile.get()));
            if (scale != 1) {
                name += QStringLiteral(" (%1%2)").arg(QChar(0x00D7)).arg(QString::number(scale, 'g', 2));
            }
            labels.push_back(labelPlace(line, widthOf(fontOf(0.82), name), labels));
            drawText(painter, labels.back(), leftMiddle, fontOf(0.82), theme.text, name);
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const auto [curve, point] = nearestCurve(at, area);
        return curve == nullptr
                   ? QStringList()
                   : QStringList{nameText(curve->kernel, namingOf(figure().inputs.profile.get())),
                                 QStringLiteral("M = %1: %2 us").arg(point.x()).arg(point.y(), 0, 'g', 3),
                                 QStringLiteral("drag up or down")};
    }

    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override {
        const auto [curve, point] = nearestCurve(from, area);
        if (curve == nullptr) {
            return std::nullopt;
        }
        const XyAxes axes = axesOf(area);
        PlotChange change;
        change.kernel = curve->kernel;
        change.kernelFactor = axes.valueAtY(to.y()) / axes.valueAtY(from.y());
        return change;
    }

private:
    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const PlotExtents reach = extents();
        return {{QStringLiteral("rows M of a step"), 1, std::max(2.0, reach[2]), true},
                {QStringLiteral("us in a step's GEMMs"), 1 / reach[1], reach[0], true},
                area};
    }

    /// Beside the curve, where no other name is.
    static QRectF labelPlace(const QPolygonF& line, double width, const std::vector<QRectF>& taken) {
        const QPointF middle = line[line.size() / 2];
        const QSizeF size(width + 2, 16);
        const std::array places = {
            QRectF(middle + QPointF(4, 4), size), QRectF(middle + QPointF(4, -18), size),
            QRectF(line.front() + QPointF(4, -24), size), QRectF(line.back() + QPointF(4, 8), size)};
        const auto free = std::ranges::find_if(places, [&taken](const QRectF& place) {
            return std::ranges::none_of(taken, [&](const QRectF& one) { return one.intersects(place); });
        });
        return free != places.end() ? *free : places.front();
    }

    /// Measured: solid; published: dashed; modelled: dotted.
    static Qt::PenStyle styleOf(PointOrigin origin) {
        return origin == PointOrigin::Measured    ? Qt::SolidLine
               : origin == PointOrigin::Published ? Qt::DashLine
                                                  : Qt::DotLine;
    }

    /// Only what is drawn.
    [[nodiscard]] std::vector<LegendEntry> origins(const Theme& theme) const {
        std::vector<LegendEntry> entries;
        for (const auto& [origin, name] :
             {std::pair(PointOrigin::Measured, "measured"), std::pair(PointOrigin::Published, "published"),
              std::pair(PointOrigin::Modelled, "modelled")}) {
            const auto has = [origin = origin](const KernelCurve& curve) {
                return std::ranges::find(curve.from, origin) != curve.from.end();
            };
            if (std::ranges::any_of(curves_, has)) {
                entries.push_back({theme.text, false, styleOf(origin), QString::fromLatin1(name)});
            }
        }
        return entries;
    }

    [[nodiscard]] std::pair<const KernelCurve*, QPointF> nearestCurve(const QPointF& at,
                                                                      const QRectF& area) const {
        constexpr double reach = 14;
        const XyAxes axes = axesOf(area);
        const KernelCurve* best = nullptr;
        QPointF where;
        double distance = reach * reach;
        for (const KernelCurve& curve : curves_) {
            for (const QPointF& point : curve.points) {
                const QPointF d = QPointF(axes.x(point.x()), axes.y(point.y())) - at;
                const double square = d.x() * d.x() + d.y() * d.y();
                if (square < distance) {
                    distance = square;
                    best = &curve;
                    where = point;
                }
            }
        }
        return {best, where};
    }

    std::vector<KernelCurve> curves_;
    double most_ = 16;
};

} // namespace

std::unique_ptr<PlotDrawing> drawingOf(std::shared_ptr<const WhatPays> pays) {
    if (pays->memory.isTooLarge()) {
        return memoryDrawing(QStringLiteral("What pays"), pays->sentence, pays->memory);
    }
    return std::make_unique<WhatPaysDrawing>(std::move(pays));
}

std::unique_ptr<PlotDrawing> kernelCurvesOf(std::shared_ptr<const SimulatorFigure> figure,
                                            const PlotExtents& held) {
    return std::make_unique<KernelCurves>(std::move(figure), held);
}

} // namespace loadline::ui
