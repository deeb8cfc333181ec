// bench --modelled and --profile model:GPU as processes: what a GPU would give that nobody here has.
#include "core/cost/profile/profile_json.h"
#include "tests/app/cli/cli_process.h"

#include <QFile>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace loadline::app {

class CliBenchModelledTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        qputenv("XDG_DATA_HOME", folder_.filePath("data").toLocal8Bit());
    }

    void theTextSaysWhatBinds() {
        const Ended ended =
            runLoadline({"bench", "--modelled", "B200", "--shapes", "llama-3.1-8b", "--k", "4"});
        QVERIFY2(ended.status == 0, ended.err);
        QVERIFY(ended.out.startsWith("Model of B200-HGX (NVIDIA B200), unvalidated: "));
        QVERIFY(ended.out.contains("no error bar"));
        QVERIFY(ended.out.contains("swap-AB MMA, k = 4"));
        QVERIFY(ended.out.contains("% shared"));
        QVERIFY(ended.out.contains("Not modelled: "));
    }

    void theDocumentHasThePartsOfEachTime() {
        const Ended ended = runLoadline(
            {"bench", "--modelled", "H100-SXM", "--shapes", "llama-3.1-8b", "--k", "2,4", "--json"});
        QVERIFY2(ended.status == 0, ended.err);
        const QJsonObject document = ended.json();
        const Ended twice = runLoadline({"bench", "--modelled", "H100-SXM", "--shapes", "llama-3.1-8b", "--k",
                                         "2", "--k", "4", "--json"});
        QCOMPARE(twice.json(), document);
        QCOMPARE(document["schema"].toString(), "loadline.kernel_model/1");
        QCOMPARE(document["validated"].toBool(true), false);
        QVERIFY(document["provenance"].toString().contains("unvalidated"));
        QCOMPARE(document["gpu"].toObject()["multiprocessors"].toInt(), 132);
        QVERIFY(!document["gpu"].toObject()["source"].toString().isEmpty());
        QVERIFY(document["assumed"].toObject()["pipe_share"].toDouble() > 0);
        QVERIFY(document["points"].toArray().size() > 50);
        for (const QJsonValue& value : document["points"].toArray()) {
            const QJsonObject point = value.toObject();
            const QJsonObject parts = point["parts_us"].toObject();
            double longest = 0;
            for (const QString& limit : parts.keys()) {
                longest = limit == "fixed" ? longest : std::max(longest, parts[limit].toDouble());
            }
            QVERIFY(qAbs(point["time_us"].toDouble() - parts["fixed"].toDouble() - longest) < 1e-6);
            QVERIFY(parts.contains(point["limit"].toString()));
        }
    }

    void expertsAreToldWithWhatAStepTouches() {
        const QStringList ask = {"bench", "--modelled", "H100-SXM", "--shapes", "study-moe", "--k", "4"};
        const Ended text = runLoadline(ask);
        QVERIFY2(text.status == 0, text.err);
        for (const char* words : {"2048x512, 8 experts", "grouped swap-AB MMA, k = 4", "scalar GEMV, k = 4",
                                  "routing us", "no source of batched cuBLAS"}) {
            QVERIFY2(text.out.contains(words), words);
        }
        const QJsonObject document = runLoadline(ask + QStringList{"--json"}).json();
        bool grouped = false;
        for (const QJsonValue& value : document["points"].toArray()) {
            const QJsonObject point = value.toObject();
            grouped = grouped || (point["kernel"] == "grouped_swap_ab" && point["experts"].toInt() == 8);
            QVERIFY(point["kernel"] != "batched_fp16");
            QVERIFY(point["share_of_read_ceiling"].toDouble() < 1);
        }
        QVERIFY(grouped);
        const QJsonObject step = document["expert_steps"].toArray().first().toObject();
        QCOMPARE(step["rows_m"].toInt(), 1);
        QCOMPARE(step["experts_touched"].toDouble(), 8.0);
        QVERIFY(step["routing_us"].toDouble() > 0);
    }

    void aRuleOfReferenceDesignsIsServed() {
        const Ended coded = simulate("model:H100", {"--rule", "code"});
        QVERIFY2(coded.status == 0, coded.err);
        QVERIFY(coded.out.contains("scalar GEMV"));
        QVERIFY(coded.out.contains("of the time modelled, unvalidated"));
    }

    void aProfileOfItSaysSo() {
        const QString path = folder_.filePath("b200.json");
        const Ended ended =
            runLoadline({"bench", "--modelled", "B200", "--shapes", "llama-3.1-8b", "--out", path});
        QVERIFY2(ended.status == 0, ended.err);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const Result<Profile> profile = profileFromJson(file.readAll().toStdString(), "b200.json");
        QVERIFY(profile);
        QVERIFY(isUnvalidated(*profile));
        QCOMPARE(profile->source, std::string(unvalidatedSource));
        const Ended simulated = simulate(path);
        QVERIFY2(simulated.status == 0, simulated.err);
        QVERIFY(simulated.out.contains("unvalidated"));
    }

    void whatWouldItGive() {
        const Ended text = simulate("model:B200");
        QVERIFY2(text.status == 0, text.err);
        QVERIFY(text.out.contains("of the time modelled, unvalidated"));
        const QJsonObject document = simulate("model:B200", {"--json"}).json();
        bool said = false;
        for (const QJsonValue& line : document["provenance"].toArray()) {
            said = said || line.toString().contains("unvalidated: no measured GPU compared");
        }
        QVERIFY(said);
    }

    void anUnknownGpuIsOneSentence() {
        const Ended ended = runLoadline({"bench", "--modelled", "Abacus"});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("there is no model of a GPU \"Abacus\" (try: A100-SXM-80"), ended.err);
        QCOMPARE(ended.err.count('\n'), 1);
    }

private:
    static Ended simulate(const QString& profile, const QStringList& more = {}) {
        const QStringList rule = more.contains("--rule") ? QStringList() : QStringList{"--rule", "fastest"};
        return runLoadline(QStringList{"simulate", "--profile", profile, "--shapes", "llama-3.1-8b", "--k",
                                       "4", "--users", "4", "--iterations", "200", "--replicas", "1"} +
                           rule + more);
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliBenchModelledTest)
#include "cli_bench_modelled_test.moc"
