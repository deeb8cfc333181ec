// The Server log page in the window: judged, each claim beside its lines; zoomed, replayed.
#include "app/pages/simulation/simulation_page.h"
#include "tests/app/server_log_page_tests.h"
#include "ui/form/value_slider.h"
#include "ui/panel/serverlog/finding_list.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QToolButton>

using namespace loadline;
using namespace loadline::app;

class ServerLogPageTest : public made_up::ServerLogPageTests {
    Q_OBJECT

private:
    /// Judged for what is chosen now.
    [[nodiscard]] bool judged() const {
        return wait([&] { return page().shown() && page().shown()->served == asked().log.served; });
    }

    /// Of the request's own mark in the time line.
    [[nodiscard]] int itemOf(const LogLine& line) const {
        for (int i = 0;; ++i) {
            if (ui::lineOf(drawing(0), i) == line) {
                return i;
            }
        }
    }

    /// The lines of the raw log that are painted now.
    [[nodiscard]] QString linesSeen() const {
        const QPlainTextEdit& edit = *page().raw()->edit();
        const int height = edit.viewport()->height();
        const int first = edit.cursorForPosition(QPoint(2, 2)).blockNumber();
        const int last = edit.cursorForPosition(QPoint(2, height - 2)).blockNumber();
        return edit.toPlainText().split('\n').mid(first, last - first + 1).join('\n');
    }

    void choose(QComboBox* list, const QString& text) const {
        list->setCurrentIndex(list->findText(text));
        emit list->activated(list->currentIndex());
    }

    void serve() const {
        choose(control<QComboBox>("log-model"), "llama-3.1-8b");
        choose(control<QComboBox>("log-device"), "M3-Max-40c");
    }

private slots:

    void initTestCase() { writeLogs(); }

    void init() { begin(); }

    void cleanup() { end(); }

    void aFindingShowsItsLines() {
        QVERIFY(opens({vllm()}));
        const auto& findings = page().shown()->figure->verdict.findings;
        const auto some =
            std::ranges::find_if(findings, [](const Finding& one) { return !one.evidence.empty(); });
        QVERIFY(some != findings.end());
        page().findings()->selectRow(static_cast<int>(some - findings.begin()));
        const LogLine line = some->evidence.front();
        QCOMPARE(page().raw()->line(), line);
        QVERIFY(wait([&] { return !page().raw()->lines().texts.empty(); }));
        const ui::RawLines& lines = page().raw()->lines();
        QCOMPARE(lines.texts.size(), 300U);
        QVERIFY(lines.texts[line.line - lines.first].find("Engine 000") != std::string::npos);
        QVERIFY2(linesSeen().contains(QString("Engine 000")), qPrintable(linesSeen()));
        QVERIFY(drawing(0).pickedItem() >= 0 && ui::lineOf(drawing(0), drawing(0).pickedItem()) == line);
    }

    void aBarLeadsToItsLineAndBack() {
        QVERIFY(opens({llama()}));
        const LogLine line = page().shown()->log().requests.at(4).first;
        emit page().grid()->view(0)->itemPicked(itemOf(line));
        QCOMPARE(page().raw()->line(), line);
        QVERIFY(wait([&] { return page().raw()->edit()->toPlainText().contains("task 104"); }));
        QVERIFY2(linesSeen().contains("task 104"), qPrintable(linesSeen()));
        const LogLine late = page().shown()->log().requests.at(11).first;
        emit page().grid()->view(0)->itemPicked(itemOf(late));
        QVERIFY(wait([&] { return linesSeen().contains("task 111"); }));
        QVERIFY(!linesSeen().contains("task 100 "));
        emit page().grid()->view(0)->itemPicked(itemOf(line));
        f().trigger(ActionId::ZoomIn);
        f().trigger(ActionId::ZoomIn);
        f().trigger(ActionId::ZoomIn);
        const LogLine last = page().shown()->log().requests.back().first;
        emit page().raw()->lineChosen(last);
        QCOMPARE(ui::lineOf(drawing(0), drawing(0).pickedItem()), last);
        const auto stretch = stretchOf(asked().log.stretch);
        const auto place = ui::placeOf(*page().shown()->scene, last);
        QVERIFY(place && *place >= stretch.begin && *place <= stretch.end); // it came into view
        emit page().grid()->view(0)->itemPicked(-1);
        QCOMPARE(drawing(0).pickedItem(), -1);
    }

