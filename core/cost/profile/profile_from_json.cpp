// Reads "loadline.profile/1" and says what is wrong with it.
#include "core/base/read_json.h"
#include "core/cost/kernel/time_limits.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <set>
#include <tuple>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t maxExperts = 1 << 16;
constexpr std::int64_t maxSamples = 1'000'000'000;

/// The reading of one document: the first thing that is wrong ends it.
class ProfileReader {
public:
    explicit ProfileReader(const std::string& path) : path_(path) {}

    Result<Profile> read(std::string_view text) {
        const Json document = jsonFrom(text);
        if (document.is_discarded() || !document.is_object()) {
            return failed(document.is_discarded() ? "it is not JSON" : "it is not a JSON object");
        }
        if (textOf(document, "schema") != "loadline.profile/1") {
            fail("its \"schema\" is not \"loadline.profile/1\""); // unless it is not even text
            return *error_;
        }
        Profile profile;
        profile.name = textOf(document, "name");
        profile.source = textOf(document, "source");
        readOrigin(document, defaultOrigin_);
        readDevice(document, profile);
        readMethod(document, profile);
        profile.ceilings = factsOf(document, "ceilings", {});
        const auto points = document.find("points");
        if (!error_ && (points == document.end() || !points->is_array() || points->empty())) {
            fail("its \"points\" are missing or empty");
        }
        if (error_) {
            return *error_;
        }
        profile.points.reserve(points->size());
        for (const Json& entry : *points) {
            ++point_;
            profile.points.push_back(readPoint(entry));
            if (error_) {
                return *error_;
            }
        }
        readAttention(document, profile);
        if (error_) {
            return *error_;
        }
        return profile;
    }

    Result<AttentionTiming> readOneOfAttention(std::string_view text) {
        point_ = 1;
        AttentionTiming point = readAttentionTiming(jsonFrom(text));
        if (error_) {
            return *error_;
        }
        return point;
    }

    Result<ProfilePoint> readOne(std::string_view text) {
        const Json entry = jsonFrom(text);
        point_ = 1;
        ProfilePoint point = readPoint(entry);
        if (error_) {
            return *error_;
        }
        return point;
    }

private:
    [[nodiscard]] Error failed(const std::string& what) const {
        return {.what = "not a profile: " +
                        (point_ > 0 ? fmt::format("{}point {}: {}", part_, point_, what) : what),
                .where = path_,
                .remedy = "a file written by `loadline bench --out`"};
    }

    void fail(const std::string& what) {
        if (!error_) {
            error_ = failed(what);
        }
    }

    std::string textOf(const Json& object, const char* key) {
        const auto found = object.find(key);
        if (found == object.end()) {
            return "";
        }
        if (!found->is_string()) {
            fail(fmt::format("\"{}\" is not text", key));
            return "";
        }
        return found->get<std::string>();
    }

    void readOrigin(const Json& object, PointOrigin& origin) {
        const std::string key = textOf(object, "origin");
        if (key.empty()) {
            return;
        }
        if (const auto known = pointOriginFromKey(key)) {
            origin = *known;
        } else {
            fail(fmt::format("origin \"{}\" is not measured, published or modelled", key));
        }
    }

    Facts factsOf(const Json& document, const char* key, const std::set<std::string>& readElsewhere) {
        Facts facts;
        const auto part = document.find(key);
        if (part == document.end()) {
            return facts;
        }
        if (!part->is_object()) {
            fail(fmt::format("\"{}\" is not an object", key));
            return facts;
        }
        for (const auto& [name, value] : part->items()) {
            if (!readElsewhere.contains(name)) {
                facts[name] = compactJson(value);
            }
        }
        return facts;
    }

    void readDevice(const Json& document, Profile& profile) {
        profile.deviceFacts = factsOf(document, "device", {"name", "hardware"});
        if (!error_ && document.contains("device")) {
            profile.device = textOf(document["device"], "name");
            profile.hardware = textOf(document["device"], "hardware");
        }
    }

    void readMethod(const Json& document, Profile& profile) {
        profile.methodFacts = factsOf(document, "method", {"name", "date", "row_tiles"});
        if (error_ || !document.contains("method")) {
            return;
        }
        const Json& method = document["method"];
        profile.method = textOf(method, "name");
        profile.date = textOf(method, "date");
        const auto tiles = method.find("row_tiles");
        if (tiles == method.end()) {
            return;
        }
        if (!tiles->is_object()) {
            fail("\"row_tiles\" is not an object");
            return;
        }
        for (const auto& [name, rows] : tiles->items()) {
            if (!rows.is_number_integer() || !isRowTile(name, rows.get<double>())) {
                fail(fmt::format("\"row_tiles.{}\" is not a kernel with a number of rows", name));
                return;
            }
            profile.rowTiles[name] = rows.get<int>();
        }
    }

    std::int64_t whole(const Json& entry, const char* key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> otherwise) {
        const auto found = entry.find(key);
        if (found == entry.end() && otherwise) {
            return *otherwise;
        }
        const bool number = found != entry.end() && found->is_number_integer();
        const double value = number ? found->get<double>() : -1;
        if (!number || value < static_cast<double>(low) || value > static_cast<double>(high)) {
            fail(fmt::format("\"{}\" is not a whole number from {} to {}", key, low, high));
            return low;
        }
        return found->get<std::int64_t>();
    }

    std::optional<double> time(const Json& entry, const char* key) {
        const auto found = entry.find(key);
        if (found == entry.end() || found->is_null()) {
            return std::nullopt;
        }
        const double value = found->is_number() ? found->get<double>() : 0;
        if (!isKernelTime(value)) {
            fail(fmt::format("\"{}\" is not a number above 0, up to {:g}", key, mostTimeUs));
            return std::nullopt;
        }
        return value;
    }

