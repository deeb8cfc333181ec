// One fast pass over escaped text: counts characters and escapes, finds the escapes that need a closer look.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace loadline {

/// Sums over the text scanned so far.
struct StringCounts {
    std::uint64_t characters = 0; ///< bytes that begin a character
    std::uint64_t escapes = 0;    ///< backslashes that begin an escape
    std::uint64_t wide = 0;       ///< characters from U+007F on; only if asked for
    std::uint64_t fourBytes = 0;  ///< characters from U+10000 on; only if asked for
};

/// Scans text in parts of at most `partBytes`. AVX2 where the processor has it.
class StringScan {
public:
    static constexpr std::size_t partBytes = 2048;

    enum class Plain : std::uint8_t { AllButUnicode, AllButUnicodeAndSlash };

    /// `plain`: the legal escapes that are only counted. All others, illegal ones too, are reported.
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): specials_ is filled by next()
    StringScan(std::string_view text, Plain plain, bool countWide)
        : rest_(text), plain_(plain), countWide_(countWide) {}

    /// Scans the next part; false at the end. specials() then has the places of its reported escapes.
    bool next();

    [[nodiscard]] const StringCounts& counts() const { return counts_; }

    /// Offsets of the backslashes in the text, ascending.
    [[nodiscard]] std::size_t specialCount() const { return specialCount_; }

    [[nodiscard]] std::size_t special(std::size_t i) const { return partStart_ + specials_[i] - 1; }

private:
    std::string_view rest_;
    Plain plain_;
    bool countWide_;
    StringCounts counts_;
    std::uint64_t carry_ = 0; ///< 1 when the last byte of the part before begins an escape
    std::size_t offset_ = 0, partStart_ = 0;
    std::size_t specialCount_ = 0;
    std::array<std::uint16_t, partBytes> specials_; ///< places of the escaped bytes in the part
};

} // namespace loadline
