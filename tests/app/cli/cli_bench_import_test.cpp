// bench --import as a process: timings of others, and what it says of those that make no sense.
#include "core/cost/profile/profile_json.h"
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {

class CliBenchImportTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_DATA_HOME", folder_.filePath("data").toLocal8Bit());
    }

    void importsOnesOwnKernel() {
        const QString csv = folder_.filePath("mine.csv");
        writeFile(csv,
                  "kernel,shape,K,N,M,k_bits,time_us\nmine,gateup,2048,5120,1,4,10\nmine,gateup,2048,5120,8,"
                  "4,12\n");
        const Ended printed = runLoadline({"bench", "--import", csv, "--as", "swap_ab"});
        QVERIFY2(printed.status == 0, printed.err);
        QCOMPARE(printed.json()["points"].toArray().size(), 2);
        QVERIFY(printed.json()["source"].toString().contains("mine.csv"));
        QVERIFY(!printed.out.contains(folder_.path().toUtf8())); // the machine's folders stay here

        const QString both = folder_.filePath("both.json");
        const Ended joined = runLoadline({"bench", "--import", csv, "--as", "mine=swap_ab", "--into",
                                          "rtx4090-published", "--name", "Both", "--out", both});
        QVERIFY2(joined.status == 0, joined.err);
        const Result<Profile> profile = profileIn(both);
        QVERIFY(profile.hasValue());
        QCOMPARE(profile->name, std::string("Both"));
        QVERIFY(profile->points.size() > 100);
        const Ended simulated = runLoadline({"simulate", "--profile", both, "--rule", "fastest", "--users",
                                             "4", "--iterations", "200", "--replicas", "1", "--json"});
        QVERIFY2(simulated.status == 0, simulated.err);
    }

    void importsATableOfLinearLayers() {
        const QString csv = folder_.filePath("layers.csv");
        writeFile(csv, "n,k,m,bf16_us,fp8_us\n64,128,1,2.5,2\n64,128,2,2.6,2\n64,128,2,2.8,2\n");
        const Ended ended = runLoadline({"bench", "--import", csv, "--device", "H100-SXM"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()["points"].toArray().size(), 2);
        QCOMPARE(ended.json()["points"].toArray()[1].toObject()["time_us"].toDouble(), 2.7);
        QVERIFY2(ended.err.contains("has this format: fp8"), ended.err);
        QVERIFY2(ended.err.contains("the first in line 4"), ended.err);
    }

    void importsWhatNvbenchWrites() {
        const QString path = folder_.filePath("nv.json");
        writeFile(path,
                  R"({"devices": [{"id": 0, "name": "NVIDIA H100 80GB HBM3"}], "benchmarks": [{"name": "gemv",
            "states": [{"name": "M=1", "device": 0, "is_skipped": false,
            "axis_values": [{"name": "K", "type": "int64", "value": "64"}, {"name": "N", "type": "int64", "value": "64"},
            {"name": "M", "type": "int64", "value": "1"}, {"name": "k_bits", "type": "int64", "value": "4"}],
            "summaries": [{"tag": "nv/cold/time/gpu/mean", "data": [{"name": "value", "value": "1e-05"}]}]}]}]})");
        const Ended ended = runLoadline({"bench", "--import", path, "--as", "scalar"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()["device"].toObject()["name"].toString(), "NVIDIA H100 80GB HBM3");
        QCOMPARE(ended.json()["points"].toArray()[0].toObject()["time_us"].toDouble(), 10.0);
    }

    void saysOnWhichDeviceTheyWereTimed() {
        const QString csv = folder_.filePath("gpu.csv");
        writeFile(csv, "kernel,K,N,M,k_bits,time_us\nmma,4096,28672,1,4,12\nmma,4096,28672,8,4,30\n");
        const Ended named = runLoadline({"bench", "--import", csv, "--device", "H100-SXM"});
        QVERIFY2(named.status == 0, named.err);
        QCOMPARE(named.json()["device"].toObject()["hardware"].toString(), "H100-SXM");
        QVERIFY2(named.err.contains("1 of 2 points faster than "), named.err);
        writeFile(csv, "kernel,K,N,M,k_bits,time_us,device\nmma,4096,28672,1,4,30,RTX4090\n");
        QCOMPARE(runLoadline({"bench", "--import", csv}).json()["device"].toObject()["hardware"].toString(),
                 "RTX4090");
    }

    void saysWhatItChangesOrLeavesOut() {
        const QString csv = folder_.filePath("said.csv");
        writeFile(csv, "kernel,K,N,M,k_bits,time_us,device\nmma,4096,28672,1,4,90,L40S\n"
                       "mma,4096,28672,1,4,94,L40S\nmma,4096,28672,1,4,30,H100-SXM\n");
        const Ended none = runLoadline({"bench", "--import", csv});
        QCOMPARE(none.status, 1);
        QVERIFY2(none.err.contains("several devices: \"H100-SXM\", \"L40S\""), none.err);
        const Ended one = runLoadline({"bench", "--import", csv, "--device", "L40S"});
        QVERIFY2(one.status == 0, one.err);
        QCOMPARE(one.json()["points"].toArray().size(), 1);
        QVERIFY2(one.err.contains("1 of 1 point stood in several rows"), one.err);
        QVERIFY2(one.err.contains("1 row of other devices passed over"), one.err);
        writeFile(csv, "kernel,K,N,M,k_bits,time_us,device\nmma,4096,28672,1,4,90,L40S\n");
        QVERIFY(runLoadline({"bench", "--import", csv, "--device", "L40S"}).err.isEmpty());
        const Ended other = runLoadline({"bench", "--import", csv, "--device", "H100-SXM"});
        QVERIFY2(other.err.contains("the file says that it was timed on"), other.err);
        const Ended unknown = runLoadline({"bench", "--import", csv, "--device", "NoSuch"});
        QVERIFY2(unknown.err.contains("NoSuch is not in the hardware table"), unknown.err);
        QVERIFY2(unknown.err.contains("H100-SXM"), "it names what there is");
    }

    /// NVBench's number chooses a device; it does not rename it.
    void aDeviceChosenByNumberKeepsItsName() {
        const QString path = folder_.filePath("two.json");
        const QString state =
            R"({'name': 'M=1', 'device': %1, 'axis_values': [{'name': 'K', 'value': '4096'},
            {'name': 'N', 'value': '4096'}, {'name': 'M', 'value': '1'}, {'name': 'k_bits', 'value': '4'}],
            'summaries': [{'tag': 'nv/cold/time/gpu/median', 'data': [{'name': 'value', 'value': '%2'}]}]})";
        QString text =
            R"({'devices': [{'id': 0, 'name': 'NVIDIA H100 80GB HBM3'}, {'id': 1, 'name': 'L40S',
            'global_memory_bus_bandwidth': 864096000000}],
            'benchmarks': [{'name': 'mma', 'states': [%1, %2]}]})";
        text = text.arg(state.arg("0", "2e-05"), state.arg("1", "4e-05"));
        writeFile(path, text.replace('\'', '"').toUtf8());
        const Ended ended = runLoadline({"bench", "--import", path, "--device", "1"});
        QVERIFY2(ended.status == 0, ended.err);
        QCOMPARE(ended.json()["device"].toObject()["name"].toString(), "L40S");
        QCOMPARE(ended.json()["device"].toObject()["hardware"].toString(), "L40S");
        QCOMPARE(ended.json()["points"].toArray()[0].toObject()["time_us"].toDouble(), 40.0);
        QVERIFY2(!ended.err.contains("counts as timed on"), ended.err);
    }

    void goesIntoAModelAsInTheWindow() {
        const QString csv = folder_.filePath("beside.csv");
        writeFile(csv, "kernel,K,N,M,k_bits,time_us\nmarlin,4096,28672,1,4,30\nmarlin,4096,28672,64,4,40\n");
        const QString both = folder_.filePath("model-and-marlin.json");
        const Ended joined = runLoadline(
            {"bench", "--import", csv, "--as", "swap_ab", "--into", "model:H100-SXM", "--out", both});
        QVERIFY2(joined.status == 0, joined.err);
        const Ended simulated = runLoadline({"simulate", "--profile", both, "--shapes", "llama-3.1-8b",
                                             "--rule", "marlin:64,dequant_cublas", "--users", "4",
                                             "--iterations", "200", "--replicas", "1", "--json"});
        QVERIFY2(simulated.status == 0, simulated.err);
        QVERIFY(simulated.json()["kernel_share"].toObject()["swap_ab"].toDouble() > 0);
    }

    void comparesTwoProfiles() {
        const QString before = folder_.filePath("before.json");
        const QString after = folder_.filePath("after.json");
        const QString csv = folder_.filePath("runs.csv");
        const QByteArray head = "kernel,K,N,M,k_bits,time_us\n";
        writeFile(csv, head + "mma,64,64,1,4,10\nmma,64,64,1,4,10.4\nmma,64,64,8,4,9\n");
        QCOMPARE(runLoadline({"bench", "--import", csv, "--out", before}).status, 0);
        writeFile(csv, head + "mma,64,64,1,4,5\nmma,64,64,1,4,5.2\nscalar,64,64,1,4,9\n");
        QCOMPARE(runLoadline({"bench", "--import", csv, "--name", "tuned | v2", "--out", after}).status, 0);
        const Ended text = runLoadline({"bench", "--compare", before, after});
        QVERIFY2(text.status == 0, text.err);
        QVERIFY2(text.out.contains("| MMA, k = 4 | 64x64 | 1 |") && text.out.contains("| 0.50 ("), text.out);
        QVERIFY2(text.out.contains("tuned \\| v2"), text.out);
        const QJsonObject document = runLoadline({"bench", "--compare", before, after, "--json"}).json();
        QCOMPARE(document["schema"].toString(), "loadline.bench_compare/1");
        QCOMPARE(document["not_in_both"].toInt(), 2);
        QCOMPARE(document["by_m"].toObject()["1"].toDouble(), 0.5);
        const QJsonObject point = document["points"].toArray().first().toObject();
        QCOMPARE(point["ratio"].toDouble(), 0.5);
        QVERIFY(point["low"].toDouble() < 0.5 && point["high"].toDouble() > 0.5);
        QCOMPARE(point["rows_m"].toInt(), 1);
        for (const QStringList& other : {QStringList{"--list"}, QStringList{"--modelled", "B200"}}) {
            QCOMPARE(runLoadline(QStringList{"bench", "--compare", before, after} + other).status, 2);
        }
        const Ended one = runLoadline({"bench", "--compare", before});
        QCOMPARE(one.status, 2);
        const Ended roofline = runLoadline({"bench", "--compare", before, "roofline:H100-SXM"});
        QCOMPARE(roofline.status, 1);
        QVERIFY2(roofline.err.contains("a roofline has no points to compare"), roofline.err);
    }

    void importsThatMakeNoSenseAreOneSentence_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QStringList>("more");
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("empty") << QByteArray() << QStringList() << QByteArray("not");
        QTest::newRow("unknown kernel") << QByteArray("kernel,K,N,M,k_bits,time_us\nmine,64,64,1,4,1\n")
                                        << QStringList() << QByteArray("line 2");
        QTest::newRow("unknown stand-in") << QByteArray("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n")
                                          << QStringList{"--as", "best"} << QByteArray("best");
        QTest::newRow("into a roofline")
            << QByteArray("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n")
            << QStringList{"--into", "roofline:H100-SXM"} << QByteArray("roofline");
        QTest::newRow("seconds") << QByteArray("kernel,K,N,M,k_bits,time_us\nmma,4096,28672,1,4,3.1e-5\n")
                                 << QStringList() << QByteArray("they look like seconds");
        QTest::newRow("seconds in a table of layers")
            << QByteArray("n,k,m,bf16_us,fp8_us\n64,64,1,2.5e-6,1\n") << QStringList()
            << QByteArray("the column bf16_us");
        QTest::newRow("a table that is no profile")
            << QByteArray("kv,heads,kv_heads,head_dim,window,batch,kv_tokens,time_us\n"
                          "bfloat16,8,1,128,0,1,2,9.5\n")
            << QStringList() << QByteArray("a table of decode attention in 1 row");
        QTest::newRow("over itself") << QByteArray("kernel,K,N,M,k_bits,time_us\nmma,64,64,1,4,1\n")
                                     << QStringList{"--out", folder_.filePath("odd.csv")}
                                     << QByteArray("will not overwrite");
    }

    void importsThatMakeNoSenseAreOneSentence() {
        QFETCH(QByteArray, content);
        QFETCH(QStringList, more);
        QFETCH(QByteArray, said);
        const QString path = folder_.filePath("odd.csv");
        writeFile(path, content);
        const Ended ended = runLoadline(QStringList{"bench", "--import", path} + more);
        QCOMPARE(ended.status, 1);
        QVERIFY(ended.out.isEmpty());
        QVERIFY2(ended.err.contains(said), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

private:
    static Result<Profile> profileIn(const QString& path) {
        QFile file(path);
        const QByteArray content = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        return profileFromJson(content.toStdString(), path.toStdString());
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliBenchImportTest)
#include "cli_bench_import_test.moc"
