// Checks foreign rows and turns them into points.
#include "core/cost/import/import_rows.h"

#include "core/base/statistics.h"
#include "core/cost/import/named_device.h"
#include "core/cost/kernel/time_limits.h"
#include "core/cost/profile/time_bar.h"
#include "core/cost/shapes/shape_limits.h"
#include "core/text/counted.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr std::int64_t mostSamples = 1'000'000'000;

bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

bool isWhole(const std::optional<double>& value, double low, double high) {
    return value && *value == std::floor(*value) && *value >= low && *value <= high;
}

bool isSide(const std::optional<double>& value) {
    return isWhole(value, 1, static_cast<double>(mostSide));
}

std::string allKeys() {
    std::string keys;
    for (const Kernel kernel : profiledKernels) {
        keys += (keys.empty() ? "" : ", ") + std::string(keyOf(kernel));
    }
    return keys;
}

/// Returns the kernel that a row of an unknown name may stand for: by its k, experts and M.
Kernel fittingFor(const ForeignRow& row) {
    const bool grouped = row.experts.value_or(1) > 1;
    if (row.kBits.value_or(fp16Bits) == fp16Bits) {
        return fp16Kernel(grouped);
    }
    return row.m ? formOf(Kernel::Mma, grouped) : Kernel::Dequantise;
}

std::optional<Kernel> kernelNamed(const KernelNames& names, const ForeignRow& row) {
    const auto found = names.byName.find(row.kernel);
    if (found != names.byName.end()) {
        return found->second;
    }
    const auto own = profiledKernelFromKey(row.kernel);
    return own ? own : names.guessed ? std::optional(fittingFor(row)) : names.otherwise;
}

/// True if `point` is a pair that was timed with another kernel in place of `part`.
bool isPartOf(const ProfilePoint& part, const ProfilePoint& point) {
    const KernelParts parts = partsOf(point.kernel);
    return parts.second && (part.kernel == parts.first || part.kernel == *parts.second) &&
           part.size == point.size && part.experts == point.experts &&
           (!readsKBits(part.kernel) || part.kBits == point.kBits);
}

std::optional<GemmSize> sizeOf(const ForeignRow& row) {
    if (isSide(row.k) && isSide(row.n)) {
        return GemmSize{static_cast<std::int64_t>(*row.k), static_cast<std::int64_t>(*row.n)};
    }
    return row.k || row.n ? std::nullopt : gemmSizeFromText(row.shape);
}

} // namespace

std::optional<double> numberIn(std::string_view text) {
    while (!text.empty() && isBlank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && isBlank(text.back())) {
        text.remove_suffix(1);
    }
    return parseNumber<double>(text);
}

bool setByName(ForeignRow& row, const std::string& name, std::string_view value) {
    if (name == "kernel") {
        row.kernel = value;
    } else if (name == "shape") {
        row.shape = value;
    } else if (name == "k") {
        row.k = numberIn(value).value_or(-1); // there, but no number: never a size
    } else if (name == "n") {
        row.n = numberIn(value).value_or(-1);
    } else if (name == "m" || name == "rows" || name == "rows_m" || name == "tokens") {
        row.m = numberIn(value);
    } else if (name == "k_bits" || name == "kbits" || name == "bits") {
        row.kBits = value.find_first_not_of(" \t\r") == std::string_view::npos
                        ? std::nullopt
                        : std::optional(numberIn(value).value_or(-1));
    } else if (name == "experts") {
        row.experts = value.find_first_not_of(" \t\r") == std::string_view::npos
                          ? std::nullopt
                          : std::optional(numberIn(value).value_or(-1));
    } else if (name == "time_us") {
        row.timeUs = numberIn(value);
    } else if (name == "min_us") {
        row.minUs = numberIn(value);
    } else if (name == "p25_us") {
        row.p25Us = numberIn(value);
    } else if (name == "p75_us") {
        row.p75Us = numberIn(value);
    } else if (name == "samples") {
        const double samples = numberIn(value).value_or(0);
        row.samples =
            samples > 0 && samples < static_cast<double>(mostSamples) ? static_cast<int>(samples) : 0;
    } else if (name == "device" || name == "gpu") {
        row.device = value;
    } else if (name == "profile") {
        row.table = value;
    } else if (name == "own_name") {
        row.ownName = value;
    } else {
        return false;
    }
    return true;
}

