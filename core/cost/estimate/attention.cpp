// Bytes of the KV cache; attention by table or roofline; the whole step.
#include "core/cost/estimate/attention.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

double bytesPerTokenAndLayer(const AttentionFacts& facts, double bytesPerValue) {
    const double values =
        facts.latentValues > 0 ? facts.latentValues : 2 * static_cast<double>(facts.kvHeads) * facts.headDim;
    return values * bytesPerValue;
}

int windowLayers(const AttentionFacts& facts) {
    return facts.kind == AttentionKind::SlidingWindow ? facts.layers - facts.fullLayers : 0;
}

AttentionHeads headsOf(const AttentionFacts& facts) {
    return {.qHeads = facts.qHeads, .kvHeads = facts.kvHeads, .headDim = facts.headDim};
}

TimeEstimate sum(const TimeEstimate& a, const TimeEstimate& b) {
    const double us = a.us + b.us;
    const double error = std::hypot(a.us * a.relativeError, b.us * b.relativeError);
    if (us <= 0) {
        return a;
    }
    const auto& worse = a.us <= 0 ? b : b.us <= 0 ? a : a.kind > b.kind ? a : b;
    return {.us = us, .relativeError = error / us, .kind = worse.kind, .origin = worse.origin};
}

} // namespace

double kvBytesPerToken(const AttentionFacts& facts, double bytesPerValue) {
    return facts.fullLayers * bytesPerTokenAndLayer(facts, bytesPerValue);
}

double windowBytesPerToken(const AttentionFacts& facts, double bytesPerValue) {
    return windowLayers(facts) * bytesPerTokenAndLayer(facts, bytesPerValue);
}

double kvBytes(const AttentionFacts& facts, double context, double bytesPerValue) {
    const double windowed = std::min(context, static_cast<double>(facts.window));
    return context * kvBytesPerToken(facts, bytesPerValue) +
           windowed * windowBytesPerToken(facts, bytesPerValue) + facts.stateBytes;
}

double weightBytes(const ModelShapes& model, const Format& format) {
    double bytes = static_cast<double>(model.embeddingWeights) * bytesEach(Storage::Fp16);
    for (const LayerGemm& gemm : model.gemms) {
        bytes += gemm.size.elements() * gemm.calls() * std::max(gemm.experts, 1) *
                 bytesEach(gemm.quantised ? format.of(gemm.grouped()) : Storage::Fp16);
    }
    return bytes;
}

Tokens kvCapacityTokens(const ModelShapes& model, const Format& format, double memoryBytes,
                        double utilisation, double context) {
    if (!model.attention) {
        return 0;
    }
    const AttentionFacts& facts = *model.attention;
    const double ofValue = bytesEach(format.kv);
    const double perToken =
        std::isfinite(context) ? kvBytes(facts, context, ofValue) / context : kvBytesPerToken(facts, ofValue);
    const double room = memoryBytes * utilisation - weightBytes(model, format);
    if (!(perToken > 0) || !(room > 0)) {
        return 0;
    }
    return std::min(static_cast<Tokens>(room / perToken), maxTokensPerCount);
}

AttentionModel::AttentionModel(const AttentionFacts& facts, Hardware hardware,
                               const AttentionOptions& options, std::shared_ptr<const AttentionTable> table)
    : facts_(facts), hardware_(std::move(hardware)), options_(options), table_(std::move(table)) {}

AttentionModel::AttentionModel(const AttentionFacts& facts, Hardware hardware,
                               std::shared_ptr<const EngineAttention> engine)
    : facts_(facts), hardware_(std::move(hardware)), engine_(std::move(engine)) {}

double AttentionModel::pairs(double context, double newTokens, double window) const {
    // Query i (from 1) sees context + i keys, at most `window`.
    const double free = std::clamp(window - context, 0.0, newTokens); // queries that see all before them
    return context * free + free * (free + 1) / 2 + window * (newTokens - free);
}

void AttentionModel::addDecode(AttentionWork& work, double context) const {
    work.decodes += 1;
    work.decodeContext += std::max(context, 1.0);
    work.decodeWindow += std::clamp(context, 1.0, std::max(static_cast<double>(facts_.window), 1.0));
}

