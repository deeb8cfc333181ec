// Bars, ticks, marks and the published outline of histograms as numbers.
#include "ui/chart/distribution/distribution_geometry.h"

#include "tests/ui/chart_fixtures.h"

#include <QTest>

#include <cmath>

using namespace loadline;
using namespace loadline::ui;

class DistributionGeometryTest : public QObject {
    Q_OBJECT

private slots:
    void powerOfTwoBarsAreCentredOnTheirLabel() {
        const auto geometry = distributionGeometry(*fixtures::distribution(), TurnQuantity::Input, nullptr);
        QCOMPARE(geometry.bars.size(), std::size_t{11}); // 1, 2, 4 ... 1024
        for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
            QCOMPARE(geometry.bars[i].left, static_cast<double>(i) - 0.5);
            QCOMPARE(geometry.bars[i].right, static_cast<double>(i) + 0.5);
        }
        QVERIFY(geometry.xMin < geometry.bars.front().left);
        QVERIFY(geometry.xMax > geometry.bars.back().right);
    }

    void fineBarsReachToTheNextWholeNumber() {
        const auto figure =
            fixtures::distribution({TurnMethod::ApiCall, BinKind::FineLog, Measure::Count, false});
        const auto geometry = distributionGeometry(*figure, TurnQuantity::Output, nullptr);
        QCOMPARE(geometry.bars.size(), figure->output.bins.size());
        for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
            const Bin& bin = figure->output.bins[i];
            QCOMPARE(geometry.bars[i].left, std::log2(static_cast<double>(bin.low)));
            QCOMPARE(geometry.bars[i].right, std::log2(static_cast<double>(bin.high + 1)));
            QCOMPARE(geometry.bars[i].total, static_cast<double>(bin.count));
            if (i > 0) {
                QCOMPARE(geometry.bars[i].left, geometry.bars[i - 1].right);
            }
        }
    }

    void heightsFollowTheMeasure_data() {
        QTest::addColumn<int>("measure");
        QTest::addColumn<QList<double>>("totals");
        const QList<double> counts{1, 1, 1, 0, 4, 1}; // 1; 2; 3; none; 16 16 16 17; 40
        QList<double> shares;
        QList<double> sums;
        double sum = 0;
        for (const double count : counts) {
            sum += count / 8;
            shares << count / 8;
            sums << sum;
        }
        QTest::newRow("count") << static_cast<int>(Measure::Count) << counts;
        QTest::newRow("share") << static_cast<int>(Measure::Share) << shares;
        QTest::newRow("cumulative") << static_cast<int>(Measure::Cumulative) << sums;
    }

    void heightsFollowTheMeasure() {
        QFETCH(const int, measure);
        QFETCH(const QList<double>, totals);
        const auto figure = fixtures::distribution(
            {TurnMethod::ApiCall, BinKind::PowerOfTwo, static_cast<Measure>(measure), false});
        const auto geometry = distributionGeometry(*figure, TurnQuantity::Output, nullptr);
        QCOMPARE(geometry.bars.size(), static_cast<std::size_t>(totals.size()));
        double highest = 0;
        for (std::size_t i = 0; i < geometry.bars.size(); ++i) {
            const DistributionBar& bar = geometry.bars[i];
            QCOMPARE(bar.total, totals[static_cast<qsizetype>(i)]);
            QCOMPARE(bar.hit, bar.total); // nothing brushed: everything is in full colour
            QVERIFY(bar.exact <= bar.total);
            highest = std::max(highest, bar.total);
        }
        QVERIFY(geometry.yMax >= highest);
        QVERIFY(!geometry.brushed);
        QCOMPARE(geometry.inexact, std::uint64_t{1});
        QVERIFY(geometry.bars.back().exact < geometry.bars.back().total);
        for (const DistributionBar& bar : distributionGeometry(*figure, TurnQuantity::Input, nullptr).bars) {
            QCOMPARE(bar.exact, bar.total);
        }
    }

    void theBrushSplitsBars() {
        const auto figure = fixtures::distribution({.measure = Measure::Count}, true);
        const auto geometry = distributionGeometry(*figure, TurnQuantity::Input, nullptr);
        QVERIFY(geometry.brushed);
        double hit = 0;
        double total = 0;
        for (const DistributionBar& bar : geometry.bars) {
            hit += bar.hit;
            total += bar.total;
        }
        QCOMPARE(hit, 3.0);
        QCOMPARE(total, 9.0);
    }

    void theReferenceKeepsItsSharesAndHoles() {
        BucketFrequencies reference;
        reference.frequency = {{1, 0.25}, {2, 0.25}, {8, 0.5}};
        const auto figure = fixtures::distribution();
        const auto outline = distributionGeometry(*figure, TurnQuantity::Input, &reference).referenceOutline;
        double area = 0;
        for (std::size_t i = 1; i < outline.size(); ++i) {
            QVERIFY(outline[i].x() >= outline[i - 1].x());
            const bool vertical = outline[i].x() == outline[i - 1].x();
            QVERIFY(vertical || outline[i].y() == outline[i - 1].y());
            area += (outline[i].x() - outline[i - 1].x()) * outline[i].y();
        }
        QCOMPARE(area, 1.0);
        QVERIFY(std::ranges::count(outline, QPointF(1.5, 0)) == 1); // down to the hole at 4
        QVERIFY(std::ranges::count(outline, QPointF(2.5, 0)) == 1);

        const auto counts = distributionGeometry(*fixtures::distribution({.measure = Measure::Count}),
                                                 TurnQuantity::Input, &reference);
        QVERIFY(std::ranges::count(counts.referenceOutline, QPointF(2.5, 4.5)) == 1); // half of 9 turns
        const auto sums = distributionGeometry(*fixtures::distribution({.measure = Measure::Cumulative}),
                                               TurnQuantity::Input, &reference);
        QCOMPARE(sums.referenceOutline.back(), QPointF(3.5, 1));
        const auto fine = distributionGeometry(*fixtures::distribution({.bins = BinKind::FineLog}),
                                               TurnQuantity::Input, &reference);
        QVERIFY(fine.referenceOutline.empty());
    }

    void marksStandAtTheirValues() {
        const auto figure = fixtures::distribution();
        const auto input = distributionGeometry(*figure, TurnQuantity::Input, nullptr);
        QCOMPARE(input.marks.size(), std::size_t{4});
        for (std::size_t i = 1; i < 4; ++i) {
            QVERIFY(input.marks[i - 1].at <= input.marks[i].at);
        }
        QCOMPARE(input.marks.front().name, QStringLiteral("p50"));
        QCOMPARE(input.marks.front().at, std::log2(5.0));
        QCOMPARE(input.marks.front().value, QStringLiteral("5"));
        const auto output = distributionGeometry(*figure, TurnQuantity::Output, nullptr);
        QCOMPARE(output.marks.front().value.left(1), QStringLiteral("≥"));
    }

    void ticksArePowersOfTwo() {
        const auto geometry = distributionGeometry(*fixtures::distribution(), TurnQuantity::Input, nullptr);
        QCOMPARE(geometry.xTicks.front(), (AxisTick{0, QStringLiteral("1")}));
        QCOMPARE(geometry.xTicks[9], (AxisTick{9, QStringLiteral("512")}));
        QCOMPARE(geometry.xTicks[10], (AxisTick{10, QStringLiteral("1.02 k")}));
        QCOMPARE(geometry.yTicks.front().label, QStringLiteral("0 %"));
    }

    void niceSteps_data() {
        QTest::addColumn<double>("maximum");
        QTest::addColumn<double>("step");
        QTest::newRow("share") << 0.172 << 0.05;
        QTest::newRow("one") << 1.0 << 0.2;
        QTest::newRow("count") << 4160.0 << 1000.0;
        QTest::newRow("tiny") << 3e-7 << 1e-7;
    }

    void niceSteps() {
        QFETCH(const double, maximum);
        QFETCH(const double, step);
        QCOMPARE(niceStep(maximum, 5), step);
    }

    void binsAndRangesAgree() {
        const Histogram histogram = fixtures::distribution()->input;
        for (int first = 0; first < 11; ++first) {
            for (int last = 0; last < 11; ++last) {
                const TokenRange range = rangeOfBins(histogram, first, last);
                QCOMPARE(binsInRange(histogram, range),
                         (std::optional<std::pair<int, int>>(std::minmax(first, last))));
            }
        }
        QVERIFY(!binsInRange(histogram, {7, 9}));
        const auto geometry = distributionGeometry(*fixtures::distribution(), TurnQuantity::Input, nullptr);
        QCOMPARE(barAt(geometry, 0), 0);
        QCOMPARE(barAt(geometry, 6.2), 6);
        QCOMPARE(barAt(geometry, -0.6), -1);
        QCOMPARE(barAt(geometry, 10.5), -1);
    }

    void anEmptyHistogramHasAnAxis() {
        const DistributionFigure figure;
        const auto geometry = distributionGeometry(figure, TurnQuantity::Output, nullptr);
        QVERIFY(geometry.bars.empty() && geometry.marks.empty());
        QVERIFY(geometry.xMin < geometry.xMax);
        QVERIFY(geometry.yMax > 0);
        QCOMPARE(describeHistogram(figure, TurnQuantity::Output), QStringLiteral("No turns in scope."));
    }

    void binsAreToldExactly() {
        const Histogram histogram = fixtures::distribution({}, true)->input;
        const QString text = describeBin(histogram, TurnQuantity::Input, 7);
        QVERIFY2(text.startsWith(QStringLiteral("91 to 181 tokens: 3 turns, 33.3 %")), qPrintable(text));
        QVERIFY2(describeBin(histogram, TurnQuantity::Input, 0).endsWith(QStringLiteral("0 selected")),
                 qPrintable(describeBin(histogram, TurnQuantity::Input, 0)));
    }
};

QTEST_GUILESS_MAIN(DistributionGeometryTest)
#include "distribution_geometry_test.moc"
