// Writes events of a measuring run.
#include "core/cost/profile/bench_event.h"

#include "core/base/read_json.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/compact_json.h"

#include <nlohmann/json.hpp>

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson parsed(const std::string& text) {
    OrderedJson value = orderedJsonFrom(text);
    return value.is_discarded() ? OrderedJson(text) : value;
}

OrderedJson event(const char* name) {
    OrderedJson json;
    json["event"] = name;
    return json;
}

OrderedJson factsJson(const Facts& facts) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [key, value] : facts) {
        json[key] = parsed(value);
    }
    return json;
}

OrderedJson jsonOf(const BenchDevice& device) {
    OrderedJson json = event("device");
    json["key"] = device.key;
    json["name"] = device.name;
    json["hardware"] = device.hardware;
    json["unavailable"] = device.unavailable;
    json["made_up"] = device.madeUp;
    json["facts"] = factsJson(device.facts);
    return json;
}

OrderedJson jsonOf(const BenchPlan& plan) {
    OrderedJson json = event("plan");
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

OrderedJson jsonOf(const BenchCeiling& ceiling) {
    OrderedJson json = event("ceiling");
    json["name"] = ceiling.name;
    json["value"] = ceiling.value;
    return json;
}

OrderedJson jsonOf(const BenchProgress& progress) {
    OrderedJson json = event("progress");
    json["doing"] = progress.doing;
    json["done"] = progress.done;
    json["total"] = progress.total;
    json["spent_s"] = progress.secondsSpent;
    json["left_s"] = progress.secondsLeft;
    return json;
}

OrderedJson jsonOf(const BenchPoint& point) {
    OrderedJson json = event("point");
    json["point"] = parsed(toJson(point.point));
    OrderedJson us = OrderedJson::array();
    OrderedJson clocks = OrderedJson::array();
    for (const BenchSample& sample : point.samples) {
        us.push_back(sample.us);
        clocks.push_back(sample.clockMhz);
    }
    json["samples_us"] = us;
    json["clocks_mhz"] = clocks;
    json["dropped"] = point.dropped;
    return json;
}

OrderedJson jsonOf(const BenchAttentionTiming& point) {
    OrderedJson json = event("attention_point");
    json["point"] = parsed(toJson(point.point));
    return json;
}

OrderedJson jsonOf(const BenchCheckFailure& failure) {
    OrderedJson json = event("check_failed");
    json["kernel"] = keyOf(failure.kernel);
    json["shape"] = textOf(failure.size);
    json["experts"] = failure.experts;
    json["rows_m"] = failure.rowsM;
    json["k_bits"] = failure.kBits;
    json["what"] = failure.what;
    return json;
}

OrderedJson jsonOf(const BenchRemark& remark) {
    OrderedJson json = event("remark");
    json["sentence"] = remark.sentence;
    return json;
}

OrderedJson jsonOf(const BenchDone& done) {
    OrderedJson json = event("done");
    json["profile_path"] = done.path;
    json["cut"] = done.cut;
    json["profile"] = parsed(toJson(done.profile));
    return json;
}

OrderedJson jsonOf(const BenchFailed& failed) {
    OrderedJson json = event("failed");
    json["what"] = failed.error.what;
    json["where"] = failed.error.where;
    json["remedy"] = failed.error.remedy;
    return json;
}

} // namespace

std::string toJsonLine(const BenchEvent& event) {
    const OrderedJson json = std::visit([](const auto& value) { return jsonOf(value); }, event);
    return compactJson(json) + "\n";
}

} // namespace loadline
