// A page's head is one headline and one line of facts: the charts begin right below.
#include "app/page/page_spec.h"
#include "tests/app/sample_and_log.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/frame/heading.h"

#include <QToolBar>

#include <memory>

using namespace loadline;
using namespace loadline::app;

class CalmPagesTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    /// Saves pictures of the page, to be looked at, into the folder that LOADLINE_PICTURES names.
    void photograph(const std::string& page) const {
        const QString folder = qEnvironmentVariable("LOADLINE_PICTURES");
        if (folder.isEmpty()) {
            return;
        }
        for (const auto& [theme, name] :
             {std::pair(ActionId::ThemeLight, "light"), std::pair(ActionId::ThemeDark, "dark")}) {
            f().trigger(theme);
            for (const QSize size : {QSize(1024, 640), QSize(1440, 900)}) {
                f().window->resize(size);
                made_up::layOut();
                QVERIFY(f().window->grab().save(QString("%1/%2-%3-%4.png")
                                                    .arg(folder, QString::fromStdString(page), name)
                                                    .arg(size.width())));
            }
        }
        f().trigger(ActionId::ThemeLight);
        f().window->resize(1440, 900);
    }

private slots:

    void initTestCase() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
        f().window->resize(1440, 900);
        QVERIFY(made_up::openSampleAndLog(f()));
    }

    void cleanupTestCase() { fixture_.reset(); }

    void theHeadIsLow_data() {
        QTest::addColumn<Page>("page");
        for (const PageSpec& page : pageSpecs()) {
            QTest::newRow(page.key.c_str()) << page.page;
        }
    }

    void theHeadIsLow() {
        QFETCH(Page, page);
        f().bench().showPage(page);
        (void)QTest::qWaitFor([&] { return f().bench().isSettled(); }, 60'000);
        made_up::layOut();
        photograph(specOf(page).key);
        made_up::layOut();
        PageView& view = f().workspace().page(page);
        if (page == Page::SelfCheck || specOf(page).key == "validate") {
            QVERIFY(view.frame()->isEmpty()); // no recorded run is open, no table of servers named
            return;
        }
        QVERIFY(!view.frame()->isEmpty());
        const auto* heading = view.frame()->findChild<ui::Heading*>();
        const QString headline = heading->answer().first;
        QVERIFY2(headline.split(' ', Qt::SkipEmptyParts).size() <= 20, qPrintable(headline));
        QVERIFY2(heading->isWhole(), qPrintable(headline));
        const int bar = f().inWindow(f().window->findChild<QToolBar*>("scope")).bottom();
        const int charts = f().inWindow(view.frame()->chart()).top();
        QVERIFY2(charts - bar <= 120, qPrintable(QString::number(charts - bar)));
    }
};

QTEST_MAIN(CalmPagesTest)
#include "calm_pages_test.moc"
