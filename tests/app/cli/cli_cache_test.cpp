// cache as a process: documents of made-up traces and sessions, exports that read back, refusals.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

constexpr auto mooncakeTrace =
    R"({"timestamp": 0, "input_length": 1000, "output_length": 10, "hash_ids": [1, 2]}
{"timestamp": 1000, "input_length": 1500, "output_length": 10, "hash_ids": [1, 2, 3]}
{"timestamp": 400000, "input_length": 1000, "output_length": 20, "hash_ids": [1, 2]}
)";

constexpr auto wekaSession =
    R"({"id": "one", "block_size": 64, "hash_id_scope": "local", "requests": [
{"t": 0, "in": 128, "out": 2, "hash_ids": [1, 2], "api_time": 1},
{"t": 0, "type": "subagent", "agent_id": "a", "requests": [{"t": 0, "in": 64, "out": 1, "hash_ids": [9]},
 {"t": 2, "in": 128, "out": 1, "hash_ids": [9, 8]}]},
{"t": 10, "in": 190, "out": 2, "hash_ids": [1, 2, 3]}]})";

constexpr auto session =
    R"({"type":"user","uuid":"u1","timestamp":"2026-01-20T04:00:00.000Z","message":{"role":"user","content":"a secret"}}
{"type":"assistant","uuid":"a1","timestamp":"2026-01-20T04:00:03.000Z","requestId":"r1","message":{"id":"m1","model":"model-x","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":20000,"cache_creation":{"ephemeral_5m_input_tokens":20000,"ephemeral_1h_input_tokens":0},"cache_read_input_tokens":0,"output_tokens":11}}}
{"type":"user","uuid":"u2","timestamp":"2026-01-20T04:10:00.000Z","message":{"role":"user","content":"more"}}
{"type":"assistant","uuid":"a2","timestamp":"2026-01-20T04:10:03.000Z","requestId":"r2","message":{"id":"m2","model":"model-x","stop_reason":"end_turn","content":[{"type":"text","text":"hi"}],"usage":{"input_tokens":3,"cache_creation_input_tokens":21000,"cache_creation":{"ephemeral_5m_input_tokens":21000,"ephemeral_1h_input_tokens":0},"cache_read_input_tokens":0,"output_tokens":11}}}
)";

/// Three calls whose usage has no cache fields, as gateways write it; the prompts are 200, 300 and 400
/// blocks.
QByteArray callsOfAGateway(const char* stopReason) {
    QByteArray lines;
    for (int i = 0; i < 3; ++i) {
        QByteArray call =
            R"({"type":"user","uuid":"u@i","timestamp":"2026-01-20T04:0@i:00.000Z","message":{"role":"user","content":"a"}}
{"type":"assistant","uuid":"a@i","timestamp":"2026-01-20T04:0@i:03.000Z","requestId":"r@i","message":{"id":"m@i","model":"model-x","stop_reason":@stop,"content":[{"type":"text","text":"@text"}],"usage":{"input_tokens":@input,"output_tokens":2}}}
)";
        call.replace("@i\"", QByteArray::number(i) + "\"");
        call.replace("@i:", QByteArray::number(i) + ":");
        call.replace("@input", QByteArray::number(64 * (200 + 100 * i)));
        call.replace("@stop", stopReason);
        call.replace("@text", QByteArray(4000, 'x'));
        lines += call;
    }
    return lines;
}

/// True if a line of the text has this cell, and behind it the other.
bool hasLine(const QByteArray& text, const QByteArray& cell, const QByteArray& behind) {
    for (const QByteArray& line : text.split('\n')) {
        if (const auto at = line.indexOf(cell); at >= 0 && line.indexOf(behind, at + cell.size()) >= 0) {
            return true;
        }
    }
    return false;
}

} // namespace

