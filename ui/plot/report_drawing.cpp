// A plot of a report as a drawing.
#include "ui/plot/report_drawing.h"

#include "ui/chart/legend.h"
#include "ui/chart/paint_help.h"
#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_marks.h"

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
    : scene_(std::move(scene)), hand_(scene_, fields, question) {}

QString ReportDrawing::title() const {
    return QString::fromStdString(scene_->plot->title);
}

QString ReportDrawing::sentence() const {
    return QString::fromStdString(scene_->plot->sentence);
}

Table ReportDrawing::table() const {
    Table table;
    const ask::Table* described = scene_->table();
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

void ReportDrawing::paint(QPainter& painter, const QRectF& area, const Theme& theme) const {
    paintAnswer(painter, area, theme);
    paintHand(painter, area, theme);
}

void ReportDrawing::paintAnswer(QPainter& painter, const QRectF& area, const Theme& theme) const {
    const Painting quiet(painter);
    if (isEmpty()) {
        paintNothing(painter, area, theme, QString::fromStdString(scene_->plot->empty));
        return;
    }
    const PlotAxes axes(*scene_, area);
    axes.paint(painter, theme);
    paintMarks(painter, axes, theme);
    paintDirectNames(painter, axes, theme);
    paintHead(painter, axes, theme);
}

void ReportDrawing::paintHand(QPainter& painter, const QRectF& area, const Theme& theme) const {
    if (!isEmpty()) {
        const Painting quiet(painter);
        hand_.paint(painter, PlotAxes(*scene_, area), theme);
    }
}

bool ReportDrawing::hasAnswerOf(const PlotDrawing& other) const {
    const auto* drawing = dynamic_cast<const ReportDrawing*>(&other);
    return drawing != nullptr && paintsSame(*scene_, *drawing->scene_);
}

QStringList ReportDrawing::readOut(const QPointF& at, const QRectF& area) const {
    return isEmpty() ? QStringList() : hand_.readOut(at, PlotAxes(*scene_, area));
}

std::optional<PlotChange> ReportDrawing::change(const QPointF& from, const QPointF& to,
                                                const QRectF& area) const {
    return isEmpty() ? std::nullopt : asChange(hand_.change(from, to, PlotAxes(*scene_, area)));
}

std::vector<QPointF> ReportDrawing::marks(const QRectF& area) const {
    return isEmpty() ? std::vector<QPointF>() : hand_.grips(PlotAxes(*scene_, area));
}

std::optional<PlotChange> ReportDrawing::stepped(std::size_t mark, int way) const {
    return isEmpty() ? std::nullopt : asChange(hand_.stepped(mark, way));
}

std::optional<PlotChange> ReportDrawing::wheeled(const QPointF& at, double steps, bool aside,
                                                 const QRectF& area) const {
    return isEmpty() ? std::nullopt : asChange(hand_.wheeled(at, steps, aside, PlotAxes(*scene_, area)));
}

std::vector<QPointF> ReportDrawing::items(const QRectF& area) const {
    return isEmpty() ? std::vector<QPointF>() : hand_.items(PlotAxes(*scene_, area));
}

int ReportDrawing::pickedItem() const {
    return hand_.picked();
}

bool ReportDrawing::itemsLead() const {
    return hand_.itemsLead();
}

PlotExtents ReportDrawing::extents() const {
    return extentsOf(*scene_);
}

std::unique_ptr<PlotDrawing> drawingOf(ask::Report report, ask::Fields fields, const ask::Question& question,
                                       const PlotExtents& held) {
    return std::make_unique<ReportDrawing>(
        plotSceneOf(std::make_shared<const ask::Report>(std::move(report)), 0, held), fields, question);
}

} // namespace loadline::ui
