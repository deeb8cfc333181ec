// Reads ptxas's logs once.
#include "tests/gpu/rehearse/registers.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>

namespace loadline::gpu::rehearse {

namespace {

using Registers = std::map<std::string, std::map<int, int>>; // mangled name, architecture

Registers readLogs(const std::string& folder) {
    const std::regex entry(R"(Compiling entry function '(\S+)' for 'sm_(\d+))");
    const std::regex used(R"(Used (\d+) registers)");
    Registers all;
    std::error_code missing;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder, missing)) {
        if (file.path().extension() != ".ptxas") {
            continue;
        }
        std::ifstream in(file.path());
        std::string line;
        std::smatch match;
        int* registers = nullptr;
        while (std::getline(in, line)) {
            if (std::regex_search(line, match, entry)) {
                registers = &all[match[1]][std::stoi(match[2])];
            } else if (registers != nullptr && std::regex_search(line, match, used)) {
                *registers = std::stoi(match[1]);
            }
        }
    }
    return all;
}

} // namespace

int registersPerThread(const std::string& logs, const std::string& mangled, int architecture) {
    static const Registers all = readLogs(logs);
    constexpr int unknown = 64;
    const auto kernel = all.find(mangled);
    if (kernel == all.end()) {
        return unknown;
    }
    const auto above = kernel->second.upper_bound(architecture);
    return above == kernel->second.begin() ? unknown : std::prev(above)->second;
}

} // namespace loadline::gpu::rehearse
