// The runner of studies: preview, refined, view fields, stop, problems.
#include "app/study/study_runner.h"

#include <QSignalSpy>
#include <QTest>

#include <array>
#include <atomic>
#include <chrono>
#include <string>
#include <thread>

namespace loadline::app {
namespace {

struct RunQuestion {
    std::int64_t users = 1;
    std::int64_t shown = 0; ///< only view
    bool operator==(const RunQuestion&) const = default;
};

struct RunAnswer {
    std::int64_t users = 0;
    ask::Stage stage = ask::Stage::Preview;
};

std::atomic<int> computed = 0;

ask::Fields runFields() {
    static const std::array rows = {ask::Field{.key = "users",
                                               .access = ask::bound<&RunQuestion::users>(),
                                               .words = {"users"},
                                               .range = {1, 100}},
                                    ask::Field{.key = "shown",
                                               .access = ask::bound<&RunQuestion::shown>(),
                                               .words = {"shown"},
                                               .range = {0, 100},
                                               .traits = {.onlyView = true}}};
    return rows;
}

/// 13 users have no answer; refining 50 lasts until it is stopped.
Result<RunAnswer> computeRun(const RunQuestion& question, const ask::Sources& /*sources*/,
                             const ask::Run& run) {
    ++computed;
    if (question.users == 13) {
        return Error{"there is no answer for 13 users", "", "another number"};
    }
    while (question.users == 50 && run.stage == ask::Stage::Refined && !run.stop.stop_requested()) {
        run.partial(std::make_shared<const RunAnswer>(RunAnswer{49, ask::Stage::Preview}));
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return RunAnswer{question.users, run.stage};
}

ask::Report describeRun(const RunAnswer& answer, const RunQuestion& question) {
    ask::Report report;
    report.headline = std::to_string(answer.users) + " users, row " + std::to_string(question.shown);
    return report;
}

const ask::Study runStudy = [] {
    ask::Study words{.key = "made", .title = "Made up"};
    words.hasPreview = true;
    return ask::studyOf<RunQuestion, RunAnswer, runFields, computeRun, describeRun>(words);
}();

StudyKey keyOf(std::int64_t users, std::int64_t shown = 0) {
    return {&runStudy, ask::Question::of(RunQuestion{users, shown}), {}};
}

} // namespace

class StudyRunnerTest : public QObject {
    Q_OBJECT

private slots:
    void init() { computed = 0; }

    void aPreviewComesFirstAndIsRefinedAtRest() {
        StudyRunner runner;
        QSignalSpy answers(&runner, &StudyRunner::answered);
        runner.ask(keyOf(8));
        QTRY_VERIFY(runner.isSettled());
        QCOMPARE(answers.count(), 2);
        QVERIFY(answers[0][0].value<StudyAnswer>()->stage == ask::Stage::Preview);
        QVERIFY(runner.shown()->stage == ask::Stage::Refined);
        QCOMPARE(runner.shown()->report->headline, std::string("8 users, row 0"));
        runner.ask(keyOf(8));
        QVERIFY(runner.isSettled());
        QCOMPARE(computed.load(), 2);
    }

    void whatOnlyTheViewChangesIsNotComputedAnew() {
        StudyRunner runner;
        runner.ask(keyOf(8));
        QTRY_VERIFY(runner.isSettled());
        runner.ask(keyOf(8, 5));
        QCOMPARE(runner.shown()->report->headline, std::string("8 users, row 5"));
        QVERIFY(runner.isSettled());
        QCOMPARE(computed.load(), 2);
    }

    void theNewestQuestionWins() {
        StudyRunner runner;
        for (std::int64_t users = 1; users <= 12; ++users) {
            runner.ask(keyOf(users));
        }
        QTRY_VERIFY(runner.isSettled());
        QVERIFY(runner.shown()->stage == ask::Stage::Refined);
        QCOMPARE(runner.shown()->report->headline, std::string("12 users, row 0"));
        QVERIFY2(computed < 12, "questions that nobody waits for are left out");
    }

    void aProblemIsAReport() {
        StudyRunner runner;
        runner.ask(keyOf(13));
        QTRY_VERIFY(runner.isSettled());
        QVERIFY(runner.shown()->report->problem);
        runner.ask(keyOf(14));
        QTRY_VERIFY(runner.isSettled());
        QVERIFY(!runner.shown()->report->problem);
    }

    void partialAnswersAreShownUntilItIsStopped() {
        StudyRunner runner;
        runner.ask(keyOf(50));
        QTRY_VERIFY(runner.shown() && runner.shown()->isPartial);
        QCOMPARE(runner.shown()->report->headline, std::string("49 users, row 0"));
        QVERIFY(!runner.isSettled());
        runner.stop();
        QVERIFY(runner.isStopped() && runner.isSettled());
        runner.ask(keyOf(7));
        QTRY_VERIFY(runner.isSettled() && runner.shown()->stage == ask::Stage::Refined);
        QVERIFY(!runner.isStopped());
        QCOMPARE(runner.shown()->report->headline, std::string("7 users, row 0"));
    }
};

} // namespace loadline::app

using loadline::app::StudyRunnerTest;
QTEST_MAIN(StudyRunnerTest)
#include "study_runner_test.moc"
