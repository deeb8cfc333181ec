// Reads a point's buffers and shared sums back from the device.
#include "gpu/cuda/device/session.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

/// A buffer's address and bytes; 0 bytes: the point has no such buffer.
struct Place {
    const unsigned char* at = nullptr;
    std::int64_t bytes = 0;
};

Place placeOf(const CudaSession& s, CudaBuffer buffer, int index) {
    const auto at = [&](const std::vector<unsigned char*>& places, std::int64_t bytes) -> Place {
        if (index < 0 || index >= static_cast<int>(places.size())) {
            return {};
        }
        return {places[static_cast<std::size_t>(index)], bytes};
    };
    switch (buffer) {
    case CudaBuffer::Weights:
        return at(s.buffers.weights, s.needs.weightBytes);
    case CudaBuffer::Scales:
        return at(s.buffers.scales, s.needs.scaleBytes);
    case CudaBuffer::X:
        return at(s.buffers.x, s.needs.xBytes);
    case CudaBuffer::Y:
        return at(s.buffers.y, s.needs.yBytes);
    case CudaBuffer::KvTable:
        return at({reinterpret_cast<unsigned char*>(s.buffers.kvTable)}, std::int64_t{4} * s.needs.kvBlocks);
    }
    return {};
}

} // namespace

Outcome poisonAnswers(CudaSession& s) {
    Outcome outcome;
    for (unsigned char* y : s.buffers.y) {
        if (outcome && s.needs.answers) {
            outcome = outcomeOf(
                cudaMemsetAsync(y, answerPoison, static_cast<std::size_t>(s.needs.yBytes), s.context.stream),
                "poisoning the output");
        }
    }
    return outcome;
}

Outcome readBack(CudaSession& s, CudaBuffer buffer, int index, std::int64_t offset, std::int64_t bytes,
                 void* to) {
    if (!s.prepared) {
        return {CudaStatus::InvalidArgument, "no point is prepared"};
    }
    const Place place = placeOf(s, buffer, index);
    if (offset < 0 || bytes < 0 || bytes > place.bytes - offset) {
        return {CudaStatus::InvalidArgument, "the buffer ends before what is to be read of it"};
    }
    if (bytes == 0) {
        return {};
    }
    Outcome outcome = outcomeOf(cudaSetDevice(s.device), "choosing the device");
    if (outcome) {
        outcome = outcomeOf(cudaMemcpyAsync(to, place.at + offset, static_cast<std::size_t>(bytes),
                                            cudaMemcpyDeviceToHost, s.context.stream),
                            "reading back");
    }
    return outcome ? outcomeOf(cudaStreamSynchronize(s.context.stream), "reading back") : outcome;
}

Outcome countSumsLeft(CudaSession& s, std::int64_t& words) {
    words = 0;
    Outcome outcome;
    const auto count = [&](const void* from, std::int64_t size) {
        if (from == nullptr || !outcome) {
            return;
        }
        std::vector<std::uint32_t> all(static_cast<std::size_t>(size));
        outcome = outcomeOf(
            cudaMemcpyAsync(all.data(), from, all.size() * 4, cudaMemcpyDeviceToHost, s.context.stream),
            "reading sums back");
        if (outcome) {
            outcome = outcomeOf(cudaStreamSynchronize(s.context.stream), "reading sums back");
        }
        words += static_cast<std::int64_t>(all.size()) - std::count(all.begin(), all.end(), 0U);
    };
    count(s.buffers.partial, s.needs.workspace.partials);
    count(s.buffers.arrived, s.needs.workspace.counters);
    return outcome;
}

} // namespace loadline::gpu
