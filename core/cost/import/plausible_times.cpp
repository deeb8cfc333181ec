// Times against bytes and arithmetic.
#include "core/cost/import/plausible_times.h"

#include "core/base/statistics.h"
#include "core/cost/device/hardware.h"
#include "core/cost/estimate/least_time.h"
#include "core/cost/estimate/roofline.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

constexpr double leastCallUs = 0.05;     // no device starts and ends a kernel in less
constexpr double mistakenFactor = 10;    // a cache is faster than memory, but not so much
constexpr double mistakenSlowness = 100; // bad kernels are slow, but not so slow
constexpr double slowestCallUs = 200;    // of a small weight
constexpr double mistakenStep = 300;     // beside the same kernel with other rows
constexpr std::int64_t fewRows = 16;     // reading the weight takes the time
constexpr double leastReadGbS = 5;       // of a computer

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

/// Median of `value(point)` over the points at few rows; nothing without any.
template <typename Value>
std::optional<double> medianAtFewRows(const Profile& profile, Value value) {
    std::vector<double> values;
    for (const ProfilePoint& point : profile.points) {
        if (point.rowsM <= fewRows && !isUnvalidated(point) && point.timeUs > 0) {
            values.push_back(value(point));
        }
    }
    return values.empty() ? std::nullopt : std::optional(medianOf(std::move(values)));
}

/// Points that take hundreds of times as long as the same kernel takes with more rows, or with fewer rows in
/// proportion.
struct OutOfStep {
    std::size_t count = 0;
    const ProfilePoint* worst = nullptr;
    const ProfilePoint* beside = nullptr;
};

OutOfStep outOfStepIn(const Profile& profile) {
    const auto rowsOf = [](const ProfilePoint* point) {
        return static_cast<double>(std::max<std::int64_t>(point->rowsM, 1));
    };
    const auto perRow = [&](const ProfilePoint* point) { return point->timeUs / rowsOf(point); };
    std::map<std::tuple<Kernel, std::string, GemmSize, int, int>, std::vector<const ProfilePoint*>> series;
    for (const ProfilePoint& point : profile.points) {
        series[{point.kernel, point.name, point.size, point.experts, point.kBits}].push_back(&point);
    }
    OutOfStep found;
    double most = 0;
    for (auto& [key, points] : series) {
        std::ranges::stable_sort(points, {}, rowsOf);
        std::vector<const ProfilePoint*> shortestFrom = points; // at these rows or more
        for (std::size_t i = points.size() - 1; i-- > 0;) {
            if (shortestFrom[i + 1]->timeUs < shortestFrom[i]->timeUs) {
                shortestFrom[i] = shortestFrom[i + 1];
            }
        }
        const ProfilePoint* shortestPerRow = points.front(); // at these rows or fewer
        for (std::size_t i = 0; i < points.size(); ++i) {
            shortestPerRow = std::min(shortestPerRow, points[i], [&](const auto* one, const auto* other) {
                return perRow(one) < perRow(other);
            });
            const double toMore = points[i]->timeUs / shortestFrom[i]->timeUs;
            const double toFewer = perRow(points[i]) / perRow(shortestPerRow);
            const double apart = std::max(toMore, toFewer);
            found.count += apart > mistakenStep ? 1 : 0;
            if (apart > std::max(most, mistakenStep)) {
                most = apart;
                found.worst = points[i];
                found.beside = toMore >= toFewer ? shortestFrom[i] : shortestPerRow;
            }
        }
    }
    return found;
}

/// The Error of unitMistakeIn for times that are too long.
std::optional<Error> tooLongIn(const Profile& profile, const std::string& path) {
    constexpr const char* remedy = "times in microseconds of one call";
    if (const OutOfStep odd = outOfStepIn(profile); odd.worst != nullptr) {
        return Error{
            fmt::format("{} of {} cannot be true: {} us for {} at M = {}, where the same kernel takes "
                        "{} us at M = {}; it looks like nanoseconds in a column of microseconds",
                        odd.count, counted(profile.points.size(), "time"), formatReal(odd.worst->timeUs, 4),
                        textOf(odd.worst->size), odd.worst->rowsM, formatReal(odd.beside->timeUs, 4),
                        odd.beside->rowsM),
            path, remedy};
    }
    const Hardware* const known = findHardware(profile.hardware);
    if (known == nullptr) {
        return std::nullopt;
    }
    const DeviceRates rates = ratesOf(profile);
    const auto median = medianAtFewRows(profile, [&](const ProfilePoint& point) {
        return point.timeUs / std::max(mistakenSlowness * leastUsOf(point, rates), slowestCallUs);
    });
    if (!median || *median <= 1) {
        return std::nullopt;
    }
    return Error{
        fmt::format("the times cannot be true: typically over {} times what {} GB/s and {} TFLOP/s of "
                    "{} need; they look like nanoseconds in a column of microseconds",
                    formatReal(mistakenSlowness, 3), formatReal(rates.gbS, 4), formatReal(rates.tflops, 4),
                    known->key),
        path, remedy};
}

/// "mine takes 8 551 us for 2048x5120 at M = 16"
std::string rowText(const ProfilePoint& point) {
    return fmt::format("{} takes {} us for {} at M = {}",
                       point.name.empty() ? std::string(keyOf(point.kernel)) : visibleText(point.name),
                       formatReal(point.timeUs, 4), textOf(point.size), point.rowsM);
}

/// Points whose factor is above a limit, and the one whose factor is largest; null if there are none.
struct FarOff {
    std::size_t count = 0;
    const ProfilePoint* worst = nullptr;
};

