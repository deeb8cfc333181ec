// What the command line says beside an answer: kernels held to their reach, memory, lower bounds.
#include "tests/app/cli/cli_process.h"
#include "tests/app/made_up_workloads.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

#include <algorithm>

namespace loadline::app {
namespace {

const QStringList briefly{"--iterations", "2000", "--replicas", "2"};

QJsonObject documentOf(const QString& command, const QStringList& arguments) {
    const Ended ended = runLoadline(QStringList{command, "--json"} + arguments);
    if (ended.status != 0) {
        qWarning("%s", ended.err.constData());
    }
    return ended.json();
}

bool anyStarts(const QJsonArray& lines, const QString& words) {
    return std::any_of(lines.begin(), lines.end(),
                       [&](const QJsonValue& line) { return line.toString().startsWith(words); });
}

} // namespace

class CliAnswersTest : public QObject, protected made_up::WorkloadFolder {
    Q_OBJECT

private slots:
    void initTestCase() { makeWorkloads(); }

    void noRuleLetsAKernelServeBeyondItsTimes_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<bool>("cut");
        QTest::newRow("fastest") << "fastest" << false;
        QTest::newRow("published") << "published" << false;
        QTest::newRow("code") << "code" << false;
        QTest::newRow("text") << "scalar:64,dequant_cublas" << true;
        QTest::newRow("for every M") << "scalar" << true;
    }

    void noRuleLetsAKernelServeBeyondItsTimes() {
        QFETCH(QString, rule);
        QFETCH(bool, cut);
        // 20 users: every step of theirs has M = 20 at least, once all have begun
        const QStringList run = QStringList{"--users", "20", "--rule", rule} + briefly;
        const QJsonObject document = documentOf("simulate", run);
        QVERIFY(document["kernel_share"]["scalar"].toDouble() < 0.001);
        const QString words = "dispatch: scalar GEMV serves up to M = 4, the most that it was timed at";
        QCOMPARE(anyStarts(document["provenance"].toArray(), words), cut);
        const QJsonObject swept = documentOf("sweep", QStringList{"--users", "20", "--rule", rule} + briefly);
        QVERIFY(swept["points"][0]["kernel_share"]["scalar"].toDouble() < 0.001);
        QCOMPARE(anyStarts(swept["provenance"].toArray(), words), cut);
        if (cut) {
            QVERIFY(runLoadline(QStringList{"simulate"} + run).out.contains(words.toUtf8()));
        }
    }

    void whatOnlyModelsServeIsSaid() {
        const QJsonObject document = documentOf("simulate", QStringList{"--rule", "fastest"} + briefly);
        QVERIFY(document["modelled_share"]["k_bit"].toDouble() > 0.1);
        const QStringList roofline{"--profile", "roofline:H100-SXM", "--rule", "fastest", "--users", "20"};
        const QJsonObject modelled = documentOf("simulate", roofline + briefly);
        QCOMPARE(modelled["modelled_share"]["k_bit"].toDouble(), 1.0);
        QVERIFY(modelled["kernel_share"]["scalar"].toDouble() < 0.001);
    }

