// StartPage and StatusLine: what they say in each state, and what their buttons ask for.
#include "ui/panel/part/status_line.h"
#include "ui/panel/start/source_card.h"
#include "ui/panel/start/start_page.h"

#include <QDir>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

using namespace loadline;
using namespace loadline::ui;

namespace {

SourceCard* card(const QWidget& page, const QString& title) {
    for (SourceCard* candidate : page.findChildren<SourceCard*>()) {
        if (candidate->text() == title) {
            return candidate;
        }
    }
    return nullptr;
}

template <typename Button>
Button* named(const QWidget& page, const QString& start) {
    for (Button* button : page.findChildren<Button*>()) {
        if (button->accessibleName().startsWith(start) && button->isVisibleTo(&page)) {
            return button;
        }
    }
    return nullptr;
}

bool says(const QWidget& widget, const QString& text) {
    for (const QLabel* label : widget.findChildren<QLabel*>()) {
        if (label->isVisibleTo(&widget) && label->text().contains(text)) {
            return true;
        }
    }
    return false;
}

} // namespace

class StartAndStatusTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QTest::failOnWarning(QRegularExpression("^(?!This plugin does not support).*")); }

    void ownSessionsAreLookedForThenOffered() {
        StartPage page;
        SourceCard* own = card(page, "My Claude Code sessions");
        QVERIFY(own);
        QVERIFY(!own->isEnabled());
        QCOMPARE(own->explanation(), QString::fromUtf8("Looking…"));
        const QStringList folders{QDir::homePath() + "/.claude/projects"};
        page.setDefaultSessions(1234, 2'010'000'000, folders);
        QVERIFY(own->isEnabled());
        QVERIFY(own->explanation().contains("2.01 GB"));
        QVERIFY(own->explanation().contains("~/.claude/projects"));
        QSignalSpy spy(&page, &StartPage::pathsRequested);
        QTest::mouseClick(own, Qt::LeftButton);
        QCOMPARE(spy.front().at(0).toStringList(), folders);
        page.setDefaultSessions(0, 0, folders);
        QVERIFY(!own->isEnabled());
        QVERIFY(own->explanation().contains("none"));
    }

    void cardsAskByMouseAndKeyboard() {
        StartPage page;
        page.show();
        QSignalSpy folder(&page, &StartPage::openFolderRequested);
        QSignalSpy sample(&page, &StartPage::sampleRequested);
        QSignalSpy files(&page, &StartPage::openFilesRequested);
        QTest::mouseClick(card(page, QString::fromUtf8("Open folder…")), Qt::LeftButton);
        QTest::keyClick(card(page, "The sample"), Qt::Key_Space);
        QTest::mouseClick(named<QPushButton>(page, "Open single files"), Qt::LeftButton);
        QCOMPARE(folder.count(), 1);
        QCOMPARE(sample.count(), 1);
        QCOMPARE(files.count(), 1);
        QSignalSpy simulation(&page, &StartPage::simulationRequested);
        QSignalSpy kernels(&page, &StartPage::kernelsRequested);
        QTest::keyClick(named<QPushButton>(page, "Open single files"), Qt::Key_Return);
        QTest::keyClick(named<QPushButton>(page, "Simulate batching"), Qt::Key_Return);
        QTest::keyClick(named<QPushButton>(page, "Time this machine's kernels"), Qt::Key_Enter);
        QCOMPARE(files.count(), 2);
        QCOMPARE(simulation.count(), 1);
        QCOMPARE(kernels.count(), 1);
    }

    void recentFoldersOpenAndGo() {
        StartPage page;
        page.show();
        QVERIFY(!says(page, "Recent"));
        page.setRecentFolders({"/logs/one & two", "/logs/three"});
        QVERIFY(says(page, "Recent"));
        QSignalSpy paths(&page, &StartPage::pathsRequested);
        QSignalSpy removed(&page, &StartPage::recentFolderRemoved);
        QTest::mouseClick(named<QPushButton>(page, "Open one & two"), Qt::LeftButton);
        QCOMPARE(paths.front().at(0).toStringList(), QStringList{"/logs/one & two"});
        QTest::keyClick(named<QPushButton>(page, "Open three"), Qt::Key_Return);
        QCOMPARE(paths.back().at(0).toStringList(), QStringList{"/logs/three"});
        QTest::mouseClick(named<QToolButton>(page, "Remove /logs/three"), Qt::LeftButton);
        QCOMPARE(removed.front().at(0).toString(), QString("/logs/three"));
        page.setRecentFolders({});
        QVERIFY(!says(page, "Recent"));
    }

    void failureAndDropAreStates() {
        StartPage page;
        page.show();
        page.setError("Cannot read the folder.");
        QVERIFY(says(page, "Cannot read the folder."));
        page.setError({});
        QVERIFY(!says(page, "Cannot read"));
        page.setDropActive(true);
        QVERIFY(says(page, "Drop it here."));
    }

    void loadingIsToldInWords_data() {
        QTest::addColumn<QList<qulonglong>>("state"); // files done, total, bytes done, total, ms
        QTest::addColumn<QString>("sentence");
        const auto row = [](const char* name, const QList<qulonglong>& state, const char* sentence) {
            QTest::newRow(name) << state << QString::fromUtf8(sentence);
        };
        row("looking", {0, 0, 0, 0, 100}, "Looking for session files…");
        row("begun", {1, 20, 1'000'000, 100'000'000, 100}, "Reading: 1 of 20 files, 1 MB of 100 MB");
        row("rate", {10, 20, 50'000'000, 100'000'000, 1000},
            "Reading: 10 of 20 files, 50 MB of 100 MB, 50 MB/s");
        row("rest", {10, 20, 50'000'000, 100'000'000, 5000},
            "Reading: 10 of 20 files, 50 MB of 100 MB, 10 MB/s, 6 s left");
    }

    void loadingIsToldInWords() {
        QFETCH(QList<qulonglong>, state);
        QFETCH(QString, sentence);
        LoadingState loading{state[0], state[1], state[2], state[3], static_cast<std::int64_t>(state[4])};
        QCOMPARE(loadingSentence(loading), sentence);
    }

    void statusGoesThroughItsStates() {
        StatusLine line;
        line.resize(900, 30);
        line.show();
        auto* bar = line.findChild<QProgressBar*>();
        QVERIFY(!bar->isVisible());
        line.setLoading({10, 20, 50, 100, 1000});
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), 500);
        QSignalSpy cancel(&line, &StatusLine::cancelRequested);
        QTest::mouseClick(named<QToolButton>(line, "Stop reading"), Qt::LeftButton);
        QCOMPARE(cancel.count(), 1);
        line.setLoaded({2400, 212, 2'010'000'000, 412, 3, false});
        QVERIFY(!bar->isVisible());
        QVERIFY(says(line, "2.01 GB in 2"));
        QSignalSpy odd(&line, &StatusLine::diagnosticsRequested);
        auto* button = named<QToolButton>(line, "3 lines odd");
        QVERIFY(button);
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(odd.count(), 1);
        QVERIFY(button->icon().isNull() && button->toolTip().contains("nothing is left out"));
        line.setLoaded({2400, 212, 2'010'000'000, 412, 3, false, {}, 2});
        QVERIFY(!button->icon().isNull() && button->toolTip().contains("of 2 something is left out"));
        line.setSessionsShown(false); // a page that shows none of them
        QVERIFY(!says(line, "2.01 GB in 2") && !button->isVisible());
        line.setSessionsShown(true);
        QVERIFY(says(line, "2.01 GB in 2") && button->isVisible());
        line.flash("Copied");
        QVERIFY(says(line, "Copied"));
        line.setHovered("A bar");
        QVERIFY(says(line, "A bar"));
        QVERIFY(button->isVisible());
        line.setHovered({});
        QVERIFY(says(line, "Copied"));
        line.setLoaded({1, 1, 10, 1, 0, true});
        line.setError("It failed.");
        QVERIFY(!named<QToolButton>(line, "3 lines odd"));
        line.setNote("published");
        QVERIFY(says(line, "published"));
    }

    void filesAreNotCalledLines() {
        const auto words = [](std::uint64_t odd, std::uint64_t files) {
            LoadSummary summary;
            summary.oddLines = odd;
            summary.oddFiles = files;
            return oddWords(summary);
        };
        QCOMPARE(words(1, 0), QStringLiteral("1 line odd"));
        QCOMPARE(words(14, 14), QStringLiteral("14 files odd"));
        QCOMPARE(words(4, 1), QStringLiteral("3 lines and 1 file odd"));
    }

    void stoppedLoadingSaysSo() {
        QVERIFY(loadSummarySentence(LoadSummary{5, 2, 1000, 800, 0, true}).contains("stopped"));
        QVERIFY(loadSummarySentence(LoadSummary{1, 1, 1000, 800, 0, false}).contains("1 file read in"));
    }
};

QTEST_MAIN(StartAndStatusTest)
#include "start_and_status_test.moc"
