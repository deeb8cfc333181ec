// Intervals between runs, or between batches of few runs.
#include "core/simulate/run/settle_judge.h"

#include "core/base/radix_sort.h"
#include "core/base/random.h"
#include "core/base/statistics.h"
#include "core/simulate/run/measured.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace loadline {
namespace {

constexpr std::size_t enoughRuns = 8;
constexpr std::size_t wantedValues = 16;

/// A run, or a batch of one.
struct Portion {
    const CourseMark* from = nullptr;
    const CourseMark* to = nullptr;
    std::span<const TurnRecord> turns;

    [[nodiscard]] double timeS() const { return to->timeS - from->timeS; }

    [[nodiscard]] double tokens() const { return static_cast<double>(to->tokensOut - from->tokensOut); }

    [[nodiscard]] double arrived() const { return static_cast<double>(to->arrived - from->arrived); }

    [[nodiscard]] double answered() const { return static_cast<double>(to->answered - from->answered); }
};

Portion portionOf(const MeasuredSpan& run, std::size_t from, std::size_t to) {
    const CourseMark& begin = run.marks[from];
    const CourseMark& end = run.marks[to];
    return {&begin, &end, turnsBetween(run.turns, begin.timeS, end.timeS)};
}

std::vector<Portion> portionsOf(std::span<const MeasuredSpan> runs) {
    const std::size_t batches =
        runs.size() >= enoughRuns ? 1 : (wantedValues + runs.size() - 1) / runs.size();
    std::vector<Portion> portions;
    for (const MeasuredSpan& run : runs) {
        const std::size_t last = run.marks.size() - 1;
        const std::size_t count = std::min(batches, last);
        for (std::size_t i = 0; i < count; ++i) {
            portions.push_back(portionOf(run, i * last / count, (i + 1) * last / count));
        }
    }
    return portions;
}

/// A sum over another, with the chance of both.
struct Ratio {
    std::vector<double> above, below;

    void add(double a, double b) {
        above.push_back(a);
        below.push_back(b);
    }

    [[nodiscard]] Banded band() const {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        const double a = std::accumulate(above.begin(), above.end(), 0.0);
        const double b = std::accumulate(below.begin(), below.end(), 0.0);
        if (!(b > 0)) {
            return {};
        }
        const double value = a / b;
        if (above.size() < 2) {
            return {value, 0, unknown};
        }
        const double error = errorOf(above, below, value);
        if (!(error > 0)) {
            return {value, value, value};
        }
        const double half = studentT(above.size() - 1) * error;
        const auto [low, high] = drawn(value);
        return {value, std::min(value - half, value - high * error),
                std::max(value + half, value - low * error)};
    }

private:
    /// Standard error of the ratio, linearised.
    static double errorOf(std::span<const double> a, std::span<const double> b, double value) {
        double squares = 0;
        double sum = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double off = a[i] - value * b[i];
            squares += off * off;
            sum += b[i];
        }
        const auto n = static_cast<double>(a.size());
        return std::sqrt(squares * n / (n - 1)) / sum;
    }

    /// The 0.025 and 0.975 quantiles of (drawn ratio - value) / its error, over values drawn again
    /// (bootstrap-t, Efron 1981): where a few runs met what is rare and long, most others tell too little,
    /// and Student's t is too sure of it.
    [[nodiscard]] std::pair<double, double> drawn(double value) const {
        constexpr std::uint64_t draws = 499;
        constexpr double mostErrors = 12.706; // Student's at one degree of freedom
        const auto n = static_cast<std::uint32_t>(above.size());
        const RandomStream stream(n);
        std::vector<double> apart, a(n), b(n);
        for (std::uint64_t draw = 0; draw < draws; ++draw) {
            for (std::uint32_t i = 0; i < n; ++i) {
                const std::uint32_t from = loadline::below(n, stream.at(draw * n + i));
                a[i] = above[from];
                b[i] = below[from];
            }
            const double sum = std::accumulate(b.begin(), b.end(), 0.0);
            const double again = sum > 0 ? std::accumulate(a.begin(), a.end(), 0.0) / sum : value;
            const double error = sum > 0 ? errorOf(a, b, again) : 0;
            const double off = again - value;
            apart.push_back(error > 0 ? std::clamp(off / error, -mostErrors, mostErrors)
                                      : std::copysign(off == 0 ? 0 : mostErrors, off));
        }
        std::ranges::sort(apart);
        return {quantileOfSorted(apart, 0.025), quantileOfSorted(apart, 0.975)};
    }
};