    void whereNothingServesItIsRefused() {
        const QString profile = made("two.json", R"({"schema": "loadline.profile/1", "name": "two kernels",
            "device": {"name": "a device", "hardware": "RTX4090"}, "points": [
            {"kernel": "scalar", "shape": "2048x512", "rows_m": 1, "k_bits": 4, "time_us": 3},
            {"kernel": "mma", "shape": "2048x512", "rows_m": 1, "k_bits": 4, "time_us": 4},
            {"kernel": "mma", "shape": "2048x512", "rows_m": 100, "k_bits": 4, "time_us": 5},
            {"kernel": "cublas_fp16", "shape": "2048x512", "rows_m": 1, "time_us": 9}]})");
        const QStringList run = QStringList{"--profile", profile, "--rule", "fastest"} + briefly;
        const Ended refused = runLoadline(QStringList{"simulate"} + run);
        QCOMPARE(refused.status, 1);
        QVERIFY2(refused.err.contains("from M = 101 on"), refused.err);
        QVERIFY2(refused.err.contains("--model-missing"), refused.err);
        const QJsonObject modelled = documentOf("simulate", run + QStringList{"--model-missing"});
        QVERIFY(modelled["kernel_share"]["dequant_cublas"].toDouble() > 0.5);
    }

    void memoryIsInEveryDocument_data() {
        QTest::addColumn<QStringList>("options");
        QTest::addColumn<QJsonValue>("fits");
        QTest::addColumn<QJsonValue>("fp16Fits");
        const QJsonValue unknown(QJsonValue::Null);
        const QStringList llama{"--shapes", "llama-3.1-70b", "--gpu-memory-utilization",
                                "0.95",     "--workload",    path("mine.json")};
        QTest::newRow("one layer") << QStringList{"--shapes", "study"} << unknown << unknown;
        QTest::newRow("too large") << llama << QJsonValue(false) << QJsonValue(false);
        QTest::newRow("only with few bits")
            << llama + QStringList{"--k", "2"} << QJsonValue(true) << QJsonValue(false);
        QTest::newRow("only quantised")
            << llama + QStringList{"--profile", "roofline:H100-SXM"} << QJsonValue(true) << QJsonValue(false);
        QTest::newRow("both") << llama + QStringList{"--profile", "roofline:B300"} << QJsonValue(true)
                              << QJsonValue(true);
    }

    void memoryIsInEveryDocument() {
        QFETCH(QStringList, options);
        QFETCH(QJsonValue, fits);
        QFETCH(QJsonValue, fp16Fits);
        const bool known = !fits.isNull();
        for (const char* command : {"simulate", "sweep"}) {
            const QJsonObject document = documentOf(command, options + QStringList{"--users", "4"} + briefly);
            QVERIFY(document.contains("fits") && document.contains("fp16_fits"));
            QCOMPARE(document["fits"], fits);
            QCOMPARE(document["fp16_fits"], fp16Fits);
            QCOMPARE(document["memory_needed_bytes"].isDouble(), known);
            QVERIFY(document["memory_available_bytes"].toDouble() >= 24.0 * (1 << 30));
            if (known) {
                QCOMPARE(document["memory_needed_bytes"].toDouble() <=
                             document["memory_available_bytes"].toDouble(),
                         fits.toBool());
            }
        }
    }

    void everyPointAndCrossoverTellsWhetherItFits() {
        const QStringList run{"--shapes",
                              "llama-3.1-70b",
                              "--workload",
                              path("mine.json"),
                              "--gpu-memory-utilization",
                              "0.95",
                              "--k",
                              "2:5",
                              "--users",
                              "1,16",
                              "--draws",
                              "0"};
        const QJsonObject document = documentOf("sweep", run + briefly);
        QCOMPARE(document["fits"], QJsonValue(false));
        for (const char* list : {"points", "crossovers"}) {
            const QJsonArray entries = document[QLatin1String(list)].toArray();
            QVERIFY(!entries.isEmpty());
            for (const QJsonValue entry : entries) {
                QCOMPARE(entry["fits"], QJsonValue(entry["k"].toInt() == 2));
                const char* figure = qstrcmp(list, "points") == 0 ? "time_vs_fp16" : "best";
                QVERIFY(entry.toObject().contains(QLatin1String(figure)));
                const bool isCrossover = qstrcmp(list, "crossovers") == 0; // fp16 does not fit either
                QCOMPARE(entry[QLatin1String(figure)].isNull(), entry["k"].toInt() != 2 || isCrossover);
            }
        }
        const QString two = document["crossovers"][0]["sentence"].toString();
        QVERIFY2(two.startsWith("fp16 does not fit: needs 131 GiB of 24 GiB."), qPrintable(two));
        const QJsonValue four = document["crossovers"][2];
        QCOMPARE(four["k"].toInt(), 4);
        QVERIFY(four["sentence"].toString().startsWith(
            "Llama-3.1-70B at k = 4 does not fit: its weights take 37.8 GiB of the RTX4090's 24 GiB."));
        const Ended csv = runLoadline(QStringList{"sweep", "--csv", "-"} + run + briefly);
        QVERIFY(csv.out.split('\n').first().endsWith(",fits,fp16_fits"));
        QVERIFY(csv.out.split('\n')[1].endsWith(",true,false")); // k = 2
        const QByteArray three = csv.out.split('\n')[3];
        QVERIFY2(three.startsWith("3,,1,,,") && three.endsWith(",,false,false"), three);
    }

    void whatDoesNotFitIsTheFirstThingSaid() {
        const QStringList llama = QStringList{"--shapes",
                                              "llama-3.1-70b",
                                              "--users",
                                              "4",
                                              "--workload",
                                              path("mine.json"),
                                              "--gpu-memory-utilization",
                                              "0.95"} +
                                  briefly;
        for (const char* command : {"simulate", "sweep"}) {
            const Ended ended = runLoadline(QStringList{command} + llama);
            QCOMPARE(ended.status, 0);
            QVERIFY2(ended.out.startsWith("Llama-3.1-70B at k = 4 does not fit: its weights take 37.8 GiB of "
                                          "the RTX4090's 24 GiB. At k = 2 its weights take "),
                     ended.out.left(400));
            QVERIFY(ended.out.contains("at k = 4 the L40S (48 GiB) holds it"));
            QVERIFY2(!ended.out.contains("ecode only") && !ended.out.contains("TTFT"),
                     "figures of no device: " + ended.out);
        }
        const Ended json = runLoadline(QStringList{"simulate", "--json"} + llama);
        const QJsonObject document = QJsonDocument::fromJson(json.out).object();
        QCOMPARE(document["fits"], QJsonValue(false));
        for (const char* figure :
             {"time_vs_fp16", "simulated_s", "throughput_tokens_per_s", "ttft_s", "sd"}) {
            QVERIFY2(document.contains(QLatin1String(figure)) && document[QLatin1String(figure)].isNull(),
                     figure);
        }
        QVERIFY(document["memory_needed_bytes"].toDouble() > 0 && document["what_counts"].isObject());
        const Ended baseline = runLoadline(QStringList{"simulate", "--profile", "roofline:H100-SXM"} + llama);
        const QByteArray headline = baseline.out.left(baseline.out.indexOf('\n'));
        QVERIFY2(headline.startsWith("k = 4 serves ") &&
                     headline.endsWith("; fp16 does not fit: needs 131 GiB of 79.2 GiB."),
                 baseline.out.left(400));
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliAnswersTest)

#include "cli_answers_test.moc"
