// What kernels are called for people: the same role is played by other code on a GPU and on a CPU.
#pragma once

#include "core/cost/profile/profile.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace loadline {

struct KernelNaming {
    enum Device : std::uint8_t {
        Role, ///< whoever plays it: "fp16 GEMM"
        Gpu,  ///< "fp16 cuBLAS"
        Cpu,  ///< "own fp16 GEMM"
    };

    Device device = Role;
    /// What points call their kernels themselves (ProfilePoint::name); "" among them: some do not.
    std::map<Kernel, std::set<std::string>> given = {};

    KernelNaming(Device of = Role) : device(of) {} // NOLINT(google-explicit-constructor): names of a device
    bool operator==(const KernelNaming&) const = default;
};

/// Of the device behind a profile, with the names that all its points give; nullptr stands for rooflines,
/// which are those of GPUs. Role where figures are invented.
KernelNaming namingOf(const Profile* profile);
/// The same with the names that points of these shapes and k give; of a kernel without any, which is timed
/// by what is nearest, those of other shapes.
KernelNaming namingOf(const Profile* profile, const std::vector<GemmSize>& sizes, int kBits);

/// Short, as for labels of curves; nameOf(kernel) is that of the role. A name that points give takes the
/// place of the role's: "mine"; where only some give it, "mine, else MMA"; of a pair with such a part,
/// "mine + fp16 cuBLAS".
std::string nameOf(Kernel kernel, const KernelNaming& naming);

/// The very code, as its device told ("own GEMM, fp16 weights (AVX-512)"); the short name where none is told.
/// Of a pair whose name is not told: both parts.
std::string codeNameOf(Kernel kernel, const Profile& profile);

/// The same of one point: its own name; of a point that was added from a file, which names only the role that
/// it plays, the role and never the code of the profile's own kernel.
std::string codeNameOf(const ProfilePoint& point, const Profile& profile);

/// The GEMMs of a model that a serving kernel may be given, by name: "qkv, o, gateup, down"; of an fp16
/// kernel those whose weights stay fp16: "lm_head". "" where there are none.
std::string gemmsOf(const ModelShapes& model, Kernel serving);

} // namespace loadline
