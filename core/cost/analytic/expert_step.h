// Cost of a step's rows that choose among experts: how many are touched, unequal loads, routing.
#pragma once

#include "core/cost/analytic/modelled_time.h"

namespace loadline {

/// Rows are grouped by expert, at most so many to a group; a group reads its expert's weights once.
inline constexpr int groupRows[] = {8, 16, 32, 64}; ///< the instances of swap-AB

/// Expected number of groups of at most `rowsPerGroup` rows when each of `rowsM` rows chooses its experts
/// independently and evenly: experts x E[ceil(n / rowsPerGroup)], n binomial of rowsM and top / experts.
double expectedGroups(const LayerGemm& gemm, std::int64_t rowsM, int rowsPerGroup);

/// Counting, summing and placing `assignments` rows of `experts` experts: a kernel of one block, once for all
/// GEMMs of a layer's experts.
double routingUs(const GpuFacts& gpu, int experts, double assignments, const ModelAssumptions& assumed = {});

/// One GEMM over experts in a step of M rows, by swap-AB.
struct ExpertStep {
    std::int64_t rowsM = 1;
    ExpertLoad load;      ///< experts touched, and rows of each, expected
    double evenUs = 0;    ///< every one of these has the mean of rows: what profiles hold
    double unevenUs = 0;  ///< as many groups as expected
    int rowsPerGroup = 8; ///< with which that is the shortest
    double groups = 0;    ///< then
    double routingUs = 0; ///< in none of the two
};

/// Returns nothing for a dense GEMM, and if a touched expert has more than 64 rows in the mean.
std::optional<ExpertStep> expertStep(const GpuFacts& gpu, const LayerGemm& gemm, std::int64_t rowsM,
                                     int kBits, const ModelAssumptions& assumed = {});

} // namespace loadline