Result<std::string> deviceToRead(const std::set<std::string>& devices, const std::string& wanted) {
    std::string named;
    std::size_t count = 0;
    for (const std::string& one : devices) {
        named += one.empty() ? "" : fmt::format("{}\"{}\"", named.empty() ? "" : ", ", one);
        count += one.empty() ? 0 : 1;
    }
    if (count < 2) {
        return std::string();
    }
    if (devices.count("") > 0) {
        return Error{"it holds times of several devices (" + named + "), and rows that name none", "",
                     "a device in every row"};
    }
    for (const std::string& one : devices) {
        if (!wanted.empty() && isSameDevice(one, wanted)) {
            return one;
        }
    }
    return Error{"it holds times of several devices: " + named +
                     (wanted.empty() ? std::string() : fmt::format("; none of them is {}", wanted)),
                 "", "`loadline bench --import FILE --device D` reads those of one"};
}

std::vector<std::string> importRemarksOf(const Profile& profile) {
    const auto countOf = [&](const char* fact) {
        const auto found = profile.methodFacts.find(fact);
        return found == profile.methodFacts.end()
                   ? std::size_t{0}
                   : static_cast<std::size_t>(numberIn(found->second).value_or(0));
    };
    std::vector<std::string> remarks;
    if (const std::size_t repeated = countOf(repeatedPointsFact); repeated > 0) {
        remarks.push_back(fmt::format("{} of {} stood in several rows: each is their median, with quartiles.",
                                      repeated, counted(profile.points.size(), "point")));
    }
    if (const std::size_t others = countOf(otherDevicesFact); others > 0) {
        remarks.push_back(fmt::format("{} of other devices passed over: {} alone was read.",
                                      counted(others, "row"), profile.device));
    }
    return remarks;
}

std::string assumedErrorText(const Profile& profile) {
    const std::size_t assumed = assumedErrorsIn(profile);
    return assumed == 0
               ? std::string()
               : fmt::format("{} of {} without quartiles or a repeat: an error of {:.0f} % is assumed.",
                             assumed, counted(profile.points.size(), "point"), 100 * leastBarShare);
}

std::optional<std::string> ForeignRows::take(const ForeignRow& row) {
    for (const auto& [value, known, what] :
         {std::tuple(&row.device, &device_, "devices"), std::tuple(&row.table, &table_, "profiles")}) {
        if (!value->empty() && known->empty()) {
            *known = *value;
        } else if (!value->empty() && *value != *known) {
            return fmt::format("it holds times of several {}: \"{}\" and \"{}\"", what, *known, *value);
        }
    }
    const auto kernel = kernelNamed(names_, row);
    if (!kernel) {
        return fmt::format("the kernel \"{}\" is not one of {}; `loadline bench --import FILE --as KERNEL` "
                           "says which it stands for",
                           row.kernel, allKeys());
    }
    const auto size = sizeOf(row);
    if (!size) {
        return std::string("K and N (or a shape like 4096x14336) are not whole numbers of 1 or more");
    }
    const auto shape = gemmSizeFromText(row.shape); // some write N x K
    if (shape && *shape != *size && GemmSize{.k = shape->n, .n = shape->k} != *size) {
        return fmt::format("the shape {} is not K x N, {}", textOf(*shape), textOf(*size));
    }
    const bool dequantise = *kernel == Kernel::Dequantise;
    if (!dequantise && !isSide(row.m)) {
        return std::string("M is not a whole number of 1 or more");
    }
    const double bits = row.kBits.value_or(fp16Bits);
    const bool goodBits = readsKBits(*kernel) ? isWhole(bits, minKBits, maxKBits) : bits == fp16Bits;
    if (!goodBits && readsKBits(*kernel) && bits == fp16Bits && !profiledKernelFromKey(row.kernel)) {
        return fmt::format("the rows of \"{}\" are of fp16 weights, and {}, for which it is to stand, reads "
                           "k-bit ones; `--as {}={}` names it alone",
                           row.kernel, keyOf(*kernel), row.kernel,
                           keyOf(fp16Kernel(row.experts.value_or(1) > 1)));
    }
    if (!goodBits) {
        return readsKBits(*kernel)
                   ? fmt::format("k_bits is not a whole number from {} to {}", minKBits, maxKBits)
                   : fmt::format("k_bits is neither empty nor {} for an fp16 kernel", fp16Bits);
    }
    const double experts = row.experts.value_or(1);
    if (!isWhole(experts, 1, static_cast<double>(mostExperts)) ||
        (experts > 1 && !isGrouped(*kernel) && !dequantise)) {
        return fmt::format("{} experts do not fit the kernel {}", experts, keyOf(*kernel));
    }
    if (!row.timeUs || !isKernelTime(*row.timeUs)) {
        return std::string("the time is not a number above 0");
    }
    ProfilePoint point;
    point.kernel = *kernel;
    point.size = *size;
    point.experts = static_cast<int>(experts);
    point.rowsM = dequantise ? 0 : static_cast<std::int64_t>(*row.m);
    point.kBits = static_cast<int>(bits);
    point.samples = row.samples;
    const auto minUs = row.minUs && isKernelTime(*row.minUs) ? row.minUs : std::nullopt;
    point.minUs = minUs;
    if (row.p25Us && row.p75Us && isKernelTime(*row.p25Us) && isKernelTime(*row.p75Us) &&
        *row.p25Us <= *row.p75Us) {
        point.p25Us = row.p25Us;
        point.p75Us = row.p75Us;
    }
    point.origin = PointOrigin::Published;
    point.name = !row.ownName.empty()           ? row.ownName
                 : row.kernel == keyOf(*kernel) ? std::string()
                                                : row.kernel;
    point.source = (point.name.empty() ? "" : point.name + ", ") + std::string(importedFrom) + file_;
    const Key key{point.kernel, point.size,  point.experts,
                  point.rowsM,  point.kBits, names_.guessed ? point.name : std::string()};
    const auto [place, isNew] = index_.try_emplace(key, gathered_.size());
    if (isNew) {
        gathered_.push_back({point, {}, std::nullopt, 0});
    }
    Gathered& gathered = gathered_[place->second];
    gathered.us.push_back(*row.timeUs);
    gathered.samples += std::max(row.samples, 1);
    const double least = std::min(*row.timeUs, minUs.value_or(*row.timeUs));
    gathered.leastUs = std::min(least, gathered.leastUs.value_or(least));
    return std::nullopt;
}

