// --profile, --shapes, --rule: what is built in, files, and names there are not.
#include "app/options/cost_option.h"

#include "app/options/literal_words.h"
#include "app/options/simulation_options.h"
#include "core/cost/estimate/cost_model.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/shapes/shapes_json.h"

#include <CLI/CLI.hpp>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace loadline::app {

class CostOptionTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { QVERIFY(folder_.isValid()); }

    void thePublishedProfileIsTheDefault() {
        QVERIFY(std::ranges::count(bundledProfiles(), std::string("rtx4090-published")) == 1);
        const Result<CostChoice> cost = resolveCost({});
        QVERIFY(cost);
        QVERIFY(cost->profile != nullptr);
        QCOMPARE(cost->profile->name, std::string("RTX 4090, published"));
        QVERIFY(cost->hardware == findHardware("RTX4090"));
        QCOMPARE(cost->shapes.key, std::string("llama-3.1-8b"));
        QCOMPARE(cost->rule, autoRule());
        const KernelTimes times(*cost->profile, cost->hardware);
        QVERIFY(makeCostTable(times, {.model = cost->shapes, .rule = cost->rule, .maxRows = 64}));
    }

    void everythingMayBeModelled() {
        const Result<CostChoice> cost = resolveCost({"roofline:H100-SXM", "llama-3.1-8b", "published"});
        QVERIFY(cost);
        QVERIFY(cost->profile == nullptr);
        QVERIFY(cost->hardware == findHardware("H100-SXM"));
        QCOMPARE(cost->shapes.key, std::string("llama-3.1-8b"));
        QCOMPARE(cost->rule.key, std::string("published"));
    }

    void aGpuNobodyMeasuredMayBeModelled() {
        const Result<CostChoice> cost = resolveCost({"model:B200-HGX", "llama-3.1-8b", "fastest"});
        QVERIFY(cost);
        QVERIFY(cost->profile && isUnvalidated(*cost->profile));
        QVERIFY(cost->hardware == findHardware("B200-HGX"));
        const KernelTimes times(*cost->profile, cost->hardware);
        const auto table = makeCostTable(times, {.model = cost->shapes, .rule = cost->rule, .maxRows = 512});
        QVERIFY(table);
        for (const std::int64_t rows : {1, 8, 64, 512}) {
            QCOMPARE(table->modelledShare(rows), 1.0);
            QCOMPARE(table->relativeError(rows), 0.0); // none, until a measured GPU was compared
        }
        QVERIFY(*resolveTimes("model:B200")->profile == *cost->profile); // its first word is enough
    }

    void filesAreRead() {
        const Result<TimesChoice> bundled = resolveTimes("rtx4090-published");
        QVERIFY(bundled);
        const Result<TimesChoice> again = resolveTimes(made("p.json", toJson(*bundled->profile)));
        QVERIFY(again);
        QVERIFY(*again->profile == *bundled->profile);
        const Result<TimesChoice> table =
            resolveTimes(made("h100_gemm.csv", "m,n,k,time_us\n1,64,32,2.5\n16,64,32,2.75\n"));
        QVERIFY(table);
        QVERIFY(table->hardware == findHardware("H100-SXM"));
        const Result<ModelShapes> shapes =
            resolveShapes(made("s.json", toJson(*findShapePreset("study-moe"))));
        QVERIFY(shapes);
        QVERIFY(*shapes == *findShapePreset("study-moe"));
    }

    void foldersBringAttention() {
        QVERIFY(QDir(folder_.path()).mkpath("h100"));
        const auto write = [this](const QString& name, const QByteArray& text) {
            QFile file(folder_.filePath("h100/" + name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const std::string folder = folder_.filePath("h100").toStdString();
        QVERIFY(!resolveTimes(folder));
        write("gemm_bf16.csv", "m,n,k,time_us\n1,64,64,3\n64,64,64,4\n");
        QVERIFY(resolveTimes(folder));
        QVERIFY(!resolveTimes(folder)->attention);
        write("decode_attention_bf16.csv",
              "batch,kv_tokens,q_heads,kv_heads,head_dim,time_us\n1,16,8,8,64,5\n");
        const auto times = resolveTimes(folder);
        QVERIFY(times);
        QVERIFY(times->attention != nullptr);
        QCOMPARE(times->attention->decode.size(), std::size_t{1});
        write("prefill_attention_bf16.csv", "nonsense\nmore\n");
        QVERIFY(!resolveTimes(folder));
    }

    void shapesMayBeText() {
        const Result<ModelShapes> shapes = resolveShapes(toJsonLine(*findShapePreset("gpt-oss-20b")));
        QVERIFY(shapes);
        QVERIFY(*shapes == *findShapePreset("gpt-oss-20b"));
        const Result<ModelShapes> broken = resolveShapes(R"({"schema": "loadline.shapes/1"})");
        QVERIFY(!broken);
        QVERIFY(QString::fromStdString(broken.error().sentence()).contains("shapes given as text"));
    }

    void aRuleMayBeText() {
        const Result<DispatchRule> rule = resolveRule("scalar:4,mma:64,dequant_cublas");
        QVERIFY(rule);
        QCOMPARE(kernelFor(*rule, false, 64), Kernel::Mma);
        QCOMPARE(kernelFor(*rule, true, 65), Kernel::GroupedDequant);
        QCOMPARE(resolveRule("mma")->dense.size(), std::size_t{1});
    }

    void aGpuOfTheAtlasIsAnEngine() {
        const Result<CostChoice> cost = resolveCost({"h100-sxm", "llama-3.1-8b", "auto"});
        QVERIFY(cost);
        QVERIFY(cost->surfaces != nullptr);
        QCOMPARE(cost->surfaces->atlas().gpu(), std::string("h100-sxm"));
        QCOMPARE(cost->hardware, findHardware("H100-SXM"));
        QCOMPARE(cost->profile->name, std::string("h100-sxm")); // of our kernels, modelled
        QVERIFY(resolveCost({"H100_SXM", "study", "auto"})->surfaces == cost->surfaces); // read once
        const Result<TimesChoice> drawn = resolveTimes("h100-sxm");
        QVERIFY(drawn && drawn->profile); // its measured linear layers, for the Kernels page
        QVERIFY(drawn->surfaces == nullptr);
    }

    void whatThereIsNotIsListed_data() {
        QTest::addColumn<QString>("profile");
        QTest::addColumn<QString>("shapes");
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QString>("said");
        const QString profile = "rtx4090-published";
        QTest::newRow("profile") << "nothing"
                                 << "study"
                                 << "code"
                                 << "rtx4090-published, h100-sxm, h200-sxm";
        QTest::newRow("no profile") << ""
                                    << "study"
                                    << "code"
                                    << "there is no profile \"\"";
        QTest::newRow("device")
            << "roofline:abacus"
            << "study"
            << "code"
            << "there is no device \"abacus\" (try: roofline:GPU with one of A100-SXM-80, ";
        QTest::newRow("no device") << "roofline:"
                                   << "study"
                                   << "code"
                                   << "there is no device \"\"";
        QTest::newRow("model") << "model:M3-Max-40c"
                               << "study"
                               << "code"
                               << "there is no model of a GPU \"M3-Max-40c\" (try: A100-SXM-80, H100-SXM, ";
        QTest::newRow("shapes") << profile << "gpt-99"
                                << "code"
                                << "there is no model \"gpt-99\" (try: study, study-kv-once, ";
        QTest::newRow("rule")
            << profile << "study"
            << "any"
            << "there is no dispatch rule \"any\" (try: auto, published, code, fastest, or kernels";
        QTest::newRow("rule as text")
            << profile << "study"
            << "scalar:4,mma:16"
            << "no kernel serves dense GEMMs from M = 17 on: scalar:4,mma:16 (try: ";
        QTest::newRow("no rule") << profile << "study"
                                 << ""
                                 << "there is no dispatch rule \"\"";
        QVERIFY(QDir(folder_.path()).mkpath("nothing"));
        QTest::newRow("folder") << folder_.filePath("nothing") << "study"
                                << "code"
                                << "the folder holds no GEMM table";
        QTest::newRow("broken profile") << QString::fromStdString(made("b.json", "{")) << "study"
                                        << "code"
                                        << "not a profile";
        QTest::newRow("broken shapes") << profile << QString::fromStdString(made("bs.json", "{}")) << "code"
                                       << "not a file of shapes";
        QTest::newRow("path in the resources") << "../sample"
                                               << "study"
                                               << "code"
                                               << "there is no such file: ../sample";
        QTest::newRow("a name") << "sample"
                                << "study"
                                << "code"
                                << "there is no profile \"sample\"";
    }

    void whatThereIsNotIsListed() {
        QFETCH(const QString, profile);
        QFETCH(const QString, shapes);
        QFETCH(const QString, rule);
        QFETCH(const QString, said);
        const Result<CostChoice> cost =
            resolveCost({profile.toStdString(), shapes.toStdString(), rule.toStdString()});
        QVERIFY(!cost);
        const QString sentence = QString::fromStdString(cost.error().sentence());
        QVERIFY2(sentence.contains(said), qPrintable(sentence));
    }

    void theOptionsParse() {
        CLI::App app;
        SimulationOptions options;
        options.add(app);
        parseLiterally(app, {"--profile", "roofline:B300", "--shapes", "qwen3-32b", "--rule", "fastest"});
        QCOMPARE(options.request().profile, std::string("roofline:B300"));
        QCOMPARE(options.request().shapes, std::string("qwen3-32b"));
        QCOMPARE(options.request().rule, std::string("fastest"));
        QCOMPARE(options.takeLocalProfile(), std::string()); // it was given
        const std::string help = app.help();
        for (const std::string& name : bundledProfiles()) {
            QVERIFY2(help.find(name) != std::string::npos, name.c_str());
        }
    }

private:
    std::string made(const QString& name, const std::string& content) {
        QFile file(folder_.filePath(name));
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(QByteArray::fromStdString(content)) != static_cast<qint64>(content.size())) {
            qFatal("cannot write %s", qPrintable(file.fileName()));
        }
        return file.fileName().toStdString();
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CostOptionTest)
#include "cost_option_test.moc"
