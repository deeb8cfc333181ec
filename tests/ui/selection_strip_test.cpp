// What the strip tells of a selection.
#include "ui/panel/scope/selection_strip.h"

#include <QTest>

using namespace loadline;
using namespace loadline::ui;

class SelectionStripTest : public QObject {
    Q_OBJECT

private slots:
    void timesThatAreNothingAreLeftOut() {
        const auto labels = [](const TimeSplit& time, bool modelOnly) {
            SelectionSum sum;
            sum.totals.calls = 2;
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
};

QTEST_MAIN(SelectionStripTest)
#include "selection_strip_test.moc"
