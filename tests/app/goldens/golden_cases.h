// Golden tests: what the program prints for a command line, compared with what it printed when the golden
// file was written. A case is a line of tests/data/goldens/cases/*.txt:
//   NAME: ARGUMENTS
// and its golden file is tests/data/goldens/NAME.json; NAME@OTHER is a case of the same file. The program
// runs in the root of the sources. Looked at is the file {out}.csv, .json, .jsonl or .png where one is among
// the arguments, else what is printed. {made} is a folder of made-up data, {unpacked} the unpacked sessions
// of the shared data.
//   LOADLINE_WRITE_GOLDENS=1 ctest ...   writes the golden files anew
#pragma once

#include "tests/app/goldens/golden_document.h"
#include "tests/app/made_up_server_logs.h"
#include "tests/app/made_up_sessions.h"
#include "tests/strict_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLockFile>
#include <QProcess>
#include <QProcessEnvironment>
#include <QTemporaryDir>
#include <QTest>

namespace golden {

struct Case {
    QString name;
    QString arguments; ///< divided by spaces; "" around what holds some
};

inline QString folder() {
    return QStringLiteral(LOADLINE_TEST_DATA "/goldens");
}

inline QByteArray bytesOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Writes a file and the folders above it.
inline void keep(const QString& path, const QByteArray& bytes) {
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) {
        qFatal("cannot write %s", qPrintable(path));
    }
}

inline std::vector<Case> casesOf(const QString& table) {
    std::vector<Case> cases;
    for (const QByteArray& bytes : bytesOf(folder() + "/cases/" + table + ".txt").split('\n')) {
        const QString line = QString::fromUtf8(bytes).trimmed();
        if (const auto colon = line.indexOf(": "); colon > 0 && !line.startsWith('#')) {
            cases.push_back({line.left(colon), line.mid(colon + 2).trimmed()});
        }
    }
    return cases;
}

inline constexpr const char* caveatsName = "caveats.json";
inline constexpr const char* dataSchema = "loadline.profile/1"; ///< a file of data, which has no caveats

/// Runs cases in folders of its own.
class Goldens {
public:
    Goldens() {
        const QString made = scratch_.filePath("made");
        made_up::writeThreeWithABreak(made + "/sessions");
        made_up::writeWithASubAgent(made + "/nested");
        made_up::writeText(made + "/llama.log", made_up::llamaCppLog(12));
        made_up::writeText(made + "/vllm.log", made_up::vllmLog(90));
    }

    /// Every case is a row of the test's data.
    static void addRows(const QString& table) {
        QTest::addColumn<QString>("arguments");
        for (const Case& c : casesOf(table)) {
            QTest::newRow(qPrintable(c.name)) << c.arguments;
        }
    }

    /// Compares what the program says with the golden file of this name, and its caveats with those of the
    /// case in caveats.json.
    void check(const QString& name, const QString& arguments) {
        Json whole = documentOf(QProcess::splitCommand(arguments));
        if (QTest::currentTestFailed()) {
            return;
        }
        Json& document = whole.is_object() && whole.contains("document") ? whole["document"] : whole;
        if (document.is_object() && document.contains("schema") && document["schema"] != dataSchema) {
            compareCaveats(name, arguments, document);
            document.erase("caveats");
        }
        if (!QTest::currentTestFailed()) {
            compare(name, arguments, whole);
        }
    }

    static QString caveatsFile() { return folder() + '/' + QString(caveatsName); }

    static void compareCaveats(const QString& name, const QString& arguments, const Json& document) {
        const auto now = document.find("caveats");
        QVERIFY2(now != document.end() && now->is_array(), "the document has no list of caveats");
        const std::string key = name.section('@', 0, 0).toStdString();
        const Json was = Json::parse(bytesOf(caveatsFile()).toStdString(), nullptr, false);
        if (qEnvironmentVariableIsSet("LOADLINE_WRITE_GOLDENS") && !name.contains('@')) {
            writeCaveats(key, *now);
            return;
        }
        QVERIFY2(was.is_object() && was.contains(key), qPrintable("no caveats of " + name + " are kept"));
        std::vector<std::string> differences;
        appendDifferences(was[key], *now, "caveats", differences);
        QVERIFY2(
            differences.empty(),
            fmt::format("loadline {}\n{}", arguments.toStdString(), fmt::join(differences, "\n")).c_str());
    }

    /// Compares a document with the golden file of this name. `arguments` is for the message.
    static void compare(const QString& name, const QString& arguments, const Json& whole) {
        const QString file = folder() + '/' + name.section('@', 0, 0) + ".json";
        const Json now = shortened(whole);
        if (qEnvironmentVariableIsSet("LOADLINE_WRITE_GOLDENS") && !name.contains('@')) {
            keep(file, QByteArray::fromStdString(pretty(now) + '\n'));
            return;
        }
        const Json was = Json::parse(bytesOf(file).toStdString(), nullptr, false);
        QVERIFY2(!was.is_discarded(), qPrintable("no golden file " + file));
        std::vector<std::string> differences;
        appendDifferences(was, now, "", differences);
        if (differences.empty()) {
            return;
        }
        const QString kept = QDir::cleanPath(QStringLiteral(LOADLINE_UNPACKED_DATA "/../goldens/") + name);
        keep(kept + ".json", QByteArray::fromStdString(pretty(now) + '\n'));
        keep(kept + ".whole.json", QByteArray::fromStdString(pretty(whole) + '\n'));
        std::string said =
            fmt::format("{} places differ in: loadline {}\n", differences.size(), arguments.toStdString());
        for (std::size_t i = 0; i < std::min<std::size_t>(differences.size(), 12); ++i) {
            said += "  " + differences[i] + '\n';
        }
        said += fmt::format("  diff {} {}.json   (nothing left out: {}.whole.json)", file.toStdString(),
                            kept.toStdString(), kept.toStdString());
        QFAIL(said.c_str());
    }