class CliCacheTest : public QObject {
    Q_OBJECT

private slots:
    void sessionsWithoutCallsAreNoAnswer() {
        QTemporaryDir folder;
        QFile empty(folder.filePath("empty.jsonl"));
        QVERIFY(empty.open(QIODevice::WriteOnly));
        empty.close();
        const Ended ended = runLoadline({"cache", empty.fileName()});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("API call"), ended.err.constData());
        QVERIFY(ended.out.isEmpty());
    }

    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir(folder_.path()).mkpath("weka") && QDir(folder_.path()).mkpath("sessions"));
        writeFile(path("trace.jsonl"), mooncakeTrace);
        writeFile(path("weka/one.json"), wekaSession);
        writeFile(path("weka/two.json"), wekaSession);
        writeFile(path("sessions/s.jsonl"), session);
    }

    void subAgentsCountWhereTheyAreAskedFor() {
        const QJsonObject without = cacheOf({path("weka/one.json")});
        QCOMPARE(without["requests"].toInt(), 2);
        QCOMPARE(without["chains"]["sub_agent_requests"].toInt(), 2);
        const QJsonObject with = cacheOf({path("weka/one.json"), "--sub-agents"});
        QCOMPARE(with["requests"].toInt(), 4);
        QCOMPARE(with["chains"]["main"].toInt(), 2);
        QCOMPARE(with["chains"]["sub_agents"].toInt(), 0);
        QCOMPARE(with["chains"]["sub_agents_counted"].toInt(), 1);
        const Ended text = runLoadline({"cache", path("weka/one.json"), "--sub-agents"});
        QVERIFY2(hasLine(text.out, "conversations and sub-agents", "2"), text.out.constData());
        QVERIFY2(hasLine(text.out, "sub-agents counted", "1"), text.out.constData());
        QVERIFY(!text.out.contains("not counted"));
        const auto hits = [&](const QStringList& more) {
            const QStringList asked{"export", "cache-ttl",       "--trace", path("weka/one.json"),
                                    "--out",  path("agents.csv")};
            QFile::remove(path("agents.csv"));
            const Ended ended = runLoadline(asked + more);
            QFile file(path("agents.csv"));
            return ended.status == 0 && file.open(QIODevice::ReadOnly) ? file.readAll() : ended.err;
        };
        QVERIFY2(hits({}).startsWith("ttl_s,"), hits({}));
        QVERIFY2(hits({"--sub-agents"}).startsWith("ttl_s,"), hits({"--sub-agents"}));
        QVERIFY(hits({"--sub-agents"}) != hits({}));
    }

    void whatLengthsDoNotTellIsNull() {
        writeFile(path("lengths.csv"), "TIMESTAMP,ContextTokens,GeneratedTokens\n"
                                       "2023-11-16 18:15:46.6805900,374,44\n"
                                       "2023-11-16 18:15:50.9951690,396,109\n");
        const QJsonObject document = cacheOf({path("lengths.csv")});
        QCOMPARE(document["requests"].toInt(), 2);
        QCOMPARE(document["input"]["mean"].toDouble(), 385.0);
        for (const char* key :
             {"composition", "unlimited", "ttl", "read_write_ratio", "prefill_decode_split"}) {
            QVERIFY2(document.contains(QLatin1String(key)) && document[QLatin1String(key)].isNull(), key);
        }
        const Ended text = runLoadline({"cache", path("lengths.csv")});
        QVERIFY2(text.out.contains("What prompts share is not told") && !text.out.contains("cached"),
                 text.out);
    }

    void aTraceGivesItsFigures() {
        const QJsonObject document =
            cacheOf({path("trace.jsonl"), "--capacity-blocks", "1,2,3", "--ttl-s", "10,1000"});
        QCOMPARE(document["schema"].toString(), "loadline.cache/1");
        QCOMPARE(document["requests"].toInt(), 3);
        QCOMPARE(document["block_size_tokens"].toInt(), 512);
        QCOMPARE(document["block_refs"].toInt(), 7);
        QCOMPARE(document["unique_blocks"].toInt(), 3);
        QCOMPARE(document["unlimited"]["prefix_hit_block"].toDouble(), 4.0 / 7);
        QCOMPARE(document["unlimited"]["prefix_hit_token"].toDouble(), (1024 + 1000) / 3500.0);
        QCOMPARE(document["lru"]["rev"]["2"].toDouble(), 2.0 / 7);
        QCOMPARE(document["lru"]["rev"]["3"].toDouble(), 4.0 / 7);
        QCOMPARE(document["lru"]["fwd"]["2"].toDouble(), 2.0 / 7);
        QCOMPARE(document["lru_contiguous"]["1"].toDouble(), 2.0 / 7);
        QCOMPARE(document["ttl"]["10"].toDouble(), 2.0 / 7);
        QCOMPARE(document["ttl"]["1000"].toDouble(), 4.0 / 7);
        QCOMPARE(document["reuse_time_s"]["n"].toInt(), 4);
        QCOMPARE(document["chains"]["main"].toInt(), 1);
        QVERIFY(document["shared"].toArray().isEmpty());
        QVERIFY(document["breaks"].toArray().isEmpty());
    }

    void sessionsOfATraceAreChainsAndRepeatsAreSaid() {
        const QJsonObject document = cacheOf({path("weka")});
        QCOMPARE(document["requests"].toInt(), 2);
        QCOMPARE(document["chains"]["main"].toInt(), 1);
        QCOMPARE(document["chains"]["sub_agents"].toInt(), 1);
        QCOMPARE(document["chains"]["sub_agent_hit"].toDouble(), 1.0 / 3);
        QCOMPARE(document["composition"]["token_weighted"]["cached"].toDouble(), 128.0 / 322);
        QCOMPARE(document["read_write_ratio"].toDouble(), 128.0 / 190);
        QCOMPARE(document["lru_cache_for"].toString(), "each main chain");
        QCOMPARE(document["gap_s"]["p50"].toDouble(), 10.0);
        QCOMPARE(document["repeats_left_out"].toInt(), 1);
        QVERIFY(document["diagnostics"][0]["path"].toString().endsWith("two.json"));
    }

    void sessionsGiveWhatTheProviderTellsAndTheirBreaks() {
        const QJsonObject document = cacheOf({path("sessions"), "--split", "gpus=8,prefill=0.25"});
        QCOMPARE(document["source"].toString(), "sessions");
        QCOMPARE(document["requests"].toInt(), 2);
        QCOMPARE(document["composition"]["token_weighted"]["cached"].toDouble(), 0.0);
        QCOMPARE(document["breaks"][0]["cause"].toString(), "pause_over_5_min");
        QCOMPARE(document["breaks"][0]["line"].toInt(), 4);
        QCOMPARE(document["breaks"][0]["tokens_paid_again"].toInt(), 20000);
        QCOMPARE(document["breaks"][0]["time"].toString(), "2026-01-20T04:10:03.000Z");
        QCOMPARE(document["figures_of"]["prefill_decode_split"].toString(), "provider");
        QCOMPARE(document["prefill_decode_split"]["limit"]["gpus_freed"].toDouble(), 2.0);
        QVERIFY(document["unlimited"]["prefix_hit_block"].toDouble() > 0.4); // had nothing been forgotten
    }

    void whatLogsWithoutACacheDoNotTellIsSaid() {
        writeFile(path("gateway.jsonl"), callsOfAGateway("\"end_turn\""));
        const QJsonObject document = cacheOf({path("gateway.jsonl")});
        QVERIFY(document["breaks"].isNull());
        QVERIFY(document["hits_at_least"].toBool());
        QCOMPARE(document["figures_of"]["prefill_decode_split"].toString(), "unlimited");
        QCOMPARE(document["unlimited"]["aggregate_token_hit"].toDouble(), 500.0 / 900);
        QCOMPARE(document["prefill_decode_split"]["answer"]["hit_rate"].toDouble(), 500.0 / 900);
        QVERIFY(document["by"]["session"][0]["hit_rate"].isNull());
        QVERIFY(document["notes"][0].toString().startsWith("These logs record no cache"));
        const Ended text = runLoadline({"cache", path("gateway.jsonl")});
        QVERIFY2(text.out.contains("hits at least 55.6 % of its blocks"), text.out);
        QVERIFY2(hasLine(text.out, "prefix breaks", "not recorded"), text.out);
        QVERIFY2(!hasLine(text.out, "token-weighted", "0 %"), text.out);
        QVERIFY2(hasLine(text.out, "token-weighted", "\u2265 55.5 %"), text.out);
        QVERIFY2(hasLine(text.out, "at least 55.6 %", "at least 17.8"), text.out); // the GPUs that it frees
        QVERIFY2(text.out.contains("with the tiers' hits, \u2265 "), text.out);
        const QJsonObject split = document["prefill_decode_split"].toObject();
        QVERIFY(split["answer"]["at_least"].toBool() && split["hit_rate_at_least"].toBool());
        QVERIFY(split["within_ttl_and_tiers"]["300"]["at_least"].toBool());
        QVERIFY(document["unlimited_at_least"].toBool());
        QVERIFY(document["tiers"]["recomputed_at_most"].toBool());
        QVERIFY(document["token_cost"]["with_tiers"]["hit_rate_at_least"].toBool());
    }

    /// The provider's hit rate is of the sessions that record a cache; the others are named.
    void theProvidersHitRateLeavesOutWhatRecordsNoCache() {
        QVERIFY(QDir(folder_.path()).mkpath("mixed"));
        writeFile(path("mixed/s.jsonl"), session);
        writeFile(path("mixed/gateway.jsonl"),
                  callsOfAGateway("\"end_turn\"").replace("\"id\":\"m", "\"id\":\"g"));
        const QJsonObject alone = cacheOf({path("sessions")});
        const QJsonObject mixed = cacheOf({path("mixed")});
        QCOMPARE(mixed["sessions_without_cache"].toInt(), 1);
        QCOMPARE(mixed["sessions"].toInt(), 2);
        QCOMPARE(mixed["composition"], alone["composition"]);
        QCOMPARE(mixed["read_write_ratio"], alone["read_write_ratio"]);
        QCOMPARE(mixed["prefill_decode_split"]["hit_rate"], alone["prefill_decode_split"]["hit_rate"]);
        QVERIFY(!mixed["prefill_decode_split"]["hit_rate_at_least"].toBool());
        const Ended text = runLoadline({"cache", path("mixed")});
        QVERIFY2(text.out.contains("the provider's cache, without 1 of 2 sessions whose logs record none"),
                 text.out);
        const Ended sessions = runLoadline({"sessions", path("mixed")});
        QVERIFY2(
            sessions.out.contains("Hit rates leave out 57.6 k prompt tokens of 1 of 2 sessions whose logs "
                                  "record no cache."),
            sessions.out);
    }

    void placeholdersOfOutputsAreMarked() {
        writeFile(path("placeholders.jsonl"), callsOfAGateway("null"));
        const QJsonObject document = cacheOf({path("placeholders.jsonl")});
        QCOMPARE(document["outputs"]["lower_bounds"].toInt(), 3);
        QVERIFY(document["outputs"]["at_least"].toBool());
        QCOMPARE(document["outputs"]["mean_in_costs"].toDouble(), 1000.0);
        QCOMPARE(document["token_cost"]["request"]["output"].toDouble(), 1000.0);
        const Ended text = runLoadline({"cache", path("placeholders.jsonl")});
        QVERIFY2(text.out.contains("100 % of the outputs are lower bounds"), text.out);
        QVERIFY2(text.out.contains("recorded, may be more"), text.out);
        QVERIFY2(text.out.contains("\u2265 "), text.out);
    }

    void textSaysWhichCacheIsMeant() {
        const Ended ofSessions = runLoadline({"cache", path("sessions")});
        QCOMPARE(ofSessions.status, 0);
        QVERIFY2(ofSessions.out.contains("the provider's cache"), ofSessions.out);
        QVERIFY2(ofSessions.out.contains("pause over 5 min"), ofSessions.out);
        const Ended ofTrace = runLoadline({"cache", path("trace.jsonl")});
        QVERIFY2(hasLine(ofTrace.out, "unlimited cache, of the blocks, hit as a prefix", "57.1 %"),
                 ofTrace.out);
        QVERIFY2(ofTrace.out.contains("An engine's cache"), ofTrace.out);
    }

    void exportsReadBackWithoutNamesOrText() {
        for (const QString& from : {path("weka"), path("sessions")}) {
            const QJsonObject was = cacheOf({from});
            const QString lines = from + ".jsonl";
            const QString folder = from + "-exported";
            QCOMPARE(runLoadline({"cache", from, "--export-trace", "mooncake", "--out", lines}).status, 0);
            QCOMPARE(runLoadline({"cache", from, "--export-trace", "weka", "--out", folder}).status, 0);
            const QJsonObject weka = cacheOf({folder});
            for (const char* key :
                 {"block_refs", "unique_blocks", "block_size_tokens", "unlimited", "lru", "ttl"}) {
                QCOMPARE(weka[key], was[key]);
            }
            const int ofAgents = from == path("weka") ? 2 : 0; // each line a request, theirs too
            const QJsonObject mooncake = cacheOf({lines});
            QCOMPARE(mooncake["requests"].toInt(), was["requests"].toInt() + ofAgents);
            QCOMPARE(mooncake["block_size_tokens"].toInt(), from == path("sessions") ? 512 : 64);
            for (const QString& file : {lines, folder + "/session_0001.json"}) {
                QFile written(file);
                QVERIFY(written.open(QIODevice::ReadOnly));
                const QByteArray text = written.readAll();
                QVERIFY(!text.contains("secret") && !text.contains("model-x"));
                QVERIFY(!text.contains(folder_.path().toUtf8()) && !text.contains("\"one\""));
            }
        }
    }

    void whatCannotBeIsRefused() {
        refusesUsage("cache", path("weka") + " --export-trace mooncake");
        refusesUsage("cache", path("weka") + " --export-trace other --out x");
        refusesUsage("cache", path("weka") + " --split gpus=0");
        refusesUsage("cache", path("weka") + " --split prefill=2,gpus=8");
        refusesUsage("cache", path("weka") + " --capacity-blocks 0");
        QCOMPARE(runLoadline({"cache", path("none")}).status, 1);
        const Ended both = runLoadline({"cache", path("trace.jsonl"), path("sessions")});
        QCOMPARE(both.status, 1);
        QVERIFY2(both.err.contains("cannot be counted together"), both.err);
        const Ended over =
            runLoadline({"cache", path("weka"), "--export-trace", "weka", "--out", path("sessions")});
        QCOMPARE(over.status, 1);
        QVERIFY2(over.err.contains("not empty"), over.err);
        writeFile(path("keep.jsonl"), "kept");
        const Ended file =
            runLoadline({"cache", path("weka"), "--export-trace", "mooncake", "--out", path("keep.jsonl")});
        QCOMPARE(file.status, 1);
        QVERIFY2(file.err.contains("is there already"), file.err);
        QFile kept(path("keep.jsonl"));
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("kept"));
        const Ended lines =
            runLoadline({"cache", path("trace.jsonl"), "--export-trace", "weka", "--out", path("new")});
        QCOMPARE(lines.status, 1);
        QVERIFY2(lines.err.contains("who follows whom"), lines.err);
        QCOMPARE(runLoadline({"cache", path("weka"), "--export-trace", "weka", "--out", "-"}).status, 1);
    }

    void resultsDoNotDependOnThreads() {
        const auto withoutSeconds = [this](const QString& threads) {
            QJsonObject document = cacheOf({path("weka"), "--threads", threads});
            document.remove("seconds");
            return document;
        };
        QCOMPARE(withoutSeconds("1"), withoutSeconds("4"));
    }

private:
    static QJsonObject cacheOf(const QStringList& arguments) {
        return documentOf(QStringList{"cache", "--json"} + arguments);
    }

    QString path(const QString& name) const { return folder_.path() + u'/' + name; }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliCacheTest)

#include "cli_cache_test.moc"
