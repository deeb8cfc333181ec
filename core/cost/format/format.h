// How a served model's numbers are stored: weights, experts, KV cache. A row a way of storing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Bits of an fp16 or bf16 weight.
inline constexpr int fp16Bits = 16;
inline constexpr int minKBits = 2;
inline constexpr int maxKBits = 5;

/// Ways of storing numbers, in the order of storageSpecs.
enum class Storage : std::uint8_t { Fp16, K2, K3, K4, K5 };

struct StorageSpec {
    Storage storage = Storage::Fp16;
    std::string_view key{};  ///< in options and JSON
    std::string_view name{}; ///< for people
    double bitsEach = 16;    ///< of a number, its share of the scales included
    int kBits = fp16Bits;    ///< the k of the timed points that price it; fp16Bits: fp16's points
    bool quantised = false;  ///< a dispatch rule chooses its kernels; else the fp16 kernels serve it
    bool holdsKv = false;    ///< the KV cache may be stored so
};

/// k-bit weights: 8 bits of scale for each block of 32 weights (bitsandbytes df55daf8, E4M4).
inline constexpr auto storageSpecs = std::to_array<StorageSpec>({
    {.storage = Storage::Fp16, .key = "fp16", .name = "fp16", .holdsKv = true},
    {.storage = Storage::K2, .key = "k2", .name = "k = 2", .bitsEach = 2.25, .kBits = 2, .quantised = true},
    {.storage = Storage::K3, .key = "k3", .name = "k = 3", .bitsEach = 3.25, .kBits = 3, .quantised = true},
    {.storage = Storage::K4, .key = "k4", .name = "k = 4", .bitsEach = 4.25, .kBits = 4, .quantised = true},
    {.storage = Storage::K5, .key = "k5", .name = "k = 5", .bitsEach = 5.25, .kBits = 5, .quantised = true},
});

constexpr const StorageSpec& specOf(Storage storage) {
    return storageSpecs[static_cast<std::size_t>(storage)];
}
constexpr double bytesEach(Storage storage) {
    return specOf(storage).bitsEach / 8;
}
/// Precondition: a row has so many bits; 2 to 5, or fp16Bits.
constexpr Storage storageOfBits(int kBits) {
    const auto* const found = std::ranges::find(storageSpecs, kBits, &StorageSpec::kBits);
    assert(found != storageSpecs.end());
    return found != storageSpecs.end() ? found->storage : Storage::Fp16;
}

/// The storage of a served model's numbers.
struct Format {
    Storage weights = Storage::K4; ///< dense ones; the embedding and a head that stays fp16 are fp16
    Storage kv = Storage::Fp16;
    Storage experts = Storage::K4;

    constexpr Format() = default;

    /// k-bit weights and experts beside an fp16 KV cache; fp16Bits: fp16 throughout.
    constexpr Format(int kBits) // NOLINT(google-explicit-constructor)
        : weights(storageOfBits(kBits)), experts(weights) {}

    [[nodiscard]] constexpr int kBits() const { return specOf(weights).kBits; }

    [[nodiscard]] constexpr Storage of(bool isExpert) const { return isExpert ? experts : weights; }

    auto operator<=>(const Format&) const = default;
};

inline constexpr Format fp16Format{fp16Bits};

/// Returns `format` with k-bit weights and experts; its KV cache stays.
constexpr Format withBits(Format format, int kBits) {
    format.weights = format.experts = storageOfBits(kBits);
    return format;
}

/// withBits() of each.
std::vector<Format> formatsOf(const Format& format, const std::vector<int>& kBits);

/// "k4", "fp16"; where experts or the KV cache are stored otherwise, "k4,experts=fp16,kv=fp16".
std::string keyOf(const Format& format);
/// "k = 4", "fp16"; with experts or KV cache where they are stored otherwise than usual.
std::string nameOf(const Format& format);

} // namespace loadline
