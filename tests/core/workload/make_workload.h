// Workloads made by hand for tests.
#pragma once

#include "core/workload/source/workload.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace loadline::test {

/// One session "a" (with its sub-agent) and one "b".
inline Workload twoConversations() {
    auto made = workloadOfTurns(
        {{.id = "a",
          .turns = {{.input = 100, .output = 10}, {.context = 110, .input = 20, .output = 0, .gapS = 2.5}},
          .conversation = "a"},
         {.id = "a agent", .turns = {{.input = 7, .output = 3}}, .conversation = "a"},
         {.id = "b", .turns = {{.input = 0, .output = 5}}}},
        "two", "Two conversations", "made up");
    EXPECT_TRUE(made) << (made ? "" : made.error().sentence());
    return std::move(made.value());
}

inline Workload tracedEvery(double seconds, std::size_t requests) {
    std::vector<TraceRequest> all(requests);
    for (std::size_t i = 0; i < requests; ++i) {
        const auto n = static_cast<Tokens>(i);
        all[i] = {.arrivalS = 50 + seconds * static_cast<double>(i), .input = 1000 + n, .output = 1 + n};
    }
    auto made = workloadOfTrace(std::move(all), "even", "Even trace", "made up");
    EXPECT_TRUE(made) << (made ? "" : made.error().sentence());
    return std::move(made.value());
}

} // namespace loadline::test
