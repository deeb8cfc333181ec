// The Cache page on a trace: opened, closed, beside sessions, simulated, drawn again by its commands.
#include "app/asked/asked.h"
#include "app/chart/cache_chart.h"
#include "tests/app/cache_page_tests.h"
#include "ui/panel/cache/break_list.h"
#include "ui/panel/palette/command_palette.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/scope/filter_bar.h"
#include "ui/panel/scope/filter_chip.h"
#include "ui/panel/scope/scope_words.h"

#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class CacheTraceTest : public made_up::CachePageTests {
    Q_OBJECT

private slots:

    void initTestCase() {
        QVERIFY(made_up::writeThreeWithABreak(sessions_.path()));
        QVERIFY(writeTrace());
    }

    void init() { begin(); }

    void cleanup() { end(); }

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
        QCOMPARE(asked().cache.trace, tracePath().toStdString());
        f().trigger(Page::Cache);
        QVERIFY(showsTrace());
        f().trigger(ActionId::CloseFiles);
        QCOMPARE(asked().cache.trace, std::string());
    }

    /// As `loadline FOLDER` opens it in the next start, where the folder was the last one opened as well.
    void aFolderThatIsNamedBeatsTheLastTrace() {
        QVERIFY(f().open(sessions_.path()));
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        f().restart();
        QVERIFY(asked().cache.traceShown);
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(f().bench().shown<CacheShown>(Page::Cache)->trace.empty());
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
        const double before = asked().cache.ttlS;
        emit palette->activated("cache:ttl-s:3600");
        QCOMPARE(asked().cache.ttlS, 3600.0);
        QCOMPARE(f().bench().state().page, Page::Cache);
        for (const ui::PaletteEntry& entry : cacheEntries()) {
            emit palette->activated(entry.id); // each is a word that its choice takes
            const std::string word = entry.id.section(':', 2).toStdString();
            QCOMPARE(askedField(entry.id.section(':', 1, 1).toStdString()).textIn(asked()), word);
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
        Asked next = asked();
        Scope scope;
        scope.text = "question";
        f().bench().setScope(scope, "Filter");
        auto* filters = f().window->findChild<ui::FilterBar*>();
        QVERIFY(filters->chip(ui::ScopePart::Text)->isVisible());
        QVERIFY(made_up::textOf(*f().window->findChild<ui::StatusLine*>()).contains("3 sessions"));
        next.cache.traceShown = true;
        f().bench().setAsked(next, "switch");
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
        chooseAModelOfOneGpu();
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
        chooseAModelOfOneGpu();
        QTRY_VERIFY_WITH_TIMEOUT(page().simulateButton()->isEnabled(), 20'000);
        page().simulateButton()->click();
        SimulationBench& simulation = f().bench().simulation();
        QVERIFY(simulation.isReading());
        simulation.stop();
        QVERIFY(simulation.isStopped() && !simulation.isReading());
        QTest::qWait(300);
        QVERIFY(!simulation.isSettled()); // nothing of another workload is shown for it
        simulation.resume();
        QVERIFY(simulation.isReading());
        QVERIFY(QTest::qWaitFor([&] { return simulation.isSettled(); }, 60'000));
        QVERIFY(!simulation.sources()->error);
    }

    void chartsOfAPageAreCountedOnce() {
        ChartMemory memory;
        std::shared_ptr<const CacheShown> counted;
        for (const ChartSpec* chart : charts::cacheCharts) {
            ChartRequest request;
            request.chart = chart;
            request.asked.cache.trace = tracePath().toStdString();
            QVERIFY(drawingFor(request, nullptr, &memory));
            QVERIFY(memory.cache && (!counted || memory.cache == counted));
            counted = memory.cache;
        }
        ChartRequest other;
        other.chart = charts::cacheCharts[0];
        other.asked.cache.trace = traces_.path().toStdString();
        QVERIFY(drawingFor(other, nullptr, &memory));
        QVERIFY(memory.cache != counted);
    }

    void tracesOfLengthsHaveNoChartOfACache() {
        const QString path = traces_.filePath("lengths.csv");
        QFile lengths(path);
        QVERIFY(lengths.open(QIODevice::WriteOnly));
        lengths.write("arrival_s,input_tokens,output_tokens\n0,7000,3\n60,8000,3\n");
        lengths.close();
        for (const ChartSpec* chart :
             {&charts::cacheTtl, &charts::cacheSplit, &charts::cacheCapacity, &charts::cacheRequests}) {
            ChartRequest request;
            request.chart = chart;
            request.asked.cache.trace = path.toStdString();
            ChartMemory memory;
            const ChartDrawing drawing = drawingFor(request, nullptr, &memory);
            QVERIFY2(!drawing, chart->key.data());
            QVERIFY(drawing.error().sentence().find("lengths alone") != std::string::npos);
        }
        QVERIFY(lengths.remove());
    }

    void thePictureSaysWhatIsSet() {
        ChartRequest request;
        request.chart = &charts::cacheCapacity;
        request.asked.cache.trace = tracePath().toStdString();
        request.asked.cache.machine.tensorParallel = 8;
        const std::string words = captionFor(request, nullptr);
        QVERIFY2(words.ends_with("; 8 x H100 SXM; llama-3.3-70b, 2 bytes a value, TP 8"), words.c_str());
        request.chart = &charts::cacheTtl; // depends on none of them
        QVERIFY(captionFor(request, nullptr).find("TP") == std::string::npos);
    }

    void whatIsNoTraceIsSaid() {
        Asked next = asked();
        next.cache.trace = traces_.filePath("missing.jsonl").toStdString();
        f().bench().setAsked(next, "missing");
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
        QCOMPARE(requests.size(), 6U);
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

    void whatWasCountedIsShownAgain() {
        f().window->openPaths({tracePath()});
        QVERIFY(showsTrace());
        Asked next = asked();
        next.cache.traceShown = false;
        f().bench().setAsked(next, "sessions, of which there are none");
        QVERIFY(page().frame()->isEmpty());
        f().trigger(ActionId::Undo);
        QVERIFY(f().settle());
        QVERIFY(!page().frame()->isEmpty());
    }

private:
    void chooseAModelOfOneGpu() {
        Asked next = asked();
        next.cache.machine.model = "llama-3.1-8b";
        f().bench().setAsked(next, "model");
    }
};

QTEST_MAIN(CacheTraceTest)
#include "cache_trace_test.moc"
