// Rows of foreign timings, put together to a profile: what the CSV and the NVBench reader share.
#pragma once

#include "core/cost/import/import_kernels.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace loadline {

/// One timing in the words of its file; absent fields stay empty.
struct ForeignRow {
    std::string kernel;
    std::string shape;
    std::string device;  ///< "": the row does not say
    std::string table;   ///< of an exported table, the profile that the row is of
    std::string ownName; ///< of an exported table, what a kernel that stands for `kernel` is called
    std::optional<double> k, n, m, kBits, experts;
    std::optional<double> timeUs;
    std::optional<double> minUs = std::nullopt;
    std::optional<double> p25Us = std::nullopt, p75Us = std::nullopt;
    int samples = 0;
};

/// The number that the whole text is, blanks around it aside.
std::optional<double> numberIn(std::string_view text);
/// Puts a value where the column or axis of this name belongs; false: it is none of those that matter.
bool setByName(ForeignRow& row, const std::string& loweredName, std::string_view value);

/// Returns the one of a file's devices whose rows are read; "" if it names one or none, so that all rows are.
/// The Error lists several of which none is wanted, or another. "" among `devices`: rows that name none.
Result<std::string> deviceToRead(const std::set<std::string>& devices, const std::string& wanted);

/// Collects rows; equal points are gathered.
class ForeignRows {
public:
    ForeignRows(std::string file, const KernelNames& names) : file_(std::move(file)), names_(names) {}

    /// Takes a row. Returns what is wrong with it, in words; nothing if it was taken.
    std::optional<std::string> take(const ForeignRow& row);
    /// The points in the order of their first row.
    [[nodiscard]] std::vector<ProfilePoint> points() const;
    /// Counts a row of a device that is not read.
    void passOver() { ++passedOver_; }
    /// repeatedPointsFact and otherDevicesFact, each unless it would be 0.
    [[nodiscard]] Facts facts() const;
    /// Returns the device that all rows name; "" if none does.
    [[nodiscard]] const std::string& device() const { return device_; }

private:
    /// The last is the foreign name where names are kept apart.
    using Key = std::tuple<Kernel, GemmSize, int, std::int64_t, int, std::string>;

    struct Gathered {
        ProfilePoint point;
        std::vector<double> us;
        std::optional<double> leastUs; ///< of times and of the least that rows tell
        std::int64_t samples = 0;      ///< behind all rows; a row that tells none is one
    };

    std::string file_;
    std::string device_;
    std::string table_;
    const KernelNames& names_;
    std::vector<Gathered> gathered_;
    std::map<Key, std::size_t> index_;
    std::size_t passedOver_ = 0;
};

} // namespace loadline
