// A plot of a report as a drawing: in the window, exported, as a table.
#pragma once

#include "ui/chart/plot_drawing.h"
#include "ui/plot/plot_hand.h"
#include "ui/plot/plot_scene.h"

#include <memory>

namespace loadline::ui {

class ReportDrawing : public PlotDrawing {
public:
    explicit ReportDrawing(std::shared_ptr<const PlotScene> scene, ask::Fields fields = {},
                           const ask::Question& question = {});

    [[nodiscard]] QString title() const override;
    [[nodiscard]] QString sentence() const override;
    [[nodiscard]] Table table() const override;

    /// Both layers.
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

    [[nodiscard]] const PlotHand& hand() const { return hand_; }

private:
    [[nodiscard]] bool isEmpty() const { return !scene_->plot->empty.empty(); }

    std::shared_ptr<const PlotScene> scene_;
    PlotHand hand_;
};

/// The first plot of a report. `fields`: those that its grips and clicks set, `question`: as the hand has
/// them; `held`: extents of the drawing before it, below which axes do not shrink.
std::unique_ptr<PlotDrawing> drawingOf(ask::Report report, ask::Fields fields = {},
                                       const ask::Question& question = {}, const PlotExtents& held = {});

} // namespace loadline::ui