    void aZoomIsUndoneAndExported() {
        QVERIFY(opens({vllm()}));
        const std::size_t all = drawing(0).table().rows.size();
        const ui::PlotChange::Stretch stretch{100, 400};
        ui::PlotChange change;
        change.stretch = stretch;
        emit page().grid()->changed(0, change, true);
        QCOMPARE(stretchOf(asked().log.stretch), stretch);
        QVERIFY(drawing(0).table().rows.size() < all);
        const ChartRequest request = page().request();
        QVERIFY(commandFor(request, {}, "a.png").find("--log-stretch 100:400") != std::string::npos);
        const ChartDrawing again = drawingFor(relevantPart(request), nullptr);
        QVERIFY(again);
        QCOMPARE((*again)->table(), drawing(0).table());
        f().trigger(ActionId::Undo);
        QCOMPARE(drawing(0).table().rows.size(), all);
        f().trigger(ActionId::Redo);
        f().trigger(ActionId::ZoomFit);
        QCOMPARE(drawing(0).table().rows.size(), all);
    }

    void aCancelledPanLeavesNoStep() {
        QVERIFY(opens({vllm()}));
        const Asked before = asked();
        const int steps = f().bench().undoStack().count();
        emit page().grid()->dragBegan();
        for (const double begin : {100.0, 120.0}) {
            ui::PlotChange change;
            change.stretch = ui::PlotChange::Stretch{begin, begin + 300};
            emit page().grid()->changed(0, change, false);
        }
        QVERIFY(asked() != before);
        emit page().grid()->dragCancelled();
        QCOMPARE(asked(), before);
        QCOMPARE(f().bench().undoStack().count(), steps);
    }

    void theVerdictIsOnTheViewAlone() {
        QVERIFY(opens({vllm()}));
        const std::string all = page().shown()->figure->verdict.headline;
        QVERIFY(page().onlyViewBox()->isEnabled() && !page().onlyViewBox()->isChecked());
        ui::PlotChange change;
        change.stretch = ui::PlotChange::Stretch{100, 400};
        emit page().grid()->changed(0, change, true);
        const auto judgedOn = [this](const LogRange& range) {
            return wait([&] { return page().shown()->figure->range == range; });
        };
        QVERIFY(judgedOn({}));
        page().onlyViewBox()->click();
        QVERIFY(judgedOn({100, 400}));
        const std::string some = page().shown()->figure->verdict.headline;
        QVERIFY2(some != all && some.starts_with("From "), some.c_str());
        page().grid()->choose(1);
        const ChartDrawing again = drawingFor(relevantPart(page().request()), nullptr);
        QVERIFY(again);
        QCOMPARE((*again)->table(), drawing(1).table());
        f().trigger(ActionId::ZoomFit);
        QVERIFY(judgedOn({}));
        QCOMPARE(page().shown()->figure->verdict.headline, all);
        f().trigger(ActionId::Undo);
        QVERIFY(judgedOn({100, 400}));
        f().trigger(ActionId::Undo);
        QVERIFY(judgedOn({}));
        QVERIFY(!page().onlyViewBox()->isChecked());
    }

    void aModelThatNobodyKnowsIsSaidInBytes() {
        QVERIFY(opens({vllm()}));
        choose(control<QComboBox>("log-device"), "L40S");
        const auto type = [](const ui::ValueSlider* slider, const QString& text) {
            slider->field()->setText(text);
            slider->field()->setModified(true);
            emit slider->field()->editingFinished();
        };
        type(control<ui::ValueSlider>("log-kv-bytes"), "1");
        type(control<ui::ValueSlider>("log-gb-per-token"), "3.2");
        type(control<ui::ValueSlider>("log-kv-bytes-per-token"), "98304");
        QVERIFY(judged());
        const auto& light = page().shown()->figure->verdict.light;
        QVERIFY(light && light->weightsGB() == 3.2);
        const auto text = verdictText(*page().shown()->figure, {});
        QVERIFY(text);
        for (const char* option : {"--kv-bytes 1", "--gb-per-token 3.2", "--kv-bytes-per-token 98304"}) {
            QVERIFY2(text->find(option) != std::string::npos, text->c_str());
        }
        page().grid()->choose(1);
        const std::string command = commandFor(page().request(), {}, "a.png");
        QVERIFY2(command.find("--log-gb-per-token 3.2 --log-kv-bytes-per-token 98304") != std::string::npos,
                 command.c_str());
        const ChartDrawing again = drawingFor(relevantPart(page().request()), nullptr);
        QVERIFY(again);
        QCOMPARE((*again)->table(), drawing(1).table());
    }

