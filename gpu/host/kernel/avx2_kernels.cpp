// The kernels for AVX2 with FMA and F16C: 8 rows in one register, two halves of a group.
#include "gpu/host/kernel/kernel_table.h"

#if defined(__x86_64__)
#include "gpu/host/kernel/avx2_byte_lookups.h"
#include "gpu/host/kernel/decode_attention_kernels.h"
#include "gpu/host/kernel/dense_kernels.h"
#include "gpu/host/kernel/dequantise_kernels.h"
#include "gpu/host/kernel/gemv_kernels.h"
#include "gpu/host/kernel/prefill_attention_kernels.h"

#include <immintrin.h>

namespace loadline::gpu {
namespace {

struct Avx2 {
    using F = __m256;
    using I = __m256i;

    static constexpr int lanes = 8;
    static constexpr int tileM = 4;
    static constexpr int tileInt8 = 4;
    template <int Bits, int M>
    static constexpr int chains = Bits < 4 ? 8 : 4;
    template <int Bits, int M>
    static constexpr int groupsTogether = Bits < 5 && M == 1 ? 2 : 1; ///< what 16 registers hold
    static constexpr int gemmTile = 6;
    static constexpr int gemmColumns = 16;
    static constexpr int scoreKeys = 4; ///< by three vectors of queries
    static constexpr int decodeHeads = 4;
    static constexpr int valueVectors = 2; ///< by four heads

    static F zero() { return _mm256_setzero_ps(); }

    static I zeroI() { return _mm256_setzero_si256(); }

    static F load(const float* from) { return _mm256_loadu_ps(from); }

    static I loadI(const std::uint32_t* from) {
        return _mm256_load_si256(reinterpret_cast<const __m256i*>(from));
    }

    static F loadHalf(const std::uint16_t* from) {
        return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
    }

    /// Keeps a value in a register: instead of one load, compilers make one for each use.
    static void keep(F& value) { asm("" : "+x"(value)); }

    static F broadcast(float value) { return _mm256_set1_ps(value); }

    static I broadcast4(const std::int8_t* from) {
        int four = 0;
        __builtin_memcpy(&four, from, sizeof four);
        return _mm256_set1_epi32(four);
    }

    static F fma(F a, F b, F c) { return _mm256_fmadd_ps(a, b, c); }

    static F add(F a, F b) { return _mm256_add_ps(a, b); }

    static F mul(F a, F b) { return _mm256_mul_ps(a, b); }

    static F toFloat(I value) { return _mm256_cvtepi32_ps(value); }

    static F sub(F a, F b) { return _mm256_sub_ps(a, b); }

    static F max(F a, F b) { return _mm256_max_ps(a, b); }

