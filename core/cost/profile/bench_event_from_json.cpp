// Reads events of a measuring run, from a process that may have died in the middle of a line.
#include "core/base/read_json.h"
#include "core/cost/profile/bench_event.h"
#include "core/cost/profile/profile_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loadline {
namespace {

constexpr bool needed = JsonFields::needed;
constexpr std::int64_t mostWhole = 1'000'000'000;

/// A needed member.
std::string textIn(JsonFields& fields, const char* key) {
    std::string text;
    fields.text(key, text, needed);
    return text;
}

double numberIn(JsonFields& fields, const char* key) {
    double number = 0;
    fields.number(key, number, needed);
    return number;
}

std::uint64_t countIn(JsonFields& fields, const char* key) {
    std::uint64_t count = 0;
    fields.whole(key, count, 0, JsonFields::unbounded, needed);
    return count;
}

int wholeIn(JsonFields& fields, const char* key) {
    int whole = 0;
    fields.whole(key, whole, -mostWhole, mostWhole, needed);
    return whole;
}

BenchEvent deviceIn(JsonFields& fields) {
    BenchDevice device{.key = textIn(fields, "key"),
                       .name = textIn(fields, "name"),
                       .hardware = textIn(fields, "hardware"),
                       .unavailable = textIn(fields, "unavailable"),
                       .facts = fields.object("facts", needed).others()};
    fields.truth("made_up", device.madeUp, needed);
    return device;
}

BenchEvent planIn(JsonFields& fields) {
    BenchPlan plan{.date = textIn(fields, "date"),
                   .preset = textIn(fields, "preset"),
                   .shapes = textIn(fields, "shapes"),
                   .kBits = {},
                   .points = countIn(fields, "points"),
                   .checks = countIn(fields, "checks"),
                   .seconds = numberIn(fields, "estimated_s"),
                   .leftOut = {},
                   .facts = fields.object("facts", needed).others(),
                   .rowTiles = rowTilesIn(fields)};
    fields.wholes("k_bits", plan.kBits, -mostWhole, mostWhole, needed);
    fields.texts("left_out", plan.leftOut, needed);
    return plan;
}

BenchEvent progressIn(JsonFields& fields) {
    return BenchProgress{.doing = textIn(fields, "doing"),
                         .done = countIn(fields, "done"),
                         .total = countIn(fields, "total"),
                         .secondsSpent = numberIn(fields, "spent_s"),
                         .secondsLeft = numberIn(fields, "left_s")};
}

BenchEvent pointIn(JsonFields& fields) {
    JsonFields given = fields.object("point", needed);
    BenchPoint told{.point = profilePointIn(given), .samples = {}, .dropped = wholeIn(fields, "dropped")};
    std::vector<double> us;
    std::vector<double> clocks;
    fields.numbers("samples_us", us, needed);
    fields.numbers("clocks_mhz", clocks, needed);
    if (us.size() != clocks.size()) {
        fields.fail("samples and clocks are not of one length");
        return told;
    }
    for (std::size_t i = 0; i < us.size(); ++i) {
        told.samples.push_back({us[i], clocks[i]});
    }
    return told;
}

BenchEvent checkFailureIn(JsonFields& fields) {
    const auto kernel = kernelFromKey(textIn(fields, "kernel"));
    const auto size = gemmSizeFromText(textIn(fields, "shape"));
    if (!kernel || !size) {
        fields.fail("it names no kernel or no shape");
    }
    return BenchCheckFailure{.kernel = kernel.value_or(Kernel::CublasFp16),
                             .size = size.value_or(GemmSize{}),
                             .experts = wholeIn(fields, "experts"),
                             .rowsM = wholeIn(fields, "rows_m"),
                             .kBits = wholeIn(fields, "k_bits"),
                             .what = textIn(fields, "what")};
}

BenchEvent eventIn(JsonFields& fields) {
    const std::string name = textIn(fields, "event");
    if (name == "device") {
        return deviceIn(fields);
    }
    if (name == "plan") {
        return planIn(fields);
    }
    if (name == "ceiling") {
        return BenchCeiling{.name = textIn(fields, "name"), .value = numberIn(fields, "value")};
    }
    if (name == "progress") {
        return progressIn(fields);
    }
    if (name == "point") {
        return pointIn(fields);
    }
    if (name == "attention_point") {
        JsonFields given = fields.object("point", needed);
        return BenchAttentionTiming{attentionTimingIn(given)};
    }
    if (name == "check_failed") {
        return checkFailureIn(fields);
    }
    if (name == "remark") {
        return BenchRemark{textIn(fields, "sentence")};
    }
    if (name == "done") {
        JsonFields given = fields.object("profile", needed);
        return BenchDone{.profile = profileIn(given),
                         .path = textIn(fields, "profile_path"),
                         .cut = textIn(fields, "cut")};
    }
    if (name == "failed") {
        return BenchFailed{{.what = textIn(fields, "what"),
                            .where = textIn(fields, "where"),
                            .remedy = textIn(fields, "remedy")}};
    }
    fields.fail(fmt::format("the event \"{}\" is not known", name));
    return {};
}

} // namespace

Result<BenchEvent> benchEventFromJson(std::string_view line) {
    JsonProblem problem;
    const nlohmann::json json = jsonFrom(line);
    JsonFields fields(json, problem);
    BenchEvent event = eventIn(fields);
    if (problem) {
        return problem.error("not an event of a measurement: ", "", "");
    }
    return event;
}

} // namespace loadline
