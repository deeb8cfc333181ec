// The matrix products (GEMMs) of a model: sizes, how often each runs, bytes of their weights.
#pragma once

#include "core/cost/format/absmax_format.h"
#include "core/cost/format/format.h"
#include "core/cost/shapes/layer_part.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The weight of a GEMM [M x K] * [K x N]: K inputs, N outputs.
struct GemmSize {
    std::int64_t k = 0;
    std::int64_t n = 0;

    [[nodiscard]] double elements() const { return static_cast<double>(k) * static_cast<double>(n); }

    auto operator<=>(const GemmSize&) const = default;
};

/// "2048x5120": K x N, as profiles name shapes.
std::string textOf(GemmSize size);
/// Reads "2048x5120"; nothing unless both are whole numbers from 1 to 2^24.
std::optional<GemmSize> gemmSizeFromText(std::string_view text);

/// Bytes per weight: k + 0.25 bits with E4M4 scales, k + 1 bits with fp32 scales (8 or 32 bits per block of
/// 32 weights: the k-bit format of bitsandbytes at df55daf8); 2 bytes for fp16Bits.
double bytesPerWeight(int kBits, AbsmaxFormat absmax = AbsmaxFormat::E4M4);

/// One matrix product of a model.
struct LayerGemm {
    std::string name;      ///< "gateup"; "lm_head" is the head
    GemmSize size;         ///< of one expert, where there are experts
    int perLayer = 1;      ///< GEMMs of this size in each layer that has it
    int layers = 1;        ///< layers that have it
    int experts = 0;       ///< experts in the layer; 0: dense, every row meets this weight
    int expertsPerRow = 0; ///< experts each row is sent to (top-k)
    bool quantised = true; ///< false: stays fp16 whatever k is (lm_head)
    LayerPart part = LayerPart::ByName;
    WeightCut cut = WeightCut::ByName;
    /// Experts of the layer that other GPUs hold (expert parallelism); rows choose among all.
    int expertsElsewhere = 0;

    [[nodiscard]] bool grouped() const { return experts > 0; }

    /// Computes logits: of one row of each sequence in a forward, not of all rows.
    [[nodiscard]] bool isHead() const {
        return part == LayerPart::Head || (part == LayerPart::ByName && name == "lm_head");
    }

    [[nodiscard]] double calls() const { return static_cast<double>(perLayer) * layers; }

    bool operator==(const LayerGemm&) const = default;
};

/// How a step's rows spread over experts.
struct ExpertLoad {
    double activeExperts = 0; ///< experts that get at least one row, expected
    double rowsPerExpert = 0; ///< rows of each of those, expected
    bool operator==(const ExpertLoad&) const = default;
};

/// Rows choose their experts independently and evenly: active = E (1 - (1 - top/E)^M), rows each =
/// M top / active. With M = 1 exactly `top` experts of one row. A dense GEMM is one expert with all M rows.
/// With experts elsewhere E counts all of the layer; the result is of those that are here, of the M rows of
/// all GPUs.
ExpertLoad expertLoad(const LayerGemm& gemm, double rowsM);

/// How attention reads its context.
enum class AttentionKind : std::uint8_t { Grouped, SlidingWindow, HybridLinear };

/// Facts about a model that decide the time of its attention.
struct AttentionFacts {
    AttentionKind kind = AttentionKind::Grouped;
    int layers = 0;          ///< all layers
    int fullLayers = 0;      ///< layers whose attention sees the whole context
    std::int64_t window = 0; ///< tokens the other layers see (sliding window); 0 where they see none
    int qHeads = 0;
    int kvHeads = 0;
    int headDim = 0;
    double stateBytes = 0; ///< recurrent state per sequence, whatever its length (linear attention)
    /// Values of a token and layer in the KV cache where K and V of all heads come from one latent (MLA);
    /// headDim is then the mean of a key's and a value's size. 0: K and V of each KV head.
    int latentValues = 0;
    bool operator==(const AttentionFacts&) const = default;
};

/// Experts of a model's layers.
struct ExpertFacts {
    int experts = 0;              ///< of a layer; of a shard: those on one GPU
    int topK = 0;                 ///< experts of a row
    std::int64_t width = 0;       ///< inner size of one expert
    std::int64_t sharedWidth = 0; ///< inner size of the shared experts together; 0: there are none
    int firstDenseLayers = 0;     ///< layers before the first with experts
    bool fp32Router = false;      ///< the router's GEMM runs in fp32
    bool operator==(const ExpertFacts&) const = default;
};

