// Ratios and means.
#include "core/cost/compare/profile_comparison.h"

#include "core/base/statistics.h"
#include "core/cost/profile/bench_run.h"
#include "core/cost/profile/profile_naming.h"
#include "core/cost/profile/unsteady.h"
#include "core/text/counted.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

namespace loadline {
namespace {

using ComparedKey = std::tuple<Kernel, GemmSize, int, int, std::int64_t>;

ComparedKey comparedKeyOf(const ProfilePoint& point) {
    return {point.kernel, point.size, point.experts, point.kBits, point.rowsM};
}

/// Half of the interval of its points between runs, as ln.
class BetweenRuns {
public:
    explicit BetweenRuns(const Profile& profile) {
        std::vector<double> distances;
        std::vector<double> stated;
        for (const ProfilePoint& point : profile.points) {
            if (point.betweenRuns) {
                stated.push_back(*point.betweenRuns);
            }
            if (point.repeatUs && *point.repeatUs > 0 && point.timeUs > 0) {
                distances.push_back(std::abs(std::log(*point.repeatUs / point.timeUs)));
            }
        }
        if (!stated.empty()) {
            typical_ = medianOf(std::move(stated));
        }
        constexpr std::size_t least = 4;
        constexpr double confidence = 0.95;
        if (distances.size() >= least) {
            std::ranges::sort(distances);
            const auto rank =
                static_cast<std::size_t>(std::ceil(confidence * static_cast<double>(distances.size() + 1)));
            pooled_ = distances[std::min(rank, distances.size()) - 1] / std::numbers::sqrt2;
        }
    }

    /// Returns the half interval that the point states; else its own spread, at least that of the profile's
    /// repeats. Returns nothing if neither is known.
    [[nodiscard]] std::optional<double> of(const ProfilePoint& point) const {
        if (point.betweenRuns) {
            return point.betweenRuns;
        }
        const double half = std::max(pooled_, relativeErrorOf(point, 0));
        return half > 0 ? std::optional(half) : std::nullopt;
    }

