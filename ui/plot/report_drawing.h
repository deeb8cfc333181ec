// A plot of a report as a drawing: in the window, exported, as a table.
#pragma once

#include "ui/chart/legend.h"
#include "ui/chart/plot_drawing.h"
#include "ui/plot/plot_hand.h"
#include "ui/plot/plot_scene.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

namespace loadline::ui {

class ReportDrawing : public PlotDrawing {
public:
    explicit ReportDrawing(std::shared_ptr<const PlotScene> scene, ask::Fields fields = {},
                           const ask::Question& question = {});
    /// Plots of one facet in one picture; the first gives title, sentence, table and grips that keys move.
    /// Precondition: there is one.
    ReportDrawing(const std::vector<std::shared_ptr<const PlotScene>>& facet, ask::Fields fields,
                  const ask::Question& question);

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] Table table() const override;

    /// Both layers, all panels.
    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override;
    void paintAnswer(QPainter& painter, const QRectF& area, const Theme& theme) const override;
    void paintHand(QPainter& painter, const QRectF& area, const Theme& theme) const override;
    [[nodiscard]] bool hasAnswerOf(const PlotDrawing& other) const override;

    [[nodiscard]] QStringList readOut(const QPointF& at, const QRectF& area) const override;
    [[nodiscard]] std::optional<PlotChange> change(const QPointF& from, const QPointF& to,
                                                   const QRectF& area) const override;
    [[nodiscard]] std::vector<QPointF> marks(const QRectF& area) const override;
    [[nodiscard]] std::optional<PlotChange> stepped(std::size_t mark, int way) const override;
    [[nodiscard]] std::optional<PlotChange> wheeled(const QPointF& at, double steps, bool aside,
                                                    const QRectF& area) const override;
    [[nodiscard]] std::vector<QPointF> items(const QRectF& area) const override;
    [[nodiscard]] int pickedItem() const override;
    [[nodiscard]] bool itemsLead() const override;
    [[nodiscard]] PlotExtents extents() const override;

    [[nodiscard]] const PlotHand& hand() const { return panels_.front().hand; }

private:
    struct Panel {
        std::shared_ptr<const PlotScene> scene;
        PlotHand hand;

        [[nodiscard]] bool isEmpty() const { return !scene->plot->empty.empty(); }

        [[nodiscard]] bool hasAxes() const { return !isEmpty() && scene->drawn == nullptr; }
    };

    [[nodiscard]] const ask::Plot& first() const { return *panels_.front().scene->plot; }

    [[nodiscard]] std::vector<LegendEntry> commonLegend(const Theme& theme) const;
    [[nodiscard]] std::vector<QRectF> placesIn(const QRectF& area) const; ///< by panel
    [[nodiscard]] PlotAxes axesOf(std::size_t panel, const QRectF& area) const;
    /// The one under the cursor; nothing: none is.
    [[nodiscard]] std::optional<std::size_t> panelAt(const QPointF& at, const QRectF& area) const;

    std::vector<Panel> panels_;
};

/// The first plot of a report, with all others of its facet. `fields`: those that its grips and clicks set,
/// `question`: as the hand has them; `held`: extents of the drawing before it, below which axes do not
/// shrink.
std::unique_ptr<PlotDrawing> drawingOf(ask::Report report, ask::Fields fields = {},
                                       const ask::Question& question = {}, const PlotExtents& held = {});

} // namespace loadline::ui
