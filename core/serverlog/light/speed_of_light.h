// The decoding rate that a device's memory bandwidth allows a model, and what was observed of it.
#pragma once

#include "core/base/result.h"
#include "core/cache/split/cache_model.h"
#include "core/cache/split/weights_read.h"
#include "core/cost/device/hardware.h"
#include "core/serverlog/server_log.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// A model that is in no table, by its own shapes.
struct OwnModel {
    std::string name;
    CacheModel model; ///< its key is `name`
};
/// Returns a model by its shapes, as the simulator takes them, too.
std::shared_ptr<const OwnModel> ownModelOf(const ModelShapes& shapes);

/// The model and the devices that serve: each field is the user's to change.
struct ServedOn {
    const CacheModel* model = nullptr; ///< null: not said
    double bitsPerWeight = 0;          ///< with scales: 4 bits in groups of 64 take 4.5; 0: not said
    double kvBytesPerValue = 2;
    std::string device = {}; ///< Hardware::key; "" not said
    double bandwidthGBs = 0; ///< of all devices together; 0: the device's times `devices`
    int devices = 0;         ///< that share each step (tensor parallelism); 0: not said, one
    /// How each part is kept, where bitsPerWeight is the mean of what a stream reads; null: all alike.
    const ReleasedBits* released = nullptr;
    std::shared_ptr<const ReleasedBits> parts = {}; ///< that `released` is, where it is of no table
    std::shared_ptr<const OwnModel> own = {};       ///< that `model` is of; null: it is of the table
    double weightsGBPerToken = 0;                   ///< read for each token of one stream; 0: by the model
    double kvBytesPerToken = 0;                     ///< of context, over all devices; 0: by the model

    [[nodiscard]] bool known() const {
        return ((model != nullptr && bitsPerWeight > 0) || weightsGBPerToken > 0) &&
               (bandwidthGBs > 0 || findHardware(device) != nullptr);
    }

    /// "gemma-3-12b at 4.5 bits a weight", "3.2 GB of weights a token".
    [[nodiscard]] std::string words() const;
};

/// Parts of a release that it keeps in different formats, and their mean over what one stream reads.
void takeReleased(ServedOn& served, const ReleasedBits& released);
/// The bits that a model's name tells, as a user gives it: of a release that keeps its parts in different
/// formats, those of its parts.
void takeNamed(ServedOn& served, std::string_view name);

/// Takes what is left open from the log: the model and its bits by the name it tells, or the bits that its
/// file tells; where neither does, as the model was released, else 16 bits for servers of data centres and
/// 4.5 for the others, which `assumption` says ("" nothing assumed). What is chosen against what the log
/// tells is said there too.
struct ServedOnLog {
    ServedOn served;
    std::string assumption;
};
ServedOnLog servedOnLog(ServedOn chosen, const ServerLog& log);

/// The model and bits that a model's name in a log contains ("mlx-community/gemma-3-12b-it-4bit"); null and 0
/// if it contains none that is known.
struct NamedModel {
    const CacheModel* model = nullptr;
    double bitsPerWeight = 0;
};
NamedModel modelNamed(std::string_view name);
/// Names of models that have its shape.
std::vector<std::string_view> otherNamesOf(const CacheModel& model);

/// A published rate of decoding one stream, on an empty context.
struct DecodePoint {
    std::string_view device; ///< as published: "M3-Max-40c"
    std::string_view maker;  ///< "Apple", "NVIDIA"
    double bandwidthGBs = 0;
    std::string_view what; ///< "Llama-2-7B Q4_0"
    double bitsPerWeight = 0;
    double weightGB = 0; ///< read for a token
    double tokensPerS = 0;
    bool experts = false;
    std::string_view source;

    /// Share of the bandwidth.
    [[nodiscard]] double efficiency() const { return tokensPerS * weightGB / bandwidthGBs; }
};

std::span<const DecodePoint> decodePoints();

/// The share of its bandwidth that decoding reaches, by published points of like hardware (the same maker,
/// bandwidth within a factor of 1.5) and like quantisation (up to 5.5 bits, up to 9, more; experts apart).
struct EfficiencyBand {
    double low = 0; ///< 0: no such point
    double high = 0;
    std::vector<const DecodePoint*> points;
};

/// `bandwidthGBs` of one device.
EfficiencyBand bandOf(const ServedOn& served, double bandwidthGBs);

/// A ceiling and what to expect below it.
class SpeedOfLight {
public:
    /// Precondition: served.known().
    explicit SpeedOfLight(ServedOn served);

    [[nodiscard]] const ServedOn& served() const { return served_; }

    /// Bandwidth of all devices together.
    [[nodiscard]] double bandwidthGBs() const { return bandwidthGBs_; }

    /// 1e9 bytes of weights that a step of `batch` sequences reads.
    [[nodiscard]] double weightsGB(double batch = 1) const;
    /// 1e9 bytes of KV cache that a sequence of `context` tokens reads in a step, on all devices together:
    /// a latent is kept by each of them, and a KV head by several where there are more devices than heads.
    [[nodiscard]] double kvGB(double context) const;
    /// Tokens/s of each of `batch` streams at `context` tokens each: bandwidth / (weights + batch x KV).
    /// `tokensPerStep` more than 1: speculative decoding.
    [[nodiscard]] double ceiling(double context, double batch = 1, double tokensPerStep = 1) const;

    [[nodiscard]] const EfficiencyBand& band() const { return band_; }

private:
    ServedOn served_;
    double bandwidthGBs_ = 0;
    EfficiencyBand band_;
};

/// The kind of record that a rate was observed of.
enum class RateSource : std::uint8_t { WholeRequest, Decode, Running, Interval, Step };

/// True if a request's decoding was timed apart from its prompt and its waiting.
bool timesDecoding(const LogRequest& request);

/// A rate of decoding that was observed, of one stream.
struct ObservedRate {
    LogLine where;
    double timeS = notTold;
    double tokensPerS = 0;
    double streams = 1; ///< that shared the step
    /// Tokens in the cache of each stream, between these; not told where the log says nothing. Prompts may
    /// be known between bounds, and their context grows while it is decoded, by `contextGrows`.
    double contextLow = notTold;
    double contextHigh = notTold;
    double contextGrows = 0;
    bool contextAtLeast = false; ///< contextLow is of the output alone: its prompt is not told
    double tokensPerStep = 1;    ///< by speculative decoding
    bool acceptanceTold = false; ///< tokensPerStep is of this line
    double kvUseEach = notTold;  ///< of the engine's KV cache, by each stream: grows as the context does
    double promptTokensPerS = notTold; ///< computed in the same time, for all streams together
    int engine = 0;                    ///< whose streams these are
    RateSource source = RateSource::Decode;
    double spanS = notTold;        ///< that the rate is a mean over, of lines of statistics
    bool atLeast = false;          ///< the time holds prefill or waiting too
    bool streamsTold = true;       ///< false: others may have shared the step; of lines: as many at both ends
    bool filled = true;            ///< false: none ran at the beginning of the line's time
    bool queued = false;           ///< requests waited at both ends: one that ends is replaced at once
    double overBothEnds = notTold; ///< of lines: over the mean of the streams at both ends
    double streamsAtEnds = notTold; ///< that mean
    double lowest = notTold;        ///< over the most that may have run, where others than told did
    double highest = notTold;       ///< over the fewest at either end; not told where that is none
};

/// Returns rates of requests that tell one, else of intervals without prefill: aggregate / running, never
/// total tokens over wall time. In the order of time; of lines, where the clock goes back.
std::vector<ObservedRate> observedRatesOf(const ServerLog& log);

} // namespace loadline
