// sweep as a process: the same numbers as simulate, crossings that lie where the points say, lists that
// make no sense.
#include "core/text/number_list.h"
#include "tests/app/cli/cli_process.h"

#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace loadline::app {
namespace {

QJsonObject withoutTimes(QJsonObject document) {
    document.remove(QStringLiteral("speed"));
    return document;
}

QJsonObject swept(const QStringList& arguments) {
    const Ended ended = runLoadline(QStringList{"sweep", "--json"} + arguments);
    if (ended.status != 0) {
        qWarning("%s", ended.err.constData());
    }
    return ended.json();
}

const QStringList brief = {"--iterations", "1000", "--replicas", "4", "--draws", "8"};

} // namespace

class CliSweepTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        made("mine.json", R"({"description": "made up", "sessions": 2,
            "input_tokens_per_turn": {"num_turns": 8, "freq": {"64": 0.5, "256": 0.5}},
            "generated_tokens_per_turn": {"num_turns": 8, "freq": {"4": 0.25, "16": 0.75}}})");
        made("trace.csv", "arrival_s,input_tokens,output_tokens\n0,100,20\n0.1,300,5\n0.2,50,40\n");
    }

    void listsAndRanges() {
        using Numbers = std::vector<std::int64_t>;
        const auto numbersIn = [](std::string_view text) {
            return loadline::numbersIn(text, {1, std::int64_t{1} << 40});
        };
        QCOMPARE(numbersIn("8"), std::optional(Numbers{8}));
        QCOMPARE(numbersIn("4:7"), std::optional(Numbers{4, 5, 6, 7}));
        QCOMPARE(numbersIn("64:256:64"), std::optional(Numbers{64, 128, 192, 256}));
        QCOMPARE(numbersIn("1:10:4"), std::optional(Numbers{1, 5, 9}));
        QCOMPARE(numbersIn("9,1:3,2"), std::optional(Numbers{1, 2, 3, 9}));
        QCOMPARE(numbersIn("5:5"), std::optional(Numbers{5}));
        QCOMPARE(numbersIn("1:4096")->size(), std::size_t{4096});
        for (const char* bad :
             {"", ",", "1,", ":", "1:", ":5", "5:1", "1:2:0", "1:2:-1", "1:2:3:4", "x", "1.5", " 1", "1:4097",
              "1:9223372036854775807", "-9223372036854775808:9223372036854775807", "1:2000,1:2000,1:2000",
              "99999999999999999999"}) {
            QVERIFY2(!numbersIn(bad), bad);
        }
    }

    void theStudysLinesStandAtTheirPoints() {
        const QJsonArray points =
            runLoadline({"sweep", "--json", "--shapes", "study", "--users", "8,9", "--chunk", "256,512",
                         "--replicas", "2", "--iterations", "500", "--draws", "2"})
                .json()["points"]
                .toArray();
        QCOMPARE(points.size(), 4);
        for (const QJsonValue point : points) {
            const bool known = point["users"].toInt() == 8 && point["chunk"].toInt() == 512;
            QCOMPARE(point.toObject().contains("published"), known);
            if (known) {
                QCOMPARE(point["published"]["avg_m"].toInt(), 77);
            }
        }
    }

    void theDocumentHasItsKeys() {
        const Ended ended =
            runLoadline(QStringList{"sweep", "--json", "--users", "1:20", "--chunk", "128,512", "--k", "2,4",
                                    "--policy", "single-prefill", "--latencies"} +
                        brief);
        QCOMPARE(ended.status, 0);
        QVERIFY2(ended.err.isEmpty(), ended.err);
        QVERIFY(ended.out.startsWith("{\n  \"schema\": \"loadline.sweep/1\""));
        const QJsonObject document = ended.json();
        const QJsonArray points = document["points"].toArray();
        QCOMPARE(points.size(), 20 * 2 * 2);
        for (const QJsonValue value : points) {
            const QJsonObject point = value.toObject();
            for (const char* key : {"users", "chunk", "k", "avg_m", "decode_only_fraction", "kernel_share",
                                    "time_vs_fp16", "throughput_tokens_per_s", "ttft_s", "tpot_s"}) {
                QVERIFY2(point.contains(QLatin1String(key)), key);
            }
            const double ratio = point["time_vs_fp16"].toDouble();
            const QJsonArray band = point["band"].toObject()["time_vs_fp16"].toArray();
            QVERIFY(band[0].toDouble() <= ratio && ratio <= band[1].toDouble());
            QCOMPARE(point["replicas_time_vs_fp16"].toArray().size(), 4);
        }
        const QJsonArray crossovers = document["crossovers"].toArray();
        QCOMPARE(crossovers.size(), 4);
        for (const QJsonValue value : crossovers) {
            const QJsonObject crossover = value.toObject();
            for (const char* key : {"k", "chunk", "users", "low", "high", "kind", "crossings", "sentence"}) {
                QVERIFY2(crossover.contains(QLatin1String(key)), key);
            }
        }
        const QJsonObject inputs = document["inputs"].toObject();
        QCOMPARE(inputs["users"].toArray().size(), 20);
        QCOMPARE(inputs["chunk"].toArray(), (QJsonArray{128, 512}));
        QCOMPARE(inputs["k"].toArray(), (QJsonArray{2, 4}));
    }

    /// Every answer is borne out by the points: one crossing, several, none.
    void crossoversFollowFromThePoints_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("the study's") << QStringList{"--policy", "single-prefill", "--users", "1:30"};
        QTest::newRow("faster everywhere") << QStringList{"--users", "1:4", "--time-scale", "scalar=0.1"};
        QTest::newRow("slower everywhere") << QStringList{"--users", "20:30", "--time-scale", "dequantise=5"};
        QTest::newRow("fastest kernel, few tokens")
            << QStringList{"--users", "1:60", "--rule", "fastest", "--workload", path("mine.json")};
        QTest::newRow("one number of users") << QStringList{"--users", "8"};
        QTest::newRow("GEMMs alone") << QStringList{"--users", "1:30", "--step", "gemm"};
    }

    void crossoversFollowFromThePoints() {
        QFETCH(QStringList, options);
        const QJsonObject document = swept(options + brief + QStringList{"--chunk", "256,1024"});
        const QJsonArray points = document["points"].toArray();
        QVERIFY(!points.isEmpty());
        for (const QJsonValue value : document["crossovers"].toArray()) {
            const QJsonObject crossover = value.toObject();
            int signChanges = 0;
            double last = 0;
            double lastUsers = 0;
            QList<QPair<double, double>> between;
            for (const QJsonValue each : points) {
                const QJsonObject point = each.toObject();
                if (point["chunk"] != crossover["chunk"] || point["k"] != crossover["k"]) {
                    continue;
                }
                const bool byTurns = crossover["by"].toString() == "turns_per_s";
                QCOMPARE(point.contains("turns_per_s_vs_against"), byTurns);
                const double ratio = byTurns ? 1 / point["turns_per_s_vs_against"].toDouble()
                                             : point["time_vs_fp16"].toDouble();
                if (last > 0 && (last < 1) != (ratio < 1)) {
                    ++signChanges;
                    between.append({lastUsers, point["users"].toDouble()});
                }
                last = ratio;
                lastUsers = point["users"].toDouble();
            }
            const QJsonArray crossings = crossover["crossings"].toArray();
            QCOMPARE(crossings.size(), signChanges);
            for (int i = 0; i < signChanges; ++i) {
                const double users = crossings[i].toObject()["users"].toDouble();
                QVERIFY(between[i].first <= users && users <= between[i].second);
            }
            QCOMPARE(crossover["users"].isNull(), signChanges == 0);
            const QString kind = crossover["kind"].toString();
            QCOMPARE(kind == "one", signChanges == 1);
            QCOMPARE(kind == "several", signChanges > 1);
            QCOMPARE(kind == "quantised_faster", signChanges == 0 && last < 1);
            QVERIFY(crossover["sentence"].toString().endsWith('.'));
            if (signChanges > 0 && !crossover["low"].isNull() && !crossover["high"].isNull()) {
                QVERIFY(crossover["low"].toDouble() <= crossover["high"].toDouble());
            }
        }
    }

    void pointsAreThoseOfSimulate_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("default") << QStringList{};
        QTest::newRow("single prefill") << QStringList{"--policy", "single-prefill"};
        QTest::newRow("mlx") << QStringList{"--policy", "mlx"};
        QTest::newRow("blocks") << QStringList{"--kv-blocks", "30000"};
        QTest::newRow("thinking") << QStringList{"--think", "0.5"};
        QTest::newRow("whole steps") << QStringList{"--shapes",          "llama-3.1-8b", "--profile",
                                                    "roofline:H100-SXM", "--step",       "whole-step"};
    }

    void pointsAreThoseOfSimulate() {
        QFETCH(QStringList, options);
        options += {"--iterations", "800", "--replicas", "3", "--seed", "5"};
        const QJsonObject document = swept(options + QStringList{"--users", "2,9", "--chunk", "300", "--k",
                                                                 "3", "--latencies", "--draws", "0"});
        const QJsonObject point = document["points"].toArray().at(1).toObject();
        const Ended ended = runLoadline(
            QStringList{"simulate", "--json", "--users", "9", "--chunk", "300", "--k", "3"} + options);
        const QJsonObject one = ended.json();
        QCOMPARE(point["users"].toInt(), 9);
        for (const char* key : {"time_vs_fp16", "avg_m", "decode_only_fraction", "throughput_tokens_per_s"}) {
            const double expected = one[QLatin1String(key)].toDouble();
            QVERIFY2(std::abs(point[QLatin1String(key)].toDouble() - expected) <= 1e-9 * expected + 1e-12,
                     key);
        }
    }

    void wholeStepsStandBesideGemmsAlone() {
        const QJsonObject document =
            swept(QStringList{"--users", "1:8", "--shapes", "llama-3.1-8b", "--profile", "roofline:H100-SXM",
                              "--step", "whole-step"} +
                  brief);
        QCOMPARE(document["crossovers"].toArray().at(0).toObject()["step"].toString(), "whole-step");
        QCOMPARE(document["gemm_crossovers"].toArray().at(0).toObject()["step"].toString(), "gemm");
        QCOMPARE(document["crossovers"].toArray().at(0).toObject()["by"].toString(), "turns_per_s");
        QCOMPARE(document["gemm_crossovers"].toArray().at(0).toObject()["by"].toString(), "time");
    }

    void arrivalsOfTheirOwnHaveNoUsers() {
        const QJsonObject document =
            swept(QStringList{"--workload", path("trace.csv"), "--arrivals", "trace", "--chunk", "64,none"} +
                  brief);
        const QJsonArray points = document["points"].toArray();
        QCOMPARE(points.size(), 2);
        QVERIFY(points.at(0).toObject()["chunk"].isNull());
        QVERIFY(points.at(0).toObject()["users"].isNull());
        QCOMPARE(points.at(1).toObject()["chunk"].toInt(), 64);
        QVERIFY(document["crossovers"].toArray().isEmpty());
    }

    void threadsChangeNothing_data() {
        QTest::addColumn<QStringList>("options");
        QTest::newRow("fast") << QStringList{"--users", "1:12", "--policy", "single-prefill", "--k", "2:5"};
        QTest::newRow("exact") << QStringList{"--users", "1:4", "--policy", "mlx", "--latencies"};
    }

    void threadsChangeNothing() {
        QFETCH(QStringList, options);
        options += brief;
        const QJsonObject one = withoutTimes(swept(options + QStringList{"--threads", "1"}));
        QVERIFY(!one.isEmpty());
        QCOMPARE(withoutTimes(swept(options + QStringList{"--threads", "2"})), one);
        QCOMPARE(withoutTimes(swept(options + QStringList{"--threads", "7"})), one);
    }

    void theCommandInItRunsItAgain() {
        const QJsonObject first =
            swept(QStringList{"--users", "2:6:2", "--chunk", "none,99", "--k", "2,5", "--latencies"} + brief);
        QCOMPARE(first["points"].toArray().size(), 12);
        QStringList command = QProcess::splitCommand(first["inputs"].toObject()["command"].toString());
        QCOMPARE(command.mid(0, 2), (QStringList{"loadline", "sweep"}));
        QCOMPARE(withoutTimes(swept(command.mid(2))), withoutTimes(first));
    }

    void csvAndTextAndFile() {
        const QString csv = path("points.csv");
        const QStringList options = QStringList{"--users", "1:5", "--k", "2:3"} + brief;
        const Ended ended =
            runLoadline(QStringList{"sweep", "--csv", csv, "--out", path("all.json")} + options);
        QCOMPARE(ended.status, 0);
        QVERIFY(ended.out.contains("Quantised kernels (k = 2)"));
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray rows = file.readAll();
        QVERIFY(rows.startsWith("k,chunk_tokens,users,time_vs_fp16,"));
        QCOMPARE(rows.count('\n'), 11);
        QCOMPARE(runLoadline(QStringList{"sweep", "--csv", "-"} + options).out, rows);
        QFile document(path("all.json"));
        QVERIFY(document.open(QIODevice::ReadOnly));
        QCOMPARE(withoutTimes(QJsonDocument::fromJson(document.readAll()).object()),
                 withoutTimes(swept(options)));
    }

    void failuresAreOneSentence_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("csv below nothing")
            << QStringList{"--csv", path("none/x.csv")} << QByteArray("cannot write");
        QTest::newRow("csv into a folder")
            << QStringList{"--csv", folder_.path()} << QByteArray("is a folder");
        QTest::newRow("full disk, csv") << QStringList{"--csv", "/dev/full"} << QByteArray("free some space");
        QTest::newRow("full disk, out") << QStringList{"--out", "/dev/full"} << QByteArray("free some space");
        QTest::newRow("csv over what is read")
            << QStringList{"--workload", path("mine.json"), "--csv", path("./mine.json")}
            << QByteArray("will not overwrite");
        QTest::newRow("no workload") << QStringList{"--workload", path("nothing")}
                                     << QByteArray("no such workload");
        QTest::newRow("longer than the cache") << QStringList{"--kv-blocks", "10"} << QByteArray("KV blocks");
    }

    void failuresAreOneSentence() {
        QFETCH(QStringList, options);
        QFETCH(QByteArray, said);
        const Ended ended = runLoadline(QStringList{"sweep", "--users", "1:3"} + brief + options);
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.startsWith("loadline: "), ended.err);
        QVERIFY2(ended.err.contains(said), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

    void wrongUsageIsSaid_data() {
        QTest::addColumn<QString>("options");
        for (const char* options : {"--frobnicate",
                                    "stray",
                                    "--users 0",
                                    "--users 0:4",
                                    "--users 1:9999",
                                    "--users 4:1",
                                    "--users 1:4097",
                                    "--users many",
                                    "--users none",
                                    "--chunk 0",
                                    "--chunk none,0",
                                    "--chunk -5:3",
                                    "--chunk 9999999",
                                    "--k 1",
                                    "--k 2:6",
                                    "--k none",
                                    "--draws -1",
                                    "--draws 99999",
                                    "--users 1:4096 --chunk 1:4096",
                                    "--users 3 --arrivals poisson:2",
                                    "--json --csv x.csv",
                                    "--replicas 0",
                                    "--policy fcfs"}) {
            QTest::newRow(options) << options;
        }
    }

    void whatDoesNotFitIsThatOfSimulate() {
        const QStringList options = {"--policy", "mlx", "--iterations", "20000", "--replicas", "1"};
        const QJsonArray points =
            swept(QStringList{"--users", "8,64", "--draws", "2"} + options)["points"].toArray();
        QCOMPARE(points.size(), 2);
        for (const QJsonValue point : points) {
            const int users = point["users"].toInt();
            const QJsonObject alone =
                runLoadline(QStringList{"simulate", "--json", "--users", QString::number(users)} + options)
                    .json();
            QCOMPARE(point["fits"], alone["fits"]);
            QCOMPARE(point["fits"].toBool(), users == 8);
            QCOMPARE(point["throughput_tokens_per_s"].isNull(), users == 64);
            QCOMPARE(point["ttft_s"].isNull(), users == 64);
        }
        const Ended text = runLoadline(QStringList{"sweep", "--users", "8,64", "--draws", "2"} + options);
        QVERIFY2(text.out.contains("does not fit"), text.out);
    }

    void wrongUsageIsSaid() {
        QFETCH(QString, options);
        refusesUsage("sweep", options);
    }

    void interruptingEndsWith130() {
        QCOMPARE(interruptLoadline({"sweep", "--users", "1:4096", "--iterations", "1000000"}).status, 130);
    }

private:
    [[nodiscard]] QString path(const QString& name) const { return folder_.filePath(name); }

    void made(const QString& name, const QByteArray& content) {
        QFile file(path(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliSweepTest)
#include "cli_sweep_test.moc"
