// Marks of the timeline that fall together: the gravest is shown.
#include "tests/ui/chart/made_up_timeline.h"
#include "tests/ui/chart/painted_words.h"
#include "ui/chart/timeline/timeline_painter.h"

#include <QImage>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

const QSize marksSize{1000, 500};
constexpr std::int64_t compactedAt = 1'800'000; ///< ms

/// Thirty calls of 150 k, a compaction, and thirty of 30 k; errors every `apart` ms from it on.
std::shared_ptr<const TimelineScene> compactedScene(std::int64_t apart) {
    TimelineMaker maker;
    maker.lane("main", LaneKind::Main, false);
    for (int i = 0; i < 60; ++i) {
        CallSpan call;
        call.usage.cacheRead = i < 30 ? 150'000 : 30'000;
        call.usage.output = 100;
        call.start = call.firstLine = after(compactedAt / 30 * i);
        call.end = after(compactedAt / 30 * i + 9'000);
        maker.timeline().calls.push_back(call);
    }
    maker.mark(MarkKind::Compaction, compactedAt, 0, "156 k tokens before, auto");
    for (int i = 1; i <= 7; ++i) {
        maker.mark(MarkKind::ApiError, compactedAt + apart * i, 0, "overloaded_error");
    }
    return sceneOf(maker.finish(), nullptr, TimelineAxis::WallClock);
}

} // namespace

class TimelineMarksTest : public QObject {
    Q_OBJECT

private slots:
    void aCompactionIsNotHiddenByErrorsBesideIt_data() {
        QTest::addColumn<int>("apart");
        QTest::newRow("errors behind it") << 5'600;
        QTest::newRow("errors before it") << -700;
    }

    /// An error beside a compaction does not explain why the context falls from 150 k to 30 k.
    void aCompactionIsNotHiddenByErrorsBesideIt() {
        QFETCH(const int, apart);
        const auto scene = compactedScene(apart);
        const TimelineFrame frame =
            frameOf(*scene, QRectF(QPointF(), marksSize), {scene->scale.axis(), 0, -1}, {}, 0, false);
        const QStringList words = fixtures::paintedWords(
            marksSize, [&](QPainter& painter) { paintTimeline(painter, *scene, frame, Theme::light()); });
        QVERIFY2(words.contains("Compaction: 156 k tokens before, auto"), qPrintable(words.join(", ")));
        QImage image(marksSize, QImage::Format_RGB32);
        image.fill(Qt::white);
        QPainter painter(&image);
        paintTimeline(painter, *scene, frame, Theme::light());
        painter.end();
        const Band events = bandsOf(frame.rows.rows.front()).events;
        int inks = 0;
        for (int y = qRound(events.top); y < qRound(events.bottom()); ++y) {
            for (int x = qRound(frame.x.toPixel(compactedAt)) - 6; x < frame.x.toPixel(compactedAt) + 6;
                 ++x) {
                inks += image.pixelColor(x, y) == Theme::light().compaction ? 1 : 0;
            }
        }
        QVERIFY2(inks > 5, qPrintable(QString::number(inks)));
    }
};

QTEST_MAIN(TimelineMarksTest)
#include "timeline_marks_test.moc"
