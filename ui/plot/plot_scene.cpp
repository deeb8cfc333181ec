// Columns into numbers, and how far axes reach.
#include "ui/plot/plot_scene.h"

#include "ui/chart/xy_axes.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace loadline::ui {
namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double farthest = 1e290; ///< beyond it sums of pixels overflow

/// The indices of names in the order in which they first appear.
class NameIndex {
public:
    explicit NameIndex(std::vector<std::string>& names) : names_(names) {
        for (std::size_t i = 0; i < names.size(); ++i) {
            at_.emplace(names[i], i);
        }
    }

    std::size_t of(const std::string& name) {
        const auto [found, isNew] = at_.try_emplace(name, names_.size());
        if (isNew) {
            names_.push_back(name);
        }
        return found->second;
    }

private:
    std::vector<std::string>& names_;
    std::unordered_map<std::string, std::size_t> at_;
};

const ask::Column* columnNamed(const ask::Table& table, std::string_view key) {
    const auto found = std::ranges::find(table.columns, key, &ask::Column::key);
    assert(key.empty() || found != table.columns.end());
    return found == table.columns.end() ? nullptr : &*found;
}

double numberIn(const ask::Cell& cell) {
    const double number = ask::numberOf(cell.value).value_or(noNumber);
    return std::abs(number) <= farthest ? number : noNumber;
}

/// Empty where there is no such column.
std::vector<double> numbersOf(const ask::Table& table, const std::string& key, SceneAxis* names = nullptr) {
    const ask::Column* column = columnNamed(table, key);
    std::vector<double> numbers;
    if (column == nullptr) {
        return numbers;
    }
    numbers.reserve(table.rows);
    if (names != nullptr && names->hasNames()) {
        NameIndex index(names->names);
        for (std::size_t row = 0; row < table.rows; ++row) {
            numbers.push_back(static_cast<double>(index.of(ask::wordsOf(column->at(row), column->form))));
        }
        return numbers;
    }
    for (std::size_t row = 0; row < table.rows; ++row) {
        numbers.push_back(numberIn(column->at(row)));
    }
    return numbers;
}

std::vector<std::string> textsOf(const ask::Table& table, const std::string& key) {
    std::vector<std::string> texts;
    if (const ask::Column* column = columnNamed(table, key)) {
        for (std::size_t row = 0; row < table.rows; ++row) {
            const ask::Cell cell = column->at(row);
            texts.push_back(cell.isEmpty() ? std::string() : ask::wordsOf(cell, column->form));
        }
    }
    return texts;
}

/// Bars of one place stand on each other: `ends` becomes the top, `feet` the foot.
void stackBars(const std::vector<double>& places, std::vector<double>& ends, std::vector<double>& feet) {
    std::map<double, double> tops;
    feet.assign(places.size(), 0);
    for (std::size_t row = 0; row < places.size(); ++row) {
        if (std::isfinite(places[row]) && std::isfinite(ends[row])) {
            double& top = tops[places[row]];
            feet[row] = top;
            top += ends[row];
            ends[row] = top;
        }
    }
}

/// Lines and points have no place at 0 of a logarithmic axis; boxes are cut off there.
void dropUnshown(SceneMark& mark, const SceneAxis& x, const SceneAxis& y) {
    const bool isBox = mark.mark->kind == ask::Kind::Bars || mark.mark->kind == ask::Kind::Spans ||
                       mark.mark->kind == ask::Kind::Area;
    for (std::size_t row = 0; row < mark.rows(); ++row) {
        if (x.isLog() && !(mark.x[row] > 0) && mark.x2.empty()) {
            mark.x[row] = noNumber;
        }
        if (y.isLog() && !(mark.y[row] > 0) && !isBox) {
            mark.y[row] = noNumber;
        }
    }
}

SceneMark readMark(const ask::Mark& mark, const ask::Table& table, PlotScene& scene) {
    SceneMark read;
    read.mark = &mark;
    read.table = &table;
    SceneAxis& yAxis = mark.onRight && scene.right ? *scene.right : scene.y;
    read.x = numbersOf(table, mark.x, &scene.x);
    read.x.resize(table.rows, noNumber);
    read.y = numbersOf(table, mark.y, &yAxis);
    read.y.resize(table.rows, noNumber);
    read.x2 = numbersOf(table, mark.x2, &scene.x);
    read.y2 = numbersOf(table, mark.y2, &yAxis);
    read.shade = numbersOf(table, mark.value);
    read.labels = textsOf(table, mark.label);
    if (const ask::Column* column = mark.series.empty() ? nullptr : columnNamed(table, mark.series)) {
        NameIndex index(read.seriesNames);
        for (std::size_t row = 0; row < table.rows; ++row) {
            read.series.push_back(
                static_cast<std::uint32_t>(index.of(ask::wordsOf(column->at(row), column->form))));
        }
    }
    if (read.seriesNames.empty()) {
        read.seriesNames.emplace_back();
    }
    for (const double number : numbersOf(table, mark.basisColumn)) {
        const bool isKnown = number >= 0 && number <= static_cast<double>(ask::Basis::Modelled);
        read.basis.push_back(isKnown ? static_cast<ask::Basis>(number) : mark.basis);
    }
    if (mark.kind == ask::Kind::Bars && !read.series.empty()) {
        if (yAxis.hasNames() && read.x2.empty()) {
            stackBars(read.y, read.x, read.x2);
        } else if (!yAxis.hasNames() && read.y2.empty()) {
            stackBars(read.x, read.y, read.y2);
        }
    }
    dropUnshown(read, scene.x, yAxis);
    return read;
}

