// The Cache page in the window: sessions or a trace, sliders and drags undone, breaks in their timeline, the
// simulator with this cache.
#include "app/pages/cache/cache_page.h"

#include "app/chart/cache_chart.h"
#include "app/choices/cache_choices.h"
#include "app/choices/session_choices.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/cache/break_list.h"
#include "ui/panel/cache/cache_panel.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/elided_edit.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/part/progress_strip.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/scope/filter_bar.h"
#include "ui/panel/scope/filter_chip.h"
#include "ui/panel/scope/scope_words.h"
#include "ui/panel/simulation/value_slider.h"

#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QToolButton>

#include <memory>

using namespace loadline;
using namespace loadline::app;

class CachePageTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir sessions_;
    QTemporaryDir traces_;
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] CachePage& page() const { return f().page<CachePage>(Page::Cache); }

    [[nodiscard]] const Choices& choices() const { return f().bench().state().choices; }

    [[nodiscard]] QString tracePath() const { return traces_.filePath("trace.jsonl"); }

    [[nodiscard]] bool showsTrace() const {
        return QTest::qWaitFor(
            [this] {
                const auto shown = f().bench().shown<CacheShown>(Page::Cache);
                return shown && shown->trace == tracePath().toStdString();
            },
            20'000);
    }

    static void writeTrace(const QString& path) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        for (int i = 0; i < 40; ++i) {
            QByteArray ids;
            for (int block = 0; block <= i / 2; ++block) {
                ids += (block > 0 ? "," : "") + QByteArray::number(block);
            }
            file.write("{\"timestamp\":" + QByteArray::number(1000 * i) +
                       ",\"input_length\":" + QByteArray::number(512 * (i / 2 + 1)) +
                       ",\"output_length\":20,\"hash_ids\":[" + ids + "]}\n");
        }
    }

