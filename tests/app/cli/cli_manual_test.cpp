// The documents for readers: their size, their links, and that the program takes every command in them.
#include "app/options/shell_words.h"
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFileInfo>
#include <QMap>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace loadline::app {
namespace {

constexpr int mostLinesOfReadme = 90;
constexpr qint64 mostBytesOfPicture = 200'000;

QString projectPath(const QString& path) {
    return QDir::cleanPath(QStringLiteral(LOADLINE_TEST_DATA "/../../") + path);
}

QString readDocument(const QString& path) {
    return QString::fromUtf8(contentOf(projectPath(path)));
}

QStringList documentPaths() {
    QStringList paths = {"README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"};
    for (const QString& page : QDir(projectPath("resources/manual")).entryList({"*.md"}, QDir::Files)) {
        paths << "resources/manual/" + page;
    }
    return paths;
}

QStringList allMatches(const QString& pattern, const QString& text) {
    QStringList found;
    auto matches = QRegularExpression(pattern, QRegularExpression::MultilineOption).globalMatch(text);
    while (matches.hasNext()) {
        found << matches.next().captured(1);
    }
    return found;
}

/// The lists of options that the program prints, export's last: a group that is listed already is only named.
QString optionLists() {
    static const QRegularExpression groupBegin(QStringLiteral("\\n(?=[A-Z][^\\n]*:\\n\\n- )"));
    const QString printed = QString::fromUtf8(runLoadline({"--help=markdown"}).out);
    QStringList commands = printed.split("### loadline ", Qt::SkipEmptyParts);
    std::ranges::stable_partition(commands, [](const QString& one) { return !one.startsWith("export"); });
    QMap<QString, QString> commandOf; // by a group's text
    QString lists;
    for (const QString& command : commands) {
        const QString name = command.section('\n', 0, 0);
        QStringList parts = command.trimmed().split(groupBegin);
        lists += "\n### loadline " + parts.takeFirst().trimmed() + "\n";
        for (const QString& part : parts) {
            const auto listed = commandOf.constFind(part.trimmed());
            lists += listed == commandOf.constEnd()
                         ? "\n" + part.trimmed() + "\n"
                         : "\n" + part.section(':', 0, 0) + ": as `loadline " + *listed + "`.\n";
            commandOf.insert(part.trimmed(), commandOf.value(part.trimmed(), name));
        }
    }
    return lists;
}

/// Lines in ``` blocks that run the program, one command each, without comments and pipes.
QStringList commandsIn(const QString& document) {
    QStringList commands;
    bool inBlock = false;
    for (const QString& line : document.split(u'\n')) {
        if (line.trimmed().startsWith("```")) {
            inBlock = !inBlock;
        } else if (inBlock) {
            for (const QString& part : line.section("  #", 0, 0).split(" && ")) {
                const QString command = part.section(" | ", 0, 0).trimmed();
                if (command.startsWith("loadline ")) {
                    commands << command;
                }
            }
        }
    }
    return commands;
}

/// The same arguments, with others behind them so that it ends at once: a workload that is not there, or a
/// device that measures nothing.
QStringList endingAtOnce(QStringList arguments) {
    const QString command = arguments.value(0);
    const auto has = [&](const char* option) { return arguments.contains(QLatin1String(option)); };
    if (QStringList{"simulate", "sweep"}.contains(command) && !has("--workload")) {
        arguments << "--workload"
                  << "there-is-none.json";
    }
    if (command == "bench" && !has("--list") && !has("--import") && !has("--modelled") && !has("--compare")) {
        arguments << "--device"
                  << "made-up"
                  << "--preset"
                  << "quick";
    }
    return arguments;
}

/// 2 where the program does not take these options.
int statusOf(const QString& command) {
    const Result<std::vector<std::string>> words = wordsOfShell(command.toStdString());
    if (!words) {
        return -1;
    }
    QStringList arguments;
    for (const std::string& word : words.value()) {
        arguments << QString::fromStdString(word);
    }
    return runLoadline(endingAtOnce(arguments.mid(1))).status;
}

} // namespace

class CliManualTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        QVERIFY(folder_.isValid());
        QVERIFY(QDir::setCurrent(folder_.path())); // what the commands write goes there
        QVERIFY(documentPaths().size() >= 6);
    }

    void readmeIsShort() {
        const QString readme = readDocument("README.md");
        QVERIFY(!readme.isEmpty());
        QVERIFY2(readme.count(u'\n') <= mostLinesOfReadme, qPrintable(QString::number(readme.count(u'\n'))));
        const QStringList pictures = allMatches(R"(!\[[^\]]+\]\(([^)]+)\))", readme);
        QCOMPARE(pictures.size(), 3);
        for (const QString& picture : pictures) {
            const QFileInfo file(projectPath(picture));
            QVERIFY2(file.isFile() && file.size() <= mostBytesOfPicture, qPrintable(picture));
        }
    }

    void linksLeadSomewhere() {
        for (const QString& path : documentPaths()) {
            const QStringList links = allMatches(R"(\]\(([^)#]+)\))", readDocument(path));
            QVERIFY2(!links.isEmpty(), qPrintable(path));
            for (const QString& link : links) {
                const QString target = QFileInfo(path).path() + "/" + link;
                QVERIFY2(QFileInfo::exists(projectPath(target)), qPrintable(path + ": " + link));
            }
        }
    }

    void paths() { // of sources, as `core/trace/trace.cpp`
        for (const QString& path : documentPaths()) {
            const QStringList sources = allMatches(
                R"(`((?:core|gpu|ui|app|tests|resources)/[\w/]+\.(?:cpp|h|cu))`)", readDocument(path));
            for (const QString& source : sources) {
                const bool isExample = source.contains("gateway_trace"); // of CONTRIBUTING.md's first change
                QVERIFY2(isExample || QFileInfo::exists(projectPath(source)),
                         qPrintable(path + ": " + source));
            }
        }
    }

    void wrongOptionsAreFound() {
        QCOMPARE(statusOf("loadline sessions --no-such-option here"), 2);
        QCOMPARE(statusOf("loadline simulate --users many"), 2);
    }

    void commandsAreTaken() {
        int found = 0;
        for (const QString& path : documentPaths()) {
            for (const QString& command : commandsIn(readDocument(path))) {
                const int status = statusOf(command);
                QVERIFY2(status == 0 || status == 1, qPrintable(path + ": " + command));
                ++found;
            }
        }
        QVERIFY(found >= 15);
    }

    /// In running text commands have placeholders: their names and options are looked up in the help.
    void namedOptionsExist() {
        for (const QString& path : documentPaths()) {
            for (const QString& code :
                 allMatches(R"(`((?:build/release/)?loadline [a-z]+[^`\n]*)`)", readDocument(path))) {
                const Ended help = runLoadline({code.section(u' ', 1, 1), "--help"});
                QVERIFY2(help.status == 0, qPrintable(path + ": " + code));
                for (const QString& option : allMatches(R"((--[a-z][a-z-]*))", code)) {
                    QVERIFY2(help.out.contains(option.toUtf8()), qPrintable(path + ": " + code));
                }
            }
        }
    }

    /// LOADLINE_WRITE_GOLDENS=1 writes them anew.
    void optionsAreListedAsTheyAre() {
        const QString path = "resources/manual/using.md";
        const QString document = readDocument(path);
        const auto section = document.indexOf("\n## Options\n");
        QVERIFY(section >= 0);
        const auto begin = document.indexOf("\n### ", section);
        const QString now = document.left(begin < 0 ? document.size() : begin) + optionLists();
        QCOMPARE_GT(now.count("\n- `--"), 150);
        if (qEnvironmentVariableIsSet("LOADLINE_WRITE_GOLDENS")) {
            QFile file(projectPath(path));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(now.toUtf8());
            return;
        }
        QVERIFY2(document == now, "LOADLINE_WRITE_GOLDENS=1 app_tests cli_manual_test writes using.md anew");
    }

    void verbsOfDevExist() {
        const QString dev = readDocument("dev");
        for (const QString& path : documentPaths()) {
            for (const QString& verb : allMatches(R"(\./dev ([a-z][a-z-]*))", readDocument(path))) {
                QVERIFY2(dev.contains("\n./dev " + verb + " "), qPrintable(path + ": ./dev " + verb));
            }
        }
    }

private:
    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliManualTest)
#include "cli_manual_test.moc"
