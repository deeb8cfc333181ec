// What the window says beside an answer: lower bounds with their switch, what does not fit, cut rules.
#include "app/chart/chart_request.h"
#include "app/pages/simulation/simulation_page.h"
#include "core/simulate/run/schedule_memo.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/segments.h"
#include "ui/panel/simulation/served_strip.h"

#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QPushButton>

using namespace loadline;
using namespace loadline::app;

namespace {

constexpr auto boundWords = "The output of 12 of 12 API calls is a lower bound";

/// A session whose log tells only how each answer began: far more is visible of it than is counted.
bool writeBounds(const QString& root) {
    QByteArray text = made_up::textOf({1, 12, "alpha", "claude-made-up-1", {}});
    text.replace("\"stop_reason\":\"end_turn\"", "\"stop_reason\":null");
    text.replace("\"text\":\"answer ", "\"text\":\"" + QByteArray(8000, 'x'));
    QDir().mkpath(root + "/projects/-home-me-alpha");
    QFile file(root + "/projects/-home-me-alpha/" + made_up::idOf(1) + ".jsonl");
    return file.open(QIODevice::WriteOnly) && file.write(text) == text.size();
}

} // namespace

class AnswersWindowTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<made_up::WindowFixture> fixture_;
    QTemporaryDir sessions_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] const SimulationRequest& request() const { return f().bench().state().simulation; }

    [[nodiscard]] SimulationPage& page(Page which) const { return f().page<SimulationPage>(which); }

    [[nodiscard]] QString sentence(Page which) const {
        const auto& drawing = page(which).frame()->drawing();
        return drawing ? drawing->sentence() : QString();
    }

    [[nodiscard]] bool arrived() const {
        return QTest::qWaitFor([&] { return f().bench().simulation().isSettled(); }, 60'000);
    }

    [[nodiscard]] bool show(const SimulationRequest& request, Page which) const {
        f().bench().setSimulation(request, "test");
        f().trigger(which);
        return arrived();
    }

    [[nodiscard]] ui::Segments* outputs(Page which) const {
        return qobject_cast<ui::Segments*>(page(which).panel()->control("outputs"));
    }

    static SimulationRequest ofModel(const char* profile, int kBits) {
        SimulationRequest request;
        request.shapes = "llama-3.1-70b";
        request.profile = profile;
        request.weights = storageOfBits(kBits);
        request.policy.memoryShare = 0.95; // at k = 2 it fits
        return request;
    }

    static SimulationRequest ofSessions() {
        SimulationRequest request;
        request.workload = openWorkload;
        request.outputs = OutputCounts::Recorded;
        request.policy.policy = Policy::SinglePrefill;
        request.policy.chunkTokens = 512;
        return request;
    }

private slots:

    void initTestCase() { QVERIFY(writeBounds(sessions_.path())); }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void sessionsAreListedOnceASimulationIsOfThem() {
        f().trigger(Page::Simulator); // without any
        const auto* list = f().window->findChild<QDockWidget*>("sessions");
        QVERIFY(list && !list->isVisible());
        QVERIFY(f().open(sessions_.path()));
        f().trigger(Page::Simulator);
        QTRY_VERIFY(list->isVisible());
        const auto shown = [this] {
            const Simulated last = f().bench().simulation().shown(settingStudy);
            return last && last->simulator &&
                   last->simulator->inputs.workload->kind == WorkloadKind::Sessions;
        };
        QTRY_VERIFY_WITH_TIMEOUT(shown(), 60'000);
        QCOMPARE(page(Page::Simulator).served()->table().formats,
                 (std::vector<std::string>{"k = 4", "fp16"}));
        QVERIFY(page(Page::Simulator).served()->isVisible());
    }

    void lowerBoundsAreSaidBesideEveryAnswer_data() {
        QTest::addColumn<Page>("which");
        QTest::newRow("simulator") << Page::Simulator;
        QTest::newRow("crossover") << Page::Crossover;
        QTest::newRow("what pays") << Page::WhatPays;
        QTest::newRow("batch") << Page::Batch;
    }

    void lowerBoundsAreSaidBesideEveryAnswer() {
        QFETCH(Page, which);
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(show(ofSessions(), which));
        QVERIFY2(sentence(which).contains(boundWords), qPrintable(sentence(which)));
        QVERIFY(outputs(which)->isVisibleTo(page(which).panel()));
        QCOMPARE(outputs(which)->current(), 1);
        SimulationRequest reference = ofSessions();
        reference.workload = "reference";
        QVERIFY(show(reference, which));
        QVERIFY(!sentence(which).contains("lower bound"));
        QVERIFY(!outputs(which)->isVisibleTo(page(which).panel()));
    }

    void theSwitchIsAParameterLikeAnyOther() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(show(ofSessions(), Page::Simulator));
        const QString recorded = sentence(Page::Simulator);
        emit outputs(Page::Simulator)->chosen(2);
        QVERIFY(arrived());
        QVERIFY(request().outputs == OutputCounts::Visible);
        QVERIFY(sentence(Page::Simulator) != recorded);
        QVERIFY2(sentence(Page::Simulator).contains("Output is at least what is visible of it"),
                 qPrintable(sentence(Page::Simulator)));
        const std::string command = commandFor(page(Page::Simulator).request(), {}, "chart.png");
        QVERIFY2(command.find("--outputs visible") != std::string::npos, command.c_str());
        f().trigger(ActionId::Undo);
        QVERIFY(arrived());
        QVERIFY(request().outputs == OutputCounts::Recorded);
        QCOMPARE(outputs(Page::Simulator)->current(), 1);
        QCOMPARE(sentence(Page::Simulator), recorded);
        f().trigger(ActionId::Redo);
        QVERIFY(request().outputs == OutputCounts::Visible);
        f().restart();
        QVERIFY(request().outputs == OutputCounts::Visible);
    }

    void thePaletteHasTheSwitch() {
        QVERIFY(f().open(sessions_.path()));
        QVERIFY(show(ofSessions(), Page::Crossover));
        f().trigger(ActionId::FindAnything);
        auto* palette = f().window->findChild<ui::CommandPalette*>();
        QVERIFY(palette);
        emit palette->activated("simulate:outputs:visible");
        QVERIFY(arrived());
        QVERIFY(request().outputs == OutputCounts::Visible);
        palette->hide();
    }

    void whatDoesNotFitIsTheHeadline_data() {
        QTest::addColumn<Page>("which");
        QTest::newRow("simulator") << Page::Simulator;
        QTest::newRow("crossover") << Page::Crossover;
        QTest::newRow("what pays") << Page::WhatPays;
    }

    void whatDoesNotFitIsTheHeadline() {
        QFETCH(Page, which);
        QVERIFY(show(ofModel("rtx4090-published", 4), which));
        QVERIFY2(sentence(which).startsWith("Llama-3.1-70B at k = 4 does not fit: its weights take 37.8 GiB"),
                 qPrintable(sentence(which)));
        QVERIFY2(page(which).remedies()->isVisibleTo(&page(which)), "what would do is a button");
        const Table tooLarge = f().tableOf(which);
        for (const std::string& column : tooLarge.columns) {
            QVERIFY2(column != "time_vs_fp16", "a curve that pretends");
        }
        for (QPushButton* button : page(which).remedies()->findChildren<QPushButton*>()) {
            QVERIFY(f().bench().state().simulation == ofModel("rtx4090-published", 4));
            if (!button->isVisibleTo(page(which).remedies())) {
                continue; // with fewer bits its longest turns do not fit either
            }
            button->click();
            const SimulationRequest taken = f().bench().state().simulation;
            QVERIFY(taken.weights == Storage::K2 || taken.profile.starts_with("roofline:"));
            QVERIFY(show(taken, which));
            QVERIFY2(!page(which).remedies()->isVisibleTo(&page(which)), "it fits now");
            QVERIFY2(!sentence(which).contains("k = 4 does not fit"), qPrintable(sentence(which)));
            QVERIFY(show(ofModel("rtx4090-published", 4), which));
        }
        QVERIFY(show(ofModel("rtx4090-published", 2), which)); // that fits, fp16 does not
        QVERIFY2(!sentence(which).contains("k = 2 does not fit"), qPrintable(sentence(which)));
        const bool compares = which != Page::WhatPays; // which is of k's own time
        QVERIFY2(sentence(which).contains("fp16 does not fit: needs 131 GiB of 24 GiB") == compares,
                 qPrintable(sentence(which)));
        SimulationRequest layer;
        layer.shapes = "study";
        QVERIFY(show(layer, which)); // nobody knows
        QVERIFY2(!sentence(which).contains("not fit"), qPrintable(sentence(which)));
    }

    static SimulationShown refinedOf(const Study& study, const SimulationRequest& request) {
        auto sources =
            std::make_shared<const SourcesShown>(sourcesOf(namesOf(request), nullptr, nullptr, {}));
        return simulated({&study, request, std::move(sources)}, FigureStage::Refined,
                         {nullptr, std::make_shared<ScheduleMemo>()}, {});
    }

    void whatPaysBeginsWithTheSimulatorsAnswer() {
        SimulationRequest request; // step by step
        request.length.iterations = 300;
        request.replicas = 5;
        const SimulationShown simulator = refinedOf(settingStudy, request);
        const SimulationShown pays = refinedOf(paysStudy, request);
        QVERIFY(!simulator.error && !pays.error);
        const auto figure = pays.figure.as<WhatPays>();
        QCOMPARE(figure->timeVsFp16, simulator.simulator->timeVsFp16.value);
        const auto own =
            std::ranges::find(simulator.simulator->crossovers, request.weights, &Crossover::weights);
        QVERIFY(own != simulator.simulator->crossovers.end() && !own->crossings.empty());
        QVERIFY(figure->crossing);
        QCOMPARE(*figure->crossing, own->crossings.front().users);
    }

    void aRuleThatIsCutIsSaid() {
        SimulationRequest cut;
        cut.rule = "scalar:64,dequant_cublas";
        QVERIFY(show(cut, Page::Simulator));
        QVERIFY2(sentence(Page::Simulator)
                     .contains("Scalar GEMV serves up to M = 4, the most that it was "
                               "timed at, and not up to 64 as the rule says"),
                 qPrintable(sentence(Page::Simulator)));
    }
};

QTEST_MAIN(AnswersWindowTest)

#include "answers_window_test.moc"
