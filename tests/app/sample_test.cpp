// The bundled sample: unpacked whole, and still what loadline_generate makes.
#include "app/files/sample.h"

#include "core/session/corpus/corpus.h"
#include "tests/tools/generate/generate.h"

#include <QDir>
#include <QDirIterator>
#include <QTemporaryDir>
#include <QTest>

#include <map>
#include <set>

namespace loadline::app {
namespace {

std::map<QString, QByteArray> contents(const QString& folder) {
    std::map<QString, QByteArray> result;
    QDirIterator below(folder, QDir::Files, QDirIterator::Subdirectories);
    while (below.hasNext()) {
        QFile file(below.next());
        const bool opened = file.open(QIODevice::ReadOnly);
        result[QDir(folder).relativeFilePath(file.fileName())] = opened ? file.readAll() : QByteArray();
    }
    return result;
}

} // namespace

class SampleTest : public QObject {
    Q_OBJECT

private slots:
    void isWhatTheReadmeSays() {
        const QTemporaryDir folder;
        Progress progress;
        const Result<GeneratedLedger> made = generateSessions(
            folder.filePath("again").toStdString(),
            {.sessions = 8, .bytes = 960'000, .seed = 21, .largestResult = 600}, {}, progress);
        QVERIFY(made);
        const Result<std::string> sample = sampleFolder();
        QVERIFY2(sample, sample ? "" : sample.error().sentence().c_str());
        QVERIFY(contents(QString::fromStdString(*sample)) == contents(folder.filePath("again")));
        QVERIFY(made->bytes < 1'000'000);
        QVERIFY(made->subAgentFiles > 0 && made->forks == 1 && made->compactions > 0 && made->apiErrors > 0 &&
                made->longPauses > 0);
    }

    void isUnpackedOnce() {
        const Result<std::string> first = sampleFolder();
        const Result<std::string> second = sampleFolder();
        QVERIFY(first && second);
        QCOMPARE(*first, *second);
        QVERIFY(QFileInfo(QString::fromStdString(*first)).isDir());
    }

    void makesEveryViewMeaningful() {
        Progress progress;
        const std::vector<std::string> paths = {*sampleFolder()};
        const Corpus corpus = buildCorpus(readSessionFiles(findSessionFiles(paths, {}), {}, {}, progress));
        QCOMPARE(corpus.sessions.size(), 8U);
        std::set<std::string> projects;
        std::set<OutputQuality> qualities;
        for (const Session& session : corpus.sessions) {
            projects.insert(session.project);
        }
        for (const CorpusCall& call : corpus.calls) {
            qualities.insert(call.quality);
        }
        QCOMPARE(projects.size(), 3U);
        QCOMPARE(qualities.size(), 3U);
        QVERIFY(corpus.models.size() > 3);
    }
};

} // namespace loadline::app

QTEST_MAIN(loadline::app::SampleTest)
#include "sample_test.moc"