void AttentionModel::addDecodes(AttentionWork& work, std::int64_t count, double context) const {
    work.decodes += static_cast<double>(count);
    work.decodeContext += context;
    work.decodeWindow += static_cast<double>(count);
}

void AttentionModel::addPrefill(AttentionWork& work, double context, double newTokens) const {
    if (!(newTokens > 0)) {
        return;
    }
    context = std::max(context, 0.0);
    if (engine_) {
        const TimeEstimate time = engine_->prefill(newTokens, context);
        work.prefills += 1;
        work.prefillsBeyond += time.kind == EstimateKind::Modelled ? 1 : 0;
        work.prefillTableUs += time.us;
        work.prefillTableErrorUs += time.us * time.relativeError;
        work.prefillModelledUs += time.kind == EstimateKind::Modelled ? time.us : 0;
        return;
    }
    const double all = context + newTokens;
    const auto window = static_cast<double>(facts_.window);
    const double fullPairs = pairs(context, newTokens, all);
    const double windowPairs = windowLayers(facts_) > 0 ? pairs(context, newTokens, window) : 0;
    work.prefills += 1;
    work.prefillBytes += bytesPerTokenAndLayer(facts_, options_.bytesPerValue) *
                         (all * facts_.fullLayers + std::min(all, window + newTokens) * windowLayers(facts_));
    work.prefillFlop += attentionFlopPerPair * facts_.qHeads * facts_.headDim *
                        (fullPairs * facts_.fullLayers + windowPairs * windowLayers(facts_));
    if (!table_) {
        return;
    }
    if (const auto timed = timeIn(table_->prefill, headsOf(facts_), 1, newTokens)) {
        const double t0 = std::min(options_.prefillT0Us, timed->y / 2);
        const double own = newTokens * (newTokens + 1) / 2;
        const double us = facts_.fullLayers * (t0 + (timed->y - t0) * fullPairs / own) +
                          windowLayers(facts_) * (t0 + (timed->y - t0) * windowPairs / own);
        work.prefillTableUs += us;
        work.prefillTableErrorUs +=
            us * (context > 0 ? std::max(timed->error, options_.relativeError) : timed->error);
    } else if (const auto edge = edgeIn(table_->prefill, headsOf(facts_), 1, newTokens)) {
        const double edgePairs = edge->tokens * (edge->tokens + 1) / 2;
        const double scale = edge->time.y / prefillLayerUs(edge->tokens, edgePairs);
        const double us =
            scale * (facts_.fullLayers * prefillLayerUs(all, fullPairs) +
                     windowLayers(facts_) * prefillLayerUs(std::min(all, window + newTokens), windowPairs));
        work.prefillsBeyond += 1;
        work.prefillTableUs += us;
        work.prefillTableErrorUs += us * std::max(edge->time.error, options_.relativeError);
    }
}

double AttentionModel::decodeLayerUs(double tokens) const {
    return options_.decodeT0Us + tokens * bytesPerTokenAndLayer(facts_, options_.bytesPerValue) /
                                     (options_.bandwidthShare * hardware_.bandwidthGbS * bytesPerUsOfGbS);
}

double AttentionModel::prefillLayerUs(double tokens, double pairs) const {
    const double bytes = tokens * bytesPerTokenAndLayer(facts_, options_.bytesPerValue);
    const double flop = attentionFlopPerPair * facts_.qHeads * facts_.headDim * pairs;
    return options_.prefillT0Us +
           std::max(bytes / (options_.bandwidthShare * hardware_.bandwidthGbS * bytesPerUsOfGbS),
                    flop / (options_.peakShare * hardware_.fp16Tflops * flopPerUsOfTflops));
}

