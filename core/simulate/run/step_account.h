// Work of a step: the rows of its forward passes, prompt tokens, attention.
#pragma once

#include "core/cost/estimate/attention.h"
#include "core/schedule/step.h"
#include "core/simulate/run/beginnings.h"
#include "core/simulate/run/cost_tables.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline {

/// Returns the time of a step by these rates, its prompt tokens those of one new prompt. `attention`: null:
/// the GEMMs alone. Both outlive it.
StepTime stepTimeOf(const GemmRates& rates, const AttentionModel* attention, double hostUs);

/// One pass of the GEMMs over all layers.
struct ForwardWork {
    ForwardKind kind = ForwardKind::Decode; ///< MLX's
    std::int64_t rowsM = 0;                 ///< padding included
    std::int64_t headRows = 0;     ///< of them meet the head: one of each sequence; MLX's prefill: none
    std::int64_t promptTokens = 0; ///< of them real prompt tokens, computed for the first time or again
    bool decodeOnly = true;
    AttentionWork attention = {}; ///< empty without an attention model
};

/// How far a request has come.
struct RequestProgress {
    Tokens promptTokens = 0;
    Tokens computed = 0; ///< tokens in the KV cache, but for those of steady steps since `joined`
    Tokens left = 0;     ///< to be computed before it decodes
    Tokens emitted = 0;  ///< the same
    std::int64_t joined = 0;
    bool prefilled = false; ///< the last time it was scheduled, rather than decoded
};

/// Follows the requests of a run. vLLM and single prefill make one forward of a step, MLX one of each kind.
class StepAccount {
public:
    /// Attention is added up where there is a model of it. `steady`: stretches in which all who run decode
    /// may be taken as a whole; needs a scheduler whose prompts emit in the step that ends them.
    explicit StepAccount(const AttentionModel* attention, bool steady);

    /// Adds a request: `left` of its prompt is to be computed on top of `cached`; if the step tells of hits,
    /// those count.
    void add(RequestIndex index, Tokens promptTokens, Tokens cached, Tokens left);
    /// Returns the step's forwards in order, those without rows left out; valid until the next call. Steps
    /// must come in order, each once.
    std::span<const ForwardWork> workOf(const Step& step);

    /// True if in the step before everybody decoded and nobody got a first token.
    [[nodiscard]] bool wasSteady() const { return wasSteady_; }

    /// Returns the progress of a request after the latest step.
    [[nodiscard]] const RequestProgress& progressOf(RequestIndex index) const {
        return requests_[static_cast<std::size_t>(index)];
    }

private:
    [[nodiscard]] bool isSteady(const Step& step) const;
    void decodeAll(const Step& step);
    void follow(const Step& step);
    void forwardsOf(const Step& step);
    RequestProgress& at(RequestIndex index) { return requests_[static_cast<std::size_t>(index)]; }

    const AttentionModel* attention_;
    bool steady_;
    bool wasSteady_ = false;
    std::int64_t steadySteps_ = 0;
    double steadyContext_ = 0;    ///< of those who decode, before the next steady step; 0: not known
    std::int64_t prefilling_ = 0; ///< of those that hits told of, how many have prompt left
    std::vector<RequestProgress> requests_;
    std::vector<ForwardWork> work_;
};

} // namespace loadline
