// What ptxas said of every kernel for every architecture when the plugin was built: no spills, registers
// under a ceiling, all instances there.
#include "core/cost/analytic/kernel_counts.h"
#include "core/cost/analytic/reference_counts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace loadline::gpu {
namespace {

#ifdef LOADLINE_PTXAS_LOGS

struct Usage {
    int registers = 0;
    int spillBytes = 0;
    int stackBytes = 0;
};

/// Kernel (as mangled from its own name on, "swapAbKernelILi4ELi1ELi4E") -> architecture -> usage.
using Usages = std::map<std::string, std::map<std::string, Usage>>;

Usages readLogs(const std::filesystem::path& folder) {
    const std::regex entry(R"(Compiling entry function '(\S+)' for '(\w+)')");
    const std::regex name(R"(\d+([a-zA-Z]+Kernel(?:I(?:L[ib]\d+E)+)?))");
    const std::regex memory(R"((\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads)");
    const std::regex registers(R"(Used (\d+) registers)");
    Usages usages;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        if (file.path().extension() != ".ptxas") {
            continue;
        }
        std::ifstream in(file.path());
        std::string line;
        std::smatch match;
        Usage* usage = nullptr;
        while (std::getline(in, line)) {
            if (std::regex_search(line, match, entry)) {
                const std::string mangled = match[1];
                const std::string architecture = match[2];
                EXPECT_TRUE(std::regex_search(mangled, match, name)) << mangled;
                usage = &usages[match[1]][architecture];
            } else if (usage != nullptr && std::regex_search(line, match, memory)) {
                usage->stackBytes = std::stoi(match[1]);
                usage->spillBytes = std::stoi(match[2]) + std::stoi(match[3]);
            } else if (usage != nullptr && std::regex_search(line, match, registers)) {
                usage->registers = std::stoi(match[1]);
            }
        }
    }
    return usages;
}

/// What a multiprocessor of 65,536 registers leaves each thread, in steps of 8, with as many blocks as the
/// design wants there; 255 is the most an instruction can name.
int ceilingFor(int threads, int blocks) {
    return std::min(255, 65536 / (threads * blocks) / 8 * 8);
}

/// The number of a kernel's template argument, "swapAbKernelILi4ELi1ELi4E": 4, 1, 4.
int argumentOf(const std::string& kernel, int which) {
    std::size_t at = kernel.find("ILi");
    for (int i = 0; i < which && at != std::string::npos; ++i) {
        at = kernel.find("ELi", at + 1);
    }
    return at == std::string::npos ? 0 : std::stoi(kernel.substr(at + 3));
}

int ceilingOf(const std::string& kernel, const std::string& architecture) {
    const auto is = [&](const char* start) { return kernel.rfind(start, 0) == 0; };
    if (is("scalarGemvKernel")) {
        const int rows = argumentOf(kernel, 1);
        const int blocks = rows == 1 ? 24 : (rows == 2 ? 20 : 16);
        return ceilingFor(64, architecture == "sm_86" ? 16 : blocks);
    }
    if (is("planeMmaKernel")) {
        return argumentOf(kernel, 1) == 1 ? ceilingFor(128, 6) : ceilingFor(256, 2);
    }
    if (is("swapAbKernel")) {
        return ceilingFor(256,
                          argumentOf(kernel, 1) == 8 ? 1 : 2); // M > 32: one block, bound by the tensor cores
    }
    if (is("moeRouteKernel")) {
        return ceilingFor(1024, 1);
    }
    if (is("dequantiseKernel")) {
        return ceilingFor(256, 4);
    }
    return is("attentionKernel") ? ceilingFor(128, 2) : ceilingFor(512, 2);
}

