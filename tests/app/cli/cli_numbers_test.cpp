// Every option that takes a number: its range stands in the help, and nothing else is taken.
#include "app/cli/help/command.h"
#include "app/command_line.h"
#include "tests/app/cli/cli_process.h"

#include <QRegularExpression>
#include <QTemporaryFile>
#include <QTest>
#include <unistd.h>

namespace loadline::app {
namespace {

/// The program run in this process, for tests of what ends before any work: with one output redirected.
Ended runHere(const std::vector<std::string>& arguments) {
    QTemporaryFile out;
    QTemporaryFile err;
    if (!out.open() || !err.open()) {
        return {};
    }
    const int outBefore = ::dup(STDOUT_FILENO);
    const int errBefore = ::dup(STDERR_FILENO);
    ::dup2(out.handle(), STDOUT_FILENO);
    ::dup2(err.handle(), STDERR_FILENO);
    const int status = runProgram("loadline", arguments);
    ::dup2(outBefore, STDOUT_FILENO);
    ::dup2(errBefore, STDERR_FILENO);
    ::close(outBefore);
    ::close(errBefore);
    const auto all = [](QTemporaryFile& file) {
        file.seek(0);
        return file.readAll();
    };
    return {status, all(out), all(err)};
}

struct NumberOption {
    QString name;
    QString form; ///< "N", "X|none", "A:B" ...
    QString most; ///< the largest that is taken
};

/// The options of a help text whose words name a range, or whose form is a number's.
QList<NumberOption> numberOptionsIn(const QString& help) {
    static const QRegularExpression begin(QStringLiteral("^  (?:-\\w, ?)?(--[\\w-]+) +(\\S+)"));
    static const QRegularExpression range(QStringLiteral("\\[[^\\]]*?\\.\\.(-?[0-9.e+]*[0-9])"));
    static const QRegularExpression number(QStringLiteral("^[NX](\\||\\[|,|$)"));
    QList<NumberOption> options;
    const auto finish = [&](const QString& text) {
        const QRegularExpressionMatch option = begin.match(text);
        const QRegularExpressionMatch found = range.match(text);
        if (option.hasMatch() && (found.hasMatch() || number.match(option.captured(2)).hasMatch())) {
            options << NumberOption{option.captured(1), option.captured(2), found.captured(1)};
        }
    };
    QString text;
    for (const QString& line : help.split(u'\n')) {
        if (begin.match(line).hasMatch() || line.trimmed().isEmpty()) {
            finish(text);
            text.clear();
        }
        text += line;
    }
    finish(text);
    return options;
}

/// What stands around a number in the option's value.
QString framed(const NumberOption& option, const QString& number) {
    if (option.name == QStringLiteral("--arrivals")) {
        return "poisson:" + number;
    }
    if (option.name == QStringLiteral("--time-scale")) {
        return "mma=" + number;
    }
    return option.form == QStringLiteral("WxH")   ? number + "x900"
           : option.form == QStringLiteral("A:B") ? number + ":"
                                                  : number;
}

} // namespace

class CliNumbersTest : public QObject {
    Q_OBJECT

private slots:
    void everyNumberIsRefusedWithItsRange_data() {
        QTest::addColumn<QString>("command");
        for (const Command& command : commands()) {
            QTest::newRow(command.name.c_str()) << QString::fromStdString(command.name);
        }
    }

