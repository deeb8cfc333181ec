// Which kernel is the fastest at which M, and where that changes.
#include "core/cost/figure/kernel_crossings.h"

#include "core/cost/estimate/served_time.h"
#include "core/cost/profile/time_bar.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

namespace loadline {
namespace {

constexpr std::int64_t everyRowComparedTo = 256;
constexpr double growth = 1.02; // of M beyond

constexpr double equal = 1e-9; // of ln of two times: no difference

struct Server {
    Kernel kernel = Kernel::Scalar;
    std::int64_t firstM = 0;
    std::int64_t lastM = 0;
    [[nodiscard]] bool timedAt(std::int64_t m) const { return firstM <= m && m <= lastM; }
};

struct Fastest {
    std::optional<Kernel> kernel; ///< nothing: none was timed so far up
    TimeEstimate time;
};

/// fp16 against the fastest k-bit kernel at one M.
struct Duel {
    int sign = 0;         ///< 1: fp16 is faster, -1: slower, 0: they are equal
    bool decided = false; ///< by more than the error bars
};

class Envelope {
public:
    Envelope(const std::vector<KernelCurve>& curves, const KernelTimes& times, const TimedShape& shape,
             int kBits)
        : times_(times), shape_(shape), kBits_(kBits) {
        for (const KernelCurve& curve : curves) {
            if (curve.kernel == fp16Kernel(shape.experts > 1)) {
                fp16_ = Server{curve.kernel, curve.firstM, curve.lastM};
                addPoints(curve, fp16Points_);
            } else if (servesKBits(curve.kernel)) {
                servers_.push_back({curve.kernel, curve.firstM, curve.lastM});
                last_ = std::max(last_, curve.lastM);
                addPoints(curve, kBitPoints_);
            }
        }
        for (const Server& server : servers_) {
            if (partsOf(server.kernel).second) { // its GEMM is fp16's: both parts were timed there
                std::ranges::copy_if(fp16Points_, std::inserter(kBitPoints_, kBitPoints_.end()),
                                     [&](std::int64_t m) { return server.timedAt(m); });
            }
        }
    }

    /// Every M to compare at, ascending, to the last point of a k-bit kernel.
    [[nodiscard]] std::vector<std::int64_t> rows() const {
        std::set<std::int64_t> rows;
        for (std::int64_t m = 1; m <= last_; m = nextRow(m)) {
            rows.insert(m);
        }
        rows.insert(kBitPoints_.begin(), kBitPoints_.end());
        rows.insert(fp16Points_.begin(), fp16Points_.upper_bound(last_));
        for (const Server& server : servers_) {
            rows.insert(server.lastM);
            rows.insert(std::min(server.lastM + 1, last_)); // a gap between two kernels begins here
        }
        return {rows.begin(), rows.end()};
    }

    /// How many Ms from `low` to `high` have a point of fp16 and one of a k-bit kernel.
    [[nodiscard]] std::size_t pointsIn(std::int64_t low, std::int64_t high) const {
        return static_cast<std::size_t>(
            std::count_if(fp16Points_.lower_bound(low), fp16Points_.upper_bound(high),
                          [&](std::int64_t m) { return kBitPoints_.contains(m); }));
    }

    [[nodiscard]] std::optional<TimeEstimate> time(Kernel kernel, std::int64_t m) const {
        const auto served =
            servedTime(times_, kernel, shape_.size, shape_.experts, static_cast<double>(m), kBits_);
        return served ? std::optional(served->sum()) : std::nullopt;
    }

    [[nodiscard]] bool timed(Kernel kernel, std::int64_t m) const {
        return std::ranges::any_of(servers_,
                                   [&](const Server& s) { return s.kernel == kernel && s.timedAt(m); });
    }

    [[nodiscard]] Fastest at(std::int64_t m) const {
        Fastest best;
        for (const Server& server : servers_) {
            if (!server.timedAt(m)) {
                continue;
            }
            const auto estimate = time(server.kernel, m);
            if (estimate && (!best.kernel || estimate->us < best.time.us)) {
                best = {server.kernel, *estimate};
            }
        }
        return best;
    }

    /// True if `one` is faster than `other` by more than the error bars.
    [[nodiscard]] bool isDecided(Kernel one, Kernel other, std::int64_t m) const {
        const auto a = time(one, m);
        const auto b = time(other, m);
        return !a || !b || std::log(b->us / a->us) > barsOf(*a, *b);
    }

