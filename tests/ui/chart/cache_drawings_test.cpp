// Drawings of the Cache page: painted at all sizes, read out, dragged; each names its cache.
#include "ui/chart/cache/cache_drawings.h"

#include "core/cache/figure/cache_words.h"
#include "tests/ui/chart/painted_words.h"

#include <QImage>
#include <QTest>

#include <optional>

using namespace loadline;
using namespace loadline::ui;

namespace {

constexpr QRectF place(0, 0, 420, 320);

std::shared_ptr<const CacheFigure> cachesFigure(bool blocks = true) {
    CacheRequests requests;
    BlockTraceBuilder builder(100, true);
    for (int chain = 0; chain < 4; ++chain) {
        builder.beginScope();
        builder.beginChain("chain_" + std::to_string(chain), false);
        std::vector<std::int64_t> ids;
        for (int i = 0; i < 30; ++i) {
            ids.push_back(i);
            builder.add({.startS = 20.0 * i, .input = 100 * (i + 1), .output = 50}, ids);
        }
    }
    requests.trace = builder.finish();
    if (!blocks) {
        requests.trace = blockTraceOf(std::vector<TraceRequest>(3), 0, "lengths");
    }
    requests.files = BlockTraceFiles{};
    WorkProgress progress;
    return std::make_shared<const CacheFigure>(cacheFigureOf(std::move(requests), 1, {}, progress));
}

CacheSettings settingsOf() {
    CacheSettings settings;
    settings.tiers = *cacheTiersFromText("fast:0.3:1000,slow:0.6:100"); // 9 and 27 blocks
    settings.ttlS = 30;
    return settings;
}

std::unique_ptr<PlotDrawing> drawing(CacheChart chart, bool blocks = true) {
    const auto figure = cachesFigure(blocks);
    auto requests = std::make_shared<const NamedRequests>(
        NamedRequests{{}, "chain_0", requestPartsOf(figure->requests.trace, 0)});
    CacheSettings settings = settingsOf();
    if (chart == CacheChart::Tiers) { // a replica holds a request
        settings.tiers = *cacheTiersFromText("fast:30:1000,slow:60:100");
    }
    return drawingOf(chart, figure, settings, std::move(requests));
}

QImage cachePicture(const Drawing& drawing, QSize size, ThemeKind theme) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::of(theme).window);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(), size), Theme::of(theme));
    return image;
}

/// The first place from the left, or from the top, at which a drag begins.
std::optional<QPointF> gripOf(const PlotDrawing& drawing) {
    for (int y = 0; y < 320; y += 2) {
        for (int x = 0; x < 420; x += 2) {
            const QPointF at(x, y);
            if (drawing.change(at, at, place)) {
                return at;
            }
        }
    }
    return std::nullopt;
}

struct DraggedTier {
    std::size_t index = 0;
    double capacityGB = -1;
};

/// The tier that a drag sets.
DraggedTier tierIn(const std::optional<PlotChange>& change) {
    const PlotFieldChange one = change ? change->fields.at(0) : PlotFieldChange();
    return one.field == "tiers" ? DraggedTier{static_cast<std::size_t>(one.part), one.value.value()}
                                : DraggedTier();
}

/// The time to live that a drag sets; -1: none.
double ttlIn(const std::optional<PlotChange>& change) {
    return change && change->fields.at(0).field == "ttl-s" ? change->fields[0].value.value() : -1;
}

/// The prefill share that a drag sets; -1: none.
double shareIn(const std::optional<PlotChange>& change) {
    return change && change->fields.at(0).field == "prefill-share" ? change->fields[0].value.value() : -1;
}

} // namespace

