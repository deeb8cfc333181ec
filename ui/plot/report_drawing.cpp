// A plot of a report as a drawing.
#include "ui/plot/report_drawing.h"

#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_marks.h"
#include "ui/plot/plot_panels.h"
#include "ui/plot/plot_table.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace loadline::ui {
namespace {

Cell tableCellOf(const ask::Value& value) {
    return std::visit(
        [&](const auto& held) -> Cell {
            using Held = std::decay_t<decltype(held)>;
            if constexpr (std::is_same_v<Held, std::monostate>) {
                return {};
            } else if constexpr (std::is_same_v<Held, std::int64_t> || std::is_same_v<Held, double> ||
                                 std::is_same_v<Held, std::string>) {
                return held;
            } else if constexpr (std::is_same_v<Held, std::uint64_t>) {
                return static_cast<std::int64_t>(held);
            } else if constexpr (std::is_same_v<Held, ask::Decimal>) {
                return ask::numberOf(value).value_or(0);
            } else { // truth, a time
                return ask::plainText(value);
            }
        },
        value);
}

std::optional<PlotChange> asChange(std::vector<PlotFieldChange> fields) {
    if (fields.empty()) {
        return std::nullopt;
    }
    PlotChange change;
    change.fields = std::move(fields);
    return change;
}

} // namespace

ReportDrawing::ReportDrawing(std::shared_ptr<const PlotScene> scene, ask::Fields fields,
                             const ask::Question& question)
    : ReportDrawing(std::vector{std::move(scene)}, fields, question) {}

ReportDrawing::ReportDrawing(const std::vector<std::shared_ptr<const PlotScene>>& facet, ask::Fields fields,
                             const ask::Question& question) {
    for (const std::shared_ptr<const PlotScene>& scene : facet) {
        panels_.push_back({scene, PlotHand(scene, fields, question)});
    }
}

QString ReportDrawing::title() const {
    return QString::fromStdString(first().title);
}

QString ReportDrawing::sentence() const {
    return QString::fromStdString(first().sentence);
}

Table ReportDrawing::table() const {
    Table table;
    const ask::Table* described = panels_.front().scene->table();
    if (described == nullptr) {
        return table;
    }
    for (const ask::Column& column : described->columns) {
        table.columns.push_back(column.key);
    }
    for (std::size_t row = 0; row < described->rows; ++row) {
        std::vector<Cell>& cells = table.rows.emplace_back();
        for (const ask::Column& column : described->columns) {
            cells.push_back(tableCellOf(column.at(row).value));
        }
    }
    return table;
}

/// Returns the common legend of several panels; a single panel has its legend beside its titles.
std::vector<LegendEntry> ReportDrawing::commonLegend(const Theme& theme) const {
    std::vector<LegendEntry> entries;
    for (const Panel& panel : panels_) {
        std::vector<LegendEntry> own;
        if (panels_.size() > 1) {
            own = legendOf(*panel.scene, theme);
        }
        for (LegendEntry& entry : own) {
            const bool isNew = std::ranges::none_of(
                entries, [&](const LegendEntry& other) { return other.text == entry.text; });
            if (isNew) {
                entries.push_back(std::move(entry));
            }
        }
    }
    return entries;
}

std::vector<QRectF> ReportDrawing::placesIn(const QRectF& area) const {
    if (panels_.size() == 1) {
        return {area};
    }
    const std::vector<LegendEntry> entries = commonLegend(Theme::light());
    const double legend = entries.empty() ? 0 : legendHeight(entries, area.width()) + 2;
    std::vector<PanelShare> shares;
    for (const Panel& one : panels_) {
        shares.push_back({one.scene->plot->width, one.scene->plot->height});
    }
    return panelPlaces(shares, area.adjusted(0, std::min(legend, area.height() / 2), 0, 0));
}

PlotAxes ReportDrawing::axesOf(std::size_t panel, const QRectF& area) const {
    const std::vector<QRectF> places = placesIn(area);
    double left = 0; // one above the other, their plots have the same edges
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        if (i != panel && places[i].left() == places[panel].left() && panels_[i].hasAxes()) {
            left = std::max(left, PlotAxes::roomOf(*panels_[i].scene, places[i]));
        }
    }
    return {*panels_[panel].scene, places[panel], left, panels_.size() > 1};
}

std::optional<std::size_t> ReportDrawing::panelAt(const QPointF& at, const QRectF& area) const {
    constexpr double grip = 10; // reaches out of the area
    const std::vector<QRectF> places = placesIn(area);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        if (panels_.size() == 1 || places[i].adjusted(-1, -grip, 1, 0).contains(at)) {
            return panels_[i].isEmpty() ? std::nullopt : std::optional(i);
        }
    }
    return std::nullopt;
}

void ReportDrawing::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
    paintAnswer(painter, area, theme);
    paintHand(painter, area, theme);
}