    /// Elsewhere nothing can be compared with it.
    [[nodiscard]] bool fp16TimedAt(std::int64_t m) const { return fp16_ && fp16_->timedAt(m); }

    /// Returns the duel at M rows; nothing unless both were timed.
    [[nodiscard]] std::optional<Duel> duelAt(std::int64_t m) const {
        const Fastest best = at(m);
        const auto plain = fp16TimedAt(m) ? time(fp16_->kernel, m) : std::nullopt;
        if (!best.kernel || !plain) {
            return std::nullopt;
        }
        const double ln = std::log(best.time.us / plain->us);
        return Duel{ln > equal ? 1 : ln < -equal ? -1 : 0, std::abs(ln) > barsOf(best.time, *plain)};
    }

    [[nodiscard]] std::optional<Kernel> fp16() const {
        return fp16_ ? std::optional(fp16_->kernel) : std::nullopt;
    }

    /// The Ms around `m` at which the error bars of the two overlap.
    void widen(KernelCrossing& crossing) const {
        const auto overlap = [&](std::int64_t m) {
            const auto a = time(crossing.from, m);
            const auto b = time(crossing.to, m);
            return a && b &&
                   std::abs(std::log(a->us / b->us)) < std::hypot(a->relativeError, b->relativeError);
        };
        crossing.low = crossing.high = crossing.rowsM;
        if (crossing.pointsEnd || crossing.pointsBegin) {
            return; // no comparison decided it
        }
        while (crossing.low > 1 && overlap(crossing.low - 1)) {
            crossing.low -= std::max<std::int64_t>(1, crossing.low / 50);
        }
        while (crossing.high < last_ && overlap(crossing.high)) {
            crossing.high += std::max<std::int64_t>(1, crossing.high / 50);
        }
        crossing.high = std::min(crossing.high, last_);
    }

private:
    /// Returns by how much (ln) two times must differ. Times without error bars, of a model or joined to one,
    /// are no surer than measured ones.
    static double barsOf(const TimeEstimate& a, const TimeEstimate& b) {
        return std::max(leastBarShare, std::hypot(a.relativeError, b.relativeError));
    }

    static std::int64_t nextRow(std::int64_t m) {
        return m < everyRowComparedTo
                   ? m + 1
                   : std::max(m + 1, static_cast<std::int64_t>(static_cast<double>(m) * growth));
    }

    static void addPoints(const KernelCurve& curve, std::set<std::int64_t>& points) {
        for (const KernelMark& mark : curve.marks) {
            points.insert(std::llround(mark.rowsM));
        }
    }

