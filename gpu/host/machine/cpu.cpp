#include "gpu/host/machine/cpu.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <fstream>

#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__linux__)
#include <sched.h>
#include <unistd.h>
#endif

namespace loadline::gpu {
namespace {

constexpr const char* architecture =
#if defined(__x86_64__)
    "x86_64";
#elif defined(__aarch64__)
    "aarch64";
#else
    "other";
#endif

std::string modelName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.rfind("model name", 0) == 0 && colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return "unknown processor";
}

/// Returns the size of the last cache that the first processor uses: in a virtual machine the processor
/// itself reports all parts of a socket's cache at once.
std::int64_t cacheOfFirstProcessor() {
    for (const char* index : {"3", "2"}) {
        std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
        std::int64_t size = 0;
        char unit = 0;
        if (file >> size >> unit && size > 0) {
            return unit == 'M' ? size << 20 : size << 10;
        }
    }
    return 0;
}

std::int64_t lastLevelCache() {
    if (const std::int64_t bytes = cacheOfFirstProcessor(); bytes > 0) {
        return bytes;
    }
#if defined(_SC_LEVEL3_CACHE_SIZE)
    for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
        const auto bytes = static_cast<std::int64_t>(sysconf(level));
        if (bytes > 0) {
            return bytes;
        }
    }
#endif
    return 0;
}

/// Returns the number of processors that this process may run on.
unsigned usableCores() {
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0) {
        return static_cast<unsigned>(CPU_COUNT(&set));
    }
#endif
    return defaultThreads();
}

#if defined(__x86_64__)
/// Clang 14 does not know the name: bit 29 of leaf 1.
bool hasF16c() {
    unsigned eax = 0;
    unsigned ebx = 0;
    unsigned ecx = 0;
    unsigned edx = 0;
    return __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx & bit_F16C) != 0;
}
#endif

bool hasAvx2() {
#if defined(__x86_64__)
    // __builtin_cpu_supports also asks whether the system saves the wide registers.
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 && hasF16c();
#else
    return false;
#endif
}

bool hasAvx512() {
#if defined(__x86_64__)
    return hasAvx2() && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vnni") != 0;
#else
    return false;
#endif
}

} // namespace

std::string_view nameOf(InstructionSet set) {
    switch (set) {
    case InstructionSet::Avx2:
        return "AVX2";
    case InstructionSet::Avx512:
        return "AVX-512";
    case InstructionSet::Portable:
        break;
    }
    return "portable";
}

bool Cpu::has(InstructionSet set) const {
    return std::ranges::find(sets, set) != sets.end();
}

Cpu thisCpu() {
    Cpu cpu{.name = modelName(),
            .architecture = architecture,
            .cores = usableCores(),
            .lastLevelCacheBytes = lastLevelCache(),
            .sets = {InstructionSet::Portable}};
    if (hasAvx2()) {
        cpu.sets.push_back(InstructionSet::Avx2);
    }
    if (hasAvx512()) {
        cpu.sets.push_back(InstructionSet::Avx512);
    }
    return cpu;
}

} // namespace loadline::gpu
