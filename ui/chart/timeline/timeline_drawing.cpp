// The timeline as a drawing for exports: the window's painter, with every lane squeezed in.
#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_painter.h"
#include "ui/theme/plain_text.h"

#include <utility>

namespace loadline::ui {

namespace {

class TimelineDrawing : public Drawing {
public:
    TimelineDrawing(std::shared_ptr<const Timeline> timeline, std::shared_ptr<const Corpus> corpus,
                    const TimelineView& view)
        : scene_(sceneOf(std::move(timeline), std::move(corpus), view.axis)), view_(view) {}

    [[nodiscard]] QString title() const override {
        const QString name = lineText(QString::fromStdString(scene_->timeline->title).simplified());
        return name.isEmpty() ? QStringLiteral("Timeline") : QStringLiteral("Timeline: ") + name;
    }

    [[nodiscard]] QString sentence() const override {
        return QString::fromStdString(scene_->timeline->sentence);
    }

    [[nodiscard]] Table table() const override {
        return scene_->corpus ? tableOf(*scene_->timeline, *scene_->corpus) : Table{};
    }

    void paint(QPainter& painter, const QRectF& area, const Theme& theme) const override {
        if (scene_->timeline->lanes.empty() || !isKnown(scene_->timeline->first)) {
            painter.setPen(theme.textMuted);
            painter.setFont(fontOf(1));
            painter.drawText(area, static_cast<int>(Qt::AlignCenter) | Qt::TextWordWrap,
                             QStringLiteral("No record of this session carries a time."));
            return;
        }
        paintTimeline(painter, *scene_, frameOf(*scene_, area, view_, {}, 0, true), theme);
    }

private:
    std::shared_ptr<const TimelineScene> scene_;
    TimelineView view_;
};

} // namespace

std::unique_ptr<Drawing> drawingOf(std::shared_ptr<const Timeline> timeline,
                                   std::shared_ptr<const Corpus> corpus, const TimelineView& view) {
    return std::make_unique<TimelineDrawing>(std::move(timeline), std::move(corpus), view);
}

} // namespace loadline::ui
