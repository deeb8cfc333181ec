// The same with somebody's real sessions: their titles and numbers are longer than those made up.
#include "tests/app/headline_walk.h"

#include <QFileInfo>

#include <memory>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

class HeadlinesSharedTest : public QObject {
    Q_OBJECT

private slots:
    void noHeadlineOfRealSessionsIsCut() {
        const QString sessions = QStringLiteral(LOADLINE_UNPACKED_DATA "/sessions/claude/entireio+cli");
        if (!QFileInfo(sessions).isDir()) {
            QSKIP("the shared data has no sessions");
        }
        made_up::failOnWarnings();
        const auto fixture = std::make_unique<WindowFixture>();
        fixture->window->resize(1280, 800);
        QVERIFY(fixture->open(sessions));
        const made_up::HeadlineWalk walk = made_up::walkHeadlines(*fixture, 30'000);
        QVERIFY(walk.headings >= 8);
        QVERIFY2(walk.cut.isEmpty(), qPrintable(walk.cut.join('\n')));
    }
};

QTEST_MAIN(HeadlinesSharedTest)
#include "headlines_shared_test.moc"
