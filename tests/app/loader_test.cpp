// Loader: files to corpus in the background; add, reload, cancel, replace.
#include "app/job/loader.h"

#include "tests/app/made_up_sessions.h"

#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace loadline;
using namespace loadline::app;

class LoaderTest : public QObject {
    Q_OBJECT

private:
    static bool finish(Loader& loader) {
        return QTest::qWaitFor([&] { return !loader.isLoading(); }, 30'000);
    }

private slots:

    void init() { QTest::failOnWarning(QRegularExpression(".*")); }

    void readsAFolder() {
        QTemporaryDir folder;
        made_up::writeThree(folder.path());
        Loader loader;
        QSignalSpy finished(&loader, &Loader::finished);
        QList<bool> finals;
        connect(&loader, &Loader::corpusReady, this,
                [&](const std::shared_ptr<const Corpus>&, bool isFinal) { finals << isFinal; });
        loader.open({folder.path().toStdString()});
        QVERIFY(loader.isLoading());
        QVERIFY(finish(loader));
        QCOMPARE(finished.count(), 1);
        QCOMPARE(finals.count(true), 1);
        QVERIFY(finals.last());
        QVERIFY(loader.corpus()->complete);
        QCOMPARE(loader.corpus()->sessions.size(), std::size_t{3});
        QCOMPARE(loader.corpus()->calls.size(), std::size_t{36});
        const auto outcome = finished.first().first().value<LoadOutcome>();
        QCOMPARE(outcome.files, std::uint64_t{3});
        QVERIFY(outcome.bytes > 0);
        QVERIFY(!outcome.cancelled);
    }

    void addsBesideAndKeepsWhatWasRead() {
        QTemporaryDir first, second;
        made_up::writeThree(first.path());
        made_up::write(second.path(), {4, 3, "gamma", "claude-made-up-1", {}});
        Loader loader;
        loader.open({first.path().toStdString()});
        QVERIFY(finish(loader));
        const auto before = loader.corpus();
        loader.add({second.path().toStdString()});
        QVERIFY(finish(loader));
        QCOMPARE(loader.corpus()->sessions.size(), std::size_t{4});
        QCOMPARE(loader.corpus()->bytes,
                 before->bytes + made_up::textOf({4, 3, "gamma", "claude-made-up-1", {}}).size());
        int kept = 0;
        for (const FileInCorpus& now : loader.corpus()->files) {
            for (const FileInCorpus& old : before->files) {
                kept += now.file == old.file; // the very same value: not read again
            }
        }
        QCOMPARE(kept, 3);
        loader.add({second.path().toStdString()});
        QVERIFY(finish(loader));
        QCOMPARE(loader.corpus()->sessions.size(), std::size_t{4});
        QCOMPARE(loader.paths().size(), std::size_t{2});
    }

    void reloadSeesWhatChanged() {
        QTemporaryDir folder;
        made_up::writeThree(folder.path());
        Loader loader;
        loader.open({folder.path().toStdString()});
        QVERIFY(finish(loader));
        made_up::write(folder.path(), {1, 8, "alpha", "claude-made-up-1", {}}); // two calls more
        loader.reload();
        QVERIFY(finish(loader));
        QCOMPARE(loader.corpus()->calls.size(), std::size_t{38});
    }

    void openingAnotherFolderReplaces() {
        QTemporaryDir first, second;
        made_up::writeThree(first.path());
        made_up::write(second.path(), {4, 3, "gamma", "claude-made-up-1", {}});
        Loader loader;
        QSignalSpy finished(&loader, &Loader::finished);
        loader.open({first.path().toStdString()});
        loader.open({second.path().toStdString()}); // at once: the first one is dropped
        QVERIFY(finish(loader));
        QTest::qWait(50);
        QCOMPARE(finished.count(), 1);
        QCOMPARE(loader.corpus()->sessions.size(), std::size_t{1});
    }

    void cancelKeepsWhatWasRead() {
        QTemporaryDir folder;
        for (int i = 1; i <= 300; ++i) {
            made_up::write(folder.path(), {i, 60, "alpha", "claude-made-up-1", {}});
        }
        Loader loader;
        QSignalSpy finished(&loader, &Loader::finished);
        loader.open({folder.path().toStdString()});
        loader.cancel();
        QVERIFY(finish(loader));
        QCOMPARE(finished.count(), 1);
        QVERIFY(finished.first().first().value<LoadOutcome>().cancelled);
        QVERIFY(!loader.corpus()->complete);
        QVERIFY(loader.corpus()->files.size() < 300);
        for (const FileInCorpus& file : loader.corpus()->files) {
            QCOMPARE(file.calls.size(), std::size_t{60}); // whole files only
        }
        loader.reload();
        QVERIFY(finish(loader));
        QVERIFY(loader.corpus()->complete);
        QCOMPARE(loader.corpus()->files.size(), std::size_t{300});
    }

    void resultsComeWhileReading() {
        QTemporaryDir folder;
        for (int i = 1; i <= 400; ++i) {
            made_up::write(folder.path(), {i, 100, "alpha", "claude-made-up-1", {}});
        }
        Loader loader;
        loader.setPartialEvery(std::chrono::milliseconds(1));
        std::vector<std::shared_ptr<const Corpus>> corpora;
        connect(&loader, &Loader::corpusReady, this,
                [&](const std::shared_ptr<const Corpus>& corpus, bool isFinal) {
                    QCOMPARE(corpus->complete, isFinal);
                    corpora.push_back(corpus);
                });
        loader.open({folder.path().toStdString()});
        QVERIFY(finish(loader));
        QVERIFY(corpora.size() >= 2); // something came before the end
        for (std::size_t i = 1; i < corpora.size(); ++i) {
            QVERIFY(corpora[i - 1]->files.size() <= corpora[i]->files.size());
        }
        QVERIFY(corpora.front()->files.size() < 400);
        for (const auto& corpus : corpora) {
            QCOMPARE(corpus->calls.size(), corpus->files.size() * 100);
        }
    }

    void missingPathsAreDiagnostics() {
        Loader loader;
        loader.open({"/nowhere/at/all"});
        QVERIFY(finish(loader));
        QVERIFY(loader.corpus()->sessions.empty());
        QCOMPARE(loader.corpus()->diagnostics.size(), std::size_t{1});
        QCOMPARE(loader.corpus()->diagnostics.front().path, std::string("/nowhere/at/all"));
    }

    void destructionWhileLoadingWaits() {
        QTemporaryDir folder;
        for (int i = 1; i <= 50; ++i) {
            made_up::write(folder.path(), {i, 30, "alpha", "claude-made-up-1", {}});
        }
        {
            Loader loader;
            loader.open({folder.path().toStdString()});
        }
        QTest::qWait(20);
    }
};

QTEST_MAIN(LoaderTest)
#include "loader_test.moc"
