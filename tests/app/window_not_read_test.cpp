// The window on files that are no sessions: other agents' logs are named, and nobody says that nothing is
// lost.
#include "tests/app/window_fixture.h"
#include "tests/made_up_logs.h"
#include "ui/model/diagnostics_model.h"
#include "ui/panel/evidence/diagnostics_panel.h"
#include "ui/panel/part/status_line.h"
#include "ui/panel/start/start_page.h"

#include <QDir>
#include <QDockWidget>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QMimeData>
#include <QTest>
#include <QTreeView>
#include <sys/stat.h>

using namespace loadline;
using namespace loadline::app;
using made_up::WindowFixture;

namespace {

void write(const QString& path, const std::string& content) {
    QVERIFY(QDir().mkpath(QFileInfo(path).path()));
    QFile file(path);
    QVERIFY2(file.open(QIODevice::WriteOnly), qPrintable(path));
    file.write(content.data(), static_cast<qint64>(content.size()));
}

void writeCodex(const QString& folder) {
    for (int i = 1; i <= 13; ++i) {
        write(folder + QStringLiteral("/rollout-%1.jsonl").arg(i), made_up::codexLog());
    }
}

QString textOf(const QWidget& panel) {
    QStringList texts;
    for (const auto* label : panel.findChildren<QLabel*>()) {
        texts << label->text() << label->accessibleDescription(); // whole, where the window is too narrow
    }
    return texts.join('\n');
}

/// All cells of the Diagnostics.
QString textOf(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            text += model.index(row, column, parent).data().toString() + '\n';
        }
        text += textOf(model, model.index(row, 0, parent));
    }
    return text;
}

const QString codexSentence = QStringLiteral(
    "13 files look like Codex CLI logs; Loadline does not read those yet. No sessions were made of them.");

} // namespace

class WindowNotReadTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<WindowFixture> fixture_;
    std::unique_ptr<QTemporaryDir> folder_;

    [[nodiscard]] WindowFixture& f() const { return *fixture_; }

    [[nodiscard]] QString startPage() const { return textOf(f().window->startPage()); }

    void drop(const QString& path) const {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f().window.get(), &enter);
        QDropEvent drop({10, 10}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(f().window.get(), &drop);
        QVERIFY(f().settle());
    }

private slots:
    void init() {
        made_up::failOnWarnings();
        fixture_ = std::make_unique<WindowFixture>();
        folder_ = std::make_unique<QTemporaryDir>();
    }

    void cleanup() { fixture_.reset(); }

    void aFolderOfCodexLogsGoesBackToTheStartPageThatNamesThem() {
        writeCodex(folder_->path());
        drop(folder_->path());
        QVERIFY(f().window->startPage().isVisible());
        QVERIFY2(startPage().contains(folder_->path() + ": " + codexSentence), qPrintable(startPage()));
        QVERIFY(!f().bench().corpus());
    }

    void aFileThatIsNoneIsSaidInOneSentence() {
        write(folder_->filePath("bin"), std::string("\x7f"
                                                    "ELF\0\1\2",
                                                    7));
        drop(folder_->filePath("bin"));
        QVERIFY2(startPage().contains(folder_->filePath("bin") +
                                      ": not a session log that Loadline knows, no "
                                      "session was made of it. A session is a "),
                 qPrintable(startPage()));
        drop(folder_->filePath("missing"));
        QVERIFY2(startPage().contains(folder_->filePath("missing") +
                                      ": cannot be opened: No such file or directory. A session is a "),
                 qPrintable(startPage()));
    }

    void oneDatabaseIsNamedToo() {
        write(folder_->filePath("state.vscdb"),
              made_up::database("CREATE TABLE ItemTable (key)CREATE TABLE cursorDiskKV (key)"));
        drop(folder_->filePath("state.vscdb"));
        QVERIFY2(startPage().contains("1 file looks like a Cursor log; Loadline does not read those yet."),
                 qPrintable(startPage()));
    }

    void besideSessionsTheyAreInDiagnosticsAndStatusLine() {
        writeCodex(folder_->filePath("codex"));
        made_up::writeThree(folder_->path());
        drop(folder_->path());
        QCOMPARE(f().bench().corpus()->sessions.size(), std::size_t{3});
        QVERIFY(f().workspace().diagnosticsDock().isVisible());
        const QString odd = textOf(*f().workspace().diagnostics().findChild<QTreeView*>()->model());
        QVERIFY2(odd.contains("it looks like a Codex CLI log, which Loadline does not read yet"),
                 qPrintable(odd));
        QVERIFY2(odd.contains("left aside: not read, in no total"), qPrintable(odd));
        QVERIFY2(!odd.contains("nothing is lost"), qPrintable(odd));
        const QString status = textOf(*f().window->findChild<ui::StatusLine*>());
        QVERIFY2(status.contains("3 sessions. " + codexSentence), qPrintable(status));
    }

    void addedToOpenSessionsTheyAreSaid() {
        made_up::writeThree(folder_->filePath("sessions"));
        QVERIFY(f().open(folder_->filePath("sessions")));
        writeCodex(folder_->filePath("codex"));
        f().window->addPaths({folder_->filePath("codex")});
        QVERIFY(f().settle());
        QCOMPARE(f().bench().corpus()->sessions.size(), std::size_t{3});
        QCOMPARE(f().bench().corpus()->notRead.size(), std::size_t{13});
        QVERIFY(textOf(*f().window->findChild<ui::StatusLine*>()).contains(codexSentence));
    }

    void aTraceAmongSessionsIsNoneAndAloneIsAWorkload() {
        made_up::writeThree(folder_->path());
        write(folder_->filePath("trace.jsonl"),
              "{\"timestamp\":0,\"input_length\":10,\"output_length\":5,\"hash_ids\":[1]}\n");
        QVERIFY(f().open(folder_->path()));
        QCOMPARE(f().bench().corpus()->sessions.size(), std::size_t{3});
        QVERIFY(
            textOf(*f().window->findChild<ui::StatusLine*>()).contains("1 file looks like a request trace"));
        QVERIFY(f().open(folder_->filePath("trace.jsonl")));
        QCOMPARE(QString::fromStdString(f().bench().state().simulation.workload.name),
                 folder_->filePath("trace.jsonl"));
    }

    void aPipeIsRefusedAtOnce() {
        const QString pipe = folder_->filePath("pipe.jsonl");
        QCOMPARE(::mkfifo(qPrintable(pipe), 0600), 0);
        drop(pipe);
        QVERIFY2(startPage().contains("it is a pipe, a socket or a device"), qPrintable(startPage()));
    }
};

QTEST_MAIN(WindowNotReadTest)
#include "window_not_read_test.moc"