TimeEstimate AttentionModel::decodeTime(const AttentionWork& work) const {
    const int sliding = windowLayers(facts_);
    const double context = work.decodeContext / work.decodes;
    if (engine_) {
        return engine_->decode(work.decodes, context + 1);
    }
    TimeEstimate modelled{.us = facts_.fullLayers * decodeLayerUs(work.decodeContext) +
                                sliding * decodeLayerUs(work.decodeWindow),
                          .relativeError = options_.relativeError};
    if (!table_) {
        return modelled;
    }
    const auto full = timeIn(table_->decode, headsOf(facts_), work.decodes, context);
    const auto window =
        timeIn(table_->decode, headsOf(facts_), work.decodes, work.decodeWindow / work.decodes);
    if (full && (window || sliding == 0)) {
        const double fullUs = full->y * facts_.fullLayers;
        const double windowUs = sliding == 0 ? 0 : window->y * sliding;
        const double error = sliding == 0 ? full->error : std::max(full->error, window->error);
        return {.us = fullUs + windowUs,
                .relativeError = error,
                .kind = full->exact ? EstimateKind::AtPoint : EstimateKind::Interpolated,
                .origin = table_->origin};
    }
    if (const auto edge = edgeIn(table_->decode, headsOf(facts_), work.decodes, context)) {
        modelled.us *= edge->time.y / decodeLayerUs(edge->batch * edge->tokens);
        modelled.relativeError = std::max(modelled.relativeError, edge->time.error);
    }
    return modelled;
}

TimeEstimate AttentionModel::recurrentTime(const AttentionWork& work) const {
    if (!(facts_.stateBytes > 0) || engine_) {
        return {.us = 0};
    }
    const int layers = facts_.layers - facts_.fullLayers - windowLayers(facts_);
    return {.us = layers * options_.decodeT0Us +
                  work.decodes * facts_.stateBytes /
                      (options_.bandwidthShare * hardware_.bandwidthGbS * bytesPerUsOfGbS),
            .relativeError = options_.relativeError};
}

TimeEstimate AttentionModel::prefillTime(const AttentionWork& work) const {
    if (work.prefillTableUs > 0) {
        const bool beyond = work.prefillsBeyond > 0;
        return {.us = work.prefillTableUs,
                .relativeError = work.prefillTableErrorUs / work.prefillTableUs,
                .kind = beyond ? EstimateKind::Modelled : EstimateKind::Interpolated,
                .origin = beyond    ? PointOrigin::Modelled
                          : engine_ ? PointOrigin::Published
                                    : table_->origin};
    }
    const double bytesUs =
        work.prefillBytes / (options_.bandwidthShare * hardware_.bandwidthGbS * bytesPerUsOfGbS);
    const double flopUs = work.prefillFlop / (options_.peakShare * hardware_.fp16Tflops * flopPerUsOfTflops);
    return {.us =
                (facts_.fullLayers + windowLayers(facts_)) * options_.prefillT0Us + std::max(bytesUs, flopUs),
            .relativeError = options_.relativeError};
}

TimeEstimate AttentionModel::time(const AttentionWork& work) const {
    TimeEstimate total{
        .us = 0, .relativeError = 0, .kind = EstimateKind::AtPoint, .origin = PointOrigin::Measured};
    if (work.decodes > 0) {
        total = sum(sum(total, decodeTime(work)), recurrentTime(work));
    }
    if (work.prefills > 0) {
        total = sum(total, prefillTime(work));
    }
    return total;
}

AttentionModel::Times AttentionModel::times(const AttentionWork& work) const {
    Times times{.us = 0, .modelledUs = work.prefillModelledUs};
    if (work.decodes > 0) {
        const TimeEstimate decode = decodeTime(work);
        times.us = decode.us + recurrentTime(work).us;
        times.modelledUs += engine_ && decode.kind == EstimateKind::Modelled ? decode.us : 0;
    }
    times.us = work.prefills > 0 ? times.us + prefillTime(work).us : times.us;
    return times;
}

TimeEstimate wholeStep(const TimeEstimate& gemms, const TimeEstimate& attention, const HostOverhead& host,
                       double sequences) {
    TimeEstimate total = sum(gemms, attention);
    const double hostUs = std::max(host.perStepUs, 0.0) + std::max(host.perSequenceUs, 0.0) * sequences;
    if (total.us + hostUs > 0) {
        total.relativeError *= total.us / (total.us + hostUs);
    }
    total.us += hostUs;
    return total;
}

} // namespace loadline
