// Kernel timings with where they come from: points, device, method.
#pragma once

#include "core/cost/kernel/attention_call.h"
#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// The origin of a time. Nothing measured elsewhere is ever `Measured`.
enum class PointOrigin : std::uint8_t {
    Measured,  ///< on this user's device, by this program
    Published, ///< measured elsewhere: by others, or by this program on another machine
    Modelled,  ///< calculated, by us or by the source
};
std::string_view keyOf(PointOrigin origin); ///< "measured", "published", "modelled"
std::optional<PointOrigin> pointOriginFromKey(std::string_view key);

/// Words in the source of timings that other programs took: "mine, imported from times.csv".
inline constexpr std::string_view importedFrom = "imported from ";

/// The flag of a point that a model of our kernels gave which no measured GPU was compared with: nobody knows
/// how far it is off, so it has no error bar. And the source of a profile of such points.
inline constexpr const char* unvalidatedFlag = "unvalidated";
inline constexpr const char* unvalidatedSource = "modelled, unvalidated: no measured GPU compared";

/// One timing: the median of one call.
struct ProfilePoint {
    Kernel kernel = Kernel::CublasFp16;
    GemmSize size;          ///< of one expert, for grouped kernels
    int experts = 1;        ///< active experts in the call; 1: dense
    std::int64_t rowsM = 1; ///< rows, per active expert; 0 for Dequantise, which has none
    int kBits = fp16Bits;   ///< fp16Bits for the fp16 kernels
    double timeUs = 0;
    std::optional<double> p25Us, p75Us; ///< quartiles of the samples
    std::optional<double> repeatUs;     ///< the same point timed again at another time
    int samples = 0;                    ///< 0: not known
    /// "noisy", "bimodal", "throttled", "interrupted", "drift", "implausible", "warm", "unvalidated"
    std::vector<std::string> flags;
    PointOrigin origin = PointOrigin::Measured;
    std::string source;                         ///< where it differs from the profile's; else empty
    std::optional<double> minUs = std::nullopt; ///< the shortest sample
    double clockMhz = 0;                        ///< median of the samples; 0: not known
    /// One call by itself with cold caches, timed for some points to see whether the other time is plausible.
    std::optional<double> isolatedUs = std::nullopt;
    /// The time that was thrown away, as the device drifted while it was taken: timeUs was taken again.
    std::optional<double> driftedUs = std::nullopt;
    /// Half of the 95 % interval of this time in another run on the same device, as a share of it (ln);
    /// from repeats and anchors within this run.
    std::optional<double> betweenRuns = std::nullopt;
    std::string name = {}; ///< of a kernel of one's own that stands for `kernel`; empty: that of its role
    bool operator==(const ProfilePoint&) const = default;
};

/// One timing of attention: the median of one call. Fields as in ProfilePoint.
struct AttentionTiming {
    AttentionCall call;
    double timeUs = 0;
    std::optional<double> minUs = std::nullopt, p25Us = std::nullopt, p75Us = std::nullopt;
    int samples = 0;
    double clockMhz = 0;
    std::vector<std::string> flags = {};
    PointOrigin origin = PointOrigin::Measured;
    bool operator==(const AttentionTiming&) const = default;
};

/// Provenance as it came: each key's value as JSON text, kept whole for the next reader.
using Facts = std::map<std::string, std::string>;

/// The largest M of a point, and the tallest tile.
inline constexpr std::int64_t mostTimedRows = std::int64_t{1} << 24;

/// True if a kernel's tiles may be so tall: `kernel` is a kernel's key, `rows` 1 .. mostTimedRows.
bool isRowTile(std::string_view kernel, double rows);

/// Timings of one device, taken in one way.
struct Profile {
    std::string name;     ///< "RTX 4090, published"
    std::string source;   ///< who measured, where and when; empty: this program on this machine
    std::string device;   ///< "NVIDIA GeForce RTX 4090"
    std::string hardware; ///< key of the hardware table ("RTX4090"); empty: not known
    std::string method;   ///< how the times were taken
    std::string date;     ///< as given, ISO 8601
    Facts deviceFacts, methodFacts, ceilings;
    std::map<std::string, int>
        rowTiles; ///< kernel key -> rows per tile: its times are steps of ceil(M / rows)
    std::vector<ProfilePoint> points;
    std::vector<AttentionTiming> attention = {}; ///< may be empty
    bool operator==(const Profile&) const = default;
};

/// True if any of the profile's points is unvalidated.
bool isUnvalidated(const Profile& profile);
/// True if the point is a model's: its time was calculated, and nothing was compared with it.
bool isUnvalidated(const ProfilePoint& point);

/// Returns the label of a profile beside others: its name; if that is only the device's, the device, the time
/// of the run and the program's commit ("AMD EPYC, 2026-11-25 20:41, 8a6fcf9").
std::string labelOf(const Profile& profile);

/// How far off a timing may be, as a share of it: `floor`, half the quartile range (above 0.25 no more than
/// ln(p75/p25) / 2), the distance to its repeat (|ln repeat/time|), its betweenRuns, the largest; 0 of an
/// unvalidated point.
double relativeErrorOf(const ProfilePoint& point, double floor = 0.02);
double relativeErrorOf(const AttentionTiming& point, double floor = 0.02);

/// Kernels with at least one point at this k (fp16 kernels: at any k).
std::vector<Kernel> kernelsIn(const Profile& profile, int kBits);

/// "measured: 108 points, 34 of them flagged (24 interrupted), on AMD EPYC": one line per origin among the
/// points, for window and exports.
std::vector<std::string> provenanceLines(const Profile& profile);

} // namespace loadline
