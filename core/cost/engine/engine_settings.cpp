// Defaults of vLLM by version.
#include "core/cost/engine/engine_settings.h"

#include "core/text/enum_words.h"
#include "core/text/plain_words.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

constexpr Tokens fineCapture = 256;

constexpr std::array<EngineDefault, 4> engineDefaultRows{{
    {.since = {.major = 0, .minor = 0, .patch = 0},
     .source = "vLLM 0.10.2 (the oldest in the measurements): config/compilation.py, PIECEWISE; "
               "config/scheduler.py, async_scheduling off; two sums, as before pull request 31493"},
    {.since = {.major = 0, .minor = 11, .patch = 0},
     .graphs = GraphMode::FullAndPiecewise,
     .source = "vLLM 0.11.0 docs/design/cuda_graphs.md: FULL_AND_PIECEWISE is the default"},
    {.since = {.major = 0, .minor = 11, .patch = 1},
     .graphs = GraphMode::FullAndPiecewise,
     .fineCaptureUpTo = fineCapture,
     .source = "vLLM config/vllm.py, _set_cudagraph_sizes: range(8, 256, 8) + range(256, max + 1, 16)"},
    {.since = {.major = 0, .minor = 14, .patch = 0},
     .graphs = GraphMode::FullAndPiecewise,
     .asyncScheduling = true,
     .fineCaptureUpTo = fineCapture,
     .qkNormReduces = 1,
     .source = "vLLM pull requests 27614 (asynchronous scheduling by default) and 31493 (one sum for q and "
               "k), both in 0.14.0"},
}};

template <typename Enum>
std::optional<Enum> settingWithWord(std::string_view word, Enum last) {
    const std::string plain = lowered(word);
    for (int i = 0; i <= static_cast<int>(last); ++i) {
        if (const auto value = static_cast<Enum>(i); lowered(keyOf(value)) == plain) {
            return value;
        }
    }
    return std::nullopt;
}

} // namespace

std::string_view keyOf(KvType type) {
    return wordOf(type, {"bfloat16", "fp8"});
}

std::string_view keyOf(GraphMode mode) {
    return wordOf(mode, {"NONE", "PIECEWISE", "FULL", "FULL_DECODE_ONLY", "FULL_AND_PIECEWISE"});
}

std::string_view keyOf(ReduceFusion fusion) {
    return wordOf(fusion, {"0", "default", "script", "script+attn"});
}

std::optional<KvType> kvTypeFrom(std::string_view word) {
    return settingWithWord(word, KvType::Fp8);
}

std::optional<GraphMode> graphModeFrom(std::string_view word) {
    return settingWithWord(word, GraphMode::FullAndPiecewise);
}

std::optional<ReduceFusion> reduceFusionFrom(std::string_view word) {
    return settingWithWord(word, ReduceFusion::ScriptWithAttention);
}

std::span<const EngineDefault> engineDefaults() {
    return engineDefaultRows;
}

const EngineDefault& engineDefaultOf(const EngineVersion& version) {
    const auto after = std::ranges::upper_bound(engineDefaultRows, version, {}, &EngineDefault::since);
    return after == engineDefaultRows.begin() ? engineDefaultRows.front() : *(after - 1);
}

Tokens defaultCudagraphMax(std::int64_t maxNumSeqs, Tokens maxNumBatchedTokens) {
    constexpr Tokens most = 512;
    return std::min(2 * std::min<Tokens>(maxNumSeqs, most), std::min(most, maxNumBatchedTokens));
}

EngineSettings engineSettingsOf(const EngineVersion& version, Tokens maxNumBatchedTokens,
                                std::int64_t maxNumSeqs) {
    const EngineDefault& row = engineDefaultOf(version);
    return {.version = version,
            .maxNumBatchedTokens = maxNumBatchedTokens,
            .maxNumSeqs = maxNumSeqs,
            .cudagraphMax = defaultCudagraphMax(maxNumSeqs, maxNumBatchedTokens),
            .graphs = row.graphs,
            .asyncScheduling = row.asyncScheduling};
}

} // namespace loadline
