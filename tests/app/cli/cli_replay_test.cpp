// replay as a process: its document, its text, and runs that are broken.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

const QString madeUpRun = QStringLiteral(LOADLINE_TEST_DATA "/engine_run");

} // namespace

class CliReplayTest : public QObject {
    Q_OBJECT

private slots:
    void theDocumentComparesPredictedWithRecorded() {
        const Ended ended = runLoadline({"replay", madeUpRun, "--json"});
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.isEmpty(), ended.err);
        const QJsonObject document = ended.json();
        QVERIFY(ended.out.startsWith("{\n  \"schema\": \"loadline.replay/1\"") ||
                ended.out.startsWith("{\"schema\":\"loadline.replay/1\""));
        QCOMPARE(document["requests"].toInt(), 3);
        QCOMPARE(document["steps"].toInt(), 6);
        QCOMPARE(document["preemptions"].toInt(), 0);
        QCOMPARE(document["kv_blocks"].toInt(), 101);
        for (const char* part : {"predicted", "recorded"}) {
            const QJsonObject summary = document[QLatin1String(part)].toObject();
            for (const char* latency : {"ttft_s", "tpot_s", "e2e_s"}) {
                const QJsonObject quantiles = summary[QLatin1String(latency)].toObject();
                for (const char* statistic : {"mean", "p50", "p90", "p99"}) {
                    QVERIFY(quantiles[QLatin1String(statistic)].toDouble() > 0);
                }
            }
            QVERIFY(summary["makespan_s"].toDouble() > 0);
        }
        const double predicted = document["predicted"]["ttft_s"]["mean"].toDouble();
        const double recorded = document["recorded"]["ttft_s"]["mean"].toDouble();
        const double error = document["error"]["ttft_s"]["mean"].toDouble();
        QVERIFY(qAbs(error - (predicted / recorded - 1)) < 1e-12);
        QVERIFY(qAbs(document["peer_error"]["ttft_s"]["mean"].toDouble() - 0.1) < 1e-12);
        QVERIFY(!document.contains("per_request"));
        QVERIFY(document["speed"]["wall_s"].toDouble() > 0);
        QVERIFY(document["speed"]["steps_per_s"].toDouble() > 0);
        QVERIFY(document["speed"]["times_real_time"].toDouble() > 0);
    }

    void requestsAreListedWhenAskedFor() {
        const QJsonArray requests =
            runLoadline({"replay", madeUpRun, "--json", "--per-request"}).json()["per_request"].toArray();
        QCOMPARE(requests.size(), 3);
        QCOMPARE(requests[1]["request_id"].toString(), "bench-1");
        QVERIFY(requests[1]["ttft_s"].toDouble() > 0);
        QVERIFY(requests[1]["e2e_s"].toDouble() > requests[1]["ttft_s"].toDouble());
        QCOMPARE(requests[1]["preemptions"].toInt(-1), 0);
        QVERIFY(requests[2]["tpot_s"].isNull());
    }

    void withoutRecordedTimesThereIsNoError() {
        const QString run = copy();
        write(run + "/requests.jsonl", R"({"input_toks": 40, "output_toks": 3, "arrival_time": 5})");
        const QJsonObject document = runLoadline({"replay", run, "--json"}).json();
        QCOMPARE(document["requests"].toInt(), 1);
        QVERIFY(document.contains("recorded") && document["recorded"].isNull());
        QVERIFY(document["error"].isNull());
        QVERIFY(runLoadline({"replay", run}).out.contains("No times were recorded"));
    }

    void theTextIsReadable() {
        const Ended ended = runLoadline({"replay", madeUpRun, "--per-request", "--blocks", "50"});
        QCOMPARE(ended.status, 0);
        for (const char* part : {"Llama-3.1-8B on Made-up GPU", "LLMServingSim's error", "+10.0 %", "bench-2",
                                 "3 requests in 6 steps, 0 preemptions, 50 KV blocks", "as asked for",
                                 "steps a second", "prompts were not recorded"}) {
            QVERIFY2(ended.out.contains(part), part + (": " + ended.out));
        }
    }

    void promptsTellWhatIsShared() {
        const QString run = copy();
        QByteArray prompts;
        for (const int tokens : {40, 100, 20}) {
            QByteArrayList ids;
            for (int i = 0; i < tokens; ++i) {
                ids.append(QByteArray::number(i));
            }
            prompts += "{\"input_tok_ids\": [" + ids.join(", ") + "]}\n";
        }
        write(run + "/served.jsonl", prompts);
        const QJsonObject known =
            runLoadline({"replay", run, "--json", "--prompts", run + "/served.jsonl"}).json();
        QVERIFY(known["cached_tokens"].toInt() >= 32);
        QCOMPARE(runLoadline({"replay", run, "--json"}).json()["cached_tokens"].toInt(), 0);
        QFile::rename(run + "/served.jsonl", run + "/prompts.jsonl");
        QCOMPARE(runLoadline({"replay", run, "--json"}).json()["cached_tokens"], known["cached_tokens"]);
    }

    void brokenRunsAreOneSentence() {
        const QString run = copy();
        write(run + "/profile/attention.csv", "prefill_chunk,kv_prefill\n");
        const QString empty = copy();
        write(empty + "/requests.jsonl", "");
        for (const QStringList& arguments :
             {QStringList{"replay", "/nowhere"},
              {"replay", madeUpRun + "/meta.json"},
              {"replay", folder_.path()},
              {"replay", run},
              {"replay", empty, "--json"},
              {"replay", madeUpRun, "--blocks", "3"},
              {"replay", madeUpRun, "--prompts", "/nowhere"},
              {"replay", madeUpRun, "--prompts", madeUpRun + "/requests.jsonl"}}) {
            const Ended ended = runLoadline(arguments);
            QVERIFY2(ended.status == 1, arguments.join(' ').toUtf8() + ended.err);
            QVERIFY(ended.out.isEmpty());
            QVERIFY2(ended.err.startsWith("loadline: "), ended.err);
            QCOMPARE(ended.err.count('\n'), 1);
        }
        QCOMPARE(runLoadline({"replay"}).status, 2);
        for (const char* blocks : {"many", "-3", "1"}) {
            QCOMPARE(runLoadline({"replay", madeUpRun, "--blocks", blocks}).status, 2);
        }
    }

private:
    QString copy() {
        QString target = folder_.filePath(QStringLiteral("run%1").arg(++copies_));
        QDir().mkpath(target + "/profile");
        for (const char* sub : {"", "profile/"}) {
            const QDir from(madeUpRun + '/' + QLatin1String(sub));
            for (const QString& name : from.entryList(QDir::Files)) {
                const QString path = target + '/' + QLatin1String(sub) + name;
                QFile::copy(from.filePath(name), path);
                QFile::setPermissions(path, QFile::ReadOwner | QFile::WriteOwner);
            }
        }
        return target;
    }

    static void write(const QString& path, const QByteArray& content) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }

    QTemporaryDir folder_;
    int copies_ = 0;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliReplayTest)
#include "cli_replay_test.moc"