template <typename Factor>
FarOff farOffIn(const Profile& profile, double limit, Factor factorOf) {
    FarOff found;
    double most = limit;
    for (const ProfilePoint& point : profile.points) {
        const double factor = factorOf(point);
        found.count += factor > limit ? 1 : 0;
        if (factor > most) {
            most = factor;
            found.worst = &point;
        }
    }
    return found;
}

/// Rows hundreds of times as long as another kernel's at the same shape and M.
std::string besideOthersText(const Profile& profile) {
    std::map<std::tuple<GemmSize, int, std::int64_t>, const ProfilePoint*> fastest;
    const auto placeOf = [](const ProfilePoint& point) {
        return std::tuple(point.size, point.experts, point.rowsM);
    };
    const auto isAsked = [](const ProfilePoint& point) {
        return specOf(point.kernel).serves && !isUnvalidated(point) && point.timeUs > 0;
    };
    for (const ProfilePoint& point : profile.points) {
        const ProfilePoint*& known = fastest[placeOf(point)];
        if (isAsked(point) && (known == nullptr || point.timeUs < known->timeUs)) {
            known = &point;
        }
    }
    const FarOff slow = farOffIn(profile, mistakenStep, [&](const ProfilePoint& point) {
        return isAsked(point) && point.timeUs > slowestCallUs ? point.timeUs / fastest[placeOf(point)]->timeUs
                                                              : 0;
    });
    if (slow.worst == nullptr) {
        return "";
    }
    const ProfilePoint& other = *fastest[placeOf(*slow.worst)];
    return fmt::format("{} of {} over {} times as long as another kernel at the same shape and M: {}, where "
                       "{} takes {} us.",
                       slow.count, counted(profile.points.size(), "row"), formatReal(mistakenStep, 3),
                       rowText(*slow.worst),
                       other.name.empty() ? std::string(keyOf(other.kernel)) : visibleText(other.name),
                       formatReal(other.timeUs, 3));
}

bool isSlowAtFewRows(const ProfilePoint& point) {
    return point.rowsM <= fewRows && !isUnvalidated(point) && point.timeUs > slowestCallUs;
}

/// Rows at few M that take over a hundred times what the profile's device needs.
std::string slowerThanOwnText(const Profile& profile) {
    const DeviceRates rates = ratesOf(profile);
    const FarOff slow = farOffIn(profile, mistakenSlowness, [&](const ProfilePoint& point) {
        return isSlowAtFewRows(point) ? point.timeUs / leastUsOf(point, rates) : 0;
    });
    return slow.worst == nullptr
               ? std::string()
               : fmt::format("{} of {} over {} times what {} needs: {}, where {} us would do.", slow.count,
                             counted(profile.points.size(), "row"), formatReal(mistakenSlowness, 3),
                             profile.hardware, rowText(*slow.worst),
                             formatReal(leastUsOf(*slow.worst, rates), 3));
}

/// GB/s at which the point reads its bytes.
double readRateOf(const ProfilePoint& point) {
    const KernelWork work = workOf(point.kernel, point.size, point.experts, static_cast<double>(point.rowsM),
                                   readsKBits(point.kernel) ? point.kBits : fp16Bits);
    return work.bytes / (point.timeUs * bytesPerUsOfGbS);
}

/// A typical call at few rows that reads its weights more slowly than a computer does.
std::string slowerThanAnyText(const Profile& profile) {
    const auto rate = medianAtFewRows(profile, [](const ProfilePoint& point) {
        return point.timeUs > slowestCallUs ? readRateOf(point) : leastReadGbS;
    });
    if (!rate || *rate >= leastReadGbS) {
        return "";
    }
    const ProfilePoint& worst = *farOffIn(profile, 0, [](const ProfilePoint& point) {
                                     return isSlowAtFewRows(point) ? 1 / readRateOf(point) : 0;
                                 }).worst; // of a median below leastReadGbS half the points are slow
    return fmt::format(
        "Weights are read at {} GB/s in a typical call, and a computer reads {} or more: {}, so at "
        "{} GB/s.",
        formatReal(*rate, 2), formatReal(leastReadGbS, 2), rowText(worst), formatReal(readRateOf(worst), 2));
}

} // namespace

std::optional<Error> unitMistakeIn(const Profile& profile, const std::string& path) {
    const DeviceRates rates = ratesOf(profile);
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
        return tooLongIn(profile, path);
    }
    const std::string unit = unitFor(medianOf(factors));
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
    return flagFasterThanDevice(profile, implausibleFlag);
}

std::string fasterThanDeviceText(const Profile& profile) {
    const auto flagged = std::ranges::count_if(profile.points, isImplausible);
    if (flagged == 0) {
        return "";
    }
    const DeviceRates rates = ratesOf(profile);
    return fmt::format(
        "{} of {} faster than {} GB/s or {} TFLOP/s allow{}: its weights came from a cache, or "
        "another unit was meant.",
        flagged, counted(profile.points.size(), "point"), formatReal(rates.gbS, 4),
        formatReal(rates.tflops, 4), findHardware(profile.hardware) ? "" : ", the most there is");
}

std::string tooLongText(const Profile& profile) {
    std::string text = besideOthersText(profile);
    const std::string slow =
        findHardware(profile.hardware) != nullptr ? slowerThanOwnText(profile) : slowerThanAnyText(profile);
    text += text.empty() || slow.empty() ? slow : " " + slow;
    return text.empty() ? text
                        : text + " These may be nanoseconds in a column of microseconds." +
                              (findHardware(profile.hardware) == nullptr
                                   ? " Name the device to have them checked against it."
                                   : "");
}

} // namespace loadline
