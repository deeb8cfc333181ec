// Events of a measuring run as JSON lines, written and read; the writer may have died in the middle of one.
#include "core/cost/profile/bench_event.h"

#include "core/base/file/read_json.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <concepts>
#include <type_traits>
#include <utility>

namespace loadline {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t mostWhole = 1'000'000'000;

/// In the order of BenchEvent.
constexpr std::array<std::string_view, std::variant_size_v<BenchEvent>> eventNames = {
    "device",          "plan",         "ceiling", "progress", "point",
    "attention_point", "check_failed", "remark",  "done",     "failed"};

// The members of each event, in the order in which they are written.

void tell(auto& members, BenchDevice& device) {
    members("key", device.key);
    members("name", device.name);
    members("hardware", device.hardware);
    members("unavailable", device.unavailable);
    members("made_up", device.madeUp);
    members("facts", device.facts);
}

void tell(auto& members, BenchPlan& plan) {
    members("name", plan.name);
    members("date", plan.date);
    members("preset", plan.preset);
    members("shapes", plan.shapes);
    members("k_bits", plan.kBits);
    members("points", plan.points);
    members("checks", plan.checks);
    members("estimated_s", plan.seconds);
    members("left_out", plan.leftOut);
    members("facts", plan.facts);
    members("row_tiles", plan.rowTiles);
}

void tell(auto& members, BenchCeiling& ceiling) {
    members("name", ceiling.name);
    members("value", ceiling.value);
}

void tell(auto& members, BenchProgress& progress) {
    members("doing", progress.doing);
    members("done", progress.done);
    members("total", progress.total);
    members("spent_s", progress.secondsSpent);
    members("left_s", progress.secondsLeft);
}

void tell(auto& members, BenchPoint& point) {
    members("point", point.point);
    members("samples_us", "clocks_mhz", point.samples);
    members("dropped", point.dropped);
}

void tell(auto& members, BenchAttentionTiming& timing) {
    members("point", timing.point);
}

void tell(auto& members, BenchCheckFailure& failure) {
    members("kernel", failure.kernel);
    members("shape", failure.size);
    members("experts", failure.experts);
    members("rows_m", failure.rowsM);
    members("k_bits", failure.kBits);
    members("what", failure.what);
}

void tell(auto& members, BenchRemark& remark) {
    members("sentence", remark.sentence);
}

void tell(auto& members, BenchDone& done) {
    members("profile_path", done.path);
    members("cut", done.cut);
    members("profile", done.profile);
}

void tell(auto& members, BenchFailed& failed) {
    members("what", failed.error.what);
    members("where", failed.error.where);
    members("remedy", failed.error.remedy);
}

OrderedJson parsed(const std::string& text) {
    OrderedJson value = orderedJsonFrom(text);
    return value.is_discarded() ? OrderedJson(text) : value;
}

OrderedJson jsonOf(Kernel kernel) {
    return keyOf(kernel);
}

OrderedJson jsonOf(GemmSize size) {
    return textOf(size);
}

OrderedJson jsonOf(const Facts& facts) {
    OrderedJson json = OrderedJson::object();
    for (const auto& [key, value] : facts) {
        json[key] = parsed(value);
    }
    return json;
}

template <typename Value>
OrderedJson jsonOf(const Value& value) {
    if constexpr (requires { toJson(value); }) {
        return parsed(toJson(value));
    } else {
        return value;
    }
}

/// Writes what it is told.
struct MemberWriter {
    OrderedJson json;

    void operator()(const char* key, const auto& value) { json[key] = jsonOf(value); }

    void operator()(const char* us, const char* clocks, const std::vector<BenchSample>& samples) {
        json[us] = json[clocks] = OrderedJson::array();
        for (const BenchSample& sample : samples) {
            json[us].push_back(sample.us);
            json[clocks].push_back(sample.clockMhz);
        }
    }
};

/// Fills what it is told; every member is needed.
struct MemberReader {
    static constexpr bool needed = JsonFields::needed;
    JsonFields& fields;

    void operator()(const char* key, std::string& text) { fields.text(key, text, needed); }
    void operator()(const char* key, bool& truth) { fields.truth(key, truth, needed); }
    void operator()(const char* key, double& number) { fields.number(key, number, needed); }
    void operator()(const char* key, std::vector<std::string>& texts) { fields.texts(key, texts, needed); }
    void operator()(const char* key, Facts& facts) { facts = fields.object(key, needed).others(); }
    void operator()(const char* /*key*/, std::map<std::string, int>& tiles) { tiles = rowTilesIn(fields); }

