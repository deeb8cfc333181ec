// Reports of made-up numbers, and a question whose fields a hand can drag.
#pragma once

#include "core/ask/field.h"
#include "core/ask/report.h"
#include "ui/plot/plot_scene.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadline::ui::fixtures {

constexpr double gap = std::numeric_limits<double>::quiet_NaN();
constexpr double endless = std::numeric_limits<double>::infinity();

inline ask::Column columnOf(std::string key, std::vector<double> values, ask::Form form = ask::Form::Plain) {
    auto held = std::make_shared<const std::vector<double>>(std::move(values));
    return {key, key, form, [held](std::size_t row) { return ask::Cell((*held)[row]); }};
}

inline ask::Column namesOf(std::string key, std::vector<std::string> values) {
    auto held = std::make_shared<const std::vector<std::string>>(std::move(values));
    return {key, key, ask::Form::Text, [held](std::size_t row) { return ask::Cell((*held)[row]); }};
}

/// The table "t" of these columns.
inline ask::Table tableOf(std::size_t rows, std::vector<ask::Column> columns) {
    return {.path = "t", .title = {}, .rows = rows, .columns = std::move(columns)};
}

/// A plot of the table's marks.
inline ask::Report reportOf(ask::Table table, std::vector<ask::Mark> marks, ask::Axis x = {"x"},
                            ask::Axis y = {"y"}, std::vector<ask::Rule> rules = {}) {
    ask::Report report;
    report.tables.push_back(std::move(table));
    report.plots.push_back({.key = "made-up",
                            .title = "Made up",
                            .description = {},
                            .sentence = "All of it is made up.",
                            .x = std::move(x),
                            .y = std::move(y),
                            .marks = std::move(marks),
                            .rules = std::move(rules)});
    return report;
}

/// One mark of the columns x and y.
inline ask::Report reportOf(ask::Kind kind, const std::vector<double>& x, const std::vector<double>& y,
                            ask::Axis xAxis = {"x"}, ask::Axis yAxis = {"y"},
                            std::vector<ask::Rule> rules = {}) {
    return reportOf(tableOf(x.size(), {columnOf("x", x), columnOf("y", y)}),
                    {{.kind = kind, .table = "t", .x = "x", .y = "y"}}, std::move(xAxis), std::move(yAxis),
                    std::move(rules));
}

inline std::shared_ptr<const PlotScene> sceneOf(ask::Report report, const std::vector<double>& held = {}) {
    return plotSceneOf(std::make_shared<const ask::Report>(std::move(report)), 0, held);
}

struct Asked {
    double ttlS = 300;
    std::int64_t users = 8;
    std::optional<double> from, to;
    std::int64_t chosen = 2;
    std::vector<double> sizes = {10, 20};
    bool operator==(const Asked&) const = default;
};

inline ask::Fields askedFields() {
    using ask::Field;
    static const std::array fields = {
        Field{.key = "ttl-s", .access = ask::bound<&Asked::ttlS>(), .range = {1, 1e6}},
        Field{.key = "users", .access = ask::bound<&Asked::users>(), .range = {1, 1000}},
        Field{.key = "from", .access = ask::bound<&Asked::from>()},
        Field{.key = "to", .access = ask::bound<&Asked::to>()},
        Field{.key = "chosen", .access = ask::bound<&Asked::chosen>(), .range = {0, 100}},
        Field{.key = "sizes", .access = ask::inWords<Asked>(), .range = {0, 1e6}, .traits = {.digits = 3}}};
    return fields;
}

} // namespace loadline::ui::fixtures