struct AxisEnds {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();

    void take(double value, bool log) {
        if (std::isfinite(value) && (value > 0 || !log)) {
            least = std::min(least, value);
            most = std::max(most, value);
        }
    }

    void take(const std::vector<double>& values, bool log) {
        for (const double value : values) {
            take(value, log);
        }
    }

    [[nodiscard]] bool isEmpty() const { return least > most; }
};

/// In the unit in which the axis is written, seconds alone have several.
double unitOf(const ask::Axis& axis, double most) {
    return axis.form == ask::Form::Seconds  ? timeUnitOf(most).perS
           : axis.form == ask::Form::Micros ? timeUnitOf(most * 1e-6).perS * 1e-6
                                            : 1;
}

void reachOut(SceneAxis& shown, const AxisEnds& ends, double heldLow, double heldHigh) {
    const ask::Axis& axis = *shown.axis;
    constexpr double little = 1.02;
    if (shown.hasNames()) {
        shown.low = shown.wholeLow = -0.5;
        shown.high = shown.wholeHigh = std::max(static_cast<double>(shown.names.size()), 1.0) - 0.5;
        return;
    }
    if (axis.scale == ask::Scale::Time) {
        shown.low = ends.isEmpty() ? 0 : ends.least;
        shown.high = ends.isEmpty() ? 1 : ends.most;
    } else if (shown.isLog()) {
        shown.low = ends.isEmpty() ? 1 : std::max(niceBelow(ends.least), std::numeric_limits<double>::min());
        shown.high = ends.isEmpty() ? 10 : niceAbove(ends.most);
    } else {
        const double unit = unitOf(axis, ends.isEmpty() ? 1 : ends.most);
        shown.low = !ends.isEmpty() && ends.least < 0 ? -niceAbove(-ends.least * little * unit) / unit : 0;
        shown.high = ends.isEmpty() || ends.most <= 0 ? 0 : niceAbove(ends.most * little * unit) / unit;
    }
    if (axis.form == ask::Form::Share && shown.low == 0 && ends.most <= 1) {
        shown.high = std::min(shown.high, 1.0); // of a whole
    }
    if (!shown.isLog() || heldLow > 0) { // held by an axis that may have been linear
        shown.low = std::min(shown.low, heldLow);
    }
    shown.high = std::max(shown.high, heldHigh);
    shown.wholeLow = shown.low;
    shown.wholeHigh = shown.high;
    const auto fits = [&](const std::optional<double>& end) {
        return end && std::isfinite(*end) && (*end > 0 || !shown.isLog());
    };
    shown.low = fits(axis.low) ? *axis.low : shown.low;
    shown.high = fits(axis.high) ? *axis.high : shown.high;
    if (!(shown.high > shown.low)) {
        shown.high = shown.isLog() ? shown.low * 10 : shown.low + 1;
    }
}

/// Categories of a y axis are counted from below.
void turnOver(PlotScene& scene) {
    const double last = static_cast<double>(scene.y.names.size()) - 1;
    for (SceneMark& mark : scene.marks) {
        for (std::vector<double>* values : {&mark.y, &mark.y2}) {
            for (double& value : *values) {
                value = last - value;
            }
        }
    }
    std::ranges::reverse(scene.y.names);
}

bool isSame(const std::vector<double>& a, const std::vector<double>& b) {
    return std::ranges::equal(a, b, [](double one, double other) {
        return one == other || (std::isnan(one) && std::isnan(other));
    });
}

bool isSame(const SceneAxis& a, const SceneAxis& b) {
    return *a.axis == *b.axis && a.low == b.low && a.high == b.high && a.names == b.names;
}

bool isSame(const SceneMark& a, const SceneMark& b) {
    return *a.mark == *b.mark && isSame(a.x, b.x) && isSame(a.y, b.y) && isSame(a.x2, b.x2) &&
           isSame(a.y2, b.y2) && isSame(a.shade, b.shade) && a.series == b.series &&
           a.seriesNames == b.seriesNames && a.labels == b.labels && a.basis == b.basis;
}

/// Returns the painted properties of the lines that cannot be dragged.
auto stillRules(const ask::Plot& plot) {
    std::vector<
        std::tuple<ask::Rule::Across, std::optional<double>, std::optional<double>, std::string, ask::Ink>>
        rules;
    for (const ask::Rule& rule : plot.rules) {
        if (rule.field.empty()) {
            rules.emplace_back(rule.across, rule.at, rule.to, rule.label, rule.ink);
        }
    }
    return rules;
}

} // namespace

const ask::Table* PlotScene::table() const {
    if (!plot->table.empty()) {
        return report->find(plot->table);
    }
    return plot->marks.empty() ? nullptr : report->find(plot->marks.front().table);
}

