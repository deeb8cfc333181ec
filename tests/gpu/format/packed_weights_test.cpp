// Quantise, pack, unpack, repack: bit for bit, against the layouts written out a second time.
#include "gpu/format/packed_weights.h"

#include "gpu/format/codebook.h"
#include "gpu/format/e4m4.h"
#include "gpu/format/fragment_layout.h"
#include "gpu/format/lane_layout.h"
#include "tests/gpu/format/made_up_weights.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

using namespace loadline;
using namespace loadline::gpu;

namespace {

/// Whole tiles, part tiles in either direction, one block.
std::vector<KBitShape> shapes() {
    std::vector<KBitShape> result;
    for (int bits = 2; bits <= 5; ++bits) {
        for (const auto& [k, n] : {std::pair{128, 256}, {96, 40}, {32, 1}, {192, 129}}) {
            result.push_back({k, n, bits});
        }
    }
    return result;
}

TEST(Quantise, DividesByTheLargestAndTakesTheNearest) {
    for (int bits = 2; bits <= 5; ++bits) {
        const KBitShape shape{64, 3, bits};
        const auto weights = normalValues(64 * 3, 11);
        const QuantisedWeights quantised = quantise(shape, weights);
        for (std::size_t i = 0; i < weights.size(); ++i) {
            float largest = 0;
            for (std::size_t j = i / 32 * 32; j < i / 32 * 32 + 32; ++j) {
                largest = std::max(largest, std::abs(weights[j]));
            }
            EXPECT_EQ(quantised.absmax[i / 32], largest);
            EXPECT_EQ(quantised.codes[i], nearestCode(codebookOf(bits), bits, weights[i] / largest));
        }
    }
}

TEST(Quantise, KeepsWhatTheCodebookHolds) {
    for (int bits = 2; bits <= 5; ++bits) {
        QuantisedWeights exact = randomCodes({64, 5, bits}, 5);
        for (std::size_t block = 0; block < exact.absmax.size(); ++block) {
            exact.codes[block * 32] = 0; // each block has its -1
        }
        const QuantisedWeights again = quantise(exact.shape, dequantise(exact));
        EXPECT_EQ(again.codes, exact.codes) << bits;
        EXPECT_EQ(again.absmax, exact.absmax) << bits;
    }
}

TEST(Quantise, OfZerosHasScaleZeroAndStaysFinite) {
    const QuantisedWeights zeros = quantise({32, 1, 4}, std::vector<float>(32, 0.0F));
    EXPECT_EQ(zeros.absmax[0], 0.0F);
    for (const float value : dequantise(zeros)) {
        EXPECT_EQ(value, 0.0F);
    }
}

TEST(Pack, UnpacksToTheSameCodesInEveryLayout) {
    unsigned seed = 1;
    for (const KBitShape& shape : shapes()) {
        const QuantisedWeights weights = randomCodes(shape, seed++);
        for (const Layout layout : allLayouts) {
            for (const AbsmaxFormat format : {AbsmaxFormat::E4M4, AbsmaxFormat::Fp32}) {
                const PackedWeights packed = pack(weights, layout, format);
                const QuantisedWeights back = unpack(packed);
                ASSERT_EQ(back.codes, weights.codes) << shape.k << "x" << shape.n << " k=" << shape.bits;
                ASSERT_EQ(back.absmax, weights.absmax) << static_cast<int>(layout);
            }
        }
    }
}

TEST(Repack, BetweenAnyTwoLayoutsKeepsEveryBit) {
    unsigned seed = 100;
    for (const KBitShape& shape : shapes()) {
        QuantisedWeights weights = randomCodes(shape, seed++);
        weights.absmax[0] = 0.1234567F; // E4M4 rounds it once, and no move rounds it again
        for (const AbsmaxFormat format : {AbsmaxFormat::E4M4, AbsmaxFormat::Fp32}) {
            for (const Layout from : allLayouts) {
                const PackedWeights first = pack(weights, from, format);
                for (const Layout to : allLayouts) {
                    const PackedWeights moved = repack(first, to);
                    const PackedWeights direct = pack(weights, to, format);
                    ASSERT_EQ(moved.words, direct.words);
                    ASSERT_EQ(moved.absmaxBytes, direct.absmaxBytes);
                    ASSERT_EQ(moved.absmaxFloats, direct.absmaxFloats);
                    const PackedWeights back = repack(moved, from);
                    ASSERT_EQ(back.words, first.words);
                    ASSERT_EQ(back.absmaxBytes, first.absmaxBytes);
                    ASSERT_EQ(back.absmaxFloats, first.absmaxFloats);
                }
            }
        }
    }
}

TEST(Pack, TakesTheBytesTheCostModelCounts) {
    for (int bits = 2; bits <= 5; ++bits) {
        const KBitShape shape{256, 128, bits}; // whole tiles in every layout
        const QuantisedWeights weights = randomCodes(shape, 9);
        for (const Layout layout : allLayouts) {
            const double weightCount = 256.0 * 128;
            EXPECT_EQ(static_cast<double>(pack(weights, layout, AbsmaxFormat::E4M4).bytes()),
                      weightCount * (bits + 0.25) / 8);
            EXPECT_EQ(static_cast<double>(pack(weights, layout, AbsmaxFormat::Fp32).bytes()),
                      weightCount * (bits + 1.0) / 8);
        }
    }
}

TEST(PlanesFlat, IsThePublishedLayout) {
    // word (n*K/32+kb)*k+b, bit position = element.
    const KBitShape shape{96, 7, 3};
    const QuantisedWeights weights = randomCodes(shape, 21);
    const PackedWeights packed = pack(weights, Layout::PlanesFlat, AbsmaxFormat::Fp32);
    for (std::size_t n = 0; n < 7; ++n) {
        for (std::size_t k = 0; k < 96; ++k) {
            for (std::size_t b = 0; b < 3; ++b) {
                const std::uint32_t word = packed.words[(n * 96 / 32 + k / 32) * 3 + b];
                ASSERT_EQ(word >> (k % 32) & 1,
                          static_cast<std::uint32_t>(weights.codes[n * 96 + k]) >> b & 1);
            }
        }
    }
}

TEST(PlanesTiled, IsThePublishedLayout) {
    // tile=kt*(N/128)+nt; word tile*(128*2*k)+(col*2+kb)*k+b; absmax tile*256+col*2+kb.
    const KBitShape shape{192, 256, 5};
    const QuantisedWeights weights = randomCodes(shape, 22);
    const PackedWeights packed = pack(weights, Layout::PlanesTiled, AbsmaxFormat::E4M4);
    for (std::size_t n = 0; n < 256; ++n) {
        for (std::size_t k = 0; k < 192; ++k) {
            const std::size_t tile = k / 64 * (256 / 128) + n / 128;
            const std::size_t column = n % 128;
            const std::size_t kb = k % 64 / 32;
            for (std::size_t b = 0; b < 5; ++b) {
                const std::uint32_t word = packed.words[tile * (128 * 2 * 5) + (column * 2 + kb) * 5 + b];
                ASSERT_EQ(word >> (k % 32) & 1,
                          static_cast<std::uint32_t>(weights.codes[n * 192 + k]) >> b & 1);
            }
            ASSERT_EQ(decodeE4m4(packed.absmaxBytes[tile * 256 + column * 2 + kb]),
                      weights.absmax[n * 6 + k / 32]);
        }
    }
}

TEST(Fragments, AreWhatTheMmaReads) {
    // By PTX: A register r of lane 4 g + t holds row g + 8 (r % 2), columns 2 t + 8 (r / 2) and the next;
    // B register r: rows 2 t + 8 r and the next of column g. A permutation of K is harmless exactly when A
    // and B agree: column c of a step must mean the same K for both, and each K occurs once.
    for (int step = 0; step < 4; ++step) {
        std::set<int> seen;
        for (int t = 0; t < 4; ++t) {
            for (int reg = 0; reg < 4; ++reg) {
                for (int half = 0; half < 2; ++half) {
                    const int k = fragmentKOf(t, 4 * step + reg, half);
                    const int activation = 32 * (step / 2) + 8 * t + 4 * (step % 2) + 2 * (reg / 2) + half;
                    EXPECT_EQ(k, activation);                                // what the header promises of B
                    EXPECT_EQ(k, fragmentKOf(28 + t, 4 * step + reg, half)); // the same for every row
                    EXPECT_EQ(k / 32, step / 2);                             // one block per step
                    seen.insert(k);
                }
            }
        }
        EXPECT_EQ(seen.size(), 16U);
    }
    for (int row = 0; row < 16; ++row) {
        for (int k = 0; k < 64; ++k) {
            const FragmentPlace place = fragmentPlace(row, k);
            EXPECT_EQ(fragmentKOf(place.lane, place.pair, place.half), k);
            EXPECT_EQ(fragmentRowOf(place.lane, place.pair), row);
            EXPECT_EQ(place.lane / 4, row % 8);
        }
    }
}

TEST(Fragments, HaveOneRegisterPairPerByteAtFourBits) {
    const KBitShape shape{128, 128, 4};
    const QuantisedWeights weights = randomCodes(shape, 31);
    const PackedWeights packed = pack(weights, Layout::Fragments, AbsmaxFormat::E4M4);
    for (int tile = 0; tile < 16; ++tile) { // a strip of four tiles, the next 64 K of it, the next strip
        for (int lane = 0; lane < 32; ++lane) {
            for (int pair = 0; pair < 16; ++pair) {
                const auto word = packed.words[tile * 128 + lane * 4 + pair / 4];
                const std::uint32_t byte = word >> (8 * (pair % 4)) & 255;
                const int row = tile / 8 * 64 + tile % 4 * 16 + fragmentRowOf(lane, pair);
                const int k = tile / 4 % 2 * 64 + fragmentKOf(lane, pair, 0);
                const int first = row * 128 + k;
                ASSERT_EQ(byte, weights.codes[first] | weights.codes[first + 1] << 4);
            }
        }
    }
}

TEST(Fragments, AreSelectorsOfABytePermuteBelowFourBits) {
    for (const int bits : {2, 3}) {
        const KBitShape shape{64, 16, bits};
        const QuantisedWeights weights = randomCodes(shape, 33);
        const PackedWeights packed = pack(weights, Layout::Fragments, AbsmaxFormat::E4M4);
        for (int lane = 0; lane < 32; ++lane) {
            const std::uint32_t signs = bits == 3 ? packed.words[64 + lane] : 0;
            for (int step = 0; step < 4; ++step) {
                const std::uint32_t word = packed.words[lane * 2 + step / 2];
                const std::uint32_t fields = word >> (2 * (step % 2)) & 0x33333333U;
                const std::uint32_t ofSigns =
                    (step < 2 ? signs << (2 - step) : signs >> (step - 2)) & 0x44444444U;
                for (int i = 0; i < 8; ++i) {
                    const int pair = 4 * step + i / 2;
                    const int at = fragmentRowOf(lane, pair) * 64 + fragmentKOf(lane, pair, i % 2);
                    const std::uint32_t code = weights.codes[at];
                    ASSERT_EQ((fields | ofSigns) >> (4 * i) & 15U, fieldOf(bits, code) | signOf(bits, code)
                                                                                             << 2U);
                }
            }
        }
    }
}

TEST(Fragments, SignsLandOnAHalf2ByOneShiftAtFiveBits) {
    const KBitShape shape{64, 16, 5};
    const QuantisedWeights weights = randomCodes(shape, 32);
    const PackedWeights packed = pack(weights, Layout::Fragments, AbsmaxFormat::E4M4);
    for (int lane = 0; lane < 32; ++lane) {
        const std::uint32_t signs = packed.words[32 * 4 + lane];
        for (int pair = 0; pair < 16; ++pair) {
            const std::uint32_t half2 = signs << (15 - pair) & 0x80008000U;
            for (int half = 0; half < 2; ++half) {
                const int at = fragmentRowOf(lane, pair) * 64 + fragmentKOf(lane, pair, half);
                const bool negative = codebookOf(5)[weights.codes[at]] < 0;
                ASSERT_EQ(half2 >> (15 + 16 * half) & 1, negative ? 1U : 0U);
            }
        }
    }
}

/// The sixteen scales of lanes 4 g .. 4 g + 3 are neighbours, and what fills up a strip has scales of 0.
TEST(Fragments, HaveTheScalesOfALaneSideBySide) {
    const KBitShape shape{96, 40, 4};
    QuantisedWeights weights = randomCodes(shape, 34);
    const PackedWeights packed = pack(weights, Layout::Fragments, AbsmaxFormat::E4M4);
    ASSERT_EQ(packed.absmaxBytes.size(), 256U);
    for (int i = 0; i < 256; ++i) {
        const int row = i % 16 / 4 * 16 + i / 16 % 8 + i % 2 * 8;
        const int block = i / 128 * 2 + i / 2 % 2;
        const bool there = row < 40 && block < 3;
        ASSERT_EQ(decodeE4m4(packed.absmaxBytes[i]), there ? weights.absmax[row * 3 + block] : 0.0F) << i;
    }
}

/// Every scale's place tells whose it is, in a second matrix as well; the others fill up tiles.
TEST(Scales, TellWhoseTheyAre) {
    for (const KBitShape& shape : {KBitShape{96, 40, 4}, {544, 200, 2}, {256, 128, 3}, {32, 1, 5}}) {
        for (const Layout layout : {Layout::Fragments, Layout::PlanesTiled}) {
            const std::int64_t scales = packedSizeOf(shape, layout).scales;
            std::int64_t there = 0;
            for (std::int64_t i = 0; i < 2 * scales; ++i) {
                const BlockPlace place =
                    layout == Layout::Fragments ? fragmentBlock(shape, i) : planesTiledBlock(shape, i);
                if (place.row < shape.n && place.block < blocksPerRow(shape)) {
                    ++there;
                    ASSERT_EQ(absmaxPlace(shape, layout, place.row, place.block), i % scales);
                }
            }
            EXPECT_EQ(there, 2 * shape.n * blocksPerRow(shape));
        }
    }
}

TEST(Lanes, KeepARowInALane) {
    for (int bits = 2; bits <= 5; ++bits) {
        const KBitShape shape{64, 32, bits};
        const QuantisedWeights weights = randomCodes(shape, 41);
        const PackedWeights packed = pack(weights, Layout::Lanes, AbsmaxFormat::Fp32);
        const int width = fieldBitsOf(bits);
        std::set<int> signBits;
        for (int n = 0; n < 32; ++n) {
            for (int k = 0; k < 64; ++k) {
                const int record = (n / 16 * 2 + k / 32) * bits * 16;
                const int bit = k % 32 * width;
                const int at = record + bit / 32 * 16 + n % 16;
                const std::uint32_t code = weights.codes[n * 64 + k];
                ASSERT_EQ(packed.words[at] >> (bit % 32) & ((1U << width) - 1), laneFieldOf(bits, code));
                if (hasSigns(bits)) {
                    const int signs = record + width * 16 + n % 16;
                    // Byte of the sign word = byte of the field word.
                    ASSERT_EQ(laneSignBit(bits, k % 32) / 8, bit % 32 / 8);
                    ASSERT_EQ(packed.words[signs] >> laneSignBit(bits, k % 32) & 1, signOf(bits, code));
                    signBits.insert(laneSignBit(bits, k % 32));
                }
            }
        }
        EXPECT_EQ(signBits.size(), hasSigns(bits) ? 32U : 0U);
    }
}

TEST(Fields, HoldEveryCode) {
    for (int bits = 2; bits <= 5; ++bits) {
        const float* book = codebookOf(bits);
        for (std::uint32_t code = 0; code < 1U << bits; ++code) {
            EXPECT_EQ(codeOf(bits, fieldOf(bits, code), signOf(bits, code)), code);
            EXPECT_LT(fieldOf(bits, code), 1U << fieldBitsOf(bits));
            if (hasSigns(bits)) { // magnitude and sign give the value
                const float magnitude = book[(1U << (bits - 1)) + fieldOf(bits, code)];
                EXPECT_EQ(signOf(bits, code) != 0 ? -magnitude : magnitude, book[code]);
            }
        }
    }
}

} // namespace
