// simulate as a process: nonsense is refused in one sentence, the absurd ends, and an interrupt stops it.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_workloads.h"

#include <QDir>
#include <QTest>

#include <csignal>

namespace loadline::app {

class CliSimulateRefusalsTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() {
        const QByteArray distribution = made_up::distribution;
        makeWorkloads();
        made("heads.csv", "arrival_s,input_tokens,output_tokens\n");
        made("empty.json", "");
        made("unknown.json", QByteArray(distribution).replace("\"sessions\"", "\"sesions\""));
        made("negative.json", QByteArray(distribution).replace("0.25", "-0.25"));
        made("huge.json", QByteArray(distribution).replace("\"256\"", "\"1099511627776\""));
        made("shapes.json", "{}");
        QVERIFY(QDir().mkpath(path("none")));
    }

    void failuresAreOneSentence_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const char* name, const QStringList& options, const QByteArray& said) {
            QTest::newRow(name) << options << said;
        };
        row("no workload", {"--workload", path("nothing")}, "no such workload");
        row("empty folder", {"--workload", path("none")}, "no session files");
        row("empty file", {"--workload", path("empty.json")}, "not a workload");
        row("trace without requests", {"--workload", path("heads.csv")}, "no requests");
        row("unknown field", {"--workload", path("unknown.json")}, "sesions");
        row("negative frequency", {"--workload", path("negative.json")}, "frequency");
        row("turns too long", {"--workload", path("huge.json")}, "huge.json");
        row("no profile", {"--profile", path("nothing")}, "there is no such file");
        row("no profile of ours", {"--profile", "nothing"}, "no profile");
        row("not a profile", {"--profile", path("mine.json")}, "mine.json");
        row("no device", {"--profile", "roofline:Abacus"}, "Abacus");
        row("no model", {"--shapes", "gpt-0"}, "gpt-0");
        row("not shapes", {"--shapes", path("shapes.json")}, "shapes.json");
        row("no rule", {"--rule", "best"}, "dispatch rule");
        row("a rule with a gap", {"--rule", "scalar:4"}, "no kernel serves dense GEMMs from M = 5 on");
        row("a rule of unknown kernels", {"--rule", "scalar:4,warp"}, "there is no kernel \"warp\"");
        row("longer than the cache", {"--kv-blocks", "100"}, "KV blocks");
        row("longer than a request may be", {"--workload", path("mine.json"), "--max-model-len", "16"},
            "every prompt is refused");
        row("no arrivals in it", {"--arrivals", "trace"}, "arrival times");
        row("no gaps in it", {"--think", "data"}, "how long users think");
        row("no sessions in it", {"--turn-order", "replayed"}, "no sessions");
        row("no attention", {"--shapes", "study", "--step", "whole-step"}, "attention");
        row("out below nothing", {"--out", path("nothing/x.json")}, "cannot write");
        row("out into a folder", {"--out", path("none")}, "is a folder");
        row("full disk", {"--out", "/dev/full"}, "free some space");
        row("out over what is read", {"--workload", path("mine.json"), "--out", path("./mine.json")},
            "will not overwrite");
        row("out over a session",
            {"--workload", path("sessions"), "--out", path("sessions/alpha/" + made_up::idOf(1) + ".jsonl")},
            "will not overwrite");
    }

    void failuresAreOneSentence() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        const Ended ended = runLoadline(QStringList{"simulate", "--replicas", "2"} + options);
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.startsWith("loadline: "), ended.err);
        QVERIFY2(ended.err.contains(said), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void nothingIsComparedWithAnFp16ThatTakesNoTime() {
        const Ended ended =
            runLoadline({"simulate", "--json", "--shapes", "study", "--time-scale", "cublas_fp16=0"});
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.contains("fp16 takes no time"), ended.err);
    }

    void wrongUsageIsSaid_data() {
        QTest::addColumn<QString>("options");
        for (const char* options : {"--frobnicate",
                                    "stray",
                                    "--users",
                                    "--users 0",
                                    "--users -3",
                                    "--users 4097",
                                    "--users 1e3",
                                    "--users 99999999999999999999",
                                    "--users 1:8",
                                    "--policy fcfs",
                                    "--chunk 0",
                                    "--chunk -1",
                                    "--budget 0",
                                    "--budget 100 --max-seqs 200",
                                    "--max-seqs 0",
                                    "--k 1",
                                    "--k 6",
                                    "--k four",
                                    "--iterations 0",
                                    "--iterations -5",
                                    "--iterations 1000000001",
                                    "--turns 1000000001",
                                    "--turns 0",
                                    "--replicas 0",
                                    "--replicas 1001",
                                    "--seed -1",
                                    "--arrivals poisson:0",
                                    "--arrivals poisson:nan",
                                    "--arrivals often",
                                    "--think -1",
                                    "--think inf",
                                    "--kv-blocks 1",
                                    "--kv-blocks -7",
                                    "--block-size 0",
                                    "--watermark 2",
                                    "--watermark nan",
                                    "--host-us -1",
                                    "--host-us inf",
                                    "--time-scale mma",
                                    "--time-scale mma=-1",
                                    "--time-scale magic=2",
                                    "--time-scale mma=1e308",
                                    "--turn-order replayed --kv-blocks 1099511627776",
                                    "--max-model-len 1",
                                    "--prefill-batch 0",
                                    "--prompt-cap -1",
                                    "--step half",
                                    "--outputs guessed",
                                    "--order random",
                                    "--engine-version 1999",
                                    "--threads 0",
                                    "--turn-order backwards",
                                    "--out"}) {
            QTest::newRow(options) << options;
        }
    }

    void wrongUsageIsSaid() {
        QFETCH(QString, options);
        refusesUsage("simulate", options);
    }

    void absurdButPossibleSettingsEnd_data() {
        QTest::addColumn<QString>("options");
        for (const char* options :
             {"--users 4096 --turns 1", "--users 4096 --policy mlx --prefill-batch 65536 --turns 2",
              "--budget 1 --max-seqs 1 --turns 2", "--arrivals poisson:0.000001 --iterations 50",
              "--arrivals poisson:1000000 --iterations 2", "--think 1000000 --turns 5",
              "--time-scale scalar=0 --time-scale mma=0 --time-scale dequantise=0",
              "--chunk 1 --budget 1048576 --max-seqs 1048576 --users 3", "--seed 18446744073709551615",
              "--policy single-prefill --prompt-cap 1 --free-prompt 1099511627776",
              "--kv-blocks 1099511627776", "--block-size 65536 --kv-blocks 400"}) {
            QTest::newRow(options) << options;
        }
    }

    void absurdButPossibleSettingsEnd() {
        QFETCH(QString, options);
        const Ended ended =
            runLoadline(QStringList{"simulate", "--json", "--replicas", "2"} + options.split(' '));
        QVERIFY2(ended.status == 0, ended.err);
        const QJsonObject document = ended.json();
        // The device has less than 4 096 requests hold, and less than the blocks that are given.
        const bool isTooMuch = options.contains("mlx") || options.contains("kv-blocks");
        for (const char* key : {"time_vs_fp16", "avg_m", "throughput_tokens_per_s", "decode_only_fraction"}) {
            const QJsonValue value = document[QLatin1String(key)];
            QVERIFY2(isTooMuch ? value.isNull() : value.isDouble(), key);
        }
    }

    void aFullDiskAtStandardOutputIsAFailure() {
        if (!QFile::exists(QStringLiteral("/dev/full"))) {
            QSKIP("no /dev/full here");
        }
        for (const QStringList& form : {QStringList{}, QStringList{"--json"}}) {
            const Ended ended =
                runLoadline(QStringList{"simulate", "--replicas", "1"} + form, QStringLiteral("/dev/full"));
            QCOMPARE(ended.status, 1);
            QVERIFY2(ended.err.contains("standard output"), ended.err);
        }
    }

    void interruptingEndsWith130_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("fast") << QStringList{"--policy", "single-prefill", "--shapes", "study"};
        QTest::newRow("exact") << QStringList{"--kv-blocks", "100000"};
    }

    void interruptingEndsWith130() {
        QFETCH(QStringList, options);
        const Ended ended = interruptLoadline(
            QStringList{"simulate", "--iterations", "1000000000", "--replicas", "1", "--users", "64"} +
            options);
        QCOMPARE(ended.status, 130);
        QVERIFY(ended.out.isEmpty());
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSimulateRefusalsTest)
#include "cli_simulate_refusals_test.moc"
