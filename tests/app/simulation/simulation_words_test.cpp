// A simulation request as words: what is written is read back, and what is not a request is refused.
#include "app/options/simulation_words.h"

#include "app/options/simulation_options.h"
#include "core/simulate/request/simulation_fields.h"

#include <QTest>

#include <algorithm>

using namespace loadline;
using namespace loadline::app;

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        text += (text.empty() ? "" : " ") + word;
    }
    return text;
}

SimulationRequest everythingElse() {
    SimulationRequest request;
    request.workload = "open";
    request.outputs = OutputCounts::Visible;
    request.profile = "roofline:H100-SXM";
    request.shapes = "some file.json";
    request.rule = "scalar:4,mma:64,dequant_cublas;grouped_mma:8,grouped_dequant";
    request.weights = Storage::Nvfp4;
    request.experts = Storage::Mxfp4;
    request.kv = Storage::Fp8;
    request.against = Storage::Fp8Block;
    request.tensorParallel = 8;
    request.expertParallel = 2;
    request.timeScale[static_cast<std::size_t>(Kernel::Dequantise)] = 0.5;
    request.timeScale[static_cast<std::size_t>(Kernel::Mma)] = 1.0 / 3;
    request.modelMissing = true;
    request.scope = StepScope::WholeStep;
    request.hostUs = 812.5;
    PolicySetup& policy = request.policy;
    policy.policy = Policy::Mlx;
    policy.chunkTokens = 300;
    policy.budgetTokens = 4096;
    policy.maxSeqs = 17;
    policy.chunkedPrefill = false;
    policy.prefixCache = false;
    policy.blockTokens = 32;
    policy.kvBlocks = 9000;
    policy.memoryShare = 0.9;
    policy.maxModelLen = 32768;
    policy.watermark = 0.01;
    policy.reserveFullPrompt = false;
    policy.order = VllmPolicy::Priority;
    policy.async = true;
    policy.version = VllmVersion::October2025;
    policy.prefillBatch = 3;
    policy.fit = {16384, 32};
    request.arrivals = {ArrivalKind::Poisson, 33, 0.1, ThinkTime::Fixed, 2.5, TurnOrder::Replayed};
    request.length = {5000, 200};
    request.replicas = 5;
    request.seed = 18446744073709551615ULL;
    return request;
}

} // namespace

class SimulationWordsTest : public QObject {
    Q_OBJECT

private slots:

    void everyValueIsSpelledOut() {
        const std::vector<std::string> words = wordsOf(SimulationRequest{});
        const SimulationRequest usual;
        for (const ask::Field& field : simulationFields()) {
            const bool unscaled = field.traits.text.several != nullptr;
            const auto said = std::ranges::count_if(words, [&](const std::string& word) {
                return word == optionOf(field, &usual) || word == optionOf(field, &usual) + "=false";
            });
            QVERIFY2(said == (field.traits.isOption && !unscaled && isSaid(field, usual) ? 1 : 0),
                     std::string(field.key).c_str());
        }
        QVERIFY(commandWordsOf({}).empty());
        for (const double scale : SimulationRequest{}.timeScale) {
            QCOMPARE(scale, 1.0); // of every kernel there is
        }
        const auto read = simulationRequestFrom({});
        QVERIFY(read);
        QVERIFY(*read == SimulationRequest{});
    }

    void everyFieldComesBack() {
        const SimulationRequest request = everythingElse();
        const auto words = wordsOf(request);
        const auto read = simulationRequestFrom(words);
        QVERIFY2(read, read ? "" : read.error().sentence().c_str());
        QCOMPARE(joined(wordsOf(*read)), joined(words));
        QVERIFY(*read == request);
        const auto brief = simulationRequestFrom(commandWordsOf(request));
        QVERIFY(brief);
        QVERIFY(*brief == request);
    }

    void anyPathComesBack() {
        for (const char* path : {"-leading", "--users", "[a,b]", "{}", "with space", "a,b", "%%", "\xC3\xA9",
                                 "=", "--", "a=b"}) {
            SimulationRequest request;
            request.workload = path;
            request.shapes = path;
            const auto read = simulationRequestFrom(wordsOf(request));
            QVERIFY2(read, path);
            QVERIFY2(*read == request, path);
        }
    }

