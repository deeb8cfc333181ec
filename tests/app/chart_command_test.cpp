// A chart's command line, read by a shell and parsed, asks for the same chart.
#include "app/chart/session_chart.h"
#include "app/chart/simulation_chart.h"
#include "app/cli/export/chart_options.h"
#include "app/page/page_spec.h"
#include "core/cache/split/cache_model.h"
#include "core/cost/device/hardware.h"

#include <QProcess>
#include <QTest>

#include <random>

namespace loadline::app {
namespace {

/// The words that bash makes of a command line, without the program's name and "export".
Arguments wordsOf(const std::string& command) {
    QProcess shell;
    const std::string script = "set -- " + command + "\nprintf '%s\\0' \"$@\"";
    shell.start(QStringLiteral("/bin/bash"), {QStringLiteral("-c"), QString::fromStdString(script)});
    shell.waitForFinished();
    const QByteArray output = shell.readAllStandardOutput();
    Arguments words;
    for (const QByteArray& word : output.split('\0')) {
        words.push_back(word.toStdString());
    }
    words.pop_back(); // after the last end
    if (words.size() < 2 || words[0] != "loadline" || words[1] != "export") {
        return {};
    }
    words.erase(words.begin(), words.begin() + 2);
    return words;
}

const std::vector<std::string>& hostileWords() {
    static const std::vector<std::string> words = {
        "plain", "with space", "it's",      "\"quoted\"",  "new\nline", "-leading", "--out",
        "--",    "$HOME `id`", "a;b|c&d",   "[a,b]",       "[x]",       "{}",       "%%",
        "~",     "*?",         "tab\there", "back\\slash", "!history",  "#comment", "a=b",
        "=",     "\x01mark",   "é→😀",      "ends'",       "'",         "all",      "export",
        ",",     "[]",         "a,b",       "sessions",
    };
    return words;
}

class Requests {
public:
    explicit Requests(unsigned seed) : random_(seed) {}

    ChartRequest request() {
        ChartRequest r;
        r.chart = chartSpecs()[static_cast<std::size_t>(below(static_cast<int>(chartSpecs().size())))];
        r.paths = words(below(4));
        r.scope.sessions = words(below(3));
        r.scope.projects = words(below(3));
        r.scope.models = words(below(2));
        r.scope.agents = words(below(2));
        r.scope.text = below(2) != 0 ? word() : "";
        r.scope.from =
            below(2) != 0 ? std::optional(TimeMs{1'770'000'000'123 + below(1'000'000)}) : std::nullopt;
        r.scope.to =
            below(2) != 0 ? std::optional(TimeMs{1'780'000'000'000 + below(1'000'000)}) : std::nullopt;
        r.scope.turnInput = range();
        r.scope.turnOutput = range();
        for (const AskedField& one : askedFields()) {
            if (one.hasOption() && !one.read(r.asked, textOf(one))) {
                qFatal("a field does not take its own text");
            }
        }
        r.simulation = simulation();
        if (below(2) != 0) {
            r.against = below(4) != 0 ? simulation() : SimulationRequest();
            if (r.against->workload.isOpen() && below(2) != 0) {
                r.against->workload.pin(below(3) != 0 ? r.scope : Scope{});
            }
        }
        return r;
    }

    /// Any that it takes.
    std::string textOf(const AskedField& one) {
        const ask::Access& access = one.field->access;
        if (access.type == ask::Access::Type::Flag) {
            return below(2) != 0 ? "true" : "false";
        }
        if (!access.choices.empty()) {
            return std::string(
                access.choices[static_cast<std::size_t>(below(static_cast<int>(access.choices.size())))].key);
        }
        Asked asked;
        for (const std::string& made :
             {fmt::format("gpus={},prefill={}", 1 + below(2000), below(1000) / 1000.0),
              std::string(cacheModels()[static_cast<std::size_t>(below(10))].key),
              fmt::format("h100-node,HBM:{}", 1 + below(600)),
              std::string(hardwareTable()[static_cast<std::size_t>(below(5))].key),
              fmt::format("{}:{}", below(1000) / 8.0, 200 + below(1000) / 8.0)}) {
            if (one.read(asked, made) && !one.read(asked, "none of these")) {
                return made;
            }
        }
        if (const auto whole = ask::isWhole(*one.field)) {
            const std::string number =
                *whole ? fmt::format("{}", 2 + below(1000)) : fmt::format("{}", below(1'000'000) / 7.0);
            return one.read(asked, number) ? number : fmt::format("{}", 1 + below(8));
        }
        return below(2) != 0 ? word() : "";
    }