    /// Attention has no repeats of its own: as a typical point of the run, and no less than its own spread.
    [[nodiscard]] std::optional<double> of(const AttentionTiming& timing) const {
        const double half = std::max(typical_.value_or(pooled_), relativeErrorOf(timing, 0));
        return half > 0 ? std::optional(half) : std::nullopt;
    }

private:
    double pooled_ = 0;
    std::optional<double> typical_; ///< median of what the points state; nothing if none does
};

RatioBetween between(double ratio, std::optional<double> half) {
    RatioBetween change{ratio, std::nullopt, std::nullopt};
    if (half) {
        change.low = ratio * std::exp(-*half);
        change.high = ratio * std::exp(*half);
    }
    return change;
}

std::optional<double> joinedHalves(std::optional<double> a, std::optional<double> b) {
    return a && b ? std::optional(std::hypot(*a, *b)) : std::nullopt;
}

void addAttention(ProfileComparison& comparison, const Profile& before, const Profile& after,
                  const BetweenRuns& ofBefore, const BetweenRuns& ofAfter) {
    std::map<AttentionCall, const AttentionTiming*> known;
    for (const AttentionTiming& timing : before.attention) {
        known[timing.call] = &timing;
    }
    for (const AttentionTiming& timing : after.attention) {
        const auto found = known.find(timing.call);
        if (found == known.end() || !(timing.timeUs > 0) || !(found->second->timeUs > 0)) {
            continue;
        }
        const AttentionTiming& old = *found->second;
        comparison.attention.push_back({.call = timing.call,
                                        .beforeUs = old.timeUs,
                                        .afterUs = timing.timeUs,
                                        .change = between(timing.timeUs / old.timeUs,
                                                          joinedHalves(ofBefore.of(old), ofAfter.of(timing))),
                                        .flagged = !old.flags.empty() || !timing.flags.empty()});
    }
    std::ranges::sort(comparison.attention, {}, [](const ComparedAttention& one) {
        return std::tuple(one.call.phase, one.call.heads, one.call.batch, one.call.tokens);
    });
    comparison.attentionNotInBoth =
        before.attention.size() + after.attention.size() - 2 * comparison.attention.size();
}

bool statesRepeats(const Profile& profile) {
    return std::ranges::any_of(profile.points, [](const ProfilePoint& point) {
        return point.betweenRuns.has_value() || point.repeatUs.has_value();
    });
}

std::string comparedNameOf(const Profile& profile) {
    return profile.name.empty() ? profile.device : profile.name;
}

/// Device and method facts that make times differ for another reason than the code. A file of another program
/// tells none of them.
constexpr std::array<std::string_view, 7> telling = {
    "threads", "threads_pinned", "instruction_set", "openblas", "int8_activations", "caches", "pairs"};

/// "own GEMM" of "\"own GEMM\"".
std::string withoutQuotes(std::string json) {
    return json.size() >= 2 && json.front() == '"' && json.back() == '"' ? json.substr(1, json.size() - 2)
                                                                         : json;
}

void remarkOnMethod(ProfileComparison& comparison, const Profile& before, const Profile& after) {
    std::vector<std::string> differences;
    for (const std::string_view key : telling) {
        for (const Facts Profile::*facts : {&Profile::deviceFacts, &Profile::methodFacts}) {
            const auto old = (before.*facts).find(std::string(key));
            const auto now = (after.*facts).find(std::string(key));
            if (old != (before.*facts).end() && now != (after.*facts).end() && old->second != now->second) {
                differences.push_back(
                    fmt::format("{} {} and {}", key, withoutQuotes(old->second), withoutQuotes(now->second)));
            }
        }
    }
    if (!differences.empty()) {
        comparison.remarks.push_back(
            fmt::format("{} and {} were timed in different ways: {}. The ratios hold that difference too.",
                        comparison.before, comparison.after, fmt::join(differences, "; ")));
    }
    std::vector<std::string> kernels;
    for (const Kernel kernel : profiledKernels) {
        const auto nameIn = [&](const Profile& profile) {
            const auto point = std::ranges::find(profile.points, kernel, &ProfilePoint::kernel);
            return point == profile.points.end() ? std::string() : codeNameOf(*point, profile);
        };
        const std::string old = nameIn(before);
        const std::string now = nameIn(after);
        const bool compared =
            std::ranges::find(comparison.points, kernel, &ComparedPoint::kernel) != comparison.points.end();
        if (compared && old != now) {
            kernels.push_back(fmt::format("{} was \"{}\" and is \"{}\"", keyOf(kernel), old, now));
        }
    }
    if (!kernels.empty()) {
        comparison.remarks.push_back(fmt::format("Not the same code: {}.", fmt::join(kernels, "; ")));
    }
}

void remarkOn(ProfileComparison& comparison, const Profile& before, const Profile& after) {
    if (before.device != after.device) {
        comparison.remarks.push_back(fmt::format("{} is of {}, {} of {}.", comparison.before,
                                                 before.device.empty() ? "an unnamed device" : before.device,
                                                 comparison.after,
                                                 after.device.empty() ? "an unnamed device" : after.device));
    }
    remarkOnMethod(comparison, before, after);
    for (const Profile* profile : {&before, &after}) {
        const std::string& name = profile == &before ? comparison.before : comparison.after;
        if (const std::string cut = cutOf(*profile); !cut.empty()) {
            comparison.remarks.push_back(fmt::format("{} is not complete: {}.", name, cut));
        }
        if (!statesRepeats(*profile)) {
            comparison.ofQuartiles.push_back(name);
        }
        if (isUnvalidated(*profile)) {
            comparison.remarks.push_back(fmt::format("{} is modelled, unvalidated.", name));
        }
    }
    const auto remarkOnIntervals = [&](const auto& compared, const char* noun) {
        const auto without = std::ranges::count_if(compared, [](const auto& one) { return !one.change.low; });
        if (without > 0) {
            comparison.remarks.push_back(
                fmt::format("{} of {} have no interval: a profile tells neither repeats nor quartiles there.",
                            without, counted(compared.size(), noun)));
        }
    };
    remarkOnIntervals(comparison.points, "point");
    remarkOnIntervals(comparison.attention, "attention call");
}

void addMeans(ProfileComparison& comparison) {
    struct Sum {
        double ln = 0, half = 0;
        std::size_t points = 0;
        bool bounded = true;
    };
    std::map<std::int64_t, Sum> sums;
    for (const ComparedPoint& point : comparison.points) {
        comparison.pointsByM[point.rowsM] += point.flagged ? 0 : 1;
        if (point.flagged) {
            continue;
        }
        Sum& sum = sums[point.rowsM];
        sum.ln += std::log(point.change.ratio);
        sum.half += point.change.high ? std::log(*point.change.high / point.change.ratio) : 0;
        sum.bounded = sum.bounded && point.change.high;
        ++sum.points;
    }
    for (const auto& [rowsM, sum] : sums) {
        const auto n = static_cast<double>(sum.points);
        comparison.byM[rowsM] =
            between(std::exp(sum.ln / n), sum.bounded ? std::optional(sum.half / n) : std::nullopt);
    }
}

} // namespace

Result<ProfileComparison> compareProfiles(const Profile& before, const Profile& after) {
    ProfileComparison comparison;
    comparison.before = comparedNameOf(before);
    comparison.after = comparedNameOf(after);
    if (comparison.before == comparison.after) {
        comparison.before += before.date.empty() ? " (before)" : ", " + before.date;
        comparison.after += after.date.empty() ? " (after)" : ", " + after.date;
    }
    std::map<ComparedKey, const ProfilePoint*> known;
    for (const ProfilePoint& point : before.points) {
        known[comparedKeyOf(point)] = &point;
    }
    const BetweenRuns ofBefore(before);
    const BetweenRuns ofAfter(after);
    for (const ProfilePoint& point : after.points) {
        const auto found = known.find(comparedKeyOf(point));
        if (found == known.end() || !(point.timeUs > 0) || !(found->second->timeUs > 0)) {
            continue;
        }
        const ProfilePoint& old = *found->second;
        comparison.points.push_back(
            {.kernel = point.kernel,
             .size = point.size,
             .experts = point.experts,
             .rowsM = point.rowsM,
             .kBits = point.kBits,
             .name = point.name,
             .beforeUs = old.timeUs,
             .afterUs = point.timeUs,
             .change = between(point.timeUs / old.timeUs, joinedHalves(ofBefore.of(old), ofAfter.of(point))),
             .flagged = isFlagged(old) || isFlagged(point) || isWarm(old) != isWarm(point)});
    }
    addAttention(comparison, before, after, ofBefore, ofAfter);
    if (comparison.points.empty() && comparison.attention.empty()) {
        return Error{fmt::format("{} and {} have no point in common: the same kernel, shape, k and M",
                                 comparison.before, comparison.after),
                     "", "compare runs of the same shapes"};
    }
    std::ranges::sort(comparison.points, {}, [](const ComparedPoint& point) {
        return std::tuple(point.kernel, point.size, point.experts, point.kBits, point.rowsM);
    });
    comparison.notInBoth = before.points.size() + after.points.size() - 2 * comparison.points.size();
    addMeans(comparison);
    remarkOn(comparison, before, after);
    return comparison;
}

} // namespace loadline
