// A curve over users, halved where the line between two points misses the curve.
#include "core/simulate/study/users_curve.h"

#include "core/simulate/run/rows.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace loadline {
namespace {

/// Between two neighbours that the line may not follow.
struct Gap {
    std::int64_t from = 0;
    std::int64_t to = 0;
    bool isOfLeading = false; ///< among those of the leading k, were it alone

    [[nodiscard]] bool hasMiddle() const { return to - from > 1; }

    /// Returns the middle of the logarithms.
    [[nodiscard]] std::int64_t middle() const {
        const double mean = std::sqrt(static_cast<double>(from) * static_cast<double>(to));
        return std::clamp<std::int64_t>(std::llround(mean), from + 1, to - 1);
    }
};

double valueOf(const SweepPoint& point) {
    return point.pace().value;
}

/// How far from its value a point may be drawn.
double slack(const SweepPoint& point, const LineError& error) {
    constexpr double asRare = 1.5;             // than the end of its band: chance is no bend
    const Banded& chance = point.paceOfRuns(); // what kernel times err moves neighbours alike
    const double band = std::max(chance.high - valueOf(point), valueOf(point) - chance.low);
    return std::max(asRare * band, error.ofRatio * valueOf(point));
}

double onLine(const SweepPoint& a, const SweepPoint& b, std::int64_t users) {
    const auto x = [](std::int64_t n) { return std::log(static_cast<double>(n)); };
    return valueOf(a) + (valueOf(b) - valueOf(a)) * (x(users) - x(a.users)) / (x(b.users) - x(a.users));
}

/// The curve passes 1 here, at a place that is not known well enough.
bool crosses(const SweepPoint& a, const SweepPoint& b, const LineError& error) {
    const bool passes = (valueOf(a) < 1) != (valueOf(b) < 1);
    return passes && static_cast<double>(b.users - a.users) > error.ofUsers * static_cast<double>(a.users);
}

/// Whether a gap that nobody looked into may hide more than a line shows.
bool isWide(const SweepPoint& a, const SweepPoint& b, const LineError& error) {
    constexpr double near = 1.1; // of users; there a curve that turns has moved its points apart
    return static_cast<double>(b.users) > near * static_cast<double>(a.users) ||
           std::abs(valueOf(a) - valueOf(b)) > slack(a, error) + slack(b, error);
}

/// Whether some curve of a sweep meets a condition.
struct Found {
    bool any = false;
    bool leads = false; ///< for one of the leading k
};

/// use(curve) for each k and chunk.
template <typename Use>
Found anyCurve(const SweepResult& sweep, const Use& use) {
    Found found;
    for (std::size_t k = 0; k < sweep.weights.size(); ++k) {
        for (std::size_t chunk = 0; chunk < sweep.chunks.size(); ++chunk) {
            if (use(sweep.curve(k, chunk))) {
                found.any = true;
                found.leads = found.leads || sweep.weights[k] == sweep.leadingWeights;
            }
        }
    }
    return found;
}

std::size_t placeOf(const SweepResult& sweep, std::int64_t users) {
    return static_cast<std::size_t>(std::ranges::lower_bound(sweep.users, users) - sweep.users.begin());
}

std::vector<Gap> wideGaps(const SweepResult& sweep, const LineError& error) {
    std::vector<Gap> gaps;
    for (std::size_t i = 0; i + 1 < sweep.users.size(); ++i) {
        const Found found = anyCurve(sweep, [&](std::span<const SweepPoint> curve) {
            return isWide(curve[i], curve[i + 1], error) || crosses(curve[i], curve[i + 1], error);
        });
        const Gap gap{sweep.users[i], sweep.users[i + 1], found.leads};
        if (gap.hasMiddle() && found.any) {
            gaps.push_back(gap);
        }
    }
    return gaps;
}

/// Both sweeps' points; they differ in users alone.
SweepResult joined(const SweepResult& some, const SweepResult& more) {
    SweepResult all = some;
    all.users.insert(all.users.end(), more.users.begin(), more.users.end());
    std::ranges::sort(all.users);
    all.points.clear();
    for (std::size_t k = 0; k < all.weights.size(); ++k) {
        for (std::size_t chunk = 0; chunk < all.chunks.size(); ++chunk) {
            std::ranges::merge(some.curve(k, chunk), more.curve(k, chunk), std::back_inserter(all.points), {},
                               &SweepPoint::users, &SweepPoint::users);
        }
    }
    for (std::size_t k = 0; k < all.kvPeakBytes.size(); ++k) {
        all.kvPeakBytes[k] = std::max(all.kvPeakBytes[k], more.kvPeakBytes[k]);
    }
    all.steps += more.steps;
    all.turns += more.turns;
    return all;
}

/// The halves of gaps whose middle, now simulated, lay off the line, or that hold a crossing.
std::vector<Gap> stillOpen(const SweepResult& sweep, const std::vector<Gap>& halved, const LineError& error) {
    std::vector<Gap> open;
    for (const Gap& gap : halved) {
        const std::size_t a = placeOf(sweep, gap.from);
        const std::size_t middle = placeOf(sweep, gap.middle());
        const std::size_t b = placeOf(sweep, gap.to);
        const Found missed = anyCurve(sweep, [&](std::span<const SweepPoint> curve) {
            const double drawn = onLine(curve[a], curve[b], curve[middle].users);
            return std::abs(drawn - valueOf(curve[middle])) > slack(curve[middle], error);
        });
        for (const auto& [low, high] : {std::pair(a, middle), std::pair(middle, b)}) {
            const Found crossing =
                anyCurve(sweep, [&, from = low, to = high](std::span<const SweepPoint> curve) {
                    return crosses(curve[from], curve[to], error);
                });
            const Gap half{sweep.users[low], sweep.users[high],
                           gap.isOfLeading && (missed.leads || crossing.leads)};
            if (half.hasMiddle() && (missed.any || crossing.any)) {
                open.push_back(half);
            }
        }
    }
    return open;
}

/// Those that may be halved before there are `most` points: of the leading k as if it were alone.
std::vector<Gap> fewerOf(std::vector<Gap> gaps, std::size_t points, std::size_t leading, std::size_t most) {
    std::vector<Gap> few;
    for (const Gap& gap : gaps) {
        std::size_t& count = gap.isOfLeading ? leading : points;
        if (count < most) {
            ++points;
            leading += gap.isOfLeading ? 1U : 0U;
            few.push_back(gap);
        }
    }
    return few;
}

} // namespace

