// Writes "loadline.profile/1".
#include "core/base/file/read_json.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/json/compact_json.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

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
