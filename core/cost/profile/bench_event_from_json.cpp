// Reads events of a measuring run, from a process that may have died in the middle of a line.
#include "core/base/read_json.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace loadline {
namespace {

using Json = nlohmann::json;

Error broken(const std::string& what) {
    return {.what = "not an event of a measurement: " + what, .where = "", .remedy = ""};
}

/// Reads members of one object; what is missing or of another kind is remembered.
class Members {
public:
    explicit Members(const Json& object) : object_(object) {}

    std::string text(const char* key) {
        const Json* value = find(key, &Json::is_string);
        return value == nullptr ? "" : value->get<std::string>();
    }

    double number(const char* key) {
        const Json* value = find(key, &Json::is_number);
        return value == nullptr ? 0 : value->get<double>();
    }

    std::uint64_t count(const char* key) {
        const Json* value = find(key, &Json::is_number_unsigned);
        return value == nullptr ? 0 : value->get<std::uint64_t>();
    }

    int whole(const char* key) {
        const Json* value = find(key, &Json::is_number_integer);
        const double number = value == nullptr ? 0 : value->get<double>();
        if (std::abs(number) > mostWhole) {
            problem_ = fmt::format("\"{}\" is out of range", key);
            return 0;
        }
        return static_cast<int>(number);
    }

    bool truth(const char* key) {
        const Json* value = find(key, &Json::is_boolean);
        return value != nullptr && value->get<bool>();
    }

    template <typename Value>
    std::vector<Value> list(const char* key, bool (Json::*isKind)() const noexcept) {
        std::vector<Value> values;
        const Json* array = find(key, &Json::is_array);
        for (std::size_t i = 0; array != nullptr && i < array->size(); ++i) {
            if (!((*array)[i].*isKind)()) {
                problem_ = fmt::format("\"{}\" holds something of another kind", key);
                return {};
            }
            values.push_back((*array)[i].get<Value>());
        }
        return values;
    }

    const Json& object(const char* key) {
        static const Json nothing = Json::object();
        const Json* value = find(key, &Json::is_object);
        return value == nullptr ? nothing : *value;
    }

    [[nodiscard]] const std::string& problem() const { return problem_; }
    void refuse(std::string problem) { problem_ = std::move(problem); }

private:
    static constexpr double mostWhole = 1e9;

    const Json* find(const char* key, bool (Json::*isKind)() const noexcept) {
        const auto found = object_.find(key);
        if (found == object_.end() || !((*found).*isKind)()) {
            problem_ = fmt::format("\"{}\" is missing or of another kind", key);
            return nullptr;
        }
        return &*found;
    }

