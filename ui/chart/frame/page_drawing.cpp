// Drawings in rows and columns.
#include "ui/chart/frame/page_drawing.h"

#include "ui/chart/paint_help.h"

#include <utility>

namespace loadline::ui {
namespace {

constexpr double betweenDrawings = 2 * spacing;

class PageDrawing : public Drawing {
public:
    PageDrawing(QString title, QString sentence, std::vector<std::shared_ptr<const Drawing>> drawings)
        : title_(std::move(title)), sentence_(std::move(sentence)), drawings_(std::move(drawings)) {}

    [[nodiscard]] QString title() const override { return title_; }

    [[nodiscard]] QString sentence() const override {
        return sentence_.isEmpty() ? drawings_.front()->sentence() : sentence_;
    }

    [[nodiscard]] Table table() const override {
        Table table{{"chart", "what it says"}, {}};
        for (const auto& drawing : drawings_) {
            table.rows.push_back({drawing->title().toStdString(), drawing->sentence().toStdString()});
        }
        return table;
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        const std::size_t count = drawings_.size();
        const std::size_t columns = count == 1 ? 1 : count <= 4 ? 2 : 3;
        const std::size_t rows = (count + columns - 1) / columns;
        const double width = (area.width() - betweenDrawings * static_cast<double>(columns - 1)) /
                             static_cast<double>(columns);
        const double height =
            (area.height() - betweenDrawings * static_cast<double>(rows - 1)) / static_cast<double>(rows);
        const QFont font = fontOf(1, true);
        const double head = heightOf(font);
        for (std::size_t i = 0; i < count; ++i) {
            // The last drawing takes all free columns of its row, which would be a gap otherwise.
            const bool last = i + 1 == count;
            const double span = last ? static_cast<double>(columns - i % columns) : 1;
            const QRectF place(area.left() + static_cast<double>(i % columns) * (width + betweenDrawings),
                               area.top() + static_cast<double>(i / columns) * (height + betweenDrawings),
                               width * span + betweenDrawings * (span - 1), height);
            drawText(painter, QRectF(place.topLeft(), QSizeF(place.width(), head)), leftMiddle, font,
                     theme.text, drawings_[i]->title());
            painter.save();
            drawings_[i]->paint(painter, place.adjusted(0, head + spacing / 2.0, 0, 0), theme);
            painter.restore();
        }
    }

private:
    QString title_;
    QString sentence_;
    std::vector<std::shared_ptr<const Drawing>> drawings_;
};

} // namespace

std::unique_ptr<Drawing> pageDrawing(QString title, QString sentence,
                                     std::vector<std::shared_ptr<const Drawing>> drawings) {
    return std::make_unique<PageDrawing>(std::move(title), std::move(sentence), std::move(drawings));
}

} // namespace loadline::ui