/// Sizes of multi-head latent attention (MLA): queries and KV pass through narrow latents. The cache holds
/// kvRank + ropeDim values of a token and layer.
struct MlaFacts {
    int heads = 0;
    int queryRank = 0; ///< q_lora_rank
    int kvRank = 0;    ///< kv_lora_rank
    int nopeDim = 0;   ///< part of a query's and key's head without positions (qk_nope_head_dim)
    int ropeDim = 0;   ///< the part with positions, one key for all heads (qk_rope_head_dim)
    int valueDim = 0;  ///< of a head (v_head_dim)
    bool operator==(const MlaFacts&) const = default;
};

/// Sizes of gated delta net, the linear attention of hybrid models.
struct LinearFacts {
    int kHeads = 0;      ///< of queries and keys
    int vHeads = 0;      ///< of values: a multiple of kHeads
    int kDim = 0;        ///< size of a query and of a key
    int vDim = 0;        ///< size of a value
    int convolution = 0; ///< tokens that the convolution before it sees
    int period = 0;      ///< of every `period` layers the last has full attention, the others this one
    bool operator==(const LinearFacts&) const = default;
};

/// A model as the cost model sees it.
struct ModelShapes {
    std::string key;    ///< "llama-3.1-8b"
    std::string name;   ///< "Llama-3.1-8B"
    std::string source; ///< where the sizes come from
    std::vector<LayerGemm> gemms;
    std::optional<AttentionFacts> attention; ///< absent where only GEMMs are known (the study's shapes)
    /// Weights of the token embedding where it is a matrix apart from the head: fp16, looked up and never
    /// multiplied, so it takes memory and no time. 0: shared with the head, or not known.
    std::int64_t embeddingWeights = 0;
    std::int64_t hidden = 0;     ///< size of a row between layers; 0: not known
    std::int64_t vocabulary = 0; ///< tokens; of a shard: rows of its part, padding included; 0: not known
    std::optional<ExpertFacts> experts{};
    std::optional<MlaFacts> mla{};
    std::optional<LinearFacts> linear{};
    /// q and k are normed over all heads, so GPUs that share them reduce one fp32 value of q and one of k
    /// a row and layer (vLLM's MiniMaxText01RMSNormTP; in how many all-reduces:
    /// EngineDefault::qkNormReduces).
    bool qkNormAcrossRanks = false;
    /// q and k are normed within each head, by two kernels (vLLM's q_norm and k_norm in qwen3.py,
    /// qwen3_moe.py and qwen3_next.py; the pass that fuses them with the rotary embedding,
    /// enable_qk_norm_rope_fusion, is off by default).
    bool qkNormWithinHead = false;
    bool gatedActivation = true; ///< feed-forward layers have gate and up side by side, not up alone
    bool operator==(const ModelShapes&) const = default;
};

/// Returns what is wrong with edited shapes ("GEMM 3, down: K is 0: choose 1 to 16777216"), within the limits
/// of shape_limits.h; nothing if they can be used.
std::optional<std::string> problemOf(const ModelShapes& model);
/// Return the same of one GEMM, and of the attention facts.
std::optional<std::string> problemOf(const LayerGemm& gemm);
std::optional<std::string> problemOf(const AttentionFacts& facts);

/// Weights all rows together may touch: sum of elements x calls x experts.
double totalWeights(const ModelShapes& model);
/// Weights one row touches: sum of elements x calls x top-k; with experts elsewhere the mean of those here.
double weightsPerRow(const ModelShapes& model);

/// Choices that the published study left open about its own shapes.
struct StudyShapeOptions {
    bool kvTwice = true;  ///< K and V as two GEMMs: fits the published 55.6 us (56.9; once: 52.9)
    bool experts = false; ///< the study's table evidently leaves the experts out
    int expertsPerRow = 8;
    bool operator==(const StudyShapeOptions&) const = default;
};

/// One layer of the published study's shapes; its times are per layer.
ModelShapes studyShapes(const StudyShapeOptions& options);
ModelShapes studyShapes(); ///< with the options' defaults
/// "study", "study-kv-once", "study-moe", then the models by key.
const std::vector<ModelShapes>& shapePresets();
/// Returns the preset; null if there is none of that key.
const ModelShapes* findShapePreset(std::string_view key);
/// Returns the preset for a model as an engine names it: "meta-llama/Llama-3.1-8B" -> "llama-3.1-8b"; also
/// with
/// "-Instruct" or another suffix. Null where there is none.
const ModelShapes* shapesOfModel(std::string_view model);

} // namespace loadline
