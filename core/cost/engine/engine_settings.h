// The settings of a vLLM server that shape its steps, and their defaults by version.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/engine/engine_version.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace loadline {

/// Tokens of a KV block: vLLM's default block_size.
inline constexpr Tokens tokensPerKvBlock = 16;

/// How the values of the KV cache are stored.
enum class KvType : std::uint8_t { Bf16, Fp8 };

std::string_view keyOf(KvType type); ///< vLLM's word: "bfloat16", "fp8"

/// Which steps replay a CUDA graph and are padded to its size (vLLM's CUDAGraphMode). Full graphs and
/// graphs by piece pad alike.
enum class GraphMode : std::uint8_t { None, Piecewise, Full, FullDecodeOnly, FullAndPiecewise };

std::string_view keyOf(GraphMode mode); ///< vLLM's word: "FULL_DECODE_ONLY"

/// Whether an all-reduce and the norm behind it are one kernel: not, by the engine's default, by the launch
/// script, or by a script that fuses attention with quantisation too.
enum class ReduceFusion : std::uint8_t { Off, Default, Script, ScriptWithAttention };

std::string_view keyOf(ReduceFusion fusion); ///< "0", "default", "script", "script+attn"

/// Returns the value with this word, its letters' case aside; null for other words.
std::optional<KvType> kvTypeFrom(std::string_view word);
std::optional<GraphMode> graphModeFrom(std::string_view word);
std::optional<ReduceFusion> reduceFusionFrom(std::string_view word);

struct EngineSettings {
    EngineVersion version = newestVersion;
    KvType kv = KvType::Bf16;
    Tokens maxNumBatchedTokens = 8192; ///< token budget of a step
    std::int64_t maxNumSeqs = 1024;
    Tokens cudagraphMax = 512; ///< the largest captured size is at most this; 0: no graphs
    GraphMode graphs = GraphMode::FullAndPiecewise;
    bool asyncScheduling = true; ///< step k + 1 is composed while step k runs
    double memoryUtilisation = 0.9;
    ReduceFusion fusion = ReduceFusion::Off; ///< kept, not modelled: no table has fused ones
    int streamInterval = 1;                  ///< tokens that are sent to the client together, but the first
    std::optional<Tokens> maxModelLen{};     ///< null: not known
    bool operator==(const EngineSettings&) const = default;
};

/// A default that changed at a version.
struct EngineDefault {
    EngineVersion since;
    GraphMode graphs = GraphMode::Piecewise;
    bool asyncScheduling = false;
    Tokens fineCaptureUpTo = 0; ///< captured sizes grow by 8 up to this, then by 16; 0: by 8 throughout
    int qkNormReduces = 2;      ///< all-reduces of a q/k norm that spans ranks
    std::string_view source;    ///< of the change against the row before
};

/// Rows by version, ascending; the first holds for older versions too.
std::span<const EngineDefault> engineDefaults();

/// Returns the row in force at a version.
const EngineDefault& engineDefaultOf(const EngineVersion& version);

/// Returns vLLM's limit for captured sizes where none is given: min(2 max_num_seqs, 512), at most
/// max_num_batched_tokens (vllm/config/vllm.py, _set_cudagraph_sizes).
Tokens defaultCudagraphMax(std::int64_t maxNumSeqs, Tokens maxNumBatchedTokens);

/// Returns the settings of a server of this version and limits whose other options nobody set. vLLM's
/// limits themselves depend on the device: see serverDefaultsOf.
EngineSettings engineSettingsOf(const EngineVersion& version, Tokens maxNumBatchedTokens,
                                std::int64_t maxNumSeqs);

} // namespace loadline
