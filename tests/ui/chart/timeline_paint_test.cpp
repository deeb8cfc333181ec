// The timeline's picture: honest, inside its frame, the same at any scale, and no more ink for more calls.
#include "tests/ui/chart/made_up_timeline.h"
#include "tests/ui/chart/painted_words.h"
#include "ui/chart/drawings.h"
#include "ui/chart/timeline/timeline_painter.h"
#include "ui/chart/timeline/timeline_text.h"

#include <QImage>
#include <QPicture>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace loadline;
using namespace loadline::ui;

namespace {

constexpr QRgb untouched = 0xFF00FF00;

QImage canvas(const QSize& size, double scale) {
    QImage image(size * scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(untouched);
    return image;
}

QImage painted(const TimelineScene& scene, const TimelineFrame& frame, const QSize& size, double scale = 1,
               const TimelineHand& hand = {}) {
    QImage image = canvas(size, scale);
    QPainter painter(&image);
    paintTimeline(painter, scene, frame, Theme::light());
    paintHand(painter, scene, frame, Theme::light(), hand);
    return image;
}

/// Pixels of a colour within logical coordinates.
int count(const QImage& image, const QRectF& where, const QColor& color) {
    const double scale = image.devicePixelRatio();
    int n = 0;
    for (int y = qRound(where.top() * scale); y < qRound(where.bottom() * scale); ++y) {
        for (int x = qRound(where.left() * scale); x < qRound(where.right() * scale); ++x) {
            n += image.pixel(x, y) == color.rgb() ? 1 : 0;
        }
    }
    return n;
}

/// A main agent with calls one after the other, ten seconds each.
std::shared_ptr<const TimelineScene> sceneWith(const std::vector<CallSpan>& calls) {
    TimelineMaker maker;
    maker.lane("main", LaneKind::Main, false);
    std::int64_t at = 0;
    for (CallSpan call : calls) {
        call.start = after(at);
        call.firstLine = after(at);
        call.end = after(at += 10'000);
        maker.timeline().calls.push_back(call);
    }
    return sceneOf(maker.finish(), nullptr, TimelineAxis::WallClock);
}

CallSpan call(Tokens read, Tokens write, Tokens input, Tokens output,
              OutputQuality quality = OutputQuality::Final) {
    CallSpan span;
    span.usage.cacheRead = read;
    span.usage.cacheWrite = write;
    span.usage.input = input;
    span.usage.output = output;
    span.quality = quality;
    return span;
}

const QSize size{1000, 500};

TimelineFrame frameFor(const TimelineScene& scene) {
    return frameOf(scene, QRectF(QPointF(), size), {scene.scale.axis(), 0, -1}, {}, 0, false);
}

} // namespace

class TimelinePaintTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression(".*")); }

    void aColumnIsSplitLikeItsTokens() {
        const auto scene = sceneWith({call(50'000, 30'000, 20'000, 100), call(100'000, 0, 0, 100)});
        const TimelineFrame frame = frameFor(*scene);
        const QImage image = painted(*scene, frame, size);
        const AgentBands bands = bandsOf(frame.rows.rows.front());
        const double x = frame.x.toPixel(9'500); // right of the words in the box
        const QRectF line(x, bands.context.top, 1, bands.context.height);
        const double all = bands.context.height * 100'000 / contextTop(*scene, frame.rows.rows.front());
        const Theme& theme = Theme::light();
        QVERIFY(std::abs(count(image, line, theme.cacheRead) - all * 0.5) <= 2);
        QVERIFY(std::abs(count(image, line, theme.cacheWrite) - all * 0.3) <= 2);
        QVERIFY(std::abs(count(image, line, theme.uncachedInput) - all * 0.2) <= 2);
    }

    void aLowerBoundIsPalerThanAFinalOutput() {
        const auto scene =
            sceneWith({call(1'000, 0, 0, 500), call(1'000, 0, 0, 500, OutputQuality::LowerBound)});
        const TimelineFrame frame = frameFor(*scene);
        const QImage image = painted(*scene, frame, size);
        const Band band = bandsOf(frame.rows.rows.front()).output;
        const auto solid = [&](double from, double to) {
            return count(image,
                         QRectF(frame.x.toPixel(from), band.top, frame.x.toPixel(to) - frame.x.toPixel(from),
                                band.height),
                         Theme::light().output);
        };
        QVERIFY(solid(200, 9'800) > 1000);
        QCOMPARE(solid(10'200, 19'800), 0); // its sides are solid, its body and top are not
    }

    void inheritedCallsAreHatched() {
        CallSpan inherited = call(100'000, 0, 0, 100);
        inherited.inherited = true;
        const auto scene = sceneWith({call(100'000, 0, 0, 100), inherited});
        const TimelineFrame frame = frameFor(*scene);
        const QImage image = painted(*scene, frame, size);
        const Band band = bandsOf(frame.rows.rows.front()).context;
        const double width = frame.x.toPixel(9'000) - frame.x.toPixel(1'000);
        const int own =
            count(image, {frame.x.toPixel(1'000), band.top, width, band.height}, Theme::light().cacheRead);
        const int foreign =
            count(image, {frame.x.toPixel(11'000), band.top, width, band.height}, Theme::light().cacheRead);
        QVERIFY(foreign < own * 0.95);
        QVERIFY(foreign > own * 0.5);
    }

    void callsOutsideOfTheBrushFade() {
        CallSpan outside = call(100'000, 0, 0, 100);
        outside.hit = false;
        const auto scene = sceneWith({call(100'000, 0, 0, 100), outside});
        const TimelineFrame frame = frameFor(*scene);
        const QImage image = painted(*scene, frame, size);
        const Band band = bandsOf(frame.rows.rows.front()).context;
        QVERIFY(count(image, {frame.x.toPixel(100), band.top, 300, band.height}, Theme::light().cacheRead) >
                0);
        QCOMPARE(
            count(image, {frame.x.toPixel(10'100), band.top, 300, band.height}, Theme::light().cacheRead), 0);
    }

    void nothingIsPaintedOutside_data() {
        QTest::addColumn<int>("axis");
        QTest::addColumn<double>("scale");
        for (const int axis : {0, 1, 2}) {
            for (const double scale : {1., 2.}) {
                QTest::addRow("axis %d at %g", axis, scale) << axis << scale;
            }
        }
    }

    void nothingIsPaintedOutside() {
        QFETCH(int, axis);
        QFETCH(double, scale);
        const auto scene = sceneOf(madeUpTimeline(400, 20), nullptr, static_cast<TimelineAxis>(axis));
        const QRectF area(100, 60, 700, 400);
        for (const double share : {0.0, 0.45}) {
            const double extent = scene->scale.extent();
            const TimelineView view{scene->scale.axis(), extent * share,
                                    share > 0 ? extent * (share + 0.01) : -1};
            const TimelineFrame frame = frameOf(*scene, area, view, {}, 35, false);
            TimelineHand hand;
            hand.pinned = TimelineItem{TimelineItem::Kind::Call, 3};
            hand.walked = TimelineItem{TimelineItem::Kind::Mark, 2};
            hand.range = {extent * 0.2, extent * 0.9};
            const QImage image = painted(*scene, frame, {900, 520}, scale, hand);
            int stray = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const QPointF point((x + 0.5) / scale, (y + 0.5) / scale);
                    if (!area.contains(point) && image.pixel(x, y) != untouched) {
                        ++stray;
                    }
                }
            }
            QCOMPARE(stray, 0);
        }
    }

    void scrolledLanesStayBelowTheMainAgent() {
        const auto scene = sceneOf(madeUpTimeline(400, 60), nullptr, TimelineAxis::CompressedGaps);
        const TimelineView all{TimelineAxis::CompressedGaps, 0, -1};
        const QRectF area(QPointF(), size);
        const TimelineFrame top = frameOf(*scene, area, all, {}, 0, false);
        const TimelineFrame scrolled = frameOf(*scene, area, all, {}, 57, false);
        const QImage before = painted(*scene, top, size), after = painted(*scene, scrolled, size);
        const QRect fixed(0, 0, size.width(), qRound(top.rows.fixed.bottom()));
        QCOMPARE(after.copy(fixed), before.copy(fixed));
        QVERIFY(after != before);
    }

    void everyLaneGoesIntoAnExport() {
        const auto timeline = madeUpTimeline(400, 90);
        const auto scene = sceneOf(timeline, nullptr, TimelineAxis::CompressedGaps);
        const QRectF area(0, 0, 1600, 800);
        const TimelineFrame frame = frameOf(*scene, area, {}, {}, 0, true);
        for (std::uint32_t lane = 0; lane < timeline->lanes.size(); ++lane) {
            if (timeline->lanes[lane].tools) {
                continue;
            }
            const TimelineRow* row = frame.rows.ofLane(lane);
            QVERIFY(row != nullptr);
            QVERIFY(row->band.bottom() <= frame.plot.bottom() + 0.01);
        }
        const auto drawing = drawingOf(timeline, madeUpCorpus(), {});
        QCOMPARE(drawing->title(), QStringLiteral("Timeline: Made-up session"));
        QCOMPARE(drawing->table().rows.size(),
                 timeline->calls.size() + timeline->tools.size() + timeline->marks.size());
        QImage image = canvas({1600, 800}, 1);
        QPainter painter(&image);
        drawing->paint(painter, area, Theme::dark());
        QVERIFY(count(image, frame.plot, Theme::dark().cacheRead) > 1000);
    }

    void aSessionWithoutTimesIsSaid() {
        const QImage blank = canvas(size, 1);
        QImage image = blank;
        QPainter painter(&image);
        drawingOf(std::make_shared<Timeline>(), madeUpCorpus(), {})
            ->paint(painter, QRectF(QPointF(), size), Theme::light());
        painter.end();
        QVERIFY(image != blank);
    }

    void wordsSayWhatTheInkSays() {
        CallSpan span = call(98'000, 1'500, 500, 12, OutputQuality::LowerBound);
        span.inherited = true;
        const auto scene = sceneWith({span});
        const QString text = spokenText(*scene, {TimelineItem::Kind::Call, 0});
        for (const char* part : {"API call 1", "14:00:00.000 UTC", "duration 10.0 s", "cache read", "98",
                                 "(98.0 %)", "\u2265 12", "inherited"}) {
            QVERIFY2(text.contains(QString::fromUtf8(part)), qPrintable(QLatin1String(part) + " in " + text));
        }
        QVERIFY(toolTipOf(*scene, {TimelineItem::Kind::Call, 0}).text().contains("<table"));
    }

    void everyColourIsNamedHoweverNarrow() {
        CallSpan outside = call(100'000, 0, 0, 100, OutputQuality::LowerBound);
        outside.hit = false;
        outside.inherited = true;
        const auto scene = sceneWith({call(100'000, 0, 0, 100), outside});
        for (const double width : {1400., 700., 480., 360.}) {
            const QRectF area(0, 0, width, 420);
            const TimelineFrame frame = frameOf(*scene, area, {scene->scale.axis(), 0, -1}, {}, 0, false);
            const QStringList words = fixtures::paintedWords(area.size().toSize(), [&](QPainter& painter) {
                paintTimeline(painter, *scene, frame, Theme::light());
            });
            for (const QString& name : keyWords(*scene)) {
                QVERIFY2(name.isEmpty() || words.contains(name),
                         qPrintable(QString("%1 at %2: %3").arg(name).arg(width).arg(words.join(", "))));
            }
            QVERIFY(frame.header.bottom() <= frame.plot.top());
        }
    }

    void theLargestOutputSaysWhereItIsALowerBound() {
        for (const OutputQuality quality : {OutputQuality::Final, OutputQuality::LowerBound}) {
            const auto scene = sceneWith({call(1000, 0, 0, 100, quality)});
            const QRectF area(0, 0, 900, 500);
            const TimelineFrame frame = frameOf(*scene, area, {scene->scale.axis(), 0, -1}, {}, 0, false);
            const QStringList words = fixtures::paintedWords(area.size().toSize(), [&](QPainter& painter) {
                paintTimeline(painter, *scene, frame, Theme::light());
            });
            QVERIFY2(words.contains(quality == OutputQuality::Final ? QStringLiteral("output to 100")
                                                                    : QStringLiteral("output to \u2265 100")),
                     qPrintable(words.join(", ")));
        }
    }

    void aLowLaneStillHasAScale() {
        const auto scene = sceneWith({call(155'000, 0, 0, 100)});
        for (const double height : {500., 300., 240., 200.}) {
            const QRectF area(0, 0, 900, height);
            const TimelineFrame frame = frameOf(*scene, area, {scene->scale.axis(), 0, -1}, {}, 0, false);
            if (bandsOf(frame.rows.rows.front()).context.height < 20) {
                continue; // no line of text fits
            }
            const QStringList words = fixtures::paintedWords(area.size().toSize(), [&](QPainter& painter) {
                paintTimeline(painter, *scene, frame, Theme::light());
            });
            QVERIFY2(words.contains("100 k") || words.contains("50 k"), qPrintable(words.join(", ")));
        }
    }

    void theSplitHasLongAndBriefWords() {
        TimeSplit split;
        split.modelMs = 60'000;
        split.humanMs = 20'000;
        QCOMPARE(splitWords(split, true), (std::array<QString, 4>{"model 75.0 %", "", "human 25.0 %", ""}));
        QVERIFY(splitWords(split, false)[2].startsWith("waiting for the human 20"));
    }

    void idleGapsAreNamedWhereOneIsInView() {
        TimelineMaker maker;
        maker.lane("main", LaneKind::Main, false);
        for (const int at : {0, 10'000, 20'000, 2'000'000}) {
            CallSpan one = call(1'000, 0, 0, 100);
            one.start = one.firstLine = after(at);
            one.end = after(at + 5'000);
            maker.timeline().calls.push_back(one);
        }
        const auto scene = sceneOf(maker.finish(), nullptr, TimelineAxis::WallClock);
        QCOMPARE(scene->timeline->gaps.size(), std::size_t{1});
        const auto named = [&](const TimelineView& view) {
            const TimelineFrame frame = frameOf(*scene, QRectF(QPointF(), size), view, {}, 0, false);
            const QRect words = QRectF(frame.area.left(), frame.gapBand.top() + 1, frame.gutter.width() - 2,
                                       frame.gapBand.height() - 2)
                                    .toRect();
            return count(painted(*scene, frame, size), words, QColor::fromRgb(untouched)) <
                   words.width() * words.height();
        };
        QVERIFY(named({TimelineAxis::WallClock, 0, -1}));
        QVERIFY(!named({TimelineAxis::WallClock, 0, 20'000}));
    }

    void theHeaderSaysWhoseTimeAndNamesPlainCalls() {
        const auto scene = sceneWith({call(50'000, 30'000, 20'000, 100), call(100'000, 0, 0, 100)});
        QVERIFY(std::ranges::count(keyWords(*scene), QStringLiteral("call")) == 1);
        Timeline timeline = *scene->timeline;
        timeline.split = {timeline.last.ms - timeline.first.ms, 0, 0, 0};
        QCOMPARE(splitName(timeline), QStringLiteral("session's time"));
        timeline.split.modelMs -= 1;
        QCOMPARE(splitName(timeline), QStringLiteral("selected time"));
    }

    void textsAreEscaped() {
        TimelineMaker maker;
        maker.lane("main", LaneKind::Main, false);
        maker.timeline().calls.push_back(call(10, 0, 0, 1));
        maker.timeline().calls.front().start = maker.timeline().calls.front().end = after(0);
        maker.mark(MarkKind::Prompt, 0, 0, "<img src=x> & more");
        const auto scene = sceneOf(maker.finish(), nullptr, TimelineAxis::WallClock);
        QVERIFY(
            toolTipOf(*scene, {TimelineItem::Kind::Mark, 0}).text().contains("&lt;img src=x&gt; &amp; more"));
    }

    /// What is drawn is bounded by pixels, not by calls. How long it takes: tests/bench/timeline_bench.cpp.
    void tenTimesTheCallsAreNotTenTimesTheInk() {
        const QRectF area(0, 0, 1400, 800);
        std::vector<uint> bytes; // of what was painted, recorded
        for (const int calls : {5'000, 50'000}) {
            const auto scene = sceneOf(madeUpTimeline(calls, 20), nullptr, TimelineAxis::CompressedGaps);
            const TimelineFrame frame = frameOf(*scene, area, TimelineView{}, {}, 0, false);
            QPicture picture;
            QPainter painter(&picture);
            paintTimeline(painter, *scene, frame, Theme::light());
            painter.end();
            bytes.push_back(picture.size());
        }
        QVERIFY2(bytes[1] < 3 * bytes[0],
                 qPrintable(QStringLiteral("%1 after %2").arg(bytes[1]).arg(bytes[0])));
    }

    void everyPlaceOfALargeSessionCanBePointedAt() {
        const auto scene = sceneOf(madeUpTimeline(50'000, 20), nullptr, TimelineAxis::CompressedGaps);
        const double extent = scene->scale.extent();
        for (const double share : {1.0, 0.1, 0.001}) {
            const TimelineView view{TimelineAxis::CompressedGaps, extent * 0.5, extent * (0.5 + share / 2)};
            const TimelineFrame frame =
                frameOf(*scene, QRectF(0, 0, 1400, 800), share == 1 ? TimelineView{} : view, {}, 0, false);
            int found = 0;
            for (int i = 0; i < 500; ++i) {
                const QPointF point(frame.plot.left() + i * frame.plot.width() / 500,
                                    frame.plot.top() + (i * 37) % static_cast<int>(frame.plot.height()));
                if (const auto item = itemAt(*scene, frame, point)) {
                    QVERIFY(item->index < 1'000'000);
                    ++found;
                }
            }
            QVERIFY(found > 0);
        }
    }
};

QTEST_MAIN(TimelinePaintTest)
#include "timeline_paint_test.moc"