    static F rounded(F value) {
        return _mm256_round_ps(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    }

    /// value 2^power, power a whole number up to 127; 0 below 2^-126.
    static F timesPowerOf2(F value, F power) {
        const I exponent = _mm256_cvtps_epi32(_mm256_max_ps(power, _mm256_set1_ps(-127)));
        const I bits = _mm256_slli_epi32(_mm256_add_epi32(exponent, _mm256_set1_epi32(127)), 23);
        return _mm256_mul_ps(value, _mm256_castsi256_ps(bits));
    }

    static float total(F value) {
        __m128 four = _mm_add_ps(_mm256_castps256_ps128(value), _mm256_extractf128_ps(value, 1));
        four = _mm_add_ps(four, _mm_movehl_ps(four, four));
        return _mm_cvtss_f32(_mm_add_ss(four, _mm_movehdup_ps(four)));
    }

    /// Lane i: the total of r[i].
    LOADLINE_INLINE static F totals(const F (&r)[lanes]) {
        F pairs[lanes / 2];
        unroll<lanes / 2>([&](auto i) LOADLINE_INLINE {
            pairs[i] = _mm256_add_ps(_mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]),
                                     _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]));
        });
        F quads[lanes / 4]; // each 128 bits: half of the totals of four
        unroll<lanes / 4>([&](auto i) LOADLINE_INLINE {
            quads[i] = _mm256_add_ps(_mm256_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0x44),
                                     _mm256_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0xEE));
        });
        return _mm256_add_ps(_mm256_permute2f128_ps(quads[0], quads[1], 0x20),
                             _mm256_permute2f128_ps(quads[0], quads[1], 0x31));
    }

    /// Lane i: that of lane i ^ By.
    template <int By>
    LOADLINE_INLINE static F swapped(F value) {
        if constexpr (By == 4) {
            return _mm256_permute2f128_ps(value, value, 0x01);
        } else {
            return _mm256_permute_ps(value, By == 2 ? 0x4E : 0xB1);
        }
    }

    /// Count floats, again and again.
    template <int Count>
    LOADLINE_INLINE static F repeated(const float* from) {
        if constexpr (Count == 1) {
            return _mm256_set1_ps(*from);
        } else if constexpr (Count == 2) {
            double two = 0;
            __builtin_memcpy(&two, from, sizeof two);
            return _mm256_castpd_ps(_mm256_set1_pd(two));
        } else if constexpr (Count == 4) {
            return _mm256_broadcast_ps(reinterpret_cast<const __m128*>(from));
        } else {
            return _mm256_loadu_ps(from);
        }
    }

    static void store(float* to, F value) { _mm256_storeu_ps(to, value); }

    static void store(std::uint16_t* to, F value) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(to),
                         _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }

    static void copyLines(void* to, const void* from, int bytes, bool streaming) {
        for (int at = 0; at < bytes; at += 32) {
            const I half = _mm256_load_si256(reinterpret_cast<const I*>(static_cast<const char*>(from) + at));
            auto* out = reinterpret_cast<I*>(static_cast<char*>(to) + at);
            if (streaming) {
                _mm256_stream_si256(out, half);
            } else {
                _mm256_storeu_si256(out, half);
            }
        }
    }

    static void endStores() { _mm_sfence(); }

    /// The byte as exponent and mantissa of an fp32, times 2^116: exact for subnormals too.
    static F scaleE4m4(const std::uint8_t* from) {
        const I bits = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
        return _mm256_mul_ps(_mm256_castsi256_ps(_mm256_slli_epi32(bits, 19)), _mm256_set1_ps(0x1p116F));
    }

    template <int Bits>
    struct Book {
        F low, high; ///< fields 0 to 7, 8 to 15
    };

    template <int Bits>
    static Book<Bits> loadBook(const float* book) {
        return {_mm256_loadu_ps(book), _mm256_loadu_ps(book + 8)};
    }

    /// Each 32 bits to the left; a negative distance goes right.
    template <int Left>
    LOADLINE_INLINE static I shifted(I value) {
        if constexpr (Left == 0) {
            return value;
        } else if constexpr (Left > 0) {
            return _mm256_slli_epi32(value, Left);
        } else {
            return _mm256_srli_epi32(value, -Left);
        }
    }

    /// The fields of a vector; for k = 3 of 4 bits, with their signs, in two halves.
    template <int Bits>
    struct Word {
        I even, odd;
        const std::uint32_t* record;
    };

    template <int Bits, int Vector>
    LOADLINE_INLINE static Word<Bits> word(const std::uint32_t* record) {
        const I loaded = loadI(record + Vector * groupRows);
        if constexpr (Bits == 3) {
            const I signs = loadI(record + Fields<Bits>::bits * groupRows);
            return {besideSigns(loaded, shifted<2 - 2 * Vector>(signs)),
                    besideSigns(shifted<-2>(loaded), shifted<1 - 2 * Vector>(signs)), record};
        } else {
            return {loaded, loaded, record};
        }
    }

    LOADLINE_INLINE static I besideSigns(I fields, I signs) {
        const I lowBits = _mm256_set1_epi32(0x33333333);
        return _mm256_or_si256(_mm256_and_si256(fields, lowBits), _mm256_andnot_si256(lowBits, signs));
    }

    /// Vector `Vector` of a record, each word shifted; what comes in from beside it means nothing. Whole
    /// bytes cost no shift: the load starts a few bytes off, within the record.
    template <int Bits, int Vector, int Left>
    LOADLINE_INLINE static I loadShifted(const std::uint32_t* record) {
        constexpr int bytes = Left / 8;
        if constexpr (Left % 8 == 0 && (bytes > 0 ? Vector > 0 : Vector < Bits - 1)) {
            const auto* from = reinterpret_cast<const char*>(record + Vector * groupRows) - bytes;
            return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
        } else {
            return shifted<Left>(loadI(record + Vector * groupRows));
        }
    }

    /// The value, for k = 4 and 5 without its sign.
    template <int Bits, typename Field>
    LOADLINE_INLINE static F magnitude(const Book<Bits>& book, const Word<Bits>& word) {
        // A lookup takes the 3 low bits of its index.
        if constexpr (Bits == 3) {
            const I at = shifted<-4 * (Field::index / 2)>(Field::index % 2 == 0 ? word.even : word.odd);
            return _mm256_permutevar8x32_ps(book.low, at);
        } else {
            const I at = loadShifted<Bits, Field::vector, -Fields<Bits>::bits * Field::index>(word.record);
            const F low = _mm256_permutevar8x32_ps(book.low, at);
            if constexpr (Bits == 5) {
                const I fourth = loadShifted<Bits, Field::vector, 28 - 4 * Field::index>(word.record);
                return _mm256_blendv_ps(low, _mm256_permutevar8x32_ps(book.high, at),
                                        _mm256_castsi256_ps(fourth));
            } else {
                return low;
            }
        }
    }

    /// Returns a vector of which only the signs mean something.
    template <int Bits, typename Field>
    LOADLINE_INLINE static F signs(const Word<Bits>& word) {
        if constexpr (Bits == 4) {
            return _mm256_castsi256_ps(loadShifted<Bits, Field::vector, 28 - 4 * Field::index>(word.record));
        } else {
            return _mm256_castsi256_ps(loadShifted<Bits, Bits - 1, 31 - Field::signBit>(word.record));
        }
    }

    template <int Bits, typename Field>
    LOADLINE_INLINE static F value(const Book<Bits>& book, const Word<Bits>& word) {
        const F found = magnitude<Bits, Field>(book, word);
        if constexpr (Bits >= 4) { // a blend would be three instructions of some processors
            return _mm256_xor_ps(found, _mm256_and_ps(signs<Bits, Field>(word), _mm256_set1_ps(-0.0F)));
        } else {
            return found;
        }
    }

    template <int Bits>
    static constexpr bool looksUpBytes = Bits == 5;

    static void gemvByBytes(const LaneJob& job, UnitRange groups, std::int64_t m) {
        gemvByteLookups<Avx2>(job, groups, m);
    }

    static I loadBook8(const std::int8_t* book) {
        return _mm256_broadcastsi128_si256(_mm_loadu_si128(reinterpret_cast<const __m128i*>(book)));
    }

    template <int Bits, int Shift, int SignBit>
    LOADLINE_INLINE static I bytes(I book, I word, I signs) {
        const I mask = _mm256_set1_epi8(Bits < 4 ? 3 : 15);
        const I index = _mm256_and_si256(Shift == 0 ? word : _mm256_srli_epi32(word, Shift), mask);
        const I found = _mm256_shuffle_epi8(book, index);
        if constexpr (Bits % 2 == 0) {
            return found;
        } else {
            const I bit = _mm256_set1_epi8(static_cast<char>(static_cast<unsigned char>(1U << SignBit)));
            const I negative = _mm256_cmpeq_epi8(_mm256_and_si256(signs, bit), bit);
            return _mm256_sub_epi8(_mm256_xor_si256(found, negative), negative);
        }
    }

    static I startInt8(std::int32_t /*sum*/) { return _mm256_setzero_si256(); }

    /// |w| times x with w's sign: pairs stay within 16 bits, as neither exceeds 127.
    static I dotInt8(I sum, I weights, I x) {
        const I pairs = _mm256_maddubs_epi16(_mm256_abs_epi8(weights), _mm256_sign_epi8(x, weights));
        return _mm256_add_epi32(sum, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }

    LOADLINE_INLINE static void transpose(F (&r)[lanes]) {
        F pairs[lanes];
        unroll<4>([&](auto i) LOADLINE_INLINE {
            pairs[2 * i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
            pairs[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
        });
        F quads[lanes]; // quads[4 i + j]: rows 4 i .. 4 i + 3 of columns j and j + 4
        unroll<2>([&](auto i) LOADLINE_INLINE {
            constexpr int pairsLow = 0x44;
            constexpr int pairsHigh = 0xEE;
            quads[4 * i] = _mm256_shuffle_ps(pairs[4 * i], pairs[4 * i + 2], pairsLow);
            quads[4 * i + 1] = _mm256_shuffle_ps(pairs[4 * i], pairs[4 * i + 2], pairsHigh);
            quads[4 * i + 2] = _mm256_shuffle_ps(pairs[4 * i + 1], pairs[4 * i + 3], pairsLow);
            quads[4 * i + 3] = _mm256_shuffle_ps(pairs[4 * i + 1], pairs[4 * i + 3], pairsHigh);
        });
        unroll<4>([&](auto j) LOADLINE_INLINE {
            r[j] = _mm256_permute2f128_ps(quads[j], quads[4 + j], 0x20);
            r[j + 4] = _mm256_permute2f128_ps(quads[j], quads[4 + j], 0x31);
        });
    }
};

std::uint64_t read(const void* data, std::size_t bytes) {
    constexpr int streams = 8;
    constexpr std::size_t step = 32;
    const auto* from = static_cast<const char*>(data);
    const char* end = from + bytes;
    __m256i sums[streams];
    unroll<streams>([&](auto i) LOADLINE_INLINE { sums[i] = _mm256_setzero_si256(); });
    const auto loadAt = [](const char* at) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    };
    for (; end - from >= static_cast<std::ptrdiff_t>(streams * step); from += streams * step) {
        unroll<streams>(
            [&](auto i) LOADLINE_INLINE { sums[i] = _mm256_add_epi64(sums[i], loadAt(from + i * step)); });
    }
    for (; from < end; from += step) {
        sums[0] = _mm256_add_epi64(sums[0], loadAt(from));
    }
    unroll<streams - 1>([&](auto i) LOADLINE_INLINE { sums[0] = _mm256_add_epi64(sums[0], sums[i + 1]); });
    std::uint64_t four[4];
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(four), sums[0]);
    return four[0] + four[1] + four[2] + four[3];
}

