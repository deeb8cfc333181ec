// Time of each timed kernel over the rows M of a step: curves that are dragged.
#include "core/simulate/run/cost_tables.h"
#include "ui/chart/paint_help.h"
#include "ui/chart/simulation/simulation_paint.h"
#include "ui/theme/format.h"
#include "ui/theme/plain_text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

namespace loadline::ui {
namespace {

struct KernelCurve {
    Kernel kernel = Kernel::CublasFp16;
    QPolygonF points;               ///< M, us
    std::vector<PointOrigin> from;  ///< of each point
    std::vector<std::string> gemms; ///< of each point: those in which it runs, by name
};

/// What the GEMMs of a step of so many rows take, by timed kernel.
struct StepGemms {
    std::array<double, kernelCount> us{};
    std::array<PointOrigin, kernelCount> from{}; ///< the least that is known of any part
    std::array<std::string, kernelCount> gemms;  ///< names
};

/// The head meets a row of each sequence, of which a step has `mostHeadRows` at most.
StepGemms gemmsAt(const CostTable& table, std::int64_t rows, std::int64_t mostHeadRows) {
    StepGemms step;
    const auto services = table.services({rows, std::min(rows, mostHeadRows)});
    for (std::size_t g = 0; g < services.size(); ++g) {
        const GemmService& service = services[g];
        for (int i = 0; i < service.partCount; ++i) {
            const GemmPart& part = service.parts[static_cast<std::size_t>(i)];
            const auto place = static_cast<std::size_t>(part.kernel);
            step.us[place] += part.estimate.us;
            step.from[place] = std::max(step.from[place], part.estimate.kind == EstimateKind::Modelled
                                                              ? PointOrigin::Modelled
                                                              : part.estimate.origin);
            step.gemms[place] += (step.gemms[place].empty() ? "" : ", ") + table.setup().model.gemms[g].name;
        }
    }
    return step;
}

/// Time of the step's GEMMs by timed kernel over M; a kernel is drawn where it serves, to the row.
std::vector<KernelCurve> curvesOf(const CostTable& table, std::int64_t mostHeadRows) {
    std::map<std::int64_t, StepGemms> steps;
    const auto most = static_cast<double>(table.maxRows());
    for (double m = 1; m <= most; m = std::max(m + 1, m * 1.09)) {
        const auto rows = static_cast<std::int64_t>(std::llround(m));
        if (steps.contains(rows)) {
            continue;
        }
        std::int64_t to = rows;
        StepGemms after = gemmsAt(table, rows, mostHeadRows);
        if (steps.empty()) {
            steps.emplace(rows, std::move(after));
            continue;
        }
        std::int64_t from = steps.rbegin()->first;
        StepGemms before = steps.rbegin()->second;
        steps.emplace(rows, after);
        while (from + 1 < to && before.gemms != after.gemms) { // both sides of where kernels change
            const std::int64_t middle = std::midpoint(from, to);
            StepGemms there = gemmsAt(table, middle, mostHeadRows);
            const bool isBefore = there.gemms == before.gemms;
            (isBefore ? from : to) = middle;
            (isBefore ? before : after) = std::move(there);
        }
        if (before.gemms != after.gemms) {
            steps.emplace(from, std::move(before));
            steps.emplace(to, std::move(after));
        }
    }
    std::vector<KernelCurve> curves;
    curves.reserve(allKernels.size());
    for (const Kernel kernel : allKernels) {
        curves.emplace_back().kernel = kernel;
    }
    for (auto& [rows, step] : steps) {
        for (KernelCurve& curve : curves) {
            const auto place = static_cast<std::size_t>(curve.kernel);
            if (step.us[place] > 0) {
                curve.points << QPointF(static_cast<double>(rows), step.us[place]);
                curve.from.push_back(step.from[place]);
                curve.gemms.push_back(std::move(step.gemms[place]));
            }
        }
    }
    std::erase_if(curves, [](const KernelCurve& curve) { return curve.points.isEmpty(); });
    return curves;
}

class KernelCurves : public SimulatorDrawing {
public:
    KernelCurves(std::shared_ptr<const SimulatorFigure> figure, PlotExtents held, const SetByHand& hand)
        : SimulatorDrawing(std::move(figure), std::move(held), {}, hand) {
        const auto& inputs = this->figure().inputs;
        if (inputs.tables && inputs.tables->has(inputs.cost.format)) {
            const CostTable& table = inputs.tables->at(inputs.cost.format).table();
            curves_ = curvesOf(table, seqsOf(inputs.policy));
            most_ = static_cast<double>(table.maxRows());
        }
        for (KernelCurve& curve : curves_) {
            const double factor = scaleOf(curve.kernel) / inputs.cost.timeScale[indexOf(curve.kernel)];
            for (QPointF& point : curve.points) {
                point.ry() *= factor;
            }
        }
    }

    [[nodiscard]] QString title() const override { return QStringLiteral("Kernel times"); }

