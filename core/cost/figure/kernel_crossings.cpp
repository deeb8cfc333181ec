// Which kernel is the fastest at which M, and where that changes.
#include "core/cost/figure/kernel_crossings.h"

#include "core/cost/estimate/served_time.h"

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr std::int64_t everyRowComparedTo = 256;
constexpr double growth = 1.02; // of M beyond

struct Server {
    Kernel kernel = Kernel::Scalar;
    std::int64_t firstM = 0;
    std::int64_t lastM = 0;
    [[nodiscard]] bool timedAt(std::int64_t m) const { return firstM <= m && m <= lastM; }
};

struct Fastest {
    std::optional<Kernel> kernel; ///< nothing: none was timed so far up
    double us = 0;
};

class Envelope {
public:
    Envelope(const std::vector<KernelCurve>& curves, const KernelTimes& times, const TimedShape& shape,
             int kBits)
        : times_(times), shape_(shape), kBits_(kBits) {
        for (const KernelCurve& curve : curves) {
            if (curve.kernel == fp16Kernel(shape.experts > 1)) {
                fp16_ = Server{curve.kernel, curve.firstM, curve.lastM};
            } else if (servesKBits(curve.kernel)) {
                servers_.push_back({curve.kernel, curve.firstM, curve.lastM});
                last_ = std::max(last_, curve.lastM);
            }
        }
    }

    [[nodiscard]] std::int64_t last() const { return last_; }

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
            if (estimate && (!best.kernel || estimate->us < best.us)) {
                best = {server.kernel, estimate->us};
            }
        }
        return best;
    }

    /// Elsewhere nothing can be compared with it.
    [[nodiscard]] bool fp16TimedAt(std::int64_t m) const { return fp16_ && fp16_->timedAt(m); }

    /// Whether fp16 is faster than the fastest k-bit kernel.
    [[nodiscard]] bool fp16WinsAt(std::int64_t m) const {
        const Fastest best = at(m);
        const auto plain = fp16TimedAt(m) ? time(fp16_->kernel, m) : std::nullopt;
        return best.kernel && plain && plain->us < best.us;
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
    const KernelTimes& times_;
    TimedShape shape_;
    int kBits_;
    std::vector<Server> servers_;
    std::optional<Server> fp16_;
    std::int64_t last_ = 0;
};

std::int64_t nextRow(std::int64_t m) {
    return m < everyRowComparedTo
               ? m + 1
               : std::max(m + 1, static_cast<std::int64_t>(static_cast<double>(m) * growth));
}

/// The first M in (low, high] where `changed`; it is at high.
template <typename Changed>
std::int64_t firstWhere(std::int64_t low, std::int64_t high, Changed changed) {
    while (high - low > 1) {
        const std::int64_t middle = low + (high - low) / 2;
        (changed(middle) ? high : low) = middle;
    }
    return high;
}

} // namespace

KernelEnvelope envelopeOf(const std::vector<KernelCurve>& curves, const KernelTimes& times,
                          const TimedShape& shape, int kBits) {
    KernelEnvelope result;
    const Envelope envelope(curves, times, shape, kBits);
    Fastest before;
    std::int64_t fp16From = 0; // 0: nowhere
    std::int64_t lastRow = 0;
    for (std::int64_t m = 1; m <= envelope.last();
         lastRow = m, m = m == envelope.last() ? m + 1 : std::min(nextRow(m), envelope.last())) {
        const Fastest now = envelope.at(m);
        if (before.kernel && now.kernel && *now.kernel != *before.kernel) {
            KernelCrossing crossing{*before.kernel, *now.kernel, m, m, m, false, false};
            crossing.rowsM = firstWhere(
                lastRow, m, [&](std::int64_t row) { return envelope.at(row).kernel != before.kernel; });
            crossing.pointsEnd = !envelope.timed(crossing.from, crossing.rowsM);
            crossing.pointsBegin = !envelope.timed(crossing.to, crossing.rowsM - 1);
            envelope.widen(crossing);
            result.crossings.push_back(crossing);
        }
        before = now;
        if (now.kernel && !result.first) {
            result.first = now.kernel;
        }
        if (!envelope.fp16TimedAt(m)) {
            continue; // and what was found before stands
        }
        if (now.kernel) {
            result.fp16FromM = result.fp16FromM == 0 ? m : result.fp16FromM;
            result.fp16ToM = m;
        }
        if (!envelope.fp16WinsAt(m)) {
            fp16From = 0;
        } else if (fp16From == 0) {
            fp16From =
                lastRow == 0 || !envelope.fp16TimedAt(lastRow)
                    ? m
                    : firstWhere(lastRow, m, [&](std::int64_t row) { return envelope.fp16WinsAt(row); });
        }
    }
    if (fp16From > 0 && envelope.fp16()) {
        const Fastest there = envelope.at(fp16From);
        KernelCrossing crossing{*there.kernel,
                                *envelope.fp16(),
                                fp16From,
                                1,
                                1,
                                false,
                                fp16From > 1 && !envelope.fp16TimedAt(fp16From - 1)};
        envelope.widen(crossing);
        result.fp16Wins = crossing;
    }
    return result;
}

} // namespace loadline
