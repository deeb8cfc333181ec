// The simple attention kernels.
#include "gpu/cuda/kernel/attention.cuh"
#include "gpu/cuda/kernel/attention_combine.cuh"
#include "tests/gpu/rehearse/kernels.h"

namespace loadline::gpu::rehearse {

namespace {

std::vector<Touched> touchedBy(const AttentionArgs& a, int headDim, bool partial) {
    const auto head = static_cast<std::size_t>(headDim) * 2;
    const auto sequences = static_cast<std::size_t>(a.batch);
    const std::size_t queries =
        sequences * static_cast<std::size_t>(a.m) * static_cast<std::size_t>(a.queryHeads) * head;
    const std::size_t blocks = sequences * static_cast<std::size_t>(a.tableStride); // as points have them
    const std::size_t keys = blocks * kvBlockTokens * static_cast<std::size_t>(a.kvHeads) * head;
    std::vector<Touched> all = {{a.q, queries, 16, "q"},
                                {a.k, keys, 16, "k"},
                                {a.v, keys, 16, "v"},
                                {a.blocks, blocks * 4, 4, "table of KV blocks"},
                                {a.lengths, sequences * 4, 4, "lengths"},
                                {a.out, queries, 2, "out"}};
    if (partial && a.splits > 1) {
        const auto floats = attentionPartials(a.batch, a.queryHeads, headDim, a.splits);
        all.push_back({a.partial, static_cast<std::size_t>(floats) * 4, 4, "partial"});
    }
    return all;
}

template <int HeadDim, bool Prefill>
void add(std::vector<Kernel>& to) {
    Kernel kernel;
    kernel.name = "attentionKernelI" + mangledNumber(HeadDim) + (Prefill ? "Lb1E" : "Lb0E") + "E";
    kernel.argumentBytes = sizeof(AttentionArgs);
    kernel.touched = [](const KernelCall& call) {
        return touchedBy(argumentsOf<AttentionArgs>(call), HeadDim, !Prefill);
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<AttentionArgs>(call);
        return emulateGrid(
            call, [&](const emulate::EmulatedLane& lane) { attention<HeadDim, Prefill>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

template <int HeadDim>
void addOfHead(std::vector<Kernel>& to) {
    add<HeadDim, false>(to);
    add<HeadDim, true>(to);
    Kernel kernel;
    kernel.name = "combineAttentionKernelI" + mangledNumber(HeadDim) + "E";
    kernel.argumentBytes = sizeof(AttentionArgs);
    kernel.touched = [](const KernelCall& call) {
        return touchedBy(argumentsOf<AttentionArgs>(call), HeadDim, true);
    };
    kernel.run = [](const KernelCall& call) {
        const auto args = argumentsOf<AttentionArgs>(call);
        return emulateGrid(call,
                           [&](const emulate::EmulatedLane& lane) { combineAttention<HeadDim>(lane, args); });
    };
    to.push_back(std::move(kernel));
}

} // namespace

void addAttentionKernels(std::vector<Kernel>& to) {
    addOfHead<64>(to);
    addOfHead<128>(to);
    addOfHead<256>(to);
}

} // namespace loadline::gpu::rehearse
