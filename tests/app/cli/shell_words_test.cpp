// A command that is pasted into bash becomes the same words again.
#include "app/options/shell_words.h"

#include "core/text/visible_text.h"

#include <QProcess>
#include <QRandomGenerator>
#include <QStandardPaths>
#include <QTest>

using namespace loadline;
using namespace loadline::app;

namespace {

std::vector<std::string> hostileWords() {
    std::vector<std::string> words = {"plain",
                                      "",
                                      "a b",
                                      "it's",
                                      "\"$HOME\" `id` $(id) \\ !! * ? [a] {a,b} ~ # ; & | < >",
                                      "-x",
                                      "a\nb",
                                      "\n",
                                      "tab\there",
                                      "\x1b]0;title\a",
                                      "\xff\xfe.jsonl",
                                      "caf\xc3",
                                      "é€😀",
                                      "\u202egnp",
                                      "\u009b31m",
                                      "$'x'",
                                      "'",
                                      "\\",
                                      "\\x41",
                                      "!\x01!",
                                      "'\x01'",
                                      "\xff"
                                      "41",
                                      "\x01\\n",
                                      "=x",
                                      "a\r"};
    std::string all;
    for (int byte = 1; byte < 256; ++byte) {
        all += static_cast<char>(byte);
        words.push_back(std::string("x") + static_cast<char>(byte) + "7a");
    }
    words.push_back(all);
    return words;
}

} // namespace

class ShellWordsTest : public QObject {
    Q_OBJECT

private slots:
    void bashReadsTheSameWords() {
        const QString bash = QStandardPaths::findExecutable("bash");
        if (bash.isEmpty()) {
            QSKIP("there is no bash");
        }
        const std::vector<std::string> words = hostileWords();
        QProcess shell;
        shell.start(bash, {"--norc", "-s"});
        QVERIFY(shell.waitForStarted());
        shell.write("printf '%s\\0' " + QByteArray::fromStdString(joinedForShell(words)) + "\n");
        shell.closeWriteChannel();
        QVERIFY(shell.waitForFinished());
        QByteArrayList read = shell.readAllStandardOutput().split('\0');
        QCOMPARE(shell.readAllStandardError(), QByteArray());
        QVERIFY(read.takeLast().isEmpty());
        QCOMPARE(read.size(), static_cast<qsizetype>(words.size()));
        for (qsizetype i = 0; i < read.size(); ++i) {
            QCOMPARE(read[i].toPercentEncoding(),
                     QByteArray::fromStdString(words[static_cast<std::size_t>(i)]).toPercentEncoding());
        }
    }

    void whatIsQuotedIsVisibleText() {
        for (const std::string& word : hostileWords()) {
            const std::string quoted = quotedForShell(word);
            QCOMPARE(visibleText(quoted), quoted);
        }
    }

    void theProgramReadsThemToo() {
        const std::vector<std::string> words = hostileWords();
        const auto read = wordsOfShell(joinedForShell(words));
        QVERIFY(read && *read == words);
        // Lines within lines, as --against takes them.
        const auto outer = wordsOfShell(quotedForShell("--against=" + joinedForShell(words)));
        QVERIFY(outer && outer->size() == 1);
        const auto inner = wordsOfShell(outer->front().substr(std::string("--against=").size()));
        QVERIFY(inner && *inner == words);
    }

    void openQuotesAreAnError() {
        for (const char* line : {"'a", "a 'b", "$'a", "$'a\\'", "a$'"}) {
            QVERIFY2(!wordsOfShell(line), line);
        }
        QVERIFY(wordsOfShell("$a \\' $"));
    }
};

QTEST_GUILESS_MAIN(ShellWordsTest)
#include "shell_words_test.moc"
