// --version as a process: which build it is, where the CUDA plugin is looked for, and trees without git.
#include "tests/app/cli/cli_process.h"

#include <QDir>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

namespace loadline::app {
namespace {

QByteArray outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    return process.waitForFinished(60'000) && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                      : QByteArray();
}

bool writeText(const QString& path, const QByteArray& text) {
    QFile file(path);
    return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
           file.write(text) == text.size();
}

} // namespace

class CliVersionTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhichBuildItIs() {
        const Ended ended = runLoadline({"--version"});
        QCOMPARE(ended.status, 0);
        const QList<QByteArray> lines = ended.out.split('\n');
        const QStringList forms = {
            "^loadline \\d+\\.\\d+\\.\\d+$",
            "^commit        ([0-9a-f]{12}(-changed)?, \\d{4}-\\d\\d-\\d\\d|not known)$",
            "^Qt            " + QRegularExpression::escape(qVersion()) +
                ", compiled with " QT_VERSION_STR "$",
            "^build         \\w+( \\w+)?, \\w+ .+$",
            "^CUDA kernels  (CUDA \\d+\\.\\d+.*, sm .*libloadline_cuda\\.so\\)|none: .+)$",
            "^$"};
        QCOMPARE(lines.size(), forms.size());
        for (qsizetype i = 0; i < forms.size(); ++i) {
            QVERIFY2(QRegularExpression(forms[i]).match(lines[i]).hasMatch(), lines[i]);
        }
    }

    void findsThePluginOfAnInstallation() {
        const QTemporaryDir prefix;
        const QString program = prefix.filePath("bin/loadline");
        QVERIFY(QDir().mkpath(prefix.filePath("bin")));
        QVERIFY(QFile::copy(QStringLiteral(LOADLINE_EXECUTABLE), program));
        QVERIFY(outputOf(program, {"--version"}).contains("none: this build has no CUDA plugin"));

        for (const char* folder : {"lib", "lib64", "lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu"}) {
            QVERIFY(writeText(prefix.filePath(QString(folder) + "/loadline/plugins/libloadline_cuda.so"),
                              "no library"));
        }
        const QByteArray installed = outputOf(program, {"--version"});
        QVERIFY2(installed.contains("none: cannot open the CUDA plugin"), installed);
        QVERIFY2(installed.contains(prefix.filePath("lib").toUtf8()), installed);
        QVERIFY2(outputOf(program, {"bench", "--list"}).contains("cannot open the CUDA plugin"), installed);

        QVERIFY(writeText(prefix.filePath("bin/libloadline_cuda.so"), "no library")); // goes before that
        const QByteArray beside = outputOf(program, {"--version"});
        QVERIFY2(beside.contains(prefix.filePath("bin/libloadline_cuda.so").toUtf8()), beside);
    }

    /// The folder lies inside a repository, which is another one's.
    void aTreeWithoutGitHasNoRevision() {
        const QString cmake = QStandardPaths::findExecutable("cmake");
        if (cmake.isEmpty()) {
            QSKIP("CMake is not there");
        }
        const QString script = QStringLiteral(LOADLINE_TEST_DATA "/../../app/revision.cmake");
        const QTemporaryDir tree(QDir::currentPath() + "/tree-XXXXXX");
        const QString header = tree.filePath("revision.h");
        QProcess process;
        process.start(
            cmake, {"-DSOURCE=" + tree.path(), "-DHEADER=" + header, "-DBUILD_TYPE=Release", "-P", script});
        QVERIFY(process.waitForFinished(60'000));
        QCOMPARE(process.exitCode(), 0);
        QFile file(header);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("#define LOADLINE_REVISION \"\"\n"
                                            "#define LOADLINE_REVISION_DATE \"\"\n"
                                            "#define LOADLINE_BUILD_TYPE \"Release\"\n"));
    }
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::CliVersionTest)
#include "cli_version_test.moc"
