// The kernels for AVX-512 (F, BW, VL, DQ) with VNNI: 16 rows in one register.
#include "gpu/host/kernel/kernel_table.h"

#if defined(__x86_64__)
#include "gpu/host/kernel/decode_attention_kernels.h"
#include "gpu/host/kernel/dense_kernels.h"
#include "gpu/host/kernel/dequantise_kernels.h"
#include "gpu/host/kernel/gemv_kernels.h"
#include "gpu/host/kernel/prefill_attention_kernels.h"

#include <immintrin.h>

namespace loadline::gpu {
namespace {

struct Avx512 {
    using F = __m512;
    using I = __m512i;

    static constexpr int lanes = 16;
    static constexpr int tileM = 8;
    static constexpr int tileInt8 = 12;
    template <int Bits, int M>
    static constexpr int chains = M == 1 ? 4 : 16;
    template <int Bits, int M>
    static constexpr int groupsTogether = M == 1 ? 1 : 2; ///< so that two share what is loaded of x
    static constexpr int gemmTile = 12;
    static constexpr int gemmColumns = 32;
    static constexpr int scoreKeys = 8; ///< by three vectors of queries
    static constexpr int decodeHeads = 8;
    static constexpr int valueVectors = 4; ///< by four heads; by eight, half of them

    static F zero() { return _mm512_setzero_ps(); }

    static I zeroI() { return _mm512_setzero_si512(); }

    static F load(const float* from) { return _mm512_loadu_ps(from); }

    static I loadI(const std::uint32_t* from) { return _mm512_load_si512(from); }

    static F loadHalf(const std::uint16_t* from) {
        return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
    }

    /// Keeps a value in a register: instead of one load, compilers make one for each use.
    static void keep(F& value) { asm("" : "+v"(value)); }

    static F broadcast(float value) { return _mm512_set1_ps(value); }

    static I broadcast4(const std::int8_t* from) {
        int four = 0;
        __builtin_memcpy(&four, from, sizeof four);
        return _mm512_set1_epi32(four);
    }

    static F fma(F a, F b, F c) { return _mm512_fmadd_ps(a, b, c); }

    static F add(F a, F b) { return _mm512_add_ps(a, b); }

    static F mul(F a, F b) { return _mm512_mul_ps(a, b); }

    static F toFloat(I value) { return _mm512_cvtepi32_ps(value); }

    static F sub(F a, F b) { return _mm512_sub_ps(a, b); }

    static F max(F a, F b) { return _mm512_max_ps(a, b); }

    static F rounded(F value) { return _mm512_roundscale_ps(value, _MM_FROUND_TO_NEAREST_INT); }

    /// value 2^power, power a whole number.
    static F timesPowerOf2(F value, F power) { return _mm512_scalef_ps(value, power); }

    static float total(F value) { return _mm512_reduce_add_ps(value); }

    /// Lane i: the total of r[i].
    LOADLINE_INLINE static F totals(const F (&r)[lanes]) {
        F pairs[lanes / 2];
        unroll<lanes / 2>([&](auto i) LOADLINE_INLINE {
            pairs[i] = _mm512_add_ps(_mm512_unpacklo_ps(r[2 * i], r[2 * i + 1]),
                                     _mm512_unpackhi_ps(r[2 * i], r[2 * i + 1]));
        });
        F quads[lanes / 4]; // each 128 bits: a part of the totals of four
        unroll<lanes / 4>([&](auto i) LOADLINE_INLINE {
            quads[i] = _mm512_add_ps(_mm512_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0x44),
                                     _mm512_shuffle_ps(pairs[2 * i], pairs[2 * i + 1], 0xEE));
        });
        const auto joined = [](F a, F b) LOADLINE_INLINE {
            return _mm512_add_ps(_mm512_shuffle_f32x4(a, b, 0x88), _mm512_shuffle_f32x4(a, b, 0xDD));
        };
        return joined(joined(quads[0], quads[1]), joined(quads[2], quads[3]));
    }

    /// Lane i: that of lane i ^ By.
    template <int By>
    LOADLINE_INLINE static F swapped(F value) {
        constexpr int halves = 0x4E;
        constexpr int neighbours = 0xB1;
        if constexpr (By >= 4) {
            return _mm512_shuffle_f32x4(value, value, By == 8 ? halves : neighbours);
        } else {
            return _mm512_permute_ps(value, By == 2 ? halves : neighbours);
        }
    }

    /// Count floats, again and again.
    template <int Count>
    LOADLINE_INLINE static F repeated(const float* from) {
        if constexpr (Count == 1) {
            return _mm512_set1_ps(*from);
        } else if constexpr (Count == 2) {
            double two = 0;
            __builtin_memcpy(&two, from, sizeof two);
            return _mm512_castpd_ps(_mm512_set1_pd(two));
        } else if constexpr (Count == 4) {
            return _mm512_broadcast_f32x4(_mm_loadu_ps(from));
        } else {
            return _mm512_broadcast_f32x8(_mm256_loadu_ps(from));
        }
    }

