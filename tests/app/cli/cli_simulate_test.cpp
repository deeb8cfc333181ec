// simulate as a process: its document adds up, and reruns and threads change nothing.
#include "app/simulation/simulation_bench.h"
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_workloads.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <memory>

namespace loadline::app {
namespace {

/// Without how long it took.
QJsonObject withoutSpeed(QJsonObject document) {
    document.remove(QStringLiteral("speed"));
    return document;
}

double sumOf(const QJsonObject& numbers) {
    double sum = 0;
    for (const QJsonValue value : numbers) {
        sum += value.toDouble();
    }
    return sum;
}

QJsonObject simulated(const QStringList& arguments) {
    const Ended ended = runLoadline(QStringList{"simulate", "--json"} + arguments);
    if (ended.status != 0) {
        qWarning("%s", ended.err.constData());
    }
    return ended.json();
}

constexpr auto scalarAlone = R"({"schema": "loadline.profile/1", "name": "scalar alone",
    "device": {"name": "a device", "hardware": "RTX4090"},
    "points": [{"kernel": "scalar", "shape": "2048x512", "rows_m": 1, "k_bits": 4, "time_us": 3},
               {"kernel": "cublas_fp16", "shape": "2048x512", "rows_m": 1, "time_us": 9}]})";

} // namespace

class CliSimulateTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() {
        makeWorkloads();
        made("scalar.json", scalarAlone);
        made("trace.csv", "arrival_s,input_tokens,output_tokens\n0,100,20\n0.1,300,5\n0.2,50,40\n");
    }

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

    /// More runs need more: both speak of the same.
    void theMemoryThatItNeedsIsThatOfTheWindow() {
        SimulationRequest request;
        request.arrivals.users = 2;
        request.length.iterations = 2000;
        request.replicas = 3;
        auto sources =
            std::make_shared<const SourcesShown>(sourcesOf(namesOf(request), nullptr, nullptr, {}));
        const SimulationShown window =
            simulated({&settingStudy, request, std::move(sources)}, FigureStage::Refined, {}, {});
        QVERIFY(!window.error);
        const auto memory = std::ranges::find(window.counts, "memory", &CountedFact::key);
        QVERIFY(memory != window.counts.end());
        const QJsonObject document = simulated({"--users", "2", "--iterations", "2000", "--replicas", "3"});
        const QString words = document["what_counts"]["memory"].toString();
        QCOMPARE(words, QString::fromStdString(memory->words));
        QVERIFY2(words.contains(QString::fromUtf8(" + KV up to ")), qPrintable(words));
        QCOMPARE(document["kv_cache"]["peak_bytes"].toDouble(), window.simulator->memory.kvBytes);
        QVERIFY(window.simulator->memory.kvBytes > 0);
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

    void theDocumentAddsUp_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("default") << QStringList{};
        QTest::newRow("the study's") << QStringList{"--policy", "single-prefill", "--chunk",
                                                    "512",      "--users",        "16"};
        QTest::newRow("a distribution file") << QStringList{"--workload", path("mine.json"), "--users", "40"};
        QTest::newRow("a trace") << QStringList{"--workload", path("trace.csv"), "--arrivals", "trace"};
        QTest::newRow("sessions replayed")
            << QStringList{"--workload", path("sessions"), "--turn-order", "replayed", "--think",
                           "data",       "--prefix-cache", "--kv-blocks",  "2000"};
        QTest::newRow("a rate") << QStringList{"--arrivals", "poisson:20"};
        QTest::newRow("few blocks") << QStringList{
            "--workload", path("mine.json"), "--users", "30", "--kv-blocks", "60", "--no-full-reservation"};
        QTest::newRow("mlx") << QStringList{"--policy", "mlx", "--users", "5"};
        QTest::newRow("whole steps") << QStringList{"--shapes",          "gpt-oss-20b", "--profile",
                                                    "roofline:H100-SXM", "--step",      "whole-step",
                                                    "--host-us",         "200"};
    }

    void theDocumentAddsUp() {
        QFETCH(QStringList, options);
        const Ended ended = runLoadline(
            QStringList{"simulate", "--json", "--replicas", "3", "--iterations", "2000"} + options);
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.isEmpty(), ended.err);
        QVERIFY(ended.out.startsWith("{\n  \"schema\": \"loadline.simulate/1\""));
        // null stands for choices that were not made, and for a memory that nobody knows; elsewhere it would
        // be a number that is none
        QByteArray figures = ended.out.mid(ended.out.indexOf("\"avg_m\""));
        for (const char* key : {"fits", "fp16_fits", "memory_needed_bytes", "memory_available_bytes",
                                "rule_cost", "kv_blocks", "users_that_fit", "run"}) {
            figures.replace(QByteArray("\"") + key + "\": null", "");
        }
        QVERIFY2(!figures.contains("null"), figures);
        const QJsonObject document = ended.json();
        for (const char* key : {"inputs",
                                "replicas",
                                "users",
                                "iterations",
                                "avg_m",
                                "decode_only_fraction",
                                "m_histogram",
                                "rows_per_step",
                                "rows_per_step_decode_only",
                                "kernel_share",
                                "time_vs_fp16",
                                "gemm_time_us",
                                "gemm_time_fp16_us",
                                "tokens_in",
                                "tokens_out",
                                "throughput_tokens_per_s",
                                "ttft_s",
                                "tpot_s",
                                "e2e_s",
                                "preemptions",
                                "sd",
                                "speed",
                                "provenance"}) {
            QVERIFY2(document.contains(QLatin1String(key)), key);
        }
        QCOMPARE(document["replicas"].toInt(), 3);

        const QJsonObject histogram = document["m_histogram"].toObject();
        double rows = 0;
        for (auto entry = histogram.begin(); entry != histogram.end(); ++entry) {
            rows += entry.key().toDouble() * entry.value().toDouble();
        }
        const double steps = sumOf(histogram);
        QVERIFY(steps > 0);
        QVERIFY(std::abs(steps - document["iterations"].toDouble()) <= 0.5); // which is rounded
        near(document["avg_m"].toDouble(), rows / steps);
        near(document["rows_per_step"]["mean"].toDouble(), rows / steps);
        QVERIFY(document["rows_per_step"]["p99"].toDouble() >= document["rows_per_step"]["p50"].toDouble());
        QVERIFY(document["rows_per_step_decode_only"]["n"].toDouble() <
                document["rows_per_step"]["n"].toDouble());
        near(document["decode_only_fraction"].toDouble(),
             sumOf(document["m_histogram_decode_only"].toObject()) / steps);

        const double us = document["gemm_time_us"].toDouble();
        near(document["gemm_time_vs_fp16"].toDouble(), us / document["gemm_time_fp16_us"].toDouble());
        near(document["time_vs_fp16"].toDouble(),
             document["step_time_us"].toDouble() / document["step_time_fp16_us"].toDouble());
        QVERIFY(document["step_time_us"].toDouble() >= us * (1 - 1e-9));
        const QJsonObject shares = document["kernel_share"].toObject();
        for (const char* key : {"scalar", "mma", "dequant_cublas"}) {
            QVERIFY2(shares.contains(QLatin1String(key)), key);
        }
        near(sumOf(shares), 1);
        near(sumOf(document["kernel_time_us"].toObject()), us);

        QVERIFY(document["throughput_tokens_per_s"].toDouble() > 0);
        for (const char* key : {"ttft_s", "tpot_s", "e2e_s"}) {
            const QJsonObject latency = document[QLatin1String(key)].toObject();
            QVERIFY2(latency["n"].toInt() > 0, key);
            QVERIFY(latency["p50"].toDouble() <= latency["p90"].toDouble());
            QVERIFY(latency["p90"].toDouble() <= latency["p99"].toDouble());
            QVERIFY(latency["mean"].toDouble() > 0);
        }
        const QJsonObject deviations = document["sd"].toObject();
        for (auto entry = deviations.begin(); entry != deviations.end(); ++entry) {
            QVERIFY2(document.contains(entry.key()), qPrintable(entry.key()));
            QVERIFY(entry.value().isDouble() && entry.value().toDouble() >= 0);
        }
        QVERIFY(document["speed"].toObject()["steps_per_s"].toDouble() > 0);
        QVERIFY(!document["provenance"].toArray().isEmpty());
    }

    void theCommandInItRunsItAgain_data() { theDocumentAddsUp_data(); }

    void theCommandInItRunsItAgain() {
        QFETCH(QStringList, options);
        const QJsonObject first =
            simulated(QStringList{"--replicas", "2", "--turns", "60", "--seed", "7"} + options);
        QStringList command = QProcess::splitCommand(first["inputs"].toObject()["command"].toString());
        QVERIFY(command.size() > 2);
        QCOMPARE(command.takeFirst(), QStringLiteral("loadline"));
        QCOMPARE(command.takeFirst(), QStringLiteral("simulate"));
        QCOMPARE(withoutSpeed(simulated(command)), withoutSpeed(first));
    }

    void threadsChangeNothing_data() { theDocumentAddsUp_data(); }

    void threadsChangeNothing() {
        QFETCH(QStringList, options);
        options += {"--replicas", "5", "--iterations", "1500"};
        const QJsonObject one = withoutSpeed(simulated(options + QStringList{"--threads", "1"}));
        QVERIFY(!one.isEmpty());
        QCOMPARE(withoutSpeed(simulated(options + QStringList{"--threads", "2"})), one);
        QCOMPARE(withoutSpeed(simulated(options + QStringList{"--threads", "7"})), one);
    }

    /// P1 2: fp16 with its own KV room, and not on k = 4's batches.
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

    void seedsAndReplicas() {
        const QJsonObject first = simulated({"--seed", "1", "--replicas", "1", "--iterations", "2000"});
        const QJsonObject second = simulated({"--seed", "2", "--replicas", "1", "--iterations", "2000"});
        const QJsonObject both = simulated({"--seed", "1", "--replicas", "2", "--iterations", "2000"});
        const auto tokens = [](const QJsonObject& document) { return document["tokens_in"].toDouble(); };
        QVERIFY(tokens(first) != tokens(second));
        QVERIFY(std::abs(tokens(both) - (tokens(first) + tokens(second)) / 2) <= 0.5);
        near(both["sd"].toObject()["tokens_in"].toDouble(),
             std::abs(tokens(first) - tokens(second)) / std::sqrt(2.0));
        QCOMPARE(first["sd"].toObject()["tokens_in"].toDouble(), 0.0);
    }

    void whatNobodyAnsweredHasNoLatency() {
        const QJsonObject document =
            simulated({"--iterations", "1", "--replicas", "1", "--policy", "single-prefill", "--chunk", "1"});
        QCOMPARE(document["iterations"].toInt(), 1);
        QVERIFY(document["ttft_s"].toObject()["mean"].isNull());
    }

    void knownNumbers() {
        // One user, one size: 64 prompt tokens in one step, then 3 decodes for the rest of 4 tokens.
        const QString workload = made("one.json", R"({"input_tokens_per_turn": {"num_turns": 1, "freq":
            {"64": 1}}, "generated_tokens_per_turn": {"num_turns": 1, "freq": {"4": 1}}})");
        const QJsonObject document =
            simulated({"--workload", workload, "--users", "1", "--turns", "10", "--replicas", "2"});
        QCOMPARE(document["iterations"].toInt(), 40);
        QCOMPARE(document["tokens_in"].toInt(), 640);
        QCOMPARE(document["tokens_out"].toInt(), 40);
        QCOMPARE(document["m_histogram"].toObject(), (QJsonObject{{"1", 30}, {"64", 10}}));
        QCOMPARE(document["decode_only_fraction"].toDouble(), 0.75);
        QCOMPARE(document["sd"].toObject()["time_vs_fp16"].toDouble(), 0.0);
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
             {"12 users in a closed loop", "What this counts:", "Time on the same batches vs fp16",
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

    void aTraceEndsByItself() {
        QTemporaryDir folder;
        QFile file(folder.filePath("trace.csv"));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("arrival_s,input_tokens,output_tokens\n");
        for (int i = 0; i < 300; ++i) {
            file.write(QByteArray::number(i) + ",100,50\n");
        }
        file.close();
        const QStringList trace{"simulate",   "--json", "--replicas",   "1",   "--workload", file.fileName(),
                                "--arrivals", "trace",  "--iterations", "none"};
        const Ended ended = runLoadline(trace);
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()["turns"].toInt(), 300);
        QVERIFY(ended.json()["iterations"].toInt() > 10'000);
        const Ended cut = runLoadline(
            {"simulate", "--workload", file.fileName(), "--arrivals", "trace", "--iterations", "1000"});
        QVERIFY2(cut.out.contains("of the trace's 300 requests answered"), cut.out);
        QVERIFY(!runLoadline({"simulate", "--workload", file.fileName(), "--arrivals", "trace",
                              "--iterations", "none"})
                     .out.contains("requests answered;"));
    }

    void runsWithoutALengthEndWhenTheyAreSettled() {
        const QJsonObject document = simulated({"--users", "4"});
        const QJsonObject run = document["run"].toObject();
        QVERIFY(run["warm_up_s"].toDouble() > 0 && run["measured_s"].toDouble() > 0);
        QCOMPARE(run["settled"].toBool(), run["bound"].isNull());
        QCOMPARE(run["turns_in_flight"].toInt(), 0);
        QCOMPARE(run["turns_started"].toInt(), run["turns_finished"].toInt());
        QVERIFY(std::abs(run["little"].toDouble() - 1) <= 0.005);
        const double turnsPerS = run["turns_started"].toDouble() / run["measured_s"].toDouble();
        const double e2eS = document["e2e_s"].toObject()["mean"].toDouble();
        QVERIFY(std::abs(turnsPerS * e2eS / 4 - 1) <= 0.005); // X R / N
        const QJsonObject interval = document["interval"].toObject();
        const auto holds = [&](const char* name, double value) {
            const QJsonArray ends = interval[name].toArray();
            return ends[0].toDouble() <= value && value <= ends[1].toDouble();
        };
        QVERIFY(holds("throughput_tokens_per_s", document["throughput_tokens_per_s"].toDouble()));
        QVERIFY(holds("ttft_s.p50", document["ttft_s"].toObject()["p50"].toDouble()));
        QVERIFY(holds("e2e_s.mean", e2eS));
        QVERIFY(holds("time_vs_fp16", document["time_vs_fp16"].toDouble()));
        const QJsonObject given = simulated({"--users", "4", "--iterations", "300"});
        QVERIFY(given["run"].isNull());
        QVERIFY(given["interval"].toObject().isEmpty());
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

    void theDocumentGoesToAFile() {
        const QString file = path("result.json");
        const Ended ended = runLoadline({"simulate", "--replicas", "1", "--out", file});
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.contains("Time on the same batches vs fp16"));
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QCOMPARE(withoutSpeed(QJsonDocument::fromJson(written.readAll()).object()),
                 withoutSpeed(simulated({"--replicas", "1"})));
        const Ended piped = runLoadline({"simulate", "--replicas", "1", "--out", "-"});
        QCOMPARE(piped.json()["schema"].toString(), "loadline.simulate/1");
    }

private:
    static void near(double value, double expected) {
        QVERIFY2(std::abs(value - expected) <= 1e-9 * std::max(1.0, std::abs(expected)),
                 qPrintable(QStringLiteral("%1, not %2").arg(value).arg(expected)));
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSimulateTest)
#include "cli_simulate_test.moc"
