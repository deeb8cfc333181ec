// FilterBar: chips for the parts of a scope, by mouse and keyboard; the words on them; the menus.
#include "ui/panel/scope/filter_bar.h"

#include "tests/made_up_corpus.h"
#include "ui/panel/frame/flow_layout.h"
#include "ui/panel/scope/date_range_popup.h"
#include "ui/panel/scope/filter_chip.h"
#include "ui/panel/scope/filter_choices.h"
#include "ui/panel/scope/scope_words.h"

#include <QDateEdit>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

namespace {

TimeMs at(const char* iso) {
    return *parseIso8601(iso);
}

Scope everything() {
    Scope scope;
    scope.sessions = {"claude:alpha-1", "claude:beta_-1"};
    scope.models = {"claude-opus-4-5-20251101"};
    scope.agents = {"main"};
    scope.from = at("2026-01-20T00:00:00Z");
    scope.to = at("2026-01-22T00:00:00Z");
    scope.text = "docs";
    scope.turnInput = TokenRange{46, 90};
    return scope;
}

int shownChips(const FilterBar& bar) {
    int shown = 0;
    for (const ScopePart part : scopeParts) {
        shown += bar.chip(part)->isVisibleTo(&bar) ? 1 : 0;
    }
    return shown;
}

} // namespace

class FilterBarTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void partsHaveWords_data() {
        QTest::addColumn<int>("part");
        QTest::addColumn<QString>("kind");
        QTest::addColumn<QString>("value");
        const auto row = [](ScopePart part, const char* kind, const char* value) {
            QTest::newRow(kind) << int(part) << QString(kind) << QString::fromUtf8(value);
        };
        row(ScopePart::Sessions, "sessions", "2");
        row(ScopePart::Models, "model", "opus-4-5");
        row(ScopePart::Agents, "agent", "main");
        row(ScopePart::Dates, "date", "2026-01-20 to 2026-01-21");
        row(ScopePart::Text, "text", "“docs”");
        row(ScopePart::TurnInput, "input", "46 to 90");
    }

    void partsHaveWords() {
        QFETCH(int, part);
        QFETCH(QString, kind);
        QFETCH(QString, value);
        const auto corpus = test::smallCorpus();
        const PartWords words = wordsOf(everything(), static_cast<ScopePart>(part), corpus.get());
        QCOMPARE(words.kind, kind);
        QCOMPARE(words.value, value);
    }

    void outputThatIsALowerBoundSaysSo() {
        Scope scope;
        scope.turnOutput = TokenRange{1, 1};
        QCOMPARE(wordsOf(scope, ScopePart::TurnOutput, nullptr).value, QStringLiteral("1"));
        QCOMPARE(wordsOf(scope, ScopePart::TurnOutput, nullptr).full, QStringLiteral("1 token per turn"));
        QCOMPARE(wordsOf(scope, ScopePart::TurnOutput, nullptr, true).value, QStringLiteral("\u2265 1"));
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        bar.setScope(scope);
        const auto shown = [&] { return bar.chip(ScopePart::TurnOutput)->value(); };
        QVERIFY2(!shown().contains(u'\u2265'), qPrintable(shown()));
        bar.setOutputIsABound(true);
        QVERIFY2(shown().contains(u'\u2265'), qPrintable(shown()));
    }

    void filtersThatCannotApplyAreNotShown() {
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        bar.setScope(everything());
        QVERIFY(shownChips(bar) > 3);
        bar.setApplies(false);
        QCOMPARE(shownChips(bar), 0);
        bar.setScope(everything());
        QCOMPARE(shownChips(bar), 0);
        bar.setApplies(true);
        QVERIFY(shownChips(bar) > 3);
    }

    void datesAreTold_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("told");
        QTest::newRow("a day") << "2026-01-20T00:00:00Z"
                               << "2026-01-21T00:00:00Z"
                               << "2026-01-20";
        QTest::newRow("open end") << "2026-01-20T00:00:00Z"
                                  << ""
                                  << "from 2026-01-20";
        QTest::newRow("open start") << ""
                                    << "2026-01-21T00:00:00Z"
                                    << "up to 2026-01-20";
        QTest::newRow("within a day") << "2026-01-20T10:00:00Z"
                                      << "2026-01-20T11:30:00Z"
                                      << "2026-01-20 10:00:00 to 11:30:00";
    }

    void datesAreTold() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, told);
        Scope scope;
        if (!from.isEmpty()) {
            scope.from = at(from.toLatin1().constData());
        }
        if (!to.isEmpty()) {
            scope.to = at(to.toLatin1().constData());
        }
        QCOMPARE(wordsOf(scope, ScopePart::Dates, nullptr).value, told);
    }

    void aSingleSessionIsCalledByItsTitle() {
        const auto corpus = test::smallCorpus();
        Scope scope;
        scope.sessions = {"claude:beta_-1"};
        QCOMPARE(wordsOf(scope, ScopePart::Sessions, corpus.get()).value, QString("Write the docs"));
        QCOMPARE(wordsOf(scope, ScopePart::Sessions, nullptr).value, QString("beta_-1"));
    }

    void withoutTakesExactlyOnePart() {
        Scope scope = everything();
        for (const ScopePart part : scopeParts) {
            QCOMPARE(isActive(without(scope, part), part), false);
            scope = without(scope, part);
        }
        QVERIFY(scope == Scope());
    }

    void crossRemovesByMouse() {
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        bar.resize(1000, 40);
        bar.setScope(everything());
        bar.show();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        QCOMPARE(shownChips(bar), 6);
        QSignalSpy spy(&bar, &FilterBar::scopeChanged);
        FilterChip* chip = bar.chip(ScopePart::Models);
        QTest::mouseClick(chip, Qt::LeftButton, {}, chip->crossRect().center());
        QCOMPARE(spy.count(), 1);
        QVERIFY(bar.scope().models.empty());
        QCOMPARE(bar.scope().text, std::string("docs"));
        QCOMPARE(shownChips(bar), 5);
    }

    void deleteRemovesAndGoesOn() {
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        bar.resize(1000, 40);
        bar.setScope(everything());
        bar.show();
        bar.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&bar));
        bar.chip(ScopePart::Agents)->setFocus();
        QTest::keyClick(bar.chip(ScopePart::Agents), Qt::Key_Delete);
        QVERIFY(bar.chip(ScopePart::Dates)->hasFocus());
        QTest::keyClick(bar.focusWidget(), Qt::Key_Backspace);
        QTest::keyClick(bar.focusWidget(), Qt::Key_Delete);
        QTest::keyClick(bar.focusWidget(), Qt::Key_Delete);
        QVERIFY(bar.chip(ScopePart::Models)->hasFocus()); // nothing behind: the one before
        QCOMPARE(shownChips(bar), 2);
    }

    void clearAllClears() {
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        bar.setScope(everything());
        bar.show();
        QSignalSpy spy(&bar, &FilterBar::scopeChanged);
        for (QToolButton* button : bar.findChildren<QToolButton*>()) {
            if (button->text() == "Clear all") {
                QTest::mouseClick(button, Qt::LeftButton);
            }
        }
        QCOMPARE(spy.count(), 1);
        QVERIFY(bar.scope() == Scope());
        QCOMPARE(shownChips(bar), 0);
    }

    void settingEmitsNothing() {
        FilterBar bar;
        QSignalSpy spy(&bar, &FilterBar::scopeChanged);
        bar.setScope(everything());
        bar.setScope({});
        QCOMPARE(spy.count(), 0);
    }

    void menuTicksSeveralModels() {
        FilterBar bar;
        bar.setCorpus(test::smallCorpus());
        QSignalSpy spy(&bar, &FilterBar::scopeChanged);
        QMenu* menu = nullptr;
        for (QToolButton* button : bar.findChildren<QToolButton*>()) {
            menu = button->menu() ? button->menu() : menu;
        }
        QVERIFY(menu);
        emit menu->aboutToShow();
        QVERIFY(menu->actions().size() >= 5);
        QMenu* models = menu->actions().front()->menu();
        QVERIFY(models);
        QCOMPARE(models->actions().size(), 2);
        for (QAction* action : models->actions()) {
            action->trigger();
        }
        QCOMPARE(bar.scope().models.size(), 2U);
        models->actions().front()->trigger();
        QCOMPARE(bar.scope().models.size(), 1U);
        QCOMPARE(spy.count(), 3);
    }

    void choicesAreCounted() {
        const auto corpus = test::smallCorpus();
        const auto agents = choicesOf(*corpus, ScopePart::Agents);
        QCOMPARE(agents.size(), 2U);
        QCOMPARE(agents[0].value, std::string("main"));
        QCOMPARE(agents[0].count, 4U);
        QCOMPARE(agents[1].count, 1U);
        const auto projects = choicesOf(*corpus, ScopePart::Projects);
        QCOMPARE(projects.front().value, std::string("/home/ada/code/beta_"));
        QCOMPARE(projects.front().count, 2U);
    }

    void datesComeAsWholeDays() {
        DateRangePopup popup(nullptr);
        popup.setRange(at("2026-01-10T08:00:00Z"), at("2026-02-10T08:00:00Z"), {}, {});
        std::optional<TimeMs> from;
        std::optional<TimeMs> to;
        connect(&popup, &DateRangePopup::rangeChosen, &popup, [&](auto f, auto t) {
            from = f;
            to = t;
        });
        const auto button = [&](const QString& text) {
            for (QPushButton* candidate : popup.findChildren<QPushButton*>()) {
                if (candidate->text() == text) {
                    candidate->click();
                }
            }
        };
        button("Last 7 days");
        QVERIFY(from && *from == at("2026-02-04T00:00:00Z"));
        QVERIFY(!to); // the data's end stays open
        const auto fields = popup.findChildren<QDateEdit*>();
        QCOMPARE(fields.size(), 2);
        fields[0]->setDate(QDate(2026, 1, 12));
        fields[1]->setDate(QDate(2026, 1, 13));
        QTest::keyClick(&popup, Qt::Key_Return);
        QVERIFY(from && *from == at("2026-01-12T00:00:00Z"));
        QVERIFY(to && *to == at("2026-01-14T00:00:00Z"));
        fields[0]->setDate(QDate(2026, 1, 20)); // the last day follows the first
        QCOMPARE(fields[1]->date(), QDate(2026, 1, 20));
    }

    void chipsWrapWhereThereIsNoRoom() {
        FilterBar bar;
        bar.setScope(everything());
        QVERIFY(bar.heightForWidth(300) > 2 * bar.heightForWidth(2000));
    }
};

QTEST_MAIN(FilterBarTest)
#include "filter_bar_test.moc"
