// From a file of timings to a profile.
#include "app/cli/bench/bench_options.h"
#include "app/cli/terminal/output.h"
#include "app/files/bundled_atlas.h"
#include "app/files/this_machine.h"
#include "app/options/cost_option.h"
#include "core/base/file/archive.h"
#include "core/base/file/read_file.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/device/hardware.h"
#include "core/cost/import/import_atlas.h"
#include "core/cost/import/import_timings.h"
#include "core/cost/import/named_device.h"
#include "core/cost/import/plausible_times.h"
#include "core/cost/import/read_profile.h"
#include "core/cost/profile/profile_json.h"
#include "core/text/counted.h"
#include "core/text/plain_words.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <array>
#include <string_view>
#include <vector>

namespace loadline::app {
namespace {

constexpr std::size_t mostTimingBytes = std::size_t{256} << 20;

/// Puts the device of --device into a profile; says if the file names another one.
void nameDevice(Profile& profile, const std::string& device) {
    const auto number = profile.methodFacts.find(nvbenchDeviceFact);
    const bool isItsNumber = number != profile.methodFacts.end() && number->second == device;
    const std::string before = profile.device;
    if ((isItsNumber && !before.empty()) || !takeDevice(profile, device)) {
        return;
    }
    if (!before.empty()) {
        say(fmt::format(
            "loadline: the file says that it was timed on {}; with --device it counts as timed on "
            "{}",
            visibleText(before), visibleText(profile.device)));
    }
}

/// The text of a file, unpacked if it is compressed.
Result<std::string> timingsIn(const std::string& path) {
    Result<std::string> text = readWholeFile(path, "the timings", mostTimingBytes);
    return text && isArchive(*text) ? unpackedBytes(*text, mostTimingBytes) : text;
}

/// Says what a table in the atlas's form leaves out and whether the program comes with it; the Error: it is
/// that and no profile, so that there is nothing to import.
Status remarkOnAtlasTable(const std::string& text, const std::string& path) {
    const Result<AtlasImport> table = readAtlasCsv(text, path);
    if (!table) {
        return table.error();
    }
    const Result<Profile> profile = profileFromAtlas(*table);
    for (const AtlasName& gpu : atlasNames()) {
        const auto surfaces =
            table->gpu == nullptr || table->gpu->key == gpu.key ? bundledAtlas(gpu.key) : nullptr;
        if (!surfaces || !isInAtlas(*table, surfaces->atlas())) {
            continue;
        }
        const std::string words = fmt::format("the program comes with this table of {} on {}",
                                              specOf(table->table.kind).name, gpu.key);
        if (!profile) {
            return Error{words + ", and a profile holds linear layers alone", path,
                         "`loadline bench --list`, which names its origin"};
        }
        say(fmt::format("loadline: {}: `loadline bench --list` names its origin", words));
        break;
    }
    if (!profile) {
        return profile.error();
    }
    for (const std::string& remark : atlasImportRemarks(*table)) {
        say("loadline: " + remark);
    }
    return Done{};
}

Result<Profile> imported(const BenchOptions& options) {
    KernelNames names;
    for (const std::string& word : options.as) {
        if (const auto problem = addKernelName(names, word)) {
            return *problem;
        }
    }
    const std::string device = options.device == "host" ? thisMachine().processor : options.device;
    names.device = options.deviceNamed ? device : std::string();
    const Result<std::string> text = timingsIn(options.import);
    if (!text) {
        return text.error();
    }
    if (isAtlasCsv(*text, options.import)) {
        if (const Status remarked = remarkOnAtlasTable(*text, options.import); !remarked) {
            return remarked.error();
        }
    }
    Result<Profile> profile = readProfile(*text, options.import, names);
    if (!profile) {
        return profile.error();
    }
    *profile = seenFrom(std::move(*profile), thisMachine());
    if (options.deviceNamed) {
        nameDevice(*profile, device);
        if (const auto mistake = unitMistakeIn(*profile, options.import)) {
            return *mistake;
        }
        flagFasterThanDevice(*profile);
    }
    if (profile->hardware.empty() && !profile->device.empty() && profile->device != thisMachine().processor) {
        say(fmt::format("loadline: {} If it is one of {}: --device names it.",
                        unknownDeviceText(profile->device), commaList(hardwareTable(), &Hardware::key)));
    }
    if (const std::string faster = fasterThanDeviceText(*profile); !faster.empty()) {
        say("loadline: " + faster);
    }
    if (const std::string slower = tooLongText(*profile); !slower.empty()) {
        say("loadline: " + slower);
    }
    for (const std::string& remark : importRemarksOf(*profile)) {
        say("loadline: " + remark);
    }
    return profile;
}

Result<Profile> joined(const BenchOptions& options, Profile theirs) {
    if (options.into.empty()) {
        return theirs;
    }
    const Result<TimesChoice> base = resolveTimes(options.into);
    if (!base) {
        return base.error();
    }
    if (base->profile == nullptr) {
        return Error{"a roofline has no points to put timings beside", options.into,
                     "a profile file, a model (model:H100-SXM), or rtx4090-published"};
    }
    if (!theirs.device.empty() && !isSameDevice(theirs.device, base->profile->device)) {
        say(fmt::format("loadline: {} was timed on {}, {} on {}: their times are not alike", theirs.name,
                        theirs.device, base->profile->name, base->profile->device));
    }
    return withKernelsOf(*base->profile, theirs);
}

} // namespace

int runImport(const BenchOptions& options) {
    if (const Status possible = canWriteOutputs({options.out}); !possible) {
        return fail(possible.error());
    }
    const std::array<std::string, 2> read = {options.import, options.into};
    if (const Status free = refuseToOverwrite({&options.out, 1}, read); !free) {
        return fail(free.error());
    }
    Result<Profile> theirs = imported(options);
    if (!theirs) {
        return fail(theirs.error());
    }
    const std::string assumed = assumedErrorText(*theirs);
    Result<Profile> profile = joined(options, std::move(*theirs));
    if (!profile) {
        return fail(profile.error());
    }
    if (!options.name.empty()) {
        profile->name = options.name;
    }
    if (options.out.empty() || options.out == standardOutput) {
        return printJsonText(toJson(*profile));
    }
    if (const Status written = writeFile(options.out, toJson(*profile)); !written) {
        return fail(written.error());
    }
    return printText(fmt::format("{} in {}\n{}", counted(profile->points.size(), "point"),
                                 visibleText(options.out), assumed.empty() ? "" : assumed + "\n"));
}

} // namespace loadline::app
