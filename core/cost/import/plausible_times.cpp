// Times against bytes and arithmetic.
#include "core/cost/import/plausible_times.h"

#include "core/base/statistics.h"
#include "core/cost/analytic/gpu_facts.h"
#include "core/cost/estimate/hardware.h"
#include "core/cost/estimate/roofline.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace loadline {
namespace {

constexpr const char* implausibleFlag = "implausible";
constexpr double leastCallUs = 0.05;  // no device starts and ends a kernel in less
constexpr double mistakenFactor = 10; // a cache is faster than memory, but not so much
constexpr double datasheetSlack = 1.02;

struct Rates {
    double gbS = 0;
    double tflops = 0;
};

/// Of the profile's device; of an unknown one the best of the table.
Rates ratesOf(const Profile& profile) {
    if (const Hardware* own = findHardware(profile.hardware)) {
        return {own->bandwidthGbS, own->fp16Tflops};
    }
    Rates best;
    for (const Hardware& one : hardwareTable()) {
        best = {std::max(best.gbS, one.bandwidthGbS), std::max(best.tflops, one.fp16Tflops)};
    }
    return best;
}

/// The shortest that the point can take.
double leastUsOf(const ProfilePoint& point, const Rates& rates) {
    const KernelParts parts = partsOf(point.kernel);
    const auto usOf = [&](Kernel kernel) {
        const KernelWork work = workOf(kernel, point.size, point.experts, static_cast<double>(point.rowsM),
                                       readsKBits(kernel) ? point.kBits : fp16Bits);
        return std::max(work.bytes / (rates.gbS * bytesPerUsOfGbS),
                        work.flop / (rates.tflops * flopPerUsOfTflops));
    };
    return parts.second ? std::max(usOf(parts.first), usOf(*parts.second)) : usOf(point.kernel);
}

/// The unit that makes the typical time plausible; "" where none does.
std::string unitFor(double factor) {
    struct Unit {
        double toUs;
        const char* name;
    };
    constexpr std::array units = {Unit{1e3, "milliseconds"}, Unit{1e6, "seconds"}};
    for (const Unit& unit : units) {
        if (factor <= 3 * unit.toUs) {
            return unit.name;
        }
    }
    return "";
}

/// Whether the name holds the word, spaces within it aside ("RTX 4090"), and not behind a letter: "M3" is no
/// part of "HBM3", "B200" none of "GB200".
bool holdsWord(std::string_view name, std::string_view word) {
    for (std::size_t begin = 0; begin < name.size(); ++begin) {
        const char before = begin == 0 ? ' ' : name[begin - 1];
        const bool inWord = (before >= 'A' && before <= 'Z') || (before >= 'a' && before <= 'z');
        std::size_t matched = 0;
        for (std::size_t at = begin; !inWord && at < name.size() && matched < word.size(); ++at) {
            if (name[at] == word[matched]) {
                ++matched;
            } else if (name[at] != ' ' || matched == 0) {
                break;
            }
        }
        if (matched == word.size()) {
            return true;
        }
    }
    return false;
}

/// The key's words up to the first with a digit: "H100", "RTX PRO 6000".
std::string chipOf(std::string key) {
    const std::size_t digit = key.find_first_of("0123456789");
    key = key.substr(0, key.find('-', std::min(digit, key.size())));
    std::ranges::replace(key, '-', ' ');
    return key;
}

/// The one device of the table whose name holds the key's chip; "" where several do, or none. Boards of one
/// name differ: those that are not in the table are named by what tells them apart.
std::string onlyVariantOf(std::string_view name) {
    std::string found;
    for (const std::string_view other : {"PCIe", "NVL", "Workstation", "Max-Q"}) {
        if (name.find(other) != std::string_view::npos) {
            return found;
        }
    }
    for (const Hardware& one : hardwareTable()) {
        if (holdsWord(name, chipOf(one.key))) {
            if (!found.empty()) {
                return "";
            }
            found = one.key;
        }
    }
    return found;
}

bool hasFlag(const ProfilePoint& point) {
    return std::ranges::find(point.flags, implausibleFlag) != point.flags.end();
}

} // namespace

std::optional<Error> unitMistakeIn(const Profile& profile, const std::string& path) {
    const Rates rates = ratesOf(profile);
    const ProfilePoint* worst = nullptr;
    double most = 0;
    std::vector<double> factors;
    for (const ProfilePoint& point : profile.points) {
        const double least = std::max(leastUsOf(point, rates) / mistakenFactor, leastCallUs);
        if (point.timeUs < least) {
            const double factor = least * mistakenFactor / point.timeUs;
            factors.push_back(factor);
            if (factor > most) {
                most = factor;
                worst = &point;
            }
        }
    }
    if (worst == nullptr) {
        return std::nullopt;
    }
    std::ranges::sort(factors);
    const std::string unit = unitFor(quantileOfSorted(factors, 0.5));
    return Error{
        fmt::format(
            "{} of {} cannot be true: {} us for {} at M = {}, where {} GB/s and {} TFLOP/s need {} us{}",
            factors.size(), counted(profile.points.size(), "time"), formatReal(worst->timeUs, 3),
            textOf(worst->size), worst->rowsM, formatReal(rates.gbS, 4), formatReal(rates.tflops, 4),
            formatReal(leastUsOf(*worst, rates), 3),
            unit.empty() ? "" : "; they look like " + unit + " in a column of microseconds"),
        path, "times in microseconds of one call"};
}

std::size_t flagFasterThanDevice(Profile& profile) {
    const Rates rates = ratesOf(profile);
    std::size_t flagged = 0;
    for (ProfilePoint& point : profile.points) {
        if (isUnvalidated(point)) {
            continue;
        }
        std::erase(point.flags, implausibleFlag);
        if (point.timeUs * datasheetSlack < leastUsOf(point, rates)) {
            point.flags.emplace_back(implausibleFlag);
            ++flagged;
        }
    }
    return flagged;
}

std::string fasterThanDeviceText(const Profile& profile) {
    const auto flagged = std::ranges::count_if(profile.points, hasFlag);
    if (flagged == 0) {
        return "";
    }
    const Rates rates = ratesOf(profile);
    return fmt::format(
        "{} of {} faster than {} GB/s or {} TFLOP/s allow{}: its weights came from a cache, or "
        "another unit was meant.",
        flagged, counted(profile.points.size(), "point"), formatReal(rates.gbS, 4),
        formatReal(rates.tflops, 4), findHardware(profile.hardware) ? "" : ", the most there is");
}

void setDevice(Profile& profile, std::string_view device) {
    if (const GpuFacts* gpu = findGpu(device)) {
        profile.device = gpu->name;
        profile.hardware = gpu->hardware;
    } else if (const Hardware* known = findHardware(device)) {
        profile.device = profile.hardware = known->key;
    } else {
        profile.device = device;
        profile.hardware = onlyVariantOf(device);
    }
}

} // namespace loadline
