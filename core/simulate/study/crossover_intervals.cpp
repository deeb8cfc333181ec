// Intervals of a crossover from the curves of its draws.
#include "core/simulate/study/crossover_intervals.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

namespace loadline {
namespace {

/// `mean` moved as `drawn` differs from `usual`.
Ratios moved(const Ratios& mean, const Ratios& drawn, const Ratios& usual) {
    Ratios ratios = mean;
    for (std::size_t i = 0; i < std::min(drawn.size(), usual.size()); ++i) {
        ratios[i] = usual[i] > 0 ? mean[i] * drawn[i] / usual[i] : mean[i];
    }
    return ratios;
}

/// The crossing that setIntervals looks for in a draw's curve.
struct Sought {
    std::optional<bool> fasterBelow; ///< the direction of the mean curve's first crossing; none: it has none
    bool fasterThroughout = false;   ///< the mean curve, where it has none
};

/// Returns the users up to or from which a draw disagrees with a mean curve without a crossing. Infinite if
/// it agrees throughout, or disagrees to the end of the range.
double endOfOtherwise(std::span<const std::int64_t> users, const Ratios& ratios, bool fasterThroughout) {
    constexpr double far = std::numeric_limits<double>::infinity();
    const std::vector<Crossing> crossings = crossingsOf(users, ratios);
    const bool atEnd = !ratios.empty() && (fasterThroughout ? !(ratios.front() < 1) : ratios.back() < 1);
    if (atEnd || crossings.empty()) {
        return atEnd != fasterThroughout ? far : -far;
    }
    return fasterThroughout ? crossings.front().users : crossings.back().users;
}

/// Whether a draw's curve is anywhere on the other side of 1.
bool saysOtherwise(const Ratios& ratios, bool fasterThroughout) {
    return std::ranges::any_of(ratios, [&](double ratio) { return (ratio < 1) != fasterThroughout; });
}

/// Returns the users at which a draw's curve passes 1 in the direction of the mean curve's first crossing;
/// infinite if it does not: beyond the end of the range that lies on its side.
double crossingIn(std::span<const std::int64_t> users, const Ratios& ratios, const Sought& sought) {
    if (!sought.fasterBelow) {
        return endOfOtherwise(users, ratios, sought.fasterThroughout);
    }
    for (const Crossing& crossing : crossingsOf(users, ratios)) {
        if (crossing.quantisedFasterBelow == *sought.fasterBelow) {
            return crossing.users;
        }
    }
    const bool fasterAtLast = !ratios.empty() && ratios.back() < 1;
    constexpr double far = std::numeric_limits<double>::infinity();
    return fasterAtLast == *sought.fasterBelow ? far : -far;
}

/// Between two of a sorted list; none where it lies outside the range.
std::optional<double> percentile(const std::vector<double>& sorted, double q) {
    const double place = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double share = place - static_cast<double>(below);
    const double low = sorted[below];
    const double high = share > 0 ? sorted[below + 1] : low;
    if (std::isinf(low) || std::isinf(high)) {
        return std::nullopt;
    }
    return low + share * (high - low);
}

/// Sets, for a mean curve without a crossing, how far the draws disagree with it.
void setOtherwise(CrossoverInterval& interval, const std::vector<double>& sorted, bool fasterThroughout,
                  std::span<const std::int64_t> users) {
    const double q = fasterThroughout ? 0.05 : 0.95;
    std::optional<double> end = percentile(sorted, q);
    if (!end) { // between draws of which one agrees throughout
        end = sorted[static_cast<std::size_t>(std::lround(q * static_cast<double>(sorted.size() - 1)))];
    }
    const bool agrees = std::isinf(*end) && (*end > 0) == fasterThroughout;
    interval.low = fasterThroughout && std::isfinite(*end) ? end : std::nullopt;
    interval.high = !fasterThroughout && std::isfinite(*end) ? end : std::nullopt;
    if (!agrees) {
        interval.otherwiseUsers =
            std::clamp(*end, static_cast<double>(users.front()), static_cast<double>(users.back()));
    }
}

/// Each draw's crossing, and how many draws say otherwise than a mean curve without any.
struct DrawnCrossings {
    std::vector<double> at;
    std::size_t otherwise = 0;

