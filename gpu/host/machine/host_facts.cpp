// Asks the operating system about memory, load and itself.
#include "gpu/host/machine/host_facts.h"

#include "core/text/json/compact_json.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace loadline::gpu {
namespace {

/// The number behind "name:" in a file of such lines, times 1024; 0: not there.
std::int64_t kilobytesIn(const char* path, const std::string& name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);) {
        if (line.rfind(name, 0) == 0) {
            return std::strtoll(line.c_str() + name.size(), nullptr, 10) * 1024;
        }
    }
    return 0;
}

/// A file that holds one number; 0 where it does not ("max") or is not there.
std::int64_t numberIn(const char* path) {
    std::ifstream file(path);
    std::int64_t number = 0;
    return file >> number ? number : 0;
}

bool isVirtualMachine() {
#if defined(__x86_64__)
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    constexpr unsigned hypervisorBit = 1U << 31U;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & hypervisorBit) != 0;
#else
    return false;
#endif
}

} // namespace

std::int64_t availableMemory() {
    std::int64_t available = kilobytesIn("/proc/meminfo", "MemAvailable:");
    const std::int64_t limit = numberIn("/sys/fs/cgroup/memory.max");
    if (limit > 0) {
        const std::int64_t left = limit - numberIn("/sys/fs/cgroup/memory.current");
        available = std::min(available, std::max<std::int64_t>(left, 0));
    }
    return available;
}

std::string operatingSystem() {
    std::ifstream file("/etc/os-release");
    const std::string key = "PRETTY_NAME=";
    for (std::string line; std::getline(file, line);) {
        if (line.rfind(key, 0) == 0) {
            std::string name = line.substr(key.size());
            std::erase(name, '"');
            return name;
        }
    }
    return "";
}

std::string compiler() {
#if defined(__clang__)
    return fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
    return fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
    return "unknown compiler";
#endif
}

double loadAverage() {
#if defined(__unix__) || defined(__APPLE__)
    double load = 0;
    return ::getloadavg(&load, 1) == 1 ? load : -1;
#else
    return -1;
#endif
}

DeviceInfo hostDeviceInfo(const Cpu& cpu, unsigned threads, const std::string& openBlas) {
    DeviceInfo info;
    info.key = "host";
    info.name = cpu.name;
    info.lastLevelCacheBytes = cpu.lastLevelCacheBytes;
    info.freeMemoryBytes = availableMemory();
    info.mostCopies = 4096; // they are only looked at, not made
    const auto add = [&](const char* key, const nlohmann::json& value) {
        info.facts[key] = compactJson(value);
    };
    add("architecture", cpu.architecture);
    add("processors", cpu.cores);
    add("threads", threads);
    add("threads_pinned", false);
    add("instruction_set", std::string(nameOf(cpu.best())));
    add("last_level_cache_bytes", cpu.lastLevelCacheBytes);
    add("memory_available_bytes", info.freeMemoryBytes);
    add("virtual_machine", isVirtualMachine());
    add("compiler", compiler());
    add("openblas", openBlas.empty() ? "not installed" : openBlas);
    if (loadAverage() >= 0) {
        add("load_average_before", loadAverage());
    }
    return info;
}

} // namespace loadline::gpu
