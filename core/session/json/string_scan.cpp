#include "core/session/json/string_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace loadline {
namespace {

constexpr std::size_t blockBytes = 64;

/// A byte is in the set when low[byte & 15] and high[byte >> 4] share a bit; bytes from 0x80 on never are.
struct ByteSet {
    alignas(16) std::array<std::uint8_t, 16> low{};
    alignas(16) std::array<std::uint8_t, 16> high{};
};

constexpr ByteSet setOf(std::string_view bytes) {
    ByteSet set;
    for (std::size_t i = 2; i < 8; ++i) {
        set.high[i] = static_cast<std::uint8_t>(1U << (i - 2));
    }
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        set.low[byte & 15U] = static_cast<std::uint8_t>(set.low[byte & 15U] | set.high[byte >> 4U]);
    }
    return set;
}

constexpr ByteSet allButUnicode = setOf("nrtbf\"\\/");
constexpr ByteSet allButUnicodeAndSlash = setOf("nrtbf\"\\");

struct PartScan {
    const char* text = nullptr;
    std::size_t blocks = 0;
    const ByteSet* plain = nullptr;
    bool countWide = false;
    StringCounts counts;
    std::uint64_t carry = 0;
    std::uint16_t* specials = nullptr;
    std::size_t specialCount = 0;
};

/// Bits of the bytes that are escaped: those after an odd run of backslashes (the method of simdjson's
/// find_escaped). `carry` is 1 when the block's first byte is escaped, and is set for the next block.
[[gnu::always_inline]] inline std::uint64_t escapedBits(std::uint64_t backslashes, std::uint64_t& carry) {
    constexpr std::uint64_t evenBits = 0x5555555555555555U;
    backslashes &= ~carry;
    const std::uint64_t follows = (backslashes << 1U) | carry;
    const std::uint64_t oddStarts = backslashes & ~evenBits & ~follows;
    const std::uint64_t sum = oddStarts + backslashes;
    carry = sum < oddStarts ? 1 : 0;
    return (evenBits ^ (sum << 1U)) & follows;
}

struct BlockBits {
    std::uint64_t characters = 0, backslashes = 0, wide = 0, fourBytes = 0, plain = 0;
};

/// Adds the bits of a block to the counts; shared by the portable and the AVX2 scan.
[[gnu::always_inline]] inline void addBlock(PartScan& part, const BlockBits& bits, std::size_t block) {
    part.counts.characters += static_cast<std::uint64_t>(std::popcount(bits.characters));
    if (part.countWide) {
        part.counts.wide += static_cast<std::uint64_t>(std::popcount(bits.wide));
        part.counts.fourBytes += static_cast<std::uint64_t>(std::popcount(bits.fourBytes));
    }
    if ((bits.backslashes | part.carry) == 0) {
        return;
    }
    const std::uint64_t escaped = escapedBits(bits.backslashes, part.carry);
    part.counts.escapes += static_cast<std::uint64_t>(std::popcount(escaped));
    for (std::uint64_t special = escaped & ~bits.plain; special != 0; special &= special - 1) {
        part.specials[part.specialCount++] = static_cast<std::uint16_t>(
            block * blockBytes + static_cast<std::size_t>(std::countr_zero(special)));
    }
}

void scanPortable(PartScan& part) {
    for (std::size_t block = 0; block < part.blocks; ++block) {
        BlockBits bits;
        for (std::size_t i = 0; i < blockBytes; ++i) {
            const auto byte = static_cast<unsigned char>(part.text[block * blockBytes + i]);
            const std::uint64_t bit = std::uint64_t{1} << i;
            const bool begins = (byte & 0xC0U) != 0x80;
            bits.characters |= begins ? bit : 0;
            bits.backslashes |= byte == '\\' ? bit : 0;
            bits.wide |= begins && byte >= 0x7F ? bit : 0;
            bits.fourBytes |= byte >= 0xF0 ? bit : 0;
            bits.plain |= (part.plain->low[byte & 15U] & part.plain->high[byte >> 4U]) != 0 ? bit : 0;
        }
        addBlock(part, bits, block);
    }
}

