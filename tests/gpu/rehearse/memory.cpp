// Memory of the made-up runtime: allocations between guard zones, copies and fillings by the stream's order.
#include "tests/gpu/rehearse/machine.h"

#include <cstring>

namespace loadline::gpu::rehearse {

namespace {

constexpr double copyBytesPerUs = 50e3;
constexpr double fillBytesPerUs = 2e6;
constexpr std::size_t alignment = 256;

cudaError_t allocate(Machine& m, void** at, std::size_t bytes, int device) {
    *at = nullptr;
    ++m.counts.allocations;
    if (m.stage.allocationThatFails > 0 && --m.stage.allocationThatFails == 0) {
        return cudaErrorMemoryAllocation;
    }
    if (bytes == 0) {
        return cudaSuccess;
    }
    if (device >= 0 &&
        m.usedBytes(device) + static_cast<std::int64_t>(bytes) > m.device(device).memoryBytes) {
        return cudaErrorMemoryAllocation;
    }
    Allocation allocation;
    allocation.memory.reset(new unsigned char[bytes + 2 * guardBytes + alignment]);
    const auto place = reinterpret_cast<std::uintptr_t>(allocation.memory.get()) + guardBytes;
    allocation.begin = allocation.memory.get() + guardBytes + (alignment - place % alignment) % alignment;
    allocation.bytes = bytes;
    allocation.device = device;
    std::memset(allocation.begin - guardBytes, 0xa5, guardBytes);
    std::memset(allocation.begin + bytes, 0xa5, guardBytes);
    if (static_cast<std::int64_t>(bytes) <= mostMovedBytes) {
        std::memset(allocation.begin, 0xdb, bytes); // whoever counts on zeroes is found out
    }
    *at = allocation.begin;
    m.allocations.emplace(allocation.begin, std::move(allocation));
    return cudaSuccess;
}

cudaError_t release(Machine& m, void* at, bool ofHost, const char* name) {
    const auto found = m.allocations.find(static_cast<unsigned char*>(at));
    if (found == m.allocations.end() || (found->second.device < 0) != ofHost) {
        m.breaks(std::string(name) + " of what was not allocated so, or is free already");
        return cudaErrorInvalidValue;
    }
    for (std::size_t i = 0; i < m.stage.devices.size(); ++i) {
        m.drainDevice(static_cast<int>(i)); // freeing waits
    }
    m.checkGuards(found->second);
    m.allocations.erase(found);
    return cudaSuccess;
}

/// "" or why these bytes cannot be copied so.
std::string wrongWithCopy(const Machine& m, const void* to, const void* from, std::size_t bytes,
                          cudaMemcpyKind kind) {
    if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToHost) {
        return "a kind of copy that is not rehearsed";
    }
    const bool in = kind == cudaMemcpyHostToDevice;
    if (std::string wrong = m.wrongWith(in ? to : from, bytes, 1, m.current); !wrong.empty()) {
        return "the device's end " + wrong;
    }
    const Allocation* const host = m.holding(in ? from : to, 1);
    if (host != nullptr && (host->device >= 0 || m.holding(in ? from : to, bytes) == nullptr)) {
        return host->device >= 0 ? "the host's end is a device's" : "the host's end leaves its allocation";
    }
    return "";
}

void move(void* to, const void* from, std::size_t bytes) {
    if (static_cast<std::int64_t>(bytes) <= mostMovedBytes) {
        std::memcpy(to, from, bytes);
    }
}

} // namespace

} // namespace loadline::gpu::rehearse

using namespace loadline::gpu::rehearse;

extern "C" {

cudaError_t cudaMalloc(void** at, std::size_t bytes) {
    return callOutsideCaptures("cudaMalloc", [&](Machine& m) { return allocate(m, at, bytes, m.current); });
}

cudaError_t cudaHostAlloc(void** at, std::size_t bytes, unsigned) {
    return callOutsideCaptures("cudaHostAlloc", [&](Machine& m) { return allocate(m, at, bytes, -1); });
}

cudaError_t cudaFree(void* at) {
    return callOutsideCaptures("cudaFree", [&](Machine& m) {
        return at == nullptr ? cudaSuccess : release(m, at, false, "cudaFree");
    });
}

/// Strict: nothing says that the runtime takes no pointer.
cudaError_t cudaFreeHost(void* at) {
    return callOutsideCaptures("cudaFreeHost",
                               [&](Machine& m) { return release(m, at, true, "cudaFreeHost"); });
}

cudaError_t cudaMemGetInfo(std::size_t* freeBytes, std::size_t* totalBytes) {
    return call([&](Machine& m) {
        *totalBytes = static_cast<std::size_t>(m.device(m.current).memoryBytes);
        *freeBytes = *totalBytes - static_cast<std::size_t>(m.usedBytes(m.current));
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    return callOutsideCaptures("cudaMemcpy", [&](Machine& m) {
        if (std::string wrong = wrongWithCopy(m, to, from, bytes, kind); !wrong.empty()) {
            m.breaks("cudaMemcpy: " + wrong);
            return cudaErrorInvalidValue;
        }
        move(to, from, bytes); // the plugin's streams do not wait for the default one
        m.hostUs += static_cast<double>(bytes) / copyBytesPerUs;
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    return call([&](Machine& m) {
        if (std::string wrong = wrongWithCopy(m, to, from, bytes, kind); !wrong.empty()) {
            m.breaks("cudaMemcpyAsync: " + wrong);
            return cudaErrorInvalidValue;
        }
        const bool in = kind == cudaMemcpyHostToDevice;
        const bool pinned = m.holding(in ? from : to, bytes) != nullptr;
        Work work{"a copy", 1 + static_cast<double>(bytes) / copyBytesPerUs, {}, {}, false, 0};
        if (pinned) {
            work.run = [=](double) { move(to, from, bytes); };
            return m.queue(stream, std::move(work));
        }
        if (m.capturing != nullptr && (stream == m.capturing || stream->joined)) {
            m.breaks("a copy of memory that is not pinned is captured");
            return cudaErrorStreamCaptureUnsupported;
        }
        if (in &&
            static_cast<std::int64_t>(bytes) <= mostMovedBytes) { // the source can be used again at once
            const auto* const begin = static_cast<const unsigned char*>(from);
            auto staged = std::make_shared<std::vector<unsigned char>>(begin, begin + bytes);
            work.run = [=](double) { move(to, staged->data(), bytes); };
        } else {
            work.run = [=](double) { move(to, from, bytes); };
        }
        const cudaError_t error = m.queue(stream, std::move(work));
        if (error == cudaSuccess && (!in || static_cast<std::int64_t>(bytes) > mostMovedBytes)) {
            m.drain(*stream); // returns when it is done
            m.hostUs = std::max(m.hostUs, stream->us);
        }
        return error == cudaSuccess ? m.sticky : error;
    });
}

cudaError_t cudaMemsetAsync(void* at, int value, std::size_t bytes, cudaStream_t stream) {
    return call([&](Machine& m) {
        if (std::string wrong = m.wrongWith(at, bytes, 1, m.current); !wrong.empty()) {
            m.breaks("cudaMemsetAsync: memory " + wrong);
            return cudaErrorInvalidValue;
        }
        Work work{"a filling", 1 + static_cast<double>(bytes) / fillBytesPerUs, {}, {}, false, 0};
        if (static_cast<std::int64_t>(bytes) <= mostMovedBytes) {
            work.run = [=](double) { std::memset(at, value, bytes); };
        }
        return m.queue(stream, std::move(work));
    });
}

} // extern "C"