class CacheDrawingsTest : public QObject {
    Q_OBJECT

private slots:
    void everyChartPaintsInBothThemesAndAllSizes() {
        for (const bool blocks : {true, false}) {
            for (const CacheChart chart : cacheCharts) {
                const auto made = drawing(chart, blocks);
                for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                    for (const QSize size : {QSize(420, 320), QSize(180, 120), QSize(1600, 900)}) {
                        QImage empty(size, QImage::Format_ARGB32_Premultiplied);
                        empty.fill(Theme::of(theme).window);
                        QVERIFY(cachePicture(*made, size, theme) != empty);
                    }
                }
                (void)cachePicture(*made, QSize(30, 20),
                                   ThemeKind::Light); // too small for anything, and no harm
                QVERIFY(!made->title().isEmpty() && made->sentence().endsWith('.'));
                QVERIFY(!made->table().columns.empty());
            }
        }
    }

    void theyReadOutWhatIsUnderTheCursor() {
        for (const CacheChart chart : cacheCharts) {
            const auto made = drawing(chart);
            bool any = false;
            for (int y = 10; y < 310 && !any; y += 10) {
                any = !made->readOut(QPointF(210, y), place).isEmpty();
            }
            QVERIFY2(any, qPrintable(made->title()));
            QVERIFY(made->readOut(QPointF(-50, -50), place).isEmpty());
        }
        const QStringList capacity = drawing(CacheChart::Capacity)->readOut(QPointF(210, 160), place);
        QVERIFY(capacity.first().contains("llama-3.3-70b") && capacity.first().contains("tokens"));
    }

    void theTimeToLiveIsInClockUnitsAndNamesWhatIsThere() {
        const auto wordsOf = [](const PlotDrawing& made) {
            return fixtures::paintedWords(place.size().toSize(), [&](QPainter& painter) {
                made.paint(painter, place, Theme::light());
            });
        };
        const QStringList words = wordsOf(*drawing(CacheChart::Ttl));
        for (const char* word : {"time to live", "gaps", "10\u202Fs", "1\u202Fmin", "1\u202Fh"}) {
            QVERIFY2(words.contains(QString::fromUtf8(word)), qPrintable(words.join(", ")));
        }
        CacheRequests alone; // a request a chain: nothing lies between two of one
        BlockTraceBuilder builder(100, true);
        const std::vector<std::int64_t> ids{1, 2, 3};
        for (int chain = 0; chain < 3; ++chain) {
            builder.beginScope();
            builder.beginChain("chain_" + std::to_string(chain), false);
            builder.add({.startS = 0, .input = 300, .output = 5}, ids);
        }
        alone.trace = builder.finish();
        alone.files = BlockTraceFiles{};
        WorkProgress progress;
        const auto figure =
            std::make_shared<const CacheFigure>(cacheFigureOf(std::move(alone), 1, {}, progress));
        QCOMPARE(figure->gapS().n, std::uint64_t{0});
        const QStringList without = wordsOf(*drawingOf(CacheChart::Ttl, figure, settingsOf(), nullptr));
        QVERIFY2(!without.contains(QString("gaps")), qPrintable(without.join(", ")));
    }

    void everyTierThatHasAMarkIsNamed() {
        CacheSettings settings = settingsOf();
        settings.tiers = *cacheTiersFromText("HBM:0.3:1000,host memory:0.1:100,NVMe:0.1:50,network:0.1:20,"
                                             "archive:0.1:10"); // close to each other
        const auto made = drawingOf(CacheChart::Capacity, cachesFigure(), settings, nullptr);
        QCOMPARE(made->marks(place).size(), std::size_t{5});
        const QStringList words = fixtures::paintedWords(
            place.size().toSize(), [&](QPainter& painter) { made->paint(painter, place, Theme::light()); });
        for (const char* name : {"HBM", "host memory", "NVMe", "network", "archive"}) {
            QVERIFY2(words.contains(QString(name)), qPrintable(words.join(", ")));
        }
    }

    void aTierIsDraggedToWhereTheHandIs() {
        for (const CacheChart chart : {CacheChart::Capacity, CacheChart::Shared}) {
            const auto made = drawing(chart);
            const auto grip = gripOf(*made);
            QVERIFY(grip);
            const auto [tier, held] = tierIn(made->change(*grip, *grip, place));
            QCOMPARE(held, settingsOf().tiers[tier].capacityGB);
            const QPointF away = chart == CacheChart::Capacity ? QPointF(25, 0) : QPointF(0, -25);
            const double more = tierIn(made->change(*grip, *grip + away, place)).capacityGB;
            QVERIFY(more > held);
            const double less = tierIn(made->change(*grip, *grip - 20 * away, place)).capacityGB;
            QVERIFY(less >= 0 && less < held);
        }
    }

    void theTimeToLiveAndThePrefillShareAreDragged() {
        const auto ttl = drawing(CacheChart::Ttl)->change(QPointF(200, 150), QPointF(300, 150), place);
        const auto less = drawing(CacheChart::Ttl)->change(QPointF(200, 150), QPointF(150, 150), place);
        QVERIFY(ttlIn(less) >= 1 && ttlIn(ttl) > ttlIn(less));
        const auto split = drawing(CacheChart::Split);
        const auto grip = gripOf(*split);
        QVERIFY(grip);
        QCOMPARE(shareIn(split->change(*grip, QPointF(-1000, grip->y()), place)), 0.0);
        QCOMPARE(shareIn(split->change(*grip, QPointF(5000, grip->y()), place)), 1.0);
        QVERIFY(!drawing(CacheChart::Requests)->change(QPointF(200, 150), QPointF(200, 150), place));
    }

    void arrowKeysMoveMarksByAStep() {
        const auto ttl = drawing(CacheChart::Ttl); // 30 s
        QCOMPARE(ttl->marks(place).size(), std::size_t{1});
        QCOMPARE(ttlIn(ttl->stepped(0, 1)), 31.0);
        QCOMPARE(ttlIn(ttl->stepped(0, -1)), 29.0);
        CacheSettings settings = settingsOf();
        settings.ttlS = 100;
        const auto longer = drawingOf(CacheChart::Ttl, cachesFigure(true), settings, nullptr);
        QCOMPARE(ttlIn(longer->stepped(0, 1)), 110.0);
        QCOMPARE(ttlIn(longer->stepped(0, -1)), 99.0);
        const auto capacity = drawing(CacheChart::Capacity);
        const std::size_t marks = capacity->marks(place).size();
        QVERIFY(marks >= 1);
        const DraggedTier more = tierIn(capacity->stepped(marks - 1, 1));
        QCOMPARE(more.capacityGB, 1.05 * settingsOf().tiers[more.index].capacityGB);
        QVERIFY(!capacity->stepped(marks, 1));
        const auto split = drawing(CacheChart::Split);
        QCOMPARE(shareIn(split->stepped(0, 1)), 0.51);
        QCOMPARE(shareIn(split->stepped(0, -1)), 0.49);
        QVERIFY(drawing(CacheChart::Ttl, false)->marks(place).empty());
    }

    void whatIsNotToldIsNotDragged() {
        for (const CacheChart chart : cacheCharts) {
            if (chart != CacheChart::Requests) {
                QVERIFY(!gripOf(*drawing(chart, false)));
            }
        }
    }

    void manyRequestsKeepTheLongestOfAColumn() {
        const auto figure = cachesFigure();
        NamedRequests many{{}, "many", std::vector<RequestParts>(20'000, {.cached = 10, .newInput = 1})};
        many.requests[7'777] = {.cached = 0, .newInput = 100'000};
        const auto made = drawingOf(CacheChart::Requests, figure, settingsOf(),
                                    std::make_shared<const NamedRequests>(std::move(many)));
        const QImage image = cachePicture(*made, QSize(420, 320), ThemeKind::Light);
        const QColor color = Theme::light().newInput;
        int tall = 0;
        for (int y = 60; y < 250; ++y) {
            for (int x = 60; x < 400; ++x) {
                tall += image.pixelColor(x, y) == color ? 1 : 0;
            }
        }
        QVERIFY(tall > 100);
    }
};

QTEST_MAIN(CacheDrawingsTest)
#include "cache_drawings_test.moc"
