// CommandPalette and ShortcutSheet: finding, choosing, leaving; keys as caps.
#include "ui/panel/palette/command_palette.h"

#include "ui/model/palette_model.h"
#include "ui/model/roles.h"
#include "ui/panel/palette/key_caps.h"
#include "ui/panel/palette/shortcut_sheet.h"

#include <QAbstractItemModelTester>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

using namespace loadline;
using namespace loadline::ui;

namespace {

std::vector<PaletteEntry> entries() {
    return {{"page.timeline", "Go to Timeline", "page", "3"},
            {"page.distributions", "Go to Distributions", "page", "2"},
            {"open", "Open folder…", "command", "Ctrl+O"},
            {"session.1", "Über Größe", "session of project-a", ""}};
}

} // namespace

class CommandPaletteTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void modelKeepsItsContract() {
        PaletteModel model;
        const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        model.setEntries(entries());
        model.setQuery("go");
        model.setQuery("none of these");
        QCOMPARE(model.rowCount(), 0);
    }

    void matchesAreMarkedInTitleAndHint() {
        PaletteModel model;
        model.setEntries(entries());
        model.setQuery("time");
        QCOMPARE(model.index(0).data().toString(), QString("Go to Timeline"));
        QCOMPARE(model.match(0).inTitle, (std::vector<int>{6, 7, 8, 9}));
        model.setQuery("project");
        QCOMPARE(model.match(0).entry->id, QString("session.1"));
        QVERIFY(model.match(0).inTitle.empty());
        QCOMPARE(model.match(0).inHint, (std::vector<int>{11, 12, 13, 14, 15, 16, 17}));
        model.setQuery("ße"); // two bytes, one letter
        QCOMPARE(model.match(0).inTitle, (std::vector<int>{8, 9}));
    }

    void theKeysGoBackToWhereTheyWent() {
        QWidget window;
        window.resize(800, 600);
        QLineEdit first(&window), second(&window);
        second.move(0, 100);
        CommandPalette palette(&window);
        palette.setEntries(entries());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        second.setFocus();
        for (const Qt::Key key : {Qt::Key_Escape, Qt::Key_Return}) {
            palette.popUp();
            auto* field = palette.findChild<QLineEdit*>();
            QVERIFY(field->hasFocus());
            QTest::keyClick(field, key);
            QVERIFY(!palette.isVisible());
            QVERIFY(second.hasFocus());
        }
    }

    void keysWalkAndChoose() {
        QWidget window;
        window.resize(800, 600);
        CommandPalette palette(&window);
        palette.setEntries(entries());
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy spy(&palette, &CommandPalette::activated);
        palette.popUp();
        QVERIFY(palette.isVisible());
        auto* field = palette.findChild<QLineEdit*>();
        QVERIFY(field->hasFocus());
        auto* list = palette.findChild<QListView*>();
        QTest::keyClick(field, Qt::Key_Up); // wraps around
        QCOMPARE(list->currentIndex().row(), 3);
        QTest::keyClick(field, Qt::Key_Down);
        QTest::keyClick(field, Qt::Key_Down);
        QCOMPARE(list->currentIndex().row(), 1);
        QTest::keyClicks(field, "open");
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().at(0).toString(), QString("open"));
        QVERIFY(!palette.isVisible());
    }

    void escapeLeavesAndNothingFoundIsSaid() {
        QWidget window;
        window.resize(800, 600);
        CommandPalette palette(&window);
        palette.setEntries(entries());
        window.show();
        QSignalSpy spy(&palette, &CommandPalette::activated);
        palette.popUp();
        auto* field = palette.findChild<QLineEdit*>();
        QTest::keyClicks(field, "qqqq");
        QVERIFY(palette.findChild<QLabel*>()->isVisible());
        QTest::keyClick(field, Qt::Key_Return);
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!palette.isVisible());
        QCOMPARE(spy.count(), 0);
        palette.popUp(); // begins anew
        QVERIFY(field->text().isEmpty());
        QVERIFY(!palette.findChild<QLabel*>()->isVisible());
    }

    void keysAreSplit_data() {
        QTest::addColumn<QString>("shortcut");
        QTest::addColumn<QStringList>("keys");
        QTest::newRow("one") << "?" << QStringList{"?"};
        QTest::newRow("two") << "Ctrl+K" << QStringList{"Ctrl", "K"};
        QTest::newRow("plus") << "Ctrl++" << QStringList{"Ctrl", "+"};
        QTest::newRow("only plus") << "+" << QStringList{"+"};
        QTest::newRow("either") << "Ctrl+Z / Ctrl+Shift+Z"
                                << QStringList{"Ctrl", "Z", "/", "Ctrl", "Shift", "Z"};
        QTest::newRow("none") << "" << QStringList{};
    }

    void keysAreSplit() {
        QFETCH(QString, shortcut);
        QFETCH(QStringList, keys);
        QCOMPARE(keysOf(shortcut), keys);
    }

    void sheetListsEveryLine() {
        ShortcutSheet sheet(
            {{"Pages", {{"1", "Sessions"}, {"2", "Distributions"}}}, {"Anywhere", {{"?", "This sheet"}}}});
        sheet.show();
        QStringList texts;
        for (const QLabel* label : sheet.findChildren<QLabel*>()) {
            texts << label->text();
        }
        for (const char* expected : {"Pages", "Sessions", "Distributions", "Anywhere", "This sheet"}) {
            QVERIFY(texts.contains(expected));
        }
        QTest::keyClick(&sheet, Qt::Key_Escape);
        QVERIFY(!sheet.isVisible());
    }
};

QTEST_MAIN(CommandPaletteTest)
#include "command_palette_test.moc"
