// Timed samples: events around a replay, clocks read in kernels on both sides.
#include "gpu/cuda/device/nvml.cuh"
#include "gpu/cuda/device/session.cuh"

#include <algorithm>
#include <utility>

namespace loadline::gpu {

namespace {

// The wait that keeps the device from beginning before the host has queued a sample: about 20 us, and 0.05
// us for each node of a graph, times a factor that is doubled as long as that was not enough.
constexpr std::int64_t spinCycles = 40000;
constexpr std::int64_t spinCyclesPerNode = 100;
constexpr int mostSpinFactor = 32;

/// The median over multiprocessors that were read on both sides: their counters are not in step with each
/// other.
void readWindow(const CudaSession& s, CudaSample& sample) {
    std::vector<double> clocks;
    std::vector<double> windows;
    for (int i = 0; i < clockSlots; ++i) {
        const ClockReading& before = s.hostClocks[i];
        const ClockReading& after = s.hostClocks[clockSlots + i];
        if (before.nanoseconds != 0 && after.nanoseconds > before.nanoseconds) {
            const auto nanoseconds = static_cast<double>(after.nanoseconds - before.nanoseconds);
            clocks.push_back(static_cast<double>(after.cycles - before.cycles) / nanoseconds * 1000);
            windows.push_back(nanoseconds / 1000);
        }
    }
    if (!clocks.empty()) {
        const auto middle = static_cast<std::ptrdiff_t>(clocks.size() / 2);
        std::nth_element(clocks.begin(), clocks.begin() + middle, clocks.end());
        std::nth_element(windows.begin(), windows.begin() + middle, windows.end());
        sample.smClockMHz = clocks[static_cast<std::size_t>(middle)];
        sample.windowUs = windows[static_cast<std::size_t>(middle)];
    }
}

/// `launch` between the two events. `late`: the device had begun before all was queued, and may have waited.
template <class Launch>
Outcome timeOnce(CudaSession& s, const Launch& launch, CudaSample& sample, bool& late) {
    sample = {};
    late = false;
    const cudaStream_t stream = s.context.stream;
    constexpr std::size_t clockBytes = sizeof(ClockReading) * clockSlots;
    Outcome outcome = outcomeOf(cudaMemsetAsync(s.clocks, 0, 2 * clockBytes, stream), "clearing clocks");
    const auto then = [&](cudaError_t error, const char* during) {
        if (outcome) {
            outcome = outcomeOf(error, during);
        }
    };
    then(launchReadClocks(s.clocks, s.context.device, stream), "reading clocks");
    then(launchSpin((spinCycles + spinCyclesPerNode * s.work.nodes) * s.spinFactor, stream),
         "waiting for the host");
    then(cudaEventRecord(s.begin, stream), "recording an event");
    if (outcome) {
        outcome = launch();
    }
    then(cudaEventRecord(s.end, stream), "recording an event");
    if (outcome) {
        const cudaError_t begun = cudaEventQuery(s.begin);
        late = begun == cudaSuccess;
        if (begun == cudaErrorNotReady) {
            forgetErrors();
        } else {
            then(begun, "asking for an event");
        }
    }
    then(launchReadClocks(s.clocks + clockSlots, s.context.device, stream), "reading clocks");
    then(cudaMemcpyAsync(s.hostClocks, s.clocks, 2 * clockBytes, cudaMemcpyDeviceToHost, stream),
         "copying clocks");
    then(cudaStreamSynchronize(stream), "running the point");
    float ms = 0;
    then(cudaEventElapsedTime(&ms, s.begin, s.end), "reading events");
    if (outcome) {
        sample.timeUs = static_cast<double>(ms) * 1000;
        readWindow(s, sample);
        const auto now = std::chrono::steady_clock::now();
        if (now - s.throttlingRead >= std::chrono::milliseconds(200)) {
            s.throttling = readThrottleReasons(s.pciBusId);
            s.throttlingRead = now;
        }
        sample.throttleReasons = s.throttling;
    }
    return outcome;
}

Outcome nothing() {
    return {};
}

/// A sample that the host had queued in time, as far as the longest wait allows; `prepare` comes before each
/// attempt. Pageable copies are never queued ahead.
template <class Prepare, class Launch>
Outcome timeAhead(CudaSession& s, const Prepare& prepare, const Launch& launch, CudaSample& sample) {
    bool late = true;
    Outcome outcome;
    while (late && outcome) {
        outcome = prepare();
        if (outcome) {
            outcome = timeOnce(s, launch, sample, late);
        }
        if (s.needs.pageable || s.spinFactor >= mostSpinFactor) {
            break;
        }
        s.spinFactor *= late ? 2 : 1;
    }
    return outcome;
}

/// All nodes of the prepared point.
Outcome replay(const CudaSession& s) {
    if (s.graph != nullptr) {
        return outcomeOf(cudaGraphLaunch(s.graph, s.context.stream), "launching the graph");
    }
    Outcome outcome;
    for (int node = 0; node < s.work.nodes && outcome; ++node) {
        outcome = launchNode(s.context, s.work, s.needs, s.buffers, node);
    }
    return outcome;
}

} // namespace

Outcome takeSamples(CudaSession& s, CudaSampling sampling, int count, CudaSample* out, int& taken) {
    taken = 0;
    if (!s.prepared) {
        return {CudaStatus::InvalidArgument, "no point is prepared"};
    }
    Outcome outcome = outcomeOf(cudaSetDevice(s.device), "choosing the device");
    if (outcome && std::exchange(s.answered, false)) { // what is read back later is a sample's
        outcome = poisonAnswers(s);
    }
    for (int i = 0; i < count && outcome; ++i) {
        if (sampling == CudaSampling::Graph) {
            outcome = timeAhead(
                s, nothing, [&] { return replay(s); }, out[i]);
        } else {
            const auto flush = [&] {
                // Flushes by reading: lines that were written would have to go back to memory while the node
                // runs.
                auto* const chunks = reinterpret_cast<Chunk*>(s.flush);
                const auto count = static_cast<std::int64_t>(s.flushBytes / sizeof(Chunk));
                return outcomeOf(launchRead({chunks, chunks, count}, s.context.device, s.context.stream),
                                 "flushing L2");
            };
            const int node = s.isolatedNode++ % s.work.nodes;
            outcome = timeAhead(
                s, flush, [&] { return launchNode(s.context, s.work, s.needs, s.buffers, node); }, out[i]);
        }
        taken += outcome ? 1 : 0;
    }
    return outcome;
}

Outcome timeEmptyBracket(CudaSession& s, double& us) {
    us = 0;
    Outcome outcome = outcomeOf(cudaSetDevice(s.device), "choosing the device");
    std::vector<double> times;
    for (int i = 0; i < 15 && outcome; ++i) {
        CudaSample sample{};
        outcome = timeAhead(
            s, nothing, [&] { return outcomeOf(launchEmpty(s.context.stream), "launching an empty kernel"); },
            sample);
        times.push_back(sample.timeUs);
    }
    if (outcome) {
        std::nth_element(times.begin(), times.begin() + 7, times.end());
        us = times[7];
    }
    return outcome;
}

} // namespace loadline::gpu
