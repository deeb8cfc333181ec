// Files that the program wrote before its outgoing side was redrawn, and reads for ever: a settings file with
// everything changed, and the commands inside PNGs. They are never written anew.
#include "app/options/simulation_options.h"
#include "app/page/page_spec.h"
#include "app/window/settings/settings.h"
#include "tests/app/goldens/golden_cases.h"

using namespace loadline;
using namespace loadline::app;

namespace {

/// Every choice that settings keep, by its name in the file, with a word that is not its default.
const std::vector<std::pair<std::string, std::string>>& keptWords() {
    static const std::vector<std::pair<std::string, std::string>> words{
        {"window/clock", "local"},
        {"distributions/method", "per-line"},
        {"distributions/bins", "fine"},
        {"distributions/measure", "cumulative"},
        {"distributions/reference", "true"},
        {"timeline/session", "158b4298-0e7d-490f-9cef-6d82a49f7153"},
        {"timeline/axis", "turn-index"},
        {"timeline/view_start", "1.5"},
        {"timeline/view_end", "6.25"},
        {"timeline/zoomed", "158b4298"},
        {"composition/group", "model"},
        {"composition/per_request", "true"},
        {"composition/shares", "false"},
        {"composition/order", "hit-rate"},
        {"composition/reversed", "true"},
        {"cache/trace", "/data/a trace, with commas.jsonl"},
        {"cache/trace_shown", "false"},
        {"cache/sub_agents", "true"},
        {"cache/lru", "fwd"},
        {"cache/ttl_s", "60"},
        {"cache/model", "gpt-oss-120b"},
        {"cache/kv_bytes", "1"},
        {"cache/weight_bytes", "0.5"},
        {"cache/tp", "4"},
        {"cache/tiers", "h100-node,HBM:300"},
        {"cache/split", "gpus=16,prefill=0.7,hit=0.9"},
        {"cache/chain", "trace 7"},
        {"log/files", "/logs/one.log,/logs/two.log"},
        {"log/follow", "true"},
        {"log/stretch", "100:400"},
        {"log/model", "gemma-3-12b"},
        {"log/bits", "4.5"},
        {"log/kv_bytes", "1"},
        {"log/device", "M3-Max-40c"},
        {"log/bandwidth_gb_s", "400"},
        {"log/gb_per_token", "3.2"},
        {"log/kv_bytes_per_token", "98304"},
        {"log/only_view", "true"},
        {"self_check/run", "/runs/one"},
        {"self_check/prompts", "/runs/served.jsonl"},
        {"kernels/shown", "model:B200"},
        {"kernels/compared", "roofline:H100-SXM"},
        {"kernels/shape", "4096x6144"},
        {"kernels/k", "3"},
        {"kernels/bench_name", "after \"the change\""},
        {"kernels/bench_preset", "thorough"},
        {"kernels/bench_shapes", "llama-3.1-8b"},
        {"kernels/bench_k", "3,5"},
    };
    return words;
}

/// The field that is kept under this name, today's or an older one; null: none.
const AskedField* fieldOfSetting(const std::string& name) {
    const auto found = std::ranges::find_if(askedFields(), [&](const AskedField& one) {
        const std::vector<std::string> names = one.settings();
        return one.field->traits.isSetting && std::ranges::find(names, name) != names.end();
    });
    return found == askedFields().end() ? nullptr : &*found;
}

SimulationRequest requestOf(const char* options) {
    std::vector<std::string> words;
    for (const QString& word : QString(options).split(' ')) {
        words.push_back(word.toStdString());
    }
    const auto request = simulationRequestFrom(words);
    if (!request) {
        qFatal("%s", request.error().sentence().c_str());
    }
    return *request;
}

Settings everythingChanged() {
    Settings s;
    s.geometry = QByteArray("\0\1geometry", 10);
    s.windowState = "state";
    s.sessionColumns =
        "tokens down; session 300; tokens 90; start 128 hidden; duration 92; turns 60; model 150";
    s.diagnosticsByHand = false;
    s.evidenceByHand = true;
    s.moreParameters = true;
    s.parts[Page::Timeline] = {300, 200};
    s.recentFolders = {"/a b/c", "/d,e", "/\u00e4\u4e2d"};
    s.lastPaths = {"/a b/c"};
    s.scope = {.sessions = {"claude:1a,2b"}, .projects = {"/a b"}, .models = {"m"}, .agents = {"main"}};
    s.scope.text = "--from";
    s.scope.from = TimeMs{1'768'000'000'123};
    s.scope.to = TimeMs{1'768'000'000'124};
    s.scope.turnInput = TokenRange{0, 7};
    s.scope.turnOutput = TokenRange{8, 8};
    s.rows = ChosenRows{CompositionGroup::Session, {}, {"claude:1a,2b", ""}};
    s.openRows = {"/a b", "claude:1a,2b"};
    s.reopenLast = true;
    s.theme = ThemeChoice::Dark;
    s.page = Page::Composition;
    for (const auto& [setting, word] : keptWords()) {
        const AskedField* one = fieldOfSetting(setting);
        if (one == nullptr || word == one->textIn(Asked()) || !one->read(s.asked, word)) {
            qFatal("%s does not take %s, or as its default", setting.c_str(), word.c_str());
        }
    }
    s.simulation = requestOf(
        "--workload /data/trace.csv --outputs visible --users 33 --arrivals closed --think data --turn-order "
        "replayed --profile roofline:H100-SXM --shapes qwen3-32b --rule "
        "scalar:4,mma:16,dequant_cublas;grouped_mma:16,grouped_dequant --k 3 --time-scale mma=0.5 "
        "--model-missing --step whole-step --host-us 12.5 --policy vllm-v1 --chunk 512 --budget 4096 "
        "--max-seqs 64 --no-prefix-cache --block-size 32 --kv-blocks 4096 --gpu-memory-utilization 0.85 "
        "--max-model-len 65536 --watermark 0.01 --order priority --async --engine-version 2025-10 "
        "--no-chunked-prefill --no-full-reservation --iterations 500 --replicas 7 --seed "
        "18446744073709551615");
    s.against = requestOf("--policy single-prefill --users 4 --prompt-cap 16384 --free-prompt 32 --arrivals "
                          "poisson:2.5 --turns 100 --shapes study --k 2");
    s.exports = {"/out put", "svg", {1234, 567}, 2.5, ui::ThemeKind::Dark};
    return s;
}

/// The words that a shell makes of a command line, without the program's name.
QStringList wordsOf(const QString& command) {
    QProcess shell;
    shell.start("/bin/bash", {"-c", "set -- " + command + "\nprintf '%s\\n' \"$@\""});
    shell.waitForFinished();
    QStringList words = QString::fromUtf8(shell.readAllStandardOutput()).split('\n');
    words.pop_back(); // after the last end
    return words.mid(1);
}

} // namespace