    void everyNumberIsRefusedWithItsRange() {
        QFETCH(QString, command);
        const Ended help = runHere({command.toStdString(), "--help"});
        QCOMPARE(help.status, 0);
        const QList<NumberOption> options = numberOptionsIn(QString::fromUtf8(help.out));
        const QHash<QString, qsizetype> least = {{"sessions", 1}, {"turns", 1},     {"export", 25},
                                                 {"schedule", 0}, {"simulate", 19}, {"sweep", 19},
                                                 {"replay", 1},   {"bench", 4}};
        QVERIFY2(options.size() >= least.value(command, 1), qPrintable(QString::number(options.size())));
        for (const NumberOption& option : options) {
            QVERIFY2(!option.most.isEmpty(), qPrintable(option.name + " does not say its range"));
            const QStringList bad = {"nan",      "-nan",
                                     "inf",      "-inf",
                                     "infinity", "0x10",
                                     "0x1p3",    "1e400",
                                     "1e99999",  "99999999999999999999999",
                                     "+5",       " 5",
                                     "5 ",       "5\n",
                                     "",         " ",
                                     "five",     "5x",
                                     "5;",       "1_000",
                                     "\u0665",   "\u00b2",
                                     "-1e300",   option.most + "0"};
            for (const QString& number : bad) {
                if (number.isEmpty() && option.form == QStringLiteral("A:B")) {
                    continue; // ":" is everything
                }
                const QString value = framed(option, number);
                const Ended ended =
                    runHere({command.toStdString(), (option.name + "=" + value).toStdString(), "x"});
                const QByteArray said = (option.name + "='" + value + "': ").toUtf8() + ended.err;
                QVERIFY2(ended.status == 2, said);
                QVERIFY2(ended.out.isEmpty(), said);
                const QByteArray first = ended.err.left(ended.err.indexOf('\n'));
                QVERIFY2(first.startsWith("loadline " + command.toUtf8() + ": " + option.name.toUtf8() +
                                          " takes "),
                         said);
                QVERIFY2(first.contains(".." + option.most.toUtf8()), said);
            }
        }
    }

    void listsAndRangesAreBounded_data() {
        QTest::addColumn<QString>("options");
        for (const char* options :
             {"--users 1:1000000000", "--users 1:4096:0", "--users 4:1", "--users 1:4097", "--users 1,,2",
              "--users 1:", "--users :8", "--users 1:2:3:4", "--users 1:0x10", "--users -1:4", "--k 1:5",
              "--k 2:6", "--chunk 0:512", "--chunk 1:1048576", "--chunk none,nan", "--draws 1e3"}) {
            QTest::newRow(options) << options;
        }
    }

    void listsAndRangesAreBounded() {
        QFETCH(QString, options);
        const QStringList words = options.split(u' ');
        const Ended ended = runHere({"sweep", words[0].toStdString(), words[1].toStdString()});
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.startsWith("loadline sweep: " + words[0].toUtf8() + " takes "), ended.err);
    }

    void numbersInWordsAreBounded_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::addColumn<QByteArray>("said");
        const auto row = [](const QStringList& arguments, const char* said) {
            QTest::newRow(qPrintable(arguments.join(u' '))) << arguments << QByteArray(said);
        };
        row({"bench", "--patience", "nan"}, "--patience takes 0.1..86400, not 'nan'");
        row({"bench", "--k", "2,6"}, "--k takes 2,3,4,5 (2..5, several divided by commas), not '2,6'");
        row({"bench", "--k", "2,,3"}, "--k takes 2,3,4,5 (2..5, several divided by commas), not '2,,3'");
        row({"sessions", "x", "--threads", "0x10"}, "--threads takes 1..1024, not '0x10'");
        row({"export", "timeline", "--view-start", "nan"}, "--view-start takes ");
        row({"export", "batch", "--at-step=-1"}, "--at-step takes 0..");
        row({"export", "timeline", "--size", "1600x1e3"}, "--size takes WxH (200..16384), not '1600x1e3'");
        row({"simulate", "--users", "1000000000000"}, "--users takes 1..4096, not '1000000000000'");
        row({"simulate", "--users", "1e12"}, "--users takes 1..4096, not '1e12'");
    }

    void numbersInWordsAreBounded() {
        QFETCH(QStringList, arguments);
        QFETCH(QByteArray, said);
        const Ended ended = runLoadline(arguments);
        QCOMPARE(ended.status, 2);
        QVERIFY2(ended.err.startsWith("loadline " + arguments[0].toUtf8() + ": "), ended.err);
        QVERIFY2(ended.err.contains(said), ended.err);
    }

    void boundsOfARuleAreWholeNumbers_data() {
        QTest::addColumn<QString>("bound");
        for (const char* bound :
             {"0", "-1", "nan", "inf", "0x10", "1e3", "4.5", "99999999999999999999", ""}) {
            QTest::newRow(bound) << bound;
        }
    }

    void boundsOfARuleAreWholeNumbers() {
        QFETCH(QString, bound);
        const Ended ended = runLoadline({"simulate", "--rule", "scalar:" + bound + ",dequant_cublas"});
        QCOMPARE(ended.status, 1);
        QVERIFY2(ended.err.contains("is not a whole number from 1 to "), ended.err);
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliNumbersTest)
#include "cli_numbers_test.moc"
