// How a served model's numbers are stored: weights, experts, KV cache. A row a way of storing.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace loadline {

/// Bits of an fp16 or bf16 weight.
inline constexpr int fp16Bits = 16;
inline constexpr int minKBits = 2;
inline constexpr int maxKBits = 5;

/// Ways of storing numbers, in the order of storageSpecs.
enum class Storage : std::uint8_t { Fp16, Fp8, Fp8Block, Nvfp4, Int8, Int4, Mxfp4, K2, K3, K4, K5 };

/// Which kernels multiply by weights that are stored so.
enum class WeightKernels : std::uint8_t {
    Fp16,    ///< the fp16 kernels
    Rule,    ///< our k-bit kernels, chosen by a dispatch rule
    Library, ///< those of an engine, timed by others: the atlas's tables alone have them
};

struct StorageSpec {
    Storage storage = Storage::Fp16;
    std::string_view key{};  ///< in options and JSON
    std::string_view name{}; ///< for people
    double bitsEach = 16;    ///< of a number, its share of the scales included
    int kBits =
        0; ///< the k of the timed points that price it; fp16Bits: fp16's points; 0: the atlas's tables
    WeightKernels kernels = WeightKernels::Library;
    bool holdsKv = false;           ///< the KV cache may be stored so
    std::string_view weightTable{}; ///< the atlas's word for linear layers; "": no table
    std::string_view expertTable{}; ///< the atlas's word for experts
};

/// k-bit weights: 8 bits of scale for each block of 32 weights (bitsandbytes df55daf8, E4M4). FP8 by blocks:
/// 32 bits for 128 x 128; NVFP4: 8 bits for 16; int4: 16 bits for 128; MXFP4: 8 bits for 32.
inline constexpr auto storageSpecs = std::to_array<StorageSpec>({
    {.storage = Storage::Fp16,
     .key = "fp16",
     .name = "fp16",
     .kBits = fp16Bits,
     .kernels = WeightKernels::Fp16,
     .holdsKv = true,
     .weightTable = "bf16",
     .expertTable = "bfloat16"},
    {.storage = Storage::Fp8,
     .key = "fp8",
     .name = "fp8",
     .bitsEach = 8,
     .holdsKv = true,
     .weightTable = "fp8",
     .expertTable = "fp8"},
    {.storage = Storage::Fp8Block,
     .key = "fp8-block",
     .name = "fp8 by blocks",
     .bitsEach = 8 + 32.0 / (128 * 128),
     .weightTable = "fp8_block",
     .expertTable = "fp8_block"},
    {.storage = Storage::Nvfp4,
     .key = "nvfp4",
     .name = "nvfp4",
     .bitsEach = 4.5,
     .weightTable = "nvfp4",
     .expertTable = "nvfp4"},
    {.storage = Storage::Int8, .key = "int8", .name = "int8", .bitsEach = 8, .weightTable = "int8"},
    {.storage = Storage::Int4,
     .key = "int4",
     .name = "int4",
     .bitsEach = 4.125,
     .weightTable = "int4",
     .expertTable = "int4_wo"},
    {.storage = Storage::Mxfp4,
     .key = "mxfp4",
     .name = "mxfp4",
     .bitsEach = 4.25,
     .expertTable = "w4a16_mxfp4"},
    {.storage = Storage::K2,
     .key = "k2",
     .name = "k = 2",
     .bitsEach = 2.25,
     .kBits = 2,
     .kernels = WeightKernels::Rule},
    {.storage = Storage::K3,
     .key = "k3",
     .name = "k = 3",
     .bitsEach = 3.25,
     .kBits = 3,
     .kernels = WeightKernels::Rule},
    {.storage = Storage::K4,
     .key = "k4",
     .name = "k = 4",
     .bitsEach = 4.25,
     .kBits = 4,
     .kernels = WeightKernels::Rule},
    {.storage = Storage::K5,
     .key = "k5",
     .name = "k = 5",
     .bitsEach = 5.25,
     .kBits = 5,
     .kernels = WeightKernels::Rule},
});

constexpr const StorageSpec& specOf(Storage storage) {
    return storageSpecs[static_cast<std::size_t>(storage)];
}
constexpr double bytesEach(Storage storage) {
    return specOf(storage).bitsEach / 8;
}
/// Returns the k of k-bit weights, fp16Bits of fp16; none where no k names the storage.
constexpr std::optional<int> kOf(Storage storage) {
    const int kBits = specOf(storage).kBits;
    return kBits > 0 ? std::optional(kBits) : std::nullopt;
}
/// Returns kOf() of k-bit weights; none of fp16.
constexpr std::optional<int> quantisedK(Storage storage) {
    return specOf(storage).kernels == WeightKernels::Rule ? kOf(storage) : std::nullopt;
}
/// "k-bit", "fp8": weights of one side among two.
constexpr std::string_view sideNameOf(Storage weights) {
    const StorageSpec& spec = specOf(weights);
    return spec.kernels == WeightKernels::Rule ? std::string_view("k-bit") : spec.name;
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
    /// True if experts are stored as the weights because nothing else was asked for (withWeights).
    bool expertsFollow = true;

    constexpr Format() = default;

    /// k-bit weights and experts beside an fp16 KV cache; fp16Bits: fp16 throughout.
    constexpr Format(int kBits) // NOLINT(google-explicit-constructor)
        : weights(storageOfBits(kBits)), experts(weights) {}

    /// Weights and experts so, beside an fp16 KV cache.
    constexpr explicit Format(Storage weightsAndExperts)
        : weights(weightsAndExperts), experts(weightsAndExperts) {}

    /// 0 where the weights are neither k-bit nor fp16.
    [[nodiscard]] constexpr int kBits() const { return specOf(weights).kBits; }

    [[nodiscard]] constexpr Storage of(bool isExpert) const { return isExpert ? experts : weights; }

    /// Compares what is stored.
    constexpr auto operator<=>(const Format& other) const {
        return std::tie(weights, kv, experts) <=> std::tie(other.weights, other.kv, other.experts);
    }

    constexpr bool operator==(const Format& other) const { return (*this <=> other) == 0; }
};

inline constexpr Format fp16Format{fp16Bits};

/// Returns the storage with this key, or by its usual name "bf16"; null for other words.
std::optional<Storage> storageFrom(std::string_view word);

/// Returns `format` with other weights, which its experts follow unless asked for otherwise. Its KV cache
/// stays.
constexpr Format withWeights(Format format, Storage weights) {
    const bool follows = format.expertsFollow && format.experts == format.weights;
    format.experts = follows ? weights : format.experts;
    format.weights = weights;
    return format;
}

/// withWeights() of each.
std::vector<Format> formatsOf(const Format& format, const std::vector<Storage>& weights);

/// "k4", "fp16"; where experts or the KV cache are stored otherwise, "k4,experts=fp16,kv=fp16".
std::string keyOf(const Format& format);
/// "k = 4", "fp16"; with experts or KV cache where they are stored otherwise than usual.
std::string nameOf(const Format& format);

} // namespace loadline
