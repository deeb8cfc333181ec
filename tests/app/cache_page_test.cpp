// The Cache page in the window: sessions, sliders and drags undone, the simulator with this cache.
#include "tests/app/cache_page_tests.h"
#include "ui/form/value_slider.h"
#include "ui/model/tier_model.h"
#include "ui/panel/cache/break_list.h"
#include "ui/panel/part/banner.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/part/progress_strip.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class CachePageTest : public made_up::CachePageTests {
    Q_OBJECT

private slots:

    void initTestCase() { QVERIFY(made_up::writeThreeWithABreak(sessions_.path())); }

    void init() { begin(); }

    void cleanup() { end(); }

    void theOpenSessionsAreShown() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(!page().frame()->isEmpty());
        QCOMPARE(page().grid()->count(), 6);
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
        const Asked before = asked();
        const QString sentence = page().grid()->view(2)->drawing()->sentence();
        QLineEdit* field = control<ui::ValueSlider>("ttl-s")->field();
        field->setText("60");
        field->setModified(true);
        emit field->editingFinished();
        QCOMPARE(asked().cache.ttlS, 60.0);
        QVERIFY(page().grid()->view(2)->drawing()->sentence() != sentence);
        QComboBox* model = control<QComboBox>("cache-model");
        model->setCurrentIndex(model->findText("llama-3.1-8b"));
        emit model->activated(model->currentIndex());
        QVERIFY(page().grid()->view(1)->drawing()->sentence().contains("llama-3.1-8b"));
        f().trigger(ActionId::Undo);
        f().trigger(ActionId::Undo);
        QCOMPARE(asked(), before);
        QCOMPARE(page().grid()->view(2)->drawing()->sentence(), sentence);
    }

    void aDragIsOneStep() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Asked before = asked();
        emit page().grid()->dragBegan();
        for (const double gb : {500.0, 600.0, 700.0}) {
            ui::PlotChange change;
            change.fields = {{"tiers", 1, gb}};
            emit page().grid()->changed(0, change, gb == 700.0);
        }
        QCOMPARE(settingsOf(asked().cache).tiers[1].capacityGB, 700.0);
        f().trigger(ActionId::Undo);
        QCOMPARE(asked(), before);
    }

    void aCancelledDragChangesNothing() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Asked before = asked();
        const int steps = f().bench().undoStack().count();
        emit page().grid()->dragBegan();
        ui::PlotChange change;
        change.fields = {{"tiers", 1, 500.0}};
        emit page().grid()->changed(0, change, false);
        QVERIFY(asked() != before);
        emit page().grid()->dragCancelled();
        QCOMPARE(asked(), before);
        QCOMPARE(f().bench().undoStack().count(), steps);
    }

    void aClickOnAMarkMovesNothing() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        Asked odd = asked();
        odd.cache.machine.tiers = "HBM:30720.4:100:0";
        f().bench().setAsked(odd, "tiers");
        emit page().grid()->dragBegan();
        ui::PlotChange change;
        change.fields = {{"tiers", 0, 30720.4}};
        emit page().grid()->changed(0, change, true);
        QCOMPARE(asked(), odd);
    }

    void theRoomFollowsTheModelsWeights() {
        const CacheSettings usual = settingsOf(asked().cache);
        QCOMPARE(usual.tiers[1].capacityGB, 293.6); // 576 GB less 141.2 in each of 2 replicas
        const CacheSettings small = withModel(usual, "llama-3.1-8b");
        QCOMPARE(small.tiers[1].capacityGB, 447.52);                        // less 16.06 in each of 8
        QCOMPARE(withModel(small, "deepseek-v3").tiers[1].capacityGB, 0.0); // its weights take all
    }

    /// After a tier was dragged, too.
    void anotherModelLeavesItsOwnRoom() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        emit page().grid()->dragBegan();
        ui::PlotChange change;
        change.fields = {{"tiers", 4, 20'000}};
        emit page().grid()->changed(1, change, true);
        QCOMPARE(asked().cache.machine.tiers, std::string("h100-node,NVMe:20000:56:90"));
        chooseModel("qwen3-coder-480b-a35b");
        QCOMPARE(settingsOf(asked().cache).tiers[1].capacityGB, 0.0);
        QCOMPARE(settingsOf(asked().cache).tiers[4].capacityGB, 20'000.0);
    }

    void whatDoesNotFitIsTheAnswer() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        chooseModel("deepseek-v3");
        const QString text = made_up::textOf(page());
        // 671 B weights of a byte, and a prompt
        static const QRegularExpression needs("deepseek-v3 does not fit: needs 6[78]\\d GB of 576 GB\\.");
        QVERIFY2(text.contains(needs), qPrintable(text));
        for (const ui::FigureTile& tile : page().tiles()->tiles()) {
            QVERIFY2(!tile.label.contains("room") && !tile.label.contains("miss"), qPrintable(tile.label));
        }
        QVERIFY(!page().simulateButton()->isEnabled());
        QLineEdit* bytes = control<ui::ValueSlider>("weight-bytes")->field();
        bytes->setText("0.5");
        bytes->setModified(true);
        emit bytes->editingFinished();
        QVERIFY(!made_up::textOf(page()).contains("does not fit: needs"));
        QVERIFY(page().simulateButton()->toolTip().contains("The Simulator has one GPU"));
    }

    void aHitRateIsTyped() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const auto freed = [this] {
            return std::get<double>(page().grid()->view(5)->drawing()->table().rows[1][4]);
        };
        const double counted = freed();
        QLineEdit* field = control<ui::ValueSlider>("hit-rate")->field();
        field->setText("0.94");
        field->setModified(true);
        emit field->editingFinished();
        QCOMPARE(asked().cache.fleet.hitRate, std::optional(0.94));
        QCOMPARE(freed(), 64 * 0.5 * 0.94);
        field->setText("counted");
        field->setModified(true);
        emit field->editingFinished();
        QCOMPARE(freed(), counted);
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
        const Asked before = asked();
        ui::TierModel& tiers = *page().panel()->findChild<ui::TierModel*>();
        const auto set = [&tiers](int row, int column, const char* text) {
            return tiers.setData(tiers.index(row, column), text, Qt::EditRole);
        };
        QVERIFY(!set(0, ui::TierModel::CapacityColumn, "lots"));
        QVERIFY(!set(1, ui::TierModel::BandwidthColumn, "1e9")); // faster than the memory
        QCOMPARE(asked(), before);
        QVERIFY(made_up::textOf(*page().panel()).contains("host memory"));
        QVERIFY(set(1, ui::TierModel::CapacityColumn, "1,000"));
        QCOMPARE(settingsOf(asked().cache).tiers[3].capacityGB, 1000.0);
        f().trigger(ActionId::Undo);
        QCOMPARE(asked(), before);
    }

    void aClickInTheTimeToLiveIsOneStep() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const Asked before = asked();
        ui::PlotView* view = page().grid()->view(2);
        const QPoint at(view->width() * 3 / 4, view->height() / 2);
        QTest::mouseClick(view, Qt::LeftButton, {}, at);
        const double set = asked().cache.ttlS;
        QVERIFY(set != before.cache.ttlS);
        QTest::mouseClick(view, Qt::LeftButton, {}, at); // where it is by now
        QCOMPARE(asked().cache.ttlS, set);
        f().trigger(ActionId::Undo);
        QCOMPARE(asked(), before);
    }

    /// One GPU with the blocks that it holds beside the weights, as the simulator has no other.
    void theSimulatorTakesThisCache() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const SimulationRequest before = f().bench().state().simulation;
        chooseModel("llama-3.1-8b");
        page().simulateButton()->click();
        const WorkbenchState& state = f().bench().state();
        QCOMPARE(state.page, Page::Simulator);
        QVERIFY(state.simulation.policy.prefixCache && state.simulation.policy.kvBlocks);
        // An eighth of 447.52 GB of 131 072 bytes a token, in whole blocks of 16
        QCOMPARE(*state.simulation.policy.kvBlocks, std::int64_t{26'674});
        QCOMPARE(state.simulation.policy.maxModelLen, Tokens{26'673 * 16});
        QCOMPARE(state.simulation.rule, std::string("cublas_fp16")); // weights of 2 bytes
        QCOMPARE(state.simulation.workload.name, std::string(openWorkload));
        QCOMPARE(state.simulation.shapes, std::string("llama-3.1-8b"));
        QCOMPARE(state.simulation.profile, std::string("roofline:H100-SXM"));
        QVERIFY(state.against && !state.against->policy.prefixCache);
        QCOMPARE(state.against->policy.kvBlocks, state.simulation.policy.kvBlocks);
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation, before);
        QVERIFY(!f().bench().state().against);
    }

    /// A replica of several GPUs that one of them does not hold is not simulated with that replica's blocks.
    void theSimulatorRefusesAReplicaThatOneGpuDoesNotHold() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        QVERIFY(replicasOf(settingsOf(asked().cache)).tensorParallel > 1); // llama-3.3-70b at 2 bytes
        QVERIFY(!page().simulateButton()->isEnabled());
        const QString why = page().simulateButton()->toolTip().simplified();
        QVERIFY2(why.contains("The Simulator has one GPU, and llama-3.3-70b needs a replica of 4: on one it "
                              "needs 144 GB of 72 GB."),
                 qPrintable(why));
        QVERIFY2(why.contains("Choose a model, bytes per weight or a node"), qPrintable(why));
        Asked next = asked();
        next.cache.machine.bytesPerWeight = 0.5;
        f().bench().setAsked(next, "small weights");
        QVERIFY(page().simulateButton()->isEnabled());
        page().simulateButton()->click();
        // 72 GB less 35.3 of weights, of 327 680 bytes a token, in blocks of 16
        const std::int64_t blocks = *f().bench().state().simulation.policy.kvBlocks;
        QVERIFY2(blocks > 6'900 && blocks < 7'050, qPrintable(QString::number(blocks)));
        QCOMPARE(f().bench().state().simulation.weights, Storage::K4);
    }

    /// A replica too small for a turn refuses it, and the rest has figures.
    void theSimulatorRunsWhateverTheReplicaHolds() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        const double longest = f().bench().shown<CacheShown>(Page::Cache)->figure->input().max;
        chooseModel("llama-3.1-8b");
        Asked next = asked();
        next.cache.machine.tensorParallel = 1;
        next.cache.machine.tiers = "h100-node,HBM:9"; // 8 583 tokens in each of 8 replicas
        f().bench().setAsked(next, "small");
        QVERIFY(longest > 9e9 / 8 / 131'072);
        page().simulateButton()->click();
        QVERIFY(QTest::qWaitFor([this] { return f().bench().simulation().isSettled(); }, 60'000));
        const auto sources = f().bench().simulation().sources();
        QVERIFY(sources && !sources->error);
        QVERIFY2(!made_up::textOf(*f().window).contains("KV blocks of 16, and there are"), "it ran");
    }

    void theMemoryIsNoCacheOfTheChip() {
        QVERIFY(f().open(sessions_.path()) && f().show(Page::Cache));
        Asked next = asked();
        next.cache.machine.tiers = "b200-node"; // whose L2 takes more than 1 GB
        f().bench().setAsked(next, "tiers");
        page().simulateButton()->click();
        QVERIFY(*f().bench().state().simulation.policy.kvBlocks > 3'000); // of the memory beside the weights
        next.cache.machine.tiers = "b200-node,HBM:1000000";
        f().bench().setAsked(next, "more");
        f().trigger(Page::Cache);
        page().simulateButton()->click();
        QVERIFY(!problemOf(f().bench().state().simulation)); // no more than the simulator takes
    }

    void subAgentsCountIfChosen() {
        QVERIFY(made_up::writeWithASubAgent(agents_.path()));
        QVERIFY(f().open(agents_.path()) && f().show(Page::Cache));
        const auto figure = [this] { return f().bench().shown<CacheShown>(Page::Cache)->figure; };
        const std::uint64_t apart = figure()->subAgentRequests();
        const std::uint64_t main = figure()->input().n;
        QVERIFY(apart > 0);
        QCheckBox* box = control<QCheckBox>("sub-agents");
        QVERIFY(!box->isChecked() && box->toolTip().contains("dealt to a replica as a session is"));
        box->click();
        QVERIFY(f().settle());
        QCOMPARE(figure()->input().n, main + apart);
        QCOMPARE(figure()->subAgentRequests(), std::uint64_t{0});
        QVERIFY(figure()->caches.agentsCounted > 0);
        QVERIFY(!made_up::textOf(page()).contains("Not counted"));
        QVERIFY(page().request().asked.cache.subAgents); // exports say it
        f().restart();
        QVERIFY(f().open(agents_.path()) && f().show(Page::Cache));
        QVERIFY(control<QCheckBox>("sub-agents")->isChecked());
        QCOMPARE(figure()->input().n, main + apart);
        control<QCheckBox>("sub-agents")->click();
        QVERIFY(f().settle());
        QCOMPARE(figure()->input().n, main);
        f().trigger(ActionId::Undo); // one step
        QVERIFY(f().settle());
        QVERIFY(control<QCheckBox>("sub-agents")->isChecked());
        QCOMPARE(figure()->input().n, main + apart);
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

private:
    QTemporaryDir agents_;

    void chooseModel(const char* name) {
        QComboBox* model = control<QComboBox>("cache-model");
        model->setCurrentIndex(model->findText(name));
        emit model->activated(model->currentIndex());
    }
};

QTEST_MAIN(CachePageTest)
#include "cache_page_test.moc"