    static void store(float* to, F value) { _mm512_storeu_ps(to, value); }

    static void store(std::uint16_t* to, F value) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                            _mm512_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    }

    static void copyLines(void* to, const void* from, int bytes, bool streaming) {
        for (int at = 0; at < bytes; at += 64) {
            const I line = _mm512_load_si512(static_cast<const char*>(from) + at);
            auto* out = reinterpret_cast<I*>(static_cast<char*>(to) + at);
            if (streaming) {
                _mm512_stream_si512(out, line);
            } else {
                _mm512_storeu_si512(out, line);
            }
        }
    }

    static void endStores() { _mm_sfence(); }

    /// The byte as exponent and mantissa of an fp32, times 2^116: exact for subnormals too.
    static F scaleE4m4(const std::uint8_t* from) {
        const I bits = _mm512_cvtepu8_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
        return _mm512_mul_ps(_mm512_castsi512_ps(_mm512_slli_epi32(bits, 19)), _mm512_set1_ps(0x1p116F));
    }

    template <int Bits>
    struct Book {
        F all;
        F negative; ///< k = 5: the other 16
    };

    template <int Bits>
    static Book<Bits> loadBook(const float* book) {
        const F all = _mm512_loadu_ps(book);
        return {all, _mm512_xor_ps(all, _mm512_set1_ps(-0.0F))};
    }

    /// The fields of a vector; for k = 3 and 5 with their signs above them, in two halves.
    template <int Bits>
    struct Word {
        I even, odd;
    };

    template <int Bits, int Vector>
    LOADLINE_INLINE static Word<Bits> word(const std::uint32_t* record) {
        using Field = Fields<Bits>;
        const I loaded = _mm512_load_si512(record + Vector * groupRows);
        if constexpr (Field::signs) {
            const I signs = _mm512_load_si512(record + Field::bits * groupRows);
            const I lowBits = _mm512_set1_epi32(Bits == 3 ? 0x33333333 : 0x0F0F0F0F);
            constexpr int choose = 0xD8; // by the third: 1: the second, 0: the first
            return {
                _mm512_ternarylogic_epi32(shifted<Field::bits - 2 * Vector>(signs), loaded, lowBits, choose),
                _mm512_ternarylogic_epi32(shifted<Field::bits - 1 - 2 * Vector>(signs),
                                          shifted<-Field::bits>(loaded), lowBits, choose)};
        } else {
            return {loaded, loaded};
        }
    }

    /// Each 32 bits to the left; a negative distance goes right.
    template <int Left>
    LOADLINE_INLINE static I shifted(I value) {
        if constexpr (Left == 0) {
            return value;
        } else if constexpr (Left > 0) {
            return _mm512_slli_epi32(value, Left);
        } else {
            return _mm512_srli_epi32(value, -Left);
        }
    }

    template <int Bits>
    static constexpr bool looksUpBytes = false;

    template <int Bits, typename Field>
    LOADLINE_INLINE static F value(const Book<Bits>& book, const Word<Bits>& word) {
        constexpr int width = Fields<Bits>::bits;
        if constexpr (!Fields<Bits>::signs) { // a lookup takes the 4 low bits of its index
            return _mm512_permutexvar_ps(shifted<-width * Field::index>(word.even), book.all);
        } else {
            constexpr int right = 2 * width * (Field::index / 2);
            const I at = shifted<-right>(Field::index % 2 == 0 ? word.even : word.odd);
            if constexpr (Bits == 3) {
                return _mm512_permutexvar_ps(at, book.all);
            } else { // or the 5 low bits
                return _mm512_permutex2var_ps(book.all, at, book.negative);
            }
        }
    }

    /// 128 + 127 times the codebook, as vpdpbusd takes its first factor without sign.
    static I loadBook8(const std::int8_t* book) {
        const __m128i values = _mm_loadu_si128(reinterpret_cast<const __m128i*>(book));
        return _mm512_broadcast_i32x4(_mm_xor_si128(values, _mm_set1_epi8(INT8_MIN)));
    }

    template <int Bits, int Shift, int SignBit>
    LOADLINE_INLINE static I bytes(I book, I word, I signs) {
        const I mask = _mm512_set1_epi8(Bits < 4 ? 3 : 15);
        const I index = _mm512_and_si512(Shift == 0 ? word : _mm512_srli_epi32(word, Shift), mask);
        const I found = _mm512_shuffle_epi8(book, index);
        if constexpr (Bits % 2 == 0) {
            return found;
        } else { // 128 - v = 0 - (128 + v) in 8 bits
            constexpr auto bit = static_cast<char>(static_cast<unsigned char>(1U << SignBit));
            return _mm512_mask_sub_epi8(found, _mm512_test_epi8_mask(signs, _mm512_set1_epi8(bit)),
                                        _mm512_setzero_si512(), found);
        }
    }

    static I startInt8(std::int32_t sum) { return _mm512_set1_epi32(sum); }