/// All values of a latency, by portion.
class Pool {
public:
    /// Begins another portion.
    void next() {
        begins_.push_back(values_.size());
        sums_.push_back(0);
    }

    void add(double value) {
        values_.push_back(value);
        sums_.back() += value;
    }

    [[nodiscard]] LatencyIntervals intervals() {
        if (values_.empty()) {
            return {};
        }
        sorted_ = values_;
        radixSort(sorted_);
        Ratio mean{sums_, {}};
        for (std::size_t i = 0; i < begins_.size(); ++i) {
            mean.below.push_back(static_cast<double>(portion(i).size()));
        }
        return {mean.band(), quantile(0.5), quantile(0.9), quantile(0.99)};
    }

private:
    [[nodiscard]] std::span<const double> portion(std::size_t i) const {
        const std::size_t end = i + 1 < begins_.size() ? begins_[i + 1] : values_.size();
        return std::span(values_).subspan(begins_[i], end - begins_[i]);
    }

    [[nodiscard]] Banded quantile(double share) const {
        constexpr double unknown = std::numeric_limits<double>::infinity();
        const double value = quantileOfSorted(sorted_, share);
        const std::size_t portions = begins_.size();
        if (portions < 2) {
            return {value, 0, unknown};
        }
        const auto n = static_cast<double>(sorted_.size());
        const auto equal = std::ranges::equal_range(sorted_, value);
        const auto less = static_cast<double>(equal.begin() - sorted_.begin());
        // Ties are below in part, each as much as any other.
        const double tie = equal.empty() ? 0 : (share * n - less) / static_cast<double>(equal.size());
        double squares = 0;
        for (std::size_t i = 0; i < portions; ++i) {
            const std::span<const double> all = portion(i);
            std::size_t below = 0;
            std::size_t ties = 0;
            for (const double one : all) {
                below += one < value ? 1 : 0;
                ties += one == value ? 1 : 0;
            }
            const double off = static_cast<double>(below) + tie * static_cast<double>(ties) -
                               share * static_cast<double>(all.size());
            squares += off * off;
        }
        const auto groups = static_cast<double>(portions);
        const double half = studentT(portions - 1) * std::sqrt(squares * groups / (groups - 1)) / n;
        const double low = share - half;
        const double high = share + half;
        constexpr double rounding = 1e-9; // clocks add up what is the same in another order
        return {value, low <= 0 ? 0 : quantileOfSorted(sorted_, low) * (1 - rounding),
                high >= 1 ? unknown : quantileOfSorted(sorted_, high) * (1 + rounding)};
    }

    std::vector<double> values_, sorted_;
    std::vector<std::size_t> begins_; ///< by portion
    std::vector<double> sums_;        ///< by portion
};

LatencyIntervals intervalsOf(std::span<const Portion> portions, double TurnRecord::*member) {
    Pool pool;
    for (const Portion& portion : portions) {
        pool.next();
        for (const TurnRecord& turn : portion.turns) {
            if (turn.*member >= 0) {
                pool.add(turn.*member);
            }
        }
    }
    return pool.intervals();
}

bool isWithin(const Banded& figure, double precision) {
    return figure.high - figure.low <= 2 * precision * std::abs(figure.value);
}

