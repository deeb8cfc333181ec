// --workload: the reference, files and folders of each sort, and what is none of them.
#include "app/cli/simulate/resolve_workload.h"
#include "app/options/simulation_options.h"
#include "app/simulation/simulation_sources.h"
#include "tests/app/made_up_sessions.h"

#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {

class WorkloadOptionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void theReferenceIsTheDefault() {
        const Result<Workload> workload = resolve({});
        QVERIFY(workload);
        QVERIFY(*workload == referenceWorkload());
    }

    void aDistributionFileIsRead() {
        const std::string path = file("mine.json", QByteArray::fromStdString(toJson(publishedReference())));
        const Result<Workload> workload = resolve({path});
        QVERIFY(workload);
        QCOMPARE(workload->kind, WorkloadKind::Distribution);
        QCOMPARE(workload->key, path);
        QVERIFY(workload->distribution == publishedReference());
    }

    void aTraceIsRead() {
        const Result<Workload> workload =
            resolve({file("t.csv", "arrival_s,input_tokens,output_tokens\n5,1,2\n6,3,4\n")});
        QVERIFY(workload);
        QCOMPARE(workload->kind, WorkloadKind::Trace);
        QCOMPARE(workload->requests.size(), std::size_t{2});
        QCOMPARE(workload->requests[1].arrivalS, 1.0);
    }

    void aFolderOfSessionsAndOneOfThemAreRead() {
        const QDir sessions(folder_.filePath("sessions"));
        QVERIFY(sessions.mkpath("alpha"));
        for (const int number : {1, 2}) {
            file("sessions/alpha/" + made_up::idOf(number) + ".jsonl",
                 made_up::textOf({number, 6, "alpha", "claude-made-up-1", {}}));
        }
        const Result<Workload> both = resolve({sessions.path().toStdString()});
        QVERIFY(both);
        QCOMPARE(both->kind, WorkloadKind::Sessions);
        QCOMPARE(both->sessions.size(), std::size_t{2});
        QCOMPARE(both->name, std::string("Sessions in sessions"));
        QCOMPARE(both->sessions[1].turns.at(2).context, Tokens{3000});
        QCOMPARE(both->sessions[1].turns.at(2).input, Tokens{210});
        QCOMPARE(both->sessions[1].turns.at(2).output, Tokens{60});

        const std::string one = sessions.filePath("alpha/" + made_up::idOf(2) + ".jsonl").toStdString();
        const Result<Workload> single = resolve({one});
        QVERIFY(single);
        QCOMPARE(single->sessions.size(), std::size_t{1});
        QVERIFY(single->sessions[0].turns == both->sessions[1].turns);
    }

    void aFolderOfTracesIsRead() {
        const QDir traces(folder_.filePath("traces"));
        QVERIFY(traces.mkpath("below"));
        file("traces/one.csv", "arrival_s,input_tokens,output_tokens\n5,1,2\n6,3,4\n");
        file("traces/below/two.csv", "arrival_s,input_tokens,output_tokens\n0.5,7,8\n");
        const Result<Workload> workload = resolve({traces.path().toStdString()});
        QVERIFY2(workload, workload ? "" : workload.error().sentence().c_str());
        QCOMPARE(workload->kind, WorkloadKind::Trace);
        QCOMPARE(workload->key, traces.path().toStdString());
        QCOMPARE(workload->requests.size(), std::size_t{3});
        SimulationRequest request;
        request.workload = traces.path().toStdString();
        const SourcesShown inWindow = sourcesOf(namesOf(request), nullptr, nullptr, {});
        QVERIFY(inWindow.sources.workload);
        QVERIFY(inWindow.sources.workload->requests == workload->requests);
    }

    void whatIsNoneOfTheseIsOneSentence_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("said");
        QVERIFY(QDir(folder_.path()).mkpath("empty"));
        QTest::newRow("absent") << folder_.filePath("nothing") << "there is no such workload";
        QTest::newRow("nameless") << ""
                                  << "there is no such workload";
        QTest::newRow("empty folder") << folder_.filePath("empty") << "there are no session files";
        QTest::newRow("prose") << made("prose.txt", "Lorem ipsum") << "neither a distribution file nor";
        QTest::newRow("nothing in it") << made("empty.csv", "") << "neither a distribution file nor";
        QTest::newRow("no requests") << made("none.csv", "arrival_s,input_tokens,output_tokens\n")
                                     << "there are no requests in it";
        QTest::newRow("no calls") << made("calls.jsonl", R"({"type":"user","sessionId":"s","uuid":"u"})")
                                  << "no API call with tokens is in these sessions";
    }

    void whatIsNoneOfTheseIsOneSentence() {
        QFETCH(const QString, path);
        QFETCH(const QString, said);
        const Result<Workload> workload = resolve({path.toStdString()});
        QVERIFY(!workload);
        const QString sentence = QString::fromStdString(workload.error().sentence());
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
        QVERIFY2(!workload.error().remedy.empty(), qPrintable(sentence));
    }

    void theOptionsParse() {
        const auto read = simulationRequestFrom({"--workload", "t.csv", "--outputs", "visible"});
        QVERIFY(read);
        QCOMPARE(read->workload.name, std::string("t.csv"));
        QVERIFY(read->outputs == OutputCounts::Visible);
        QVERIFY(!simulationRequestFrom({"--outputs", "guessed"}));
    }

private:
    Result<Workload> resolve(const Source& source) {
        return resolveWorkload(source, OutputCounts::Recorded, 1, interruption_);
    }

    QString made(const QString& name, const QByteArray& content) {
        return QString::fromStdString(file(name, content));
    }

    std::string file(const QString& name, const QByteArray& content) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName().toStdString();
    }

    QTemporaryDir folder_;
    Interruption interruption_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::WorkloadOptionTest)
#include "workload_option_test.moc"
