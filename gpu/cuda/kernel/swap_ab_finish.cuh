// The swap-AB kernel's end of a unit: sums across warps, then across blocks, then rounded and stored.
#pragma once

#include "gpu/cuda/kernel/swap_ab_stage.cuh"

namespace loadline::gpu {

/// The line of steps and its equal pieces.
struct SwapAbLine {
    std::int64_t total = 0;
    int steps = 0; ///< of a unit
    int blocks = 0;

    LOADLINE_LANE std::int64_t firstOf(int block) const { return total * block / blocks; }
    LOADLINE_LANE int blockOf(std::int64_t step) const {
        return static_cast<int>(((step + 1) * blocks - 1) / total);
    }
    /// How many blocks share unit `unit` of the whole line. Of more blocks than steps, those between two that
    /// have a step have none.
    LOADLINE_LANE int sharers(std::int64_t unit) const {
        return total < blocks ? steps : blockOf((unit + 1) * steps - 1) - blockOf(unit * steps) + 1;
    }
};

namespace detail {

/// Visits a warp's sums token by token: ofToken(token) gives a pointer to the unit's first row, or nullptr
/// for a token that does not count; visit(pointer to the sum's row, row of the unit, value).
template <int Tokens, class OfToken, class Visit>
LOADLINE_LANE void eachSum(const SwapAbSums<Tokens>& sums, int rowWarp, int inWarp, const OfToken& ofToken,
                           const Visit& visit) {
    const int firstRow = rowWarp * 32 + inWarp / 4;
    LOADLINE_UNROLL
    for (int n = 0; n < Tokens; ++n) {
        LOADLINE_UNROLL
        for (int right = 0; right < 2; ++right) {
            auto* const to = ofToken(n * 8 + inWarp % 4 * 2 + right);
            if (to != nullptr) {
                LOADLINE_UNROLL
                for (int i = 0; i < 4; ++i) {
                    const int row = firstRow + i * 8;
                    visit(to + row, row, sums.of[i / 2][n].value[i % 2 * 2 + right]);
                }
            }
        }
    }
}

/// Sums over the warps that split K, into those with the first K.
template <class Shape, int Tokens, class Lane>
LOADLINE_LANE void sumOverWarps(const Lane& lane, SwapAbSums<Tokens>& sums) {
    const int rowWarp = lane.warp() % Shape::rowWarps;
    const int kWarp = lane.warp() / Shape::rowWarps;
    constexpr int values = 2 * Tokens * 4;
    const auto place = [&](int k, int i) {
        return Shape::sumOffset +
               static_cast<std::uint32_t>(((k * Shape::rowWarps + rowWarp) * values + i) * 128 +
                                          lane.inWarp() * 4);
    };
    if (kWarp > 0) {
        LOADLINE_UNROLL
        for (int i = 0; i < values; ++i) {
            lane.storeShared(place(kWarp - 1, i), sums.of[i / 4 / Tokens][i / 4 % Tokens].value[i % 4]);
        }
    }
    lane.sync();
    if (kWarp == 0) {
        for (int k = 0; k < Shape::kWarps - 1; ++k) {
            LOADLINE_UNROLL
            for (int i = 0; i < values; ++i) {
                sums.of[i / 4 / Tokens][i / 4 % Tokens].value[i % 4] +=
                    lane.template loadShared<float>(place(k, i));
            }
        }
    }
    lane.sync();
}

} // namespace detail

/// `alone`: this block has summed all steps of the unit. Leaves `sums` at zero.
template <class Shape, int Tokens, class Lane>
LOADLINE_LANE void finishUnit(const Lane& lane, const SwapAbArgs& a, const SwapAbLine& line, int group,
                              int unit, int units, bool alone, SwapAbSums<Tokens>& sums) {
    if constexpr (Shape::kWarps > 1) {
        detail::sumOverWarps<Shape>(lane, sums);
    }
    const GroupRows rows = rowsOfGroup(a.groups, group, a.m);
    const int firstRow = unit * Shape::rows;
    const bool writes = lane.warp() < Shape::rowWarps;
    const int rowWarp = lane.warp() % Shape::rowWarps;
    if (alone) {
        if (writes) {
            detail::eachSum(
                sums, rowWarp, lane.inWarp(),
                [&](int token) {
                    return token < rows.size ? a.y + rows.ofY(token) * a.n + firstRow : nullptr;
                },
                [&](std::uint16_t* to, int row, float value) {
                    if (firstRow + row < a.n) {
                        *to = lane.toHalf(value);
                    }
                });
        }
    } else {
        const std::int64_t unitOfAll = static_cast<std::int64_t>(group) * units + unit;
        float* partial = a.partial + unitOfAll * (Shape::rows * Shape::tokens);
        if (writes) {
            detail::eachSum(
                sums, rowWarp, lane.inWarp(),
                [&](int token) { return token < rows.size ? partial + token * Shape::rows : nullptr; },
                [&](float* to, int, float value) { lane.addAtomic(to, value); });
        }
        lane.fence();
        lane.sync();
        if (lane.thread() == 0) {
            const unsigned before = lane.addAtomic(a.arrived + unitOfAll, 1U);
            lane.storeShared(Shape::flagOffset, before + 1);
        }
        lane.sync();
        if (lane.template loadShared<unsigned>(Shape::flagOffset) ==
            static_cast<unsigned>(line.sharers(unitOfAll))) {
            lane.fence();
            for (int i = lane.thread(); i < rows.size * Shape::rows; i += Shape::threads) {
                const int row = firstRow + i % Shape::rows;
                if (row < a.n) {
                    a.y[rows.ofY(i / Shape::rows) * a.n + row] = lane.toHalf(lane.loadFresh(partial + i));
                }
                partial[i] = 0;
            }
            if (lane.thread() == 0) {
                a.arrived[unitOfAll] = 0;
            }
        }
        lane.sync();
    }
    sums = SwapAbSums<Tokens>{};
}

} // namespace loadline::gpu
