// The Distributions figure as a drawing: two histogram plots in a scene of their own.
#include "ui/chart/distribution/distribution_plot.h"
#include "ui/chart/drawings.h"

#include <QGraphicsScene>

#include <array>

namespace loadline::ui {

namespace {

class DistributionDrawing : public Drawing {
public:
    explicit DistributionDrawing(std::shared_ptr<const DistributionFigure> figure)
        : figure_(std::move(figure)) {}

    [[nodiscard]] QString title() const override { return QStringLiteral("Distributions"); }

    [[nodiscard]] QString sentence() const override { return QString::fromStdString(figure_->sentence); }

    [[nodiscard]] Table table() const override { return tableOf(*figure_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const std::array<QRectF, 2> places = placesOf(area.size());
        QGraphicsScene scene(QRectF(QPointF(0, 0), area.size()));
        for (const TurnQuantity quantity : {TurnQuantity::Input, TurnQuantity::Output}) {
            auto* plot = new DistributionPlot(quantity);
            scene.addItem(plot);
            plot->setTheme(theme);
            plot->setFigure(figure_);
            const QRectF& place = places[quantity == TurnQuantity::Input ? 0 : 1];
            plot->setGeometry(place);
        }
        painter.save();
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        scene.render(&painter, area, scene.sceneRect(), Qt::IgnoreAspectRatio);
        painter.restore();
    }

private:
    static std::array<QRectF, 2> placesOf(QSizeF size) {
        const double gap = 4 * spacing;
        if (distributionsSideBySide(size)) {
            const double width = (size.width() - gap) / 2;
            return {QRectF(0, 0, width, size.height()), QRectF(width + gap, 0, width, size.height())};
        }
        const double height = (size.height() - gap / 2) / 2;
        return {QRectF(0, 0, size.width(), height), QRectF(0, height + gap / 2, size.width(), height)};
    }

    std::shared_ptr<const DistributionFigure> figure_;
};

} // namespace

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const DistributionFigure> figure) {
    return std::make_unique<DistributionDrawing>(std::move(figure));
}

} // namespace loadline::ui