    ProfilePoint readPoint(const Json& entry) {
        ProfilePoint point;
        if (!entry.is_object()) {
            fail("it is not an object");
            return point;
        }
        const std::string kernel = textOf(entry, "kernel");
        const auto known = kernelFromKey(kernel);
        const std::string shape = textOf(entry, "shape");
        const auto size = gemmSizeFromText(shape);
        if (!known) {
            fail(kernel.empty() ? "\"kernel\" is missing"
                                : fmt::format("the kernel \"{}\" is not known", kernel));
            return point;
        }
        if (!size) {
            fail(fmt::format("the shape \"{}\" is not K x N, like \"2048x5120\"", shape));
            return point;
        }
        const bool dequantise = *known == Kernel::Dequantise;
        const bool quantised = readsKBits(*known);
        point.kernel = *known;
        point.size = *size;
        point.experts = static_cast<int>(whole(entry, "experts", 1, maxExperts, 1));
        point.rowsM = dequantise ? 0 : whole(entry, "rows_m", 1, mostTimedRows, {});
        point.kBits = static_cast<int>(quantised ? whole(entry, "k_bits", minKBits, maxKBits, {})
                                                 : whole(entry, "k_bits", fp16Bits, fp16Bits, fp16Bits));
        readTimes(entry, point);
        point.repeatUs = time(entry, "repeat_us");
        point.isolatedUs = time(entry, "isolated_us");
        point.driftedUs = time(entry, "drifted_us");
        readFlags(entry, point);
        point.origin = defaultOrigin_;
        readOrigin(entry, point.origin);
        point.source = textOf(entry, "source");
        if (!error_ &&
            !seen_.insert({point.kernel, point.size, point.experts, point.rowsM, point.kBits}).second) {
            fail(fmt::format("{} {} at M = {} and k = {} stands twice", kernel, shape, point.rowsM,
                             point.kBits));
        }
        return point;
    }

    void readAttention(const Json& document, Profile& profile) {
        const auto all = document.find("attention");
        if (all == document.end()) {
            return;
        }
        if (!all->is_array()) {
            fail("\"attention\" is not a list");
            return;
        }
        part_ = "attention ";
        point_ = 0;
        std::set<AttentionCall> seen;
        for (const Json& entry : *all) {
            ++point_;
            AttentionTiming point = readAttentionTiming(entry);
            if (!error_ && !seen.insert(point.call).second) {
                fail(loadline::textOf(point.call) + " stands twice");
            }
            if (error_) {
                return;
            }
            profile.attention.push_back(std::move(point));
        }
    }

    AttentionTiming readAttentionTiming(const Json& entry) {
        AttentionTiming point;
        if (!entry.is_object()) {
            fail("it is not an object");
            return point;
        }
        const auto phase = attentionPhaseFromKey(textOf(entry, "phase"));
        if (!phase) {
            fail("\"phase\" is not decode or prefill");
            return point;
        }
        AttentionCall& call = point.call;
        call.phase = *phase;
        call.heads.qHeads = static_cast<int>(whole(entry, "q_heads", 1, maxAttentionHeads, {}));
        call.heads.kvHeads = static_cast<int>(whole(entry, "kv_heads", 1, maxAttentionHeads, {}));
        call.heads.headDim = static_cast<int>(whole(entry, "head_dim", 1, maxHeadDim, {}));
        call.batch = static_cast<int>(whole(entry, "batch", 1, maxAttentionBatch, {}));
        call.tokens = whole(entry, "tokens", 1, maxAttentionTokens, {});
        readTimes(entry, point);
        readFlags(entry, point);
        point.origin = defaultOrigin_;
        readOrigin(entry, point.origin);
        return point;
    }

    template <typename Point>
    void readTimes(const Json& entry, Point& point) {
        const auto median = time(entry, "time_us");
        if (!median) {
            fail("\"time_us\" is missing");
            return;
        }
        point.timeUs = *median;
        point.p25Us = time(entry, "p25_us");
        point.p75Us = time(entry, "p75_us");
        point.minUs = time(entry, "min_us");
        point.clockMhz = time(entry, "clock_mhz").value_or(0);
        if (point.p25Us && point.p75Us && *point.p25Us > *point.p75Us) {
            fail("\"p25_us\" is above \"p75_us\"");
        }
        point.samples = static_cast<int>(whole(entry, "samples", 0, maxSamples, 0));
    }

    template <typename Point>
    void readFlags(const Json& entry, Point& point) {
        const auto flags = entry.find("flags");
        if (flags == entry.end()) {
            return;
        }
        if (!flags->is_array()) {
            fail("\"flags\" is not a list");
            return;
        }
        for (const Json& flag : *flags) {
            if (!flag.is_string()) {
                fail("a flag is not text");
                return;
            }
            point.flags.push_back(flag.get<std::string>());
        }
    }

    const std::string& path_;
    std::optional<Error> error_;
    PointOrigin defaultOrigin_ = PointOrigin::Measured;
    std::string_view part_; // before the number of a point
    std::size_t point_ = 0; // the one being read, from 1; 0 before
    std::set<std::tuple<Kernel, GemmSize, int, std::int64_t, int>> seen_;
};

} // namespace

Result<ProfilePoint> profilePointFromJson(std::string_view json, const std::string& path) {
    return ProfileReader(path).readOne(json);
}

Result<AttentionTiming> attentionTimingFromJson(std::string_view json, const std::string& path) {
    return ProfileReader(path).readOneOfAttention(json);
}

Result<Profile> profileFromJson(std::string_view json, const std::string& path) {
    return ProfileReader(path).read(json);
}

} // namespace loadline