std::vector<ProfilePoint> ForeignRows::points() const {
    std::vector<ProfilePoint> points;
    for (const Gathered& gathered : gathered_) {
        std::vector<double> us = gathered.us;
        std::ranges::sort(us);
        ProfilePoint point = gathered.point;
        point.timeUs = quantileOfSorted(us, 0.5);
        if (us.size() > 1) {
            point.p25Us = quantileOfSorted(us, 0.25);
            point.p75Us = quantileOfSorted(us, 0.75);
            point.minUs = gathered.leastUs;
            point.samples = static_cast<int>(std::min<std::int64_t>(gathered.samples, mostSamples));
        }
        points.push_back(std::move(point));
    }
    return points;
}

Facts ForeignRows::facts() const {
    Facts facts;
    const auto repeated =
        std::ranges::count_if(gathered_, [](const Gathered& one) { return one.us.size() > 1; });
    if (repeated > 0) {
        facts[repeatedPointsFact] = std::to_string(repeated);
    }
    if (passedOver_ > 0) {
        facts[otherDevicesFact] = std::to_string(passedOver_);
    }
    return facts;
}

std::optional<Error> addKernelName(KernelNames& names, std::string_view word) {
    const std::size_t equals = word.rfind('=');
    const std::string_view key = equals == std::string_view::npos ? word : word.substr(equals + 1);
    const auto kernel = profiledKernelFromKey(key);
    if (!kernel) {
        return Error{fmt::format("there is no kernel \"{}\" to stand for", key), "", allKeys()};
    }
    if (equals == std::string_view::npos) {
        names.otherwise = kernel;
    } else {
        names.byName[std::string(word.substr(0, equals))] = *kernel;
    }
    return std::nullopt;
}

Profile withKernelsOf(const Profile& base, const Profile& other) {
    const auto seriesOf = [](const ProfilePoint& point) {
        return std::tuple(point.kernel, point.size, point.experts, point.kBits);
    };
    Profile both = base;
    both.name = base.name + " with " + other.name;
    std::erase_if(both.points, [&](const ProfilePoint& point) {
        return std::ranges::any_of(other.points, [&](const ProfilePoint& theirs) {
            return seriesOf(theirs) == seriesOf(point) || isPartOf(theirs, point);
        });
    });
    for (ProfilePoint point : other.points) {
        if (point.source.empty()) {
            point.source = other.source.empty() ? other.name : other.source;
        }
        both.rowTiles.erase(std::string(keyOf(point.kernel))); // theirs are not known
        both.points.push_back(std::move(point));
    }
    for (const auto& [kernel, tile] : other.rowTiles) {
        both.rowTiles[kernel] = tile;
    }
    return both;
}

} // namespace loadline
