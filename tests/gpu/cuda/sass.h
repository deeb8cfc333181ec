// Counting in the machine code of our kernels: the files, their functions, kinds of instructions.
#pragma once

#include "tests/gpu/cuda/cubin.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#ifdef LOADLINE_SASS_CUBINS

namespace loadline::gpu {

/// The architectures there are files of, in ascending order.
inline std::vector<int> architectures() {
    std::vector<int> found;
    for (const auto& file : std::filesystem::directory_iterator(LOADLINE_SASS_CUBINS)) {
        const std::string name = file.path().filename().string();
        if (name.rfind("sass_budget_", 0) == 0 && file.path().extension() == ".cubin") {
            found.push_back(std::stoi(name.substr(12)));
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

inline std::filesystem::path cubinOf(int architecture) {
    return std::filesystem::path(LOADLINE_SASS_CUBINS) /
           ("sass_budget_" + std::to_string(architecture) + ".cubin");
}

template <class Functions>
const typename Functions::mapped_type* find(const Functions& functions, const std::string& part) {
    for (const auto& [name, function] : functions) {
        if (name.find(part) != std::string::npos) {
            return &function;
        }
    }
    return nullptr;
}

template <class Of>
inline int countOf(const Instructions& instructions, const Of& of) {
    return static_cast<int>(std::count_if(instructions.begin(), instructions.end(), of));
}

inline int countOf(const Instructions& instructions, int opcode) {
    return countOf(instructions, [&](const Instruction& i) { return i.opcode == opcode; });
}

inline int countOfAlu(const Instructions& instructions) {
    return countOf(instructions, [](const Instruction& i) {
        return std::find(std::begin(Opcode::alu), std::end(Opcode::alu), i.opcode) != std::end(Opcode::alu);
    });
}

inline int issuedIn(const Instructions& instructions) {
    return countOf(instructions, [](const Instruction& i) { return i.opcode != Opcode::nop; });
}

/// 128 bytes each; of an instruction at least one.
inline double wavefrontsIn(const Instructions& instructions) {
    double sum = 0;
    for (const Instruction& i : instructions) {
        sum += i.never || i.bytes == 0 ? 0 : std::max(1.0, i.bytes * 32 / 128.0);
    }
    return sum;
}

/// 86 and 89 have the loops of 80; of the reference designs nearly.
inline int countedAs(int architecture) {
    return architecture < 90 ? 80 : architecture;
}

} // namespace loadline::gpu

#endif
