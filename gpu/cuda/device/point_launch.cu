// The launch of one node of each operation.
#include "gpu/cuda/device/point.cuh"
#include "gpu/cuda/launch/streams.cuh"

#include <cmath>

namespace loadline::gpu {

namespace {

const float* codebookAt(const PointContext& context, int bits) {
    return context.codebooks + ((1 << bits) - 4);
}

/// One node of a point.
struct Node {
    const PointContext& context;
    const CudaWork& w;
    const PointNeeds& needs;
    const PointBuffers& b;
    int copy;
    int set;
    int rows;          ///< of k-bit kernels
    std::size_t bytes; ///< of ceilings
    CeilingArgs stream;
};

Outcome copyIn(const Node& node) {
    return outcomeOf(cudaMemcpyAsync(node.b.y[node.set], node.b.hostOut, node.bytes, cudaMemcpyHostToDevice,
                                     node.context.stream),
                     "copying to the device");
}

Outcome copyOut(const Node& node) {
    return outcomeOf(cudaMemcpyAsync(node.b.hostIn, node.b.weights[node.copy], node.bytes,
                                     cudaMemcpyDeviceToHost, node.context.stream),
                     "copying from the device");
}

Outcome copyBothWays(const Node& node) {
    const PointContext& context = node.context;
    cudaError_t error = cudaEventRecord(context.fork, context.stream);
    const auto then = [&](cudaError_t next) { error = error == cudaSuccess ? next : error; };
    then(cudaStreamWaitEvent(context.side, context.fork, 0));
    then(cudaMemcpyAsync(node.b.y[node.set], node.b.hostOut, node.bytes, cudaMemcpyHostToDevice,
                         context.stream));
    then(cudaMemcpyAsync(node.b.hostIn, node.b.weights[node.copy], node.bytes, cudaMemcpyDeviceToHost,
                         context.side));
    then(cudaEventRecord(context.join, context.side));
    then(cudaStreamWaitEvent(context.stream, context.join, 0));
    return outcomeOf(error, "copying both ways");
}

Outcome gemm(const Node& node) {
    const CudaWork& w = node.w;
    const int batch = w.operation == CudaOperation::BatchedGemmFp16 ? w.experts : 1;
    return node.context.blas->gemm(node.b.x[node.set], node.b.weights[node.copy], node.b.y[node.set], w.m,
                                   w.n, w.k, w.operation == CudaOperation::GemmBf16, batch);
}

template <class Args>
Args gemmArgs(const Node& node) {
    Args args;
    args.codebook = codebookAt(node.context, node.w.bits);
    args.scales = node.b.scales[node.copy];
    args.x = reinterpret_cast<const std::uint16_t*>(node.b.x[node.set]);
    args.y = reinterpret_cast<std::uint16_t*>(node.b.y[node.set]);
    args.k = static_cast<int>(node.w.k);
    args.n = static_cast<int>(node.w.n);
    args.groups = node.b.groups;
    return args;
}

Outcome scalarGemv(const Node& node) {
    auto args = gemmArgs<ScalarGemvArgs>(node);
    args.planes = reinterpret_cast<const std::uint32_t*>(node.b.weights[node.copy]);
    return outcomeOf(
        launchScalarGemv(node.w.bits, node.rows, node.needs.maxGroups, args, node.context.stream),
        "launching a k-bit kernel");
}

Outcome planeMma(const Node& node) {
    auto args = gemmArgs<PlaneMmaArgs>(node);
    args.planes = reinterpret_cast<const std::uint32_t*>(node.b.weights[node.copy]);
    args.partial = node.b.partial;
    args.arrived = node.b.arrived;
    args.m = node.rows;
    return outcomeOf(launchPlaneMma(node.w.bits, node.rows, node.needs.maxGroups, args,
                                    deviceFor(node.context.device, node.w), node.context.stream),
                     "launching a k-bit kernel");
}

Outcome swapAb(const Node& node) {
    auto args = gemmArgs<SwapAbArgs>(node);
    args.codes = node.b.weights[node.copy];
    args.partial = node.b.partial;
    args.arrived = node.b.arrived;
    args.m = node.rows;
    return outcomeOf(launchSwapAb(node.w.bits, node.rows, args, deviceFor(node.context.device, node.w),
                                  node.context.stream),
                     "launching a k-bit kernel");
}

Outcome dequantiseTo(const Node& node, unsigned char* to, int experts) {
    DequantiseArgs args;
    args.planes = reinterpret_cast<const std::uint32_t*>(node.b.weights[node.copy]);
    args.scales = node.b.scales[node.copy];
    args.codebook = codebookAt(node.context, node.w.bits);
    args.weights = reinterpret_cast<Chunk*>(to);
    args.blocks = experts * node.w.n * node.w.k / blockWeights;
    return outcomeOf(launchDequantise(node.w.bits, args, node.context.stream), "launching dequantise");
}

Outcome dequantiseGemm(const Node& node) { // experts lie one after the other
    const CudaWork& w = node.w;
    const Outcome outcome = dequantiseTo(node, node.b.scratch, w.experts);
    return outcome ? node.context.blas->gemm(node.b.x[node.set], node.b.scratch, node.b.y[node.set], w.m, w.n,
                                             w.k, false, w.experts)
                   : outcome;
}

AttentionArgs attentionArgs(const Node& node) {
    const CudaWork& w = node.w;
    AttentionArgs args;
    args.q = reinterpret_cast<const std::uint16_t*>(node.b.x[node.set]);
    args.k = reinterpret_cast<const std::uint16_t*>(node.b.weights[node.copy]);
    args.v = reinterpret_cast<const std::uint16_t*>(node.b.weights[node.copy] + node.needs.weightBytes / 2);
    args.out = reinterpret_cast<std::uint16_t*>(node.b.y[node.set]);
    args.partial = reinterpret_cast<float*>(node.b.scratch);
    args.blocks = node.b.kvTable;
    args.lengths = node.b.lengths;
    args.batch = w.batch;
    args.m = w.m;
    args.tableStride = node.needs.kvBlocks / w.batch;
    args.queryHeads = w.queryHeads;
    args.kvHeads = w.kvHeads;
    args.scale = 1.4426950408889634F / std::sqrt(static_cast<float>(w.headDim));
    return args;
}

Outcome attentionDecode(const Node& node) {
    const CudaWork& w = node.w;
    AttentionArgs args = attentionArgs(node);
    args.m = 1;
    args.splits = attentionSplits(w.batch, w.queryHeads, w.kvHeads, static_cast<int>(w.context),
                                  deviceFor(node.context.device, w));
    return outcomeOf(launchAttentionDecode(w.headDim, args, node.context.device, node.context.stream),
                     "launching attention");
}

Outcome attentionPrefill(const Node& node) {
    return outcomeOf(
        launchAttentionPrefill(node.w.headDim, attentionArgs(node), node.context.device, node.context.stream),
        "launching attention");
}

struct Launch {
    CudaOperation operation;
    Outcome (*launch)(const Node&);
};

constexpr Launch launches[] = {
    {CudaOperation::EmptyNode,
     [](const Node& node) {
         return outcomeOf(launchEmpty(node.context.stream), "launching an empty kernel");
     }},
    {CudaOperation::Read,
     [](const Node& node) {
         return outcomeOf(launchRead(node.stream, node.context.device, node.context.stream),
                          "launching reads");
     }},
    {CudaOperation::Write,
     [](const Node& node) {
         return outcomeOf(launchWrite(node.stream, node.context.device, node.context.stream),
                          "launching writes");
     }},
    {CudaOperation::Copy,
     [](const Node& node) {
         return outcomeOf(launchCopy(node.stream, node.context.device, node.context.stream),
                          "launching copies");
     }},
    {CudaOperation::HostToDevice, copyIn},
    {CudaOperation::HostToDevicePageable, copyIn},
    {CudaOperation::DeviceToHost, copyOut},
    {CudaOperation::DeviceToHostPageable, copyOut},
    {CudaOperation::BothWays, copyBothWays},
    {CudaOperation::GemmFp16, gemm},
    {CudaOperation::GemmBf16, gemm},
    {CudaOperation::BatchedGemmFp16, gemm},
    {CudaOperation::ScalarGemv, scalarGemv},
    {CudaOperation::GroupedScalar, scalarGemv},
    {CudaOperation::PlaneMma, planeMma},
    {CudaOperation::GroupedPlaneMma, planeMma},
    {CudaOperation::SwapAb, swapAb},
    {CudaOperation::GroupedSwapAb, swapAb},
    {CudaOperation::Dequantise, [](const Node& node) { return dequantiseTo(node, node.b.y[node.set], 1); }},
    {CudaOperation::DequantiseGemm, dequantiseGemm},
    {CudaOperation::MoeRoute,
     [](const Node& node) {
         return outcomeOf(launchMoeRoute(node.b.route, node.context.stream), "launching the routing");
     }},
    {CudaOperation::AttentionDecode, attentionDecode},
    {CudaOperation::AttentionPrefill, attentionPrefill},
};

} // namespace

Outcome launchNode(const PointContext& context, const CudaWork& w, const PointNeeds& needs,
                   const PointBuffers& b, int node) {
    const int copy = node % static_cast<int>(b.weights.size());
    const int set = node % static_cast<int>(b.x.size());
    const Node one = {
        context,
        w,
        needs,
        b,
        copy,
        set,
        needs.assignments > 0 ? needs.rowsPerGroup : w.m,
        static_cast<std::size_t>(w.bytes),
        {reinterpret_cast<const Chunk*>(b.weights[copy]), reinterpret_cast<Chunk*>(b.y[set]), w.bytes / 16}};
    for (const Launch& launch : launches) {
        if (launch.operation == w.operation) {
            return launch.launch(one);
        }
    }
    return {CudaStatus::NotSupported, "there is no such operation"};
}

} // namespace loadline::gpu