    void whatIsOnByDefaultIsUnderstoodAsItIsCalled() {
        QVERIFY(simulationRequestFrom({})->policy.prefixCache);
        QVERIFY(simulationRequestFrom({"--prefix-cache"})->policy.prefixCache);
        QVERIFY(!simulationRequestFrom({"--prefix-cache=false"})->policy.prefixCache);
        QVERIFY(!simulationRequestFrom({"--no-prefix-cache"})->policy.prefixCache);
        QVERIFY(simulationRequestFrom({"--no-prefix-cache=false"})->policy.prefixCache);
        QVERIFY(!simulationRequestFrom({"--chunked-prefill=false"})->policy.chunkedPrefill);
    }

    void kAndWeightsSayTheSame() {
        const auto byK = simulationRequestFrom({"--k", "3"});
        const auto byWeights = simulationRequestFrom({"--weights", "k3"});
        QVERIFY(byK && byWeights);
        QVERIFY(*byK == *byWeights);
        QCOMPARE(joined(commandWordsOf(*byWeights)), std::string("--k 3"));
        const auto library = simulationRequestFrom({"--weights", "fp8-block"});
        QVERIFY(library);
        QCOMPARE(joined(commandWordsOf(*library)), std::string("--weights fp8-block"));
    }

    void exportNamesWhatOtherOptionsAreCalled() {
        SimulationRequest request;
        request.against = Storage::Int8;
        request.tensorParallel = 2;
        const std::string words = joined(exportWordsOf(request));
        QVERIFY(words.find("--simulate-against int8 --simulate-tp 2") != std::string::npos);
        QVERIFY(words.find(" --against") == std::string::npos && words.find(" --tp") == std::string::npos);
    }

    void turnsAloneLiftTheLimitOfIterations() {
        const auto read = simulationRequestFrom({"--turns", "50"});
        QVERIFY(read);
        QVERIFY(read->length == (RunLength{std::nullopt, 50}));
        const auto again = simulationRequestFrom(wordsOf(*read));
        QVERIFY(again);
        QVERIFY(*again == *read);
    }

    void wordsOfOneChoice_data() {
        QTest::addColumn<QString>("words");
        for (const char* words :
             {"--users 14", "--policy single-prefill --chunk 512", "--arrivals poisson:2.5",
              "--arrivals trace", "--think data", "--k 5", "--weights fp8 --kv fp8", "--weights bf16",
              "--experts k2 --tp 4 --ep 4", "--against int4", "--step whole-step --host-us 300",
              "--time-scale dequantise=0.5", "--async --no-chunked-prefill", "--no-prefix-cache",
              "--prefix-cache=false", "--kv-blocks 4096 --engine-version 2026-03"}) {
            QTest::newRow(words) << words;
        }
    }

    void wordsOfOneChoice() {
        QFETCH(QString, words);
        std::vector<std::string> list;
        for (const QString& word : words.split(' ')) {
            list.push_back(word.toStdString());
        }
        const auto read = simulationRequestFrom(list);
        QVERIFY(read);
        QVERIFY(!(*read == SimulationRequest{}));
        const auto again = simulationRequestFrom(wordsOf(*read));
        QVERIFY(again);
        QVERIFY(*again == *read);
    }

    void refuses_data() {
        QTest::addColumn<QStringList>("words");
        QTest::newRow("no option") << QStringList{"--nonsense"};
        QTest::newRow("stray word") << QStringList{"users"};
        QTest::newRow("no value") << QStringList{"--users"};
        QTest::newRow("not a number") << QStringList{"--users", "many"};
        QTest::newRow("half a number") << QStringList{"--users", "8x"};
        QTest::newRow("too large") << QStringList{"--users", "99999999999999999999"};
        QTest::newRow("not finite") << QStringList{"--host-us", "inf"};
        QTest::newRow("not a kernel") << QStringList{"--time-scale", "magic=2"};
        QTest::newRow("negative scale") << QStringList{"--time-scale", "mma=-1"};
        QTest::newRow("no rate") << QStringList{"--arrivals", "poisson:"};
        QTest::newRow("policy") << QStringList{"--policy", "best"};
        QTest::newRow("storage") << QStringList{"--weights", "fp4"};
        QTest::newRow("KV cache") << QStringList{"--kv", "int4"};
        QTest::newRow("GPUs") << QStringList{"--tp", "3"};
        QTest::newRow("k and weights") << QStringList{"--k", "4", "--weights", "k4"};
    }

    void refuses() {
        QFETCH(QStringList, words);
        std::vector<std::string> list;
        for (const QString& word : words) {
            list.push_back(word.toStdString());
        }
        const auto read = simulationRequestFrom(list);
        QVERIFY(!read);
        QVERIFY(!read.error().what.empty());
    }
};

QTEST_MAIN(SimulationWordsTest)

#include "simulation_words_test.moc"
