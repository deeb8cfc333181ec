// One call of an attention kernel: which heads, how many sequences, how much context. Names as in timings.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace loadline {

/// The numbers by which attention kernels of models differ.
struct AttentionHeads {
    int qHeads = 0;
    int kvHeads = 0;
    int headDim = 0;
    auto operator<=>(const AttentionHeads&) const = default;
};

enum class AttentionPhase : std::uint8_t {
    Decode,  ///< each sequence has one new token
    Prefill, ///< each sequence is a prompt of which nothing is in the cache
};
std::string_view keyOf(AttentionPhase phase); ///< "decode", "prefill"
std::optional<AttentionPhase> attentionPhaseFromKey(std::string_view key);

/// One layer's attention of a batch.
struct AttentionCall {
    AttentionPhase phase = AttentionPhase::Decode;
    AttentionHeads heads;
    int batch = 1;           ///< sequences
    std::int64_t tokens = 1; ///< of each: decode: in the cache, the new token not counted; prefill: new
    auto operator<=>(const AttentionCall&) const = default;

    /// K and V that are read, the new tokens' included.
    [[nodiscard]] std::int64_t keys() const { return tokens + (phase == AttentionPhase::Decode ? 1 : 0); }
    [[nodiscard]] std::int64_t queries() const { return phase == AttentionPhase::Decode ? 1 : tokens; }
};

/// Bytes of K and V of all sequences in fp16.
double contextBytes(const AttentionCall& call);
/// A multiply and an add in QK and in PV, for each query-key pair, query head and element of it.
inline constexpr double attentionFlopPerPair = 4;
/// attentionFlopPerPair x query-key pairs (causal) x query heads x head size.
double flopOf(const AttentionCall& call);
/// "decode attention, 32 query and 8 KV heads of 128, 4 sequences of 1024 tokens".
std::string textOf(const AttentionCall& call);

inline constexpr int maxAttentionHeads = 4096;
inline constexpr int maxHeadDim = 4096;
inline constexpr int maxAttentionBatch = 65'536;
inline constexpr std::int64_t maxAttentionTokens = 1 << 24;

} // namespace loadline