    template <std::integral Whole>
    void operator()(const char* key, Whole& whole) {
        constexpr bool counts = std::is_unsigned_v<Whole>;
        fields.whole(key, whole, counts ? 0 : -mostWhole, counts ? JsonFields::unbounded : mostWhole, needed);
    }

    void operator()(const char* key, std::vector<int>& wholes) {
        fields.wholes(key, wholes, -mostWhole, mostWhole, needed);
    }

    void operator()(const char* key, Kernel& kernel) { named(key, kernel, profiledKernelFromKey); }
    void operator()(const char* key, GemmSize& size) { named(key, size, gemmSizeFromText); }

    void operator()(const char* key, ProfilePoint& point) {
        JsonFields given = fields.object(key, needed);
        point = profilePointIn(given);
    }

    void operator()(const char* key, AttentionTiming& timing) {
        JsonFields given = fields.object(key, needed);
        timing = attentionTimingIn(given);
    }

    void operator()(const char* key, Profile& profile) {
        JsonFields given = fields.object(key, needed);
        profile = profileIn(given);
    }

    void operator()(const char* usKey, const char* clocksKey, std::vector<BenchSample>& samples) {
        std::vector<double> us;
        std::vector<double> clocks;
        fields.numbers(usKey, us, needed);
        fields.numbers(clocksKey, clocks, needed);
        if (us.size() != clocks.size()) {
            fields.fail("samples and clocks are not of one length");
            return;
        }
        for (std::size_t i = 0; i < us.size(); ++i) {
            samples.push_back({us[i], clocks[i]});
        }
    }

    template <typename Value>
    void named(const char* key, Value& value, std::optional<Value> (*known)(std::string_view)) {
        std::string text;
        fields.text(key, text, needed);
        if (const auto found = known(text)) {
            value = *found;
        } else {
            fields.fail("it names no kernel or no shape");
        }
    }
};

template <std::size_t... i>
BenchEvent emptyEvent(std::size_t index, std::index_sequence<i...> /*all*/) {
    BenchEvent event;
    ((i == index ? static_cast<void>(event.emplace<i>()) : void()), ...);
    return event;
}

} // namespace

std::string toJsonLine(const BenchEvent& event) {
    MemberWriter writer{{{"event", eventNames[event.index()]}}};
    BenchEvent copy = event;
    std::visit([&](auto& value) { tell(writer, value); }, copy);
    return compactJson(writer.json) + "\n";
}

std::string devicesDocument(std::vector<BenchDevice> devices, const std::vector<std::string>& remarks,
                            const std::vector<AtlasDevice>& atlas) {
    OrderedJson document = {{"schema", "loadline.devices/1"}, {"devices", OrderedJson::array()}};
    for (BenchDevice& device : devices) {
        MemberWriter writer{OrderedJson::object()};
        tell(writer, device);
        document["devices"].push_back(std::move(writer.json));
    }
    document["remarks"] = remarks;
    document["atlas"] = OrderedJson::array();
    for (const AtlasDevice& gpu : atlas) {
        document["atlas"].push_back({{"key", gpu.key},
                                     {"name", gpu.name},
                                     {"hardware", gpu.hardware},
                                     {"tables", gpu.tables},
                                     {"times", gpu.times},
                                     {"engines", gpu.engines},
                                     {"date", gpu.date},
                                     {"problems", gpu.problems}});
    }
    return document.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

Result<BenchEvent> benchEventFromJson(std::string_view line) {
    JsonProblem problem;
    const nlohmann::json json = jsonFrom(line);
    JsonFields fields(json, problem);
    std::string name;
    fields.text("event", name, JsonFields::needed);
    const auto known = std::ranges::find(eventNames, name);
    BenchEvent event;
    if (known == eventNames.end()) {
        fields.fail(fmt::format("the event \"{}\" is not known", name));
    } else {
        event = emptyEvent(static_cast<std::size_t>(known - eventNames.begin()),
                           std::make_index_sequence<eventNames.size()>());
        MemberReader reader{fields};
        std::visit([&](auto& value) { tell(reader, value); }, event);
    }
    if (problem) {
        return problem.error("not an event of a measurement: ", "", "");
    }
    return event;
}

} // namespace loadline
