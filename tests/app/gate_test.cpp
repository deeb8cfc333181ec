// One more study in the list has everything that a study has, and no product file knows of it.
#include "app/pages/study/study_page.h"
#include "app/window/export/export_flow.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/gate_studies.h"
#include "tests/app/window_fixture.h"
#include "ui/chart/export_drawing.h"
#include "ui/form/value_slider.h"
#include "ui/panel/frame/room_tabs.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/simulation/fact_strip.h"
#include "ui/table/report_tables.h"

#include <QImage>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QToolBar>
#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class GateTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_, out_;
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const ask::Study& study() const { return *studyNamed("long-calls"); }

    [[nodiscard]] Page pageOfIt() const {
        return pageOfStudy(static_cast<std::size_t>(&study() - studies().data()));
    }

    [[nodiscard]] StudyPage& page() const { return f().page<StudyPage>(pageOfIt()); }

    [[nodiscard]] std::string textOf(const char* field) const {
        const ask::Question question = f().bench().state().questions[study()];
        return ask::textOf(ask::fieldOf(study().fields(), field), question.data());
    }

    void set(const char* field, const char* text) const {
        ask::Question question = f().bench().state().questions[study()];
        QVERIFY(ask::readText(ask::fieldOf(study().fields(), field), text, question.data()));
        f().bench().setQuestion(study(), question, "Change it");
    }

    [[nodiscard]] QString answered() const {
        return QString::fromStdString(f().bench().runner(study()).shown()->report->headline);
    }

    [[nodiscard]] Ended gate(const QStringList& arguments) const {
        return runLoadline(arguments, {}, QStringLiteral(LOADLINE_GATE));
    }

