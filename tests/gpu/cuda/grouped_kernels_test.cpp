// Routing rows to experts and the kernels over groups, run on the host against float64.
#include "gpu/cuda/kernel/moe_route.cuh"
#include "tests/gpu/cuda/emulated_kernels.h"

#include <algorithm>
#include <random>

namespace loadline::gpu {
namespace {

/// Routing results, and the choices they come from.
struct Routed {
    std::vector<int> choices;
    int count = -1;
    std::vector<int> expert, first, size, row;

    Groups groups(int rowsOfX) const {
        return {&count, expert.data(), first.data(), size.data(), row.data(), rowsOfX};
    }
};

Routed route(std::vector<int> choices, int experts, int rowsPerGroup, Order order) {
    Routed routed;
    routed.choices = std::move(choices);
    const auto assignments = static_cast<int>(routed.choices.size());
    const auto room = static_cast<std::size_t>(moeMaxGroups(assignments, experts, rowsPerGroup));
    routed.expert.assign(room, -1);
    routed.first.assign(room, -1);
    routed.size.assign(room, -1);
    routed.row.assign(routed.choices.size(), -1);
    const MoeRouteArgs args = {routed.choices.data(), assignments,        experts,
                               rowsPerGroup,          &routed.count,      routed.expert.data(),
                               routed.first.data(),   routed.size.data(), routed.row.data()};
    EXPECT_EQ(emulate::runLaunch(
                  {{1, 1, 1}, moeRouteThreads, static_cast<std::size_t>(moeRouteSharedBytes(experts)), order},
                  [&](const EmulatedLane& lane) { moeRoute(lane, args); }),
              "");
    return routed;
}

std::size_t indexOf(int i) {
    return static_cast<std::size_t>(i);
}

std::vector<int> randomChoices(int assignments, int experts, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<int> choices;
    choices.reserve(static_cast<std::size_t>(assignments));
    for (int i = 0; i < assignments; ++i) { // skewed: low experts more often
        choices.push_back(
            static_cast<int>(random() % static_cast<unsigned>(experts) * (random() % 4 != 0 ? 1U : 0U)));
    }
    return choices;
}

TEST(MoeRoute, PutsEveryRowIntoOneGroupOfItsExpert) {
    for (const Order order : {Order::Rising, Order::Falling}) {
        for (const auto& [assignments, experts, rowsPerGroup] :
             {std::tuple{1, 1, 4}, {37, 8, 4}, {640, 512, 8}, {2000, 16, 64}, {5, 100, 1}}) {
            const Routed routed = route(randomChoices(assignments, experts, 7), experts, rowsPerGroup, order);
            ASSERT_LE(routed.count, moeMaxGroups(assignments, experts, rowsPerGroup));
            std::vector<int> seen;
            for (int g = 0; g < routed.count; ++g) {
                const auto at = static_cast<std::size_t>(g);
                EXPECT_GE(routed.size[at], 1);
                EXPECT_LE(routed.size[at], rowsPerGroup);
                for (int i = 0; i < routed.size[at]; ++i) {
                    const auto place = indexOf(routed.first[at] + i);
                    const int row = routed.row[place];
                    EXPECT_EQ(routed.choices[static_cast<std::size_t>(row)], routed.expert[at]);
                    seen.push_back(row);
                }
            }
            std::sort(seen.begin(), seen.end());
            ASSERT_EQ(seen.size(), static_cast<std::size_t>(assignments));
            for (int i = 0; i < assignments; ++i) {
                EXPECT_EQ(seen[static_cast<std::size_t>(i)], i);
            }
        }
    }
}

/// Two choices a token, so that row i of y comes from row i / 2 of x.
std::vector<Route> routesOf(const Routed& routed) {
    std::vector<Route> routes;
    for (std::size_t i = 0; i < routed.choices.size(); ++i) {
        routes.push_back({static_cast<int>(i / 2), routed.choices[i]});
    }
    return routes;
}

constexpr int fewTokens = 9;
constexpr int fewExperts = 5;

template <class Run>
void checkGrouped(std::int64_t k, std::int64_t n, int rowsPerGroup, double bound, Order order,
                  const Run& run) {
    forEachK([&](auto of) {
        constexpr int bits = decltype(of)::bits;
        const GemmCase gemm = makeGemmCase(bits, k, n, fewTokens, fewExperts, 500 + bits);
        const Routed routed =
            route(randomChoices(2 * fewTokens, fewExperts, 11 + bits), fewExperts, rowsPerGroup, order);
        PoisonedOutput y(static_cast<std::size_t>(2 * fewTokens * n));
        ASSERT_EQ(run(of, gemm, y, routed.groups(2), moeMaxGroups(2 * fewTokens, fewExperts, rowsPerGroup)),
                  "");
        EXPECT_EQ(compareGemm(gemm, routesOf(routed), y, bound), "") << bits << " bits";
    });
}

TEST(GroupedScalar, MatchesFloat64) {
    for (const Order order : {Order::Rising, Order::Falling}) {
        checkGrouped(160, 6, 4, fp32SumBound, order,
                     [&](auto of, auto& gemm, auto& y, const Groups& groups, int most) {
                         return runScalar<decltype(of)::bits, 4>(gemm, y, order, groups, most);
                     });
    }
}

TEST(GroupedPlaneMma, MatchesFloat64) {
    checkGrouped(192, 128, 16, fp16TableBound, Order::Rising,
                 [](auto of, auto& gemm, auto& y, const Groups& groups, int most) {
                     return runPlaneMma<decltype(of)::bits, 1>(gemm, 2, y, Order::Rising, groups, most);
                 });
}

TEST(GroupedSwapAb, MatchesFloat64) {
    for (const auto& [blocks, order] :
         {std::pair{1, Order::Rising}, {7, Order::Mixed}, {40, Order::Falling}}) {
        checkGrouped(
            1088, 72, 8, fp16TableBound, order,
            [blocks = blocks, order = order](auto of, auto& gemm, auto& y, const Groups& groups, int most) {
                return runSwapAb<decltype(of)::bits, 1, 3>(gemm, blocks, y, order, groups, most);
            });
    }
    checkGrouped(320, 72, 16, fp16TableBound, Order::Mixed,
                 [](auto of, auto& gemm, auto& y, const Groups& groups, int most) {
                     return runSwapAb<decltype(of)::bits, 2, 3>(gemm, 5, y, Order::Mixed, groups, most);
                 });
}

} // namespace
} // namespace loadline::gpu
