// The Server log page in the window: opened, judged, each claim beside its lines; zoomed, followed, replayed.
#include "app/pages/serverlog/server_log_page.h"

#include "app/choices/log_choices.h"
#include "app/pages/serverlog/log_tiles.h"
#include "tests/app/made_up_server_logs.h"
#include "tests/app/window_fixture.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/serverlog/finding_list.h"
#include "ui/panel/serverlog/raw_log_view.h"
#include "ui/panel/serverlog/served_panel.h"
#include "ui/panel/simulation/value_slider.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QProcess>
#include <QToolButton>
#include <sys/stat.h>

#include <functional>
#include <memory>

using namespace loadline;
using namespace loadline::app;

class ServerLogPageTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir logs_;
    std::unique_ptr<made_up::WindowFixture> fixture_;

    [[nodiscard]] made_up::WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] ServerLogPage& page() const { return f().page<ServerLogPage>(Page::ServerLog); }

    [[nodiscard]] const Choices& choices() const { return f().bench().state().choices; }

    [[nodiscard]] QString vllm() const { return logs_.filePath("vllm.log"); }

    [[nodiscard]] QString llama() const { return logs_.filePath("llama.log"); }

    static bool wait(const std::function<bool()>& until) { return QTest::qWaitFor(until, 20'000); }

    /// Opened by hand, and judged.
    [[nodiscard]] bool opens(const QStringList& paths) const {
        f().window->openPaths(paths);
        return f().bench().state().page == Page::ServerLog &&
               wait([&] { return page().shown() && page().shown()->log().files == choices()[choices::log]; });
    }

    /// Judged for what is chosen now.
    [[nodiscard]] bool judged() const {
        return wait([&] { return page().shown() && page().shown()->served == servedSettings(choices()); });
    }

    [[nodiscard]] const ui::LogDrawing& drawing(int chart) const {
        return dynamic_cast<const ui::LogDrawing&>(*page().grid()->view(chart)->drawing());
    }

    /// Of the request's own mark in the time line.
    [[nodiscard]] int itemOf(const LogLine& line) const {
        for (int i = 0;; ++i) {
            if (drawing(0).lineOf(i) == line) {
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
        choose(page().panel()->model(), "llama-3.1-8b");
        choose(page().panel()->device(), "M3-Max-40c");
    }

private slots:

    void initTestCase() {
        made_up::writeText(vllm(), made_up::vllmLog(300));
        made_up::writeText(llama(), made_up::llamaCppLog(12));
    }

    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<made_up::WindowFixture>();
    }

    void cleanup() { fixture_.reset(); }

    void anEmptyPageSaysWhatToDo() {
        f().trigger(Page::ServerLog);
        QVERIFY(page().frame()->isEmpty());
        const QString text = made_up::textOf(page());
        QVERIFY(text.contains("vLLM") && text.contains("llama.cpp") && text.contains("drop one here"));
        QVERIFY(!page().replayButton()->isEnabled());
        QVERIFY(!f().window->actions()[ActionId::ExportVerdict]->isEnabled());
    }

    void aLogIsOpenedKeptAndClosed() {
        QVERIFY(opens({vllm()}));
        QVERIFY(!page().frame()->isEmpty() && page().findings()->isVisible());
        QCOMPARE(page().shown()->log().intervals.size(), 300U);
        QVERIFY(made_up::textOf(page()).contains(
            QString::fromStdString(page().shown()->figure->verdict.headline).section('.', 0, 0)));
        QCOMPARE(page().tiles()->tiles().front().value, QString("vLLM"));
        QVERIFY(page().findings()->findings().rowCount() > 3);
        QVERIFY(f().window->windowTitle().contains("vllm.log"));
        f().restart();
        QCOMPARE(choices()[choices::log], std::vector{vllm().toStdString()});
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return page().shown() != nullptr; }));
        f().trigger(ActionId::CloseFiles);
        QVERIFY(choices()[choices::log].empty());
    }

    void filesOfARotatedLogAreOne() {
        made_up::writeText(logs_.filePath("turned.log.2"), made_up::vllmLog(10));
        made_up::writeText(logs_.filePath("turned.log.1"), made_up::vllmLog(10, 10));
        made_up::writeText(logs_.filePath("turned.log"), made_up::vllmLog(10, 20));
        QVERIFY(opens(
            {logs_.filePath("turned.log"), logs_.filePath("turned.log.1"), logs_.filePath("turned.log.2")}));
        const ServerLog& log = page().shown()->log();
        QCOMPARE(log.intervals.size(), 30U);
        QCOMPARE(log.lengthS, 290.0);
        QVERIFY(QString::fromStdString(log.files.front()).endsWith(".2"));
        QVERIFY(!page().followBox()->isEnabled() && !page().replayButton()->isEnabled());
        const ui::FigureTile lines = tilesOf(log).at(1);
        QVERIFY2(lines.label.contains("of 3 files as one log"), qPrintable(lines.label));
        QVERIFY2(lines.exact.contains("turned.log.2, turned.log.1, turned.log"), qPrintable(lines.exact));
        page().raw()->setEvidence({{1, 3}}, "evidence");
        QVERIFY(wait([&] { return page().raw()->lines().texts.size() == 10; }));
        QCOMPARE(page().raw()->lines().file, 1U);
    }

    void aPartWithoutKnownLinesIsOfTheLogItIsDroppedWith() {
        made_up::writeText(logs_.filePath("part.log.1"), "warming up\nstill warming up\n");
        made_up::writeText(logs_.filePath("part.log"), made_up::vllmLog(10));
        QVERIFY(opens({logs_.filePath("part.log"), logs_.filePath("part.log.1")}));
        const ServerLog& log = page().shown()->log();
        QCOMPARE(log.files.size(), 2U);
        QVERIFY(QString::fromStdString(log.files.front()).endsWith("part.log.1"));
        QCOMPARE(log.lines, 12U);
        QCOMPARE(log.intervals.front().where, (LogLine{1, 1}));
        // A folder beside it, or parts of which none is known, are no log.
        const std::vector<std::string> before = choices()[choices::log];
        QVERIFY(QDir(logs_.path()).mkpath("folder"));
        f().window->openPaths({logs_.filePath("part.log"), logs_.filePath("folder")});
        QCOMPARE(choices()[choices::log], before);
        made_up::writeText(logs_.filePath("part.log.2"), "nothing of a server\n");
        f().window->openPaths({logs_.filePath("part.log.1"), logs_.filePath("part.log.2")});
        QCOMPARE(choices()[choices::log], before);
    }

    void aCompressedLogIsOne() {
        QProcess gzip;
        gzip.setStandardOutputFile(logs_.filePath("packed.log.gz"));
        gzip.start("gzip", {"-c", llama()});
        if (!gzip.waitForStarted()) {
            QSKIP("there is no gzip");
        }
        QVERIFY(gzip.waitForFinished());
        QVERIFY(opens({logs_.filePath("packed.log.gz")}));
        QCOMPARE(page().shown()->log().requests.size(), 12U);
        page().replayButton()->click();
        QVERIFY(wait([&] { return f().bench().simulation().isSettled(); }));
        const Sources& sources = f().bench().simulation().sources();
        QVERIFY(sources && sources->sources.workload && sources->sources.workload->requests.size() == 12);
    }

    void whatIsNotKnownIsSaid() {
        made_up::writeText(logs_.filePath("other.txt"), "first of it\nsecond <b>of</b> it\n");
        f().bench().openLog({logs_.filePath("other.txt").toStdString()});
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return made_up::textOf(page()).contains("No line of it is known"); }));
        QVERIFY(made_up::textOf(page()).contains("second <b>of</b> it"));
        f().bench().openLog({logs_.filePath("missing.log").toStdString()});
        QVERIFY(wait([&] { return made_up::textOf(page()).contains("missing.log"); }));
        QVERIFY(page().frame()->isEmpty() && !page().findings()->isVisible());
    }

    void whatIsNoFileOfOursHasNoOthersTitle() {
        const QByteArray pipe = QFile::encodeName(logs_.filePath("pipe.log"));
        QVERIFY(mkfifo(pipe.constData(), 0600) == 0);
        made_up::writeText(logs_.filePath("some.bin"), QByteArray("\x7f"
                                                                  "ELF\0\0\1\2\3",
                                                                  9));
        for (const char* name : {"pipe.log", "some.bin"}) {
            QVERIFY(opens({llama()}));
            page().replayButton()->click();
            f().window->openPaths({logs_.filePath(name)});
            QVERIFY(wait([&] { return !f().bench().loader().isLoading(); }));
            const QString title = f().window->windowTitle();
            QVERIFY2(!title.contains("llama.log"), qPrintable(title));
            f().trigger(ActionId::CloseFiles);
            cleanup();
            init();
        }
    }

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
        QVERIFY(drawing(0).pickedItem() >= 0 && drawing(0).lineOf(drawing(0).pickedItem()) == line);
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
        QCOMPARE(drawing(0).lineOf(drawing(0).pickedItem()), last);
        const auto stretch = choices()[choices::logStretch];
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
        QCOMPARE(choices()[choices::logStretch], stretch);
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

    void whatServesIsLiveUndoneAndSpeltOut() {
        QVERIFY(opens({llama()}));
        QVERIFY(!page().shown()->figure->verdict.light);
        const Choices before = choices();
        serve();
        QVERIFY(judged());
        const auto& light = page().shown()->figure->verdict.light;
        QVERIFY(light && light->bandwidthGBs() == 400);
        QVERIFY(made_up::textOf(*page().panel()).contains(u"400\u00a0GB/s"));
        page().grid()->choose(1);
        const std::string command = commandFor(page().request(), {}, "a.png");
        QVERIFY2(command.find("--log-model llama-3.1-8b --log-bits ") != std::string::npos, command.c_str());
        const ChartDrawing again = drawingFor(relevantPart(page().request()), nullptr);
        QVERIFY(again && !(*again)->table().rows.empty());
        QCOMPARE((*again)->table(), drawing(1).table());
        page().panel()->bandwidth()->field()->setText("100");
        page().panel()->bandwidth()->field()->setModified(true);
        emit page().panel()->bandwidth()->field()->editingFinished();
        QVERIFY(judged());
        QCOMPARE(page().shown()->figure->verdict.light->bandwidthGBs(), 100.0);
        for (int i = 0; i < 3; ++i) {
            f().trigger(ActionId::Undo);
        }
        QCOMPARE(choices(), before);
        QVERIFY(judged() && !page().shown()->figure->verdict.light);
    }

    void whatServedOneLogIsNotSaidOfAnother() {
        QVERIFY(opens({llama()}));
        serve();
        QVERIFY(judged() && page().shown()->figure->verdict.light);
        f().restart();
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return page().shown() != nullptr; }));
        QCOMPARE(choices()[choices::logModel], std::string("llama-3.1-8b")); // of the same log
        QVERIFY(opens({vllm()}));
        QVERIFY(judged());
        QCOMPARE(servedSettings(choices()), ui::ServedSettings());
        QVERIFY(!page().shown()->figure->verdict.light);
        f().trigger(ActionId::Undo);
        QCOMPARE(choices()[choices::logDevice], std::string("M3-Max-40c"));
        f().trigger(ActionId::CloseFiles);
        QCOMPARE(servedSettings(choices()), ui::ServedSettings());
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
        f().trigger(ActionId::Undo);
        QCOMPARE(f().bench().state().simulation, before);
        QVERIFY(opens({vllm()}));
        QVERIFY(!page().replayButton()->isEnabled());
        QVERIFY2(page().replayButton()->toolTip().contains("requests"),
                 qPrintable(page().replayButton()->toolTip()));
    }

    void aReplaySaysWhatIsNotTheLogs() {
        QVERIFY(opens({llama()}));
        QStringList said;
        connect(&page(), &PageView::said, &page(), [&](const QString& words) { said << words; });
        QVERIFY2(page().replayButton()->toolTip().contains("The log names no model that is known"),
                 qPrintable(page().replayButton()->toolTip()));
        page().replayButton()->click();
        QVERIFY2(!said.isEmpty() && said.last().contains("stays") &&
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

    void whatIsAddedComesWhileTheFileIsFollowed() {
        const QString path = logs_.filePath("growing.log");
        made_up::writeText(path, made_up::vllmLog(40));
        QVERIFY(opens({path}));
        emit page().raw()->lineChosen({0, 5});
        ui::PlotChange change;
        change.stretch = ui::PlotChange::Stretch{20, 200};
        emit page().grid()->changed(0, change, true);
        page().followBox()->click();
        QVERIFY(choices()[choices::followLog]);
        made_up::writeText(path, made_up::vllmLog(5, 40), QIODevice::WriteOnly | QIODevice::Append);
        QVERIFY(wait([&] { return page().shown()->log().intervals.size() == 45; }));
        QCOMPARE(choices()[choices::logStretch], *change.stretch);
        QCOMPARE(drawing(0).lineOf(drawing(0).pickedItem()), (LogLine{0, 5}));
        f().trigger(ActionId::Undo);
        QVERIFY(!page().followBox()->isChecked());
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