private slots:

    void initTestCase() { made_up::writeThree(sessions_.path()); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>(made_up::gateStudies());
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(f().show(pageOfIt()));
    }

    void cleanup() { fixture_.reset(); }

    void itHasAPageAndAnEntryInThePalette() {
        QAction* const action = f().window->actions()[pageOfIt()];
        QCOMPARE(action->text(), QString("Long calls"));
        QVERIFY(!action->icon().isNull() && !action->toolTip().isEmpty());
        const auto* tabs = f().window->findChild<ui::RoomTabs*>();
        QCOMPARE(tabs->tabText(tabs->currentIndex()), QString("Long calls"));
        const auto entries = f().window->actions().paletteEntries();
        QVERIFY(
            std::ranges::any_of(entries, [](const auto& entry) { return entry.id == "page:long-calls"; }));
        f().bench().showPage(Page::Sessions);
        QVERIFY(f().window->actions().trigger("page:long-calls"));
        QCOMPARE(f().bench().state().page, pageOfIt());
    }

    void itHasAFormFactsChartsAndATable() {
        QVERIFY(page().form()->control("limit") && page().form()->control("repeats"));
        QCOMPARE(page().facts()->facts().size(), 1U);
        QCOMPARE(page().grid()->count(), 2);
        QVERIFY(!page().frame()->isEmpty());
        QCOMPARE(page().tables()->count(), 1);
        QCOMPARE(page().tables()->table(0)->model()->rowCount(), 24);
        QVERIFY(!f().tableOf(pageOfIt()).rows.empty());
        for (QWidget* part :
             std::initializer_list<QWidget*>{&page(), page().grid()->view(0), page().tables()->table(0),
                                             page().form()->control("limit")->findChild<QSlider*>()}) {
            QVERIFY2(!part->accessibleName().isEmpty(), part->metaObject()->className());
        }
    }

    void aGripMovesAFieldAtOnceAndUndoBringsItBack() {
        const QString before = answered();
        ui::PlotView* view = page().grid()->view(0);
        const std::string limit = textOf("limit");
        emit page().grid()->dragBegan();
        const auto change = view->drawing()->stepped(0, 1);
        QVERIFY(change && change->fields.front().field == "limit");
        emit view->changed(*change, false);
        QVERIFY(textOf("limit") != limit);
        QCOMPARE(answered(), before); // the marker is ahead of the answer
        emit view->changed(*change, true);
        QVERIFY(f().settle());
        f().trigger(ActionId::Undo);
        QCOMPARE(textOf("limit"), limit);
        QVERIFY(f().settle());
        QCOMPARE(answered(), before);
    }

    void aCancelledDragChangesNothing() {
        const std::string limit = textOf("limit");
        const int steps = f().bench().undoStack().count();
        ui::PlotView* view = page().grid()->view(0);
        emit view->dragBegan();
        emit view->changed(*view->drawing()->stepped(0, 1), false);
        QVERIFY(textOf("limit") != limit);
        emit view->dragCancelled();
        QCOMPARE(textOf("limit"), limit);
        QCOMPARE(f().bench().undoStack().count(), steps);
        QVERIFY(f().settle());
    }

    void aPreviewIsRefinedAndCanBeStopped() {
        QSignalSpy answers(&f().bench().runner(study()), &StudyRunner::answered);
        set("repeats", "2");
        QVERIFY(f().settle());
        QCOMPARE(answers.count(), 2);
        QVERIFY(f().bench().runner(study()).shown()->stage == ask::Stage::Refined);
        set("repeats", "1000000000000");
        QTRY_VERIFY(page().progress()->isVisible());
        page().progress()->button()->click();
        QVERIFY(f().settle());
        QVERIFY(f().bench().runner(study()).isStopped());
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
    }

    void aProblemIsSaidAndGoesAgain() {
        set("limit", "10000000");
        QVERIFY(f().settle());
        QVERIFY(page().frame()->isEmpty());
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
        QVERIFY(!page().frame()->isEmpty());
    }

    void itsQuestionAndPageComeBack() {
        set("limit", "77");
        f().restart();
        QCOMPARE(textOf("limit"), std::string("77"));
        QCOMPARE(f().bench().state().page, pageOfIt());
    }

    void aPictureKnowsTheCommandThatDrawsItAgain() {
        set("limit", "300");
        QVERIFY(f().settle());
        const QString first = out_.filePath("first.png");
        QSignalSpy saved(&f().window->exportFlow(), &ExportFlow::saved);
        f().window->exportTo(first);
        QVERIFY(saved.wait(20'000));
        const QString command = ui::commandInPng(first.toStdString());
        QVERIFY2(command.contains("--limit 300"), qPrintable(command));
        const QImage before(first);
        QVERIFY(QFile::remove(first));
        const Ended again = gate(QProcess::splitCommand(command).mid(1));
        QVERIFY2(again.status == 0, again.err.constData());
        QCOMPARE(QImage(first), before);
    }

    void closedSessionsLeaveNothingBehind() {
        f().window->closeFiles();
        QVERIFY(f().bench().runner(study()).shown() == nullptr);
        QVERIFY(page().frame()->isEmpty() && page().facts()->facts().empty());
        QCOMPARE(page().tables()->count(), 0);
    }

    void aStoppedAnswerStaysStoppedUntilItIsAskedAnew() {
        set("repeats", "1000000000000");
        QTRY_VERIFY(page().progress()->isVisible());
        page().progress()->button()->click();
        Asked another = f().bench().state().asked;
        another.selfCheck.run = "elsewhere";
        f().bench().setAsked(another, "Change another question");
        QVERIFY(f().bench().runner(study()).isStopped() && f().bench().isSettled());
        f().trigger(ActionId::Undo);
        QVERIFY(f().bench().runner(study()).isStopped() && f().bench().isSettled());
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
        QVERIFY(!f().bench().runner(study()).isStopped() && !f().bench().runner(study()).isBehind());
    }

    void aRefinedAnswerIsNotComputedAnewWhenItsPageComesBack() {
        QSignalSpy running(&f().bench().runner(study()), &StudyRunner::runningChanged);
        f().bench().showPage(Page::Sessions);
        QVERIFY(f().show(pageOfIt()));
        QVERIFY(running.isEmpty());
        QCOMPARE(page().facts()->facts().size(), 1U);
    }

    void theCommandPrintsEveryForm() {
        const QString path = sessions_.path();
        const Ended help = gate({"long-calls", "--help"});
        QVERIFY(help.out.contains("--limit") && help.out.contains("Tokens from which on a call is long"));
        QVERIFY(gate({"--help"}).out.contains("long-calls"));
        QVERIFY(gate({"--help=bash"}).out.contains("--repeats"));
        const QJsonObject document = gate({"long-calls", path, "--limit", "1", "--json"}).json();
        QCOMPARE(document["schema"].toString(), QString("loadline.long-calls/1"));
        QVERIFY(document["long_calls"].toInt() > 0);
        QCOMPARE(document["curve"].toArray().size(), 24);
        const Ended csv = gate({"long-calls", path, "--limit", "1", "--csv", "-"});
        QVERIFY2(csv.out.startsWith("tokens,calls\n1,"), csv.out.constData());
        QVERIFY(gate({"long-calls", path, "--limit", "1", "--markdown"}).out.contains("| tokens | calls |"));
        QVERIFY(gate({"long-calls", path, "--limit", "1"}).out.contains("calls are long"));
        QCOMPARE(gate({"long-calls", path, "--limit", "10000000"}).status, 1);
        QCOMPARE(gate({"long-calls", path, "--limit", "none"}).status, 2);
        QVERIFY(gate({"export", "--list"}).out.contains("long-steps"));
        const QString csvFile = out_.filePath("steps.csv");
        QCOMPARE(gate({"export", "long-steps", path, "--limit", "5", "--out", csvFile}).status, 0);
        QVERIFY(contentOf(csvFile).startsWith("tokens,calls\n"));
        QCOMPARE(gate({"export", "page", "long-calls", path, "--out", out_.filePath("page.png")}).status, 0);
    }
};

QTEST_MAIN(GateTest)
#include "gate_test.moc"