void copy(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t step = 32;
    auto* out = static_cast<char*>(to);
    const auto* in = static_cast<const char*>(from);
    for (std::size_t at = 0; at < bytes; at += step) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(out + at),
                            _mm256_loadu_si256(reinterpret_cast<const __m256i*>(in + at)));
    }
    _mm_sfence();
}

void write(void* to, std::size_t bytes) {
    constexpr std::size_t half = 32;
    const __m256i ones = _mm256_set1_epi32(1);
    for (std::size_t at = 0; at < bytes; at += half) {
        _mm256_stream_si256(reinterpret_cast<__m256i*>(static_cast<char*>(to) + at), ones);
    }
    _mm_sfence();
}

constexpr KernelTable table = {gemv<Avx2, false>,
                               gemv<Avx2, true>,
                               nullptr,
                               gemm<Avx2>,
                               dequantiseGroups<Avx2>,
                               denseGemv<Avx2>,
                               denseGemm<Avx2>,
                               Avx2::gemmTile,
                               packX<Avx2>,
                               quantiseX<Avx2>,
                               read,
                               copy,
                               write,
                               decodeAttention<Avx2>,
                               combineAttention<Avx2>,
                               prefillAttention<Avx2>,
                               prefillRowsOf<Avx2>};

} // namespace

const KernelTable& avx2Kernels() {
    return table;
}

} // namespace loadline::gpu
#endif