    const KernelTimes& times_;
    TimedShape shape_;
    int kBits_;
    std::vector<Server> servers_;
    std::optional<Server> fp16_;
    std::int64_t last_ = 0;
    std::set<std::int64_t> kBitPoints_, fp16Points_;
};

/// The first M in (low, high] where `changed`; it is at high.
template <typename Changed>
std::int64_t firstWhere(std::int64_t low, std::int64_t high, Changed changed) {
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (changed(middle) ? high : low) = middle;
    }
    return high;
}

/// Returns the changes of the fastest k-bit kernel. A kernel stays the fastest until another is faster by
/// more than the error bars somewhere, or until it was not timed any further.
std::vector<KernelCrossing> crossingsOf(const Envelope& envelope, const std::vector<std::int64_t>& rows) {
    std::vector<KernelCrossing> crossings;
    std::optional<Kernel> held;
    std::optional<Kernel> before; // the fastest at the row before
    std::int64_t lastRow = 0;
    std::int64_t runFrom = 0; // since when the same is the fastest
    for (const std::int64_t m : rows) {
        const Fastest now = envelope.at(m);
        if (now.kernel && now.kernel != before) {
            runFrom = !before ? m : firstWhere(lastRow, m, [&](std::int64_t row) {
                return envelope.at(row).kernel != before;
            });
        }
        const bool ended = held && !envelope.timed(*held, m);
        if (now.kernel && held && *now.kernel != *held &&
            (ended || envelope.isDecided(*now.kernel, *held, m))) {
            KernelCrossing crossing{.from = *held, .to = *now.kernel, .rowsM = runFrom};
            while (ended && envelope.timed(*held, crossing.rowsM)) {
                ++crossing.rowsM; // it did not lose where it was timed
            }
            crossing.pointsEnd = !envelope.timed(crossing.from, crossing.rowsM);
            crossing.pointsBegin = !envelope.timed(crossing.to, crossing.rowsM - 1);
            envelope.widen(crossing);
            crossings.push_back(crossing);
            held = now.kernel;
        }
        held = held ? held : now.kernel;
        before = now.kernel;
        lastRow = m;
    }
    return crossings;
}

/// Runs of Ms at which fp16 is faster, slower or equal; a run that the bars leave open at each of its Ms is
/// Alike.
std::vector<Fp16Span> spansOf(const Envelope& envelope, const std::vector<std::int64_t>& rows) {
    std::vector<Fp16Span> spans;
    std::optional<Duel> before;
    std::int64_t lastRow = 0;
    bool decided = false;
    const auto close = [&](std::int64_t toM) {
        if (before) {
            Fp16Span& span = spans.back();
            span.toM = toM;
            span.standing = !decided           ? Fp16Standing::Alike
                            : before->sign > 0 ? Fp16Standing::Faster
                                               : Fp16Standing::Slower;
        }
    };
    for (const std::int64_t m : rows) {
        const std::optional<Duel> now = envelope.duelAt(m);
        if (now && (!before || now->sign != before->sign)) {
            const std::int64_t from = !before ? m : firstWhere(lastRow, m, [&](std::int64_t row) {
                const std::optional<Duel> duel = envelope.duelAt(row);
                return !duel || duel->sign != before->sign;
            });
            close(from - 1);
            spans.push_back({.fromM = from});
            if (before && before->sign < 0) {
                const std::optional<Kernel> winner = envelope.at(from - 1).kernel;
                spans.back().ended = winner && !envelope.timed(*winner, from) ? winner : std::nullopt;
            }
            decided = false;
        } else if (!now) {
            close(lastRow);
        }
        decided = decided || (now && now->decided);
        before = now;
        lastRow = m;
    }
    close(lastRow);
    return spans;
}

/// Spans that stand alike become one; so does one that holds no point, between two that stand alike.
std::vector<Fp16Span> merged(const Envelope& envelope, const std::vector<Fp16Span>& spans) {
    std::vector<Fp16Span> result;
    for (std::size_t i = 0; i < spans.size(); ++i) {
        Fp16Span span = spans[i];
        const bool follows = !result.empty() && result.back().toM + 1 == span.fromM;
        const bool between = follows && i + 1 < spans.size() && span.toM + 1 == spans[i + 1].fromM &&
                             result.back().standing == spans[i + 1].standing;
        if (between && span.standing == Fp16Standing::Alike && envelope.pointsIn(span.fromM, span.toM) == 0) {
            span.standing = result.back().standing;
        }
        if (follows && result.back().standing == span.standing) {
            result.back().toM = span.toM;
        } else {
            result.push_back(span);
        }
    }
    for (Fp16Span& span : result) {
        span.points = envelope.pointsIn(span.fromM, span.toM);
        if (span.standing != Fp16Standing::Faster) {
            span.ended.reset();
        }
    }
    return result;
}

/// Returns the change to fp16 at the start of a span. Precondition: fp16 is faster over it.
KernelCrossing startOf(const Envelope& envelope, const Fp16Span& span) {
    KernelCrossing crossing{.from = span.ended.value_or(*envelope.at(span.fromM).kernel),
                            .to = *envelope.fp16(),
                            .rowsM = span.fromM,
                            .pointsEnd = span.ended.has_value(),
                            .pointsBegin = span.fromM > 1 && !envelope.fp16TimedAt(span.fromM - 1)};
    envelope.widen(crossing);
    return crossing;
}

} // namespace

KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits) {
    KernelEnvelope result;
    const Envelope envelope(curves, times, shape, kBits);
    const std::vector<std::int64_t> rows = envelope.rows();
    result.crossings = crossingsOf(envelope, rows);
    for (const std::int64_t m : rows) {
        if (const Fastest fastest = envelope.at(m); fastest.kernel) {
            result.first = fastest.kernel;
            break;
        }
    }
    result.fp16Spans = merged(envelope, spansOf(envelope, rows));
    for (const Fp16Span& span : result.fp16Spans) {
        if (span.standing == Fp16Standing::Faster) {
            result.fp16Starts.push_back(startOf(envelope, span));
        }
    }
    if (!result.fp16Spans.empty()) {
        result.fp16FromM = result.fp16Spans.front().fromM;
        result.fp16ToM = result.fp16Spans.back().toM;
        if (result.fp16Spans.back().standing == Fp16Standing::Faster) {
            result.fp16Wins = result.fp16Starts.back();
        }
    }
    return result;
}

} // namespace loadline
