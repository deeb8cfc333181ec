// Grips, keys, zoom and the selection.
#include "ui/plot/plot_hand.h"

#include "ui/chart/paint_help.h"
#include "ui/plot/plot_legend.h"
#include "ui/plot/plot_marks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace loadline::ui {
namespace {

using ask::Rule;

constexpr double gripReach = 8;

/// The value that a rule's field has with the line at a place of the axis.
double fieldAt(const Rule& rule, double at) {
    return rule.fieldAt ? rule.fieldAt(at) : at;
}

/// The place of a grip's line, which may lie beyond the plot.
double placeOfLine(const Rule& rule, const PlotAxes& axes) {
    return rule.across == Rule::Across::X ? axes.x(*rule.at) : axes.y(*rule.at);
}

/// The place of a grip: at the edge of the plot where its line is out of view.
QPointF gripOf(const Rule& rule, const PlotAxes& axes) {
    const QRectF& plot = axes.plot();
    const double line = placeOfLine(rule, axes);
    return rule.across == Rule::Across::X
               ? QPointF(std::clamp(line, plot.left(), plot.right()), plot.top())
               : QPointF(plot.right(), std::clamp(line, plot.top(), plot.bottom()));
}

bool isInView(const Rule& rule, const PlotAxes& axes) {
    constexpr double rounded = 0.5;
    const QPointF grip = gripOf(rule, axes);
    return std::abs(placeOfLine(rule, axes) - (rule.across == Rule::Across::X ? grip.x() : grip.y())) <=
           rounded;
}

double distanceOf(const Rule& rule, const QPointF& at, const PlotAxes& axes) {
    const QPointF way = gripOf(rule, axes) - at;
    return std::abs(rule.across == Rule::Across::X ? way.x() : way.y());
}

/// True if the dot nearest to x of a line, of its first series, is hollow.
bool isHollowAt(const PlotScene& scene, const SceneMark& line, double x, const PlotAxes& axes) {
    double least = std::numeric_limits<double>::infinity();
    bool isHollowThere = false;
    for (const SceneMark& mark : scene.marks) {
        const bool isItsDots = mark.mark->kind == ask::Kind::Points && mark.mark->table == line.mark->table &&
                               mark.mark->y == line.mark->y;
        for (std::size_t row = 0; isItsDots && row < mark.rows(); ++row) {
            const bool isOfLine = mark.isPlaced(row) && mark.seriesAt(row) == 0;
            const double far = isOfLine ? std::abs(axes.x(mark.x[row]) - axes.x(x)) : least;
            if (far < least) {
                least = far;
                isHollowThere = isHollow(mark.basisAt(row));
            }
        }
    }
    return isHollowThere;
}

const SceneMark* lineNamed(const PlotScene& scene, const std::string& y) {
    const auto found = std::ranges::find_if(
        scene.marks, [&](const SceneMark& mark) { return !y.empty() && mark.mark->y == y; });
    return found == scene.marks.end() ? nullptr : &*found;
}

ask::Value valueIn(const SceneMark& mark, const std::string& key, std::size_t row) {
    const auto column = std::ranges::find(mark.table->columns, key, &ask::Column::key);
    return column == mark.table->columns.end() ? ask::Value() : column->at(row).value;
}

} // namespace

PlotHand::PlotHand(std::shared_ptr<const PlotScene> scene, ask::Fields fields, const ask::Question& question)
    : scene_(std::move(scene)), fields_(fields) {
    for (Rule rule : scene_->plot->rules) {
        if (rule.field.empty()) {
            continue;
        }
        const ask::Field* field = ask::findField(fields_, rule.field);
        if (!rule.at && field != nullptr && !question.isEmpty()) {
            rule.at = ask::numberOf(*field, question.data());
        }
        if ((rule.at && std::isfinite(*rule.at)) || rule.factor) {
            grips_.push_back(std::move(rule));
        }
    }
    findItems(question);
}