#if defined(__x86_64__)

[[gnu::target("avx2,bmi,popcnt"), gnu::always_inline]] inline std::uint64_t bitsOf(__m256i low,
                                                                                   __m256i high) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           static_cast<std::uint64_t>(static_cast<std::uint32_t>(_mm256_movemask_epi8(high))) << 32U;
}

[[gnu::target("avx2,bmi,popcnt"), gnu::always_inline]] inline __m256i memberBytes(__m256i bytes,
                                                                                  const ByteSet& set) {
    const __m256i lowTable =
        _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(set.low.data())));
    const __m256i highTable =
        _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(set.high.data())));
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i low = _mm256_shuffle_epi8(lowTable, _mm256_and_si256(bytes, nibble));
    const __m256i high =
        _mm256_shuffle_epi8(highTable, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), nibble));
    return _mm256_cmpgt_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
}

[[gnu::target("avx2,bmi,popcnt")]] void scanAvx2(PartScan& part) {
    const __m256i lastContinuation = _mm256_set1_epi8(static_cast<char>(0xBF));
    const __m256i backslash = _mm256_set1_epi8('\\');
    for (std::size_t block = 0; block < part.blocks; ++block) {
        const auto* from = reinterpret_cast<const __m256i*>(part.text + block * blockBytes);
        const __m256i a = _mm256_loadu_si256(from);
        const __m256i b = _mm256_loadu_si256(from + 1);
        BlockBits bits;
        bits.characters =
            bitsOf(_mm256_cmpgt_epi8(a, lastContinuation), _mm256_cmpgt_epi8(b, lastContinuation));
        bits.backslashes = bitsOf(_mm256_cmpeq_epi8(a, backslash), _mm256_cmpeq_epi8(b, backslash));
        if (part.countWide) {
            const __m256i del = _mm256_set1_epi8(0x7F);
            const std::uint64_t high = bitsOf(a, b);
            bits.wide =
                (bits.characters & high) | bitsOf(_mm256_cmpeq_epi8(a, del), _mm256_cmpeq_epi8(b, del));
            const __m256i lastThreeBytes = _mm256_set1_epi8(static_cast<char>(0xEF));
            bits.fourBytes =
                high & bitsOf(_mm256_cmpgt_epi8(a, lastThreeBytes), _mm256_cmpgt_epi8(b, lastThreeBytes));
        }
        if ((bits.backslashes | part.carry) != 0) {
            bits.plain = bitsOf(memberBytes(a, *part.plain), memberBytes(b, *part.plain));
        }
        addBlock(part, bits, block);
    }
}

#endif

void scan(PartScan& part) {
#if defined(__x86_64__)
    static const bool hasAvx2 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt");
    if (hasAvx2) {
        scanAvx2(part);
        return;
    }
#endif
    scanPortable(part);
}

} // namespace

bool StringScan::next() {
    specialCount_ = 0;
    if (rest_.empty()) {
        return false;
    }
    partStart_ = offset_;
    PartScan part{.text = rest_.data(),
                  .blocks = std::min(rest_.size(), partBytes) / blockBytes,
                  .plain = plain_ == Plain::AllButUnicode ? &allButUnicode : &allButUnicodeAndSlash,
                  .countWide = countWide_,
                  .counts = counts_,
                  .carry = carry_,
                  .specials = specials_.data()};
    std::array<char, blockBytes> last; // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
    std::size_t length = part.blocks * blockBytes;
    if (part.blocks == 0) {
        length = rest_.size();
        std::memcpy(last.data(), rest_.data(), length);
        std::memset(last.data() + length, ' ', blockBytes - length);
        part.text = last.data();
        part.blocks = 1;
        part.counts.characters -= blockBytes - length;
    }
    scan(part);
    counts_ = part.counts;
    carry_ = part.carry;
    specialCount_ = part.specialCount;
    rest_.remove_prefix(length);
    offset_ += length;
    return true;
}

} // namespace loadline
