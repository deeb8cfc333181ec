// The emulation itself: it must catch the mistakes it is there to catch.
#include "tests/gpu/emulate/emulated_lane.h"

#include <gtest/gtest.h>

#include <vector>

namespace loadline::gpu::emulate {
namespace {

std::size_t indexOf(int i) {
    return static_cast<std::size_t>(i);
}

/// Each thread stores its number and reads its neighbour's.
std::vector<int> neighbours(bool withBarrier, Order order) {
    std::vector<int> got(64, -2);
    EXPECT_EQ(runLaunch({{1, 1, 1}, 64, 256, order},
                        [&](const EmulatedLane& lane) {
                            lane.storeShared(static_cast<std::uint32_t>(lane.thread() * 4), lane.thread());
                            if (withBarrier) {
                                lane.sync();
                            }
                            const int next = (lane.thread() + 1) % 64;
                            got[static_cast<std::size_t>(lane.thread())] =
                                lane.loadShared<int>(static_cast<std::uint32_t>(next * 4));
                        }),
              "");
    return got;
}

TEST(EmulatedLane, ShowsAMissingBarrier) {
    const std::vector<int> right = neighbours(true, Order::Rising);
    EXPECT_EQ(neighbours(true, Order::Falling), right);
    EXPECT_NE(neighbours(false, Order::Rising), right);
    EXPECT_NE(neighbours(false, Order::Falling), right);
}

TEST(EmulatedLane, ShowsACopyThatWasNotWaitedFor) {
    alignas(16) std::uint32_t from[4] = {1, 2, 3, 4};
    std::uint32_t early = 0;
    std::uint32_t late = 0;
    const auto kernel = [&](const EmulatedLane& lane) {
        if (lane.thread() == 0) {
            lane.copyAsync(0, from, true);
            lane.commitCopies();
            lane.commitCopies();
            lane.waitCopies<2>();
            early = lane.loadShared<std::uint32_t>(4);
            lane.waitCopies<1>();
            late = lane.loadShared<std::uint32_t>(4);
        }
    };
    EXPECT_EQ(runLaunch({{1, 1, 1}, 32, 16, Order::Rising}, kernel), "");
    EXPECT_EQ(early, 0xffffffffU);
    EXPECT_EQ(late, 2U);
}

/// Blocks count themselves; each then takes what the block before it left.
TEST(EmulatedLane, ShowsAnOrderOfBlocksThatNobodyPromised) {
    const auto chained = [](Order order, unsigned seed) {
        std::vector<int> left(9, 0);
        left[0] = 1;
        EXPECT_EQ(runLaunch({{8, 1, 1}, 32, 16, order, seed},
                            [&](const EmulatedLane& lane) {
                                if (lane.thread() == 0) {
                                    left[indexOf(lane.blockX() + 1)] = left[indexOf(lane.blockX())];
                                }
                            }),
                  "");
        return left[8];
    };
    EXPECT_EQ(chained(Order::Rising, 1), 1);
    int seen = 0;
    for (unsigned seed = 1; seed <= 5; ++seed) {
        seen += chained(Order::Mixed, seed);
    }
    EXPECT_LT(seen, 5);
}

/// Two threads that read, and add later, lose a count only when blocks interleave.
TEST(EmulatedLane, InterleavesBlocks) {
    const auto lost = [](Order order, unsigned seed) {
        unsigned count = 0;
        unsigned other = 0;
        EXPECT_EQ(runLaunch({{8, 1, 1}, 32, 16, order, seed},
                            [&](const EmulatedLane& lane) {
                                if (lane.thread() == 0) {
                                    const unsigned read = count;
                                    lane.addAtomic(&other, 1U);
                                    count = read + 1;
                                }
                            }),
                  "");
        EXPECT_EQ(other, 8U);
        return count < 8;
    };
    EXPECT_FALSE(lost(Order::Rising, 1));
    EXPECT_FALSE(lost(Order::Falling, 1));
    EXPECT_TRUE(lost(Order::Mixed, 1));
}

TEST(EmulatedLane, ReportsABarrierThatSomeNeverReach) {
    for (const Order order : {Order::Rising, Order::Mixed}) {
        const std::string broken = runLaunch({{1, 1, 1}, 64, 16, order}, [](const EmulatedLane& lane) {
            if (lane.thread() != 3) {
                lane.sync();
            }
        });
        EXPECT_NE(broken.find("wait for ever"), std::string::npos) << broken;
    }
}

TEST(EmulatedLane, ReportsLanesInDifferentExchanges) {
    const std::string broken = runLaunch({{1, 1, 1}, 32, 16, Order::Rising}, [](const EmulatedLane& lane) {
        if (lane.thread() == 0) {
            lane.shuffle(1.0F, 0);
        } else {
            lane.shuffleXor(1.0F, 1);
        }
    });
    EXPECT_NE(broken.find("different exchanges"), std::string::npos) << broken;
}

TEST(EmulatedLane, ReportsSharedMemoryOutOfBoundsAndMisaligned) {
    const auto storing = [](std::uint32_t offset) {
        return runLaunch({{1, 1, 1}, 1, 64, Order::Rising},
                         [&](const EmulatedLane& lane) { lane.storeShared(offset, Chunk{}); });
    };
    EXPECT_EQ(storing(48), "");
    EXPECT_NE(storing(64), "");
    EXPECT_NE(storing(8), "");
}

TEST(EmulatedLane, MultipliesAsTheTensorCoreDoes) {
    // A[i][k] = i + k / 16, B[k][j] = (k == j): the product is A's first eight columns.
    std::vector<float> c(16 * 8);
    const auto kernel = [&](const EmulatedLane& lane) {
        const int g = lane.inWarp() / 4;
        const int t = lane.inWarp() % 4;
        const auto a = [](int row, int k) { return static_cast<float>(row) + static_cast<float>(k) / 16; };
        const auto b = [](int k, int column) { return k == column ? 1.0F : 0.0F; };
        std::uint32_t ofA[4];
        for (int r = 0; r < 4; ++r) { // PTX ISA: rows g and g + 8, then K from 8
            const int row = g + r % 2 * 8;
            const int k = 2 * t + r / 2 * 8;
            ofA[r] = lane.packHalves(a(row, k), a(row, k + 1));
        }
        MmaResult d = {};
        lane.mma(d, ofA, lane.packHalves(b(2 * t, g), b(2 * t + 1, g)),
                 lane.packHalves(b(2 * t + 8, g), b(2 * t + 9, g)));
        for (int i = 0; i < 4; ++i) {
            c[indexOf((g + i / 2 * 8) * 8 + 2 * t + i % 2)] = d.value[i];
        }
    };
    ASSERT_EQ(runLaunch({{1, 1, 1}, 32, 16, Order::Falling}, kernel), "");
    for (int row = 0; row < 16; ++row) {
        for (int column = 0; column < 8; ++column) {
            EXPECT_EQ(c[indexOf(row * 8 + column)],
                      static_cast<float>(row) + static_cast<float>(column) / 16);
        }
    }
}

TEST(Half, RoundsToNearestEvenAndComesBack) {
    for (int bits = 0; bits < 0x7c00; ++bits) {
        EXPECT_EQ(halfFromDouble(halfToFloat(static_cast<std::uint16_t>(bits))), bits);
    }
    EXPECT_EQ(halfFromDouble(2049), halfFromDouble(2048)); // a tie, to even
    EXPECT_EQ(halfFromDouble(2051), halfFromDouble(2052)); // a tie, to even
    EXPECT_EQ(halfFromDouble(-0.0), 0x8000);
    EXPECT_EQ(halfFromDouble(65519), 0x7bff);
    EXPECT_EQ(halfFromDouble(65520), 0x7c00);
    EXPECT_EQ(halfFromDouble(std::ldexp(1.0, -25)), 0); // a tie, to zero
    EXPECT_EQ(halfFromDouble(std::ldexp(1.5, -25)), 1);
}

} // namespace
} // namespace loadline::gpu::emulate
