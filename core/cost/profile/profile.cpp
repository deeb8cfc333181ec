// Answers questions about a profile.
#include "core/cost/profile/profile.h"

#include "core/cost/profile/profile_place.h"
#include "core/cost/profile/time_bar.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/enum_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace loadline {
namespace {

/// Half the quartile range as a share of the time, `floor` at least. Beyond `alike` no more than half the
/// logarithm of the quartiles' ratio: a share is no exponent, and a few slow samples leave a range of many
/// times the median.
template <typename Point>
double spreadOf(const Point& point, double floor) {
    constexpr double alike = 0.25; // up to here the two are within some per cent
    if (!point.p25Us || !point.p75Us || !(point.timeUs > 0)) {
        return floor;
    }
    const double share = (*point.p75Us - *point.p25Us) / 2 / point.timeUs;
    const double ratio = *point.p25Us > 0 ? std::log(*point.p75Us / *point.p25Us) / 2 : share;
    return std::max(floor, std::min(share, std::max(alike, ratio)));
}

constexpr std::size_t minuteLength = std::string_view("2026-11-25T20:41").size();

/// The commit of the program that measured, in short; "" where it is not known.
std::string commitOf(const Profile& profile) {
    constexpr std::size_t shortLength = 7;
    const auto fact = profile.methodFacts.find("program_revision");
    std::string text = fact == profile.methodFacts.end() ? std::string() : fact->second;
    std::erase(text, '"');
    const bool isHash = text.size() >= shortLength &&
                        std::ranges::all_of(text.substr(0, shortLength),
                                            [](unsigned char c) { return std::isxdigit(c) != 0; });
    return isHash ? text.substr(0, shortLength) : std::string();
}

} // namespace

std::string_view keyOf(PointOrigin origin) {
    return wordOf(origin, {"measured", "published", "modelled"});
}

std::optional<PointOrigin> pointOriginFromKey(std::string_view key) {
    return withKey(key, PointOrigin::Modelled);
}

bool isRowTile(std::string_view kernel, double rows) {
    return profiledKernelFromKey(kernel).has_value() && rows >= 1 && rows <= static_cast<double>(mostTimedRows);
}

bool isUnvalidated(const Profile& profile) {
    return std::ranges::any_of(profile.points,
                               [](const ProfilePoint& point) { return isUnvalidated(point); });
}

bool isUnvalidated(const ProfilePoint& point) {
    return std::ranges::find(point.flags, unvalidatedFlag) != point.flags.end();
}

std::string labelOf(const Profile& profile) {
    if (!profile.name.empty() && profile.name != profile.device) {
        return profile.name;
    }
    std::string label = profile.device;
    if (!profile.date.empty()) {
        std::string minute = profile.date.substr(0, minuteLength);
        std::ranges::replace(minute, 'T', ' ');
        label += (label.empty() ? "" : ", ") + minute;
    }
    if (const std::string commit = commitOf(profile); !commit.empty()) {
        label += (label.empty() ? "" : ", ") + commit;
    }
    return label;
}

double relativeErrorOf(const AttentionTiming& point, double floor) {
    return spreadOf(point, floor);
}

double relativeErrorOf(const ProfilePoint& point, double floor) {
    if (isUnvalidated(point)) {
        return 0;
    }
    double error = spreadOf(point, floor);
    if (point.repeatUs && *point.repeatUs > 0 && point.timeUs > 0) {
        error = std::max(error, std::abs(std::log(*point.repeatUs / point.timeUs)));
    }
    error = std::max(error, point.betweenRuns.value_or(0));
    return error;
}

std::vector<Kernel> kernelsIn(const Profile& profile, int kBits) {
    std::vector<Kernel> found;
    for (const Kernel kernel : profiledKernels) {
        const bool any = std::ranges::any_of(profile.points, [&](const ProfilePoint& point) {
            return point.kernel == kernel && (!readsKBits(kernel) || point.kBits == kBits);
        });
        if (any) {
            found.push_back(kernel);
        }
    }
    return found;
}

std::vector<std::string> provenanceLines(const Profile& profile) {
    std::vector<std::string> lines;
    for (const std::string_view words : allOriginWords) {
        std::size_t count = 0;
        std::size_t flagged = 0;
        std::size_t interrupted = 0;
        std::size_t warm = 0;
        std::size_t assumed = 0;
        std::vector<std::string> sources;
        for (const ProfilePoint& point : profile.points) {
            if (originWords(profile, point) != words) {
                continue;
            }
            ++count;
            flagged += isFlagged(point) ? 1 : 0;
            interrupted += isInterrupted(point) ? 1 : 0;
            warm += isWarm(point) ? 1 : 0;
            assumed += isErrorAssumed(point) ? 1 : 0;
            const std::string& source = point.source.empty() ? profile.source : point.source;
            if (!source.empty() && std::ranges::find(sources, source) == sources.end()) {
                sources.push_back(source);
            }
        }
        if (count > 0) {
            std::string odd;
            if (flagged > 0) {
                odd += fmt::format(", {} of them flagged{}", flagged,
                                   interrupted > 0 ? fmt::format(" ({} interrupted)", interrupted) : "");
            }
            if (warm > 0) {
                odd += fmt::format(", {} of them warm (faster than memory is read: from a cache)", warm);
            }
            if (assumed > 0) {
                odd += fmt::format(", {} of them with an assumed error of {:.0f} %, as none is stated",
                                   assumed, 100 * leastBarShare);
            }
            odd += odd.empty() ? "" : ",";
            lines.push_back(fmt::format("{}: {} points{} on {}{}{}", words, count, odd,
                                        profile.device.empty() ? "an unnamed device" : profile.device,
                                        sources.empty() ? "" : "; ", fmt::join(sources, "; ")));
        }
    }
    return lines;
}

} // namespace loadline
