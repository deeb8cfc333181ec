// ELF by hand: section headers, their names, instruction words.
#include "tests/gpu/cuda/cubin.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <vector>

namespace loadline::gpu {

namespace {

/// One field of the file; 0 beyond its end.
template <class T>
T at(const std::vector<char>& file, std::size_t offset) {
    T value{};
    if (offset + sizeof(T) <= file.size()) {
        std::memcpy(&value, file.data() + offset, sizeof(T));
    }
    return value;
}

} // namespace

std::map<std::string, OpcodeCounts> readCubin(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    std::map<std::string, OpcodeCounts> functions;
    if (file.size() < 64 || std::memcmp(file.data(), "\177ELF\2", 5) != 0) {
        return functions;
    }
    const auto sections = static_cast<std::size_t>(at<std::uint64_t>(file, 0x28));
    const std::size_t sectionBytes = at<std::uint16_t>(file, 0x3a);
    const std::size_t count = at<std::uint16_t>(file, 0x3c);
    const std::size_t names = sections + sectionBytes * at<std::uint16_t>(file, 0x3e);
    const auto nameTable = static_cast<std::size_t>(at<std::uint64_t>(file, names + 0x18));
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t section = sections + i * sectionBytes;
        const std::size_t name = nameTable + at<std::uint32_t>(file, section);
        if (name >= file.size()) {
            continue;
        }
        const std::string text(file.data() + name);
        if (text.rfind(".text.", 0) != 0) {
            continue;
        }
        const auto begin = static_cast<std::size_t>(at<std::uint64_t>(file, section + 0x18));
        const auto bytes = static_cast<std::size_t>(at<std::uint64_t>(file, section + 0x20));
        OpcodeCounts& counts = functions[text.substr(6)];
        for (std::size_t offset = 0; offset + 16 <= bytes; offset += 16) {
            ++counts[static_cast<int>(at<std::uint64_t>(file, begin + offset) & 0x1ffU)];
        }
    }
    return functions;
}

int instructionsIn(const OpcodeCounts& counts) {
    int sum = 0;
    for (const auto& [opcode, count] : counts) {
        sum += opcode == Opcode::nop ? 0 : count;
    }
    return sum;
}

} // namespace loadline::gpu
