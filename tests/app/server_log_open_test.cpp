// Logs that the Server log page opens: one file or several, packed, growing, unknown, none.
#include "app/pages/serverlog/log_tiles.h"
#include "tests/app/server_log_page_tests.h"
#include "ui/panel/part/figure_tiles.h"
#include "ui/panel/serverlog/finding_list.h"

#include <QCheckBox>
#include <QProcess>
#include <QToolButton>
#include <sys/stat.h>

using namespace loadline;
using namespace loadline::app;

class ServerLogOpenTest : public made_up::ServerLogPageTests {
    Q_OBJECT

private slots:

    void initTestCase() { writeLogs(); }

    void init() { begin(); }

    void cleanup() { end(); }

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
        QCOMPARE(asked().log.files, std::vector{vllm().toStdString()});
        f().trigger(Page::ServerLog);
        QVERIFY(wait([&] { return page().shown() != nullptr; }));
        f().trigger(ActionId::CloseFiles);
        QVERIFY(asked().log.files.empty());
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
        const std::vector<std::string> before = asked().log.files;
        QVERIFY(QDir(logs_.path()).mkpath("folder"));
        f().window->openPaths({logs_.filePath("part.log"), logs_.filePath("folder")});
        QCOMPARE(asked().log.files, before);
        made_up::writeText(logs_.filePath("part.log.2"), "nothing of a server\n");
        f().window->openPaths({logs_.filePath("part.log.1"), logs_.filePath("part.log.2")});
        QCOMPARE(asked().log.files, before);
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
            end();
            begin();
        }
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
        QVERIFY(asked().log.follow);
        made_up::writeText(path, made_up::vllmLog(5, 40), QIODevice::WriteOnly | QIODevice::Append);
        QVERIFY(wait([&] { return page().shown()->log().intervals.size() == 45; }));
        QCOMPARE(stretchOf(asked().log.stretch), *change.stretch);
        QCOMPARE(ui::lineOf(drawing(0), drawing(0).pickedItem()), (LogLine{0, 5}));
        f().trigger(ActionId::Undo);
        QVERIFY(!page().followBox()->isChecked());
    }

    void aRotatedFileIsFollowedOn() {
        const QString path = logs_.filePath("rotated.log");
        made_up::writeText(path, made_up::vllmLog(40));
        QVERIFY(opens({path}));
        page().followBox()->click();
        ui::PlotChange change;
        change.stretch = ui::PlotChange::Stretch{200, 300};
        emit page().grid()->changed(0, change, true);
        QStringList said;
        connect(&page(), &PageView::said, &page(), [&](const QString& words) { said << words; });
        QVERIFY(QFile::rename(path, path + ".1"));
        QVERIFY(wait([&] { return !said.isEmpty() && said.last().contains("follow"); }));
        made_up::writeText(path, made_up::vllmLog(5, 40));
        QVERIFY(wait([&] { return page().shown()->log().intervals.size() == 5; }));
        QVERIFY2(!asked().log.stretch.restricts(), "all of the new file is shown");
        made_up::writeText(path, made_up::vllmLog(3, 45), QIODevice::WriteOnly | QIODevice::Append);
        QVERIFY(wait([&] { return page().shown()->log().intervals.size() == 8; }));
        page().followBox()->click();
    }
};

QTEST_MAIN(ServerLogOpenTest)
#include "server_log_open_test.moc"
