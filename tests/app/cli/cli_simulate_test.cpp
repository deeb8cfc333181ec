// simulate as a process: its document adds up, and reruns and threads change nothing.
#include "app/simulation/simulation_bench.h"
#include "tests/app/cli/cli_simulation.h"
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

} // namespace

class CliSimulateTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() {
        makeWorkloads();
        made("trace.csv", "arrival_s,input_tokens,output_tokens\n0,100,20\n0.1,300,5\n0.2,50,40\n");
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

    /// Twenty times as many a second as are answered.
    void aTraceThatComesTooFastIsSaid() {
        QByteArray rows = "arrival_s,input_tokens,output_tokens\n";
        for (int i = 0; i < 400; ++i) {
            rows += QByteArray::number(0.005 * i) + ",2000,50\n";
        }
        made("fast.csv", rows);
        const QStringList options = {"--workload", path("fast.csv"), "--arrivals", "trace"};
        const QJsonObject document = simulated(options);
        QVERIFY(document["queue_grows"].toBool());
        QVERIFY(document["against"]["queue_grows"].toBool());
        QCOMPARE(qRound(document["arriving_turns_per_s"].toDouble()), 200);
        QVERIFY(document["turns_per_s"].toDouble() < 100);
        QVERIFY(document["vs_against"]["ttft_s.p50"].isDouble()); // of the trace, not of how long a run was
        const QString headline = document["headline"].toString();
        QVERIFY2(
            headline.startsWith("Turns come at 200 a second, faster than either format answers them: ") &&
                headline.contains("TTFT grows through the trace"),
            qPrintable(headline));
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
        QByteArrayList unknown{"fits",      "fp16_fits", "memory_needed_bytes", "memory_available_bytes",
                               "rule_cost", "kv_blocks", "users_that_fit",      "run"};
        if (figures.contains("\"queue_grows\": true")) { // waits of runs, not of the system
            unknown << "ttft_s.p50"
                    << "ttft_s.p99"
                    << "e2e_s.mean";
        }
        for (const QByteArray& key : unknown) {
            figures.replace('"' + key + "\": null", "");
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
        const QJsonObject parts = document["interval_parts"].toObject();
        QCOMPARE(parts.keys(), interval.keys());
        const QJsonArray kernels = parts["time_vs_fp16"]["kernel_times"].toArray();
        const QJsonArray both = interval["time_vs_fp16"].toArray();
        QVERIFY(both[0].toDouble() <= kernels[0].toDouble() && kernels[1].toDouble() <= both[1].toDouble());
        QVERIFY(parts["ttft_s.p50"]["kernel_times"].isNull());
        const QJsonObject given = simulated({"--users", "4", "--iterations", "300"});
        QVERIFY(given["run"].isNull());
        QVERIFY(given["interval"].toObject().isEmpty());
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
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSimulateTest)
#include "cli_simulate_test.moc"
