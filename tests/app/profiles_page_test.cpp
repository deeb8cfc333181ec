// The page of a study of profiles, which is there without sessions.
#include "app/pages/study/study_page.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/frame/caveat_chip.h"
#include "ui/panel/simulation/fact_strip.h"

#include <algorithm>

namespace loadline::app {

class ProfilesPageTest : public QObject {
    Q_OBJECT

private slots:

    void explanationsAreNoCaveats() {
        made_up::WindowFixture f;
        const auto spec = std::ranges::find(pageSpecs(), "profiles", &PageSpec::key);
        f.trigger(spec->page);
        QVERIFY(QTest::qWaitFor([&] { return f.bench().isSettled(); }, 60'000));
        auto& page = f.page<StudyPage>(spec->page);
        QCOMPARE(page.frame()->caveats()->text(), QStringLiteral("1 caveat")); // two devices
        const std::vector<CountedFact>& facts = page.facts()->facts();
        const auto explained = std::ranges::find(facts, "explained", &CountedFact::key);
        QVERIFY(explained != facts.end());
        QVERIFY(explained->more.find("below 1 it became faster") != std::string::npos);
    }
};

} // namespace loadline::app

QTEST_MAIN(loadline::app::ProfilesPageTest)
#include "profiles_page_test.moc"
