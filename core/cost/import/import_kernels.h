// Timings of a kernel of one's own, by whatever program took them, as a profile.
#pragma once

#include "core/base/result.h"
#include "core/cost/profile/profile.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Which of the cost model's kernels a foreign name stands for. Their keys ("swap_ab") stand for themselves.
struct KernelNames {
    std::map<std::string, Kernel> byName = {}; ///< first
    std::optional<Kernel> otherwise = {};      ///< for names that are neither in it nor keys
    /// The device whose rows are read from a file with several: as the file calls it, by its key in the
    /// hardware table, or by NVBench's number. Changes nothing in a file of one device.
    std::string device = {};
    /// True: other names stand for a kernel that their k and experts fit, and no name's points are taken for
    /// another's repeats: one kernel may then have points that stand twice.
    bool guessed = false;
};

/// Adds a name from "swap_ab" (any name) or "my kernel=swap_ab". Returns an Error that names the keys there
/// are.
std::optional<Error> addKernelName(KernelNames& names, std::string_view word);

/// True if the first line names the columns kernel, M (or rows_m) and time_us, in any order and case.
bool isKernelCsv(std::string_view csv);

/// Facts of an imported profile's method, as numbers: points that stood in several rows, and rows passed over
/// because they are of another device.
inline constexpr const char* repeatedPointsFact = "points_of_several_rows";
inline constexpr const char* otherDevicesFact = "rows_of_other_devices";
/// Fact of a profile from NVBench: its number of the device.
inline constexpr const char* nvbenchDeviceFact = "nvbench_device";
/// Returns these facts in sentences; none if all rows became points as they are.
std::vector<std::string> importRemarksOf(const Profile& profile);
/// A sentence on the points whose error is assumed (isErrorAssumed); "" without any.
std::string assumedErrorText(const Profile& profile);

/// A table with named columns, separated by commas, semicolons (numbers may then have decimal commas) or
/// tabs: kernel, K, N, M, time_us (microseconds of one call), and, where they apply,
/// k_bits (else fp16), experts (active ones; M is then rows of each), shape ("4096x14336", instead of K
/// and N; anything else there is a name and is passed over), device (a name, or a key of the hardware
/// table; of several KernelNames::device is read), own_name (of a kernel that stands for `kernel`), min_us,
/// p25_us, p75_us and samples. So are the tables of times that are exported here. Other columns are passed
/// over. Times that no device reaches are the Error (unitMistakeIn), or flagged. A point that stands several
/// times becomes its median with quartiles. The first line that makes no sense is the Error, with its number.
/// Every point is Published, its source the file and the foreign name, which it keeps (ProfilePoint::name)
/// unless it is a key.
Result<Profile> profileFromKernelCsv(std::string_view csv, const std::string& path,
                                     const KernelNames& names = {});

/// Names of the devices that rows of such a table name, each once; "" among them where some name none.
std::set<std::string> devicesInCsv(std::string_view csv);
/// Names of the devices of NVBench's JSON that have timings; none unless their names differ.
std::set<std::string> devicesInNvbench(std::string_view json);

/// NVBench's --json. The isolated ("cold") GPU times, else its batched ones. Axes are found by name in any
/// case: M (or rows, tokens), K and N (or shape), k_bits (or bits), experts, kernel (else the benchmark's
/// name). With their quartiles where it has them. Skipped states are passed over.
Result<Profile> profileFromNvbench(std::string_view json, const std::string& path,
                                   const KernelNames& names = {});

/// The base with the other's points: a series (kernel, shape, experts, k) that both have is the other's. A
/// pair of the base's that ran with a kernel in whose place the other's stands is left out.
Profile withKernelsOf(const Profile& base, const Profile& other);

} // namespace loadline
