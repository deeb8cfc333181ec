// What the strip tells of a selection.
#include "ui/panel/scope/selection_strip.h"

#include "tests/ui/chart/painted_words.h"
#include "ui/theme/theme.h"

#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class SelectionStripTest : public QObject {
    Q_OBJECT

private slots:
    void timesThatAreNothingAreLeftOut() {
        const auto labels = [](const TimeSplit& time, bool modelOnly) {
            SelectionSum sum;
            sum.totals.calls = sum.totals.callsUnpriced = 2;
            sum.time = time;
            sum.modelTimeOnly = modelOnly;
            QStringList all;
            for (const SelectionFigure& figure : figuresOf(sum)) {
                all << figure.label;
            }
            return all.mid(6);
        };
        QCOMPARE(labels({1000, 200, 3000, 0}, false), (QStringList{"model", "tools", "human"}));
        QCOMPARE(labels({1000, 200, 0, 0}, false), (QStringList{"model", "tools"}));
        QCOMPARE(labels({1000, 0, 3000, 0}, false), (QStringList{"model", "human"}));
        QCOMPARE(labels({1000, 200, 3000, 0}, true), QStringList{"model"});
    }

    void costsStandWhereThereArePrices() {
        SelectionSum sum;
        sum.totals.add({.output = 9}, OutputQuality::Final, 0, {1.5});
        sum.totals.add({.output = 9}, OutputQuality::Final, 0, unpriced);
        const std::vector<SelectionFigure> figures = figuresOf(sum);
        QCOMPARE(figures.back().label, QString("cost")); // the first that narrow windows leave out
        QCOMPARE(figures.back().value, QString("≥ $1.50"));
    }

    void figuresComeCloserBeforeOneIsLeftOut() {
        SelectionStrip strip;
        SelectionSum sum;
        sum.totals.calls = 2260;
        sum.totals.usage = {
            .input = 1'000'000, .cacheWrite = 10'000'000, .cacheRead = 190'000'000, .output = 200'000};
        sum.time = {1000, 200, 3000, 0};
        strip.setSum("45 of 45 sessions of a long name, all of them", sum);
        const auto shows = [&](int width) {
            strip.resize(width, strip.sizeHint().height());
            return fixtures::paintedWords(strip.size(), [&](QPainter& painter) { strip.render(&painter); })
                .contains("human");
        };
        int width = 1200;
        while (shows(width)) {
            width -= 4;
        }
        // Label and value of each, close together, and a short name
        int least = 7 * spacing + 4 * spacing;
        for (const SelectionFigure& figure : strip.figures()) {
            least += spacing + std::max(QFontMetrics(fontOf(0.85)).horizontalAdvance(figure.label),
                                        QFontMetrics(fontOf(1.0)).horizontalAdvance(figure.value));
        }
        QVERIFY2(width < least + 40, qPrintable(QString::number(width)));
    }
};

QTEST_MAIN(SelectionStripTest)
#include "selection_strip_test.moc"
