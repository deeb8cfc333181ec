// The charts of a server's log: painted at all sizes, read out, picked, zoomed; half a million intervals.
#include "ui/chart/serverlog/log_drawings.h"

#include "tests/ui/chart/painted_words.h"
#include "tests/ui/serverlog/made_up_log.h"
#include "ui/chart/serverlog/log_axis.h"
#include "ui/chart/serverlog/log_scene.h"
#include "ui/chart/serverlog/log_words.h"
#include "ui/theme/format.h"

#include <QElapsedTimer>
#include <QImage>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace loadline;
using namespace loadline::ui;

namespace {

constexpr QRectF place(0, 0, 800, 500);

std::unique_ptr<PlotDrawing> drawing(LogChart chart, const std::shared_ptr<const LogFigure>& figure,
                                     const LogView& view = {}) {
    return chart == LogChart::Time ? logTimeDrawing(sceneOf(figure), view)
                                   : logRateDrawing(figure, view.chosen);
}

QImage painted(const Drawing& drawing, QSize size, ThemeKind theme) {
    QImage image(size, QImage::Format_ARGB32_Premultiplied);
    image.fill(Theme::of(theme).window);
    QPainter painter(&image);
    drawing.paint(painter, QRectF(QPointF(), size), Theme::of(theme));
    return image;
}

/// The first place at which such a line is an item.
std::optional<QPointF> placeOfLine(const PlotDrawing& drawing, const LogLine& line) {
    for (double y = 1; y < place.height(); y += 2) {
        for (double x = 1; x < place.width(); x += 2) {
            const int item = drawing.itemAt(QPointF(x, y), place);
            if (item >= 0 && ui::lineOf(drawing, item) == line) {
                return QPointF(x, y);
            }
        }
    }
    return std::nullopt;
}

/// The same where each item has a point of its own.
std::optional<QPointF> pointOfLine(const PlotDrawing& drawing, const LogLine& line) {
    const std::vector<QPointF> points = drawing.items(place);
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (ui::lineOf(drawing, static_cast<int>(i)) == line) {
            return points[i];
        }
    }
    return std::nullopt;
}

