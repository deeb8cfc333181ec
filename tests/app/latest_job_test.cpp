// LatestJob: the newest request alone is delivered, stops are seen, nothing comes after destruction.
#include "app/job/latest_job.h"

#include <QSignalSpy>
#include <QTest>

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>

using loadline::Error;
using loadline::app::LatestJob;

namespace {

/// Work that takes up to a second unless it is stopped; counts how it ended.
struct Counts {
    std::atomic<int> begun = 0, stopped = 0, completed = 0;
};

int slowly(std::stop_token stop, int value, Counts& counts, int milliseconds = 1000) {
    ++counts.begun;
    for (int i = 0; i < milliseconds; ++i) {
        if (stop.stop_requested()) {
            ++counts.stopped;
            return -1;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ++counts.completed;
    return value;
}

} // namespace

class LatestJobTest : public QObject {
    Q_OBJECT
private slots:

    void deliversOnlyTheLastOf200Requests() {
        LatestJob job;
        Counts counts;
        std::vector<int> delivered;
        for (int i = 1; i <= 200; ++i) {
            job.start(
                this, [i, &counts](std::stop_token stop) { return slowly(stop, i, counts, 20); },
                [&](int value) { delivered.push_back(value); });
        }
        QVERIFY(job.isRunning());
        QTRY_VERIFY(!job.isRunning());
        QTest::qWait(50);
        QCOMPARE(delivered, std::vector<int>{200});
        QCOMPARE(counts.completed.load(), 1);
        QCOMPARE(counts.begun.load(), counts.stopped.load() + 1);
    }

    void deliversOnTheOwnersThread() {
        LatestJob job;
        std::thread::id worker, receiver;
        job.start(
            this,
            [&](std::stop_token) {
                worker = std::this_thread::get_id();
                return std::make_unique<int>(7); // movable is enough
            },
            [&](std::unique_ptr<int> value) {
                receiver = std::this_thread::get_id();
                QCOMPARE(*value, 7);
            });
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(receiver, std::this_thread::get_id());
        QVERIFY(worker != receiver);
    }

    void deliversNothingAfterDestruction() {
        Counts counts;
        int delivered = 0;
        {
            LatestJob job;
            job.start(
                this, [&](std::stop_token stop) { return slowly(stop, 1, counts); },
                [&](int) { ++delivered; });
            QTRY_COMPARE(counts.begun.load(), 1);
        } // asks it to stop and waits
        QCOMPARE(counts.stopped.load(), 1);
        {
            LatestJob job;
            std::atomic<bool> done = false;
            job.start(
                this, [&](std::stop_token) { return done = true; }, [&](bool) { ++delivered; });
            while (!done) {
                std::this_thread::yield(); // done, but its delivery still waits in the event queue
            }
        }
        QTest::qWait(20);
        QCOMPARE(delivered, 0);
    }

    void deliversNothingToADeadReceiver() {
        LatestJob job;
        int delivered = 0;
        auto receiver = std::make_unique<QObject>();
        job.start(
            receiver.get(), [](std::stop_token) { return 1; }, [&](int) { ++delivered; });
        receiver.reset();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(delivered, 0);
    }

    void stopDropsTheResultAndLeavesTheJobUsable() {
        LatestJob job;
        Counts counts;
        int delivered = 0;
        job.start(
            this, [&](std::stop_token stop) { return slowly(stop, 1, counts); }, [&](int) { ++delivered; });
        QTRY_COMPARE(counts.begun.load(), 1);
        job.stop();
        QVERIFY(!job.isRunning());
        QTRY_COMPARE(counts.stopped.load(), 1);
        job.start(
            this, [](std::stop_token) { return 2; }, [&](int value) { delivered += value; });
        QTRY_COMPARE(delivered, 2);
    }

    void aThrowingJobIsReportedNotSwallowed() {
        LatestJob job;
        std::optional<Error> error;
        job.onFailure([&](const Error& e) { error = e; });
        job.start(
            this, [](std::stop_token) -> int { throw std::runtime_error("no memory"); },
            [](int) { QFAIL("delivered"); });
        QTRY_VERIFY(error.has_value());
        QVERIFY(error->what.find("no memory") != std::string::npos);
        QVERIFY(!job.isRunning());
    }
};

QTEST_MAIN(LatestJobTest)
#include "latest_job_test.moc"