private slots:

    void initTestCase() {
        QVERIFY(made_up::writeThreeWithABreak(sessions_.path()));
        writeTrace(tracePath());
    }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void theOpenSessionsAreShown() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(!page().frame()->isEmpty());
        QCOMPARE(page().grid()->count(), 5);
        for (int i = 0; i < page().grid()->count(); ++i) {
            QVERIFY(!page().grid()->view(i)->drawing()->table().rows.empty());
        }
        QVERIFY(page().tiles()->isVisible() && page().tiles()->tiles().size() == 7);
        QCOMPARE(page().breaks()->breakModel().rowCount(), 1);
        QCOMPARE(page().breaks()->breakModel().at(0)->paidAgain, 11'300);
        QVERIFY(page().breaks()->isVisible());
    }

    void aNarrowerScopeCountsLess() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const auto requests = [this] {
            return f().bench().shown<CacheShown>(Page::Cache)->figure->input().n;
        };
        QCOMPARE(requests(), 36U);
        Scope scope;
        scope.sessions = {f().keyOf(2)};
        f().bench().setScope(scope, "one");
        QVERIFY(f().settle());
        QCOMPARE(requests(), 12U);
    }

    void slidersAreLiveAndUndone() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Choices before = choices();
        const QString sentence = page().grid()->view(1)->drawing()->sentence();
        QLineEdit* field = page().panel()->ttl()->field();
        field->setText("60");
        field->setModified(true);
        emit field->editingFinished();
        QCOMPARE(choices()[choices::ttlS], 60.0);
        QVERIFY(page().grid()->view(1)->drawing()->sentence() != sentence);
        QComboBox* model = page().panel()->model();
        model->setCurrentIndex(model->findText("llama-3.1-8b"));
        emit model->activated(model->currentIndex());
        QVERIFY(page().grid()->view(0)->drawing()->sentence().contains("llama-3.1-8b"));
        f().trigger(ActionId::Undo);
        f().trigger(ActionId::Undo);
        QCOMPARE(choices(), before);
        QCOMPARE(page().grid()->view(1)->drawing()->sentence(), sentence);
    }

    void aDragIsOneStep() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Choices before = choices();
        emit page().grid()->dragBegan();
        for (const double gb : {500.0, 600.0, 700.0}) {
            ui::PlotChange change;
            change.tier = ui::PlotChange::Tier{1, gb};
            emit page().grid()->changed(0, change, gb == 700.0);
        }
        QCOMPARE(cacheSettings(choices()).tiers[1].capacityGB, 700.0);
        f().trigger(ActionId::Undo);
        QCOMPARE(choices(), before);
    }

    void aClickOnAMarkMovesNothing() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        Choices odd = choices();
        odd.set(choices::tiers, "HBM:30720.4:100:0");
        f().bench().setChoices(odd, "tiers");
        emit page().grid()->dragBegan();
        ui::PlotChange change;
        change.tier = ui::PlotChange::Tier{0, 30720.4};
        emit page().grid()->changed(0, change, true);
        QCOMPARE(choices(), odd);
    }

    void theRoomFollowsTheModelsWeights() {
        const CacheSettings usual = cacheSettings(choices());
        QCOMPARE(usual.tiers[1].capacityGB, 293.0); // 576 GB less 141.2 in each of 2 replicas
        const CacheSettings small = withModel(usual, "llama-3.1-8b");
        QCOMPARE(small.tiers[1].capacityGB, 447.0);                         // less 16.06 in each of 8
        QCOMPARE(withModel(small, "deepseek-v3").tiers[1].capacityGB, 0.0); // its weights take all
        CacheSettings own = usual;
        own.tiers[1].capacityGB = 300;
        QCOMPARE(withModel(own, "llama-3.1-8b").tiers[1].capacityGB, 300.0);
    }

    void sizesOfPartsComeBack() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        page().setParts({0, 0, 500, 130});
        f().restart();
        QVERIFY(f().window->banner().isHidden()); // nothing was damaged
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QCOMPARE(page().parts(), QList<int>({0, 0, 500, 130}));
    }

    void wrongTiersAreRefusedInWords() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Choices before = choices();
        page().panel()->tiers()->setText("HBM:lots:1");
        page().panel()->tiers()->setModified(true);
        emit page().panel()->tiers()->editingFinished();
        QCOMPARE(choices(), before);
        QVERIFY(made_up::textOf(*page().panel()).contains("HBM"));
    }

    void aTraceIsOpenedAndClosed() {
        f().window->openPaths({tracePath()});
        QCOMPARE(f().bench().state().page, Page::Cache);
        QVERIFY(f().bench().progressOf(Page::Cache)); // and the page, made after that, follows it
        QVERIFY(made_up::textOf(page()).contains("Counting"));
        QVERIFY(showsTrace());
        QVERIFY(!page().frame()->isEmpty() && !page().breaks()->isVisible());
        QCOMPARE(f().bench().shown<CacheShown>(Page::Cache)->figure->input().n, 40U);
        QVERIFY(page().request().chart->subject == ChartSubject::Cache && !needsCorpus(page().request()));
        f().restart();
        QCOMPARE(choices()[choices::trace], tracePath().toStdString());
        f().trigger(Page::Cache);
        QVERIFY(showsTrace());
        f().trigger(ActionId::CloseFiles);
        QCOMPARE(choices()[choices::trace], std::string());
    }

    void thePaletteKnowsTheCachesChoices() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        f().trigger(Page::Kernels);
        f().trigger(ActionId::FindAnything);
        auto* palette = f().window->findChild<ui::CommandPalette*>();
        QVERIFY(palette);
        std::vector<ui::PaletteEntry> found;
        for (const ui::PaletteEntry& entry : cacheEntries()) {
            if (entry.title.contains("cache ttl", Qt::CaseInsensitive)) {
                found.push_back(entry);
            }
        }
        QVERIFY(found.size() >= 2);
        const double before = choices()[choices::ttlS];
        emit palette->activated("cache:cache/ttl_s:3600");
        QCOMPARE(choices()[choices::ttlS], 3600.0);
        QCOMPARE(f().bench().state().page, Page::Cache);
        for (const ui::PaletteEntry& entry : cacheEntries()) {
            emit palette->activated(entry.id); // each is a word that its choice takes
            const std::string word = entry.id.section(':', 2).toStdString();
            const bool ttl = entry.id.contains("ttl");
            QCOMPARE(ttl ? choices().word(choices::ttlS.spec) : choices().word(choices::cacheModel.spec),
                     word);
        }
        QVERIFY(before != 3600.0);
        palette->hide();
    }

    void sessionsAndATraceAreShownOneAtATime() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(f().bench().shown<CacheShown>(Page::Cache)->trace.empty());
        QVERIFY(needsCorpus(page().request()));
        Choices next = choices();
        Scope scope;
        scope.text = "question";
        f().bench().setScope(scope, "Filter");
        auto* filters = f().window->findChild<ui::FilterBar*>();
        QVERIFY(filters->chip(ui::ScopePart::Text)->isVisible());
        QVERIFY(made_up::textOf(*f().window->findChild<ui::StatusLine*>()).contains("3 sessions"));
        next.set(choices::traceShown, true);
        f().bench().setChoices(next, "switch");
        QVERIFY(showsTrace());
        QVERIFY(!filters->chip(ui::ScopePart::Text)->isVisible());
        QVERIFY(!made_up::textOf(*f().window->findChild<ui::StatusLine*>()).contains("3 sessions"));
        QCOMPARE(f().bench().state().scope, scope);
        f().trigger(ActionId::Undo);
        QVERIFY(filters->chip(ui::ScopePart::Text)->isVisible());
        f().trigger(ActionId::Undo);
        f().trigger(ActionId::Redo);
        f().trigger(ActionId::Redo);
        QVERIFY(showsTrace());
        f().trigger(ActionId::Undo);
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
        QVERIFY(f().settle());
        QVERIFY(f().bench().shown<CacheShown>(Page::Cache)->trace.empty());
    }

    void aFolderOfTracesIsOneTrace() {
        f().window->openPaths({traces_.path()});
        QVERIFY(QTest::qWaitFor([this] { return f().bench().state().page == Page::Cache; }, 20'000));
        QVERIFY(QTest::qWaitFor(
            [this] {
                const auto shown = f().bench().shown<CacheShown>(Page::Cache);
                return shown && shown->figure && shown->figure->input().n == 40;
            },
            20'000));
        QVERIFY(page().simulateButton()->isEnabled());
        page().simulateButton()->click();
        QCOMPARE(f().bench().state().simulation.workload.name, traces_.path().toStdString());
        QVERIFY(QTest::qWaitFor([this] { return f().bench().simulation().isSettled(); }, 60'000));
        const auto sources = f().bench().simulation().sources();
        QVERIFY(sources && sources->sources.workload && !sources->error);
        QCOMPARE(sources->sources.workload->requests.size(), std::size_t{40});
    }

    void readingForTheSimulatorIsGivenUpAndTakenUpAgain() {
        f().window->openPaths({traces_.path()});
        QVERIFY(QTest::qWaitFor([this] { return f().bench().state().page == Page::Cache; }, 20'000));
        QTRY_VERIFY_WITH_TIMEOUT(page().simulateButton()->isEnabled(), 20'000);
        page().simulateButton()->click();
        SimulationBench& simulation = f().bench().simulation();
        QVERIFY(simulation.isReading());
        simulation.stopRefining();
        QVERIFY(simulation.isStopped() && !simulation.isReading());
        QTest::qWait(300);
        QVERIFY(!simulation.isSettled()); // nothing of another workload is shown for it
        simulation.refine();
        QVERIFY(simulation.isReading());
        QVERIFY(QTest::qWaitFor([&] { return simulation.isSettled(); }, 60'000));
        QVERIFY(!simulation.sources()->error);
    }

    void aClickInTheTimeToLiveIsOneStep() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Choices before = choices();
        ui::PlotView* view = page().grid()->view(1);
        const QPoint at(view->width() * 3 / 4, view->height() / 2);
        QTest::mouseClick(view, Qt::LeftButton, {}, at);
        const double set = choices()[choices::ttlS];
        QVERIFY(set != before[choices::ttlS]);
        QTest::mouseClick(view, Qt::LeftButton, {}, at); // where it is by now
        QCOMPARE(choices()[choices::ttlS], set);
        f().trigger(ActionId::Undo);
        QCOMPARE(choices(), before);
    }

    void chartsOfAPageAreCountedOnce() {
        ChartMemory memory;
        std::shared_ptr<const CacheShown> counted;
        for (const ChartSpec* chart : charts::cacheCharts) {
            ChartRequest request;
            request.chart = chart;
            request.choices.set(choices::trace, tracePath().toStdString());
            QVERIFY(drawingFor(request, nullptr, &memory));
            QVERIFY(memory.cache && (!counted || memory.cache == counted));
            counted = memory.cache;
        }
        ChartRequest other;
        other.chart = charts::cacheCharts[0];
        other.choices.set(choices::trace, traces_.path().toStdString());
        QVERIFY(drawingFor(other, nullptr, &memory));
        QVERIFY(memory.cache != counted);
    }

    void thePictureSaysWhatIsSet() {
        ChartRequest request;
        request.chart = &charts::cacheCapacity;
        request.choices.set(choices::trace, tracePath().toStdString());
        request.choices.set(choices::tensorParallel, 8);
        const std::string words = captionFor(request, nullptr);
        QVERIFY2(words.ends_with("; 8 x H100 SXM; llama-3.3-70b, 2 bytes a value, TP 8"), words.c_str());
        request.chart = &charts::cacheTtl; // depends on none of them
        QVERIFY(captionFor(request, nullptr).find("TP") == std::string::npos);
    }

    void whatIsNoTraceIsSaid() {
        Choices next = choices();
        next.set(choices::trace, traces_.filePath("missing.jsonl").toStdString());
        f().bench().setChoices(next, "missing");
        f().trigger(Page::Cache);
        QVERIFY(QTest::qWaitFor([this] { return f().bench().shown<CacheShown>(Page::Cache) != nullptr; },
                                20'000));
        QVERIFY(page().frame()->isEmpty());
        QVERIFY(made_up::textOf(page()).contains("missing.jsonl"));
    }

    void aTracesChartsAreDrawnAgainByTheirCommands() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        const std::vector<ChartRequest> requests = page().requests();
        QCOMPARE(requests.size(), 5U);
        for (std::size_t i = 0; i < requests.size(); ++i) {
            QVERIFY(commandFor(requests[i], {}, "out.png").find("--trace " + tracePath().toStdString()) !=
                    std::string::npos);
            const ChartDrawing again = drawingFor(relevantPart(requests[i]), nullptr);
            QVERIFY(again);
            QCOMPARE((*again)->table(), page().grid()->view(static_cast<int>(i))->drawing()->table());
        }
    }

    void whatIsNotShownIsNotInTheCommand() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(commandFor(page().request(), {}, "out.png").find("--trace") == std::string::npos);
    }

    void theSimulatorTakesThisCache() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const SimulationRequest before = f().bench().state().simulation;
        page().simulateButton()->click();
        const WorkbenchState& state = f().bench().state();
        QCOMPARE(state.page, Page::Simulator);
        QVERIFY(state.simulation.policy.prefixCache && state.simulation.policy.kvBlocks);
        // Half of 293 GB, a replica's, of 327 680 bytes a token, in whole blocks of 16
        QCOMPARE(*state.simulation.policy.kvBlocks, std::int64_t{27'942});
        QCOMPARE(state.simulation.workload.name, std::string(openWorkload));
        QCOMPARE(state.simulation.shapes, std::string("llama-3.1-70b"));
        QCOMPARE(state.simulation.profile, std::string("roofline:H100-SXM"));
        QVERIFY(state.against && !state.against->policy.prefixCache);
        QCOMPARE(state.against->policy.kvBlocks, state.simulation.policy.kvBlocks);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation, before);
        QVERIFY(!f().bench().state().against);
    }

    void theMemoryIsNoCacheOfTheChip() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        Choices next = choices();
        next.set(choices::tiers, "b200-node"); // whose L2 takes more than 1 GB
        f().bench().setChoices(next, "tiers");
        page().simulateButton()->click();
        QVERIFY(*f().bench().state().simulation.policy.kvBlocks > 200'000);
        next.set(choices::tiers, "b200-node,HBM:1000000");
        f().bench().setChoices(next, "more");
        f().trigger(Page::Cache);
        page().simulateButton()->click();
        QVERIFY(!problemOf(f().bench().state().simulation)); // no more than the simulator takes
    }

    void whatWasCountedIsShownAgain() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        Choices next = choices();
        next.set(choices::traceShown, false);
        f().bench().setChoices(next, "sessions, of which there are none");
        QVERIFY(page().frame()->isEmpty());
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
        QVERIFY(!page().frame()->isEmpty());
    }

    void countingIsStoppedAndTakenUpAgain() {
        QVERIFY(f().open(sessions_.path()));
        f().bench().showPage(Page::Cache);
        (void)page();
        f().bench().computeAgain(Page::Cache); // under way
        emit page().progress()->stopRequested();
        QVERIFY(f().bench().isSettled());
        QVERIFY(page().frame()->isEmpty() && made_up::textOf(page()).contains("Nothing is counted."));
        emit page().frame()->emptyActionRequested();
        QVERIFY(f().settle());
        QVERIFY(!page().frame()->isEmpty());
    }
};

QTEST_MAIN(CachePageTest)
#include "cache_page_test.moc"
