// One launch on the host's inputs, its output poisoned and guarded.
#include "gpu/cuda/device/session.cuh"

#include <cstring>

namespace loadline::gpu {

namespace {

constexpr std::int64_t guardBytes = 256;

Outcome copyIn(const CudaSession& s, unsigned char* to, const void* from, std::int64_t bytes,
               std::int64_t needed, const char* what) {
    if (bytes != needed) {
        return {CudaStatus::InvalidArgument, std::string(what) + ": " + std::to_string(bytes) +
                                                 " bytes given, " + std::to_string(needed) + " needed"};
    }
    if (bytes == 0) {
        return {};
    }
    return outcomeOf(
        cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes), cudaMemcpyHostToDevice, s.context.stream),
        what);
}

} // namespace

Outcome checkOnce(CudaSession& s, const CudaWork& work, const CudaCheck& data) {
    CudaWork once = work;
    once.copies = once.activationSets = once.nodes = 1;
    Outcome outcome = placePoint(s, once, 1, 1);
    if (!outcome) {
        return outcome;
    }
    unsigned char* guarded = nullptr;
    const auto guardedBytes = static_cast<std::size_t>(s.needs.yBytes + 2 * guardBytes);
    outcome = outcomeOf(cudaMalloc(&guarded, guardedBytes), "room for the output");
    if (outcome) {
        s.buffers.y[0] = guarded + guardBytes;
        outcome = outcomeOf(cudaMemsetAsync(guarded, answerPoison, guardedBytes, s.context.stream),
                            "poisoning the output");
    }
    if (outcome) {
        outcome =
            copyIn(s, s.buffers.weights[0], data.weights, data.weightBytes, s.needs.weightBytes, "weights");
    }
    if (outcome) {
        outcome = copyIn(s, s.buffers.scales[0], data.scales, data.scaleBytes, s.needs.scaleBytes, "scales");
    }
    if (outcome) {
        outcome = copyIn(s, s.buffers.x[0], data.x, data.xBytes, s.needs.xBytes, "x");
    }
    if (outcome) {
        outcome = routeRows(s, once, data.choices);
    }
    if (outcome) {
        outcome = placeKeys(s, once, data.kvTable, data.lengths);
    }
    if (outcome && data.yBytes != s.needs.yBytes) {
        outcome = {CudaStatus::InvalidArgument, "y: " + std::to_string(s.needs.yBytes) + " bytes needed"};
    }
    if (outcome) {
        outcome = launchNode(s.context, once, s.needs, s.buffers, 0);
    }
    std::vector<unsigned char> all(guardedBytes);
    if (outcome) {
        outcome = outcomeOf(
            cudaMemcpyAsync(all.data(), guarded, guardedBytes, cudaMemcpyDeviceToHost, s.context.stream),
            "copying the output");
    }
    if (outcome) {
        outcome = outcomeOf(cudaStreamSynchronize(s.context.stream), "running the check");
    }
    cudaFree(guarded);
    s.buffers.y[0] = nullptr;
    if (!outcome) {
        return outcome;
    }
    std::memcpy(data.y, all.data() + guardBytes, static_cast<std::size_t>(data.yBytes));
    for (std::int64_t i = 0; i < guardBytes; ++i) {
        if (all[static_cast<std::size_t>(i)] != answerPoison ||
            all[guardedBytes - 1 - static_cast<std::size_t>(i)] != answerPoison) {
            return {CudaStatus::GuardsBroken, s.needs.kernel + " wrote outside its output"};
        }
    }
    return {};
}

} // namespace loadline::gpu
