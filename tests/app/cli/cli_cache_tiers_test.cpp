// cache of a model on a machine, as a process: tiers, costs, what is moved out, compositions, refusals.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

/// 512 tokens a block: the second prompt finds two blocks with others' third in between.
constexpr auto tracedRequests =
    R"({"timestamp": 0, "input_length": 1024, "output_length": 10, "hash_ids": [1, 2]}
{"timestamp": 1000, "input_length": 512, "output_length": 10, "hash_ids": [3]}
{"timestamp": 2000, "input_length": 1536, "output_length": 20, "hash_ids": [1, 2, 4]}
)";

constexpr auto twoCalls =
    R"({"type":"user","uuid":"u1","timestamp":"2026-01-20T04:00:00.000Z","message":{"role":"user","content":"a"}}
{"type":"assistant","uuid":"a1","timestamp":"2026-01-20T04:00:03.000Z","requestId":"r1","message":{"id":"m1","model":"model-x","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":0,"cache_creation_input_tokens":20000,"cache_read_input_tokens":0,"output_tokens":100}}}
{"type":"assistant","uuid":"a2","timestamp":"2026-01-20T04:01:03.000Z","requestId":"r2","message":{"id":"m2","model":"model-y","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":0,"cache_creation_input_tokens":0,"cache_read_input_tokens":20000,"output_tokens":100}}}
)";

constexpr auto oneCall =
    R"({"type":"user","uuid":"u@name","sessionId":"s@day","timestamp":"2026-01-0@dayT04:@minute:00.000Z","message":{"role":"user","content":"a"}}
{"type":"assistant","uuid":"a@name","sessionId":"s@day","timestamp":"2026-01-0@dayT04:@minute:03.000Z","requestId":"r@name","message":{"id":"m@name","model":"model-x","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":0,"cache_creation_input_tokens":6400,"cache_read_input_tokens":@read,"output_tokens":100}}}
)";

/// Ten calls of a session on a day of January, two minutes apart, each with 6 400 tokens more.
QByteArray tenCalls(int day) {
    QByteArray lines;
    for (int i = 0; i < 10; ++i) {
        QByteArray call = oneCall;
        call.replace("@name", QByteArray::number(day) + "c" + QByteArray::number(i));
        call.replace("@day", QByteArray::number(day));
        call.replace("@minute", QByteArray::number(10 + 2 * i));
        call.replace("@read", QByteArray::number(6400 * i));
        lines += call;
    }
    return lines;
}

} // namespace

class CliCacheTiersTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir(folder_.path()).mkpath("sessions"));
        writeFile(path("trace.jsonl"), tracedRequests);
        writeFile(path("lengths.csv"), "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                       "2023-11-16 18:15:46.6805900,374,44\n");
        writeFile(path("sessions/s.jsonl"), twoCalls);
        QVERIFY(QDir(folder_.path()).mkpath("many"));
        for (int day = 1; day <= 3; ++day) {
            writeFile(path(QStringLiteral("many/s%1.jsonl").arg(day)), tenCalls(day));
        }
    }

    void tiersServeWhatTheirCapacityHolds() {
        // A block of llama-3.1-8b is 512 x 131072 bytes = 0.067 GB: two blocks, then two more.
        const QJsonObject document = cacheOf({path("trace.jsonl"), "--model", "llama-3.1-8b", "--gpus", "1",
                                              "--tiers", "fast:0.2:1000:0,slow:0.135:10:5"});
        const QJsonObject all = document["tiers"].toObject();
        QCOMPARE(all["hits_of"].toString(), "all requests");
        QCOMPARE(all["serving"]["bytes_per_token"].toDouble(), 131072.0);
        const QJsonArray tiers = all["tiers"].toArray();
        QCOMPARE(tiers.size(), 2);
        // Two blocks hold 3 and the first of 1 and 2 when these come back and are looked up: three are needed
        // for both.
        QCOMPARE(tiers[0]["hit"].toDouble(), 1.0 / 6);
        QCOMPARE(tiers[1]["hit"].toDouble(), 1.0 / 6);
        QCOMPARE(all["recomputed"].toDouble(), 1 - 2.0 / 6);
        QCOMPARE(tiers[1]["latency_us"].toDouble(), 5.0);
        QVERIFY2(tiers[1]["ttft_s"].toDouble() < tiers[0]["ttft_s"].toDouble(), "more hits, less computing");
        QVERIFY(all["break_even_gb_per_s"]["1024"].toDouble() >
                all["break_even_gb_per_s"]["131072"].toDouble());
        QVERIFY(document["by"].isNull());
        QVERIFY(document["move_out"].isNull());
    }

    void whatLengthsDoNotTellIsNull() {
        const QJsonObject document = cacheOf({path("lengths.csv"), "--move-out", "0.5"});
        for (const char* key : {"tiers", "token_cost", "move_out", "by"}) {
            QVERIFY2(document.contains(QLatin1String(key)) && document[QLatin1String(key)].isNull(), key);
        }
    }

    void costsAreInMoneyOnlyWithAPrice() {
        const QJsonObject without = cacheOf({path("sessions")})["token_cost"].toObject();
        QVERIFY(without["gpu_hour_usd"].isNull());
        QVERIFY(without["with_reuse"]["per_request"]["usd"].isNull());
        QVERIFY(without["with_reuse"]["tokens_per_usd"].isNull());
        QVERIFY(without["with_reuse_fixed_split"].isNull());
        const double gpuS = without["with_reuse"]["per_request"]["gpu_s"].toDouble();
        QVERIFY(gpuS > 0 && gpuS < without["without_reuse"]["per_request"]["gpu_s"].toDouble());
        const QJsonObject with =
            cacheOf({path("sessions"), "--gpu-hour", "3.6", "--split", "prefill=0.5"})["token_cost"]
                .toObject();
        QCOMPARE(with["with_reuse"]["per_request"]["usd"].toDouble(), gpuS * 0.001);
        QVERIFY(with["with_reuse_fixed_split"]["request_gpu_s"]["idle"].toDouble() > 0);
        QCOMPARE(with["moves"].toArray().size(), 4 + 6 + 4);
    }

    void whatDoesNotFitHasNoPrice() {
        const QJsonObject document = cacheOf({path("sessions"), "--model", "deepseek-v3"});
        QVERIFY(document["token_cost"].isNull());
        QVERIFY(!document["tiers"]["weights_fit"].toBool(true));
        const Ended ended =
            runLoadline({"cache", path("sessions"), "--model", "deepseek-v3", "--weight-bytes", "2"});
        QVERIFY2(ended.out.startsWith("deepseek-v3 does not fit: needs 1.35 TB of 576 GB.\n"), ended.out);
        QVERIFY(!ended.out.contains("A million tokens cost") && !ended.out.contains("computed again"));
        for (const QJsonValue& tier : document["tiers"]["tiers"].toArray()) {
            QVERIFY(tier["hit"].isNull() && tier["ttft_s"].isNull() && tier["sessions"].isNull());
        }
        const QJsonObject quantised =
            cacheOf({path("sessions"), "--model", "deepseek-v3", "--weight-bytes", "0.5"})["tiers"]
                .toObject();
        QVERIFY(quantised["weights_fit"].toBool());
        const QJsonArray tiers = quantised["tiers"].toArray();
        QCOMPARE(tiers[1]["bytes_per_token"].toDouble(), 8 * 70'272.0); // in every GPU's memory
        QCOMPARE(tiers[3]["bytes_per_token"].toDouble(), 70'272.0);     // once in host memory
    }

    void weightsAreThoseThatWerePublished() {
        const auto servingOf = [&](const QStringList& more) {
            return cacheOf(QStringList{path("sessions")} + more)["tiers"].toObject()["serving"].toObject();
        };
        const QJsonObject oss = servingOf({"--model", "gpt-oss-120b"});
        QCOMPARE(oss["tensor_parallel"].toInt(), 1); // 65 GB on a GPU of 80
        QVERIFY(oss["bytes_per_weight"].toDouble() > 0.53 && oss["bytes_per_weight"].toDouble() < 0.6);
        QVERIFY(oss["weights_published"].toString().contains("MXFP4 experts"));
        const QJsonObject given = servingOf({"--model", "gpt-oss-120b", "--weight-bytes", "2"});
        QCOMPARE(given["bytes_per_weight"].toDouble(), 2.0);
        QVERIFY(given["weights_published"].isNull());
        QCOMPARE(servingOf({})["bytes_per_weight"].toDouble(), 2.0); // llama-3.3-70b in bf16
        const Ended three = runLoadline({"cache", path("sessions"), "--tp", "3"});
        QVERIFY2(three.err.contains("--tp 1, 2, 4 or 8"), three.err);
    }

    void sessionsShareTheCacheAsTheyWereRecorded() {
        const QJsonObject tiers = cacheOf({path("many")})["tiers"].toObject();
        QCOMPARE(tiers["sharing"]["kind"].toString(), "recorded");
        QCOMPARE(tiers["sharing"]["sessions"].toInt(), 3);
        QCOMPARE(tiers["sharing"]["at_once"].toInt(), 1); // a day apart
        QCOMPARE(tiers["serving"]["sessions"].toInt(), 1);
        QCOMPARE(tiers["sharing"]["replicas"].toInt(), 2);
        QCOMPARE(tiers["sharing"]["routing"].toString(), "each session on one of 2 replicas");
        const Ended text = runLoadline({"cache", path("many")});
        QVERIFY2(text.out.startsWith("3 sessions at their recorded times share the HBM of 2 replicas: "),
                 text.out);
        QVERIFY2(text.out.contains("At most 1 of them is active within 5 min."), text.out);
        QVERIFY2(text.out.contains("of capacity. Sessions with 10 requests or more of the main agent.\n"),
                 text.out);
        QVERIFY2(text.out.contains("one of 1, rests"), text.out);
        QVERIFY2(text.out.contains(" each session on one of 2 replicas\n"), text.out);
    }

    void asManySessionsAsAreAskedForEverywhere() {
        const QJsonObject tiers = cacheOf({path("many"), "--sessions", "2"})["tiers"].toObject();
        QCOMPARE(tiers["hits_of"].toString(), "2 sessions that begin at once");
        QCOMPARE(tiers["serving"]["sessions"].toInt(), 2);
        const Ended more = runLoadline({"cache", path("many"), "--sessions", "2000"});
        QVERIFY2(more.err.contains("3 sessions with 10 requests or more are there"), more.err);
        QVERIFY2(more.out.contains("3 sessions that begin at once") && more.out.contains("one of 3, rests"),
                 more.out);
    }

    void aHitRateIsTyped() {
        const QJsonObject split =
            cacheOf({path("many"), "--split", "hit=0.9213"})["prefill_decode_split"].toObject();
        QCOMPARE(split["hit_rate"].toDouble(), 0.9213);
        QCOMPARE(split["hit_rate_of"].toString(), "typed");
        QCOMPARE(split["linear"]["speed_up"].toDouble(), 1 / (1 - 0.5 * 0.9213));
        const QJsonObject counted = cacheOf({path("many")})["prefill_decode_split"].toObject();
        const QJsonObject kept = counted["within_ttl_and_tiers"].toObject();
        QVERIFY(kept["60"]["hit_rate"].toDouble() < kept["3600"]["hit_rate"].toDouble());
        refusesUsage("cache", path("trace.jsonl") + " --split hit=2");
    }

    void noGpuDoesNothing() {
        const Ended none = runLoadline({"cache", path("sessions"), "--split", "prefill=1,hit=1"});
        QVERIFY2(!none.out.contains("inf"), none.out);
        const Ended ended = runLoadline({"cache", path("sessions"), "--split", "prefill=1"});
        QVERIFY2(!ended.out.contains("inf"), ended.out);
        const QJsonObject cost = cacheOf({path("sessions"), "--split", "prefill=1"})["token_cost"].toObject();
        QVERIFY(cost["with_reuse_fixed_split"].isNull());
        const Ended more = runLoadline({"cache", path("sessions"), "--gpus", "64"}); // of a node of 8
        QCOMPARE(more.status, 1);
        QVERIFY2(more.err.contains("try: --tiers"), more.err);
    }

    void replicasShareTheMachine() {
        const auto memoryGB = [&](const char* gpus) {
            const QJsonObject all = cacheOf({path("sessions"), "--tp", gpus})["tiers"].toObject();
            return std::pair(qRound(all["tiers"][1]["capacity_gb"].toDouble()),
                             all["serving"]["replicas"].toInt());
        };
        QCOMPARE(memoryGB("8"), std::pair(435, 1));
        QCOMPARE(memoryGB("4"), std::pair(294, 2)); // 576 less 2 x 141.2
        const QJsonObject usual = cacheOf({path("sessions")})["tiers"].toObject();
        QCOMPARE(usual["serving"]["tensor_parallel"].toInt(), 4);
        const QJsonObject one = cacheOf({path("sessions"), "--tp", "8"})["tiers"].toObject();
        QCOMPARE(usual["prompt"]["compute_s"].toDouble(), 2 * one["prompt"]["compute_s"].toDouble());
        QVERIFY(cacheOf({path("sessions"), "--tp", "1"})["token_cost"].isNull()); // 141 GB on a GPU of 80
        for (const QStringList& command :
             {QStringList{"cache", path("sessions")},
              {"export", "cache-capacity", path("sessions"), "--out", "x.csv"}}) {
            const Ended many = runLoadline(command + QStringList{"--tp", "16"});
            QCOMPARE(many.status, 1);
            QVERIFY2(many.err.contains("over 16 GPUs needs as many: there are 8"), many.err);
        }
    }

    void movedContextLeavesTheCache() {
        const QJsonObject figure = cacheOf({path("sessions"), "--move-out",
                                            "share=0.25,fetch=0.5,index=0,bytes=8,tier=nvme"})["move_out"]
                                       .toObject();
        QCOMPARE(figure["tier"].toString(), "NVMe");
        QCOMPARE(figure["before"]["hit_rate"].toDouble(), 0.5);
        QCOMPARE(figure["moved_tokens"].toDouble(), 5000.0);
        QCOMPARE(figure["after"]["input"].toDouble(), 17'500.0);
        QCOMPARE(figure["after"]["hit_rate"].toDouble(), 5000 / 17'500.0);
        QCOMPARE(figure["read_bytes_per_request"].toDouble(), 20'000.0);
        QCOMPARE(figure["read_gb_per_s"].toDouble(), 20'000 / 63.0 / 1e9);
    }

    void compositionsOfSessionsAgentsAndModels() {
        const QJsonObject by = cacheOf({path("sessions")})["by"].toObject();
        QCOMPARE(by["session"].toArray().size(), 1);
        QCOMPARE(by["agent"][0]["key"].toString(), "claude");
        QCOMPARE(by["agent"][0]["hit_rate"].toDouble(), 0.5);
        QCOMPARE(by["model"].toArray().size(), 2);
        QCOMPARE(by["model"][0]["requests"].toInt(), 1);
    }

    void textNamesModelMachineAndWhatIsAssumed() {
        const Ended ended = runLoadline({"cache", path("sessions"), "--gpu-hour", "2", "--move-out", "0.5"});
        QVERIFY2(!ended.out.contains("A million cached, GPU s"), ended.out); // a price is asked for
        QCOMPARE(ended.status, 0);
        for (const char* words : {"8 x H100 SXM", "llama-3.3-70b", "added to a prompt for launches",
                                  "host memory", "$", "moved to host memory"}) {
            QVERIFY2(ended.out.contains(words), ended.out);
        }
    }

    void whatCannotBeIsRefused() {
        for (const char* options :
             {"--model gpt-9",         "--tp 0",           "--tp -1",         "--kv-bytes nan",
              "--kv-bytes 1e30",       "--weight-bytes 0", "--gpus 0",        "--gpus 1e30",
              "--peak-tflops -1",      "--mfu 0",          "--mfu 1.5",       "--prefill-t0-s -1",
              "--bandwidth-share inf", "--batch 0",        "--sessions 0",    "--gpu-hour 0",
              "--gpu-hour -2",         "--gpu-hour 1e30",  "--move-out 1.5",  "--move-out share=nan",
              "--move-out kind=x",     "--move-out =",     "--move-out tier="}) {
            refusesUsage("cache", path("trace.jsonl") + " " + options);
        }
        for (const char* tiers :
             {"none", "a:-1:2", "a:1:0", "a:1:nan", "a:1e30:2", "a:1:2,a:1:1", "a:1:1,b:1:2"}) {
            const Ended ended = runLoadline({"cache", path("trace.jsonl"), "--tiers", tiers});
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains("try: ") && ended.out.isEmpty(), ended.err);
        }
        QCOMPARE(runLoadline({"cache", path("trace.jsonl"), "--move-out", "0.5,tier=tape"}).status, 1);
    }

private:
    static QJsonObject cacheOf(const QStringList& arguments) {
        return documentOf(QStringList{"cache", "--json"} + arguments);
    }

    QString path(const QString& name) const { return folder_.path() + u'/' + name; }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliCacheTiersTest)

#include "cli_cache_tiers_test.moc"
