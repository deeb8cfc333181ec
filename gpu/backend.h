// The interface of a device that can time kernels: this machine's CPU, a GPU, or a made-up one.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace loadline::gpu {

/// A device as it is listed before anything is run.
struct DeviceInfo {
    std::string key;         ///< "host", "cuda:0"
    std::string name;        ///< "NVIDIA H100 80GB HBM3"
    std::string hardware;    ///< key of core's hardware table; empty: not in it
    std::string unavailable; ///< why nothing can be timed on it, and what would help; empty: it can
    std::int64_t lastLevelCacheBytes = 0;
    std::int64_t freeMemoryBytes = 0;
    int mostCopies = 64;  ///< of the weights, for rotation
    bool replays = false; ///< records the calls of a sample once: each sample begins at the first copy
    bool madeUp = false;  ///< its times are invented: no profile of it counts as measured
    Facts facts;          ///< provenance, values as JSON text
    bool operator==(const DeviceInfo&) const = default;
};

/// One call to be timed.
struct PointSpec {
    Kernel kernel = Kernel::CublasFp16; ///< of a pair (partsOf), both kernels are one call
    GemmSize size;
    int experts = 1;        ///< active experts; 1: dense
    std::int64_t rowsM = 1; ///< rows, per active expert; 0 for Dequantise
    int kBits = fp16Bits;
    auto operator<=>(const PointSpec&) const = default;
};

/// How the buffers of a point rotate so that the cache condition is the same for every kernel.
struct Rotation {
    int copies = 2; ///< of the weights
    int calls = 8;  ///< timed together, each on the next copy
    bool operator==(const Rotation&) const = default;
};

/// One timing: all calls of a rotation, divided by their number.
struct Sample {
    double us = 0;       ///< of one call
    double clockMhz = 0; ///< read while it ran; 0: the device does not tell
    /// Share of the time that its threads ran, the least of any: below 1 where a CPU was given to another
    /// program in between. 1 of devices that run nothing else.
    double ranShare = 1;
    bool operator==(const Sample&) const = default;
};

/// Outcome of comparing a kernel with a float64 reference of the same codes.
struct CheckOutcome {
    bool passed = false;
    double relativeError = 0; ///< ||difference|| / ||reference||
    std::string what;         ///< in words, where it did not pass
};

/// A point whose buffers are in place.
class PreparedPoint {
public:
    virtual ~PreparedPoint() = default;
    PreparedPoint() = default;
    PreparedPoint(const PreparedPoint&) = delete;
    PreparedPoint& operator=(const PreparedPoint&) = delete;

    /// Runs the rotation once and times it. The Error ends the run: the device is in an unknown state.
    virtual Result<Sample> sample() = 0;
    /// One call by itself with cold caches, in microseconds, less what timing nothing takes. Nothing where
    /// the device cannot.
    virtual Result<std::optional<double>> isolatedUs() { return std::optional<double>(); }
    /// Compares what the last sample computed with float64, as far as the device can be asked for it: sampled
    /// rows of the weights at their full size. The Error ends the run.
    virtual Result<CheckOutcome> checkOutput() { return CheckOutcome{true, 0, ""}; }
};

/// One device. Not thread-safe; calls block for as long as the device takes.
class Backend {
public:
    virtual ~Backend() = default;
    Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    [[nodiscard]] virtual DeviceInfo device() const = 0;
    /// True if the device has this kernel at this size; false for M beyond what the kernel was made for. A
    /// pair's first kernel writes fp16 weights to one place, whichever copy it reads, and its second reads
    /// them there: as an engine does, which keeps one such buffer for all layers. What the caches hold of it,
    /// they hold there too.
    [[nodiscard]] virtual bool supports(const PointSpec& point) const = 0;
    /// A guess of one call's time, for planning; it never enters a profile.
    [[nodiscard]] virtual double guessUs(const PointSpec& point) const = 0;
    /// Bytes of one copy of the point's weights.
    [[nodiscard]] virtual double weightBytes(const PointSpec& point) const = 0;

    /// Rates that bound all kernels, measured: "read_gb_s", "copy_gb_s", "gemm_tflop_s", "empty_call_us" ...
    virtual Result<Facts> measureCeilings(const std::stop_token& stop) = 0;
    /// Works the device until its clock has settled or `mostMs` have passed; the clock in MHz, 0 if unknown.
    virtual Result<double> warmUp(double mostMs, const std::stop_token& stop) = 0;
    /// Fresh random inputs, poisoned output, guard words; the same codes in float64 beside it.
    virtual Result<CheckOutcome> check(const PointSpec& point, std::uint64_t seed) = 0;
    virtual Result<std::unique_ptr<PreparedPoint>> prepare(const PointSpec& point,
                                                           const Rotation& rotation) = 0;

    // Attention; a device that has no kernel of it leaves these as they are.
    [[nodiscard]] virtual bool supportsAttention(const AttentionCall&) const { return false; }
    [[nodiscard]] virtual double guessAttentionUs(const AttentionCall&) const { return 0; }
    /// Checks attention as check() does points: random queries, keys and values, the same in float64 beside
    /// it.
    virtual Result<CheckOutcome> checkAttention(const AttentionCall& call, std::uint64_t seed);
    /// Prepares a call of attention; the contexts rotate.
    virtual Result<std::unique_ptr<PreparedPoint>> prepareAttention(const AttentionCall& call,
                                                                    const Rotation& rotation);
    [[nodiscard]] virtual std::string attentionName(AttentionPhase) const { return ""; }

    /// The kernel's name on this device, for people ("AVX-512 dequantise and multiply").
    [[nodiscard]] virtual std::string kernelName(Kernel kernel) const = 0;
    /// Rows per tile where times are steps of ceil(M / rows); 0: they are not.
    [[nodiscard]] virtual int rowTile(Kernel) const { return 0; }
    /// Anything odd since the last call ("throttled: power"); asked between points.
    virtual std::vector<std::string> oddities() { return {}; }
    /// Returns the state of the device since it was opened (temperature, power), for the method facts.
    [[nodiscard]] virtual Facts conditions() const { return {}; }
};

} // namespace loadline::gpu
