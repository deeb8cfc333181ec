// Lines of memory that runs out and of devices that fail are events; requests that fail are counted.
#include "core/serverlog/files/server_log_reader.h"
#include "tests/core/serverlog/made_up_statistics.h"

#include <array>

namespace loadline {
namespace {

using test::findingOn;
using test::headlineOn;
using test::says;
using test::vllmLines;
using test::VllmStats;

std::string lines() {
    return vllmLines(8, [](int) { return VllmStats{.output = 700, .running = 32}; });
}

TEST(FailureLines, AreSeenWhateverFailed) {
    static constexpr std::array failures = {
        "CUDA error: out of memory",
        "HIP out of memory. Tried to allocate 2.00 GiB.",
        "ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`.",
        "ValueError: (16.00 GiB KV cache is needed, which is larger than the available KV cache memory",
        "torch.AcceleratorError: CUDA error: an illegal memory access was encountered",
        "RuntimeError: NCCL error: unhandled system error",
        "Mar 14 22:02:00 host kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.",
        "time=2026-03-14T22:02:00.000Z level=WARN source=server.go:800 msg=\"model request too large for "
        "system\"",
        "srv  update_slots: failed to find free space in the KV cache, retrying with smaller batch size"};
    for (const char* failure : failures) {
        const Finding finding = findingOn(lines() + failure + "\n", "failures");
        EXPECT_EQ(finding.verdict, Verdict::Supported) << failure;
        EXPECT_EQ(finding.evidence, (std::vector<LogLine>{{0, 9}})) << failure;
    }
}

TEST(FailureLines, ATracebackIsNamedByItsError) {
    const std::string text =
        lines() + "[2026-03-14 04:59:02] Scheduler hit an exception: Traceback (most recent call last):\n"
                  "  File \"scheduler.py\", line 2000, in run\n"
                  "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.\n";
    const Finding finding = findingOn(text, "failures");
    EXPECT_TRUE(says(finding.reason, "failed once, first on line 9: \"OutOfMemoryError")) << finding.reason;
}

TEST(FailureLines, RequestsThatFailAreCountedByStatus) {
    std::string text;
    for (int i = 0; i < 8; ++i) {
        static constexpr std::array statuses = {200, 503, 500, 499};
        text += fmt::format("[GIN] 2026/03/14 - 22:{:02}:00 | {} | 12.500000s |       127.0.0.1 | POST     "
                            "\"/api/chat\"\n",
                            i, statuses[static_cast<std::size_t>(i) % 4]);
    }
    const Finding finding = findingOn(text, "failed_requests");
    EXPECT_EQ(finding.verdict, Verdict::Supported);
    EXPECT_EQ(finding.reason, "Of 8 requests, 4 failed (500: 2, 503: 2), 2 were given up by the client.");
    EXPECT_TRUE(says(headlineOn(text), finding.reason)) << headlineOn(text);
    EXPECT_EQ(serverLogOf(text).requests[1].status, 503);
    std::string good;
    for (int i = 0; i < 30; ++i) {
        good += fmt::format("INFO:     127.0.0.1:4000{} - \"POST /v1/chat/completions HTTP/1.1\" 200 OK\n",
                            i % 10);
    }
    EXPECT_EQ(findingOn(lines() + good, "failed_requests").verdict, Verdict::Excluded);
    const std::string one =
        lines() + good + "INFO:     127.0.0.1:40001 - \"POST /v1/chat/completions HTTP/1.1\" 500 X\n";
    EXPECT_EQ(findingOn(one, "failed_requests").verdict, Verdict::Supported);
    EXPECT_FALSE(says(headlineOn(one), "failed")) << headlineOn(one) << ": one of 31 is no headline";
}

TEST(FailureLines, ARequestThatDoesNotFitIsRefused) {
    const std::string text =
        lines() + "slot update_slots: id  0 | task 0 | request (9000 tokens) exceeds the available "
                  "context size (8192 tokens), try increasing it\n";
    EXPECT_TRUE(says(findingOn(text, "failed_requests").reason, "1 was refused, larger than the context"))
        << findingOn(text, "failed_requests").reason;
}

} // namespace
} // namespace loadline
