// Many QtTest files in one program: QTEST_MAIN makes each an entry of its own, with its own application
// object.
#pragma once

#include <QApplication>
#include <QTest>

namespace loadline::test {

using TestMain = int (*)(int argc, char** argv);

/// Known to main() under the file's name without its ending.
struct TestFile {
    TestFile(const char* file, TestMain run);
};

template <typename Application, typename Test>
int runTest(int argc, char** argv) {
    Application application(argc, argv);
    application.setAttribute(Qt::AA_Use96Dpi, true);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace loadline::test

#undef QTEST_MAIN
#undef QTEST_GUILESS_MAIN
#define LOADLINE_JOINED(a, b) a##b
#define LOADLINE_TEST_FILE(Application, Test, Number)                                                        \
    namespace {                                                                                              \
    const loadline::test::TestFile                                                                           \
        LOADLINE_JOINED(testFile, Number)(__FILE__, loadline::test::runTest<Application, Test>);             \
    }
#define QTEST_MAIN(Test) LOADLINE_TEST_FILE(QApplication, Test, __COUNTER__)
#define QTEST_GUILESS_MAIN(Test) LOADLINE_TEST_FILE(QCoreApplication, Test, __COUNTER__)