    SimulationRequest simulation() {
        SimulationRequest s;
        s.workload = below(2) != 0 ? word() : below(2) != 0 ? openWorkload : s.workload;
        s.profile = below(2) != 0 ? word() : s.profile;
        s.shapes = below(2) != 0 ? word() : s.shapes;
        s.weights = static_cast<Storage>(below(static_cast<int>(storageSpecs.size())));
        s.kv = below(2) != 0 ? Storage::Fp8 : s.kv;
        s.against = static_cast<Storage>(below(static_cast<int>(storageSpecs.size())));
        s.tensorParallel = 1 << below(4);
        s.timeScale[static_cast<std::size_t>(below(static_cast<int>(kernelCount)))] = below(1000) / 7.0;
        s.modelMissing = below(2) != 0;
        s.scope = static_cast<StepScope>(below(2));
        s.hostUs = below(1000) / 3.0;
        s.policy.policy = static_cast<Policy>(below(3));
        s.policy.chunkTokens = below(2) != 0 ? std::optional<Tokens>(1 + below(9000)) : std::nullopt;
        s.policy.kvBlocks = below(2) != 0 ? std::optional<std::int64_t>(2 + below(9000)) : std::nullopt;
        s.policy.memoryShare = below(2) != 0 ? std::optional(1 / (1.0 + below(50))) : std::nullopt;
        s.policy.chunkedPrefill = below(2) != 0;
        s.policy.version = static_cast<VllmVersion>(below(3));
        s.arrivals.users = 1 + below(4096);
        s.arrivals.order = static_cast<TurnOrder>(below(2));
        s.seed = static_cast<std::uint64_t>(below(1'000'000));
        return s;
    }

    ui::ExportOptions options() {
        ui::ExportOptions o;
        o.size = QSize(200 + below(16'000), 200 + below(16'000));
        o.scale = 0.5 + below(350) / 100.0;
        o.theme = below(2) != 0 ? ui::ThemeKind::Dark : ui::ThemeKind::Light;
        return o;
    }

    std::string word() {
        return hostileWords()[static_cast<std::size_t>(below(static_cast<int>(hostileWords().size())))];
    }

private:
    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }

    std::vector<std::string> words(int n) {
        std::vector<std::string> result;
        result.reserve(static_cast<std::size_t>(n));
        for (int i = 0; i < n; ++i) {
            result.push_back(word());
        }
        return result;
    }