TEST(Ptxas, NoKernelSpillsOrTakesTooManyRegisters) {
    const Usages usages = readLogs(LOADLINE_PTXAS_LOGS);
    ASSERT_FALSE(usages.empty()) << "no logs in " << LOADLINE_PTXAS_LOGS;
    for (const auto& [kernel, byArchitecture] : usages) {
        for (const auto& [architecture, usage] : byArchitecture) {
            EXPECT_EQ(usage.spillBytes, 0) << kernel << ' ' << architecture;
            EXPECT_EQ(usage.stackBytes, 0) << kernel << ' ' << architecture;
            EXPECT_GT(usage.registers, 0) << kernel << ' ' << architecture;
            EXPECT_LE(usage.registers, ceilingOf(kernel, architecture)) << kernel << ' ' << architecture;
        }
    }
}

TEST(Ptxas, TheModelCountsAsManyBlocksAsThereAreRegistersFor) {
    for (const auto& [kernel, byArchitecture] : readLogs(LOADLINE_PTXAS_LOGS)) {
        if (kernel.rfind("swapAbKernel", 0) != 0) {
            continue;
        }
        const SwapAbTile& tile = *swapAbTile(argumentOf(kernel, 0), 8 * argumentOf(kernel, 1));
        for (const auto& [architecture, usage] : byArchitecture) {
            const int ofBlock = (usage.registers + 7) / 8 * 8 * swapAbWarps * 32;
            EXPECT_EQ(65536 / ofBlock, tile.blocksByRegisters()) << kernel << ' ' << architecture;
        }
    }
}

#ifdef LOADLINE_SASS_CUBINS // the compiler whose code is counted
TEST(Ptxas, TheModelCountsTheRegistersOfTheReferenceDesigns) {
    int compared = 0;
    for (const auto& [kernel, byArchitecture] : readLogs(LOADLINE_PTXAS_LOGS)) {
        const bool scalar = kernel.rfind("scalarGemvKernel", 0) == 0;
        if (!scalar && kernel.rfind("planeMmaKernel", 0) != 0) {
            continue;
        }
        const int bits = argumentOf(kernel, 0);
        const int instance = argumentOf(kernel, 1);
        for (const auto& [name, usage] : byArchitecture) {
            const int architecture = std::stoi(name.substr(3));
            const ReferenceLoop* const loop = scalar ? scalarLoop(architecture, bits, instance)
                                                     : mmaLoop(architecture, bits, 16 * instance);
            if (loop != nullptr) { // 86 and 89 are not counted
                EXPECT_EQ(usage.registers, loop->registers) << kernel << ' ' << name;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 0);
}
#endif

TEST(Ptxas, EveryInstanceIsCompiledForEveryArchitecture) {
    const Usages usages = readLogs(LOADLINE_PTXAS_LOGS);
    std::set<std::string> architectures;
    std::map<std::string, int> instances;
    for (const auto& [kernel, byArchitecture] : usages) {
        ++instances[kernel.substr(0, kernel.find("Kernel"))];
        for (const auto& [architecture, usage] : byArchitecture) {
            architectures.insert(architecture);
        }
    }
    for (const auto& [kernel, byArchitecture] : usages) {
        EXPECT_EQ(byArchitecture.size(), architectures.size()) << kernel;
    }
    EXPECT_EQ(instances["scalarGemv"], 4 * 4);     // k, M
    EXPECT_EQ(instances["planeMma"], 4 * 4);       // k, tiles of 16 rows
    EXPECT_EQ(instances["swapAb"], 4 * 4 * 2 - 3); // k, tiles of 8 rows, depths of the ring; k = 5 has one
    EXPECT_EQ(instances["dequantise"], 4);
    EXPECT_EQ(instances["moeRoute"], 1);
    EXPECT_EQ(instances["attention"], 3 * 2); // size of a head, decode and prefill
}

#else

TEST(Ptxas, NoKernelSpillsOrTakesTooManyRegisters) {
    GTEST_SKIP() << "this build has no CUDA plugin";
}

#endif

} // namespace
} // namespace loadline::gpu
