// Input embeddings and formats of releases.
#include "core/serverlog/light/weights_read.h"

#include "core/text/plain_words.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

/// Vocabulary x hidden size, of each model's config.json.
struct Embeddings {
    std::string_view model;
    double weights = 0;
    bool isHead = false;  ///< one matrix is both
    bool inActive = true; ///< the published count of active weights holds the input's
};

/// Whether published counts hold them was computed from the shapes; DeepSeek-V3's README_WEIGHTS and the
/// gpt-oss model card say so.
constexpr std::array embeddings = {
    Embeddings{"deepseek-v3", 129'280.0 * 7168},
    Embeddings{"gemma-3-12b", 262'208.0 * 3840, true},
    Embeddings{"gemma-3-27b", 262'208.0 * 5376, true},
    Embeddings{"gpt-oss-120b", 201'088.0 * 2880, false, false},
    Embeddings{"gpt-oss-20b", 201'088.0 * 2880, false, false},
    Embeddings{"llama-3.1-8b", 128'256.0 * 4096},
    Embeddings{"llama-3.3-70b", 128'256.0 * 8192},
    Embeddings{"mistral-small-24b", 131'072.0 * 5120},
    Embeddings{"qwen3-235b-a22b", 151'936.0 * 4096},
    Embeddings{"qwen3-30b-a3b", 151'936.0 * 2048},
    Embeddings{"qwen3-32b", 151'936.0 * 5120},
    Embeddings{"qwen3-8b", 151'936.0 * 4096},
    Embeddings{"qwen3-coder-480b-a35b", 151'936.0 * 6144},
    Embeddings{"smollm2-135m", 49'152.0 * 576, true},
};

} // namespace

WeightsRead weightsRead(const CacheModel& model, double batch) {
    const auto found = std::ranges::find(embeddings, model.key, &Embeddings::model);
    const bool known = found != embeddings.end();
    const double unread = known && !found->isHead ? found->weights : 0;
    const double active = model.activeParameters - (known && found->inActive ? unread : 0);
    WeightsRead read;
    read.head = known ? found->weights : 0;
    if (model.experts > 0) {
        const double share = static_cast<double>(model.expertsPerToken) / model.experts;
        const double inExperts = (model.totalParameters - unread - active) / (1 - share);
        read.experts = inExperts * (1 - std::pow(1 - share, batch));
        read.rest = active - inExperts * share - read.head;
    } else {
        read.rest = active - read.head;
    }
    return read;
}

std::span<const ReleasedBits> releasedBits() {
    constexpr double mxfp4 = 4.25; // a scale of 8 bits for each 32
    constexpr double int4 = 4.5;   // a scale of 16 bits for each 32
    constexpr double fp8 = 8;      // and a scale for each 128 x 128
    static constexpr std::array releases = {
        ReleasedBits{"gpt-oss-20b", "", mxfp4, 16, 16, "MXFP4 experts, the rest bf16", "gpt-oss model card"},
        ReleasedBits{"gpt-oss-120b", "", mxfp4, 16, 16, "MXFP4 experts, the rest bf16", "gpt-oss model card"},
        ReleasedBits{"deepseek-v3", "", fp8, fp8, 16, "fp8, the head bf16", "DeepSeek-V3 README_WEIGHTS.md"},
        ReleasedBits{"kimi-k2", "thinking", int4, 16, 16, "int4 experts, the rest bf16",
                     "Kimi-K2-Thinking model card"},
        ReleasedBits{"kimi-k2", "", fp8, fp8, 16, "fp8, the head bf16", "Kimi-K2-Instruct model card"},
    };
    return releases;
}

const ReleasedBits* releasedBitsOf(const CacheModel& model, std::string_view name) {
    const std::string small = lowered(name);
    const auto releases = releasedBits();
    const auto found = std::ranges::find_if(releases, [&](const ReleasedBits& release) {
        return release.model == model.key && small.find(release.nameTold) != std::string::npos;
    });
    return found == releases.end() ? nullptr : &*found;
}

} // namespace loadline
