// Ctrl-C: the first asks the program to stop, the second ends it, and no half-written file is left.
#include "app/cli/terminal/interruption.h"

#include "core/base/file/write_file.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

using namespace loadline;
using namespace loadline::app;

namespace {

/// In a child: begins a file, tells so, and is stuck; tells when it was asked to stop.
[[noreturn]] void beStuck(const std::string& path, int tell) {
    const auto say = [tell](char what) { return ::write(tell, &what, 1) == 1; };
    const Interruption interruption;
    const std::stop_callback asked(interruption.token(), [&] { say('s'); });
    NewFile file(path);
    file.append("half");
    say('b');
    for (;;) {
        ::pause();
    }
}

char heardFrom(int descriptor) {
    char what = 0;
    return ::read(descriptor, &what, 1) == 1 ? what : '-';
}

} // namespace

class InterruptionTest : public QObject {
    Q_OBJECT

private slots:

    void theSecondOneEndsTheProgramAndLeavesNoPart_data() {
        QTest::addColumn<int>("number");
        QTest::newRow("Ctrl-C") << SIGINT;
        QTest::newRow("kill") << SIGTERM;
        QTest::newRow("the terminal is closed") << SIGHUP;
    }

    void theSecondOneEndsTheProgramAndLeavesNoPart() {
        QFETCH(int, number);
        const QTemporaryDir folder;
        const std::string path = folder.filePath("out.csv").toStdString();
        std::array<int, 2> ends{};
        QCOMPARE(::pipe(ends.data()), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            ::signal(SIGHUP, SIG_DFL); // whoever runs the tests may not want it
            beStuck(path, ends[1]);
        }
        ::close(ends[1]);
        QCOMPARE(heardFrom(ends[0]), 'b');
        QCOMPARE(QDir(folder.path()).entryList({"*.part"}).size(), 1);
        ::kill(child, number);
        QCOMPARE(heardFrom(ends[0]), 's');
        ::kill(child, number);
        int status = 0;
        QCOMPARE(::waitpid(child, &status, 0), child);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == number);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList());
        ::close(ends[0]);
    }

    void anotherOneOnlyAsksAgain() {
        const Interruption interruption;
        ::raise(SIGINT);
        ::raise(SIGTERM); // the terminal told everyone, and then the parent did
        QVERIFY(QTest::qWaitFor([&] { return interruption.token().stop_requested(); }, 60'000));
        QCOMPARE(interruption.exitStatus().value_or(0), 128 + SIGTERM);
    }
};

QTEST_MAIN(InterruptionTest)
#include "interruption_test.moc"
