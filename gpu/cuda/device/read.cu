// What the launches of a point have left on the device, read back.
#include "gpu/cuda/device/session.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

/// The buffer's places and the bytes of each; none where there is no such buffer.
const std::vector<unsigned char*>* placesOf(const CudaSession& s, CudaBuffer buffer, std::int64_t& bytes) {
    switch (buffer) {
    case CudaBuffer::Weights:
        bytes = s.needs.weightBytes;
        return &s.buffers.weights;
    case CudaBuffer::Scales:
        bytes = s.needs.scaleBytes;
        return &s.buffers.scales;
    case CudaBuffer::X:
        bytes = s.needs.xBytes;
        return &s.buffers.x;
    case CudaBuffer::Y:
        bytes = s.needs.yBytes;
        return &s.buffers.y;
    }
    return nullptr;
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
    std::int64_t there = 0;
    const std::vector<unsigned char*>* const places = placesOf(s, buffer, there);
    if (!s.prepared || places == nullptr) {
        return {CudaStatus::InvalidArgument, "no point is prepared, or it has no such buffer"};
    }
    if (index < 0 || index >= static_cast<int>(places->size()) || offset < 0 || bytes < 0 ||
        bytes > there - offset) {
        return {CudaStatus::InvalidArgument, "the buffer ends before what is to be read of it"};
    }
    if (bytes == 0) {
        return {};
    }
    Outcome outcome = outcomeOf(cudaSetDevice(s.device), "choosing the device");
    if (outcome) {
        outcome = outcomeOf(cudaMemcpyAsync(to, (*places)[static_cast<std::size_t>(index)] + offset,
                                            static_cast<std::size_t>(bytes), cudaMemcpyDeviceToHost,
                                            s.context.stream),
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