    static I dotInt8(I sum, I weights, I x) { return _mm512_dpbusd_epi32(sum, weights, x); }

    LOADLINE_INLINE static void transpose(F (&r)[lanes]) {
        F pairs[lanes];
        unroll<8>([&](auto i) LOADLINE_INLINE {
            pairs[2 * i] = _mm512_unpacklo_ps(r[2 * i], r[2 * i + 1]);
            pairs[2 * i + 1] = _mm512_unpackhi_ps(r[2 * i], r[2 * i + 1]);
        });
        F quads[lanes]; // quads[4 i + j]: rows 4 i .. 4 i + 3 of columns j, j + 4, j + 8, j + 12
        unroll<4>([&](auto i) LOADLINE_INLINE {
            constexpr int pairsLow = 0x44;
            constexpr int pairsHigh = 0xEE;
            quads[4 * i] = _mm512_shuffle_ps(pairs[4 * i], pairs[4 * i + 2], pairsLow);
            quads[4 * i + 1] = _mm512_shuffle_ps(pairs[4 * i], pairs[4 * i + 2], pairsHigh);
            quads[4 * i + 2] = _mm512_shuffle_ps(pairs[4 * i + 1], pairs[4 * i + 3], pairsLow);
            quads[4 * i + 3] = _mm512_shuffle_ps(pairs[4 * i + 1], pairs[4 * i + 3], pairsHigh);
        });
        unroll<4>([&](auto j) LOADLINE_INLINE {
            constexpr int even = 0x88;
            constexpr int odd = 0xDD;
            const F evenLow = _mm512_shuffle_f32x4(quads[j], quads[4 + j], even);
            const F oddLow = _mm512_shuffle_f32x4(quads[j], quads[4 + j], odd);
            const F evenHigh = _mm512_shuffle_f32x4(quads[8 + j], quads[12 + j], even);
            const F oddHigh = _mm512_shuffle_f32x4(quads[8 + j], quads[12 + j], odd);
            r[j] = _mm512_shuffle_f32x4(evenLow, evenHigh, even);
            r[j + 8] = _mm512_shuffle_f32x4(evenLow, evenHigh, odd);
            r[j + 4] = _mm512_shuffle_f32x4(oddLow, oddHigh, even);
            r[j + 12] = _mm512_shuffle_f32x4(oddLow, oddHigh, odd);
        });
    }
};

std::uint64_t read(const void* data, std::size_t bytes) {
    constexpr int streams = 8;
    constexpr std::size_t line = 64;
    const auto* from = static_cast<const char*>(data);
    const char* end = from + bytes;
    __m512i sums[streams];
    unroll<streams>([&](auto i) LOADLINE_INLINE { sums[i] = _mm512_setzero_si512(); });
    for (; end - from >= static_cast<std::ptrdiff_t>(streams * line); from += streams * line) {
        unroll<streams>([&](auto i) LOADLINE_INLINE {
            sums[i] = _mm512_add_epi64(sums[i], _mm512_loadu_si512(from + i * line));
        });
    }
    for (; from < end; from += line) {
        sums[0] = _mm512_add_epi64(sums[0], _mm512_loadu_si512(from));
    }
    unroll<streams - 1>([&](auto i) LOADLINE_INLINE { sums[0] = _mm512_add_epi64(sums[0], sums[i + 1]); });
    std::uint64_t eight[8];
    _mm512_storeu_si512(eight, sums[0]);
    return eight[0] + eight[1] + eight[2] + eight[3] + eight[4] + eight[5] + eight[6] + eight[7];
}

void copy(void* to, const void* from, std::size_t bytes) {
    constexpr std::size_t line = 64;
    auto* out = static_cast<char*>(to);
    const auto* in = static_cast<const char*>(from);
    for (std::size_t at = 0; at < bytes; at += line) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(out + at), _mm512_loadu_si512(in + at));
    }
    _mm_sfence();
}

void write(void* to, std::size_t bytes) {
    constexpr std::size_t line = 64;
    const __m512i ones = _mm512_set1_epi32(1);
    for (std::size_t at = 0; at < bytes; at += line) {
        _mm512_stream_si512(reinterpret_cast<__m512i*>(static_cast<char*>(to) + at), ones);
    }
    _mm_sfence();
}

constexpr KernelTable table = {gemv<Avx512, false>,
                               gemv<Avx512, true>,
                               gemv<Avx512, true>,
                               gemm<Avx512>,
                               dequantiseGroups<Avx512>,
                               denseGemv<Avx512>,
                               denseGemm<Avx512>,
                               Avx512::gemmTile,
                               packX<Avx512>,
                               quantiseX<Avx512>,
                               read,
                               copy,
                               write,
                               decodeAttention<Avx512>,
                               combineAttention<Avx512>,
                               prefillAttention<Avx512>,
                               prefillRowsOf<Avx512>};

} // namespace

const KernelTable& avx512Kernels() {
    return table;
}

} // namespace loadline::gpu
#endif
