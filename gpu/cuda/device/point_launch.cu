// The launch of one node of each operation.
#include "gpu/cuda/device/point.cuh"
#include "gpu/cuda/launch/streams.cuh"

#include <cmath>

namespace loadline::gpu {

namespace {

const float* codebookAt(const PointContext& context, int bits) {
    return context.codebooks + ((1 << bits) - 4);
}

template <class Args>
void fillGemm(Args& args, const PointContext& context, const CudaWork& w, const PointBuffers& b, int set) {
    args.codebook = codebookAt(context, w.bits);
    args.x = reinterpret_cast<const std::uint16_t*>(b.x[set]);
    args.y = reinterpret_cast<std::uint16_t*>(b.y[set]);
    args.k = static_cast<int>(w.k);
    args.n = static_cast<int>(w.n);
    args.groups = b.groups;
}

cudaError_t copyBothWays(const PointContext& context, const CudaWork& w, const PointBuffers& b, int copy,
                         int set) {
    const auto bytes = static_cast<std::size_t>(w.bytes);
    cudaError_t error = cudaEventRecord(context.fork, context.stream);
    const auto then = [&](cudaError_t next) { error = error == cudaSuccess ? next : error; };
    then(cudaStreamWaitEvent(context.side, context.fork, 0));
    then(cudaMemcpyAsync(b.y[set], b.hostOut, bytes, cudaMemcpyHostToDevice, context.stream));
    then(cudaMemcpyAsync(b.hostIn, b.weights[copy], bytes, cudaMemcpyDeviceToHost, context.side));
    then(cudaEventRecord(context.join, context.side));
    then(cudaStreamWaitEvent(context.stream, context.join, 0));
    return error;
}

cudaError_t launchKBits(const PointContext& context, const CudaWork& w, const PointNeeds& needs,
                        const PointBuffers& b, int copy, int set) {
    const int rows = needs.assignments > 0 ? needs.rowsPerGroup : w.m;
    switch (w.operation) {
    case CudaOperation::ScalarGemv:
    case CudaOperation::GroupedScalar: {
        ScalarGemvArgs args;
        fillGemm(args, context, w, b, set);
        args.planes = reinterpret_cast<const std::uint32_t*>(b.weights[copy]);
        args.scales = b.scales[copy];
        return launchScalarGemv(w.bits, rows, needs.maxGroups, args, context.stream);
    }
    case CudaOperation::PlaneMma:
    case CudaOperation::GroupedPlaneMma: {
        PlaneMmaArgs args;
        fillGemm(args, context, w, b, set);
        args.planes = reinterpret_cast<const std::uint32_t*>(b.weights[copy]);
        args.scales = b.scales[copy];
        args.partial = b.partial;
        args.arrived = b.arrived;
        args.m = rows;
        return launchPlaneMma(w.bits, rows, needs.maxGroups, args, context.device, context.stream);
    }
    default: {
        SwapAbArgs args;
        fillGemm(args, context, w, b, set);
        args.codes = b.weights[copy];
        args.scales = b.scales[copy];
        args.partial = b.partial;
        args.arrived = b.arrived;
        args.m = rows;
        return launchSwapAb(w.bits, rows, args, context.device, context.stream);
    }
    }
}

cudaError_t launchDequantised(const PointContext& context, const CudaWork& w, const PointBuffers& b, int copy,
                              unsigned char* to) {
    DequantiseArgs args;
    args.planes = reinterpret_cast<const std::uint32_t*>(b.weights[copy]);
    args.scales = b.scales[copy];
    args.codebook = codebookAt(context, w.bits);
    args.weights = reinterpret_cast<Chunk*>(to);
    const bool pair = w.operation == CudaOperation::DequantiseGemm; // its experts lie one after the other
    args.blocks = (pair ? w.experts : 1) * w.n * w.k / blockWeights;
    return launchDequantise(w.bits, args, context.stream);
}

cudaError_t launchAttention(const PointContext& context, const CudaWork& w, const PointNeeds& needs,
                            const PointBuffers& b, int copy, int set) {
    const bool decode = w.operation == CudaOperation::AttentionDecode;
    AttentionArgs args;
    args.q = reinterpret_cast<const std::uint16_t*>(b.x[set]);
    args.k = reinterpret_cast<const std::uint16_t*>(b.weights[copy]);
    args.v = reinterpret_cast<const std::uint16_t*>(b.weights[copy] + needs.weightBytes / 2);
    args.out = reinterpret_cast<std::uint16_t*>(b.y[set]);
    args.partial = reinterpret_cast<float*>(b.scratch);
    args.batch = w.batch;
    args.m = decode ? 1 : w.m;
    args.context = static_cast<int>(w.context);
    args.queryHeads = w.queryHeads;
    args.kvHeads = w.kvHeads;
    args.scale = 1.4426950408889634F / std::sqrt(static_cast<float>(w.headDim));
    if (!decode) {
        return launchAttentionPrefill(w.headDim, args, context.device, context.stream);
    }
    args.splits = attentionSplits(w.batch, w.queryHeads, w.kvHeads, args.context, context.device);
    return launchAttentionDecode(w.headDim, args, context.device, context.stream);
}

} // namespace

Outcome launchNode(const PointContext& context, const CudaWork& w, const PointNeeds& needs,
                   const PointBuffers& b, int node) {
    const int copy = node % static_cast<int>(b.weights.size());
    const int set = node % static_cast<int>(b.x.size());
    const auto bytes = static_cast<std::size_t>(w.bytes);
    const CeilingArgs stream = {reinterpret_cast<const Chunk*>(b.weights[copy]),
                                reinterpret_cast<Chunk*>(b.y[set]), w.bytes / 16};
    switch (w.operation) {
    case CudaOperation::EmptyNode:
        return outcomeOf(launchEmpty(context.stream), "launching an empty kernel");
    case CudaOperation::Read:
        return outcomeOf(launchRead(stream, context.device, context.stream), "launching reads");
    case CudaOperation::Write:
        return outcomeOf(launchWrite(stream, context.device, context.stream), "launching writes");
    case CudaOperation::Copy:
        return outcomeOf(launchCopy(stream, context.device, context.stream), "launching copies");
    case CudaOperation::HostToDevice:
    case CudaOperation::HostToDevicePageable:
        return outcomeOf(cudaMemcpyAsync(b.y[set], b.hostOut, bytes, cudaMemcpyHostToDevice, context.stream),
                         "copying to the device");
    case CudaOperation::DeviceToHost:
    case CudaOperation::DeviceToHostPageable:
        return outcomeOf(
            cudaMemcpyAsync(b.hostIn, b.weights[copy], bytes, cudaMemcpyDeviceToHost, context.stream),
            "copying from the device");
    case CudaOperation::BothWays:
        return outcomeOf(copyBothWays(context, w, b, copy, set), "copying both ways");
    case CudaOperation::GemmFp16:
    case CudaOperation::GemmBf16:
        return context.blas->gemm(b.x[set], b.weights[copy], b.y[set], w.m, w.n, w.k,
                                  w.operation == CudaOperation::GemmBf16, 1);
    case CudaOperation::BatchedGemmFp16:
        return context.blas->gemm(b.x[set], b.weights[copy], b.y[set], w.m, w.n, w.k, false, w.experts);
    case CudaOperation::Dequantise:
        return outcomeOf(launchDequantised(context, w, b, copy, b.y[set]), "launching dequantise");
    case CudaOperation::DequantiseGemm: {
        Outcome outcome =
            outcomeOf(launchDequantised(context, w, b, copy, b.scratch), "launching dequantise");
        return outcome ? context.blas->gemm(b.x[set], b.scratch, b.y[set], w.m, w.n, w.k, false, w.experts)
                       : outcome;
    }
    case CudaOperation::AttentionDecode:
    case CudaOperation::AttentionPrefill:
        return outcomeOf(launchAttention(context, w, needs, b, copy, set), "launching attention");
    case CudaOperation::MoeRoute:
        return outcomeOf(launchMoeRoute(b.route, context.stream), "launching the routing");
    default:
        return outcomeOf(launchKBits(context, w, needs, b, copy, set), "launching a k-bit kernel");
    }
}

} // namespace loadline::gpu
