// The Composition figure as a drawing: the rows that fit and the rest as one, or days over the calendar.
#include "ui/chart/composition/composition_days.h"
#include "ui/chart/composition/composition_rows.h"
#include "ui/chart/drawings.h"
#include "ui/chart/paint_help.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

namespace loadline::ui {

namespace {

class CompositionDrawing : public Drawing {
public:
    CompositionDrawing(std::shared_ptr<const Composition> composition, const CompositionView& view,
                       const std::string& sentence)
        : composition_(std::move(composition)), view_(view),
          sentence_(QString::fromStdString(sentence.empty() ? composition_->sentence : sentence)) {}

    [[nodiscard]] QString title() const override {
        return QStringLiteral("Composition by ") + QString::fromUtf8(keyOf(composition_->group));
    }

    [[nodiscard]] QString sentence() const override { return sentence_; }

    [[nodiscard]] Table table() const override { return tableOf(*composition_); }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const Painting quiet(painter);
        if (composition_->rows.empty()) {
            drawText(painter, area, Qt::AlignCenter, fontOf(1), theme.textMuted,
                     QStringLiteral("No API call in scope"));
        } else if (composition_->group == CompositionGroup::Day) {
            paintDays(painter, area, layOutDays(area, *composition_, view_, 0, 0), *composition_, view_,
                      theme);
        } else {
            paintRows(painter, area, theme);
        }
    }

private:
    void paintRows(QPainter& painter, const QRectF& area, const Theme& theme) const {
        const RowsLayout heights = layOutRows(area.size(), *composition_, {}, view_);
        const double room = (area.height() - heights.headHeight) / heights.rowHeight;
        const FittedRows fitted = fitRows(*composition_, static_cast<std::size_t>(std::max(1.0, room)));
        RowsLayout layout = layOutRows(area.size(), *composition_, fitted.rows, view_);
        const bool dwarfs = othersDwarf(fitted, view_);
        if (dwarfs) {
            const std::vector<CompositionRow> drawn(fitted.rows.begin(), std::prev(fitted.rows.end()));
            layout.maximum = layOutRows(area.size(), *composition_, drawn, view_).maximum;
        }
        paintRowsHead(painter, area.topLeft(), layout, *composition_, view_, theme);
        QPointF origin(area.left(), area.top() + layout.headHeight);
        for (std::size_t i = 0; i < fitted.rows.size(); ++i) {
            const bool drawn = !dwarfs || i + 1 < fitted.rows.size();
            paintRow(painter, origin, drawn ? layout : withoutBars(layout), fitted.rows[i], view_, theme);
            origin.ry() += layout.rowHeight;
        }
    }

    std::shared_ptr<const Composition> composition_;
    CompositionView view_;
    QString sentence_;
};

} // namespace

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Composition> composition,
                                   const CompositionView& view, const std::string& sentence) {
    return std::make_unique<CompositionDrawing>(std::move(composition), view, sentence);
}

} // namespace loadline::ui
