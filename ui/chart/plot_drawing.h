// A drawing that can be touched: what is under the cursor, and what dragging there means.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/kernel/kernel.h"
#include "ui/chart/drawing.h"

#include <QPointF>
#include <QStringList>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline::ui {

/// One field of a question, or one part of it, and what it becomes.
struct PlotFieldChange {
    std::string field;           ///< ask::Field::key
    int part = -1;               ///< of a field of several parts
    std::optional<double> value; ///< nothing: none
    bool operator==(const PlotFieldChange&) const = default;
};

/// The values that a drag in a chart changes.
struct PlotChange {
    std::optional<std::int64_t> step; ///< of a recording

    struct Stretch {
        double begin = 0;
        double end = -1; ///< below begin: all
        bool operator==(const Stretch&) const = default;
    };

    std::optional<Stretch> stretch;      ///< of a log that is in view
    std::vector<PlotFieldChange> fields; ///< of the question of a report's plot
    bool operator==(const PlotChange&) const = default;
};

/// How far axes reach; by the chart's own order. An axis grows at once and shrinks when the hand lets go: a
/// newer drawing is given those of the one before.
using PlotExtents = std::vector<double>;

class PlotDrawing : public Drawing {
public:
    /// The layer that changes with the answer, the size and the theme alone: all of it unless there is a
    /// layer of the hand.
    virtual void paintAnswer(QPainter& painter, const QRectF& area, const Theme& theme) const {
        paint(painter, area, theme);
    }

    /// The layer that moves with the hand, above the answer.
    virtual void paintHand(QPainter& /*painter*/, const QRectF& /*area*/, const Theme& /*theme*/) const {}

    /// True if paintAnswer() of the other drawing paints the same.
    [[nodiscard]] virtual bool hasAnswerOf(const PlotDrawing& other) const { return this == &other; }

    /// Exact words for the thing at a place; empty: nothing is there.
    [[nodiscard]] virtual QStringList readOut(const QPointF& /*at*/, const QRectF& /*area*/) const {
        return {};
    }

    /// Returns the change that a drag from one place to another makes; nothing if nothing can be dragged.
    [[nodiscard]] virtual std::optional<PlotChange> change(const QPointF& /*from*/, const QPointF& /*to*/,
                                                           const QRectF& /*area*/) const {
        return std::nullopt;
    }

    /// Returns the places of the grips of marks that can be dragged. Arrow keys move one of them.
    [[nodiscard]] virtual std::vector<QPointF> marks(const QRectF& /*area*/) const { return {}; }

    /// One of them moved by a step, to the left (-1) or right (1).
    [[nodiscard]] virtual std::optional<PlotChange> stepped(std::size_t /*mark*/, int /*way*/) const {
        return std::nullopt;
    }

    /// Returns the change that the wheel makes at a place: `steps` above 0 zoom in, or go back if `aside`.
    /// Nothing: the page scrolls.
    [[nodiscard]] virtual std::optional<PlotChange> wheeled(const QPointF& /*at*/, double /*steps*/,
                                                            bool /*aside*/, const QRectF& /*area*/) const {
        return std::nullopt;
    }

    /// The places of what can be picked by click or arrow key, in the order of walking.
    [[nodiscard]] virtual std::vector<QPointF> items(const QRectF& /*area*/) const { return {}; }

    /// Index of the item at a place; -1: none is.
    [[nodiscard]] virtual int itemAt(const QPointF& at, const QRectF& area) const;

    /// Index of the picked one, which is drawn as such; -1: none.
    [[nodiscard]] virtual int pickedItem() const { return -1; }

    /// Whether an item leads somewhere: by double click, or Enter for the picked one.
    [[nodiscard]] virtual bool itemsLead() const { return false; }

    [[nodiscard]] virtual PlotExtents extents() const { return {}; }
};

/// The larger of both, place by place.
PlotExtents atLeast(PlotExtents extents, const PlotExtents& held);
/// Index of the place nearest to `at` and less than `reach` pixels from it; -1: none.
int nearestOf(const std::vector<QPointF>& places, const QPointF& at, double reach);

} // namespace loadline::ui
