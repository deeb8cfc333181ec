// Opens the device, measures, and leaves a profile however the run ends.
#include "app/cli/bench/bench_options.h"
#include "app/cli/bench/bench_teller.h"
#include "app/cli/bench/bench_text.h"
#include "app/cli/commands.h"
#include "app/cli/help/version.h"
#include "app/cli/terminal/output.h"
#include "app/cli/terminal/stops.h"
#include "app/files/bundled_atlas.h"
#include "app/files/program_folder.h"
#include "app/files/this_machine.h"
#include "app/options/cost_option.h"
#include "core/base/time.h"
#include "core/cost/device/atlas_name.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_json.h"
#include "core/cost/step/atlas_profile.h"
#include "core/text/json/compact_json.h"
#include "gpu/devices/devices.h"
#include "gpu/host/machine/host_facts.h"
#include "gpu/protocol/measure.h"

#include <QByteArray>
#include <QSysInfo>
#include <QtGlobal>

#include <chrono>
#include <thread>

#if defined(Q_OS_UNIX)
#include <unistd.h>
#endif

namespace loadline::app {
namespace {

constexpr const char* madeUpVariable = "LOADLINE_MADE_UP";

Result<gpu::DeviceOptions> deviceOptionsOf(const BenchOptions& options) {
    gpu::DeviceOptions devices;
    devices.host = {.threads = options.threads,
                    .int8Activations = options.int8Activations,
                    .rotateBytes = 0,
                    .seed = options.seed};
    devices.cudaPlugin = cudaPluginPath();
    devices.salt = QSysInfo::machineUniqueId().toStdString();
    const Result<gpu::MadeUpBehaviour> madeUp =
        gpu::madeUpBehaviourFromText(qgetenv(madeUpVariable).toStdString());
    if (!madeUp) {
        return madeUp.error();
    }
    devices.madeUp = *madeUp;
    return devices;
}

/// The GPUs of the atlas, in the order of lists.
std::vector<AtlasDevice> atlasDevices() {
    std::vector<AtlasDevice> devices;
    for (const AtlasName& name : atlasNames()) {
        if (const auto surfaces = bundledAtlas(name.key)) {
            devices.push_back(atlasDeviceOf(surfaces->atlas()));
        }
    }
    return devices;
}

int listAll(const gpu::DeviceOptions& options, const BenchOptions& asked) {
    const gpu::DeviceList list = gpu::listDevices(options);
    std::vector<BenchDevice> devices;
    for (const gpu::DeviceInfo& info : list.devices) {
        devices.push_back({info.key, info.name, info.hardware, info.unavailable, info.madeUp, info.facts});
    }
    if (asked.json) {
        return printJsonText(devicesDocument(devices, list.remarks, atlasDevices()));
    }
    if (!asked.jsonLines) {
        return printText(deviceText(devices, list.remarks) + "\n" + atlasText(atlasDevices()));
    }
    std::string lines;
    for (const BenchDevice& device : devices) {
        lines += toJsonLine(device);
    }
    for (const std::string& remark : list.remarks) {
        lines += toJsonLine(BenchRemark{remark});
    }
    return printJsonText(lines);
}

gpu::MeasureContext contextNow(const std::string& name) {
    using namespace std::chrono;
    const auto begin = steady_clock::now();
    const auto now = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
    return {
        .version = LOADLINE_VERSION,
        .date = formatIso8601(TimeMs{now.count()}),
        .seconds = [begin] { return duration<double>(steady_clock::now() - begin).count(); },
        .sleepSeconds = [](double seconds) { std::this_thread::sleep_for(duration<double>(seconds)); },
        .facts = {{"program_revision", compactJson(revision())}, {"os", compactJson(gpu::operatingSystem())}},
        .deviceFacts = {{machineFact, machineFactOf(thisMachine())}},
        .name = name};
}

/// Tells how it ended.
int finish(const BenchOptions& options, const Result<Profile>& profile, BenchTeller& tell) {
    if (!profile) {
        tell(BenchFailed{profile.error()});
        return exitFailed;
    }
    Status written = Done{};
    if (!options.out.empty()) {
        written = writeOutput(options.out, toJson(*profile));
    }
    const bool saved = !options.out.empty() && written;
    if (!written) {
        tell(BenchRemark{written.error().sentence()});
    }
    const std::string cut = cutOf(*profile);
    tell(BenchDone{*profile, saved ? options.out : "", cut});
    return written && cut.empty() ? exitDone : exitFailed;
}

int measureAll(const BenchOptions& options, const gpu::DeviceOptions& deviceOptions) {
#if defined(Q_OS_UNIX)
    if (options.untilInputEnds) {
        ::setpgid(0, 0); // Ctrl-C in a terminal is for the parent, which then asks for an end in order
    }
#endif
    Stops stops(options.untilInputEnds);
    BenchTeller tell(true, stops.source());
    const auto give = [&](const Error& error) { return finish(options, error, tell); };
    if (!options.out.empty()) {
        if (const Status can = canWriteOutputs({options.out}); !can) { // before the minute, not after it
            return give(can.error());
        }
        if (const Status free = refuseToOverwrite({&options.out, 1}, {&options.shapes, 1}); !free) {
            return give(free.error());
        }
    }
    const Result<ModelShapes> shapes = resolveShapes(options.shapes);
    if (!shapes) {
        return give(shapes.error());
    }
    tell(BenchProgress{
        .doing = "opening the device", .done = 0, .total = 0, .secondsSpent = 0, .secondsLeft = 0});
    const Result<std::unique_ptr<gpu::Backend>> backend = gpu::openDevice(options.device, deviceOptions);
    if (!backend) {
        return give(backend.error());
    }
    const auto preset = gpu::presetFromKey(options.preset).value_or(gpu::Preset::Standard);
    const gpu::Plan plan = gpu::makePlan(**backend, *shapes, options.kBits, preset, options.seed);
    const Result<Profile> profile = gpu::measure(
        **backend, plan, contextNow(options.name), [&](const BenchEvent& event) { tell(event); },
        stops.source().get_token());
    const int status = finish(options, profile, tell);
    const bool failedOtherwise = status != exitDone && profile && cutOf(*profile).empty();
    return failedOtherwise ? status : stops.exitStatus().value_or(status);
}

} // namespace

int runBench(const Arguments& arguments) {
    BenchOptions options;
    if (const std::optional<int> status = parseBench(arguments, options)) {
        return *status;
    }
    if (!options.compare.empty()) {
        return runCompare(options);
    }
    if (!options.modelled.empty()) {
        return runModelled(options);
    }
    if (!options.import.empty()) {
        return runImport(options);
    }
    const Result<gpu::DeviceOptions> devices = deviceOptionsOf(options);
    if (!devices) {
        return fail(devices.error());
    }
    if (options.list) {
        return listAll(*devices, options);
    }
    return options.jsonLines ? measureAll(options, *devices) : measureWatched(options);
}

} // namespace loadline::app
