// BenchJob: success, cancel, crash, hang and a program that is not there; the points are always kept.
#include "app/kernels/bench_job.h"

#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"

#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <set>
#include <tuple>

namespace loadline::app {
namespace {

constexpr int patience = 20'000;

BenchRequest madeUpRequest() {
    BenchRequest request;
    request.device = "made-up";
    request.kBits = {4};
    request.preset = "quick";
    return request;
}

} // namespace

class BenchJobTest : public QObject {
    Q_OBJECT

private slots:
    void init() { qunsetenv("LOADLINE_MADE_UP"); }

    void aRunTellsItsEventsAndEndsComplete() {
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        // A point is told again once runs were compared: the newer replaces the older.
        std::set<std::tuple<Kernel, GemmSize, int, int, std::int64_t>> points;
        bool sawPlan = false;
        bool consistent = true;
        connect(&job, &BenchJob::reported, this, [&](const BenchEvent& event) {
            sawPlan = sawPlan || std::holds_alternative<BenchPlan>(event);
            if (const auto* told = std::get_if<BenchPoint>(&event)) {
                const ProfilePoint& point = told->point;
                points.emplace(point.kernel, point.size, point.experts, point.kBits, point.rowsM);
            }
            consistent = consistent && job.run().points.size() <= points.size() && job.isRunning();
        });
        QSignalSpy ended(&job, &BenchJob::ended);
        BenchRequest request = madeUpRequest();
        request.out = folder_.filePath("out.json").toStdString();
        job.start(request);
        QVERIFY(job.isRunning());
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Complete);
        QVERIFY(!job.isRunning());
        QVERIFY(job.why().isEmpty());
        QVERIFY(sawPlan);
        QVERIFY(consistent);
        QVERIFY(!points.empty());
        QCOMPARE(job.run().points.size(), points.size());
        QVERIFY(job.run().done);
        QCOMPARE(job.run().profile.points.size(), job.run().points.size());
        QCOMPARE(QString::fromStdString(job.run().path), folder_.filePath("out.json"));
        QVERIFY(QFileInfo::exists(folder_.filePath("out.json")));
        QCOMPARE(ended.size(), 1);
    }

    void cancelKeepsThePoints() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=2");
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.start(madeUpRequest());
        QTRY_VERIFY_WITH_TIMEOUT(job.run().points.size() >= 5, patience);
        job.cancel();
        job.cancel(); // twice is once
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Cancelled);
        keptThePoints(job.run());
        QVERIFY(job.run().done); // the child ended by itself, in order
        QCOMPARE(ended.size(), 1);
    }

    void aCrashKeepsThePoints() {
        qputenv("LOADLINE_MADE_UP", "crash_at=300");
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.start(madeUpRequest());
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Crashed);
        QVERIFY(job.why().contains("crashed"));
        QVERIFY(!job.run().done);
        keptThePoints(job.run());
        qunsetenv("LOADLINE_MADE_UP"); // and the next run is as good as any
        job.start(madeUpRequest());
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Complete);
    }

    void aHangIsEndedAndKeepsThePoints() {
        qputenv("LOADLINE_MADE_UP", "hang_at=300");
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        job.setSilenceLimit(std::chrono::milliseconds(700));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.start(madeUpRequest());
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Hung);
        QVERIFY(job.why().contains("0.7 s"));
        keptThePoints(job.run());
    }

    void cancellingAHangKillsAfterTheGraceTime() {
        qputenv("LOADLINE_MADE_UP", "hang_at=300");
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        job.setGraceTime(std::chrono::milliseconds(300));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.start(madeUpRequest());
        QTRY_VERIFY_WITH_TIMEOUT(job.run().points.size() >= 5, patience);
        job.cancel();
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Cancelled);
        keptThePoints(job.run());
    }

    void aDeviceThatFailsSaysWhy() {
        qputenv("LOADLINE_MADE_UP", "error_at=300");
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.start(madeUpRequest());
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Failed);
        QVERIFY(job.why().contains("illegal memory access"));
        keptThePoints(job.run());
    }

    void whatCannotBeginSaysWhy() {
        BenchJob job;
        QSignalSpy ended(&job, &BenchJob::ended);
        job.setProgram(QStringLiteral("/nowhere/loadline"));
        job.start(madeUpRequest());
        QVERIFY(!ended.isEmpty() || ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Failed);
        QVERIFY(job.why().contains("cannot be started"));

        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        BenchRequest request = madeUpRequest();
        request.device = "npu:0";
        job.start(request);
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Failed);
        QVERIFY(job.why().contains("npu:0"));

        request.preset = "slow"; // wrong usage: said on standard error alone
        job.start(request);
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Failed);
        QVERIFY(!job.why().isEmpty());
    }

    void listsTheDevices() {
        BenchJob job;
        job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
        QSignalSpy ended(&job, &BenchJob::ended);
        job.listDevices();
        QVERIFY(ended.wait(patience));
        QCOMPARE(job.end(), BenchEnd::Complete);
        QCOMPARE(QString::fromStdString(job.run().devices.front().key), QString("host"));
    }

    void nothingIsToldAfterItIsGone() {
        qputenv("LOADLINE_MADE_UP", "pace_ms=5");
        int told = 0;
        {
            BenchJob job;
            job.setProgram(QStringLiteral(LOADLINE_EXECUTABLE));
            connect(&job, &BenchJob::reported, this, [&] { ++told; });
            connect(&job, &BenchJob::ended, this, [&] { told += 1000; });
            job.start(madeUpRequest());
            QTRY_VERIFY_WITH_TIMEOUT(told > 3, patience);
        }
        const int before = told;
        QTest::qWait(100);
        QCOMPARE(told, before);
    }

private:
    static void keptThePoints(const BenchRun& run) {
        QVERIFY(run.points.size() >= 5);
        QVERIFY(run.points.size() < run.plan.points);
        QCOMPARE(run.profile.points.size(), run.points.size());
        QVERIFY(!cutOf(run.profile).empty());
        const Result<Profile> read = profileFromJson(toJson(run.profile), "kept");
        QVERIFY(read.hasValue());
        QVERIFY(*read == run.profile);
        QVERIFY(run.profile.source == madeUpSource);
    }

    QTemporaryDir folder_;
};

} // namespace loadline::app

QTEST_GUILESS_MAIN(loadline::app::BenchJobTest)
#include "bench_job_test.moc"