Result<SweepResult> usersCurve(const SweepInputs& asked, const LineError& error,
                               const std::stop_token& stop) {
    SweepInputs inputs = asked;
    if (auto draws = kernelDrawsOf(inputs, stop)) { // the same for all of the curve's sweeps
        inputs.kernelDraws = std::move(*draws);
    }
    Result<SweepResult> curve = sweep(inputs, stop);
    if (!curve || curve->points.empty()) {
        return curve;
    }
    *curve = withoutMisfits(std::move(*curve)); // gaps are looked for where there is an answer
    if (curve->points.empty()) {
        return curve;
    }
    const bool hasOthers = curve->weights.size() > 1;
    curve->leadingWeights = hasOthers ? inputs.base.cost.format.weights : curve->weights.front();
    std::vector<std::int64_t> leading = curve->users;
    std::vector<Gap> gaps = wideGaps(*curve, error);
    while (true) {
        gaps = fewerOf(std::move(gaps), curve->users.size(), leading.size(), error.mostPoints);
        if (gaps.empty()) {
            break;
        }
        SweepInputs middles = inputs;
        middles.users.clear();
        for (const Gap& gap : gaps) {
            middles.users.push_back(gap.middle());
            if (gap.isOfLeading) {
                leading.push_back(gap.middle());
            }
        }
        const Result<SweepResult> more = sweep(middles, stop);
        if (!more) {
            return more.error();
        }
        if (more->points.empty()) {
            break; // stopped
        }
        curve = joined(*curve, *more);
        gaps = stillOpen(*curve, gaps, error);
    }
    const bool leads = std::ranges::find(curve->weights, curve->leadingWeights) != curve->weights.end();
    if (hasOthers && leads) {
        std::ranges::sort(leading);
        curve->leadingUsers = std::move(leading);
    }
    return curve;
}