void PlotHand::findItems(const ask::Question& question) {
    for (const SceneMark& mark : scene_->marks) {
        if (mark.mark->pickField.empty()) {
            continue;
        }
        const ask::Field* field = ask::findField(fields_, mark.mark->pickField);
        const std::string chosen =
            field != nullptr && !question.isEmpty() ? ask::textOf(*field, question.data()) : std::string();
        for (std::size_t row = 0; row < mark.rows(); ++row) {
            if (!mark.isPlaced(row)) {
                continue;
            }
            if (!chosen.empty() && ask::plainText(valueIn(mark, mark.mark->pickColumn, row)) == chosen) {
                picked_ = static_cast<int>(items_.size());
            }
            items_.push_back({&mark, row});
        }
    }
}

void PlotHand::paintGrip(QPainter& painter, const Rule& grip, const PlotAxes& axes,
                         const Theme& theme) const {
    const QRectF& plot = axes.plot();
    const QColor color = colourOf(grip.ink, theme);
    const bool isX = grip.across == Rule::Across::X;
    const QPointF at = gripOf(grip, axes);
    painter.setPen(QPen(color, 1.4));
    painter.setBrush(theme.plotGround);
    if (!isInView(grip, axes)) { // the grip alone brings its line back
        painter.drawEllipse(at, 4.5, 4.5);
        return;
    }
    painter.drawLine(isX ? QLineF(at.x(), plot.top(), at.x(), plot.bottom())
                         : QLineF(plot.left(), at.y(), plot.right(), at.y()));
    painter.drawEllipse(at, 4.5, 4.5);
    const SceneMark* line = isX ? lineNamed(*scene_, grip.onMark) : nullptr;
    const double y = line != nullptr ? lineAt(*scene_, *line, *grip.at) : std::nan("");
    if (!std::isnan(y)) {
        const bool hollow = isHollowAt(*scene_, *line, *grip.at, axes);
        painter.setPen(hollow ? QPen(color, 1.4) : QPen(Qt::NoPen));
        painter.setBrush(hollow ? theme.plotGround : color);
        painter.drawEllipse(QPointF(at.x(), axes.y(y, line->mark->onRight)), 4, 4);
    }
}

/// Names beside their lines.
void PlotHand::paintNames(QPainter& painter, const PlotAxes& axes, const Theme& theme) const {
    const QFont font = fontOf(0.82);
    const QRectF& plot = axes.plot();
    std::vector<double> lines;
    std::vector<QSizeF> sizes;
    std::vector<QString> names;
    for (const Rule& grip : grips_) {
        if (grip.factor || grip.label.empty() || !isInView(grip, axes)) {
            continue;
        }
        const QString name = QString::fromStdString(grip.label);
        const QSizeF size(widthOf(font, name) + 4, heightOf(font));
        const QPointF at = gripOf(grip, axes);
        if (grip.across == Rule::Across::X) {
            lines.push_back(at.x());
            names.push_back(name);
            sizes.push_back(size);
        } else { // above its line, where there is room
            const double above = at.y() - size.height() - 2;
            const QRectF place(QPointF(plot.left() + 4, above < plot.top() ? at.y() + 2 : above), size);
            painter.fillRect(place, faded(theme.plotGround, 0.8));
            drawText(painter, place, leftMiddle, font, theme.text, name);
        }
    }
    const std::vector<QRectF> places = placesOfNames(plot, lines, sizes);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (!places[i].isNull()) {                         // else the cursor names it
            painter.fillRect(places[i], theme.plotGround); // where another line passes
            drawText(painter, places[i], leftMiddle, font, theme.text, names[i]);
        }
    }
}

void PlotHand::paint(QPainter& painter, const PlotAxes& axes, const Theme& theme) const {
    for (const Rule& grip : grips_) {
        if (!grip.factor) {
            paintGrip(painter, grip, axes, theme);
        }
    }
    paintNames(painter, axes, theme);
    const QPointF picked = picked_ >= 0 ? items(axes)[static_cast<std::size_t>(picked_)] : QPointF();
    if (picked_ >= 0 && axes.plot().adjusted(-1, -1, 1, 1).contains(picked)) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme.accent, 2));
        painter.drawEllipse(picked, 6, 6);
    }
}

