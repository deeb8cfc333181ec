// Counting the instructions of a cubin's functions, without any tool of CUDA's.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace loadline::gpu {

/// Opcodes: the low nine bits of an instruction of 16 bytes (sm_70 and newer).
struct Opcode {
    static constexpr int nop = 0x118, ldl = 0x183, stl = 0x187, hmma = 0x3c, shfl = 0x189, lds = 0x184,
                         lop3 = 0x12;
};

/// How often each opcode stands in a function.
using OpcodeCounts = std::map<int, int>;

/// Function (as mangled) -> counts, from the sections .text.* of a 64-bit ELF file. Empty where the file is
/// none.
std::map<std::string, OpcodeCounts> readCubin(const std::filesystem::path& path);

/// All instructions but NOP.
int instructionsIn(const OpcodeCounts& counts);

} // namespace loadline::gpu
