// Facts of a device under the names that profiles keep.
#include "gpu/cuda/cuda_facts.h"

#include "core/cost/device/device_name.h"

#include <nlohmann/json.hpp>

#include <utility>

namespace loadline::gpu {

DeviceInfo deviceInfoOf(int index, const CudaDeviceFacts& facts, const CudaProbe& probe) {
    DeviceInfo info;
    info.key = "cuda:" + std::to_string(index);
    info.name = facts.name;
    info.hardware = hardwareNamed(facts.name, {.memoryBytes = static_cast<double>(facts.memoryBytes),
                                               .bandwidthGbS = datasheetBandwidth(facts) / 1e9});
    info.lastLevelCacheBytes = facts.l2Bytes;
    info.mostCopies = mostCudaCopies;
    info.replays = true;
    info.freeMemoryBytes = facts.memoryFreeBytes;
    const auto add = [&](const char* key, const nlohmann::json& value) { info.facts[key] = value.dump(); };
    const auto addKnown = [&](const char* key, std::int64_t value) {
        if (value > 0) {
            add(key, value);
        }
    };
    const auto addSwitch = [&](const char* key, std::int32_t value) {
        if (value >= 0) {
            add(key, value != 0);
        }
    };
    add("compute_capability", std::to_string(facts.computeMajor) + "." + std::to_string(facts.computeMinor));
    addKnown("multiprocessors", facts.multiprocessors);
    addKnown("l2_bytes", facts.l2Bytes);
    addKnown("memory_bytes", facts.memoryBytes);
    addKnown("memory_bus_bits", facts.busWidthBits);
    addKnown("sm_clock_max_mhz", facts.smClockMaxMHz);
    addKnown("sm_clock_default_mhz", facts.smClockDefaultMHz);
    addKnown("memory_clock_max_mhz", facts.memoryClockMaxMHz);
    addKnown("pci_generation", facts.pciGeneration);
    addKnown("pci_generation_max", facts.pciGenerationMax);
    addKnown("pci_width", facts.pciWidth);
    addKnown("pci_width_max", facts.pciWidthMax);
    addKnown("power_limit_mw", facts.powerLimitMw);
    addSwitch("ecc", facts.eccOn);
    addSwitch("mig", facts.migOn);
    addSwitch("persistence", facts.persistenceOn);
    if (facts.otherProcesses >= 0) {
        add("other_processes", facts.otherProcesses);
    }
    add("identity", facts.identity);
    if (facts.driver[0] != 0) {
        add("driver", facts.driver);
    }
    addKnown("driver_cuda", probe.driverCuda);
    addKnown("runtime_cuda", probe.runtimeCuda);
    if (probe.nvcc > 0) {
        add("nvcc", std::to_string(probe.nvcc / 100) + "." + std::to_string(probe.nvcc % 100));
    }
    addKnown("cublas", probe.cublasVersion);
    return info;
}

std::string throttlingIn(std::uint64_t reasons) {
    // nvml.h, nvmlClocksEventReason...; idle, application settings and sync boost are no throttling.
    constexpr std::pair<std::uint64_t, const char*> names[] = {{0x4, "power cap"},
                                                               {0x8, "hardware slowdown"},
                                                               {0x20, "heat"},
                                                               {0x40, "heat (hardware)"},
                                                               {0x80, "power brake"}};
    std::string text;
    for (const auto& [bit, name] : names) {
        if ((reasons & bit) != 0) {
            text += (text.empty() ? "" : ", ") + std::string(name);
        }
    }
    return text;
}

double datasheetBandwidth(const CudaDeviceFacts& facts) {
    return 2e6 * facts.memoryClockMaxMHz * facts.busWidthBits / 8;
}

} // namespace loadline::gpu
