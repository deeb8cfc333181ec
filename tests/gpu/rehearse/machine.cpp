// Keeps the rules: ranges, guard zones, the order of streams, what is left behind.
#include "tests/gpu/rehearse/machine.h"

#include <cstdio>
#include <cstdlib>

namespace loadline::gpu::rehearse {

namespace {

constexpr unsigned char guardByte = 0xa5;

} // namespace

/// For programs that know nothing of stages: LOADLINE_REHEARSED_DEVICE is "H100 132", a device and how many
/// multiprocessors it has, and LOADLINE_REHEARSED_PTXAS_LOGS its Stage::ptxasLogs. At the program's end what
/// was broken or left behind is printed, and fails it.
class StageOfEnvironment {
public:
    explicit StageOfEnvironment(Machine& machine) : machine_(machine) {
        const char* const asked = std::getenv("LOADLINE_REHEARSED_DEVICE");
        if (asked == nullptr) {
            return;
        }
        const std::string name = asked;
        const std::size_t space = name.find(' ');
        for (const StagedDevice& device : {h100(), rtx4090(), rtx3050()}) {
            if (device.name.find(name.substr(0, space)) != std::string::npos) {
                machine.stage.devices = {cut(device, std::atoi(name.c_str() + space))};
                machine.stage.devices[0].name += " (rehearsed)"; // whatever is kept of it says so
            }
        }
        const char* const logs = std::getenv("LOADLINE_REHEARSED_PTXAS_LOGS");
        machine.stage.ptxasLogs = logs == nullptr ? "" : logs;
        machine.stage.replaysCompute = false;
    }
    ~StageOfEnvironment() {
        if (std::getenv("LOADLINE_REHEARSED_DEVICE") == nullptr) {
            return;
        }
        bool right = true;
        for (const auto& sentences : {machine_.broken, leftBehind()}) {
            for (const std::string& sentence : sentences) {
                std::fprintf(stderr, "rehearsal: %s\n", sentence.c_str());
                right = false;
            }
        }
        if (!right) {
            std::_Exit(1);
        }
    }
    StageOfEnvironment(const StageOfEnvironment&) = delete;
    StageOfEnvironment& operator=(const StageOfEnvironment&) = delete;

private:
    Machine& machine_;
};

Machine& machine() {
    static Machine machine;
    static const StageOfEnvironment stage(machine);
    return machine;
}

StagedDevice h100() {
    return {"NVIDIA H100 80GB HBM3", 9,    0,    132, 232448, 233472, 2048, 32, 50 << 20,
            std::int64_t{80} << 30,  5120, 1980, 2619};
}

StagedDevice rtx4090() {
    return {"NVIDIA GeForce RTX 4090", 8,   9,    128,  101376, 102400, 1536, 24, 72 << 20,
            std::int64_t{24} << 30,    384, 2520, 10501};
}

StagedDevice rtx3050() {
    return {"NVIDIA GeForce RTX 3050", 8,   6,    20,  101376, 102400, 1536, 16, 2 << 20,
            std::int64_t{4} << 30,     128, 1777, 7001};
}

StagedDevice cut(StagedDevice device, int multiprocessors) {
    device.multiprocessors = multiprocessors;
    return device;
}

void begin(const Stage& stage) {
    Machine& m = machine();
    m.allocations.clear();
    for (CUstream_st* stream : m.streams) {
        delete stream;
    }
    for (CUevent_st* event : m.events) {
        delete event;
    }
    for (CUgraph_st* graph : m.graphs) {
        delete graph;
    }
    for (CUgraphExec_st* executable : m.executables) {
        delete executable;
    }
    m = Machine{};
    m.stage = stage;
}

Stage& stage() {
    return machine().stage;
}

std::vector<std::string> broken() {
    return machine().broken;
}

std::vector<std::string> leftBehind() {
    const Machine& m = machine();
    std::vector<std::string> all;
    for (const auto& [at, allocation] : m.allocations) {
        all.push_back(std::to_string(allocation.bytes) + " bytes of " +
                      (allocation.device < 0 ? "pinned memory" : "device memory"));
    }
    const auto add = [&](std::size_t count, const char* what) {
        if (count != 0) {
            all.push_back(std::to_string(count) + " " + what);
        }
    };
    add(m.streams.size(), "streams");
    add(m.events.size(), "events");
    add(m.graphs.size(), "graphs");
    add(m.executables.size(), "instantiated graphs");
    return all;
}

const std::vector<SeenLaunch>& launches() {
    return machine().launches;
}

const Counts& counts() {
    return machine().counts;
}

std::int64_t Machine::usedBytes(int onDevice) const {
    std::int64_t used = 0;
    for (const auto& [at, allocation] : allocations) {
        used += allocation.device == onDevice ? static_cast<std::int64_t>(allocation.bytes) : 0;
    }
    return used;
}

const Allocation* Machine::holding(const void* at, std::size_t bytes) const {
    const auto* const place = static_cast<const unsigned char*>(at);
    auto found = allocations.upper_bound(place);
    if (found == allocations.begin()) {
        return nullptr;
    }
    const Allocation& allocation = (--found)->second;
    return place + bytes <= allocation.begin + allocation.bytes ? &allocation : nullptr;
}

std::string Machine::wrongWith(const void* at, std::size_t bytes, std::size_t alignment, int onDevice) const {
    const Allocation* const allocation = holding(at, bytes);
    if (allocation == nullptr) {
        return "is not within memory that is allocated";
    }
    if (allocation->device != onDevice) {
        return allocation->device < 0 ? "is the host's" : "is another device's";
    }
    return reinterpret_cast<std::uintptr_t>(at) % alignment == 0 ? "" : "is misaligned";
}

void Machine::checkGuards(const Allocation& allocation) {
    for (std::size_t i = 0; i < guardBytes; ++i) {
        if (allocation.begin[-1 - static_cast<std::ptrdiff_t>(i)] != guardByte ||
            allocation.begin[allocation.bytes + i] != guardByte) {
            breaks("memory outside an allocation of " + std::to_string(allocation.bytes) +
                   " bytes was written to");
            return;
        }
    }
}

cudaError_t Machine::queue(CUstream_st* stream, Work work) {
    if (streams.count(stream) == 0) {
        breaks(work.name + " on a stream that is not there");
        return cudaErrorInvalidResourceHandle;
    }
    if (stream->device != current) {
        breaks(work.name + " on a stream of another device than the one chosen");
        return cudaErrorInvalidResourceHandle;
    }
    if (capturing != nullptr && (stream == capturing || stream->joined)) {
        stream->unjoined = stream != capturing;
        capturing->capture->nodes.push_back(std::move(work));
        return cudaSuccess;
    }
    work.queuedUs = hostUs;
    stream->queue.push_back(std::move(work));
    return cudaSuccess;
}

void Machine::drain(CUstream_st& stream) {
    while (!stream.queue.empty() && sticky == cudaSuccess) {
        const Work work = std::move(stream.queue.front());
        stream.queue.pop_front();
        stream.us = std::max(stream.us, work.queuedUs);
        if (work.onStream) {
            work.onStream(stream);
        }
        if (work.run) {
            work.run(stream.us);
        }
        stream.us += work.us;
    }
}

void Machine::drainDevice(int onDevice) {
    for (CUstream_st* stream : streams) {
        if (stream->device == onDevice) {
            drain(*stream);
            hostUs = std::max(hostUs, stream->us);
        }
    }
}

} // namespace loadline::gpu::rehearse
