// The table of steps, and the longest way through it.
#include "core/cost/analytic/fixed_cost.h"

#include "core/cost/analytic/kernel_counts.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr auto fixedSteps = std::to_array<FixedStep>({
    {"the block's piece is known, the codebook sent for", StepPart::Beginning, StepWait::Issue, 40}, // 0
    {"the codebook comes", StepPart::Beginning, StepWait::Cache, 1, 0},                              // 1
    {"the first tile is sent for", StepPart::Beginning, StepWait::Issue, 133, 0},                    // 2
    {"the first tile comes", StepPart::Beginning, StepWait::Memory, 1, 2},                           // 3
    {"a lane's pair of values is made", StepPart::Beginning, StepWait::Issue, 84, 2, 1},             // 4
    {"the table is stored", StepPart::Beginning, StepWait::Wavefronts, 256, 4},                      // 5
    {"x is sent for", StepPart::Beginning, StepWait::Issue, 26, 4},                                  // 6
    {"x comes", StepPart::Beginning, StepWait::Cache, 1, 6},                                         // 7
    {"the other stages' tiles are sent for", StepPart::Beginning, StepWait::Issue, 32, 6},           // 8
    {"the table is there for all warps", StepPart::Beginning, StepWait::Barrier, 1, 8, 5},           // 9
    {"the last tile's fields, then its pairs, are read", StepPart::End, StepWait::Shared, 2},        // 10
    {"a warp's sums are stored", StepPart::End, StepWait::Issue, 66, 10},                            // 11
    {"they are there for all warps", StepPart::End, StepWait::Barrier, 1, 11},                       // 12
    {"sums of all warps are read", StepPart::End, StepWait::Shared, 1, 12},                          // 13
    {"they are added, and stored or sent to L2", StepPart::End, StepWait::Issue, 38, 13},            // 14
    {"the block is done", StepPart::End, StepWait::Barrier, 1, 14},                                  // 15
    {"one thread goes on", StepPart::EndOfShared, StepWait::Issue, 16, 15},                          // 16
    {"its fence: the block's sums are in L2", StepPart::EndOfShared, StepWait::Cache, 1, 16},        // 17
    {"the block's steps are counted: who is last", StepPart::EndOfShared, StepWait::Cache, 1, 17},   // 18
    {"the answer is stored", StepPart::EndOfShared, StepWait::Issue, 10, 18},                        // 19
    {"it is there for all warps", StepPart::EndOfShared, StepWait::Barrier, 1, 19},                  // 20
    {"it is read", StepPart::EndOfShared, StepWait::Shared, 1, 20},                                  // 21
    {"the last block sends for the sums of all", StepPart::EndOfShared, StepWait::Issue, 20, 21},    // 22
    {"they come", StepPart::EndOfShared, StepWait::Cache, 1, 22},                                    // 23
    {"they are rounded and stored", StepPart::EndOfShared, StepWait::Issue, 28, 23},                 // 24
});
constexpr std::size_t tableStep = 5;
constexpr std::size_t xStep = 7;
constexpr std::size_t sumsOfAllStep = 23;
constexpr int groupsBefore = 2; // accesses that L2 serves, one after the other

double cyclesOfStep(const FixedStep& step, std::size_t row, const GpuArchitecture& architecture,
                    const FixedCall& call, const ModelAssumptions& assumed) {
    double count = step.count;
    if (row == tableStep && !call.table) {
        count = 0;
    } else if (row == sumsOfAllStep) {
        count *= call.batches;
    } else if (row == xStep && call.routed) {
        count += groupsBefore;
    }
    switch (step.wait) {
    case StepWait::Issue:
        return count * call.instructions * call.blocks * swapAbWarps / issuedPerClock / assumed.pipeShare;
    case StepWait::Wavefronts:
        return count * call.blocks / assumed.pipeShare;
    case StepWait::Shared:
        return count * assumed.sharedCycles;
    case StepWait::Barrier:
        return count * assumed.barrierCycles;
    case StepWait::Cache:
        return count * architecture.cacheCycles;
    case StepWait::Memory:
        return count * architecture.memoryCycles;
    }
    return 0;
}

} // namespace

std::span<const FixedStep> swapAbFixedSteps() {
    return fixedSteps;
}

FixedCost swapAbFixedCost(const GpuFacts& gpu, const FixedCall& call, const ModelAssumptions& assumed) {
    FixedCost cost;
    cost.doneCycles.assign(fixedSteps.size(), 0);
    const double groups = call.routed ? groupsBefore * architectureOf(gpu).cacheCycles : 0;
    const auto doneBefore = [&](int row, StepPart part) {
        return row >= 0                      ? cost.doneCycles.at(static_cast<std::size_t>(row))
               : part == StepPart::Beginning ? groups
                                             : 0.0;
    };
    for (std::size_t row = 0; row < fixedSteps.size(); ++row) {
        const FixedStep& step = fixedSteps.at(row);
        if (step.part == StepPart::EndOfShared && !call.shared) {
            continue;
        }
        const double done = std::max(doneBefore(step.after, step.part), doneBefore(step.also, step.part)) +
                            cyclesOfStep(step, row, architectureOf(gpu), call, assumed);
        cost.doneCycles.at(row) = done;
        double& part = step.part == StepPart::Beginning ? cost.beginningCycles : cost.endCycles;
        part = std::max(part, done);
    }
    cost.us = (cost.beginningCycles + cost.endCycles) / gpu.clockMhz;
    return cost;
}

double swapAbEndInstructions() {
    double sum = 0;
    for (const FixedStep& step : fixedSteps) {
        sum += step.part == StepPart::End && step.wait == StepWait::Issue ? step.count : 0;
    }
    return sum;
}

} // namespace loadline
