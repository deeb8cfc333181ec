// The kinds of measured kernel tables (the atlas): one row a kind, with the columns of its CSV.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace loadline {

enum class AtlasKind : std::uint8_t {
    Gemm,                ///< one linear layer
    WeightOnlyGemm,      ///< linear layers with 8-bit or 4-bit weights and 16-bit activations (TensorRT-LLM)
    DecodeAttention,     ///< attention of one new token a sequence
    PrefillAttention,    ///< attention of several new tokens a sequence
    Experts,             ///< a whole expert layer without its router
    MlaDecode,           ///< a whole multi-head latent attention module, projections included
    MlaPrefill,          ///< the same, several new tokens a sequence
    MlaAttentionDecode,  ///< the attention of MLA alone, without projections
    MlaAttentionPrefill, ///< the same, several new tokens a sequence
    MlaProducts,         ///< the two batched products around MLA decode; MlaDecode includes them
    SparseDecode,        ///< DeepSeek sparse attention: whole module
    SparsePrefill,       ///< the same, several new tokens a sequence
    CompressedDecode,    ///< DeepSeek-V4's compressed attention: whole module
    CompressedPrefill,   ///< the same, several new tokens a sequence
    CompressedKernels,   ///< two of its kernels alone
    BlockSparseDecode,   ///< MiniMax sparse attention: whole module
    BlockSparsePrefill,  ///< the same, several new tokens a sequence
    HyperConnections,    ///< DeepSeek-V4's hyper-connections, both sites of a layer
    LinearAttention,     ///< gated delta net: convolution and delta rule, a row each
    DeltaAttention,      ///< Kimi delta attention
    Quantise,            ///< quantisation of activations; times are differences
    AllReduce,           ///< vLLM's custom all-reduce
    Collectives          ///< NCCL's collectives
};

inline constexpr std::size_t atlasKindCount = static_cast<std::size_t>(AtlasKind::Collectives) + 1;

struct AtlasKindSpec {
    AtlasKind kind{};
    std::string_view key{};  ///< of its file and its CSV: "gemm", "decode_attention"
    std::string_view name{}; ///< for people: "linear layers"
    std::span<const std::string_view>
        keys{}; ///< key columns, in the order by which rows are sorted: axis last
    std::span<const std::string_view> times{}; ///< columns of times in us, as in the CSV: "bf16_us"
    std::string_view axis{};                   ///< the key column along which curves run: "m"
    bool mayBeNegative = false;                ///< times are differences of two timings: 0 and less are noise
    bool keepsFastest = false; ///< of CSV rows with equal keys the fastest counts; else their median
};

/// In the order of AtlasKind.
std::span<const AtlasKindSpec> atlasKinds();
const AtlasKindSpec& specOf(AtlasKind kind);
/// Null if no kind has this key.
const AtlasKindSpec* findAtlasKind(std::string_view key);

/// True if the cells of a key column are words ("dtype"), not whole numbers ("heads").
bool isAtlasWordKey(std::string_view column);
/// Least number that a key column of numbers can hold: 0 (no cached tokens, no window) or 1.
std::int64_t leastAtlasNumber(std::string_view column);
/// Returns the name of a column of times in AtlasTimes: "bf16" of "bf16_us".
std::string_view atlasTimesName(std::string_view csvColumn);

/// True if a cell of a column of words can hold it: 1 to mostAtlasWordBytes characters, ASCII, no blanks.
bool isAtlasWord(std::string_view word);
/// True if a table of the kind can have these columns of times (AtlasTimes::name): one or more of the kind's,
/// in its order.
bool areAtlasTimes(AtlasKind kind, std::span<const std::string> names);

/// Limits of a table; the largest published one has 66,000 rows.
inline constexpr std::size_t mostAtlasRows = std::size_t{1} << 18;
inline constexpr std::size_t mostAtlasWordBytes = 63;
inline constexpr std::int64_t mostAtlasNumber = 1'000'000'000'000;

} // namespace loadline