    void whatServesIsLiveUndoneAndSpeltOut() {
        QVERIFY(opens({llama()}));
        QVERIFY(!page().shown()->figure->verdict.light);
        const Asked before = asked();
        serve();
        QVERIFY(judged());
        const auto& light = page().shown()->figure->verdict.light;
        QVERIFY(light && light->bandwidthGBs() == 400);
        const auto ceiling = [&] { // of the label under the form alone
            for (const auto* label : page().panel()->parentWidget()->findChildren<QLabel*>()) {
                if (label->text().contains("weights are read for a token")) {
                    return label->text();
                }
            }
            return QString();
        };
        QVERIFY2(ceiling().contains(u"at 400\u00a0GB/s."), qPrintable(ceiling()));
        page().grid()->choose(1);
        const std::string command = commandFor(page().request(), {}, "a.png");
        QVERIFY2(command.find("--log-model llama-3.1-8b --log-bits ") != std::string::npos, command.c_str());
        const ChartDrawing again = drawingFor(relevantPart(page().request()), nullptr);
        QVERIFY(again && !(*again)->table().rows.empty());
        QCOMPARE((*again)->table(), drawing(1).table());
        control<ui::ValueSlider>("log-bandwidth-gb-per-s")->field()->setText("100");
        control<ui::ValueSlider>("log-bandwidth-gb-per-s")->field()->setModified(true);
        emit control<ui::ValueSlider>("log-bandwidth-gb-per-s")->field()->editingFinished();
        QVERIFY(judged());
        QCOMPARE(page().shown()->figure->verdict.light->bandwidthGBs(), 100.0);
        QVERIFY2(ceiling().contains(u"at 100\u00a0GB/s."), qPrintable(ceiling()));
        for (int i = 0; i < 3; ++i) {
            f().trigger(ActionId::Undo);
        }
        QCOMPARE(asked(), before);
        QVERIFY(judged() && !page().shown()->figure->verdict.light);
    }

