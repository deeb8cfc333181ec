// Manual pages and completions as processes: made of the help, taken by groff, bash and zsh as they are.
#include "app/cli/help/manual_page.h"
#include "tests/app/cli/cli_process.h"

#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

/// "" for the program, then every command that its help names.
QStringList commandNames() {
    const QString help = QString::fromUtf8(runLoadline({"--help"}).out);
    QStringList names = {QString()};
    auto line = QRegularExpression("^  ([a-z]+) {2,}", QRegularExpression::MultilineOption).globalMatch(help);
    while (line.hasNext()) {
        names << line.next().captured(1);
    }
    return names;
}

Ended help(const QString& command, const QString& form) {
    return runLoadline(command.isEmpty() ? QStringList{form} : QStringList{command, form});
}

struct Said {
    int status = -1;
    QByteArray out, err;
};

Said run(const QString& program, const QStringList& arguments, const QByteArray& input = {}) {
    QProcess process;
    process.start(program, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(60'000)) {
        return {};
    }
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

/// Skips where the tool is not installed.
#define NEED(tool)                                                                                           \
    if (QStandardPaths::findExecutable(tool).isEmpty()) {                                                    \
        QSKIP(tool " is not installed");                                                                     \
    }

} // namespace

/// What the help of a command says of an option, in one line.
QString helpOf(const QString& command, const QString& option) {
    const QString help = QString::fromUtf8(runLoadline({command, "--help"}).out);
    const QRegularExpression entry("^ +" + option + " .*?(?=^ *-|^ *$|^\\S)",
                                   QRegularExpression::MultilineOption |
                                       QRegularExpression::DotMatchesEverythingOption);
    return entry.match(help).captured().simplified();
}

class CliHelpFormsTest : public QObject {
    Q_OBJECT

private slots:
    void anOptionHasOneMeaning() {
        for (const char* option : {"--tp", "--kv-bytes", "--profile", "--k"}) {
            QVERIFY2(!helpOf("export", option).isEmpty(), option);
        }
        for (const char* option : {"--tp", "--kv-bytes"}) {
            QCOMPARE(helpOf("cache", option), helpOf("export", option));
        }
    }

    void aChartIsNoCommandAndItsCommandsAreNamed() {
        const Ended ended = runLoadline({"crossover", "--help"});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.contains("`loadline export crossover`"), ended.err);
        QVERIFY2(ended.err.contains("`loadline sweep`"), ended.err);
        QVERIFY(runLoadline({"simulator-map"}).err.contains("`loadline export simulator-map`"));
    }

    void initTestCase() {
        QVERIFY(folder_.isValid());
        writeFile(folder_.filePath("script.bash"), help({}, "--help=bash").out);
        writeFile(folder_.filePath("_loadline"), help({}, "--help=zsh").out);
        writeFile(folder_.filePath("some file.json"), "");
        writeFile(folder_.filePath("other.json"), "");
    }

    void everyOptionIsInThePage() {
        const QStringList commands = commandNames();
        QCOMPARE_GT(commands.size(), 9);
        const QRegularExpression option("^ +(?:-\\w, ?)?(--[a-z0-9-]+)", QRegularExpression::MultilineOption);
        for (const QString& command : commands) {
            const QString page = QString::fromUtf8(help(command, "--help=man").out);
            QVERIFY2(page.startsWith(".TH \"LOADLINE"), qPrintable(page));
            int found = 0;
            auto names = option.globalMatch(QString::fromUtf8(help(command, "--help").out));
            while (names.hasNext()) {
                const QString name = names.next().captured(1);
                QVERIFY2(page.contains("\\fB" + QString(name).replace('-', "\\-") + "\\fR"),
                         qPrintable(name));
                ++found;
            }
            QVERIFY2(found > 0, qPrintable(command));
        }
    }

    void groffTakesThePages() {
        NEED("groff");
        for (const QString& command : commandNames()) {
            const Said said = run("groff", {"-ww", "-man", "-Tutf8"}, help(command, "--help=man").out);
            QCOMPARE(said.status, 0);
            QCOMPARE(said.err, QByteArray());
        }
    }

    void roffPrintsTextAsItIs() {
        QCOMPARE(roffText("a-b\\n"), std::string("a\\-b\\(rsn"));
        QCOMPARE(roffText(".TH\n'x\n.y z."), std::string("\\&.TH\n\\(aqx\n\\&.y z."));
        QCOMPARE(roffText("≥ `~^\"\x1b[1m"), std::string("\\[u2265] \\(ga\\(ti\\(ha\\(dq[1m"));
        NEED("groff");
        const QByteArray odd = ".so /etc/passwd\n'ig\n\\fB-x\\*[x] `a' ~^\" 1≥0\n.\n";
        const QByteArray roff = ".TH X 1\n.nf\n" + QByteArray::fromStdString(roffText(odd.toStdString()));
        const Said said = run("groff", {"-ww", "-man", "-Tutf8", "-P-cbou"}, roff);
        QCOMPARE(said.err, QByteArray());
        for (const QByteArray& line : odd.trimmed().split('\n')) {
            QVERIFY2(said.out.contains(line), said.out);
        }
    }

    void bashCompletes_data() {
        QTest::addColumn<QStringList>("words"); // the last one is being typed
        QTest::addColumn<QStringList>("completed");
        const auto row = [](const char* typed, const QStringList& completed) {
            QTest::newRow(typed) << QString(typed).split(' ') << completed;
        };
        row("loadline ex", {"export"});
        row("loadline --v", {"--version"});
        row("loadline turns --meth", {"--method"});
        row("loadline turns --method ", {"per-line", "api-call", "prompt"});
        row("loadline turns --method = pr", {"prompt"}); // bash takes --method=pr apart
        row("loadline turns some --method p", {"per-line", "prompt"});
        row("loadline export cross", {"crossover"});
        row("loadline export --theme dark --method = prompt dist", {"distributions"});
        row("loadline export distributions oth", {"other.json"});
        row("loadline export --reference cross", {"crossover"});
        row("loadline bench --preset ", {"quick", "standard", "thorough"});
        row("loadline bench --seed ", {});
        row("loadline bench --out so", {"some file.json"});
        row("loadline oth", {"other.json"});
        row("loadline no-command oth", {"other.json"});
        row("loadline simulate --arrivals ", {"closed", "trace"});
    }
    void bashCompletes() {
        NEED("bash");
        QFETCH(const QStringList, words);
        QFETCH(const QStringList, completed);
        const Said said = run("bash", QStringList{"-c",
                                                  "cd \"$0\" && source script.bash && COMP_WORDS=(\"$@\") && "
                                                  "COMP_CWORD=$(($# - 1)) && { _loadline; "
                                                  "printf '%s\\n' \"${COMPREPLY[@]}\"; }",
                                                  folder_.path()} +
                                          words);
        QCOMPARE(said.err, QByteArray());
        QCOMPARE(QString::fromUtf8(said.out).split('\n', Qt::SkipEmptyParts), completed);
    }

    void zshCompletes_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("line");
        QTest::newRow("a command") << "loadline exp"
                                   << "loadline export ";
        QTest::newRow("an option") << "loadline turns --meth"
                                   << "loadline turns --method=";
        QTest::newRow("a value") << "loadline turns --method=pro"
                                 << "loadline turns --method=prompt ";
        QTest::newRow("a value apart") << "loadline bench --preset thor"
                                       << "loadline bench --preset thorough ";
        QTest::newRow("by position") << "loadline export crosso"
                                     << "loadline export crossover ";
        QTest::newRow("a file") << "loadline sessions oth"
                                << "loadline sessions other.json ";
    }
    /// In a terminal of zsh's own: what Tab makes of the line.
    void zshCompletes() {
        NEED("zsh");
        QFETCH(const QString, typed);
        QFETCH(const QString, line);
        const Said said =
            run("zsh", {"-f", "-c",
                        "cd \"$1\" && zmodload zsh/zpty && zpty shell zsh -f -i && "
                        "zpty -w shell \"PS1= fpath=($1 \\$fpath); autoload -U compinit; compinit -u -D; "
                        "show() { print -r -- \\\"[[\\$BUFFER]]\\\" > $1/line; exit }; zle -N show; "
                        "bindkey '^X' show; print READY\" && "
                        "{ while zpty -r shell said; do [[ $said == READY* ]] && break; done } && "
                        "zpty -w -n shell \"$2\"$'\\t\\x18' && "
                        "{ while zpty -r shell said; do :; done }; cat \"$1/line\"",
                        "zsh", folder_.path(), typed});
        QCOMPARE(QString::fromUtf8(said.out), "[[" + line + "]]\n");
    }

private:
    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliHelpFormsTest)
#include "cli_help_forms_test.moc"