std::vector<SweepPoint> SweepResult::ownCurve(std::size_t k, std::size_t chunk) const {
    std::vector<SweepPoint> own;
    const bool isLeading = !leadingUsers.empty() && weights[k] == leadingWeights;
    std::ranges::copy_if(curve(k, chunk), std::back_inserter(own), [&](const SweepPoint& point) {
        return !isLeading || std::ranges::binary_search(leadingUsers, point.users);
    });
    return own;
}

void putPresent(SweepResult& curve, const SimulationInputs& present, const SimulationReplicas& runs,
                const SimulationReplicas* other) {
    if (!runs.run) {
        return;
    }
    for (SweepPoint& point : curve.points) {
        if (point.weights == present.cost.format.weights &&
            (point.ratePerS > 0 ? point.ratePerS == present.arrivals.ratePerS
                                : point.users == present.arrivals.users)) {
            point = withRuns(point, runs, other);
        }
    }
}

CurveUnderWay::CurveUnderWay(SweepResult preview, std::vector<std::int64_t> grid)
    : sweep_(std::move(preview)), grid_(std::move(grid)) {}

bool CurveUnderWay::isSimulated(std::int64_t users) const {
    const std::size_t place = placeOf(sweep_, users);
    return place < sweep_.users.size() && sweep_.users[place] == users && !sweep_.at(0, 0, place).isPreview;
}

void CurveUnderWay::take(std::span<const SweepPoint> points) {
    if (points.size() != sweep_.weights.size() || sweep_.chunks.size() != 1) {
        return; // of another sweep
    }
    const std::int64_t users = points.front().users;
    std::vector<std::vector<SweepPoint>> curves; // by k
    for (std::size_t k = 0; k < sweep_.weights.size(); ++k) {
        const std::span<const SweepPoint> before = sweep_.curve(k, 0);
        std::vector<SweepPoint>& curve = curves.emplace_back(before.begin(), before.end());
        const auto place = std::ranges::lower_bound(curve, users, {}, &SweepPoint::users);
        if (place != curve.end() && place->users == users) {
            *place = points[k];
        } else {
            curve.insert(place, points[k]);
        }
    }
    const auto write = [&] {
        sweep_.users.clear();
        for (const SweepPoint& point : curves.front()) {
            sweep_.users.push_back(point.users);
        }
        sweep_.points.clear();
        for (const std::vector<SweepPoint>& curve : curves) {
            sweep_.points.insert(sweep_.points.end(), curve.begin(), curve.end());
        }
    };
    write();
    const auto isSettled = [&](const SweepPoint& point) {
        const auto above = std::ranges::upper_bound(grid_, point.users);
        return point.isPreview && above != grid_.begin() && above != grid_.end() &&
               isSimulated(*std::prev(above)) && isSimulated(*above);
    };
    for (std::vector<SweepPoint>& curve : curves) {
        std::erase_if(curve, isSettled);
    }
    write();
}

std::vector<std::int64_t> firstUsers(const SimulationInputs& inputs, std::vector<std::int64_t> grid) {
    if (!goesFast(inputs) && !grid.empty()) {
        const std::int64_t most = grid.back();
        grid = {most};
        for (std::int64_t users = 1; users < most; users *= 2) {
            grid.push_back(users);
        }
    }
    grid.push_back(inputs.arrivals.users);
    std::ranges::sort(grid);
    grid.erase(std::unique(grid.begin(), grid.end()), grid.end());
    return grid;
}

} // namespace loadline
