// Writes events of a measuring run.
#include "core/cost/bench_event.h"

#include "core/base/read_json.h"
#include "core/cost/profile_json.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using Json = nlohmann::ordered_json;

Json parsed(const std::string& text) {
    Json value = orderedJsonFrom(text);
    return value.is_discarded() ? Json(text) : value;
}

Json event(const char* name) {
    Json json;
    json["event"] = name;
    return json;
}

Json factsJson(const Facts& facts) {
    Json json = Json::object();
    for (const auto& [key, value] : facts) {
        json[key] = parsed(value);
    }
    return json;
}

Json jsonOf(const BenchDevice& device) {
    Json json = event("device");
    json["key"] = device.key;
    json["name"] = device.name;
    json["hardware"] = device.hardware;
    json["unavailable"] = device.unavailable;
    json["made_up"] = device.madeUp;
    json["facts"] = factsJson(device.facts);
    return json;
}

Json jsonOf(const BenchPlan& plan) {
    Json json = event("plan");
    json["date"] = plan.date;
    json["preset"] = plan.preset;
    json["shapes"] = plan.shapes;
    json["k_bits"] = plan.kBits;
    json["points"] = plan.points;
    json["checks"] = plan.checks;
    json["estimated_s"] = plan.seconds;
    json["left_out"] = plan.leftOut;
    json["facts"] = factsJson(plan.facts);
    json["row_tiles"] = plan.rowTiles;
    return json;
}

Json jsonOf(const BenchCeiling& ceiling) {
    Json json = event("ceiling");
    json["name"] = ceiling.name;
    json["value"] = ceiling.value;
    return json;
}

Json jsonOf(const BenchProgress& progress) {
    Json json = event("progress");
    json["doing"] = progress.doing;
    json["done"] = progress.done;
    json["total"] = progress.total;
    json["spent_s"] = progress.secondsSpent;
    json["left_s"] = progress.secondsLeft;
    return json;
}

Json jsonOf(const BenchPoint& point) {
    Json json = event("point");
    json["point"] = parsed(toJson(point.point));
    Json us = Json::array();
    Json clocks = Json::array();
    for (const BenchSample& sample : point.samples) {
        us.push_back(sample.us);
        clocks.push_back(sample.clockMhz);
    }
    json["samples_us"] = us;
    json["clocks_mhz"] = clocks;
    json["dropped"] = point.dropped;
    return json;
}

Json jsonOf(const BenchAttentionTiming& point) {
    Json json = event("attention_point");
    json["point"] = parsed(toJson(point.point));
    return json;
}

Json jsonOf(const BenchCheckFailure& failure) {
    Json json = event("check_failed");
    json["kernel"] = keyOf(failure.kernel);
    json["shape"] = textOf(failure.size);
    json["experts"] = failure.experts;
    json["rows_m"] = failure.rowsM;
    json["k_bits"] = failure.kBits;
    json["what"] = failure.what;
    return json;
}

Json jsonOf(const BenchRemark& remark) {
    Json json = event("remark");
    json["sentence"] = remark.sentence;
    return json;
}

Json jsonOf(const BenchDone& done) {
    Json json = event("done");
    json["profile_path"] = done.path;
    json["cut"] = done.cut;
    json["profile"] = parsed(toJson(done.profile));
    return json;
}

Json jsonOf(const BenchFailed& failed) {
    Json json = event("failed");
    json["what"] = failed.error.what;
    json["where"] = failed.error.where;
    json["remedy"] = failed.error.remedy;
    return json;
}

} // namespace

std::string toJsonLine(const BenchEvent& event) {
    const Json json = std::visit([](const auto& value) { return jsonOf(value); }, event);
    return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace loadline
