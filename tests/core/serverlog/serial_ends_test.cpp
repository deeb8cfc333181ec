// Access lines: ends that are never close tell a server that serves one at a time.
#include "tests/core/serverlog/made_up_statistics.h"

#include <random>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;

std::string access(double endS, double tookS) {
    const int second = static_cast<int>(endS);
    return fmt::format("[GIN] 2026/03/11 - {:02}:{:02}:{:02} | 200 | {:.3f}s | 127.0.0.1 | POST     "
                       "\"/api/chat\"\n",
                       12 + second / 3600, second / 60 % 60, second % 60, tookS);
}

/// A request each eight seconds, answered in 6 to 12 s one after the other.
std::string serialLog() {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> service(6, 12);
    std::string text;
    double freeS = 0;
    for (int i = 0; i < 40; ++i) {
        const double arrivalS = 8.0 * i;
        freeS = std::max(freeS, arrivalS) + service(random);
        text += access(freeS, freeS - arrivalS);
    }
    return text;
}

TEST(SerialEnds, OneAtATimeIsToldByEndsThatAreNeverClose) {
    const std::string text = serialLog();
    EXPECT_EQ(findingOn(text, "concurrent_requests").verdict, Verdict::Excluded)
        << findingOn(text, "concurrent_requests").reason;
    const Finding queue = findingOn(text, "queueing");
    EXPECT_EQ(queue.verdict, Verdict::Supported) << queue.reason;
    EXPECT_TRUE(says(queue.reason, "requests waited for the one before: served one at a time"))
        << queue.reason;
    EXPECT_TRUE(says(headlineOn(text), "waited for the one before")) << headlineOn(text);
}

TEST(SerialEnds, OnesThatFailTellNoBatch) {
    std::string text = serialLog();
    const std::size_t end = text.find('\n', text.size() / 2) + 1;
    for (const char* const status : {"500", "503"}) { // in the second of one that is complete
        std::string failed = text.substr(text.rfind('\n', end - 2) + 1, end - text.rfind('\n', end - 2) - 1);
        failed.replace(failed.find("| 200 |"), 7, std::string("| ") + status + " |");
        text.insert(end, failed);
    }
    EXPECT_EQ(findingOn(text, "concurrent_requests").verdict, Verdict::Excluded)
        << findingOn(text, "concurrent_requests").reason;
}

TEST(SerialEnds, RequestsThatShareStepsEndAtAnyTime) {
    std::mt19937 random(6);
    std::uniform_real_distribution<double> service(10, 40);
    std::vector<std::pair<double, double>> ends;
    for (int i = 0; i < 60; ++i) {
        const double took = service(random);
        ends.emplace_back(8.0 * i + took, took);
    }
    std::ranges::sort(ends);
    std::string text;
    for (const auto& [endS, tookS] : ends) {
        text += access(endS, tookS);
    }
    EXPECT_NE(findingOn(text, "concurrent_requests").verdict, Verdict::Excluded);
    EXPECT_EQ(findingOn(text, "queueing").verdict, Verdict::NotExcluded);
}

TEST(SerialEnds, ABlockedQueueIsInTheHeadline) {
    const std::string text =
        test::vllmLines(60, [](int) { return test::VllmStats{.output = 5.4, .waiting = 14, .kv = 76.5}; });
    EXPECT_TRUE(says(headlineOn(text), "14 requests wait for 9 min 50 s, and none is admitted."))
        << headlineOn(text);
}

} // namespace
} // namespace loadline
