// Adds up a step from its kernels.
#include "core/replay/step_times.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr double usPerS = 1e6;
/// vLLM's custom all-reduce takes no larger ones (CustomAllreduce.max_size).
constexpr double mostExchangedBytes = 8 << 20;

/// One chunk in place of all: as many tokens, and a context such that as many pairs of tokens meet. Prompts
/// from their beginnings, side by side, meet less often than one of their joint length: then it is below 0.
AttentionLoad jointWork(const StepLoad& load) {
    AttentionLoad work{.decodes = static_cast<double>(load.decodes)};
    if (load.decodes > 0) {
        work.decodeContext = static_cast<double>(load.decodeContext) / work.decodes;
    }
    double pairs = 0;
    for (const PromptChunk& chunk : load.chunks) {
        const auto tokens = static_cast<double>(chunk.tokens);
        work.chunk += tokens;
        pairs += tokens * (static_cast<double>(chunk.context) + tokens / 2);
    }
    if (work.chunk > 0) {
        work.chunkContext = pairs / work.chunk - work.chunk / 2;
    }
    return work;
}

} // namespace

void StepLoad::addDecode(Tokens context) {
    leastContext = decodes == 0 ? context : std::min(leastContext, context);
    mostContext = decodes == 0 ? context : std::max(mostContext, context);
    decodeContext += context;
    ++decodes;
}

void StepLoad::clear() {
    chunks.clear();
    decodes = 0;
    decodeContext = 0;
    leastContext = 0;
    mostContext = 0;
}

Tokens StepLoad::tokens() const {
    Tokens sum = decodes;
    for (const PromptChunk& chunk : chunks) {
        sum += chunk.tokens;
    }
    return sum;
}

StepTimes::StepTimes(const EngineRun& run) : run_(run), layers_(run.model.attention->layers) {
    const auto& dense = run.tables.dense;
    for (const char* name : {"layernorm", "qkv_proj", "qk_norm", "rotary_emb", "o_proj", "layernorm",
                             "gate_up_proj", "act_fn", "down_proj"}) {
        if (const auto found = dense.find(name); found != dense.end()) { // only QK norms may be absent
            perLayer_.push_back(&found->second);
        }
    }
    once_ = {&dense.find("embedding")->second, &dense.find("final_layernorm")->second};
    head_ = &run.tables.perSequence.find("lm_head")->second;
    sampler_ = &run.tables.perSequence.find("sampler")->second;
    for (const LayerGemm& gemm : run.model.gemms) {
        if (gemm.isHead()) {
            hidden_ = static_cast<double>(gemm.size.k);
            vocabulary_ = static_cast<double>(gemm.size.n);
        }
    }
}

Tokens StepTimes::padded(Tokens tokens) const {
    if (!run_.meta.graphs) {
        return tokens;
    }
    const auto next = std::ranges::lower_bound(run_.meta.captureTokens, tokens);
    return next == run_.meta.captureTokens.end() ? tokens : *next;
}

StepParts StepTimes::of(const StepLoad& load) const {
    StepParts parts;
    const Tokens tokens = load.tokens();
    if (tokens == 0) {
        return parts;
    }
    const auto rows = static_cast<double>(padded(tokens));
    const auto sequences = static_cast<double>(load.sequences());
    for (const LinearCurve* curve : perLayer_) {
        parts.denseUs += layers_ * curve->at(rows);
    }
    for (const LinearCurve* curve : once_) {
        parts.denseUs += curve->at(rows);
    }
    parts.attentionUs = layers_ * attentionUs(load);
    parts.headUs = head_->at(sequences) + sampler_->at(sequences);
    parts.linksUs = linksUs(rows, sequences);
    return parts;
}

double StepTimes::uniformUs(const AttentionLoad& work) const {
    const AttentionGrid& grid = run_.tables.attention;
    if (work.chunkContext >= 0) {
        return grid.at(work);
    }
    AttentionLoad none = work;
    none.chunkContext = 0;
    AttentionLoad mirrored = work;
    mirrored.chunkContext = -work.chunkContext;
    const double atNone = grid.at(none);
    return std::max(0.0, atNone - (grid.at(mirrored) - atNone));
}

double StepTimes::attentionUs(const StepLoad& load) const {
    const AttentionLoad mean = jointWork(load);
    const double uniform = uniformUs(mean);
    if (!run_.tables.skew || load.decodes < 2 || load.mostContext == load.leastContext) {
        return uniform;
    }
    AttentionLoad most = mean;
    most.decodeContext = static_cast<double>(load.mostContext);
    const double alpha = run_.tables.skew->alphaOf({.chunk = mean.chunk,
                                                    .chunkContext = std::max(mean.chunkContext, 0.0),
                                                    .decodes = mean.decodes,
                                                    .least = static_cast<double>(load.leastContext),
                                                    .mean = mean.decodeContext,
                                                    .most = most.decodeContext});
    return std::max(0.0, uniform + alpha * std::max(0.0, uniformUs(most) - uniform));
}

double StepTimes::allReduceUs(double bytes) const {
    const auto ranks = static_cast<double>(run_.meta.tensorParallel);
    if (ranks < 2 || !run_.peer) {
        return 0;
    }
    const double rounds = 2 * (ranks - 1);
    const double messages = ranks == 2 && bytes <= mostExchangedBytes ? 1 : rounds;
    return usPerS * (messages * run_.peer->linkLatencyS + rounds * bytes / ranks / run_.peer->linkBytesPerS);
}

/// Returns the time of exchanges: after the embedding and twice per layer every rank needs the sum; at the
/// end all ranks' logits.
double StepTimes::linksUs(double tokens, double sequences) const {
    const auto ranks = static_cast<double>(run_.meta.tensorParallel);
    if (ranks < 2 || !run_.peer) {
        return 0;
    }
    const double bytes = run_.meta.valueBytes();
    const double logits = sequences * vocabulary_ / ranks * bytes;
    const double gather =
        (ranks - 1) * (run_.peer->linkLatencyS + logits / run_.peer->linkBytesPerS) * usPerS;
    return (2 * layers_ + 1) * allReduceUs(tokens * hidden_ * bytes) + gather;
}

} // namespace loadline