double meanOf(std::span<const double> values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// True if values later in the runs differ from earlier ones: by more than chance (1 in 100), and by enough
/// to matter. `early` and `late`: values of the same runs, in the same order.
bool driftsBetween(std::span<const double> early, std::span<const double> late) {
    constexpr double matters = 0.01; // of the figure
    constexpr double asRare = 1.4;   // Student's 0.995 quantile / 0.975 quantile, at 15 degrees of freedom
    const std::size_t n = early.size();
    if (n < 2) {
        return false;
    }
    std::vector<double> apart(n);
    for (std::size_t i = 0; i < n; ++i) {
        apart[i] = late[i] - early[i];
    }
    const double mean = meanOf(apart);
    double squares = 0;
    for (const double one : apart) {
        squares += (one - mean) * (one - mean);
    }
    const auto count = static_cast<double>(n);
    const double error = std::sqrt(squares / (count - 1) / count);
    const double size = (meanOf(early) + meanOf(late)) / 2;
    return std::abs(mean) > asRare * studentT(n - 1) * error && std::abs(mean) > matters * std::abs(size);
}

/// Halves of each run; of a single run its batches, the early with the late ones.
bool drifts(std::span<const MeasuredSpan> runs) {
    std::vector<double> earlyRate, lateRate, earlyE2e, lateE2e;
    const auto add = [](const Portion& portion, std::vector<double>& rate, std::vector<double>& e2e) {
        rate.push_back(portion.timeS() > 0 ? portion.tokens() / portion.timeS() : 0);
        double sum = 0;
        for (const TurnRecord& turn : portion.turns) {
            sum += turn.e2eS;
        }
        e2e.push_back(portion.turns.empty() ? 0 : sum / static_cast<double>(portion.turns.size()));
    };
    const std::size_t pairs = runs.size() > 1 ? 1 : wantedValues / 2;
    for (const MeasuredSpan& run : runs) {
        const std::size_t last = run.marks.size() - 1;
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::size_t half = last / 2;
            const std::size_t rest = last - half;
            add(portionOf(run, i * half / pairs, (i + 1) * half / pairs), earlyRate, earlyE2e);
            add(portionOf(run, half + i * rest / pairs, half + (i + 1) * rest / pairs), lateRate, lateE2e);
        }
    }
    return driftsBetween(earlyRate, lateRate) || driftsBetween(earlyE2e, lateE2e);
}

/// The course of the queue of turns that wait for their first token.
enum class QueueCourse : std::uint8_t { Bounded, Growing, Unclear };

QueueCourse queueOf(std::span<const Portion> portions, std::size_t runs, const LatencyIntervals& ttft,
                    const LatencyIntervals& e2e) {
    constexpr double grows = 0.01; // of the turns that come
    constexpr double fewest = 10;  // turns more in each run
    Ratio growth;
    double timeS = 0;
    double more = 0;
    for (const Portion& one : portions) {
        const double change = static_cast<double>(one.to->waiting) - static_cast<double>(one.from->waiting);
        growth.add(change, one.arrived());
        more += change;
        timeS += one.timeS();
    }
    const Banded share = growth.band();
    const auto count = static_cast<double>(runs);
    const double answerS = std::max(0.0, e2e.mean.value - ttft.mean.value); // without the queue
    const bool isLong = timeS / count > 10 * answerS;
    if (share.low > 0 && share.value > grows && more / count >= fewest) {
        return isLong ? QueueCourse::Growing : QueueCourse::Unclear;
    }
    return share.high > grows && more / count >= 1 ? QueueCourse::Unclear : QueueCourse::Bounded;
}

void unbound(LatencyIntervals& latency) {
    for (Banded* figure : {&latency.mean, &latency.p50, &latency.p90, &latency.p99}) {
        figure->high = std::numeric_limits<double>::infinity();
    }
}

} // namespace

