// Attention of a step against context, the KV cache's bytes, and the whole step beside its GEMMs.
#pragma once

#include "core/base/tokens.h"
#include "core/cost/estimate/attention_table.h"
#include "core/cost/estimate/engine_times.h"
#include "core/cost/estimate/kernel_times.h"
#include "core/cost/shapes/shapes.h"

#include <limits>
#include <memory>

namespace loadline {

/// Bytes one more token of a long sequence adds: 2 (K and V) x layers that see the whole context x KV heads x
/// head size x bytes per value; of a latent (MLA) layers x its values x bytes per value.
double kvBytesPerToken(const AttentionFacts& facts, double bytesPerValue = 2);

/// Bytes one more token adds in the layers that keep a window, while it is not full.
double windowBytesPerToken(const AttentionFacts& facts, double bytesPerValue = 2);

/// Bytes a sequence of `context` tokens holds: the above, the window of the other layers, the recurrent
/// state.
double kvBytes(const AttentionFacts& facts, double context, double bytesPerValue = 2);

/// Bytes of the weights in a format. Embedding included, norms not.
double weightBytes(const ModelShapes& model, const Format& format);

/// Returns how many tokens of KV fit beside the weights, in sequences of `context` tokens each: (memory x
/// utilisation - weights) / (kvBytes / context), at least 0; 0 if the model's attention is not known. Of
/// sequences without end windows and states take nothing. `memoryBytes` of the device.
Tokens kvCapacityTokens(const ModelShapes& model, const Format& format, double memoryBytes,
                        double utilisation = 0.9, double context = std::numeric_limits<double>::infinity());

/// The bytes and arithmetic of one step's attention; sums over its sequences (start from {}).
struct AttentionWork {
    double decodes = 0;       ///< sequences with one new token
    double decodeContext = 0; ///< tokens they have in the cache, all together
    double decodeWindow = 0;  ///< the same, each held to the window
    double prefills = 0;      ///< sequences with a chunk of a prompt
    double prefillBytes = 0;  ///< of KV they read, all layers
    double prefillFlop = 0;
    double prefillTableUs = 0; ///< their time by the table, where it knows the heads, or by the engine
    double prefillsBeyond = 0; ///< of them, longer than what was timed
    double prefillTableErrorUs = 0;
    double prefillModelledUs = 0; ///< of an engine's: behind a cached prefix, or beyond what was timed
};

/// How attention is timed. Without a table that knows the model's heads: t0 + max(bytes / (f BW), FLOP /
/// (g peak)) for decode and for prefill of each layer. The defaults are the medians of AIConfigurator's H100
/// tables (decode above 0.3 GB: f 0.865, p5 to p90 0.62 to 0.92, small ones 11.6 us; prefill above 0.5 TFLOP:
/// g 0.53, p5 to p90 0.33 to 0.67, small ones 14.1 us), taken for other devices too.
struct AttentionOptions {
    double decodeT0Us = 11.6;
    double bandwidthShare = 0.865;
    double prefillT0Us = 14.1;
    double peakShare = 0.53;
    double relativeError = 0.3;
    double bytesPerValue = 2; ///< of the KV cache
    bool operator==(const AttentionOptions&) const = default;
};

/// The attention of a model on a device.
class AttentionModel {
public:
    AttentionModel(const AttentionFacts& facts, Hardware hardware, const AttentionOptions& options = {},
                   std::shared_ptr<const AttentionTable> table = nullptr);

    /// Takes every time from an engine's kernels.
    AttentionModel(const AttentionFacts& facts, Hardware hardware,
                   std::shared_ptr<const EngineAttention> engine);

    /// One sequence that decodes a token on top of `context` tokens.
    void addDecode(AttentionWork& work, double context) const;
    /// `count` sequences that decode on top of `context` tokens together, one or more each. Precondition:
    /// !tellsWindows().
    void addDecodes(AttentionWork& work, std::int64_t count, double context) const;

    /// True if the context of each sequence counts apart: layers have a window, and their bytes are modelled.
    [[nodiscard]] bool tellsWindows() const { return facts_.window > 1 && !engine_; }

    /// One sequence that prefills `newTokens` on top of `context` tokens in the cache. With a table, whose
    /// prompts have nothing in the cache, the time grows with the query-key pairs: t0 + (t - t0) x pairs /
    /// pairs without cache. A chunk longer than the timed ones takes its roofline, scaled as the longest
    /// timed one is to its own.
    void addPrefill(AttentionWork& work, double context, double newTokens) const;
    /// All layers. Zero work takes no time. From a table decode takes the batch at its mean context; outside
    /// of it the roofline, scaled as the nearest timed batch and context are to theirs. Recurrent layers,
    /// which no table has, are modelled.
    [[nodiscard]] TimeEstimate time(const AttentionWork& work) const;
    /// Returns time() without its error bar.
    [[nodiscard]] double us(const AttentionWork& work) const { return times(work).us; }

    /// Microseconds, and of them those that an engine's tables do not hold; without an engine none is told.
    struct Times {
        double us = 0;
        double modelledUs = 0;
    };
    [[nodiscard]] Times times(const AttentionWork& work) const;

private:
    [[nodiscard]] double pairs(double context, double newTokens, double window) const;
    [[nodiscard]] double decodeLayerUs(double tokens) const;
    [[nodiscard]] double prefillLayerUs(double tokens, double pairs) const;
    [[nodiscard]] TimeEstimate decodeTime(const AttentionWork& work) const;
    [[nodiscard]] TimeEstimate recurrentTime(const AttentionWork& work) const;
    [[nodiscard]] TimeEstimate prefillTime(const AttentionWork& work) const;

    AttentionFacts facts_;
    Hardware hardware_;
    AttentionOptions options_;
    std::shared_ptr<const AttentionTable> table_;
    std::shared_ptr<const EngineAttention> engine_;
};

/// Time of a step besides GEMMs and attention. Nothing is assumed: the defaults are 0, because no figure is
/// published with the timings; an engine's own measurement belongs here.
struct HostOverhead {
    double perStepUs = 0;     ///< scheduling, launch, sampling of the batch
    double perSequenceUs = 0; ///< for each sequence in it
    bool operator==(const HostOverhead&) const = default;
};

/// GEMMs + attention + host. The error bars of GEMMs and attention add in squares; the host's is none.
TimeEstimate wholeStep(const TimeEstimate& gemms, const TimeEstimate& attention, const HostOverhead& host,
                       double sequences);

} // namespace loadline