double msToPaint(const Drawing& drawing) {
    QImage image(1400, 700, QImage::Format_ARGB32_Premultiplied);
    double best = std::numeric_limits<double>::infinity();
    for (int i = 0; i < 5; ++i) {
        QPainter painter(&image);
        QElapsedTimer timer;
        timer.start();
        drawing.paint(painter, QRectF(0, 0, 1400, 700), Theme::light());
        best = std::min(best, static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    return best;
}

} // namespace

class LogDrawingsTest : public QObject {
    Q_OBJECT

private slots:

    void everyChartPaintsInBothThemesAndAllSizes() {
        ServerLog bare;
        bare.files = {"bare.log"};
        ServerLog timeless = made_up::logOf(20, 8);
        timeless.clock = LogClock::None;
        for (const ServerLog& log : {made_up::logOf(60, 30), made_up::logOf(3, 0), timeless, bare}) {
            for (const bool served : {true, false}) {
                const auto figure = made_up::logFigure(log, served);
                for (const LogChart chart : logCharts) {
                    const auto made = drawing(chart, figure);
                    for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
                        for (const QSize size : {QSize(800, 500), QSize(180, 120), QSize(1600, 900)}) {
                            QImage empty(size, QImage::Format_ARGB32_Premultiplied);
                            empty.fill(Theme::of(theme).window);
                            QVERIFY(painted(*made, size, theme) != empty);
                        }
                    }
                    (void)painted(*made, QSize(30, 20), ThemeKind::Light); // too small, and no harm
                    QVERIFY(!made->title().isEmpty() && made->sentence().endsWith('.'));
                    QVERIFY(!made->table().columns.empty());
                    for (const auto& row : made->table().rows) {
                        QCOMPARE(row.size(), made->table().columns.size());
                    }
                }
            }
        }
    }

    void extremesAreThoseOfEveryRun() {
        std::vector<double> values;
        for (int i = 0; i < 5000; ++i) {
            const bool told = i % 11 != 0 && (i < 1600 || i >= 2200); // whole blocks tell nothing
            values.push_back(told ? std::sin(i * 12.9898) * 43758.5453 : notTold);
        }
        const LogExtremes extremes(values);
        for (std::size_t begin = 0; begin < values.size(); begin += 37) {
            for (const std::size_t length : {0, 1, 15, 16, 17, 255, 300, 4096, 9999}) {
                const std::size_t end = std::min(begin + length, values.size());
                Extreme expected;
                for (std::size_t i = begin; i < end; ++i) {
                    expected.take(values[i]);
                }
                const Extreme got = extremes.of(begin, begin + length);
                QCOMPARE(got.least, expected.least);
                QCOMPARE(got.most, expected.most);
            }
        }
    }

    /// Painting takes what pixels take, not what lines take.
    void halfAMillionIntervalsArePaintedLikeAFew() {
        const auto few = drawing(LogChart::Time, made_up::logFigure(made_up::logOf(5'000, 2'500)));
        const auto many = drawing(LogChart::Time, made_up::logFigure(made_up::logOf(500'000, 250'000)));
        const double fewMs = msToPaint(*few);
        const double manyMs = msToPaint(*many);
        qInfo("5 000 intervals: %.1f ms, 500 000: %.1f ms", fewMs, manyMs);
        QVERIFY2(manyMs < 4 * fewMs + 2, qPrintable(QString("%1 against %2 ms").arg(manyMs).arg(fewMs)));
    }

    void peaksAreSeenHoweverManyShareAPixel() {
        ServerLog log = made_up::logOf(100'000, 0);
        for (LogInterval& one : log.intervals) {
            one.outputTokensPerS = 10;
        }
        const QImage flat =
            painted(*drawing(LogChart::Time, made_up::logFigure(log)), QSize(800, 500), ThemeKind::Light);
        log.intervals[54'321].outputTokensPerS = 9;
        const QImage peak =
            painted(*drawing(LogChart::Time, made_up::logFigure(log)), QSize(800, 500), ThemeKind::Light);
        QVERIFY(flat != peak);
    }

    void aBarAnEventAndACurveAreTheirLines() {
        const auto made = drawing(LogChart::Time, made_up::logFigure(made_up::logOf(60, 30)));
        for (const LogLine& line : {made_up::requestOf(3).first, LogLine{0, 900}, LogLine{0, 12}}) {
            const auto at = placeOfLine(*made, line);
            QVERIFY2(at, qPrintable(QString::number(line.line)));
            QVERIFY(!made->readOut(*at, place).isEmpty());
        }
        QCOMPARE(made->itemAt(QPointF(-5, -5), place), -1);
        const auto bar = placeOfLine(*made, made_up::requestOf(3).first);
        const QString words = made->readOut(*bar, place).join('\n');
        QVERIFY2(words.contains("request 3") && words.contains("512 output"), qPrintable(words));
        QVERIFY(words.contains("10:14:01, after 1 min 00 s"));
    }

    void theChosenLineIsPicked() {
        const LogView view{{}, made_up::requestOf(3).first};
        const auto figure = made_up::logFigure(made_up::logOf(60, 30));
        const auto made = drawing(LogChart::Time, figure, view);
        QCOMPARE(ui::lineOf(*made, made->pickedItem()), view.chosen);
        QVERIFY(painted(*made, QSize(800, 500), ThemeKind::Light) !=
                painted(*drawing(LogChart::Time, figure), QSize(800, 500), ThemeKind::Light));
        const LogView between{{}, {0, 1004}}; // a line of the first request that is no thing of its own
        const auto near = drawing(LogChart::Time, figure, between);
        QCOMPARE(ui::lineOf(*near, near->pickedItem()), made_up::requestOf(0).first);
    }

    void theWheelZoomsAtTheCursorAndAsidePans() {
        const auto figure = made_up::logFigure(made_up::logOf(60, 30));
        const auto scene = sceneOf(figure);
        const QPointF at(300, 250);
        const auto before = logTimeDrawing(scene, {});
        const auto zoomed = before->wheeled(at, 2, false, place);
        QVERIFY(zoomed && zoomed->stretch && zoomed->stretch->end > zoomed->stretch->begin);
        const auto after = logTimeDrawing(scene, {*zoomed->stretch, {}});
        const QString moment = before->readOut(at, place).first();
        QCOMPARE(after->readOut(at, place).first(), moment);
        const auto panned = after->wheeled(at, -1, true, place);
        QVERIFY(panned && panned->stretch->begin > zoomed->stretch->begin);
        const auto dragged = after->change(at, at + QPointF(40, 0), place);
        QVERIFY(dragged && dragged->stretch->begin < zoomed->stretch->begin);
        QVERIFY(!before->change(at, at, place)); // nothing to pan
        const auto out = after->wheeled(at, -50, false, place);
        QVERIFY(out && out->stretch == PlotChange::Stretch());
        QVERIFY(!before->wheeled(QPointF(300, 499), 1, false, place)); // over the axis the page scrolls
    }

    void aStretchIsHeldWithinTheLog() {
        const auto scene = sceneOf(made_up::logFigure(made_up::logOf(60, 30)));
        const double length = wholeOf(*scene).end;
        const PlotChange::Stretch late = stretchOf(*scene, length - 5, length + 95);
        QCOMPARE(late.end, length);
        QCOMPARE(late.begin, length - 100);
        QCOMPARE(ui::zoomed(*scene, {}, 0.5), PlotChange::Stretch());
        const PlotChange::Stretch first{0, 60};
        QCOMPARE(revealing(*scene, first, made_up::requestOf(1).first), first);
        const PlotChange::Stretch moved = revealing(*scene, first, made_up::requestOf(20).first);
        QCOMPARE(moved.end - moved.begin, 60.0);
        QVERIFY(moved.begin < 400 && moved.end > 400);
    }

    void theTableIsWhatIsInView() {
        const auto figure = made_up::logFigure(made_up::logOf(60, 30));
        const Table all = drawing(LogChart::Time, figure)->table();
        QCOMPARE(all.rows.size(), std::size_t{60 + 30 + 3});
        const Table some = drawing(LogChart::Time, figure, {{100, 200}, {}})->table();
        QVERIFY(!some.rows.empty() && some.rows.size() < 20);
        const Table capped =
            drawing(LogChart::Time, made_up::logFigure(made_up::logOf(mostLogRows + 10, 0)))->table();
        QCOMPARE(capped.rows.size(), mostLogRows + 1);
        QCOMPARE(textOf(capped.rows.back().front()), std::string("more: zoom in"));
    }

    void ratesStandBelowTheirCeiling() {
        const auto figure = made_up::logFigure(made_up::logOf(6, 3));
        const auto made = drawing(LogChart::Rate, figure);
        QVERIFY2(made->sentence().contains("9 to 17.6"), qPrintable(made->sentence()));
        const auto least = pointOfLine(*made, {0, 1015});
        QVERIFY(least);
        const QString words = made->readOut(*least, place).join('\n');
        QVERIFY2(words.contains("at least 12") && words.contains("3 streams") &&
                     words.contains("of the ceiling"),
                 qPrintable(words));
        const auto open = pointOfLine(*made, {0, 1025});
        QVERIFY(open && made->readOut(*open, place).join('\n').contains("others may have shared"));
        const QString away = made->readOut(QPointF(600, 100), place).join('\n');
        QVERIFY2(away.contains("ceiling") && away.contains("expected"), qPrintable(away));
        const Table table = made->table();
        QCOMPARE(table.rows.size(), std::size_t{3});
        const double ceiling = figure->verdict.light->ceiling(10'000);
        QCOMPARE(std::get<double>(table.rows[0][8]), ceiling);
        QCOMPARE(std::get<double>(table.rows[0][9]), 17.6 / ceiling);
    }

    void ratesWithoutAContextStandBesideThePlot() {
        LogFigure figure = *made_up::logFigure(made_up::logOf(6, 3));
        const auto mixed = drawing(LogChart::Rate, std::make_shared<const LogFigure>(figure));
        QVERIFY2(mixed->sentence().endsWith("Of 1 of 3 the log does not tell the context."),
                 qPrintable(mixed->sentence()));
        const auto told = pointOfLine(*mixed, {0, 1005});
        const auto untold = pointOfLine(*mixed, {0, 1025});
        QVERIFY(told && untold && told->x() < 0.8 * place.width() && untold->x() > 0.8 * place.width());
        QCOMPARE(mixed->readOut({untold->x(), 60}, place).first(), QString("context not told"));
        figure.verdict.light.reset();
        for (std::size_t i = 0; i < 3; ++i) {
            figure.verdict.rates[i].contextLow = figure.verdict.rates[i].contextHigh = notTold;
        }
        const auto none = drawing(LogChart::Rate, std::make_shared<const LogFigure>(figure));
        QVERIFY(none->sentence().endsWith("The log does not tell their context."));
        double last = 0;
        for (const std::uint64_t line : {1005, 1015, 1025}) { // in their order, over all of the width
            const auto at = pointOfLine(*none, {0, line});
            QVERIFY2(at && at->x() > last + 100, qPrintable(QString::number(at ? at->x() : -1)));
            last = at->x();
        }
    }

    void whatTheRatesTableLeavesOutIsSaid() {
        LogFigure figure = *made_up::logFigure(made_up::logOf(6, 3));
        figure.verdict.rates.resize(mostLogRows + 10, figure.verdict.rates.front());
        const Table table = drawing(LogChart::Rate, std::make_shared<const LogFigure>(figure))->table();
        QCOMPARE(table.rows.size(), mostLogRows + 1);
        QCOMPARE(textOf(table.rows.back().front()), std::string("more: the first 65536 of 65546 are listed"));
    }

    void withoutAModelThereIsNoCeiling() {
        const auto made = drawing(LogChart::Rate, made_up::logFigure(made_up::logOf(6, 3), false));
        QVERIFY(made->sentence().contains("with a model and a device"));
        QVERIFY(!made->readOut(QPointF(600, 100), place).join('\n').contains("ceiling"));
    }

    void withoutTimesLinesAreTheAxis() {
        ServerLog log = made_up::logOf(0, 8);
        log.clock = LogClock::None;
        for (LogRequest& one : log.requests) {
            one.arrivalS = one.endS = one.firstTokenS = notTold;
        }
        log.events.clear();
        const auto scene = sceneOf(made_up::logFigure(log));
        QCOMPARE(wholeOf(*scene).end, static_cast<double>(log.lines));
        const auto made = logTimeDrawing(scene, {});
        const auto at = placeOfLine(*made, made_up::requestOf(2).first);
        QVERIFY(at && made->readOut(*at, place).first() == QString("line %1").arg(exactText(1020)));
    }

    void severalEnginesAreSummedAndColouredApart() {
        auto log = std::make_shared<ServerLog>(made_up::logOf(40, 0));
        std::vector<LogInterval> all;
        for (const LogInterval& one : log->intervals) {
            for (int engine = 0; engine < 3; ++engine) {
                LogInterval copy = one;
                copy.engine = engine;
                copy.outputTokensPerS = 100;
                copy.where.line = 10 * one.where.line + static_cast<std::uint64_t>(engine);
                all.push_back(copy);
            }
        }
        log->intervals = all;
        const auto scene = sceneOf(std::make_shared<const LogFigure>(logFigureOf(log, {})));
        QVERIFY(!scene->lanes().empty());
        const LogLane& output = scene->lanes().front();
        QCOMPARE(output.series.size(), 4U);
        QCOMPARE(output.series[0].name, QString("all engines"));
        QCOMPARE(output.series[0].values[5], 300.0);
        QCOMPARE(output.series[1].values[5], 100.0);
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark}) {
            for (std::size_t i = 0; i < output.series.size(); ++i) {
                for (std::size_t j = 0; j < i; ++j) {
                    QVERIFY(colourOf(output.series[i], Theme::of(kind)) !=
                            colourOf(output.series[j], Theme::of(kind)));
                }
            }
        }
        QVERIFY2(timeSentence(*scene).contains("3 engines together up to 300 output tokens/s"),
                 qPrintable(timeSentence(*scene)));
    }

    void everyEngineIsInTheLegend() {
        const auto wordsOf = [](int engines) {
            auto log = std::make_shared<ServerLog>(made_up::logOf(0, 0));
            for (std::size_t i = 0; i < 20; ++i) {
                for (int engine = 0; engine < engines; ++engine) {
                    LogInterval one = made_up::intervalOf(i);
                    one.engine = engine;
                    one.where.line = 20 * one.where.line + static_cast<std::uint64_t>(engine);
                    log->intervals.push_back(one);
                }
            }
            log->lengthS = 200;
            const auto made =
                logTimeDrawing(sceneOf(std::make_shared<const LogFigure>(logFigureOf(log, {}))), {});
            return fixtures::paintedWords({420, 400}, [&](QPainter& painter) {
                made->paint(painter, QRectF(0, 0, 420, 400), Theme());
            });
        };
        const QStringList four = wordsOf(4);
        for (int engine = 0; engine < 4; ++engine) {
            QCOMPARE(four.count(QString("engine %1").arg(engine)), 1);
        }
        const QStringList many = wordsOf(11);
        QVERIFY2(many.contains("engine 7") && !many.contains("engine 8") &&
                     many.contains("3 more engines: in the sums alone"),
                 qPrintable(many.join('|')));
        QVERIFY(!wordsOf(1).contains("engine 0"));
    }

    void theAcceptanceOfDraftsHasALane() {
        ServerLog log = made_up::logOf(40, 0);
        const auto hasLane = [](const ServerLog& of) {
            const auto scene = sceneOf(made_up::logFigure(of));
            return std::ranges::any_of(scene->lanes(), [](const LogLane& lane) {
                return lane.title == "accepted tokens a step" && lane.series.front().values[3] == 2.5;
            });
        };
        QVERIFY(!hasLane(log));
        for (LogInterval& one : log.intervals) {
            one.acceptedLength = 2.5;
        }
        QVERIFY(hasLane(log));
    }

    void aTimeLineOfNothingSaysSo() {
        ServerLog log = made_up::logOf(0, 0);
        log.events.clear();
        const auto none = drawing(LogChart::Time, made_up::logFigure(log));
        QVERIFY(none->readOut(place.center(), place).isEmpty() && none->items(place).empty());
        for (const ThemeKind theme : {ThemeKind::Light, ThemeKind::Dark}) {
            const QImage image = painted(*none, {800, 500}, theme);
            QImage blank(image.size(), image.format());
            blank.fill(Theme::of(theme).window);
            QVERIFY(image != blank);
            int words = 0; // where the sentence stands: amid the area
            for (int x = 200; x < 600; ++x) {
                for (int y = 225; y < 275; ++y) {
                    words += image.pixel(x, y) != blank.pixel(x, y) ? 1 : 0;
                }
            }
            QVERIFY2(words > 200, qPrintable(QString::number(words)));
        }
    }
};

QTEST_MAIN(LogDrawingsTest)
#include "log_drawings_test.moc"
