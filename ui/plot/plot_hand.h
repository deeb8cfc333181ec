// The hand layer of a plot: grips, what lies under the cursor, the selection, zoom. All of it without a job.
#pragma once

#include "core/ask/field.h"
#include "core/ask/question.h"
#include "ui/chart/plot_drawing.h"
#include "ui/plot/plot_axes.h"

#include <QPointF>
#include <QStringList>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace loadline::ui {

/// Made anew from the same scene when the question changes: a marker moves before the answer does.
class PlotHand {
public:
    /// `fields`: those that grips, clicks and zooms set. A grip whose field is not among them moves in steps
    /// of two digits. `question`: as the hand has it, for rules without a place of their own; may be empty.
    PlotHand(std::shared_ptr<const PlotScene> scene, ask::Fields fields, const ask::Question& question);

    /// Lines that can be dragged with their grips, names and dots; a ring around the selection.
    void paint(QPainter& painter, const PlotAxes& axes, const Theme& theme) const;

    /// The words of a grip; else columns with an ask::Column::readOut, of the row under the cursor or of each
    /// line's nearest row.
    [[nodiscard]] QStringList readOut(const QPointF& at, const PlotAxes& axes) const;

    /// Returns the fields that a drag sets; empty: nothing begins there. One line alone is dragged from
    /// anywhere, one of several from near its place.
    [[nodiscard]] std::vector<PlotFieldChange> change(const QPointF& from, const QPointF& to,
                                                      const PlotAxes& axes) const;
    [[nodiscard]] std::vector<QPointF> grips(const PlotAxes& axes) const;
    /// One grip by one key, to the left (-1) or right (1).
    [[nodiscard]] std::vector<PlotFieldChange> stepped(std::size_t grip, int way) const;
    /// The fields of the axes that zoom: `steps` above 0 zoom in at the cursor, `aside` moves the view. A
    /// view of everything is none.
    [[nodiscard]] std::vector<PlotFieldChange> wheeled(const QPointF& at, double steps, bool aside,
                                                       const PlotAxes& axes) const;

    /// Places of the rows that a click picks, in their order.
    [[nodiscard]] std::vector<QPointF> items(const PlotAxes& axes) const;

    [[nodiscard]] int picked() const { return picked_; } ///< index of an item; -1: none

    [[nodiscard]] bool itemsLead() const;

    /// A field and the value that a click on an item gives it.
    struct Pick {
        std::string field;
        ask::Value value;
    };
    [[nodiscard]] std::optional<Pick> pickOf(std::size_t item) const;
    [[nodiscard]] ask::Value leadOf(std::size_t item) const; ///< where a double click leads

private:
    /// A row of one of the scene's marks.
    struct Row {
        const SceneMark* mark = nullptr;
        std::size_t row = 0;
    };

    [[nodiscard]] const ask::Rule* gripAt(ask::Rule::Across across, const QPointF& at,
                                          const PlotAxes& axes) const;
    [[nodiscard]] const ask::Rule* factorAt(const QPointF& at, const PlotAxes& axes) const;
    [[nodiscard]] bool isAlone(ask::Rule::Across across) const;
    [[nodiscard]] double rounded(const ask::Rule& rule, double value) const;
    [[nodiscard]] double grainOf(const ask::Rule& rule, double value) const;
    [[nodiscard]] std::optional<Row> rowUnder(const QPointF& at, const PlotAxes& axes) const;
    /// The first row of the category whose line across the plot is under the cursor.
    [[nodiscard]] std::optional<Row> rowOfName(const QPointF& at, const PlotAxes& axes) const;
    [[nodiscard]] std::vector<Row> rowsOfLines(const QPointF& at, const PlotAxes& axes) const;
    [[nodiscard]] QString wordsOfBand(const QPointF& at, const PlotAxes& axes) const;
    [[nodiscard]] QStringList wordsOfLines(const QPointF& at, const PlotAxes& axes) const;
    void findItems(const ask::Question& question);
    void paintGrip(QPainter& painter, const ask::Rule& grip, const PlotAxes& axes, const Theme& theme) const;
    void paintNames(QPainter& painter, const PlotAxes& axes, const Theme& theme) const;

    std::shared_ptr<const PlotScene> scene_;
    ask::Fields fields_;
    std::vector<ask::Rule> grips_; ///< each with its place
    std::vector<Row> items_;
    int picked_ = -1;
};

} // namespace loadline::ui