    [[nodiscard]] Table tableOf(const SimulatorFigure& /*figure*/) const override {
        Table table;
        table.columns = {"kernel", "rows_m", "time_us", "kernel_name", "gemms"};
        const KernelNaming naming = namingOf(figure().inputs);
        for (const KernelCurve& curve : curves_) {
            for (qsizetype i = 0; i < curve.points.size(); ++i) {
                table.rows.push_back({std::string(keyOf(curve.kernel)),
                                      static_cast<std::int64_t>(curve.points[i].x()), curve.points[i].y(),
                                      nameOf(curve.kernel, naming),
                                      curve.gemms[static_cast<std::size_t>(i)]});
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
            axes.plot().left() + widthOf(fontOf(0.82), QStringLiteral("ms in a step's GEMMs"));
        paintLegend(painter, QRectF(place + 16, area.top(), area.right() - place - 16, 16), origins(theme),
                    theme);
        std::vector<QPolygonF> lines;
        for (const KernelCurve& curve : curves_) {
            QPolygonF& line = lines.emplace_back();
            for (const QPointF& point : curve.points) {
                line << QPointF(axes.x(point.x()), axes.y(point.y()));
            }
        }
        std::vector<QRectF> labels;
        for (std::size_t c = 0; c < curves_.size(); ++c) {
            const KernelCurve& curve = curves_[c];
            const QPolygonF& line = lines[c];
            const double scale = scaleOf(curve.kernel);
            paintRuns(painter, line, [&](qsizetype i) {
                return QPen(colourOf(curve.kernel, theme), scale == 1 ? 2.0 : 3.0,
                            styleOf(curve.from[static_cast<std::size_t>(i)]));
            });
            QString name = nameText(curve.kernel, namingOf(figure().inputs)) + aloneText(curve);
            if (scale != 1) {
                name += QStringLiteral(" (%1%2)").arg(QChar(0x00D7)).arg(realText(scale, 2));
            }
            labels.push_back(labelPlace(lines, c, widthOf(fontOf(0.82), name), labels, axes.plot()));
            drawText(painter, labels.back(), leftMiddle, fontOf(0.82), nameColour(curve.kernel, theme), name);
        }
    }

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override {
        const auto [curve, point] = nearestCurve(at, area);
        if (curve == nullptr) {
            return {};
        }
        const auto i = static_cast<std::size_t>(curve->points.indexOf(point));
        return {nameText(curve->kernel, namingOf(figure().inputs)),
                QStringLiteral("M = %1 rows: %2").arg(point.x()).arg(secondsText(1e-6 * point.y())),
                QStringLiteral("in %1").arg(lineText(curve->gemms[i])), QStringLiteral("drag up or down")};
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
        change.kernelScale = scaleOf(curve->kernel) * axes.valueAtY(to.y()) / axes.valueAtY(from.y());
        return change;
    }

private:
    /// " (lm_head up to M = 16)": as long as it serves only what stays fp16; "" where that is nowhere.
    [[nodiscard]] QString aloneText(const KernelCurve& curve) const {
        const std::string fp16 = gemmsOf(figure().inputs.cost.model, curve.kernel);
        if (readsKBits(curve.kernel) || curve.gemms.front() != fp16) {
            return {};
        }
        const auto others = std::ranges::find_if(curve.gemms, [&](const auto& at) { return at != fp16; });
        const QString name = lineText(fp16);
        return others == curve.gemms.end() ? QStringLiteral(" (%1)").arg(name)
                                           : QStringLiteral(" (%1 alone to M = %2)")
                                                 .arg(name)
                                                 .arg(curve.points[others - curve.gemms.begin() - 1].x());
    }

    static std::size_t indexOf(Kernel kernel) { return static_cast<std::size_t>(kernel); }

    /// As the hand has it.
    [[nodiscard]] double scaleOf(Kernel kernel) const {
        const double computed = figure().inputs.cost.timeScale[indexOf(kernel)];
        return hand().timeScale ? (*hand().timeScale)[indexOf(kernel)] : computed;
    }

    [[nodiscard]] XyAxes axesOf(const QRectF& area) const {
        const PlotExtents reach = extents();
        return {{QStringLiteral("rows M of a step"), 1, std::max(2.0, reach[2]), true},
                timeAxis(QStringLiteral("%1 in a step's GEMMs"), 1 / reach[1], reach[0]),
                area};
    }

    /// Along the curve, above it or below, where the least of other names and of lines is.
    static QRectF labelPlace(const std::vector<QPolygonF>& lines, std::size_t own, double width,
                             const std::vector<QRectF>& taken, const QRectF& plot) {
        const QPolygonF& line = lines[own];
        const QSizeF size(width + 2, 16);
        QRectF best;
        double least = std::numeric_limits<double>::infinity();
        for (const double along : {0.5, 0.35, 0.65, 0.2, 0.8, 0.05, 0.95}) {
            const QPointF at = line[static_cast<qsizetype>(along * static_cast<double>(line.size() - 1))];
            for (const QPointF& beside : {QPointF(4, 4), QPointF(4, -20), QPointF(-size.width() - 4, -20),
                                          QPointF(-size.width() - 4, 4)}) {
                const QRectF place(at + beside, size);
                const double cost = costOf(place, lines, taken) + (plot.contains(place) ? 0 : 1e4);
                if (cost < least) {
                    least = cost;
                    best = place;
                }
            }
        }
        return best;
    }

    /// Another name costs more than any line.
    static double costOf(const QRectF& place, const std::vector<QPolygonF>& lines,
                         const std::vector<QRectF>& taken) {
        constexpr double name = 1e6;
        return segmentsIn(place, lines) +
               name * static_cast<double>(std::ranges::count_if(
                          taken, [&](const QRectF& one) { return one.intersects(place); }));
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

std::unique_ptr<PlotDrawing> kernelCurvesOf(std::shared_ptr<const SimulatorFigure> figure,
                                            const PlotExtents& held, const SetByHand& hand) {
    return std::make_unique<KernelCurves>(std::move(figure), held, hand);
}

} // namespace loadline::ui
