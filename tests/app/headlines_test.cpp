// What a page says first is whole where a window is as large as most are; smaller ones cut as little as can
// be.
#include "tests/app/headline_walk.h"
#include "tests/app/sample_and_log.h"

#include <memory>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class HeadlinesTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<WindowFixture> fixture_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

private slots:

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void noHeadlineOfTheSampleIsCut_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("1280x800") << QSize(1280, 800);
        QTest::newRow("1440x900") << QSize(1440, 900);
    }

    void noHeadlineOfTheSampleIsCut() {
        QFETCH(QSize, size);
        f().window->resize(size);
        QVERIFY(made_up::openSampleAndLog(f()));
        const made_up::HeadlineWalk walk = made_up::walkHeadlines(f(), 20'000);
        QVERIFY2(walk.headings >= 10 && walk.strips >= 3,
                 qPrintable(QString("%1 headlines, %2 strips").arg(walk.headings).arg(walk.strips)));
        QVERIFY2(walk.cut.isEmpty(), qPrintable(walk.cut.join('\n')));
    }
};

QTEST_MAIN(HeadlinesTest)
#include "headlines_test.moc"
