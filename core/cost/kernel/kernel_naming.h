// Names of kernels for people: the same role is played by other code on a GPU and on a CPU.
#pragma once

#include "core/cost/kernel/kernel.h"
#include "core/cost/shapes/shapes.h"

#include <map>
#include <set>
#include <string>

namespace loadline {

struct KernelNaming {
    enum Device : std::uint8_t {
        Role, ///< whoever plays it: "fp16 GEMM"
        Gpu,  ///< "fp16 cuBLAS"
        Cpu,  ///< "own fp16 GEMM"
    };

    Device device = Role;
    /// Names that points give their kernels themselves (ProfilePoint::name); "" among them: some points give
    /// none.
    std::map<Kernel, std::set<std::string>> given = {};

    KernelNaming(Device of = Role) : device(of) {} // NOLINT(google-explicit-constructor): names of a device
    bool operator==(const KernelNaming&) const = default;
};

/// Short, as for labels of curves; nameOf(kernel) is that of the role. A name that points give takes the
/// place of the role's: "mine"; where only some give it, "mine, else MMA"; of a pair with such a part,
/// "mine + fp16 cuBLAS".
std::string nameOf(Kernel kernel, const KernelNaming& naming);

/// The GEMMs of a model that a serving kernel may be given, by name: "qkv, o, gateup, down"; of an fp16
/// kernel those whose weights stay fp16: "lm_head". "" where there are none.
std::string gemmsOf(const ModelShapes& model, Kernel serving);

} // namespace loadline
