// Machine instructions per weight of the kernels' loops, held to budgets.
#include "tests/gpu/cuda/sass.h"

#include "core/cost/analytic/fixed_cost.h"
#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/analytic/swap_ab_time.h"
#include "gpu/cuda/kernel/swap_ab_shape.cuh"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <string>
#include <utility>

namespace loadline::gpu {
namespace {

/// The swap-AB kernel's loop: warp instructions x 32 / weights of all that stands in it. On an H200 a
/// weight's bytes take as long as 3.7 such slots at k = 4 and 2.0 at k = 2; on an H100 4.7 to 5.3 and 2.5.
struct SwapAbBudget {
    int bits;
    int tokens; ///< tiles of eight rows of x
    double instructions;
    int wavefronts;     ///< of shared memory, for 2,048 weights
    int moves;          ///< of registers, in the loop, on sm_90
    int movesElsewhere; ///< see below
};

#ifdef LOADLINE_SASS_CUBINS

/// nvcc 13.0, the largest of all architectures and a little. Up to eight rows our bounds are 2.4, 3.3, 3.1
/// and 3.9 instructions and 60 wavefronts.
///
/// Moves that stay. Up to eight rows, one a turn: on sm_80 a return address, before a call of the slow
/// barrier of a warp that has diverged, which a warp that has not jumps over (BRA.CONV; MOV R20, 0x3830;
/// CALL.REL); on sm_100 and sm_120 where shared memory begins, which ptxas works out anew in each turn in
/// uniform registers and hands to the address of a load (S2UR UR5; UMOV UR4, 0x400; ULEA UR4, UR5, UR4; MOV
/// R3, UR4). From nine rows on the ring's ends, from a uniform register to one that a selection reads
/// (IMAD.MOV R37, RZ, RZ, UR6).
constexpr SwapAbBudget swapAbBudgets[] = {
    {2, 1, 2.40, 12, 0, 1}, {3, 1, 2.70, 16, 0, 1}, {4, 1, 2.10, 52, 0, 1},  {5, 1, 3.15, 56, 0, 1},
    {2, 2, 3.35, 38, 0, 0}, {3, 2, 3.65, 44, 0, 0}, {4, 2, 3.05, 78, 2, 2},  {5, 2, 4.30, 84, 2, 2},
    {2, 4, 3.60, 54, 0, 0}, {3, 4, 3.90, 60, 0, 0}, {4, 4, 3.40, 94, 2, 2},  {5, 4, 4.50, 100, 1, 2},
    {2, 8, 4.30, 86, 0, 0}, {3, 8, 4.60, 92, 0, 0}, {4, 8, 4.00, 126, 1, 0}, {5, 8, 5.10, 132, 1, 0},
};

/// That a multiprocessor has sent for, the rows of x among them; 8.6 has as much shared memory as 8.9.
double kilobytesAhead(int architecture, const SwapAbTile& tile) {
    const auto gpus = gpuTable();
    const auto gpu = std::find_if(gpus.begin(), gpus.end(), [architecture](const GpuFacts& one) {
        return one.architecture == (architecture == 86 ? 89 : architecture);
    });
    return gpu == gpus.end() ? 0 : swapAbResidence(architectureOf(*gpu), tile).underWayBytes / 1e3;
}

TEST(Sass, TheLoopOfSwapAbStaysInItsBudget) {
    ASSERT_FALSE(architectures().empty());
    std::printf(
        "sm   k  M<=  instructions  per weight  wavefronts  HMMA  LDS  moves  outside  spills  KB ahead\n");
    for (const int architecture : architectures()) {
        const auto functions = readInstructions(cubinOf(architecture), architecture);
        for (const SwapAbBudget& budget : swapAbBudgets) {
            const std::string name =
                "swapAbKernelILi" + std::to_string(budget.bits) + "ELi" + std::to_string(budget.tokens) + "E";
            const Instructions* const function = find(functions, name);
            ASSERT_NE(function, nullptr) << name;
            const Loop loop = loopWith(*function, Opcode::hmma);
            ASSERT_FALSE(loop.body.empty()) << name << " sm_" << architecture;
            const double weights = budget.tokens == 1 ? 4096 : 2048; // of a warp and turn
            const int slots =
                countOf(loop.body, [](const Instruction& i) { return i.opcode != Opcode::nop; });
            const double perWeight = slots * 32 / weights;
            const int moves = countOf(loop.body, [](const Instruction& i) { return i.move; });
            const int hmma = countOf(loop.body, Opcode::hmma);
            double bytes = 0; // of a lane; as if no two lanes met at a word
            for (const Instruction& i : loop.body) {
                bytes += i.never ? 0 : i.bytes;
            }
            const double wavefronts = bytes * 32 / 128 * 2048 / weights;
            const int spills = countOf(*function, Opcode::ldl) + countOf(*function, Opcode::stl);
            const double ahead = kilobytesAhead(architecture, *swapAbTile(budget.bits, 8 * budget.tokens));
            std::printf("%-4d %d  %-3d  %12d  %10.2f  %10.1f  %4d  %3d  %5d  %7d  %6d  %8.1f\n", architecture,
                        budget.bits, 8 * budget.tokens, slots, perWeight, wavefronts, hmma,
                        countOf(loop.body, Opcode::lds), moves, static_cast<int>(loop.rest.size()), spills,
                        ahead);
            const std::string where = name + " sm_" + std::to_string(architecture);
            RecordProperty(where, std::to_string(perWeight));
            EXPECT_LE(perWeight, budget.instructions) << where;
            EXPECT_LE(wavefronts, budget.wavefronts) << where;
            EXPECT_LE(moves, architecture == 90 ? budget.moves : budget.movesElsewhere) << where;
            EXPECT_EQ(hmma, weights / 2048 * 8 * budget.tokens) << where;
            EXPECT_EQ(spills, 0) << where;
            if (architecture == 90 && budget.tokens == 1) { // 3.35 to 4.8 TB/s over 0.7 us, by 132
                EXPECT_GE(ahead, 30) << where;
            }
        }
    }
}

TEST(Sass, TheModelCountsWhatTheMachineCodeHas) {
    for (const int architecture : architectures()) {
        const auto functions = readInstructions(cubinOf(architecture), architecture);
        for (const SwapAbLoop& row : swapAbLoops()) {
            if (row.architecture != countedAs(architecture)) {
                continue;
            }
            const std::string name = "swapAbKernelILi" + std::to_string(row.kBits) + "ELi" +
                                     std::to_string(row.tileRows / 8) + "E";
            const Instructions* const function = find(functions, name);
            ASSERT_NE(function, nullptr) << name;
            const Loop loop = loopWith(*function, Opcode::hmma);
            const std::string where = name + " sm_" + std::to_string(architecture);
            EXPECT_EQ(issuedIn(loop.body), row.issued) << where;
            EXPECT_EQ(countOfAlu(loop.body), row.alu) << where;
            EXPECT_NEAR(issuedIn(loop.rest), row.outside, 0.02 * row.outside) << where;
            const SwapAbTile& tile = *swapAbTile(row.kBits, row.tileRows);
            EXPECT_EQ(wavefrontsIn(loop.body), tile.wavefronts) << where;
            EXPECT_EQ(countOf(loop.body, Opcode::hmma), tile.mma) << where;
        }
        for (const DequantiseWarp& row : dequantiseWarps()) {
            if (row.architecture != countedAs(architecture)) {
                continue;
            }
            const std::string name = "dequantiseWholeILi" + std::to_string(row.kBits) + "E";
            const Instructions* const whole = find(functions, name);
            ASSERT_NE(whole, nullptr) << name;
            const std::string where = name + " sm_" + std::to_string(architecture);
            EXPECT_EQ(issuedIn(*whole), row.issued) << where;
            EXPECT_EQ(countOfAlu(*whole), row.alu) << where;
            EXPECT_EQ(wavefrontsIn(*whole) + countOf(*whole, Opcode::shfl), row.wavefronts) << where;
        }
    }
}

std::vector<int> placesOf(const Instructions& instructions, int opcode) {
    std::vector<int> places;
    for (std::size_t i = 0; i < instructions.size(); ++i) {
        if (instructions[i].opcode == opcode) {
            places.push_back(static_cast<int>(i));
        }
    }
    return places;
}

int stepsThatWait(StepWait wait) {
    const auto steps = swapAbFixedSteps();
    return static_cast<int>(
        std::count_if(steps.begin(), steps.end(), [&](const FixedStep& step) { return step.wait == wait; }));
}

int countOfStep(std::string_view words) {
    const auto steps = swapAbFixedSteps();
    const auto found =
        std::find_if(steps.begin(), steps.end(), [&](const FixedStep& step) { return step.words == words; });
    return found == steps.end() ? 0 : found->count;
}

/// What the model's table of fixed steps says, as far as it stands in a line.
TEST(Sass, TheFixedStepsOfSwapAbAreInTheMachineCode) {
    for (const int architecture : architectures()) {
        const auto functions = readInstructions(cubinOf(architecture), architecture);
        for (const int bits : {2, 3, 4, 5}) {
            const std::string name = "swapAbKernelILi" + std::to_string(bits) + "ELi1E";
            const std::string where = name + " sm_" + std::to_string(architecture);
            const Instructions* const function = find(functions, name);
            ASSERT_NE(function, nullptr) << where;
            const std::vector<int> barriers = placesOf(*function, Opcode::bar);
            const std::vector<int> fences = placesOf(*function, Opcode::membar);
            const std::vector<int> counted = placesOf(*function, Opcode::atom);
            const std::vector<int> stores = placesOf(*function, Opcode::sts);
            const std::vector<int> copies = placesOf(*function, Opcode::ldgsts);
            ASSERT_EQ(static_cast<int>(barriers.size()), stepsThatWait(StepWait::Barrier)) << where;
            ASSERT_EQ(fences.size(), 1U) << where;
            ASSERT_EQ(counted.size(), 1U) << where;
            EXPECT_LT(copies.front(), stores.front()) << where << ": the first tile before the table";
            EXPECT_EQ(stores.front() < barriers.front(), bits >= 4) << where << ": the table";
            EXPECT_TRUE(barriers[2] < fences[0] && fences[0] < counted[0] && counted[0] < barriers[3])
                << where;
            for (const int division : placesOf(*function, Opcode::mufu)) {
                EXPECT_LT(division, fences[0]) << where << ": nothing is divided while a block arrives";
            }
            if (architecture == 90 && bits == 4) {
                EXPECT_EQ(counted[0] - barriers[2], countOfStep("one thread goes on"));
                EXPECT_EQ(barriers[3] - counted[0], countOfStep("the answer is stored"));
            }
        }
    }
}

TEST(Sass, DequantisingIsFarBelowWhatMemoryAllows) {
    // 2.5 bytes a weight at k = 4: an H200 has 17 slots for each, a B200 11 by their datasheets.
    const auto functions = readCubin(cubinOf(90));
    for (const auto& [bits, most] : {std::pair{2, 7.9}, {4, 8.4}, {5, 12.3}}) {
        const OpcodeCounts* const whole = find(functions, "dequantiseWholeILi" + std::to_string(bits) + "E");
        ASSERT_NE(whole, nullptr);
        EXPECT_LE(instructionsIn(*whole) / 32.0, most) << bits;
        EXPECT_EQ(whole->at(Opcode::shfl), 32) << bits;
    }
}

#else

TEST(Sass, TheModelCountsWhatTheMachineCodeHas) {
    GTEST_SKIP() << "this build has no CUDA plugin, or a toolkit other than 13.0";
}

TEST(Sass, TheLoopOfSwapAbStaysInItsBudget) {
    GTEST_SKIP() << "this build has no CUDA plugin, or a toolkit other than 13.0";
}

#endif

/// The model's geometry of an instance is the kernel's own; no machine code is needed.
template <int Bits, int Tokens>
void expectGeometry() {
    constexpr int stages = swapAbStages(Bits, Tokens);
    using Deep = SwapAbShape<Bits, Tokens, stages>;
    using Shallow = SwapAbShape<Bits, Tokens, 2>;
    const SwapAbTile& tile = *swapAbTile(Bits, 8 * Tokens);
    EXPECT_EQ(tile.stages, stages);
    EXPECT_EQ(tile.sharedBytes, static_cast<int>(Deep::sharedBytes));
    EXPECT_EQ(tile.shallowSharedBytes, static_cast<int>(Shallow::sharedBytes));
    EXPECT_EQ(tile.stageBytes, static_cast<int>(Deep::stageBytes / Deep::pitch * 128));
    EXPECT_EQ(tile.unitRows(), Deep::rows);
    EXPECT_EQ(tile.stepK(), fragmentK * Deep::kWarps);
    EXPECT_EQ(tile.weights() * swapAbWarps, Deep::rows * fragmentK * Deep::kWarps);
    EXPECT_EQ(swapAbWarps, Deep::warps);
}

TEST(Sass, TheModelHasTheGeometryOfTheKernels) {
    expectGeometry<2, 1>();
    expectGeometry<3, 1>();
    expectGeometry<4, 1>();
    expectGeometry<5, 1>();
    expectGeometry<2, 2>();
    expectGeometry<3, 2>();
    expectGeometry<4, 2>();
    expectGeometry<5, 2>();
    expectGeometry<2, 4>();
    expectGeometry<3, 4>();
    expectGeometry<4, 4>();
    expectGeometry<5, 4>();
    expectGeometry<2, 8>();
    expectGeometry<3, 8>();
    expectGeometry<4, 8>();
    expectGeometry<5, 8>();
}

/// A made-up function: a loop within a loop, the inner one with two tensor-core instructions.
TEST(Sass, TheInnermostLoopWithTensorInstructionsIsFound) {
    const auto of = [](int opcode, int jumpsBy = 0) {
        Instruction instruction;
        instruction.opcode = opcode;
        instruction.jumpsBy = jumpsBy;
        return instruction;
    };
    const Instructions function = {of(1),
                                   of(2), // the outer loop's first
                                   of(3),
                                   of(Opcode::bra, -2), // a loop of its own, without
                                   of(Opcode::hmma),    // the inner loop's first
                                   of(Opcode::hmma),
                                   of(Opcode::bra, -3),
                                   of(4),
                                   of(Opcode::bra, -8),
                                   of(5)};
    const Loop loop = loopWith(function, Opcode::hmma);
    ASSERT_EQ(loop.body.size(), 3U);
    EXPECT_EQ(loop.body.front().opcode, Opcode::hmma);
    EXPECT_EQ(loop.rest.size(), 7U);
    EXPECT_TRUE(loopWith({of(1), of(Opcode::bra, -2)}, Opcode::hmma).body.empty());
}

} // namespace
} // namespace loadline::gpu
