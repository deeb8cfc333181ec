// The swap-AB kernel's end of a unit, for 9 to 64 rows: sums across warps, then across blocks, then stored.
#pragma once

#include "gpu/cuda/kernel/swap_ab_decode.cuh"

namespace loadline::gpu {

/// A warp's sums of its 32 rows of W.
template <int Tokens>
struct SwapAbSums {
    MmaResult of[2][Tokens] = {};
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
LOADLINE_LANE void sumOverWarps(const Lane& lane, std::uint32_t origin, SwapAbSums<Tokens>& sums) {
    const int rowWarp = lane.warp() % Shape::rowWarps;
    const int kWarp = lane.warp() / Shape::rowWarps;
    constexpr int values = 2 * Tokens * 4;
    const auto place = [&](int k, int i) { // a line a value
        return origin + Shape::sumOffset +
               static_cast<std::uint32_t>((k * Shape::rowWarps + rowWarp) * values + i) * Shape::pitch +
               static_cast<std::uint32_t>(lane.inWarp() * 4);
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
}

/// Stores the sums of all blocks and leaves zeroes: of eight values of a thread, all loads are under way at
/// the same time.
template <class Shape, class Lane>
LOADLINE_LANE void storePartial(const Lane& lane, const SwapAbArgs& a, const GroupRows& rows, int firstRow,
                                float* partial) {
    constexpr int atOnce = 8;
    const int all = rows.size * Shape::rows;
    for (int first = lane.thread(); first < all; first += atOnce * Shape::threads) {
        float value[atOnce];
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) {
            const int at = first + i * Shape::threads;
            value[i] = at < all ? lane.loadFresh(partial + at) : 0;
        }
        LOADLINE_UNROLL
        for (int i = 0; i < atOnce; ++i) {
            const int at = first + i * Shape::threads;
            const int row = firstRow + at % Shape::rows;
            if (at < all) {
                partial[at] = 0;
                if (row < a.n) {
                    a.y[rows.ofY(at / Shape::rows) * a.n + row] = lane.toHalf(value[i]);
                }
            }
        }
    }
}

} // namespace detail

/// `steps`: how many of the unit's this block has summed. Leaves `sums` at zero.
template <class Shape, int Tokens, class Lane>
LOADLINE_LANE void finishMany(const Lane& lane, const SwapAbArgs& a, const SwapAbLine& line, int unit,
                              int steps, std::uint32_t origin, SwapAbSums<Tokens>& sums) {
    const bool alone = steps == line.steps;
    if constexpr (Shape::kWarps > 1) {
        detail::sumOverWarps<Shape>(lane, origin, sums);
    }
    constexpr float factor = Tokens > 2 ? 1.0F : scaleOfTiny;
    const int group = a.groups.count == nullptr ? 0 : unit / line.units;
    const GroupRows rows = rowsOfGroup(a.groups, group, a.m);
    const int firstRow = (unit - group * line.units) * Shape::rows;
    const bool writes = lane.warp() < Shape::rowWarps;
    const int rowWarp = lane.warp() % Shape::rowWarps;
    float* const partial = a.partial + static_cast<std::int64_t>(unit) * (Shape::rows * Shape::tokens);
    if (alone && writes) {
        detail::eachSum(
            sums, rowWarp, lane.inWarp(),
            [&](int token) { return token < rows.size ? a.y + rows.ofY(token) * a.n + firstRow : nullptr; },
            [&](std::uint16_t* to, int row, float value) {
                if (firstRow + row < a.n) {
                    *to = lane.toHalf(value * factor);
                }
            });
    }
    if (!alone && writes) {
        detail::eachSum(
            sums, rowWarp, lane.inWarp(),
            [&](int token) { return token < rows.size ? partial + token * Shape::rows : nullptr; },
            [&](float* to, int, float value) { lane.addAtomic(to, value * factor); });
    }
    sums = SwapAbSums<Tokens>{};
    lane.sync();
    if (alone) {
        return;
    }
    if (lane.thread() == 0) {
        const auto done = static_cast<unsigned>(steps);
        const bool last = lane.arrive(a.arrived + unit, done) + done == static_cast<unsigned>(line.steps);
        if (last) {
            a.arrived[unit] = 0;
        }
        lane.storeShared(origin + Shape::flagOffset, last ? 1U : 0U);
    }
    lane.sync();
    if (lane.template loadShared<unsigned>(origin + Shape::flagOffset) != 0) {
        detail::storePartial<Shape>(lane, a, rows, firstRow, partial);
    }
}

} // namespace loadline::gpu
