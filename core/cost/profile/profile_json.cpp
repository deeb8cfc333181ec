// Reads "loadline.profile/1", reports what is wrong with it, and writes it.
#include "core/cost/profile/profile_json.h"

#include "core/base/file/read_json.h"
#include "core/cost/device/device_name.h"
#include "core/cost/kernel/time_limits.h"
#include "core/text/json/compact_json.h"

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

using OrderedJson = nlohmann::ordered_json;

void addFacts(OrderedJson& object, const Facts& facts) {
    for (const auto& [key, text] : facts) {
        OrderedJson value = orderedJsonFrom(text);
        object[key] = value.is_discarded() ? OrderedJson(text) : std::move(value);
    }
}

void add(OrderedJson& entry, const char* key, const std::optional<double>& value) {
    if (value) {
        entry[key] = *value;
    }
}

void addTimes(OrderedJson& entry, const auto& point) {
    add(entry, "min_us", point.minUs);
    add(entry, "p25_us", point.p25Us);
    add(entry, "p75_us", point.p75Us);
}

void addQuality(OrderedJson& entry, const auto& point) {
    if (point.clockMhz > 0) {
        entry["clock_mhz"] = point.clockMhz;
    }
    entry["flags"] = point.flags;
    entry["origin"] = keyOf(point.origin);
}

OrderedJson jsonOf(const ProfilePoint& point) {
    OrderedJson entry;
    entry["kernel"] = keyOf(point.kernel);
    if (!point.name.empty()) {
        entry["name"] = point.name;
    }
    entry["shape"] = textOf(point.size);
    if (point.experts != 1) {
        entry["experts"] = point.experts;
    }
    entry["rows_m"] = point.rowsM;
    entry["k_bits"] = point.kBits;
    entry["time_us"] = point.timeUs;
    addTimes(entry, point);
    add(entry, "repeat_us", point.repeatUs);
    add(entry, "isolated_us", point.isolatedUs);
    add(entry, "drifted_us", point.driftedUs);
    add(entry, "between_runs", point.betweenRuns);
    entry["samples"] = point.samples;
    addQuality(entry, point);
    if (!point.source.empty()) {
        entry["source"] = point.source;
    }
    return entry;
}

OrderedJson jsonOf(const AttentionTiming& point) {
    const AttentionCall& call = point.call;
    OrderedJson entry{
        {"phase", keyOf(call.phase)},     {"q_heads", call.heads.qHeads}, {"kv_heads", call.heads.kvHeads},
        {"head_dim", call.heads.headDim}, {"batch", call.batch},          {"tokens", call.tokens},
        {"time_us", point.timeUs},        {"samples", point.samples}};
    addTimes(entry, point);
    addQuality(entry, point);
    return entry;
}

/// One entry a line.
template <typename Point>
std::string listOf(const std::vector<Point>& points) {
    std::string text = "[\n";
    for (std::size_t i = 0; i < points.size(); ++i) {
        text += toJson(points[i]) + (i + 1 < points.size() ? ",\n" : "\n");
    }
    return text + "]";
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
    const auto known = profiledKernelFromKey(kernel);
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

std::string toJson(const AttentionTiming& point) {
    return compactJson(jsonOf(point));
}

std::string toJson(const ProfilePoint& point) {
    return compactJson(jsonOf(point));
}

std::string toJson(const Profile& profile) {
    OrderedJson device;
    device["name"] = profile.device;
    device["hardware"] = profile.hardware;
    addFacts(device, profile.deviceFacts);
    OrderedJson method;
    method["name"] = profile.method;
    method["date"] = profile.date;
    if (!profile.rowTiles.empty()) {
        method["row_tiles"] = profile.rowTiles;
    }
    addFacts(method, profile.methodFacts);
    OrderedJson ceilings = OrderedJson::object();
    addFacts(ceilings, profile.ceilings);

    std::string text = "{\n\"schema\": \"loadline.profile/1\",\n";
    text +=
        "\"name\": " + compactJson(profile.name) + ",\n\"source\": " + compactJson(profile.source) + ",\n";
    text += "\"device\": " + compactJson(device) + ",\n\"method\": " + compactJson(method) + ",\n";
    text += "\"ceilings\": " + compactJson(ceilings) + ",\n\"points\": " + listOf(profile.points);
    if (!profile.attention.empty()) {
        text += ",\n\"attention\": " + listOf(profile.attention);
    }
    return text + "}\n";
}

} // namespace loadline