bool PlotHand::isAlone(Rule::Across across) const {
    return std::ranges::count_if(
               grips_, [across](const Rule& grip) { return grip.across == across && !grip.factor; }) == 1;
}

const Rule* PlotHand::gripAt(Rule::Across across, const QPointF& at, const PlotAxes& axes) const {
    if (!axes.plot().adjusted(-gripReach, -gripReach, gripReach, 0).contains(at)) {
        return nullptr;
    }
    const Rule* best = nullptr;
    double reach = isAlone(across) ? std::numeric_limits<double>::infinity() : gripReach;
    for (const Rule& grip : grips_) {
        if (grip.across == across && !grip.factor && distanceOf(grip, at, axes) < reach) {
            reach = distanceOf(grip, at, axes);
            best = &grip;
        }
    }
    return best;
}

const Rule* PlotHand::factorAt(const QPointF& at, const PlotAxes& axes) const {
    const Rule* best = nullptr;
    double reach = gripReach;
    for (const Rule& grip : grips_) {
        const SceneMark* line = grip.factor ? lineNamed(*scene_, grip.onMark) : nullptr;
        const double y = line != nullptr && axes.plot().contains(at)
                             ? lineAt(*scene_, *line, axes.valueAtX(at.x()))
                             : std::numeric_limits<double>::quiet_NaN();
        if (const double distance = std::abs(axes.y(y) - at.y()); !std::isnan(y) && distance < reach) {
            reach = distance;
            best = &grip;
        }
    }
    return best;
}

/// One step of the last digit that the field shows; no finer than 1 where its least value is 1 or more.
double PlotHand::grainOf(const Rule& rule, double value) const {
    const ask::Field* field = ask::findField(fields_, rule.field);
    const int digits = field != nullptr ? field->traits.digits : 2;
    if (field != nullptr && field->slider.scale == ask::SliderScale::Binary && value > 0) {
        return std::max(1.0, std::exp2(std::floor(std::log2(value)) - 3)); // eight an octave
    }
    const double size = value == 0 && field != nullptr ? 0.1 * field->range.most : std::abs(value);
    double grain = size > 0 ? std::pow(10.0, std::floor(std::log10(size)) - digits + 1) : 0;
    if (field != nullptr) {
        const bool isCoarse = field->range.least >= 1 || ask::isWhole(*field).value_or(false);
        grain = std::max(grain, isCoarse ? 1.0 : 0.0);
    }
    return grain;
}

double PlotHand::rounded(const Rule& rule, double value) const {
    const double grain = grainOf(rule, value);
    value = grain > 0 ? std::round(value / grain) * grain : value;
    const ask::Field* field = ask::findField(fields_, rule.field);
    const bool isBounded = field != nullptr && field->range.least < field->range.most;
    return isBounded ? std::clamp(value, field->range.least, field->range.most) : value;
}

std::vector<PlotFieldChange> PlotHand::change(const QPointF& from, const QPointF& to,
                                              const PlotAxes& axes) const {
    if (const Rule* factor = factorAt(from, axes)) {
        const double ratio = axes.valueAtY(to.y()) / axes.valueAtY(from.y());
        return {{factor->field, factor->part, factor->at.value_or(1) * (std::isfinite(ratio) ? ratio : 1)}};
    }
    std::vector<PlotFieldChange> changes;
    for (const Rule::Across across : {Rule::Across::X, Rule::Across::Y}) {
        const Rule* grip = gripAt(across, from, axes);
        if (grip == nullptr) {
            continue;
        }
        const double at = across == Rule::Across::X ? axes.valueAtX(to.x()) : axes.valueAtY(to.y());
        const bool stays = from == to && !isAlone(across); // a click beside a line moves nothing
        changes.push_back({grip->field, grip->part,
                           stays ? fieldAt(*grip, *grip->at) : rounded(*grip, fieldAt(*grip, at))});
    }
    return changes;
}

std::vector<QPointF> PlotHand::grips(const PlotAxes& axes) const {
    std::vector<QPointF> places;
    for (const Rule& grip : grips_) {
        if (!grip.factor) {
            places.push_back(gripOf(grip, axes));
        }
    }
    return places;
}