    void whatServedOneLogIsNotSaidOfAnother() {
        QVERIFY(opens({llama()}));
        serve();
        QVERIFY(judged() && page().shown()->figure->verdict.light);
        f().restart();
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return page().shown() != nullptr; }));
        QCOMPARE(asked().log.served.model, std::string("llama-3.1-8b")); // of the same log
        QVERIFY(opens({vllm()}));
        QVERIFY(judged());
        QCOMPARE(asked().log.served, ServedSettings());
        QVERIFY(!page().shown()->figure->verdict.light);
        f().trigger(ActionId::Undo);
        QCOMPARE(asked().log.served.device, std::string("M3-Max-40c"));
        f().trigger(ActionId::CloseFiles);
        QCOMPARE(asked().log.served, ServedSettings());
    }

    void aLogOfRequestsIsReplayed() {
        QVERIFY(opens({llama()}));
        QVERIFY2(page().replayButton()->isEnabled(), qPrintable(page().replayButton()->toolTip()));
        const SimulationRequest before = f().bench().state().simulation;
        page().replayButton()->click();
        QCOMPARE(f().bench().state().page, Page::Simulator);
        QCOMPARE(f().bench().state().simulation.workload.name, llama().toStdString());
        QVERIFY(f().bench().state().simulation.arrivals.kind == ArrivalKind::Trace);
        QVERIFY(wait([&] { return f().bench().simulation().isSettled(); }));
        const Sources& sources = f().bench().simulation().sources();
        QVERIFY(sources && sources->sources.workload);
        const auto& requests = sources->sources.workload->requests;
        QCOMPARE(requests.size(), 12U);
        QCOMPARE(requests[3].input, Tokens{1600});
        QCOMPARE(requests[3].output, Tokens{153});
        QVERIFY(std::abs(requests[3].arrivalS - 75) < 0.5);
        auto& simulator = f().page<SimulationPage>(Page::Simulator);
        QVERIFY(wait([&] { return !simulator.grid()->isShown(0); })); // when the answer is drawn
        for (int i = 0; i < simulator.grid()->count(); ++i) {         // no curve over users of a trace
            QCOMPARE(simulator.grid()->isShown(i), i >= 1 && i <= 3); // latencies, rows, kernels
        }
        QVERIFY(simulator.grid()->isShown(simulator.grid()->chosen()));
        const Simulated answer = f().bench().simulation().shown(settingStudy);
        QVERIFY(answer && answer->simulator);
        const std::string headline = headlineOf(*answer->simulator);
        QVERIFY2(headline.starts_with("Replayed") && headline.find("in the log 20 s") != std::string::npos,
                 headline.c_str());
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation, before);
        QVERIFY(opens({vllm()}));
        QVERIFY(!page().replayButton()->isEnabled());
        QVERIFY2(page().replayButton()->toolTip().contains("requests"),
                 qPrintable(page().replayButton()->toolTip()));
    }

    void aReplayTakesTheLogsModelAndBits() {
        const QString path = logs_.filePath("qwen.log");
        made_up::writeText(
            path, "srv    load_model: initializing slots, n_slots = 4\n"
                  "llama_model_loader: loaded meta data with 28 key-value pairs and 399 tensors from "
                  "Qwen3-8B-Q4_K_M.gguf (version GGUF V3 (latest))\n" +
                      made_up::llamaCppLog(12));
        QVERIFY(opens({path}));
        page().replayButton()->click();
        const SimulationRequest& request = f().bench().state().simulation;
        QVERIFY2(request.shapes.find("qwen3-8b") != std::string::npos, request.shapes.c_str());
        QCOMPARE(request.weights, Storage::K5); // 4.89 bits
        QCOMPARE(request.policy.maxSeqs, std::optional<std::int64_t>(4));
        QVERIFY(wait([&] { return f().bench().simulation().isSettled(); }));
        const Sources& sources = f().bench().simulation().sources();
        QVERIFY(sources && sources->sources.workload);
        f().trigger(ActionId::Undo);
    }

    void aReplaySaysWhatIsNotTheLogs() {
        QVERIFY(opens({llama()}));
        QStringList said;
        connect(&page(), &PageView::said, &page(), [&](const QString& words) { said << words; });
        QVERIFY2(page().replayButton()->toolTip().contains("The log names no model that is known"),
                 qPrintable(page().replayButton()->toolTip()));
        page().replayButton()->click();
        QVERIFY2(!said.isEmpty() && said.last().contains("is assumed") &&
                     said.last().contains("No device is said"),
                 qPrintable(said.join('|')));
        QVERIFY2(said.last().endsWith("The log's own latency: 20 s median, 20 s p90, of 12 requests."),
                 qPrintable(said.last()));
        f().trigger(ActionId::Undo);
    }

    void theVerdictIsSavedAndCopied() {
        QVERIFY(opens({vllm()}));
        const QString path = logs_.filePath("verdict.md");
        page().saveVerdictTo(path);
        QVERIFY(wait([&] { return QFile::exists(path); }));
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QString text = file.readAll();
        QVERIFY2(text.contains("not excluded") && text.contains("Engine 000"), qPrintable(text));
        QGuiApplication::clipboard()->clear();
        f().trigger(ActionId::CopyVerdict);
        QVERIFY(wait([&] { return QGuiApplication::clipboard()->text() == text; }));
        QStringList said;
        connect(&page(), &PageView::said, &page(), [&](const QString& words) { said << words; });
        page().saveVerdictTo(vllm()); // the log itself
        QVERIFY(wait([&] { return !said.isEmpty(); }));
        QVERIFY2(said.last().contains("overwrite"), qPrintable(said.last()));
        QFile log(vllm());
        QVERIFY(log.open(QIODevice::ReadOnly) && log.readAll() == made_up::vllmLog(300));
    }

    void sizesOfPartsComeBack() {
        QVERIFY(opens({vllm()}));
        page().setParts({0, 0, 500, 130, 300, 200});
        f().restart();
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return page().shown() != nullptr; }));
        QCOMPARE(page().parts(), QList<int>({0, 0, 500, 130, 300, 200}));
    }
};

QTEST_MAIN(ServerLogPageTest)
#include "server_log_page_test.moc"
