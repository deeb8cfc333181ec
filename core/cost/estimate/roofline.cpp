// Rooflines: default, and fitted to a profile's own points.
#include "core/cost/estimate/roofline.h"

#include "core/base/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr double leastError = 0.1;
constexpr double unfittedError = 0.3;
constexpr double leastShare = 0.01;
constexpr double mostCachedShare = 4; // about what a cache gives over memory

struct Timed {
    KernelWork work;
    double timeUs = 0;
};

double bytesUs(const Hardware& hardware, const KernelWork& work) {
    return work.bytes / (hardware.bandwidthGbS * bytesPerUsOfGbS);
}

double flopUs(const Hardware& hardware, const KernelWork& work) {
    return work.flop / (hardware.fp16Tflops * flopPerUsOfTflops);
}

double errorOf(const Roofline& roofline, const std::vector<Timed>& timed) {
    constexpr std::size_t enough = 4;
    if (timed.empty()) {
        return unfittedError;
    }
    std::vector<double> errors;
    errors.reserve(timed.size());
    for (const Timed& point : timed) {
        errors.push_back(std::abs(std::log(point.timeUs / roofline.timeUs(point.work))));
    }
    return std::max(timed.size() < enough ? unfittedError : leastError, quantileOf(errors, 0.9));
}

/// t0 and the slope of bytes / BW, the inverse of f.
struct MemoryLine {
    double t0Us = 0;
    double slope = 1;
};

MemoryLine leastSquares(const Hardware& hardware, const std::vector<Timed>& timed, double defaultT0) {
    double w = 0;
    double wx = 0;
    double wt = 0;
    double wxx = 0;
    double wxt = 0;
    std::vector<double> times;
    for (const Timed& point : timed) {
        const double weight = 1 / (point.timeUs * point.timeUs);
        const double x = bytesUs(hardware, point.work);
        w += weight;
        wx += weight * x;
        wt += weight * point.timeUs;
        wxx += weight * x * x;
        wxt += weight * x * point.timeUs;
        times.push_back(point.timeUs);
    }
    const double spread = w * wxx - wx * wx;
    if (timed.size() < 2 || spread < 1e-2 * w * wxx) { // nearly the same bytes everywhere
        const double median = quantileOf(times, 0.5);
        const double t0 = std::min(defaultT0, median / 2);
        return {.t0Us = t0, .slope = (median - t0) * w / wx};
    }
    const double slope = (w * wxt - wx * wt) / spread;
    const double t0 = (wt - slope * wx) / w;
    if (t0 < 0) {
        return {.t0Us = 0, .slope = wxt / wxx};
    }
    return {.t0Us = t0, .slope = slope};
}

/// t0 and f from the points that memory bounds.
void fitMemory(Roofline& roofline, const Hardware& hardware, const std::vector<Timed>& timed) {
    MemoryLine line = leastSquares(hardware, timed, roofline.t0Us);
    line.slope = std::clamp(line.slope, 1 / mostCachedShare, 1 / leastShare);
    std::vector<double> ratios;
    double mostBytes = 0;
    for (const Timed& point : timed) {
        ratios.push_back(point.timeUs / (line.t0Us + line.slope * bytesUs(hardware, point.work)));
        mostBytes = std::max(mostBytes, point.work.bytes);
    }
    const double scale = quantileOf(ratios, 0.5);
    roofline.t0Us = line.t0Us * scale;
    const double share = 1 / (line.slope * scale);
    if (share > 1) {
        roofline.cachedBytes = mostBytes;
        roofline.cachedShare = share;
    } else {
        roofline.bandwidthShare = share;
    }
}

} // namespace

KernelWork workOf(Kernel kernel, GemmSize size, double experts, double rowsM, int kBits,
                  AbsmaxFormat absmax) {
    const double weights = size.elements() * experts;
    if (kernel == Kernel::Dequantise) {
        return {.bytes = weights * (bytesPerWeight(kBits, absmax) + bytesPerWeight(fp16Bits)), .flop = 0};
    }
    const double activations =
        bytesPerWeight(fp16Bits) * rowsM * experts * static_cast<double>(size.k + size.n);
    return {.bytes = weights * bytesPerWeight(readsKBits(kernel) ? kBits : fp16Bits, absmax) + activations,
            .flop = 2 * rowsM * weights};
}

double Roofline::memoryUs(double bytes) const {
    const double cached = std::min(bytes, cachedBytes);
    return (cached / cachedShare + (bytes - cached) / bandwidthShare) / (bandwidthGbS * bytesPerUsOfGbS);
}

double Roofline::computeUs(double flop) const {
    return flop / (peakShare * peakTflops * flopPerUsOfTflops);
}

double Roofline::timeUs(const KernelWork& work) const {
    return t0Us + std::max(memoryUs(work.bytes), computeUs(work.flop));
}

bool Roofline::computeBound(const KernelWork& work) const {
    return computeUs(work.flop) > memoryUs(work.bytes);
}

double Roofline::relativeError(const KernelWork& work) const {
    return computeBound(work) ? computeError : memoryError;
}

Roofline defaultRoofline(const Hardware& hardware) {
    Roofline roofline;
    roofline.bandwidthGbS = hardware.bandwidthGbS;
    roofline.peakTflops = hardware.fp16Tflops;
    roofline.source = fmt::format("{}: {} GB/s, {} TFLOP/s ({}); t0, f and g as in published bf16 tables",
                                  hardware.key, hardware.bandwidthGbS, hardware.fp16Tflops, hardware.source);
    return roofline;
}

Roofline fitRoofline(const Hardware& hardware, const Profile& profile, Kernel kernel, AbsmaxFormat absmax) {
    Roofline roofline = defaultRoofline(hardware);
    std::vector<Timed> memory;
    std::vector<Timed> compute;
    for (const ProfilePoint& point : profile.points) {
        if (point.kernel == kernel) {
            const Timed timed{.work = workOf(kernel, point.size, point.experts,
                                             static_cast<double>(point.rowsM), point.kBits, absmax),
                              .timeUs = point.timeUs};
            const bool memoryBounds = flopUs(hardware, timed.work) <= bytesUs(hardware, timed.work) / 2;
            (memoryBounds ? memory : compute).push_back(timed);
        }
    }
    if (memory.empty() && compute.empty()) {
        return roofline;
    }
    if (!memory.empty()) {
        fitMemory(roofline, hardware, memory);
    }
    std::vector<double> shares;
    for (const Timed& point : compute) {
        if (point.timeUs > roofline.t0Us) {
            shares.push_back(flopUs(hardware, point.work) / (point.timeUs - roofline.t0Us));
        }
    }
    if (!shares.empty()) {
        roofline.peakShare = std::clamp(quantileOf(shares, 0.5), leastShare, 1.0);
    }
    roofline.memoryError = errorOf(roofline, memory);
    roofline.computeError = errorOf(roofline, compute);
    roofline.fittedPoints = static_cast<int>(memory.size() + compute.size());
    roofline.source = fmt::format("{}: {} GB/s, {} TFLOP/s ({}); t0, f and g fitted to {} points of {}",
                                  hardware.key, hardware.bandwidthGbS, hardware.fp16Tflops, hardware.source,
                                  roofline.fittedPoints, profile.name.empty() ? "the profile" : profile.name);
    return roofline;
}

} // namespace loadline
