// A walk over the rows of pages, charts and choices: what each must have, whoever adds one.
#include "app/chart/chart_spec.h"
#include "app/page/page_picture.h"
#include "app/page/page_spec.h"
#include "tests/app/made_up_sessions.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/frame/room_tabs.h"

#include <QFile>
#include <QSet>
#include <QTemporaryDir>
#include <QTest>
#include <QToolBar>

#include <memory>
#include <set>

using namespace loadline;
using namespace loadline::app;

class PageSpecsTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    QTemporaryDir sessions_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    static void eachPage() {
        QTest::addColumn<Page>("page");
        for (const PageSpec& page : pageSpecs()) {
            QTest::newRow(page.key.c_str()) << page.page;
        }
    }

    /// A text of the field that is not its default.
    static std::string anotherText(const AskedField& one) {
        const std::string usual = one.textIn(Asked());
        if (const auto choices = one.field->access.choices; !choices.empty()) {
            return std::string(choices.front().key == usual ? choices.back().key : choices.front().key);
        }
        for (const char* text : {"true", "false", "3", "7", "thorough", "llama-3.1-8b", "another",
                                 "h100-node", "b200-node", "gpus=8", "H100-SXM", "1:2"}) {
            if (Asked asked; text != usual && one.read(asked, text)) {
                return text;
            }
        }
        return usual;
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
        QVERIFY(f().open(sessions_.path()));
    }

    void cleanup() { fixture_.reset(); }

    void everyPageHasItsWords_data() { eachPage(); }

    void everyPageHasItsWords() {
        QFETCH(Page, page);
        const PageSpec& spec = specOf(page);
        const QAction* const action = f().window->actions()[page];
        QVERIFY(!action->objectName().isEmpty() && !action->toolTip().isEmpty());
        const QString keys = action->shortcut().toString(QKeySequence::NativeText);
        QVERIFY2(action->toolTip().contains(keys), qPrintable(action->toolTip()));
        QVERIFY(!action->icon().isNull());
        const auto* rail = f().window->findChild<QToolBar*>("rail");
        const QAction* const room = f().window->actions()[roomOf(page)];
        QVERIFY(!room->shortcut().isEmpty());
        const QWidget* const button = rail->widgetForAction(const_cast<QAction*>(room));
        QVERIFY(button && button->focusPolicy() != Qt::NoFocus);
        const std::vector<ui::PaletteEntry> entries = f().window->actions().paletteEntries();
        const QString id = QString::fromStdString("page:" + spec.key);
        QVERIFY(std::ranges::any_of(entries, [&](const ui::PaletteEntry& entry) {
            return entry.id == id && !entry.title.isEmpty() && entry.shortcut == keys;
        }));
        QVERIFY(f().window->actions().trigger(id));
        QCOMPARE(f().bench().state().page, page);
        QVERIFY(room->isChecked());
        const auto* tabs = f().window->findChild<ui::RoomTabs*>();
        const std::vector<Page> inRoom = pagesOf(roomOf(page));
        QCOMPARE(tabs->isVisible(), inRoom.size() > 1);
        QVERIFY(!tabs->isVisible() || inRoom[static_cast<std::size_t>(tabs->currentIndex())] == page);
    }

    void everyPageHasATwinAndAnExport_data() { eachPage(); }

    void everyPageHasATwinAndAnExport() {
        QFETCH(Page, page);
        QVERIFY(f().show(page));
        PageView& view = f().workspace().page(page);
        QVERIFY(!view.accessibleName().isEmpty());
        const ChartRequest request = view.request();
        QVERIFY(request.chart);
        const std::vector<ChartRequest> charts = view.requests(); // as the command line knows them
        const std::vector<ChartRequest> named = chartsOf(page, charts.front());
        QCOMPARE(named.size(), charts.size());
        for (std::size_t i = 0; i < charts.size(); ++i) {
            QCOMPARE(named[i].chart, charts[i].chart);
        }
        QCOMPARE(chartNamed(request.chart->key), request.chart); // its name on the command line
        QTRY_VERIFY_WITH_TIMEOUT(view.frame()->drawing() || view.frame()->isEmpty(), 60'000);
        if (view.frame()->isEmpty()) {
            return; // says what to do: the page's own test tells
        }
        const Table twin = view.frame()->drawing()->table();
        QVERIFY(!twin.columns.empty() && !twin.rows.empty());
    }

    void everyPageSurvivesSizesAndThemes_data() { eachPage(); }

    void everyPageSurvivesSizesAndThemes() {
        QFETCH(Page, page);
        QVERIFY(f().show(page));
        for (const ActionId theme : {ActionId::ThemeDark, ActionId::ThemeLight}) {
            f().trigger(theme);
            for (const QSize size : {QSize(1024, 640), QSize(2000, 1200), QSize(1280, 800)}) {
                f().window->resize(size);
                QCoreApplication::processEvents();
                QVERIFY(!f().window->grab().isNull());
            }
        }
        f().trigger(ActionId::ThemeSystem);
    }

    void everyFieldIsUndoneAndComesBack() {
        std::set<std::string> settings;
        std::set<std::string> options;
        const Asked usual = f().bench().state().asked;
        Asked all;
        for (const AskedField& one : askedFields()) {
            const ask::FieldTraits& traits = one.field->traits;
            const std::string key(one.field->key);
            if (traits.isOption) {
                QVERIFY2(options.insert(ask::optionOf(*one.field, one.in(usual))).second, key.c_str());
                QVERIFY2(!one.field->words.help.empty(), key.c_str());
            }
            for (const std::string& name : one.settings()) {
                QVERIFY2(!traits.isSetting || settings.insert(name).second, name.c_str());
            }
            if (!traits.isOption && !traits.isSetting) {
                continue; // a part of another one, for the form
            }
            const std::string text = anotherText(one);
            QVERIFY2(text != one.textIn(Asked()), key.c_str());
            Asked next = usual;
            QVERIFY(one.read(next, text));
            f().bench().setAsked(next, "Choose");
            QCOMPARE(f().bench().state().asked, next);
            f().trigger(ActionId::Undo);
            QCOMPARE(f().bench().state().asked, usual);
            if (traits.isSetting) {
                one.read(all, text);
            }
        }
        f().bench().setAsked(all, "Choose");
        f().restart();
        QCOMPARE(f().bench().state().asked, all);
    }

    void noFieldTakesMoreThanAPathMayHave() {
        for (const AskedField& one : askedFields()) {
            Asked asked;
            QVERIFY(!one.read(asked, std::string(4097, 'x')));
            QCOMPARE(asked, Asked());
        }
    }

    void everyChartHasItsWords() {
        std::set<std::string_view> keys;
        for (const ChartSpec* chart : chartSpecs()) {
            QVERIFY(keys.insert(chart->key).second);
            QVERIFY(!chart->description.empty() && chart->caption);
            QVERIFY((chart->draw != nullptr) != (chart->study != nullptr && chart->plot != nullptr));
        }
    }

    void roomsAreNumberedAsTheyStandOnTheRail() {
        const auto* rail = f().window->findChild<QToolBar*>("rail");
        int number = 0;
        for (const RoomSpec& room : roomSpecs()) {
            const QAction* const action = f().window->actions()[room.room];
            const bool stands = rail->actions().contains(action);
            QCOMPARE(stands, !pagesOf(room.room).empty());
            number += stands ? 1 : 0;
            QCOMPARE(action->shortcut().toString(), stands ? QString::number(number) : QString());
        }
        QFile manual(":/manual/using.md");
        QVERIFY(manual.open(QIODevice::ReadOnly));
        const QString words = QString("shows rooms, `1` to `%1`").arg(number);
        QVERIFY2(manual.readAll().contains(words.toUtf8()), qPrintable(words));
    }

    void theShortcutSheetNamesNothingTwice() {
        for (const ui::ShortcutGroup& group : f().window->actions().shortcutGroups()) {
            QSet<QString> texts;
            QSet<QString> keys;
            for (const ui::ShortcutGroup::Line& line : group.lines) {
                QVERIFY2(!texts.contains(line.text), qPrintable(line.text));
                QVERIFY2(group.title != "View" || !keys.contains(line.keys), qPrintable(line.keys));
                texts << line.text;
                keys << line.keys;
            }
        }
    }

    void pageKeysDiffer() {
        std::set<std::string_view> keys;
        std::set<std::string_view> shortcuts;
        for (const PageSpec& page : pageSpecs()) {
            QVERIFY(keys.insert(page.key).second);
            QVERIFY(page.keys.empty() || shortcuts.insert(page.keys).second);
            QCOMPARE(&specOf(page.page), &page);
        }
    }
};

QTEST_MAIN(PageSpecsTest)
#include "page_specs_test.moc"