    const Json& object_;
    std::string problem_;
};

Facts factsOf(Members& members) {
    Facts facts;
    for (const auto& [key, value] : members.object("facts").items()) {
        facts[key] = compactJson(value);
    }
    return facts;
}

std::map<std::string, int> rowTilesOf(Members& members) {
    std::map<std::string, int> tiles;
    for (const auto& [key, value] : members.object("row_tiles").items()) {
        const double rows = value.is_number_integer() ? value.get<double>() : 0;
        if (!isRowTile(key, rows)) {
            members.refuse(fmt::format("\"row_tiles.{}\" is not a kernel with a number of rows", key));
            return {};
        }
        tiles[key] = static_cast<int>(rows);
    }
    return tiles;
}

BenchDevice deviceOf(Members& members) {
    BenchDevice device{.key = members.text("key"),
                       .name = members.text("name"),
                       .hardware = members.text("hardware"),
                       .unavailable = members.text("unavailable"),
                       .madeUp = members.truth("made_up"),
                       .facts = {}};
    device.facts = factsOf(members);
    return device;
}

BenchPlan planOf(Members& members) {
    return {.date = members.text("date"),
            .preset = members.text("preset"),
            .shapes = members.text("shapes"),
            .kBits = members.list<int>("k_bits", &Json::is_number_integer),
            .points = members.count("points"),
            .checks = members.count("checks"),
            .seconds = members.number("estimated_s"),
            .leftOut = members.list<std::string>("left_out", &Json::is_string),
            .facts = factsOf(members),
            .rowTiles = rowTilesOf(members)};
}

Result<BenchEvent> pointOf(Members& members) {
    Result<ProfilePoint> point = profilePointFromJson(compactJson(members.object("point")), "");
    if (!point) {
        return broken(point.error().what);
    }
    BenchPoint told{.point = std::move(*point), .samples = {}, .dropped = members.whole("dropped")};
    const auto us = members.list<double>("samples_us", &Json::is_number);
    const auto clocks = members.list<double>("clocks_mhz", &Json::is_number);
    if (us.size() != clocks.size()) {
        return broken("samples and clocks are not of one length");
    }
    for (std::size_t i = 0; i < us.size(); ++i) {
        told.samples.push_back({us[i], clocks[i]});
    }
    return BenchEvent(std::move(told));
}

Result<BenchEvent> checkFailureOf(Members& members) {
    const auto kernel = kernelFromKey(members.text("kernel"));
    const auto size = gemmSizeFromText(members.text("shape"));
    if (!kernel || !size) {
        return broken("it names no kernel or no shape");
    }
    return BenchEvent(BenchCheckFailure{.kernel = *kernel,
                                        .size = *size,
                                        .experts = members.whole("experts"),
                                        .rowsM = members.whole("rows_m"),
                                        .kBits = members.whole("k_bits"),
                                        .what = members.text("what")});
}

Result<BenchEvent> doneOf(Members& members) {
    Result<Profile> profile = profileFromJson(compactJson(members.object("profile")), "");
    if (!profile) {
        return broken(profile.error().what);
    }
    return BenchEvent(BenchDone{
        .profile = std::move(*profile), .path = members.text("profile_path"), .cut = members.text("cut")});
}

Result<BenchEvent> eventOf(const std::string& name, Members& members) {
    if (name == "device") {
        return BenchEvent(deviceOf(members));
    }
    if (name == "plan") {
        return BenchEvent(planOf(members));
    }
    if (name == "ceiling") {
        return BenchEvent(BenchCeiling{.name = members.text("name"), .value = members.number("value")});
    }
    if (name == "progress") {
        return BenchEvent(BenchProgress{.doing = members.text("doing"),
                                        .done = members.count("done"),
                                        .total = members.count("total"),
                                        .secondsSpent = members.number("spent_s"),
                                        .secondsLeft = members.number("left_s")});
    }
    if (name == "point") {
        return pointOf(members);
    }
    if (name == "attention_point") {
        Result<AttentionTiming> point = attentionTimingFromJson(compactJson(members.object("point")), "");
        if (!point) {
            return broken(point.error().what);
        }
        return BenchEvent(BenchAttentionTiming{std::move(*point)});
    }
    if (name == "check_failed") {
        return checkFailureOf(members);
    }
    if (name == "remark") {
        return BenchEvent(BenchRemark{members.text("sentence")});
    }
    if (name == "done") {
        return doneOf(members);
    }
    if (name == "failed") {
        return BenchEvent(BenchFailed{{.what = members.text("what"),
                                       .where = members.text("where"),
                                       .remedy = members.text("remedy")}});
    }
    return broken(fmt::format("the event \"{}\" is not known", name));
}

} // namespace

Result<BenchEvent> benchEventFromJson(std::string_view line) {
    const Json json = jsonFrom(line);
    if (json.is_discarded() || !json.is_object()) {
        return broken("it is not a JSON object");
    }
    Members members(json);
    const std::string name = members.text("event");
    if (!members.problem().empty()) {
        return broken(members.problem());
    }
    Result<BenchEvent> event = eventOf(name, members);
    if (event && !members.problem().empty()) {
        return broken(members.problem());
    }
    return event;
}

} // namespace loadline
