// A made-up NVML: the functions that the plugin looks up, with readings of its own.
#include "tests/gpu/rehearse/stage.h"

#include <cstdio>
#include <cstring>

namespace {

using loadline::gpu::rehearse::stage;

constexpr int notFound = 6; // nvmlReturn_t
constexpr int notSupported = 3;
int handles[16]; // devices are told apart by their address

int clockOf(unsigned which, unsigned sm, unsigned memory, unsigned* mhz) {
    *mhz = which == 1 ? sm : memory;
    return which == 1 || which == 2 ? 0 : notSupported;
}

int give(unsigned* to, unsigned value) {
    *to = value;
    return 0;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the library
extern "C" {

int nvmlInit_v2() {
    return 0;
}

int nvmlSystemGetDriverVersion(char* text, unsigned bytes) {
    std::snprintf(text, bytes, "580.65.06");
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
    for (unsigned i = 0; i < stage().devices.size(); ++i) {
        char expected[32];
        std::snprintf(expected, sizeof expected, "0000:%02x:00.0", i + 1);
        if (std::strcmp(id, expected) == 0) {
            *device = &handles[i];
            return 0;
        }
    }
    return notFound;
}

int nvmlDeviceGetMaxClockInfo(void*, unsigned which, unsigned* mhz) {
    return clockOf(which, 1980, 2619, mhz);
}
int nvmlDeviceGetClockInfo(void*, unsigned which, unsigned* mhz) {
    return clockOf(which, 1755, 2600, mhz);
}
int nvmlDeviceGetDefaultApplicationsClock(void*, unsigned, unsigned*) {
    return notSupported;
}
int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* to) {
    return give(to, 4);
}
int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* to) {
    return give(to, 5);
}
int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* to) {
    return give(to, 16);
}
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* to) {
    return give(to, 16);
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* to) {
    return give(to, 700'000);
}
int nvmlDeviceGetPersistenceMode(void*, unsigned* to) {
    return give(to, 1);
}
int nvmlDeviceGetPowerUsage(void*, unsigned* to) {
    return give(to, 350'000);
}
int nvmlDeviceGetTemperature(void*, unsigned sensor, unsigned* to) {
    return sensor == 0 ? give(to, 45) : notSupported;
}
int nvmlDeviceGetEccMode(void*, unsigned* now, unsigned* pending) {
    *pending = 0;
    return give(now, 1);
}
struct ProcessInfo {
    unsigned pid;
    unsigned long long memory;
    unsigned gpuInstance, computeInstance;
};

int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* list) {
    *count = static_cast<unsigned>(stage().processes.size());
    for (unsigned i = 0; i < *count; ++i) {
        list[i] = {stage().processes[i], 0, 0, 0};
    }
    return 0;
}
int nvmlDeviceGetMigMode(void*, unsigned*, unsigned*) {
    return notSupported;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
    *reasons = stage().throttleReasons;
    return 0;
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
