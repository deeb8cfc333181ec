// Time of one step of the engine on the GPU, from its kernel tables.
#pragma once

#include "core/replay/engine_run.h"

#include <cstdint>
#include <vector>

namespace loadline {

/// Prompt tokens of one request in a step, and how many it had before.
struct PromptChunk {
    Tokens tokens = 0;
    Tokens context = 0;
    bool operator==(const PromptChunk&) const = default;
};

/// The work of a step.
struct StepLoad {
    std::vector<PromptChunk> chunks;
    std::int64_t decodes = 0; ///< sequences with one new token
    Tokens decodeContext = 0; ///< all tokens before those, summed
    Tokens leastContext = 0;
    Tokens mostContext = 0;

    void addDecode(Tokens context);
    void clear();
    [[nodiscard]] Tokens tokens() const;

    [[nodiscard]] std::int64_t sequences() const {
        return static_cast<std::int64_t>(chunks.size()) + decodes;
    }
};

/// A step's time by part, in microseconds.
struct StepParts {
    double denseUs = 0;     ///< embedding, norms, projections and MLP of all layers
    double attentionUs = 0; ///< of all layers
    double linksUs = 0;     ///< all-reduces and the gathering of logits between GPUs
    double headUs = 0;      ///< LM head and sampling

    [[nodiscard]] double totalUs() const { return denseUs + attentionUs + linksUs + headUs; }
};

/// Layers as the model stacks them: embedding; per layer two norms, QKV, [QK norm,] rotary embedding,
/// attention, output projection, gate and up, activation, down; final norm; LM head and sampler over the
/// step's sequences, not over its tokens.
class StepTimes {
public:
    /// Holds on to the run.
    explicit StepTimes(const EngineRun& run);

    /// All 0 for an empty step.
    [[nodiscard]] StepParts of(const StepLoad& load) const;

    /// Tokens that the kernels compute: CUDA graphs pad to the next captured size; beyond the largest there
    /// is no graph.
    [[nodiscard]] Tokens padded(Tokens tokens) const;

    /// Microseconds until every rank has the sum of `bytes` on each: an exchange in one message between two
    /// ranks up to 8 MiB (vLLM's custom all-reduce, csrc/custom_all_reduce.cuh), else a ring,
    ///     2 (n - 1) (latency + bytes / n / bandwidth).
    [[nodiscard]] double allReduceUs(double bytes) const;

private:
    [[nodiscard]] double attentionUs(const StepLoad& load) const;
    [[nodiscard]] double uniformUs(const AttentionLoad& work) const;
    [[nodiscard]] double linksUs(double tokens, double sequences) const;

    const EngineRun& run_;
    double layers_ = 0;
    double hidden_ = 0;     ///< width of the residual stream
    double vocabulary_ = 0; ///< outputs of the LM head
    std::vector<const LinearCurve*> perLayer_;
    std::vector<const LinearCurve*> once_;
    const LinearCurve* head_ = nullptr;
    const LinearCurve* sampler_ = nullptr;
};

} // namespace loadline