void ReportDrawing::paintAnswer(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const Painting quiet(painter);
    if (panels_.front().isEmpty()) {
        paintNothing(painter, area, theme, QString::fromStdString(first().empty));
        return;
    }
    const std::vector<LegendEntry> entries = commonLegend(theme);
    paintLegend(painter, QRectF(area.topLeft(), QSizeF(area.width(), legendHeight(entries, area.width()))),
                entries, theme);
    const std::vector<QRectF> places = placesIn(area);
    for (std::size_t i = 0; i < panels_.size(); ++i) {
        const PlotScene& scene = *panels_[i].scene;
        if (panels_[i].isEmpty()) {
            paintNothing(painter, places[i], theme, QString::fromStdString(scene.plot->empty));
        } else if (scene.drawn != nullptr) {
            paintTable(painter, places[i], *scene.drawn, theme);
        } else {
            const PlotAxes axes = axesOf(i, area);
            axes.paint(painter, theme);
            paintMarks(painter, axes, theme);
            paintDirectNames(painter, axes, theme);
            paintHead(painter, axes, theme);
        }
    }
}

void ReportDrawing::paintHand(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const Painting quiet(painter);
    for (std::size_t i = 0; i < panels_.size() && !panels_.front().isEmpty(); ++i) {
        if (panels_[i].hasAxes()) {
            panels_[i].hand.paint(painter, axesOf(i, area), theme);
        }
    }
}

bool ReportDrawing::hasAnswerOf(const PlotDrawing& other) const {
    const auto* drawing = dynamic_cast<const ReportDrawing*>(&other);
    return drawing != nullptr &&
           std::ranges::equal(panels_, drawing->panels_,
                              [](const Panel& a, const Panel& b) { return paintsSame(*a.scene, *b.scene); });
}

QStringList ReportDrawing::readOut(const QPointF& at, const QRectF& area) const {
    const auto panel = panelAt(at, area);
    if (!panel) {
        return {};
    }
    const Panel& under = panels_[*panel];
    return under.scene->drawn != nullptr ? tableReadOut(at, placesIn(area)[*panel], *under.scene->drawn)
                                         : under.hand.readOut(at, axesOf(*panel, area));
}

std::optional<PlotChange> ReportDrawing::change(const QPointF& from, const QPointF& to,
                                                const QRectF& area) const {
    const auto panel = panelAt(from, area);
    return panel && panels_[*panel].hasAxes()
               ? asChange(panels_[*panel].hand.change(from, to, axesOf(*panel, area)))
               : std::nullopt;
}

std::vector<QPointF> ReportDrawing::marks(const QRectF& area) const {
    return panels_.front().hasAxes() ? hand().grips(axesOf(0, area)) : std::vector<QPointF>();
}

std::optional<PlotChange> ReportDrawing::stepped(std::size_t mark, int way) const {
    return panels_.front().hasAxes() ? asChange(hand().stepped(mark, way)) : std::nullopt;
}

std::optional<PlotChange> ReportDrawing::wheeled(const QPointF& at, double steps, bool aside,
                                                 const QRectF& area) const {
    const auto panel = panelAt(at, area);
    return panel && panels_[*panel].hasAxes()
               ? asChange(panels_[*panel].hand.wheeled(at, steps, aside, axesOf(*panel, area)))
               : std::nullopt;
}

std::vector<QPointF> ReportDrawing::items(const QRectF& area) const {
    return panels_.front().hasAxes() ? hand().items(axesOf(0, area)) : std::vector<QPointF>();
}

int ReportDrawing::pickedItem() const {
    return hand().picked();
}

bool ReportDrawing::itemsLead() const {
    return hand().itemsLead();
}

PlotExtents ReportDrawing::extents() const {
    PlotExtents extents;
    for (const Panel& panel : panels_) {
        const std::vector<double> own = extentsOf(*panel.scene);
        extents.insert(extents.end(), own.begin(), own.end());
    }
    return extents;
}

std::unique_ptr<PlotDrawing> drawingOf(ask::Report report, ask::Fields fields, const ask::Question& question,
                                       const PlotExtents& held) {
    const auto shared = std::make_shared<const ask::Report>(std::move(report));
    std::vector<std::shared_ptr<const PlotScene>> facet;
    auto from = held.begin();
    for (std::size_t i = 0; i < shared->plots.size(); ++i) {
        const ask::Plot& plot = shared->plots[i];
        if (i == 0 || (!plot.facet.empty() && plot.facet == shared->plots.front().facet)) {
            const auto count = std::min<std::ptrdiff_t>(plot.right ? 6 : 4, held.end() - from);
            facet.push_back(plotSceneOf(shared, i, std::vector<double>(from, from + count)));
            from += count;
        }
    }
    return std::make_unique<ReportDrawing>(facet, fields, question);
}

} // namespace loadline::ui
