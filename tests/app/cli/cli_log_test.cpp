// log as a process: the study's time line to its verdict, documents, Markdown, refusals.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

/// As the study prints it.
constexpr auto studyTimeLine =
    R"(Time      | Event                                          | Details
----------|------------------------------------------------|---------------------------
09:43:50  | POST /v1/messages (streaming)                  | Cache miss: msg_22cc86115e391733
09:43:51  | POST /v1/messages/count_tokens                 | 9,983 tokens
09:43:51  | POST /v1/messages (streaming)                  | Cache miss: msg_bddb635ad8df413b
          | [~5.5 minutes of generation]                   | Both streaming requests generating
09:49:13  | POST /v1/messages (non-streaming)              | Cache hit: 49,152 tokens
09:54:34  | Response complete                              | 8,192 output tokens
          | Duration: 321 seconds (5.36 minutes)           | 25.5 tokens/sec
09:54:35  | POST /v1/messages (non-streaming)              | Cache miss: msg_ef1eb85a8723a454
09:54:38  | [Server killed]                                | Test ended
)";

constexpr auto vllmLog =
    R"((APIServer pid=1) INFO 12-11 20:30:06 [loggers.py:236] Engine 000: Avg prompt throughput: 105.8 tokens/s, Avg generation throughput: 158.0 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.3%, Prefix cache hit rate: 68.2%
(APIServer pid=1) INFO 12-11 20:30:16 [loggers.py:236] Engine 000: Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 181.0 tokens/s, Running: 1 reqs, Waiting: 0 reqs, GPU KV cache usage: 0.6%, Prefix cache hit rate: 68.2%
)";

QJsonObject findingIn(const QJsonObject& document, const char* claim) {
    for (const QJsonValue& finding : document["findings"].toArray()) {
        if (finding["claim"].toString() == QLatin1String(claim)) {
            return finding.toObject();
        }
    }
    return {};
}

} // namespace

class CliLogTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        writeFile(path("study.log"), studyTimeLine);
        writeFile(path("vllm.log"), vllmLog);
    }

    void theStudysOwnLogGivesItsVerdict() {
        const QJsonObject document = documentOf(
            {"log", path("study.log"), "--model", "gemma-3-12b-it-4bit", "--device", "M3-Max-40c", "--json"});
        QCOMPARE(document["schema"].toString(), QString("loadline.log/1"));
        QVERIFY(document["headline"].toString().contains("25.5 tokens/s"));
        QVERIFY(document["headline"].toString().contains("is not supported"));
        const QJsonObject light = document["speed_of_light"].toObject();
        QVERIFY(std::abs(light["share_at_lowest_context"].toDouble() - 0.486) < 0.002);
        QCOMPARE(light["weights_gb"].toDouble(), 6.620625);
        for (const char* open : {"concurrent_requests", "prefill_interleaving", "output_cap"}) {
            QCOMPARE(findingIn(document, open)["verdict"].toString(), QString("not excluded"));
        }
        const QJsonObject hit = findingIn(document, "implausible_hits");
        QCOMPARE(hit["verdict"].toString(), QString("supported"));
        QVERIFY(hit["evidence"].toArray().first()["text"].toString().contains("49,152"));
    }

    void batchLinesChangeTheVerdict() {
        const QByteArray steps = "09:50:00  [BATCH] Step: active=2\n09:50:01  [BATCH] Step: active=2\n";
        writeFile(path("two.log"), studyTimeLine + steps);
        const QJsonObject document = documentOf({"log", path("two.log"), "--json"});
        QCOMPARE(findingIn(document, "concurrent_requests")["verdict"].toString(), QString("supported"));
        QCOMPARE(document["steps"].toArray().size(), 2);
    }

    void sixtyTokensASecondAreMoreThanCanBe() {
        writeFile(path("fast.log"), QByteArray(studyTimeLine)
                                        .replace("09:54:34", "09:51:29")
                                        .replace("Duration: 321 seconds (5.36 minutes)",
                                                 "Duration: 136 seconds (2.27 minutes)"));
        const QJsonObject document = documentOf(
            {"log", path("fast.log"), "--model", "gemma-3-12b-it-4bit", "--device", "M3-Max-40c", "--json"});
        QVERIFY(document["headline"].toString().contains("more than can be"));
    }

    void aRangeWithoutLinesIsRefused() {
        const Ended beyond = runLoadline({"log", path("vllm.log"), "--from", "99999"});
        QCOMPARE(beyond.status, 1);
        QVERIFY2(beyond.err.contains("the log ends"), beyond.err.constData());
        const Ended turned = runLoadline({"log", path("vllm.log"), "--from", "8", "--to", "3"});
        QCOMPARE(turned.status, 1);
        QVERIFY2(turned.err.contains("ends before it begins"), turned.err.constData());
        QCOMPARE(runLoadline({"log", path("vllm.log"), "--from", "0", "--to", "5"}).status, 0);
    }

    void documentsHavePlainDigits() {
        QByteArray log = vllmLog;
        writeFile(path("fast_vllm.log"), log.replace("158.0", "21158.0").replace("181.0", "21181.0"));
        const QJsonObject document = documentOf({"log", path("fast_vllm.log"), "--json"});
        const QString headline = document["headline"].toString();
        QVERIFY2(headline.contains("21181") && !headline.contains(QChar(0x202f)), qPrintable(headline));
        for (const QJsonValue& finding : document["findings"].toArray()) {
            QVERIFY(!finding["reason"].toString().contains(QChar(0x202f)));
        }
    }

    void statisticsAreIntervals() {
        const QJsonObject document = documentOf({"log", path("vllm.log"), "--json"});
        QCOMPARE(document["server"].toString(), QString("vllm"));
        QCOMPARE(document["matched"]["vllm_v1_stats"].toInt(), 2);
        QCOMPARE(document["intervals"].toArray().size(), 2);
        QCOMPARE(document["intervals"][1]["output_tokens_per_s"].toDouble(), 181.0);
        QCOMPARE(document["intervals"][1]["line"].toInt(), 2);
        QCOMPARE(document["speed_of_light"], QJsonValue(QJsonValue::Null));
        QCOMPARE(document["requests_from"].toString(), QString("none"));
    }

    void severalFilesAreOneLogAndLinesNameTheirs() {
        const QJsonObject document = documentOf({"log", path("vllm.log"), path("vllm.log"), "--json"});
        QCOMPARE(document["intervals"].toArray().size(), 4);
        QCOMPARE(document["intervals"][3]["file"].toString(), path("vllm.log"));
        QCOMPARE(document["intervals"][3]["line"].toInt(), 2);
    }

    void theVerdictIsWrittenAsMarkdown() {
        const Ended ended = runLoadline({"log", path("study.log"), "--out", path("verdict.md")});
        QCOMPARE(ended.status, 0);
        QFile file(path("verdict.md"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QVERIFY(text.contains("## Findings"));
        QVERIFY(text.contains("Cache hit: 49,152 tokens"));
        QVERIFY(ended.out.contains("next:"));
    }

    void whatIsNoLogSaysWhatWasSeen() {
        writeFile(path("other.txt"), "hello\nworld\n");
        const Ended ended = runLoadline({"log", path("other.txt")});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.out.contains("formats known: vLLM"), ended.out.constData());
        QVERIFY(ended.out.contains("hello"));
        QVERIFY2(ended.err.contains("no line is of a known server"), ended.err.constData());
    }

    void whatGeneratesNothingIsNoRequest() {
        const Ended study = runLoadline({"log", path("study.log")});
        QVERIFY2(study.out.contains(", 4 requests, 1 other request (health, lists, counts)\n"),
                 study.out.constData());
        const QByteArray health = "INFO:     127.0.0.1:39830 - \"GET /health HTTP/1.1\" 200 OK\n";
        writeFile(path("health.log"), vllmLog + health + health);
        const Ended ended = runLoadline({"log", path("health.log")});
        QVERIFY2(ended.out.contains(", 2 intervals, 2 other requests (health, lists, counts)\n"),
                 ended.out.constData());
    }

    void modelsAreListed() {
        const QJsonArray models = documentOf({"log", path("vllm.log"), "--model", "Llama-3.1-70B-FP8",
                                              "--device", "H100-SXM", "--json"})["models"]
                                      .toArray();
        QVERIFY(models.size() > 10);
        bool same = false;
        for (const QJsonValue& model : models) {
            same = same || (model["key"] == "llama-3.3-70b" &&
                            model["same_shape"].toArray().contains(QJsonValue("llama-3.1-70b")));
        }
        QVERIFY(same);
    }

    void aRotatedLogIsReadInItsOrder() {
        const QByteArray text(vllmLog);
        const auto half = text.indexOf('\n') + 1;
        writeFile(path("turned.log"), text.mid(half));
        writeFile(path("turned.log.1"), text.left(half));
        const QJsonObject document = documentOf({"log", path("turned.log"), path("turned.log.1"), "--json"});
        QVERIFY(document["files"].toArray().first().toString().endsWith(".1"));
        QCOMPARE(document["length_s"].toDouble(), 10.0);
        QVERIFY(document["diagnostics"].toArray().isEmpty());
    }

    void accessLinesAloneHaveAnAnswer() {
        writeFile(path("access.log"),
                  "INFO:     127.0.0.1:59042 - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n");
        const Ended text = runLoadline({"log", path("access.log")});
        QCOMPARE(text.status, 0);
        QVERIFY2(text.out.startsWith("Access lines: 1 of 1 line known"), text.out.constData());
        const Ended markdown = runLoadline({"log", path("access.log"), "--out", path("access.md")});
        QCOMPARE(markdown.status, 0);
        QVERIFY(documentOf({"log", path("access.log"), "--json"})["server"].isNull());
    }

    void standardInputAndFifosAreReadAsFilesAre() {
        const QJsonObject file = documentOf({"log", path("vllm.log"), "--json"});
        const QByteArray program = LOADLINE_EXECUTABLE;
        const auto shell = [&](const QByteArray& command) {
            QProcess process;
            process.start(
                "sh", {"-c", QString(command).replace("LOADLINE", program).replace("LOG", path("vllm.log"))});
            return process.waitForFinished(30'000)
                       ? Ended{process.exitCode(), process.readAllStandardOutput(),
                               process.readAllStandardError()}
                       : Ended();
        };
        const QByteArray fifo = path("fifo").toUtf8();
        for (const QByteArray& command :
             {QByteArray("cat LOG | LOADLINE log - --json"), QByteArray("LOADLINE log - --json < LOG"),
              QByteArray("cat LOG | LOADLINE log /dev/stdin --json"),
              QByteArray("gzip -c LOG | LOADLINE log - --json"),
              "mkfifo " + fifo + "; (sleep 0.3; cat LOG > " + fifo + ") & LOADLINE log " + fifo +
                  " --json"}) {
            const Ended ended = shell(command);
            QVERIFY2(ended.status == 0, (command + ended.err).constData());
            const QJsonObject streamed = ended.json();
            for (const char* key : {"lines", "headline", "findings", "matched", "intervals"}) {
                QVERIFY2(streamed[key] == file[key], (command + ": " + key).constData());
            }
        }
        QCOMPARE(shell("cat LOG | LOADLINE log - --json").json()["files"].toArray(),
                 QJsonArray{"standard input"});
        // A log without an end, as of `kubectl logs -f`: Ctrl-C ends it, and what came is judged.
        const Ended followed = shell(
            "(cat LOG; sleep 5) | timeout --foreground --preserve-status -s INT 3 LOADLINE log - --json");
        QCOMPARE(followed.status, 0);
        QVERIFY2(followed.err.contains("interrupted"), followed.err.constData());
        QCOMPARE(followed.json()["headline"], file["headline"]);
        QCOMPARE(shell("head -c 3000 /dev/urandom | LOADLINE log -").status, 1);
        QCOMPARE(shell("printf 'hello\\n' | LOADLINE log -").status, 1);
        QVERIFY(runLoadline({"log", "/dev/null"}).err.contains("device"));
    }

    void anyModelByItsBytesOrShapes() {
        const QJsonObject bytes =
            documentOf({"log", path("vllm.log"), "--gb-per-token", "4", "--kv-bytes-per-token", "100000",
                        "--device", "M3-Max-40c", "--json"})["speed_of_light"]
                .toObject();
        QVERIFY(bytes["model"].isNull());
        QCOMPARE(bytes["weights_gb"].toDouble(), 4.0);
        QCOMPARE(bytes["kv_bytes_per_token"].toDouble(), 1e5);
        const QJsonObject shapes = documentOf({"log", path("vllm.log"), "--shapes", "llama-3.1-8b",
                                               "--device", "H100-SXM", "--json"})["speed_of_light"]
                                       .toObject();
        QCOMPARE(shapes["model"].toString(), QString("llama-3.1-8b"));
        QVERIFY(runLoadline({"log", path("vllm.log"), "--gb-per-token", "0"}).status != 0);
    }

    void severalEnginesAreListedAndSummed() {
        QByteArray text;
        for (int i = 0; i < 2; ++i) {
            for (int engine = 0; engine < 2; ++engine) {
                text +=
                    QString(
                        "INFO 06-01 10:00:%1 [loggers.py:123] Engine 00%2: Avg prompt throughput: 0.0 "
                        "tokens/s, Avg generation throughput: 50%2.0 tokens/s, Running: 5 reqs, Waiting: 0 "
                        "reqs, GPU KV cache usage: 40.0%, Prefix cache hit rate: 0.0%\n")
                        .arg(10 * i, 2, 10, QChar('0'))
                        .arg(engine)
                        .toUtf8();
            }
        }
        writeFile(path("engines.log"), text);
        const QJsonObject engines = documentOf({"log", path("engines.log"), "--json"})["engines"].toObject();
        QCOMPARE(engines["count"].toInt(), 2);
        QCOMPARE(engines["each"].toArray().size(), 2);
        QCOMPARE(engines["together"].toObject()["output_tokens_per_s"].toObject()["max"].toDouble(), 1001.0);
        QVERIFY(runLoadline({"log", path("engines.log")}).out.contains("engine 1: 501 output tokens/s"));
        QVERIFY(documentOf({"log", path("vllm.log"), "--json"})["engines"].toObject()["together"].isNull());
    }

    void refusals() {
        QCOMPARE(runLoadline({"log", path("none.log")}).status, 1);
        QCOMPARE(runLoadline({"log"}).status, 2);
        QCOMPARE(runLoadline({"log", path("vllm.log"), "--model", "gpt-9"}).status, 2);
        QCOMPARE(runLoadline({"log", path("vllm.log"), "--device", "abacus"}).status, 2);
        const Ended over = runLoadline({"log", path("vllm.log"), "--out", path("vllm.log")});
        QVERIFY(over.status != 0);
        writeFile(path("binary.log"), QByteArray("\x7f"
                                                 "ELF\0\0\0\1\2\3",
                                                 10));
        const Ended binary = runLoadline({"log", path("binary.log")});
        QCOMPARE(binary.status, 1);
        QVERIFY(!binary.err.isEmpty());
    }

private:
    [[nodiscard]] QString path(const char* name) const { return folder_.filePath(name); }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliLogTest)
#include "cli_log_test.moc"
