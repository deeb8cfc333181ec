// NVML by its own prototypes: every call is optional, none changes anything.
#include "gpu/cuda/device/nvml.cuh"
#include "gpu/cuda/device/shared_library.cuh"
#include "gpu/cuda/device/status.cuh"

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace loadline::gpu {

namespace {

constexpr unsigned clockSm = 1;
constexpr unsigned clockMemory = 2;
constexpr unsigned sensorGpu = 0;

/// nvmlProcessInfo_t of nvmlDeviceGetComputeRunningProcesses_v3.
struct ProcessInfo {
    unsigned pid;
    unsigned long long memory;
    unsigned gpuInstance, computeInstance;
};

class Nvml {
public:
    static const Nvml& get() {
        static const Nvml nvml;
        return nvml;
    }

    bool usable = false;

    void* deviceAt(const char* pciBusId) const {
        void* device = nullptr;
        int (*byPci)(const char*, void**) = nullptr;
        return usable && library_.find(byPci, "nvmlDeviceGetHandleByPciBusId_v2") &&
                       byPci(pciBusId, &device) == 0
                   ? device
                   : nullptr;
    }

    /// Calls symbol(device, arguments..., &value); true if it is there and succeeded.
    template <class Value, class... Arguments>
    bool read(const char* symbol, void* device, Value& value, Arguments... arguments) const {
        int (*call)(void*, Arguments..., Value*) = nullptr;
        Value got{};
        if (!library_.find(call, symbol) || call(device, arguments..., &got) != 0) {
            return false;
        }
        value = got;
        return true;
    }

    void readInto(const char* symbol, void* device, std::int32_t& field) const {
        unsigned value = 0;
        if (read(symbol, device, value)) {
            field = static_cast<std::int32_t>(value);
        }
    }
    void readClock(const char* symbol, void* device, unsigned which, std::int32_t& field) const {
        unsigned value = 0;
        if (read(symbol, device, value, which)) {
            field = static_cast<std::int32_t>(value);
        }
    }
    /// Reads a mode by a call that gives the present and the pending one.
    void readMode(const char* symbol, void* device, std::int32_t& field) const {
        int (*call)(void*, unsigned*, unsigned*) = nullptr;
        unsigned now = 0;
        unsigned pending = 0;
        if (library_.find(call, symbol) && call(device, &now, &pending) == 0) {
            field = static_cast<std::int32_t>(now);
        }
    }

    const SharedLibrary& library() const { return library_; }

private:
    Nvml() {
#ifdef _WIN32
        library_.open({"nvml.dll", "C:\\Windows\\System32\\nvml.dll"});
#else
        library_.open({"libnvidia-ml.so.1"});
#endif
        int (*init)() = nullptr;
        usable = library_.find(init, "nvmlInit_v2") && init() == 0;
    }
    SharedLibrary library_;
};

/// Returns the number of other processes. In a container NVML names processes by the host's numbers: if ours
/// has a context on the device and is not named by its own number, one of the others is ours.
std::int32_t otherProcessesOn(const Nvml& nvml, void* device, bool hasContext) {
    int (*processes)(void*, unsigned*, ProcessInfo*) = nullptr;
    ProcessInfo list[64] = {};
    unsigned count = 64;
    if (!nvml.library().find(processes, "nvmlDeviceGetComputeRunningProcesses_v3") ||
        processes(device, &count, list) != 0) {
        return -1;
    }
#ifdef _WIN32
    const auto me = static_cast<unsigned>(_getpid());
#else
    const auto me = static_cast<unsigned>(getpid());
#endif
    std::int32_t others = 0;
    bool named = false;
    for (unsigned i = 0; i < count; ++i) {
        named = named || list[i].pid == me;
        others += list[i].pid == me ? 0 : 1;
    }
    return hasContext && !named && others > 0 ? others - 1 : others;
}

} // namespace

bool nvmlFound() {
    return Nvml::get().usable;
}

void readNvmlFacts(const char* pciBusId, bool hasContext, CudaDeviceFacts& facts) {
    const Nvml& nvml = Nvml::get();
    void* const device = nvml.deviceAt(pciBusId);
    if (device == nullptr) {
        return;
    }
    int (*driverVersion)(char*, unsigned) = nullptr;
    if (nvml.library().find(driverVersion, "nvmlSystemGetDriverVersion")) {
        driverVersion(facts.driver, sizeof facts.driver);
    }
    nvml.readClock("nvmlDeviceGetMaxClockInfo", device, clockSm, facts.smClockMaxMHz);
    nvml.readClock("nvmlDeviceGetMaxClockInfo", device, clockMemory, facts.memoryClockMaxMHz);
    nvml.readClock("nvmlDeviceGetDefaultApplicationsClock", device, clockSm, facts.smClockDefaultMHz);
    nvml.readInto("nvmlDeviceGetCurrPcieLinkGeneration", device, facts.pciGeneration);
    nvml.readInto("nvmlDeviceGetMaxPcieLinkGeneration", device, facts.pciGenerationMax);
    nvml.readInto("nvmlDeviceGetCurrPcieLinkWidth", device, facts.pciWidth);
    nvml.readInto("nvmlDeviceGetMaxPcieLinkWidth", device, facts.pciWidthMax);
    nvml.readInto("nvmlDeviceGetEnforcedPowerLimit", device, facts.powerLimitMw);
    nvml.readInto("nvmlDeviceGetPersistenceMode", device, facts.persistenceOn);
    nvml.readMode("nvmlDeviceGetEccMode", device, facts.eccOn);
    nvml.readMode("nvmlDeviceGetMigMode", device, facts.migOn);
    facts.otherProcesses = otherProcessesOn(nvml, device, hasContext);
}

std::uint64_t readThrottleReasons(const char* pciBusId) {
    const Nvml& nvml = Nvml::get();
    void* const device = nvml.deviceAt(pciBusId);
    unsigned long long reasons = 0;
    if (device == nullptr || (!nvml.read("nvmlDeviceGetCurrentClocksEventReasons", device, reasons) &&
                              !nvml.read("nvmlDeviceGetCurrentClocksThrottleReasons", device, reasons))) {
        return 0;
    }
    return reasons;
}

void readNvmlHealth(const char* pciBusId, CudaHealth& health) {
    const Nvml& nvml = Nvml::get();
    void* const device = nvml.deviceAt(pciBusId);
    if (device == nullptr) {
        return;
    }
    nvml.readClock("nvmlDeviceGetClockInfo", device, clockSm, health.smClockMHz);
    nvml.readClock("nvmlDeviceGetClockInfo", device, clockMemory, health.memoryClockMHz);
    nvml.readClock("nvmlDeviceGetTemperature", device, sensorGpu, health.temperatureC);
    nvml.readInto("nvmlDeviceGetPowerUsage", device, health.powerMw);
    health.throttleReasons = readThrottleReasons(pciBusId);
}

} // namespace loadline::gpu
