// simulate as a process: the study, formats, rules and kernel times that it is asked for, and its words.
#include "tests/app/cli/cli_simulation.h"
#include "tests/app/made_up_workloads.h"

#include <QJsonArray>
#include <QTest>

namespace loadline::app {
namespace {

constexpr auto scalarAlone = R"({"schema": "loadline.profile/1", "name": "scalar alone",
    "device": {"name": "a device", "hardware": "RTX4090"},
    "points": [{"kernel": "scalar", "shape": "2048x512", "rows_m": 1, "k_bits": 4, "time_us": 3},
               {"kernel": "cublas_fp16", "shape": "2048x512", "rows_m": 1, "time_us": 9}]})";

} // namespace

class CliSimulateChoicesTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() { made("scalar.json", scalarAlone); }

    void theStudyStandsBesideOurs() {
        const QJsonObject study = simulated({"--study", "--iterations", "10"})["study"].toObject();
        const QJsonArray readings = study["readings"].toArray();
        QCOMPARE(readings.size(), 3);
        for (const QJsonValue reading : readings) {
            const QJsonArray users = reading["users"].toArray();
            QCOMPARE(users.size(), 6);
            QCOMPARE(users[5]["avg_m"]["published"].toInt(), 495);
            QVERIFY(users[5]["avg_m"]["mean"].toDouble() > 64);
        }
        QVERIFY(study["notes"].toArray().size() >= 4);
        QVERIFY(runLoadline({"simulate", "--study"}).out.contains("495 |"));
    }

    void aRuleMayBeText() {
        const QString rule = "scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant";
        const QStringList run{"--users", "2", "--iterations", "2000", "--replicas", "2"};
        const QJsonObject code = simulated(run);
        const QJsonObject same = simulated(run + QStringList{"--rule", rule});
        QCOMPARE(same["time_vs_fp16"], code["time_vs_fp16"]);
        QCOMPARE(same["inputs"]["rule"].toString(), rule);
        QCOMPARE(same["inputs"]["rule_name"].toString(), QString("As in the code"));
        QVERIFY(same["inputs"]["command"].toString().contains('\'' + rule + '\'')); // for a shell
        const QJsonObject other = simulated(run + QStringList{"--rule", "mma:16,dequant_cublas"});
        QCOMPARE(other["kernel_share"]["scalar"].toDouble(), 0.0);
        QVERIFY(other["kernel_share"]["mma"].toDouble() > code["kernel_share"]["mma"].toDouble());
        QCOMPARE(other["inputs"]["rule_name"].toString(),
                 QString("MMA to M = 16, dequantise + cuBLAS above"));
        QVERIFY(runLoadline({"simulate", "--rule", "mma:16,dequant_cublas"})
                    .out.contains("rule \"mma:16,dequant_cublas;grouped_mma:16,grouped_dequant\""));
    }

    /// fp16 with its own KV room, and not on k = 4's batches.
    void bothFormatsAreServed() {
        const QJsonObject document = simulated(
            {"--users", "64", "--iterations", "30000", "--replicas", "2", "--max-model-len", "60000"});
        QVERIFY2(document["time_vs_fp16"].toDouble() > 1.1, "on the same batches k = 4 takes longer");
        QVERIFY2(document["turns_per_s_vs_against"].toDouble() > 1, "and serves more");
        const QJsonObject against = document["against"].toObject();
        QCOMPARE(document["format"].toObject(),
                 (QJsonObject{{"weights", "k4"}, {"kv", "fp16"}, {"experts", "k4"}}));
        QCOMPARE(against["format"]["weights"].toString(), QString("fp16"));
        QVERIFY(against["fits"].toBool());
        QVERIFY(against["ttft_s"]["p50"].toDouble() > 5 * document["ttft_s"]["p50"].toDouble());
        near(document["turns_per_s_vs_against"].toDouble(),
             document["turns_per_s"].toDouble() / against["turns_per_s"].toDouble());
        const QJsonArray interval = document["interval_vs_against"]["turns_per_s"].toArray();
        QCOMPARE(interval.size(), 2);
        const QJsonObject parts = document["interval_vs_against_parts"]["turns_per_s"].toObject();
        const QJsonArray ofRuns = parts["runs"].toArray();
        QVERIFY(interval[0].toDouble() < ofRuns[0].toDouble() &&
                ofRuns[1].toDouble() < interval[1].toDouble());
        QCOMPARE(parts["kernel_times"].toArray().size(), 2);
        QVERIFY(parts["of"].toString().startsWith("chance in the runs and the error of the kernel times"));
        QCOMPARE(document["compared_on"]["longest_request_tokens"].toInt(), 54'400);
        QVERIFY(against["refused_share"].toDouble() > 0.001);
        QVERIFY(against["users_that_fit"].toInt() < document["users_that_fit"].toInt());
        const QString headline = document["headline"].toString();
        QVERIFY2(headline.startsWith("k = 4 serves ") && headline.split(' ').size() <= 20,
                 qPrintable(headline));
        QCOMPARE(document["inputs"]["budget"].toInt(), 2048);
        QCOMPARE(document["inputs"]["max_seqs"].toInt(), 256);
    }

    void theStudyComparesTime() {
        for (const QStringList& options : {QStringList{"--shapes", "study"}, QStringList{"--step", "gemm"}}) {
            const QJsonObject document =
                simulated(options + QStringList{"--iterations", "500", "--replicas", "2"});
            QVERIFY(!document.contains("against"));
            QVERIFY(document["time_vs_fp16"].toDouble() > 0);
        }
    }

    void aKernelThatIsMissingIsAskedFor() {
        const QStringList options = {"--profile", path("scalar.json"), "--rule", "code", "--replicas", "1"};
        const Ended ended = runLoadline(QStringList{"simulate"} + options);
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("MMA"), ended.err);
        QVERIFY2(ended.err.contains("--model-missing"), ended.err);
        const QJsonObject modelled = simulated(options + QStringList{"--model-missing"});
        QVERIFY(modelled["time_vs_fp16"].toDouble() > 0);
        QVERIFY(modelled["inputs"].toObject()["model_missing"].toBool());
    }

    void theTextIsReadable() {
        const Ended ended =
            runLoadline({"simulate", "--users", "12", "--kv-blocks", "8000", "--max-model-len", "100000"});
        QCOMPARE(ended.status, 0);
        for (const char* words :
             {"12 users in a closed loop", "What this counts", "Time on the same batches vs fp16",
              "dequantise + cuBLAS", "TTFT", "Preemptions", "published:", "4 runs"}) {
            QVERIFY2(ended.out.contains(words), words);
        }
    }

    void namesCannotSteerTheTerminal() {
        const QString profile =
            made("steer.json", QByteArray(scalarAlone).replace("scalar alone", "a\\u001b[2Jb"));
        const Ended ended =
            runLoadline({"simulate", "--profile", profile, "--model-missing", "--replicas", "1"});
        QCOMPARE(ended.status, 0);
        QVERIFY(!ended.out.contains('\x1b'));
    }

    void saysHowMuchOfTheTimeIsModelled() {
        const QJsonObject published =
            runLoadline({"simulate", "--json", "--shapes", "study", "--users", "4"}).json();
        const double kBit = published["modelled_share"].toObject()["k_bit"].toDouble(-1);
        const double fp16 = published["modelled_share"].toObject()["fp16"].toDouble(-1);
        QVERIFY2(kBit > 0 && kBit < 0.5 && fp16 > 0 && fp16 < 0.5,
                 "decodes were timed on both sides, prompts were not");
        const QJsonObject roofline =
            runLoadline({"simulate", "--json", "--profile", "roofline:H100-SXM"}).json();
        QCOMPARE(roofline["modelled_share"].toObject()["k_bit"].toDouble(), 1.0);
        QCOMPARE(roofline["modelled_share"].toObject()["fp16"].toDouble(), 1.0);
    }

    void helpNamesEveryOption() {
        const Ended ended = runLoadline({"simulate", "--help"});
        QCOMPARE(ended.status, 0);
        for (const char* option : {"--workload",       "--profile", "--shapes",   "--users", "--policy",
                                   "--chunk",          "--budget",  "--max-seqs", "--k ",    "--arrivals",
                                   "--iterations",     "--turns",   "--replicas", "--seed",  "--json",
                                   "--threads",        "--out",     "--rule",     "--step",  "--kv-blocks",
                                   "--no-prefix-cache"}) {
            QVERIFY2(ended.out.contains(option), option);
        }
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSimulateChoicesTest)
#include "cli_simulate_choices_test.moc"
