// The title of a log's rates: the range of the rates that it shows, not of what single lines leave open.
#include "core/serverlog/verdict/rate_plot.h"
#include "tests/ui/serverlog/made_up_log.h"
#include "ui/chart/serverlog/log_drawings.h"
#include "ui/plot/plot_axes.h"

#include <QTest>

#include <memory>
#include <vector>

using namespace loadline;
using namespace loadline::ui;

namespace {

/// A line of ten seconds that has `shown` tokens/s over the four streams at both ends.
ObservedRate lineWith(double shown) {
    ObservedRate rate{made_up::lineOf(2), 10, shown};
    rate.source = RateSource::Interval;
    rate.spanS = 10;
    rate.overBothEnds = shown;
    rate.streamsAtEnds = 4;
    return rate;
}

/// Requests ended within the line: others ran at its end than at its begin.
ObservedRate between(double shown, double lowest, double highest) {
    ObservedRate rate = lineWith(shown);
    rate.streamsTold = false;
    rate.lowest = lowest;
    rate.highest = highest;
    return rate;
}

/// Requests began within the line, too.
ObservedRate untold(double shown, double lowest, double highest) {
    ObservedRate rate = between(shown, lowest, highest);
    rate.atLeast = true;
    return rate;
}

/// A line at both ends of which as many ran and others waited, beside prompts.
ObservedRate bound(double shown) {
    ObservedRate rate = lineWith(shown);
    rate.atLeast = rate.queued = true;
    return rate;
}

std::shared_ptr<const LogFigure> figureWith(std::vector<ObservedRate> rates) {
    LogFigure figure = *made_up::logFigure(made_up::logOf(6, 3));
    figure.verdict.rates = std::move(rates);
    return std::make_shared<const LogFigure>(std::move(figure));
}

QString titleOf(std::vector<ObservedRate> rates) {
    return QString::fromStdString(rateSentence(*figureWith(std::move(rates))));
}

} // namespace

class LogRateWordsTest : public QObject {
    Q_OBJECT

private slots:

    /// Each rate is drawn by one mark, and found once.
    void everyRateIsOneItem() {
        const auto drawing = logRateDrawing(
            figureWith({lineWith(66.2), between(62, 40, 120), untold(80, 53, 160), untold(70, 50, 150)}), {});
        const QRectF place(0, 0, 800, 500);
        const std::vector<QPointF> items = drawing->items(place);
        QCOMPARE(items.size(), std::size_t{4});
        for (const QPointF& item : items) {
            QVERIFY(item.y() > 40); // none at the top, where no rate is
        }
    }

    /// Places beyond the told contexts are no contexts.
    void ticksEndWhereContextsDo() {
        const auto figure = figureWith({lineWith(66.2), between(62, 40, 120)}); // none tells its context
        const auto report = std::make_shared<ask::Report>();
        addRatePlot(*report, *figure);
        const ask::Axis& x = report->plots.front().x;
        QVERIFY(x.lastTick && *x.lastTick < *x.high);
        const auto scene = plotSceneOf(report);
        for (const int most : {2, 5, 10, 30}) {
            for (const double tick : ticksOf(xyAxisOf(scene->x, 800), most)) {
                QVERIFY(tick <= *x.lastTick);
            }
        }
    }

    void theRangeIsOfShownRatesNotOfTheEndsOfALinesRange() {
        const QString title = titleOf({lineWith(66.2), between(62, 40, 120), between(64, 30, 128)});
        QVERIFY2(title.startsWith("62 to 66.2 tokens/s a stream."), qPrintable(title));
    }

    void linesWithinWhichRequestsBeginAreOutsideTheRange() {
        const QString title = titleOf({lineWith(66.2), between(62, 40, 120), untold(80, 53, 160)});
        QVERIFY2(title.startsWith("62 to 66.2 tokens/s a stream (not of 1 of 3 within which requests begin, "
                                  "together about 80 tokens/s a stream)."),
                 qPrintable(title));
        const QString none = titleOf({untold(80, 53, 160), untold(60, 40, 120)});
        QVERIFY2(none.startsWith("Requests begin within each line, so that none tells the rate of a stream, "
                                 "together about 70 tokens/s a stream."),
                 qPrintable(none));
    }

    void boundsAreNoPartOfTheRange() {
        const QString title = titleOf({lineWith(66.2), bound(50), bound(48)});
        QVERIFY2(title.startsWith("66.2 tokens/s a stream, and 48 to 50 tokens/s or more."),
                 qPrintable(title));
        const QString bounds = titleOf({bound(50)});
        QVERIFY2(bounds.startsWith("50 tokens/s or more a stream."), qPrintable(bounds));
    }
};

QTEST_MAIN(LogRateWordsTest)
#include "log_rate_words_test.moc"
