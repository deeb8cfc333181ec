// Intervals of a crossover from the curves of its draws.
#include "core/simulate/study/crossover_intervals.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Where a draw's curve passes 1 in the direction of the mean curve's first crossing (none: in either);
/// infinite where it does not: beyond the end of the range that lies on its side.
double crossingIn(std::span<const std::int64_t> users, const Ratios& ratios,
                  const std::optional<bool>& fasterBelow) {
    for (const Crossing& crossing : crossingsOf(users, ratios)) {
        if (crossing.quantisedFasterBelow == fasterBelow.value_or(crossing.quantisedFasterBelow)) {
            return crossing.users;
        }
    }
    const bool fasterAtLast = !ratios.empty() && ratios.back() < 1;
    constexpr double far = std::numeric_limits<double>::infinity();
    return fasterAtLast == fasterBelow.value_or(true) ? far : -far;
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

/// The middle 90 % of the draws, those that cross outside of the range among them; and `mean`, where there is
/// one: single runs are rougher than their mean, and may all cross before it.
CrossoverInterval intervalOf(std::vector<double> draws, const std::optional<double>& mean) {
    const auto inside =
        std::count_if(draws.begin(), draws.end(), [](double at) { return std::isfinite(at); });
    CrossoverInterval interval;
    if (inside == 0) {
        return interval;
    }
    std::sort(draws.begin(), draws.end());
    interval.shareWithCrossing = static_cast<double>(inside) / static_cast<double>(draws.size());
    interval.low = percentile(draws, 0.05);
    interval.high = percentile(draws, 0.95);
    if (mean) {
        interval.low = interval.low ? std::optional(std::min(*interval.low, *mean)) : std::nullopt;
        interval.high = interval.high ? std::optional(std::max(*interval.high, *mean)) : std::nullopt;
    }
    return interval;
}

} // namespace

RowTimes::RowTimes(const CostTable& table) : kBit(table.usByRows()), fp16(table.fp16UsByRows()) {}

GemmTime RowTimes::of(std::span<const RowsCount> counts) const {
    GemmTime time;
    const auto last = static_cast<std::int64_t>(kBit.layersUs.size()) - 1;
    for (const RowsCount& count : counts) {
        const auto [row, steps, headSteps] = StepsAt(count, last);
        time.us += steps * kBit.layersUs[row];
        time.fp16Us += steps * fp16.layersUs[row];
        if (headSteps > 0 && !kBit.headUs.empty()) {
            time.us += headSteps * kBit.headUs[row];
            time.fp16Us += headSteps * fp16.headUs[row];
        }
    }
    return time;
}

void CurveSums::add(const CurveRows& curve, const RowTimes& times) {
    us.resize(curve.size());
    fp16Us.resize(curve.size());
    for (std::size_t i = 0; i < curve.size(); ++i) {
        const GemmTime gemm = times.of(curve[i].counts);
        us[i] += gemm.us + curve[i].restUs;
        fp16Us[i] += gemm.fp16Us + curve[i].restFp16Us;
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

void setIntervals(Crossover& crossover, const DrawnCurves& drawn, std::span<const std::int64_t> users,
                  const Ratios& mean) {
    const std::optional<bool> fasterBelow =
        crossover.crossings.empty() ? std::nullopt
                                    : std::optional(crossover.crossings.front().quantisedFasterBelow);
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
    std::vector<double> turns(draws), sessions(draws), kernels(draws), all(draws);
    for (std::size_t d = 0; d < draws; ++d) {
        CurveSums byKernel;
        for (const auto& run : drawn.kernels) {
            byKernel.add(run[d]);
        }
        const Ratios session = moved(mean, bySession[d].ratios(), everySession.ratios());
        const Ratios kernel = moved(mean, byKernel.ratios(), usual.ratios());
        turns[d] = crossingIn(users, drawn.turns[d], fasterBelow);
        sessions[d] = crossingIn(users, session, fasterBelow);
        kernels[d] = crossingIn(users, kernel, fasterBelow);
        all[d] = crossingIn(users, drawn.all[d], fasterBelow);
    }
    const std::optional<double> first =
        crossover.crossings.empty() ? std::nullopt : std::optional(crossover.crossings.front().users);
    crossover.replicas = intervalOf(std::move(turns), first);
    crossover.sessions = intervalOf(std::move(sessions), first);
    crossover.kernels = intervalOf(std::move(kernels), first);
    crossover.all = intervalOf(std::move(all), first);
}

} // namespace loadline