std::shared_ptr<const PlotScene> plotSceneOf(std::shared_ptr<const ask::Report> report, std::size_t plot,
                                             const std::vector<double>& held) {
    auto scene = std::make_shared<PlotScene>();
    scene->report = std::move(report);
    scene->plot = &scene->report->plots[plot];
    const ask::Plot& described = *scene->plot;
    scene->drawn = described.drawn.empty() ? nullptr : scene->report->find(described.drawn);
    scene->x.axis = &described.x;
    scene->y.axis = &described.y;
    if (described.right) {
        scene->right.emplace().axis = &*described.right;
    }
    for (const ask::Mark& mark : described.marks) {
        if (const ask::Table* table = scene->report->find(mark.table)) {
            scene->marks.push_back(readMark(mark, *table, *scene));
        }
    }
    AxisEnds x, y, right;
    bool hasBars = false, hasBarsOnRight = false;
    for (const SceneMark& mark : scene->marks) {
        if (mark.mark->kind == ask::Kind::Ranges) {
            continue; // an axis follows the values, not how far they may err
        }
        const SceneAxis& yAxis = scene->yAxisOf(mark);
        AxisEnds& up = &yAxis == &scene->y ? y : right;
        x.take(mark.x, scene->x.isLog());
        x.take(mark.x2, scene->x.isLog());
        up.take(mark.y, yAxis.isLog());
        up.take(mark.y2, yAxis.isLog());
        if (mark.mark->kind == ask::Kind::Bars && yAxis.isLog()) {
            (&yAxis == &scene->y ? hasBars : hasBarsOnRight) = true;
        }
    }
    for (AxisEnds* up : {hasBars ? &y : nullptr, hasBarsOnRight ? &right : nullptr}) {
        if (up != nullptr) {
            up->take(up->least / 2, true); // the shortest bar has a height
        }
    }
    bool isSquare = false;
    for (const ask::Rule& rule : described.rules) {
        isSquare = isSquare || rule.across == ask::Rule::Across::Diagonal;
        const bool isX = rule.across == ask::Rule::Across::X;
        if (rule.at && !rule.factor &&
            (isX ? !rule.field.empty() : rule.across == ask::Rule::Across::Y)) { // it stays in view
            (isX ? x : y).take(*rule.at, (isX ? scene->x : scene->y).isLog());
        }
    }
    if (isSquare) { // both axes measure the same
        for (const double end : {y.least, y.most}) {
            x.take(end, false);
        }
        y = x;
    }
    const auto heldAt = [&](std::size_t i) { // lows are kept with their sign turned
        return i < held.size() ? (i % 2 == 0 ? -held[i] : held[i])
                               : (i % 2 == 0 ? 1 : -1) * std::numeric_limits<double>::infinity();
    };
    reachOut(scene->x, x, heldAt(0), heldAt(1));
    reachOut(scene->y, y, heldAt(2), heldAt(3));
    if (scene->right) {
        reachOut(*scene->right, right, heldAt(4), heldAt(5));
    }
    if (scene->y.hasNames()) {
        turnOver(*scene);
    }
    return scene;
}

std::vector<double> extentsOf(const PlotScene& scene) {
    std::vector<double> extents = {-scene.x.low, scene.x.high, -scene.y.low, scene.y.high};
    if (scene.right) {
        extents.insert(extents.end(), {-scene.right->low, scene.right->high});
    }
    return extents;
}

bool paintsSame(const PlotScene& a, const PlotScene& b) {
    return &a == &b ||
           (a.drawn == nullptr && b.drawn == nullptr && a.plot->empty == b.plot->empty &&
            a.plot->corner == b.plot->corner && isSame(a.x, b.x) && isSame(a.y, b.y) &&
            a.right.has_value() == b.right.has_value() && (!a.right || isSame(*a.right, *b.right)) &&
            std::ranges::equal(
                a.marks, b.marks,
                [](const SceneMark& one, const SceneMark& other) { return isSame(one, other); }) &&
            stillRules(*a.plot) == stillRules(*b.plot));
}

double lineAt(const PlotScene& scene, const SceneMark& line, double x) {
    const auto share = [](bool isLog, double low, double high, double value) {
        return isLog ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
    };
    const auto at = [](bool isLog, double low, double high, double part) {
        return low == high ? low : isLog ? low * std::pow(high / low, part) : low + part * (high - low);
    };
    std::size_t before = line.rows();
    for (std::size_t row = 0; row < line.rows(); ++row) {
        if (line.seriesAt(row) != 0 || std::isnan(line.x[row]) || std::isnan(line.y[row])) {
            continue;
        }
        if (line.x[row] == x) {
            return line.y[row];
        }
        if (before < line.rows() && line.x[before] < x && x < line.x[row]) {
            const double part = line.mark->kind == ask::Kind::Step
                                    ? 0
                                    : share(scene.x.isLog(), line.x[before], line.x[row], x);
            return at(scene.yAxisOf(line).isLog(), line.y[before], line.y[row], part);
        }
        before = row;
    }
    return noNumber;
}

} // namespace loadline::ui
