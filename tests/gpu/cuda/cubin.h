// Counting the instructions of a cubin's functions, without any tool of CUDA's.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace loadline::gpu {

/// Opcodes: the low nine bits of an instruction of 16 bytes (sm_70 and newer).
struct Opcode {
    static constexpr int nop = 0x118, ldl = 0x183, stl = 0x187, hmma = 0x3c, mov = 0x2, imad = 0x24,
                         bra = 0x147, sts = 0x188, ldgsts = 0x1ae, ldsm = 0x3b, shfl = 0x189, lds = 0x184,
                         lop3 = 0x12, bar = 0x11d, membar = 0x192, atom = 0x1a8, mufu = 0x108;
    /// Integers, logic, permutes, selections and comparisons: the pipe of two warps a clock.
    static constexpr int alu[] = {0x12, 0x16, 0x19, 0x10, 0x0c, 0x07, 0x11, 0x36, 0x35, 0x02, 0x09};
};

/// One instruction, as far as it is read.
struct Instruction {
    int opcode = 0;
    bool never = false; ///< its predicate is never true: a slot that does nothing
    bool move = false;  ///< a register or constant to a register
    int bytes = 0;      ///< of shared memory that a lane reads or writes; 0: none
    int jumpsBy = 0;    ///< a branch: instructions from the next one on
};
using Instructions = std::vector<Instruction>;

/// A loop, and all that is not in it.
struct Loop {
    Instructions body; ///< empty: there is none
    Instructions rest;
};

/// How often each opcode stands in a function.
using OpcodeCounts = std::map<int, int>;

/// Function (as mangled) -> counts, from the sections .text.* of a 64-bit ELF file. Empty where the file is
/// none.
std::map<std::string, OpcodeCounts> readCubin(const std::filesystem::path& path);

/// Function -> its instructions. `architecture`: 80, 90 and so on; the way branches are written depends on
/// it.
std::map<std::string, Instructions> readInstructions(const std::filesystem::path& path, int architecture);

/// The innermost loop that has this opcode.
Loop loopWith(const Instructions& function, int opcode);

/// All instructions but NOP.
int instructionsIn(const OpcodeCounts& counts);

} // namespace loadline::gpu