class GoldensKeptTest : public QObject {
    Q_OBJECT

private slots:
    void settingsAreReadAsTheyWereLeft() {
        const QString file = golden::folder() + "/settings_8a6f.ini";
        if (!QFile::exists(file)) {
            QVERIFY(qEnvironmentVariableIsSet("LOADLINE_WRITE_GOLDENS"));
            QVERIFY(saveSettings(everythingChanged(), file));
        }
        const SettingsRead read = readSettings(file);
        QCOMPARE(read.damaged, QStringList());
        for (const auto& [setting, word] : keptWords()) {
            QCOMPARE(QString::fromStdString(fieldOfSetting(setting)->textIn(read.settings.asked)),
                     QString::fromStdString(word));
        }
        QVERIFY(read.settings.simulation == everythingChanged().simulation);
        QVERIFY(read.settings.against == everythingChanged().against);
        QVERIFY(read.settings == everythingChanged());
    }

    void allChoicesAreAmongThem() {
        for (const AskedField& one : askedFields()) {
            const bool kept = std::ranges::any_of(
                keptWords(), [&](const auto& word) { return fieldOfSetting(word.first) == &one; });
            QVERIFY2(kept || !one.field->traits.isSetting, one.settings().front().c_str());
        }
    }

    void pngCommandsDrawAsTheyDid_data() {
        QTest::addColumn<QString>("command");
        const QByteArray commands = golden::bytesOf(golden::folder() + "/png_commands.txt");
        for (const QByteArray& command : commands.split('\n')) {
            const QStringList words = wordsOf(command);
            if (const auto out = words.indexOf("--out"); out >= 0) {
                QTest::newRow(qPrintable("png-" + words[out + 1].chopped(4))) << QString::fromUtf8(command);
            }
        }
    }

    /// The picture's size and background, and the numbers of the chart.
    void pngCommandsDrawAsTheyDid() {
        QFETCH(QString, command);
        QStringList words = wordsOf(command);
        QString& out = words[words.indexOf("--out") + 1];
        out = "{out}.png";
        golden::Json document{{"picture", goldens_.documentOf(words)}};
        if (!command.startsWith("loadline export page ")) {
            out = "{out}.csv";
            document["numbers"] = goldens_.documentOf(words);
        }
        golden::Goldens::compare(QTest::currentDataTag(), command, document);
    }

    /// A golden file without its case would be looked at by nobody.
    void everyGoldenFileHasItsCase() {
        QStringList names;
        for (const QString& table : QDir(golden::folder() + "/cases").entryList({"*.txt"})) {
            for (const golden::Case& c : golden::casesOf(table.chopped(4))) {
                QVERIFY2(!names.contains(c.name), qPrintable(c.name));
                names.push_back(c.name);
            }
        }
        for (const QString& file : QDir(golden::folder()).entryList({"*.json"})) {
            QVERIFY2(file.startsWith("png-") || file == golden::caveatsName ||
                         names.contains(file.chopped(5)),
                     qPrintable(file));
        }
        const auto caveats =
            golden::Json::parse(golden::bytesOf(golden::Goldens::caveatsFile()).toStdString());
        for (const auto& [name, list] : caveats.items()) {
            QVERIFY2(names.contains(QString::fromStdString(name)), name.c_str());
        }
    }

private:
    golden::Goldens goldens_;
};

QTEST_GUILESS_MAIN(GoldensKeptTest)
#include "goldens_kept_test.moc"
