// Reads "loadline.profile/1" and says what is wrong with it.
#include "core/base/file/read_json.h"
#include "core/cost/device/device_name.h"
#include "core/cost/kernel/time_limits.h"
#include "core/cost/profile/profile_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>
#include <tuple>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t maxExperts = 1 << 16;
constexpr std::int64_t maxSamples = 1'000'000'000;

std::optional<double> timeIn(JsonFields& fields, const char* key, bool need = false) {
    double value = 0;
    const bool read = fields.number(key, value, need, fmt::format("a number above 0, up to {:g}", mostTimeUs),
                                    [](double time) { return isKernelTime(time); });
    return read ? std::optional(value) : std::nullopt;
}

void readOrigin(JsonFields& fields, PointOrigin& origin) {
    std::string key;
    if (!fields.text("origin", key) || key.empty()) {
        return;
    }
    if (const auto known = pointOriginFromKey(key)) {
        origin = *known;
    } else {
        fields.fail(fmt::format("origin \"{}\" is not measured, published or modelled", key));
    }
}

template <typename Point>
void readTiming(JsonFields& fields, Point& point) {
    point.timeUs = timeIn(fields, "time_us", JsonFields::needed).value_or(0);
    point.p25Us = timeIn(fields, "p25_us");
    point.p75Us = timeIn(fields, "p75_us");
    point.minUs = timeIn(fields, "min_us");
    point.clockMhz = timeIn(fields, "clock_mhz").value_or(0);
    if (point.p25Us && point.p75Us && *point.p25Us > *point.p75Us) {
        fields.fail("\"p25_us\" is above \"p75_us\"");
    }
    fields.whole("samples", point.samples, 0, maxSamples);
    fields.texts("flags", point.flags);
    readOrigin(fields, point.origin);
}

} // namespace

std::map<std::string, int> rowTilesIn(JsonFields& fields) {
    std::map<std::string, int> tiles;
    const JsonFields given = fields.object("row_tiles");
    for (const auto& [kernel, rows] : given.json().items()) {
        if (!rows.is_number_integer() || !isRowTile(kernel, rows.get<double>())) {
            given.failAt(kernel, "is not a kernel with a number of rows");
            return {};
        }
        tiles[kernel] = rows.get<int>();
    }
    return tiles;
}

ProfilePoint profilePointIn(JsonFields& fields, PointOrigin origin) {
    ProfilePoint point;
    point.origin = origin;
    std::string kernel;
    std::string shape;
    fields.text("kernel", kernel, JsonFields::needed);
    fields.text("shape", shape);
    const auto known = kernelFromKey(kernel);
    const auto size = gemmSizeFromText(shape);
    if (!known || !size) {
        fields.fail(known ? fmt::format("the shape \"{}\" is not K x N, like \"2048x5120\"", shape)
                          : fmt::format("the kernel \"{}\" is not known", kernel));
        return point;
    }
    point.kernel = *known;
    point.size = *size;
    fields.whole("experts", point.experts, 1, maxExperts);
    if (*known == Kernel::Dequantise) {
        point.rowsM = 0;
    } else {
        fields.whole("rows_m", point.rowsM, 1, mostTimedRows, JsonFields::needed);
    }
    if (readsKBits(*known)) {
        fields.whole("k_bits", point.kBits, minKBits, maxKBits, JsonFields::needed);
    } else {
        fields.whole("k_bits", point.kBits, fp16Bits, fp16Bits);
    }
    readTiming(fields, point);
    point.repeatUs = timeIn(fields, "repeat_us");
    point.isolatedUs = timeIn(fields, "isolated_us");
    point.driftedUs = timeIn(fields, "drifted_us");
    if (double between = 0; fields.number("between_runs", between, false, "a number from 0 to 10",
                                          [](double share) { return share >= 0 && share <= 10; })) {
        point.betweenRuns = between;
    }
    fields.text("source", point.source);
    fields.text("name", point.name);
    return point;
}

AttentionTiming attentionTimingIn(JsonFields& fields, PointOrigin origin) {
    AttentionTiming point;
    point.origin = origin;
    AttentionCall& call = point.call;
    std::string phase;
    fields.text("phase", phase);
    if (const auto known = attentionPhaseFromKey(phase)) {
        call.phase = *known;
    } else {
        fields.fail("\"phase\" is not decode or prefill");
    }
    fields.whole("q_heads", call.heads.qHeads, 1, maxAttentionHeads, JsonFields::needed);
    fields.whole("kv_heads", call.heads.kvHeads, 1, maxAttentionHeads, JsonFields::needed);
    fields.whole("head_dim", call.heads.headDim, 1, maxHeadDim, JsonFields::needed);
    fields.whole("batch", call.batch, 1, maxAttentionBatch, JsonFields::needed);
    fields.whole("tokens", call.tokens, 1, maxAttentionTokens, JsonFields::needed);
    readTiming(fields, point);
    return point;
}

Profile profileIn(JsonFields& fields) {
    Profile profile;
    std::string schema;
    fields.text("schema", schema);
    if (schema != "loadline.profile/1") {
        fields.fail("its \"schema\" is not \"loadline.profile/1\"");
    }
    fields.text("name", profile.name);
    fields.text("source", profile.source);
    PointOrigin origin = PointOrigin::Measured;
    readOrigin(fields, origin);
    JsonFields device = fields.object("device");
    device.text("name", profile.device);
    device.text("hardware", profile.hardware);
    if (namesOtherBoard(profile.device, profile.hardware)) {
        profile.hardware.clear(); // once an "A100-SXM4-40GB" was saved as the board of 80 GB
    }
    profile.deviceFacts = device.others();
    JsonFields method = fields.object("method");
    method.text("name", profile.method);
    method.text("date", profile.date);
    profile.rowTiles = rowTilesIn(method);
    profile.methodFacts = method.others();
    profile.ceilings = fields.object("ceilings").others();
    if (fields.list("points").empty()) {
        fields.fail("its \"points\" are missing or empty");
    }
    std::set<std::tuple<Kernel, GemmSize, int, std::int64_t, int>> seen;
    fields.each("points", "point", [&](JsonFields& entry) {
        const ProfilePoint& point = profile.points.emplace_back(profilePointIn(entry, origin));
        if (!seen.insert({point.kernel, point.size, point.experts, point.rowsM, point.kBits}).second) {
            entry.fail(fmt::format("{} {} at M = {} and k = {} stands twice", keyOf(point.kernel),
                                   textOf(point.size), point.rowsM, point.kBits));
        }
    });
    std::set<AttentionCall> calls;
    fields.each("attention", "attention point", [&](JsonFields& entry) {
        profile.attention.push_back(attentionTimingIn(entry, origin));
        if (!calls.insert(profile.attention.back().call).second) {
            entry.fail(textOf(profile.attention.back().call) + " stands twice");
        }
    });
    return profile;
}

Result<Profile> profileFromJson(std::string_view json, const std::string& path) {
    JsonProblem problem;
    const Json document = jsonFrom(json);
    JsonFields fields(document, problem);
    Profile profile = profileIn(fields);
    if (problem) {
        return problem.error("not a profile: ", path, "a file written by `loadline bench --out`");
    }
    return profile;
}

} // namespace loadline
