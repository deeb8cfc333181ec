// Any bytes as kernel timings of every form: what is read can be asked for times and kept as a profile.
#include "core/base/file/read_json.h"
#include "core/cost/device/device_name.h"
#include "core/cost/device/hardware.h"
#include "core/cost/estimate/attention_table.h"
#include "core/cost/figure/kernel_figure.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"
#include "tests/fuzz/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkTimes(const Profile& profile) {
    const Hardware* hardware = findHardware(profile.hardware);
    const KernelTimes times(profile, hardware, {.modelMissingKernels = digestOf(profile.name) % 2 == 0});
    const std::size_t every = std::max<std::size_t>(1, profile.points.size() / 8);
    for (std::size_t i = 0; i < profile.points.size(); i += every) {
        const ProfilePoint& point = profile.points[i];
        check(std::isfinite(relativeErrorOf(point)));
        const bool unvalidated =
            std::find(point.flags.begin(), point.flags.end(), unvalidatedFlag) != point.flags.end();
        check((relativeErrorOf(point) > 0) != unvalidated);
        for (const double factor : {0.5, 1.0, 1.3, 100.0}) {
            const double rows = std::max(1.0, static_cast<double>(point.rowsM) * factor);
            const auto time = times.time(point.kernel, point.size, point.experts, rows, point.kBits);
            if (time) {
                check(isTime(time->us) && isTime(time->relativeError));
            } else {
                checkError(time.error());
            }
        }
    }
    const auto shown = shapeShown(profile, "");
    check(shown.has_value() == !timedShapes(profile).empty());
}

/// A profile that was read is written, and reads back equal.
void checkProfile(const Result<Profile>& profile) {
    if (!profile) {
        return checkError(profile.error());
    }
    check(!profile->points.empty());
    const std::string written = toJson(*profile);
    const Result<Profile> again = profileFromJson(written, "x");
    if (!again) {
        std::fprintf(stderr, "%s\n", again.error().sentence().c_str());
    }
    check(again.hasValue());
    checkEqual(toJson(*again), written);
    check(!provenanceLines(*profile).empty());
    checkTimes(*profile);
    if (const auto attention = attentionTableOf(*profile)) {
        check(!attention->decode.empty() || !attention->prefill.empty());
    }
}

std::optional<ProfilePoint> pointFrom(std::string_view text) {
    JsonProblem problem;
    const nlohmann::json json = jsonFrom(text);
    JsonFields fields(json, problem);
    const ProfilePoint point = profilePointIn(fields);
    return problem ? std::nullopt : std::optional(point);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::string path = "x/h100.csv";
    checkProfile(readProfile(text, path, {.byName = {{"mine", Kernel::SwapAb}}, .otherwise = Kernel::Mma}));
    checkProfile(profileFromKernelCsv(text, path));
    checkProfile(profileFromNvbench(text, path));
    checkProfile(profileFromKBitTimings(text, path));
    checkProfile(profileFromGemmCsv(text, path, "a device", "H100-SXM"));
    KernelNames names;
    if (const auto error = addKernelName(names, text)) {
        checkError(*error);
    } else {
        check(names.otherwise.has_value() != !names.byName.empty());
    }
    if (const auto point = pointFrom(text)) {
        const auto again = pointFrom(toJson(*point));
        check(again && toJson(*again) == toJson(*point));
    }
    const std::string named = hardwareNamed(text, {.bandwidthGbS = 3350});
    check(named.empty() || (findHardware(named) != nullptr && !namesOtherBoard(text, named)));
    return 0;
}