    /// The output of the program, masked. A command that fails gives its status and its messages, too.
    Json documentOf(QStringList words) {
        const QString out = scratch_.filePath("out");
        QString written;
        for (QString& word : words) {
            const bool isOut = word.startsWith("{out}");
            word.replace("{out}", out)
                .replace("{made}", scratch_.filePath("made"))
                .replace("{unpacked}", LOADLINE_UNPACKED_DATA);
            written = isOut ? word : written;
        }
        if (!written.isEmpty()) {
            QFile::remove(written);
        }
        const Places places{{out.toStdString(), "{out}"},
                            {scratch_.filePath("made").toStdString(), "{made}"},
                            {scratch_.filePath("home").toStdString(), "{home}"},
                            {LOADLINE_UNPACKED_DATA, "{unpacked}"},
                            {root().toStdString(), "{root}"}};
        QProcess process;
        process.setProcessEnvironment(environment());
        process.setWorkingDirectory(root());
        process.start(QStringLiteral(LOADLINE_EXECUTABLE), words);
        if (!process.waitForFinished(180'000) || process.exitStatus() != QProcess::NormalExit) {
            QTest::qFail("the program did not end by itself", __FILE__, __LINE__);
            return {};
        }
        const std::string printed = process.readAllStandardOutput().toStdString();
        const Json document = written.endsWith(".png")
                                  ? pictureOf(written)
                                  : masked(read(written.isEmpty() ? printed : bytesOf(written).toStdString(),
                                                kindOf(written, words)),
                                           places);
        if (process.exitCode() == 0) {
            return document;
        }
        const std::string said = process.readAllStandardError().toStdString();
        Json ended = masked({{"status", process.exitCode()}, {"said", linesOf(said)}}, places);
        if (!document.is_null()) {
            ended["document"] = document;
        }
        return ended;
    }

    /// Replaces the list of one case; the tables' tests may run at the same time.
    static void writeCaveats(const std::string& key, const Json& caveats) {
        QLockFile lock(QDir::tempPath() + "/loadline_golden_caveats.lock");
        QVERIFY(lock.lock());
        const Json all = Json::parse(bytesOf(caveatsFile()).toStdString(), nullptr, false);
        std::map<std::string, Json> sorted;
        if (all.is_object()) { // else this is the first case
            for (const auto& [name, list] : all.items()) {
                sorted[name] = list;
            }
        }
        sorted[key] = caveats;
        std::string text;
        for (const auto& [name, list] : sorted) {
            text += fmt::format("{}\n{}: {}", text.empty() ? "{" : ",", Json(name).dump(), linesIn(list));
        }
        keep(caveatsFile(), QByteArray::fromStdString(text + "\n}\n"));
    }

    /// A list of texts, one a line.
    static std::string linesIn(const Json& list) {
        std::string text;
        for (const Json& one : list) {
            text += (text.empty() ? "\n " : ",\n ") + one.dump();
        }
        return "[" + text + "]";
    }

    static QString root() { return QDir::cleanPath(QStringLiteral(LOADLINE_TEST_DATA "/../..")); }

private:
    /// No profiles, settings or sessions of anybody's.
    [[nodiscard]] QProcessEnvironment environment() const {
        QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
        for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) {
            all.remove(name);
        }
        for (const char* name :
             {"HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "CLAUDE_CONFIG_DIR"}) {
            all.insert(name, scratch_.filePath("home"));
        }
        return all;
    }

    enum class Kind { Lines, Table, File, Document };

    static Kind kindOf(const QString& written, const QStringList& words) {
        if (written.endsWith(".csv") || (written.isEmpty() && words.contains("--csv"))) {
            return Kind::Table;
        }
        return written.endsWith(".json")                       ? Kind::File
               : written.isEmpty() && words.contains("--json") ? Kind::Document
                                                               : Kind::Lines;
    }

    static Json linesOf(const std::string& text) {
        Json lines = Json::array();
        for (const QByteArray& line : QByteArray::fromStdString(text).split('\n')) {
            lines.push_back(line.toStdString());
        }
        return lines;
    }

    /// Null where there is nothing. Fails the test where it is no strict JSON that should be.
    static Json read(const std::string& text, Kind kind) {
        if (text.empty()) {
            return {};
        }
        if (kind == Kind::Table || kind == Kind::Lines) {
            return kind == Kind::Table ? tableOf(text) : Json{{"lines", linesOf(text)}};
        }
        if (const std::string problem = loadline::test::jsonProblem(text); !problem.empty()) {
            QTest::qFail(problem.c_str(), __FILE__, __LINE__);
            return {};
        }
        Json document = Json::parse(text);
        if (kind == Kind::Document && (!document.is_object() || document.begin().key() != "schema")) {
            QTest::qFail("the first key is not \"schema\"", __FILE__, __LINE__);
        }
        return document;
    }

    /// Null where there is none.
    static Json pictureOf(const QString& path) {
        const QImage image(path);
        if (image.isNull()) {
            return {};
        }
        return {{"width", image.width()},
                {"height", image.height()},
                {"corner", image.pixelColor(0, 0).name().toStdString()}};
    }

    QTemporaryDir scratch_;
};

} // namespace golden
