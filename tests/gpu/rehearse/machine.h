// The made-up runtime's state, and the rules that every call keeps.
#pragma once

#include "tests/gpu/rehearse/stage.h"

#include <cuda_runtime_api.h>

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>

struct CUstream_st;
struct CUevent_st;
struct CUgraph_st;
struct CUgraphExec_st;

namespace loadline::gpu::rehearse {

/// Bytes on each side of an allocation that nobody may write to.
inline constexpr std::size_t guardBytes = 256;
/// More than this is range-checked and takes its time, but is not moved or computed.
inline constexpr std::int64_t mostMovedBytes = 16 << 20;

struct Allocation {
    unsigned char* begin = nullptr; ///< what the plugin sees
    std::size_t bytes = 0;
    int device = 0; ///< -1: pinned memory of the host
    std::unique_ptr<unsigned char[]> memory;
};

/// Work of a stream.
struct Work {
    std::string name;
    double us = 0;                              ///< it takes
    std::function<void(double nowUs)> run;      ///< may be empty
    std::function<void(CUstream_st&)> onStream; ///< events: moves the stream's time
    bool isKernel = false;
    double queuedUs = 0;
};

struct Machine {
    Stage stage;
    std::vector<std::string> broken;
    std::vector<SeenLaunch> launches;
    Counts counts;

    std::map<const unsigned char*, Allocation> allocations;
    std::set<CUstream_st*> streams;
    std::set<CUevent_st*> events;
    std::set<CUgraph_st*> graphs;
    std::set<CUgraphExec_st*> executables;

    double hostUs = 0;
    int current = 0; ///< device
    cudaError_t last = cudaSuccess;
    cudaError_t sticky = cudaSuccess;
    CUstream_st* capturing = nullptr; ///< the stream where the capture began
    bool replaying = false;

    void breaks(const std::string& sentence) { broken.push_back(sentence); }
    /// A fault that stays.
    void fault(cudaError_t error) { sticky = sticky == cudaSuccess ? error : sticky; }
    [[nodiscard]] const StagedDevice& device(int index) const {
        return stage.devices.at(static_cast<std::size_t>(index));
    }
    [[nodiscard]] std::int64_t usedBytes(int onDevice) const;
    /// The allocation that [at, at + bytes) lies in, or nullptr.
    [[nodiscard]] const Allocation* holding(const void* at, std::size_t bytes) const;
    /// "" or what is wrong with a device pointer that bytes from it on are used.
    [[nodiscard]] std::string wrongWith(const void* at, std::size_t bytes, std::size_t alignment,
                                        int onDevice) const;
    void checkGuards(const Allocation& allocation);
    /// Queues work, or captures it; false with a rule broken where it may not be.
    cudaError_t queue(CUstream_st* stream, Work work);
    void drain(CUstream_st& stream);
    void drainDevice(int onDevice);
};

Machine& machine();

/// A call of the runtime's: time passes, faults that stay are told again, errors are remembered.
template <class Body>
cudaError_t call(const Body& body) {
    Machine& m = machine();
    m.hostUs += 1;
    cudaError_t error = m.sticky;
    if (error == cudaSuccess) {
        error = m.stage.driverCuda == 0   ? cudaErrorInsufficientDriver
                : m.stage.devices.empty() ? cudaErrorNoDevice
                                          : body(m);
    }
    if (error != cudaSuccess) {
        m.last = error;
    }
    return error;
}

/// The same for calls that may not be made while anything is captured.
template <class Body>
cudaError_t callOutsideCaptures(const char* name, const Body& body) {
    return call([&](Machine& m) {
        if (m.capturing != nullptr) {
            m.breaks(std::string(name) + " while a stream is captured");
            return cudaErrorStreamCaptureUnsupported;
        }
        return body(m);
    });
}

} // namespace loadline::gpu::rehearse

struct CUevent_st {
    bool timed = true;
    int device = 0;
    unsigned recorded = 0; ///< how often it was asked for
    unsigned done = 0;
    double us = 0;
    CUstream_st* by = nullptr; ///< the stream of the last record
    bool captured = false;     ///< recorded in a capture
};

struct CUgraph_st {
    std::vector<loadline::gpu::rehearse::Work> nodes;
};

struct CUgraphExec_st {
    std::vector<loadline::gpu::rehearse::Work> nodes;
    int uploads = 0;
    int replays = 0;
};

struct CUstream_st {
    int device = 0;
    double us = 0; ///< when its last work ended
    std::deque<loadline::gpu::rehearse::Work> queue;
    std::unique_ptr<CUgraph_st> capture; ///< of the stream where it began
    bool joined = false;                 ///< part of a capture that began elsewhere
    bool unjoined = false;               ///< with work that nobody has waited for
};