bool isThroughputKnown(std::span<const MeasuredSpan> runs, const Precision& precision) {
    Ratio tokens;
    for (const Portion& one : portionsOf(runs)) {
        tokens.add(one.tokens(), one.timeS());
    }
    return isWithin(tokens.band(), precision.throughput);
}

LatencyIntervals intervalsOf(std::span<const SimulationResult> runs,
                             std::vector<double> LatencySample::*sample) {
    Pool pool;
    for (const SimulationResult& run : runs) {
        pool.next();
        for (const double value : (*run.latencies).*sample) {
            pool.add(value);
        }
    }
    return pool.intervals();
}

double studentT(std::size_t freedom) {
    constexpr std::array table = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
                                  2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};
    if (freedom <= table.size()) {
        return table[freedom - 1];
    }
    constexpr double z = 1.959964; // Cornish-Fisher, off by less than 0.0005 here
    const auto v = static_cast<double>(freedom);
    return z + (z * z * z + z) / (4 * v) + (5 * std::pow(z, 5) + 16 * z * z * z + 3 * z) / (96 * v * v);
}

RunReport judged(std::span<const MeasuredSpan> runs, ArrivalKind arrivals, const Precision& precision) {
    RunReport report;
    const std::vector<Portion> portions = portionsOf(runs);
    Ratio tokens, turns, times;
    double systemS = 0;
    double answeredS = 0;
    for (const Portion& one : portions) {
        tokens.add(one.tokens(), one.timeS());
        turns.add(one.answered(), one.timeS());
    }
    for (const MeasuredSpan& run : runs) {
        const CourseMark& from = run.marks.front();
        const CourseMark& to = run.marks.back();
        report.warmUpS += from.timeS;
        report.measuredS += to.timeS - from.timeS;
        report.turnsFinished += run.turns.size();
        report.turnsInFlight += run.inFlight;
        systemS += to.systemS - from.systemS;
        times.add(run.us, run.fp16Us);
        for (const TurnRecord& turn : run.turns) {
            answeredS += turn.e2eS;
        }
    }
    report.turnsStarted = report.turnsFinished + report.turnsInFlight;
    report.throughputTokensPerS = tokens.band();
    report.turnsPerS = turns.band();
    report.timeVsFp16 = times.band();
    report.ttftS = intervalsOf(portions, &TurnRecord::ttftS);
    report.tpotS = intervalsOf(portions, &TurnRecord::tpotS);
    report.e2eS = intervalsOf(portions, &TurnRecord::e2eS);
    report.inSystem = report.measuredS > 0 ? systemS / report.measuredS : 0;
    report.little = systemS > 0 ? answeredS / systemS : 0;
    report.drifts = drifts(runs);
    const QueueCourse queue = arrivals == ArrivalKind::Closed
                                  ? QueueCourse::Bounded
                                  : queueOf(portions, runs.size(), report.ttftS, report.e2eS);
    report.queueGrows = queue == QueueCourse::Growing;
    if (report.queueGrows) { // the longer the run, the later the answers
        unbound(report.ttftS);
        unbound(report.e2eS);
    }
    constexpr double closedLittle = 0.004; // less than the 0.5 % and 1 % that are promised
    constexpr double openLittle = 0.008;
    const double off = std::abs(report.little - 1);
    report.settled =
        report.turnsFinished > 0 && report.turnsInFlight == 0 && !report.drifts &&
        queue == QueueCourse::Bounded &&
        off <= (arrivals == ArrivalKind::Closed ? closedLittle : openLittle) &&
        isWithin(report.throughputTokensPerS, precision.throughput) &&
        isWithin(report.ttftS.mean, precision.typical) && isWithin(report.e2eS.mean, precision.typical) &&
        isWithin(report.ttftS.p50, precision.typical) && isWithin(report.tpotS.p50, precision.typical) &&
        isWithin(report.ttftS.p90, precision.tail) && isWithin(report.tpotS.p90, precision.tail);
    return report;
}

} // namespace loadline
