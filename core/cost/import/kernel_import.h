// A file of kernel timings before anything of it is added: what each kernel in it is called and stands for.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"
#include "core/cost/profile/profile_place.h"
#include "core/cost/profile/timed_shape.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// One kernel of a file. What is chosen of it is `name`, `kernel` and `taken`.
struct ImportedKernel {
    std::string fileName;             ///< as the file calls it
    std::string name;                 ///< what it is called here; empty: as the kernel that it stands for
    Kernel kernel = Kernel::Mma;      ///< what it stands for
    bool guessed = false;             ///< `kernel` was: the file's name does not say it
    bool taken = true;                ///< else it is left out
    std::vector<Kernel> fits;         ///< what it may stand for: by k, experts and M
    std::vector<ProfilePoint> points; ///< as the file has them; name and kernel are those above
    bool operator==(const ImportedKernel&) const = default;
};

/// A file, read.
struct KernelImport {
    Profile head; ///< all of it but the points
    std::vector<ImportedKernel> kernels;
    std::vector<std::string> devices = {}; ///< several in the file, of which one was read; else empty
    std::string chosenDevice = {};         ///< by onDevice; empty: it is as the file says
    std::string fileDevice = {};           ///< what the file says, where another one was chosen
    bool operator==(const KernelImport&) const = default;
};

/// Anything that readProfile reads; kernels of unknown names are guessed from k, experts and M.
/// `here`: what this program measured on another machine is not Measured here (seenFrom). `device`: whose
/// rows are read of a file with several; "": the first's, by name.
Result<KernelImport> readKernelImport(std::string_view text, const std::string& path,
                                      const MachineIdentity& here, const std::string& device = "");

/// Returns the import as timed on a device: a key of the hardware table, or a name. Its times are held
/// against that device. "": as the file says.
KernelImport onDevice(KernelImport offer, const std::string& device);

/// Returns why the import cannot be added as it stands: nothing is taken, two kernels stand for the same
/// points, or no such time is possible on the device that was chosen.
std::optional<std::string> problemOf(const KernelImport& offer);
/// The points that are taken, under their names. Precondition: problemOf finds nothing.
Profile profileOf(const KernelImport& offer);

/// Returns remarks to read before the import is added to `base` (null: to nothing): repeats, gaps, other
/// devices, points that it replaces, and whether `rule` lets it serve. Sentences.
std::vector<std::string> remarksOf(const KernelImport& offer, const Profile* base, const DispatchRule& rule);

/// Shapes and ks of an imported kernel, each once.
struct ImportedReach {
    std::vector<TimedShape> shapes;
    std::vector<int> kBits;             ///< empty: reads fp16 weights
    std::int64_t leastM = 0, mostM = 0; ///< 0: whatever M is
};
ImportedReach reachOf(const ImportedKernel& kernel);

} // namespace loadline