    std::optional<TokenRange> range() {
        const int low = below(1000);
        return below(2) != 0 ? std::optional(TokenRange{low, low + below(100'000)}) : std::nullopt;
    }

    std::mt19937 random_;
};

} // namespace

class ChartCommandTest : public QObject {
    Q_OBJECT

private slots:
    void roundTrip() {
        Requests requests(7);
        for (int i = 0; i < 400; ++i) {
            const ChartRequest request = requests.request();
            const ui::ExportOptions options = requests.options();
            const std::string out = requests.word() + ".png";
            const std::string command = commandFor(request, options, out);
            ExportArguments parsed;
            QVERIFY2(!parseExport(wordsOf(command), parsed), command.c_str());
            QVERIFY2(parsed.request == relevantPart(request), command.c_str());
            QVERIFY2(parsed.options == options, command.c_str());
            QVERIFY2(parsed.out == out, command.c_str());
        }
    }

    void listsOfWordsThatMeanSomethingToTheParserSurvive() {
        for (const std::vector<std::string>& names : {std::vector<std::string>{"{}", "%%"},
                                                      {"%%", "{}"},
                                                      {"{}"},
                                                      {"%%"},
                                                      {"[]"},
                                                      {"[a,b]"},
                                                      {"a", "{}", "a"}}) {
            ChartRequest request;
            request.paths = names;
            request.scope.projects = names;
            ExportArguments parsed;
            const std::string command = commandFor(request, {}, "a.png");
            QVERIFY2(!parseExport(wordsOf(command), parsed), command.c_str());
            QVERIFY2(parsed.request.scope.projects == names, command.c_str());
            QVERIFY2(parsed.request.paths == names, command.c_str());
        }
    }

    void everyHostileWordSurvivesAsPathAndAsValue() {
        for (const std::string& word : hostileWords()) {
            ChartRequest request;
            request.paths = {word, "second"};
            request.scope.text = word;
            request.scope.projects = {word};
            ExportArguments parsed;
            const std::string command = commandFor(request, {}, word);
            QVERIFY2(!parseExport(wordsOf(command), parsed), command.c_str());
            QVERIFY2(parsed.request == request, command.c_str());
            QVERIFY2(parsed.out == word, command.c_str());
        }
    }

    /// Beyond what a text may have; they are several.
    void manyLongLogFilesSurvive() {
        ChartRequest request;
        request.chart = chartNamed("log-rate");
        for (const char name : {'a', 'b', 'c'}) {
            request.asked.log.files.push_back("/" + std::string(2000, name) + ".log");
        }
        const std::string command = commandFor(request, {}, "a.png");
        QVERIFY(command.size() > 4096);
        ExportArguments parsed;
        QVERIFY2(!parseExport(wordsOf(command), parsed), command.c_str());
        QVERIFY(parsed.request.asked.log.files == request.asked.log.files);
    }

    /// A later default changes no older picture.
    void spellsOutEveryChoice() {
        ChartRequest request;
        request.paths = {"/home/user/.claude/projects"};
        QCOMPARE(
            commandFor(request, {}, "turns.png"),
            std::string("loadline export distributions --method api-call --bins power-of-two --measure share "
                        "--reference=false --size 1600x900 --scale 1 --theme light --out turns.png "
                        "/home/user/.claude/projects"));
    }

    void theSmallPrintNamesWhatTheAnswerDependsOn() {
        ChartRequest request;
        request.chart = &charts::simulatorUsers;
        request.simulation.workload = "/logs";
        request.simulation.policy.chunkTokens = 512;
        request.simulation.policy.prefixCache = true;
        request.simulation.policy.budgetTokens = 2048;
        request.simulation.policy.maxSeqs = 64;
        request.simulation.rule = "fastest";
        request.simulation.hostUs = 250;
        const std::string print = captionFor(request, nullptr);
        QVERIFY2(print.starts_with("workload /logs; 8 users; vLLM V1; shapes"), print.c_str());
        for (const char* part : {"; chunk 512; prefix cache; budget 2", "; at most 64 sequences",
                                 "; kernels fastest", "; host", "; kernel times "}) {
            QVERIFY2(print.find(part) != std::string::npos, print.c_str());
        }
        request.simulation = SimulationRequest();
        const std::string usual = captionFor(request, nullptr);
        QVERIFY2(usual.find("; no chunk limit; budget 2\u202f048 (auto)") != std::string::npos,
                 usual.c_str());
        QVERIFY2(usual.ends_with("; at most 256 (auto) sequences"), usual.c_str()); // nothing else differs
        QVERIFY2(usual.find("prefix cache") == std::string::npos, usual.c_str());   // without effect
        request.simulation.profile = "roofline:M3-Max-40c"; // no server of vLLM's chooses for it
        QVERIFY(captionFor(request, nullptr).find("budget 2\u202f048 (auto)") != std::string::npos);
        request.simulation.shapes = "study";
        QVERIFY(captionFor(request, nullptr).find("budget 8\u202f192 (auto)") != std::string::npos);
        request.simulation.policy.policy = Policy::Mlx;
        QVERIFY(captionFor(request, nullptr).find("budget") == std::string::npos); // it has none
    }

    void relevantPartKeepsTheMethodOnlyWhereTurnsMatter() {
        ChartRequest request;
        request.chart = &charts::composition;
        request.asked.sessions.distribution.method = TurnMethod::Prompt;
        QCOMPARE(relevantPart(request).asked.sessions.distribution.method, TurnMethod::ApiCall);
        request.scope.turnOutput = TokenRange{1, 2};
        QCOMPARE(relevantPart(request).asked.sessions.distribution.method, TurnMethod::Prompt);
    }

    void wrongUsage_data() {
        QTest::addColumn<QStringList>("words");
        const auto row = [](const char* name, const QStringList& words) { QTest::newRow(name) << words; };
        row("no chart", {"--out", "a.png"});
        row("unknown chart", {"pie", "--out", "a.png"});
        row("no file", {"timeline"});
        row("all without folder", {"all"});
        row("all with file", {"all", "--out", "a.png", "--out-dir", "d"});
        row("size", {"timeline", "--out", "a.png", "--size", "1600"});
        row("tiny", {"timeline", "--out", "a.png", "--size", "10x10"});
        row("huge", {"timeline", "--out", "a.png", "--size", "99999x900"});
        row("scale", {"timeline", "--out", "a.png", "--scale", "9"});
        row("theme", {"timeline", "--out", "a.png", "--theme", "pink"});
        row("flag", {"simulator-users", "--out", "a.png", "--async=xyz"});
        row("flag of a number", {"simulator-users", "--out", "a.png", "--async=99999999999999999999"});
        row("range", {"timeline", "--out", "a.png", "--turn-input", "9:3"});
        row("range words", {"timeline", "--out", "a.png", "--turn-input", "few"});
        row("day", {"timeline", "--out", "a.png", "--from", "2026-13-01"});
        row("method", {"distributions", "--out", "a.png", "--method", "guess"});
        row("option", {"distributions", "--out", "a.png", "--colour", "red"});
    }

    void wrongUsage() {
        QFETCH(QStringList, words);
        Arguments arguments;
        for (const QString& word : words) {
            arguments.push_back(word.toStdString());
        }
        ExportArguments parsed;
        QCOMPARE(parseExport(arguments, parsed), std::optional<int>(exitUsage));
    }

    void daysMeanWholeDays() {
        ExportArguments parsed;
        QVERIFY(!parseExport({"timeline", "--out", "a.png", "--from", "2026-01-20", "--to", "2026-01-20"},
                             parsed));
        QCOMPARE(formatIso8601(*parsed.request.scope.from), std::string("2026-01-20T00:00:00.000Z"));
        QCOMPARE(formatIso8601(*parsed.request.scope.to), std::string("2026-01-21T00:00:00.000Z"));
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::ChartCommandTest)
#include "chart_command_test.moc"
