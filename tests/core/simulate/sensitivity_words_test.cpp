// Which gain the headline of "What pays" names, and at what price.
#include "core/simulate/study/sensitivity_words.h"

#include "core/simulate/study/sensitivity.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

namespace loadline {
namespace {

TEST(WhatPaysWords, AGainIsToldWithItsPrice) {
    ChoiceLatency latency{.ttftP50S = 0.041, .tpotP99S = 0.161};
    EXPECT_EQ(priceOf(latency), "") << "the present value is best";
    latency.bestTtftP50S = 0.0412;
    latency.bestTpotP99S = 0.215;
    EXPECT_EQ(priceOf(latency), "TPOT p99 215 ms instead of 161 ms");
    latency.bestTtftP50S = 0.06;
    EXPECT_EQ(priceOf(latency), "TTFT p50 60 ms instead of 41 ms, TPOT p99 215 ms instead of 161 ms");
    WhatPays pays;
    pays.kernels.emplace_back();
    OtherPay budget{PayKind::Budget, "16 384 instead of 2 048", 0, {{1, std::nullopt, 1.2, std::nullopt}}};
    budget.latency = latency;
    pays.others = {budget};
    EXPECT_NE(
        whatPaysSentence(pays).find("with 16 384 instead of 2 048 (TTFT p50 60 ms instead of 41 ms, TPOT p99 "
                                    "215 ms instead of 161 ms), the same turns take"),
        std::string::npos)
        << whatPaysSentence(pays);
}

TEST(WhatPaysWords, AGainThatChanceExplainsDoesNotPayMost) {
    WhatPays pays;
    KernelPay& mma = pays.kernels.emplace_back();
    mma.kernel = Kernel::Mma;
    mma.improvements.resize(3);
    mma.improvements[1].speedUp = 1.03;
    OtherPay budget{PayKind::Budget, "8 192 instead of 2 048", 0, {{1, std::nullopt, 1.04, std::nullopt}}};
    budget.improvements[0].saved = Banded{0.038, -0.033, 0.097};
    pays.others = {budget};
    EXPECT_NE(whatPaysSentence(pays).find("MMA pays most"), std::string::npos) << whatPaysSentence(pays);
    pays.others[0].improvements[0].saved->low = 0.01;
    EXPECT_NE(whatPaysSentence(pays).find("the token budget pays most"), std::string::npos)
        << whatPaysSentence(pays);
    pays.kernels[0].improvements.clear();
    pays.others[0].improvements[0].saved->low = -0.033;
    EXPECT_NE(whatPaysSentence(pays).find("-3.3"), std::string::npos)
        << "alone, with its band: " << whatPaysSentence(pays);
}

} // namespace
} // namespace loadline
