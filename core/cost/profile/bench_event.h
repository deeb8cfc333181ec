// Progress events of `loadline bench --json-lines`: one value per line, written and read here.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace loadline {

// Each line is one JSON object without line breaks: {"event": NAME, ...}. Readers ignore keys they do not
// know and lines whose event they do not know. A run tells device and plan, then ceiling, point,
// attention_point and check_failed as they come, progress and remark at any time, at the end done or failed,
// once.

/// A device: the one that is measured, or one of those that `bench --list` names. Event "device".
struct BenchDevice {
    std::string key;         ///< "host", "cuda:0"
    std::string name;        ///< "NVIDIA H100 80GB HBM3"
    std::string hardware;    ///< key of the hardware table; empty: not in it
    std::string unavailable; ///< why nothing can be timed on it; empty: it can
    bool madeUp = false;     ///< its figures are invented: for demonstrations and tests
    Facts facts;             ///< provenance
    bool operator==(const BenchDevice&) const = default;
};

/// A GPU whose kernels others measured; their times come with the program. `bench --list` names it.
struct AtlasDevice {
    std::string key;      ///< as --profile takes it: "h100-sxm"
    std::string name;     ///< "NVIDIA H100 80GB HBM3"
    std::string hardware; ///< key of the hardware table
    std::uint64_t tables = 0;
    std::uint64_t times = 0;                ///< that were measured
    std::vector<std::string> engines = {};  ///< whose kernels: "vllm 0.24.0"
    std::string date = {};                  ///< of the newest snapshot: "2026-08-21"
    std::vector<std::string> problems = {}; ///< sentences on damaged tables
    bool operator==(const AtlasDevice&) const = default;
};

/// The source of every profile of a made-up device.
inline constexpr const char* madeUpSource = "figures invented by Loadline's made-up device, not measured";

/// The measurements that follow. Event "plan".
struct BenchPlan {
    std::string name = {}; ///< of the profile, where the user gave one
    std::string date;      ///< of the beginning, ISO 8601, UTC
    std::string preset;    ///< "quick", "standard", "thorough"
    std::string shapes;    ///< name of the model
    std::vector<int> kBits;
    std::uint64_t points = 0;                 ///< timings, repeats and anchors included
    std::uint64_t checks = 0;                 ///< comparisons with the reference before the first of them
    double seconds = 0;                       ///< guessed
    std::vector<std::string> leftOut;         ///< too long for the preset, in words
    Facts facts = {};                         ///< of the method, as far as they are known before
    std::map<std::string, int> rowTiles = {}; ///< as in the profile
    bool operator==(const BenchPlan&) const = default;
};

/// A measured bound of all kernels, under its name in the profile ("read_gb_s"). Event "ceiling".
struct BenchCeiling {
    std::string name;
    double value = 0;
    bool operator==(const BenchCeiling&) const = default;
};

/// How far the run is; told before each check and each point. Event "progress".
struct BenchProgress {
    std::string doing; ///< "timing MMA, 2048x5120, k = 4, M = 8"
    std::uint64_t done = 0;
    std::uint64_t total = 0;
    double secondsSpent = 0;
    double secondsLeft = 0; ///< from the pace so far
    bool operator==(const BenchProgress&) const = default;
};

/// One sample of a point.
struct BenchSample {
    double us = 0;
    double clockMhz = 0; ///< 0: the device does not tell
    bool operator==(const BenchSample&) const = default;
};

/// A point with its samples of this visit. The same point may come again (a later pass, a repeat): the newer
/// one replaces the older; one without samples replaces the point alone. Event "point".
struct BenchPoint {
    ProfilePoint point;
    std::vector<BenchSample> samples; ///< those that do not count included
    int dropped = 0; ///< of these, not counted: the clock was too low, or other programs ran meanwhile
    bool operator==(const BenchPoint&) const = default;
};

/// A timing of attention. The newer one of the same call replaces the older. Event "attention_point".
struct BenchAttentionTiming {
    AttentionTiming point;
    bool operator==(const BenchAttentionTiming&) const = default;
};

/// A kernel that gave a wrong result and is therefore not timed at this k and shape. Event "check_failed".
struct BenchCheckFailure {
    Kernel kernel = Kernel::CublasFp16;
    GemmSize size;
    int experts = 1;
    std::int64_t rowsM = 1;
    int kBits = fp16Bits;
    std::string what;
    bool operator==(const BenchCheckFailure&) const = default;
};

/// Something odd, or worth knowing, in a sentence. Event "remark".
struct BenchRemark {
    std::string sentence;
    bool operator==(const BenchRemark&) const = default;
};

/// The run is over and gave a profile, whole or cut. Event "done".
struct BenchDone {
    Profile profile;
    std::string path; ///< of the file it was written to; empty: to none
    std::string cut;  ///< why it is not complete ("stopped by the user"); empty: it is
    bool operator==(const BenchDone&) const = default;
};

/// The run is over without a profile. Event "failed".
struct BenchFailed {
    Error error;
    bool operator==(const BenchFailed&) const = default;
};

using BenchEvent = std::variant<BenchDevice, BenchPlan, BenchCeiling, BenchProgress, BenchPoint,
                                BenchAttentionTiming, BenchCheckFailure, BenchRemark, BenchDone, BenchFailed>;

/// One line, ended by a line break.
std::string toJsonLine(const BenchEvent& event);
/// The document "loadline.devices/1".
std::string devicesDocument(std::vector<BenchDevice> devices, const std::vector<std::string>& remarks,
                            const std::vector<AtlasDevice>& atlas);
/// The Error says what is wrong with the line. An event of another name is an Error too: the reader passes
/// on.
Result<BenchEvent> benchEventFromJson(std::string_view line);

} // namespace loadline
