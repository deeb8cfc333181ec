// Reads the JSON that NVBench writes (its json_printer, file versions 0 and 1).
#include "core/base/file/read_json.h"
#include "core/cost/device/device_name.h"
#include "core/cost/import/import_rows.h"
#include "core/cost/import/plausible_times.h"
#include "core/text/json/compact_json.h"
#include "core/text/json/json_fields.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <string>

namespace loadline {
namespace {

using Json = nlohmann::json;

/// NVBench writes 64-bit numbers as text.
std::string plainText(const Json& value) {
    return value.is_string() ? value.get<std::string>() : value.is_number() ? value.dump() : "";
}

std::optional<double> numberAt(const Json& object, const char* key) {
    return numberIn(plainText(memberOf(object, key)));
}

/// "value" of a summary, by its tag; NaN where it is there and is no number.
std::optional<double> summaryOf(const Json& state, std::string_view tag) {
    for (const Json& summary : memberOf(state, "summaries")) {
        if (textOf(summary, "tag") != tag) {
            continue;
        }
        for (const Json& entry : memberOf(summary, "data")) {
            if (textOf(entry, "name") == "value") {
                return numberAt(entry, "value").value_or(std::numeric_limits<double>::quiet_NaN());
            }
        }
    }
    return std::nullopt;
}

constexpr double usPerSecond = 1e6;

std::optional<double> timeUsOf(const Json& state) {
    constexpr std::array tags = {"nv/cold/time/gpu/median", "nv/cold/time/gpu/mean",
                                 "nv/batch/time/gpu/mean"};
    for (const char* tag : tags) {
        if (const auto seconds = summaryOf(state, tag)) {
            return *seconds * usPerSecond;
        }
    }
    return std::nullopt;
}

ForeignRow rowOf(const std::string& benchmark, const Json& state) {
    ForeignRow row;
    row.kernel = benchmark;
    for (const Json& axis : memberOf(state, "axis_values")) {
        setByName(row, lowered(textOf(axis, "name")), plainText(memberOf(axis, "value")));
    }
    row.timeUs = timeUsOf(state);
    if (const auto least = summaryOf(state, "nv/cold/time/gpu/min")) {
        row.minUs = *least > 0 && std::isfinite(*least) ? std::optional(*least * usPerSecond) : std::nullopt;
    }
    const auto quartile = [&](const char* tag) -> std::optional<double> {
        const auto seconds = summaryOf(state, tag);
        return seconds && std::isfinite(*seconds) ? std::optional(*seconds * usPerSecond) : std::nullopt;
    };
    row.p25Us = quartile("nv/cold/time/gpu/q1");
    row.p75Us = quartile("nv/cold/time/gpu/q3");
    const double samples = summaryOf(state, "nv/cold/sample_size").value_or(0);
    row.samples = samples > 0 && samples < 1e9 ? static_cast<int>(samples) : 0;
    return row;
}

struct Device {
    std::optional<double> id;
    std::string name;
    StatedRates stated;
};

Device deviceOf(const Json& document, double id) {
    Device device;
    for (const Json& entry : memberOf(document, "devices")) {
        if (numberAt(entry, "id") == id) {
            device.id = id;
            device.name = textOf(entry, "name");
            device.stated.memoryBytes = numberAt(entry, "global_memory_size").value_or(0);
            device.stated.bandwidthGbS = numberAt(entry, "global_memory_bus_bandwidth").value_or(0) / 1e9;
        }
    }
    return device;
}

/// Names by number, of devices that have timings.
std::map<double, std::string> timedDevicesOf(const Json& document) {
    std::map<double, std::string> names;
    for (const Json& benchmark : memberOf(document, "benchmarks")) {
        for (const Json& state : memberOf(benchmark, "states")) {
            const double id = numberAt(state, "device").value_or(0);
            if (memberOf(state, "is_skipped") != true) {
                const std::string name = deviceOf(document, id).name;
                names[id] = name.empty() ? fmt::format("device {}", id) : name;
            }
        }
    }
    return names;
}

/// Returns the number of the device whose states are read, which is `wanted` by number or by name; nothing if
/// all are of one device.
Result<std::optional<double>> deviceIdToRead(const Json& document, const std::string& wanted) {
    const std::map<double, std::string> names = timedDevicesOf(document);
    if (names.size() < 2) {
        return std::optional<double>();
    }
    std::set<std::string> different;
    for (const auto& [id, name] : names) {
        if (numberIn(wanted) == id) {
            return std::optional(id);
        }
        different.insert(name);
    }
    if (different.size() < names.size()) {
        return Error{"it holds timings of several devices of the same name", "",
                     "`--device 0` and so on reads those of one, by NVBench's number"};
    }
    const auto device = deviceToRead(different, wanted);
    if (!device) {
        return device.error();
    }
    const auto found = std::ranges::find_if(names, [&](const auto& one) { return one.second == *device; });
    return std::optional(found->first);
}

} // namespace

std::set<std::string> devicesInNvbench(std::string_view json) {
    std::set<std::string> devices;
    const std::map<double, std::string> names = timedDevicesOf(jsonFrom(json));
    for (const auto& [id, name] : names) {
        devices.insert(name);
    }
    return devices.size() == names.size() ? devices : std::set<std::string>();
}

Result<Profile> profileFromNvbench(std::string_view json, const std::string& path, const KernelNames& names) {
    const auto error = [&](const std::string& what, const std::string& where = "") {
        return Error{"not NVBench's timings of GEMM kernels: " + what,
                     where.empty() ? path : fmt::format("{}, {}", path, where),
                     "a file of NVBench's --json whose benchmarks have the axes K, N, M and k_bits"};
    };
    const Json document = jsonFrom(json);
    if (!memberOf(document, "benchmarks").is_array() || !memberOf(document, "devices").is_array()) {
        return error("it has no \"benchmarks\" and \"devices\"");
    }
    const auto wanted = deviceIdToRead(document, names.device);
    if (!wanted) {
        return Error{error(wanted.error().what).what, path, wanted.error().remedy};
    }
    ForeignRows rows(nameOfFile(path), names);
    std::optional<double> device;
    for (const Json& benchmark : memberOf(document, "benchmarks")) {
        const std::string name = textOf(benchmark, "name");
        for (const Json& state : memberOf(benchmark, "states")) {
            if (memberOf(state, "is_skipped") == true) {
                continue;
            }
            const double id = numberAt(state, "device").value_or(0);
            const std::string where = fmt::format("{} [{}]", name, textOf(state, "name"));
            if (*wanted && **wanted != id) {
                rows.passOver();
                continue;
            }
            device = id;
            const ForeignRow row = rowOf(name, state);
            if (row.timeUs && std::isnan(*row.timeUs)) {
                return error("its time is not a number (NaN): NVBench could not measure it; take it out",
                             where);
            }
            if (const auto problem = rows.take(row)) {
                return error(*problem, where);
            }
        }
    }
    Profile profile;
    profile.points = rows.points();
    if (profile.points.empty()) {
        return error("no state of it has a time");
    }
    const Device known = deviceOf(document, device.value_or(0));
    profile.name = nameOfFile(path);
    profile.source = std::string(importedFrom) + nameOfFile(path) + " (NVBench)";
    profile.device = known.name;
    profile.hardware = hardwareNamed(known.name, known.stated);
    profile.methodFacts = rows.facts();
    profile.methodFacts[nvbenchDeviceFact] = fmt::format("{}", device.value_or(0));
    if (const auto mistake = unitMistakeIn(profile, path)) {
        return *mistake;
    }
    flagFasterThanDevice(profile);
    profile.method =
        "NVBench, isolated calls where it has them, else calls in a row: not measured by this program";
    const std::string version =
        textOf(memberOf(memberOf(memberOf(document, "meta"), "version"), "nvbench"), "string");
    if (!version.empty()) {
        profile.methodFacts["nvbench"] = compactJson(Json(version));
    }
    return profile;
}

} // namespace loadline
