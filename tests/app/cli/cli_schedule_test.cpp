// schedule as a process: its document, its table, and scenarios that make no sense.
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

constexpr auto twoRequests =
    R"({"engine": "vllm", "config": {"max_num_batched_tokens": 8, "block_size": 4, "num_gpu_blocks": 11},
        "requests": [{"id": 7, "arrival_step": 0, "prompt_tokens": 10, "output_tokens": 2},
                     {"id": 9, "after": 7, "prompt_tokens": 3, "output_tokens": 1}]})";

} // namespace

class CliScheduleTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void theDocumentHoldsEveryStep() {
        const Ended ended = runLoadline({"schedule", scenario(twoRequests), "--json"});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.err.isEmpty());
        const QJsonObject document = ended.json();
        QCOMPARE(document["schema"].toString(), "batching-oracle/1");
        QCOMPARE(document["engine"].toString(), "vllm");
        const QJsonArray steps = document["steps"].toArray();
        QCOMPARE(steps.size(), 4); // 8 + 2 prompt tokens, one decode, then the follower
        QCOMPARE(steps[0].toObject()["sched"].toArray(), QJsonArray({7, 8}));
        QCOMPARE(steps[1].toObject()["sched"].toArray(), QJsonArray({7, 2}));
        QCOMPARE(steps[1].toObject()["emit"].toArray(), QJsonArray({7}));
        QCOMPARE(steps[2].toObject()["finished"].toArray(), QJsonArray({7}));
        QCOMPARE(steps[3].toObject()["arrive"].toArray(), QJsonArray({9}));
        QCOMPARE(steps[3].toObject()["free"].toInt(), 10);
        QCOMPARE(document["summary"].toArray()[1].toArray(), QJsonArray({9, 3, 3, 3, 3, 0, 0}));
    }

    void theTableIsReadable() {
        const Ended ended = runLoadline({"schedule", scenario(twoRequests)});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.contains("7:8"));
        QVERIFY(ended.out.contains("arrived 9"));
        QVERIFY(
            ended.out.contains("2 requests, 4 steps, 14 tokens computed, 3 output tokens, 0 preemptions"));
    }

    void badScenariosAreOneSentence_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("no JSON") << QByteArray("{") << QByteArray("not JSON");
        QTest::newRow("empty") << QByteArray() << QByteArray("not JSON");
        QTest::newRow("unknown field")
            << QByteArray(R"({"engine": "mlx", "config": {"prefil_step_size": 4}, "requests": []})")
            << QByteArray("prefil_step_size");
        QTest::newRow("unknown engine")
            << QByteArray(R"({"engine": "tgi", "requests": []})") << QByteArray("tgi");
        QTest::newRow("circle") << QByteArray(R"({"engine": "mlx", "requests": [
                {"id": 0, "after": 1, "prompt_tokens": 1, "output_tokens": 1},
                {"id": 1, "after": 0, "prompt_tokens": 1, "output_tokens": 1}]})")
                                << QByteArray("never arrive");
        QTest::newRow("waits for ever")
            << QByteArray(R"({"engine": "vllm", "config": {"enable_chunked_prefill": false,
                "max_num_batched_tokens": 8}, "requests": [
                {"id": 5, "arrival_step": 0, "prompt_tokens": 9, "output_tokens": 1}]})")
            << QByteArray("request 5 waits for ever");
    }

    void badScenariosAreOneSentence() {
        QFETCH(QByteArray, content);
        QFETCH(QByteArray, said);
        const Ended ended = runLoadline({"schedule", scenario(content), "--json"});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.startsWith("loadline: "), ended.err);
        QVERIFY2(ended.err.contains(said), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void badFilesAreOneSentence() {
        for (const QString& path : {folder_.filePath("none.json"), folder_.path()}) {
            const Ended ended = runLoadline({"schedule", path});
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains("cannot read the scenario"), ended.err);
            QCOMPARE(ended.err.count('\n'), 1);
        }
        QCOMPARE(runLoadline({"schedule"}).status, 2);
    }

private:
    QString scenario(const QByteArray& content) {
        QFile file(folder_.filePath(QStringLiteral("scenario.json")));
        if (file.open(QIODevice::WriteOnly)) {
            file.write(content);
        }
        return file.fileName();
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliScheduleTest)
#include "cli_schedule_test.moc"