std::vector<PlotFieldChange> PlotHand::stepped(std::size_t grip, int way) const {
    for (const Rule& rule : grips_) {
        if (rule.factor || grip-- != 0) {
            continue;
        }
        const double now = fieldAt(rule, *rule.at);
        if (rule.step > 0) {
            return {{rule.field, rule.part, rounded(rule, way > 0 ? now * rule.step : now / rule.step)}};
        }
        const double grain = grainOf(rule, way < 0 ? now * (1 - 1e-9) : now); // 99 below 100, as 100 above 99
        return {{rule.field, rule.part, rounded(rule, std::round(now / grain) * grain + way * grain)}};
    }
    return {};
}

std::vector<PlotFieldChange> PlotHand::wheeled(const QPointF& at, double steps, bool aside,
                                               const PlotAxes& axes) const {
    constexpr double closer = 0.8, move = 0.1, nothing = 1e-9;
    std::vector<PlotFieldChange> changes;
    for (const bool isX : {true, false}) {
        const SceneAxis& axis = isX ? scene_->x : scene_->y;
        if (axis.axis->lowField.empty() || axis.axis->highField.empty() || !axes.plot().contains(at)) {
            continue;
        }
        const bool isLog = axis.isLog();
        const auto unwind = [isLog](double value) { return isLog ? std::log(value) : value; };
        const auto wind = [isLog](double value) { return isLog ? std::exp(value) : value; };
        const double low = unwind(axis.low), high = unwind(axis.high);
        const double wholeLow = unwind(axis.wholeLow), wholeHigh = unwind(axis.wholeHigh);
        const double anchor = unwind(isX ? axes.valueAtX(at.x()) : axes.valueAtY(at.y()));
        const double factor = std::pow(closer, steps);
        double newLow = aside ? low - steps * move * (high - low) : anchor - (anchor - low) * factor;
        double newHigh = aside ? high - steps * move * (high - low) : anchor + (high - anchor) * factor;
        if (aside) { // as wide as before
            const double back = std::max(0.0, wholeLow - newLow) - std::max(0.0, newHigh - wholeHigh);
            newLow += back;
            newHigh += back;
        }
        newLow = std::max(newLow, wholeLow);
        newHigh = std::min(newHigh, wholeHigh);
        const double grain = nothing * (wholeHigh - wholeLow);
        if (std::abs(newLow - low) <= grain && std::abs(newHigh - high) <= grain) {
            continue;
        }
        const bool isWhole = newLow <= wholeLow + grain && newHigh >= wholeHigh - grain;
        const auto end = [&](double value) { return isWhole ? std::nullopt : std::optional(wind(value)); };
        changes.push_back({axis.axis->lowField, -1, end(newLow)});
        changes.push_back({axis.axis->highField, -1, end(newHigh)});
    }
    return changes;
}

std::vector<QPointF> PlotHand::items(const PlotAxes& axes) const {
    std::vector<QPointF> places;
    for (const Row& item : items_) {
        const double y = item.mark->y[item.row];
        places.emplace_back(axes.x(item.mark->x[item.row]),
                            std::isnan(y) ? axes.plot().top() : axes.y(y, item.mark->mark->onRight));
    }
    return places;
}

bool PlotHand::itemsLead() const {
    return std::ranges::any_of(items_, [](const Row& item) { return !item.mark->mark->leadColumn.empty(); });
}

std::optional<PlotHand::Pick> PlotHand::pickOf(std::size_t item) const {
    if (item >= items_.size()) {
        return std::nullopt;
    }
    const Row& row = items_[item];
    return Pick{row.mark->mark->pickField, valueIn(*row.mark, row.mark->mark->pickColumn, row.row)};
}

ask::Value PlotHand::leadOf(std::size_t item) const {
    return item >= items_.size()
               ? ask::Value()
               : valueIn(*items_[item].mark, items_[item].mark->mark->leadColumn, items_[item].row);
}

} // namespace loadline::ui
