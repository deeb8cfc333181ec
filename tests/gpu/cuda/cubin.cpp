// ELF by hand: section headers, their names, instruction words.
#include "tests/gpu/cuda/cubin.h"

#include <algorithm>
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

/// visit(function, file, first byte, bytes) for each section of code.
template <class Visit>
void eachFunction(const std::filesystem::path& path, const Visit& visit) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> file{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    if (file.size() < 64 || std::memcmp(file.data(), "\177ELF\2", 5) != 0) {
        return;
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
        if (text.rfind(".text.", 0) == 0) {
            visit(text.substr(6), file, static_cast<std::size_t>(at<std::uint64_t>(file, section + 0x18)),
                  static_cast<std::size_t>(at<std::uint64_t>(file, section + 0x20)));
        }
    }
}

std::uint64_t bitsOf(std::uint64_t word, int first, int count) {
    return word >> first & ((std::uint64_t{1} << count) - 1);
}

/// Bytes per lane by the field of three bits that loads and stores have: 4 is a word.
int widthOf(std::uint64_t upper) {
    const auto size = static_cast<int>(bitsOf(upper, 73 - 64, 3));
    return size < 2 ? 1 : (size < 4 ? 2 : 4 << (size - 4));
}

Instruction decode(std::uint64_t lower, std::uint64_t upper, int architecture) {
    constexpr std::uint64_t zeroRegister = 255;
    Instruction result;
    result.opcode = static_cast<int>(bitsOf(lower, 0, 9));
    result.never = bitsOf(lower, 12, 4) == 15;
    result.move = result.opcode == Opcode::mov ||
                  (result.opcode == Opcode::imad && bitsOf(upper, 10, 1) == 0 && // with a carry it adds
                   bitsOf(lower, 24, 8) == zeroRegister &&
                   (bitsOf(lower, 9, 3) == 1 ? bitsOf(lower, 32, 8) == zeroRegister
                                             : bitsOf(upper, 0, 8) == zeroRegister));
    if (result.opcode == Opcode::lds || result.opcode == Opcode::sts) {
        result.bytes = widthOf(upper);
    } else if (result.opcode == Opcode::ldgsts || result.opcode == Opcode::ldsm) {
        result.bytes = 16;
    }
    if (result.opcode ==
        Opcode::bra) { // a signed count of four bytes; from 9.0 on its lowest byte lies apart
        auto words = static_cast<std::int64_t>(lower >> 34U | upper << 30U) << 18U >> 18U;
        if (architecture >= 90) {
            words = words * 256 + static_cast<std::int64_t>(bitsOf(lower, 16, 8));
        }
        result.jumpsBy = static_cast<int>(words / 4);
    }
    return result;
}

} // namespace

std::map<std::string, OpcodeCounts> readCubin(const std::filesystem::path& path) {
    std::map<std::string, OpcodeCounts> functions;
    for (const auto& [name, instructions] : readInstructions(path, 90)) {
        for (const Instruction& instruction : instructions) {
            ++functions[name][instruction.opcode];
        }
    }
    return functions;
}

std::map<std::string, Instructions> readInstructions(const std::filesystem::path& path, int architecture) {
    std::map<std::string, Instructions> functions;
    eachFunction(path, [&](const std::string& name, const std::vector<char>& file, std::size_t begin,
                           std::size_t bytes) {
        Instructions& instructions = functions[name];
        instructions.reserve(bytes / 16);
        for (std::size_t offset = 0; offset + 16 <= bytes; offset += 16) {
            instructions.push_back(decode(at<std::uint64_t>(file, begin + offset),
                                          at<std::uint64_t>(file, begin + offset + 8), architecture));
        }
    });
    return functions;
}

Loop loopWith(const Instructions& function, int opcode) {
    const auto has = [opcode](const Instruction& instruction) { return instruction.opcode == opcode; };
    std::ptrdiff_t first = 0;
    std::ptrdiff_t end = 0;
    for (std::size_t i = 0; i < function.size(); ++i) {
        const std::ptrdiff_t after = static_cast<std::ptrdiff_t>(i) + 1;
        const std::ptrdiff_t target = after + function[i].jumpsBy;
        const bool back = function[i].opcode == Opcode::bra && function[i].jumpsBy < -1 && target >= 0;
        if (back && (end == 0 || after - target < end - first) &&
            std::any_of(function.begin() + target, function.begin() + after, has)) {
            first = target;
            end = after;
        }
    }
    Loop loop;
    loop.body.assign(function.begin() + first, function.begin() + end);
    loop.rest.assign(function.begin(), function.begin() + first);
    loop.rest.insert(loop.rest.end(), function.begin() + end, function.end());
    return loop;
}

int instructionsIn(const OpcodeCounts& counts) {
    int sum = 0;
    for (const auto& [opcode, count] : counts) {
        sum += opcode == Opcode::nop ? 0 : count;
    }
    return sum;
}

} // namespace loadline::gpu