    void add(std::span<const std::int64_t> users, const Ratios& ratios, const Sought& sought) {
        at.push_back(crossingIn(users, ratios, sought));
        otherwise += !sought.fasterBelow && saysOtherwise(ratios, sought.fasterThroughout) ? 1U : 0U;
    }
};

/// The middle 90 % of the draws, those that cross outside of the range among them; and `mean`, where there is
/// one: single runs are rougher than their mean, and may all cross before it.
CrossoverInterval intervalOf(DrawnCrossings drawn, const Sought& sought, const std::optional<double>& mean,
                             std::span<const std::int64_t> users) {
    std::vector<double>& draws = drawn.at;
    const auto inside =
        std::count_if(draws.begin(), draws.end(), [](double at) { return std::isfinite(at); });
    CrossoverInterval interval;
    const auto all = static_cast<double>(draws.size());
    interval.shareOtherwise = static_cast<double>(drawn.otherwise) / all;
    if (inside == 0 && drawn.otherwise == 0) {
        return interval;
    }
    std::sort(draws.begin(), draws.end());
    interval.shareWithCrossing = static_cast<double>(inside) / all;
    if (!sought.fasterBelow) {
        setOtherwise(interval, draws, sought.fasterThroughout, users);
        return interval;
    }
    interval.low = percentile(draws, 0.05);
    interval.high = percentile(draws, 0.95);
    if (mean) {
        interval.low = interval.low ? std::optional(std::min(*interval.low, *mean)) : std::nullopt;
        interval.high = interval.high ? std::optional(std::max(*interval.high, *mean)) : std::nullopt;
    }
    return interval;
}

/// Moves an end that lies amid a wide crossing to that crossing's own end: between its two settings nothing
/// was simulated, so that no draw can tell where in the gap it is.
void widen(CrossoverInterval& interval, const std::vector<Crossing>& crossings) {
    for (const Crossing& crossing : crossings) {
        const auto from = static_cast<double>(crossing.fromUsers);
        const auto to = static_cast<double>(crossing.toUsers);
        const auto isAmid = [&](const std::optional<double>& end) {
            return crossing.isWide() && end && *end > from && *end < to;
        };
        if (isAmid(interval.low)) {
            interval.low = std::min(*interval.low, from + 1);
        }
        if (isAmid(interval.high)) {
            interval.high = to;
        }
    }
}

double distance(double a, double b) {
    return std::abs(std::log(a) - std::log(b));
}

/// Returns a draw's crossing for each crossing of the mean curve; none: the draw does not cross there.
std::vector<std::optional<double>> matched(const std::vector<Crossing>& mean,
                                           const std::vector<Crossing>& drawn) {
    std::vector<std::optional<double>> found(mean.size());
    for (const Crossing& one : drawn) {
        std::optional<std::size_t> nearest;
        for (std::size_t i = 0; i < mean.size(); ++i) {
            if (mean[i].quantisedFasterBelow == one.quantisedFasterBelow &&
                (!nearest ||
                 distance(mean[i].users, one.users) < distance(mean[*nearest].users, one.users))) {
                nearest = i;
            }
        }
        if (nearest && (!found[*nearest] || distance(mean[*nearest].users, one.users) <
                                                distance(mean[*nearest].users, *found[*nearest]))) {
            found[*nearest] = one.users;
        }
    }
    return found;
}

/// `draws`: of one crossing of the mean curve, by draw.
CrossoverInterval intervalAt(const Crossing& mean, const std::vector<std::optional<double>>& draws) {
    std::vector<double> sorted;
    for (const std::optional<double>& at : draws) {
        if (at) {
            sorted.push_back(*at);
        }
    }
    CrossoverInterval interval;
    interval.shareWithCrossing = static_cast<double>(sorted.size()) / static_cast<double>(draws.size());
    if (!sorted.empty()) {
        std::ranges::sort(sorted);
        interval.low = std::min(*percentile(sorted, 0.05), mean.users);
        interval.high = std::max(*percentile(sorted, 0.95), mean.users);
    }
    return interval;
}

} // namespace

void CurveSums::add(const CurveRows& curve, const RowTimes& times) {
    us.resize(curve.size());
    fp16Us.resize(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const GemmTime gemm = times.of(curve[i]);
        us[i] += gemm.us + curve[i].restUs;
        fp16Us[i] += (gemm.fp16Us + curve[i].restFp16Us) * curve[i].otherScale;
    }
}

void CurveSums::add(const CurveSums& more) {
    us.resize(std::max(us.size(), more.us.size()));
    fp16Us.resize(us.size());
    for (std::size_t i = 0; i < more.us.size(); ++i) {
        us[i] += more.us[i];
        fp16Us[i] += more.fp16Us[i];
    }
}

Ratios CurveSums::ratios() const {
    Ratios ratios(us.size());
    for (std::size_t i = 0; i < us.size(); ++i) {
        ratios[i] = fp16Us[i] > 0 ? us[i] / fp16Us[i] : 0;
    }
    return ratios;
}

std::vector<Ratios> drawnParts(std::span<const SweepPoint> points, std::size_t draws, std::uint64_t seed) {
    std::vector<Ratios> curves(draws, Ratios(points.size()));
    for (std::size_t i = 0; i < points.size(); ++i) {
        const std::vector<double>& parts = points[i].replicaPaces();
        const auto n = static_cast<std::uint32_t>(parts.size());
        const double mean = std::accumulate(parts.begin(), parts.end(), 0.0) / std::max<double>(n, 1);
        const RandomStream stream(seedOf(seed, i));
        for (std::size_t d = 0; d < draws; ++d) {
            double sum = 0;
            for (std::uint32_t j = 0; j < n; ++j) {
                sum += parts[below(n, stream.at(d * n + j))];
            }
            curves[d][i] = points[i].pace().value * (mean > 0 ? sum / n / mean : 1);
        }
    }
    return curves;
}

void setIntervals(Crossover& crossover, const DrawnCurves& drawn, std::span<const std::int64_t> users,
                  const Ratios& mean) {
    const Sought sought{crossover.crossings.empty()
                            ? std::nullopt
                            : std::optional(crossover.crossings.front().quantisedFasterBelow),
                        crossover.kind == CrossoverKind::QuantisedFaster};
    const std::size_t draws = drawn.turns.size();
    const std::size_t sessionRuns = drawn.sessions.size() / draws;
    CurveSums everySession;
    std::vector<CurveSums> bySession(draws);
    for (std::size_t i = 0; i < drawn.sessions.size(); ++i) {
        bySession[i / sessionRuns].add(drawn.sessions[i]);
        everySession.add(drawn.sessions[i]);
    }
    CurveSums usual;
    for (const CurveSums& run : drawn.usual) {
        usual.add(run);
    }
    DrawnCrossings turns, sessions, kernels, all;
    std::vector<std::vector<std::optional<double>>> byCrossing(crossover.crossings.size());
    for (std::size_t d = 0; d < draws; ++d) {
        CurveSums byKernel;
        for (const auto& run : drawn.kernels) {
            byKernel.add(run[d]);
        }
        const Ratios session = moved(mean, bySession[d].ratios(), everySession.ratios());
        const Ratios kernel = moved(mean, byKernel.ratios(), usual.ratios());
        turns.add(users, drawn.turns[d], sought);
        sessions.add(users, session, sought);
        kernels.add(users, kernel, sought);
        Ratios together = drawn.all[d];
        if (together.empty()) {
            together = drawn.turns[d];
            for (std::size_t i = 0; i < together.size(); ++i) {
                together[i] *= mean[i] > 0 ? session[i] * kernel[i] / (mean[i] * mean[i]) : 1;
            }
        }
        all.add(users, together, sought);
        const auto found = matched(crossover.crossings, crossingsOf(users, together));
        for (std::size_t i = 0; i < found.size(); ++i) {
            byCrossing[i].push_back(found[i]);
        }
    }
    const std::optional<double> first =
        crossover.crossings.empty() ? std::nullopt : std::optional(crossover.crossings.front().users);
    crossover.replicas = intervalOf(std::move(turns), sought, first, users);
    crossover.sessions = intervalOf(std::move(sessions), sought, first, users);
    crossover.kernels = intervalOf(std::move(kernels), sought, first, users);
    crossover.all = intervalOf(std::move(all), sought, first, users);
    crossover.byCrossing.clear();
    for (std::size_t i = 0; i < byCrossing.size(); ++i) {
        crossover.byCrossing.push_back(intervalAt(crossover.crossings[i], byCrossing[i]));
        widen(crossover.byCrossing.back(), crossover.crossings);
    }
    for (CrossoverInterval* const interval :
         {&crossover.all, &crossover.replicas, &crossover.sessions, &crossover.kernels}) {
        widen(*interval, crossover.crossings);
    }
}

} // namespace loadline
