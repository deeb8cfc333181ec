// Opening a device, and preparing a point on it.
#include "gpu/cuda/device/facts.cuh"
#include "gpu/cuda/device/session.cuh"
#include "gpu/format/codebook.h"
#include "gpu/protocol/permutation.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace loadline::gpu {

namespace {

/// The first failure of a row of calls.
class Steps {
public:
    Steps& then(cudaError_t error, const char* during) {
        if (outcome_) {
            outcome_ = outcomeOf(error, during);
        } else {
            forgetErrors();
        }
        return *this;
    }
    [[nodiscard]] const Outcome& outcome() const { return outcome_; }

private:
    Outcome outcome_;
};

} // namespace

CudaSession::~CudaSession() {
    cudaSetDevice(device);
    if (context.stream != nullptr) {
        cudaStreamSynchronize(context.stream);
    }
    blas.close();
    if (graph != nullptr) {
        cudaGraphExecDestroy(graph);
    }
    for (cudaEvent_t event : {begin, end, context.fork, context.join}) {
        if (event != nullptr) {
            cudaEventDestroy(event);
        }
    }
    cudaFree(clocks);
    cudaFree(flush);
    cudaFree(const_cast<float*>(context.codebooks));
    for (void* memory : {static_cast<void*>(hostClocks), static_cast<void*>(pinned)}) {
        if (memory != nullptr) {
            cudaFreeHost(memory);
        }
    }
    for (cudaStream_t stream : {context.stream, context.side}) {
        if (stream != nullptr) {
            cudaStreamDestroy(stream);
        }
    }
    forgetErrors();
}

Outcome openOn(int device, std::unique_ptr<CudaSession>& session) {
    session = std::make_unique<CudaSession>();
    CudaSession& s = *session;
    s.device = device;
    if (Outcome facts = readDeviceFacts(device, "", s.facts); !facts) {
        return facts;
    }
    if (s.facts.computeMajor < 8) {
        return {CudaStatus::NotSupported, std::string(s.facts.name) +
                                              " is older than compute capability 8.0, which "
                                              "the kernels need (asynchronous copies)"};
    }
    s.context.device.multiprocessors = s.facts.multiprocessors;
    s.context.device.sharedPerBlock = s.facts.sharedPerBlockBytes;
    s.context.device.sharedPerMultiprocessor = sharedPerMultiprocessorOf(device);
    s.context.device.kernels = &s.kernels;
    s.context.blas = &s.blas;
    s.flushBytes = static_cast<std::size_t>(std::max<std::int64_t>(2 * s.facts.l2Bytes, 1 << 20));
    cudaDeviceGetPCIBusId(s.pciBusId, sizeof s.pciBusId, device);
    forgetErrors();
    float* codebooks = nullptr;
    Steps steps;
    steps.then(cudaStreamCreateWithFlags(&s.context.stream, cudaStreamNonBlocking), "making a stream")
        .then(cudaStreamCreateWithFlags(&s.context.side, cudaStreamNonBlocking), "making a stream")
        .then(cudaEventCreate(&s.begin), "making an event")
        .then(cudaEventCreate(&s.end), "making an event")
        .then(cudaEventCreateWithFlags(&s.context.fork, cudaEventDisableTiming), "making an event")
        .then(cudaEventCreateWithFlags(&s.context.join, cudaEventDisableTiming), "making an event")
        .then(cudaMalloc(&s.clocks, sizeof(ClockReading) * clockSlots * 2), "room for clocks")
        .then(cudaMallocHost(&s.hostClocks, sizeof(ClockReading) * clockSlots * 2), "room for clocks")
        .then(cudaMalloc(&s.flush, s.flushBytes), "room to flush the L2 cache")
        .then(cudaMalloc(&codebooks, sizeof(float) * (4 + 8 + 16 + 32)), "room for codebooks");
    s.context.codebooks = codebooks;
    if (steps.outcome()) {
        steps.then(cudaMemsetAsync(s.flush, 0, s.flushBytes, s.context.stream),
                   "clearing what flushes the L2 cache");
    }
    for (int bits = 2; bits <= 5 && steps.outcome(); ++bits) {
        const int first = (1 << bits) - 4;
        steps.then(
            cudaMemcpy(codebooks + first, codebookOf(bits), sizeof(float) << bits, cudaMemcpyHostToDevice),
            "copying codebooks");
    }
    if (steps.outcome()) {
        auto* const origin = reinterpret_cast<std::uint32_t*>(s.clocks);
        steps.then(launchSharedOrigin(origin, s.context.stream), "asking for shared memory's address")
            .then(cudaMemcpyAsync(&s.context.device.sharedOrigin, origin, sizeof(std::uint32_t),
                                  cudaMemcpyDeviceToHost, s.context.stream),
                  "asking for shared memory's address")
            .then(cudaStreamSynchronize(s.context.stream), "asking for shared memory's address");
    }
    if (steps.outcome() && CublasLibrary::get().found()) {
        return s.blas.open(s.context.stream);
    }
    return steps.outcome();
}

namespace {

/// Room for what is copied from and to the host; an earlier point's is kept where it is enough.
Outcome placeHostBytes(CudaSession& s) {
    const auto both = static_cast<std::size_t>(2 * s.needs.hostBytes);
    if (s.needs.pageable) {
        s.pageable.resize(both); // written to, so that its pages are there
        s.buffers.hostOut = s.pageable.data();
    } else {
        std::vector<unsigned char>().swap(s.pageable);
        if (s.needs.hostBytes > s.pinnedBytes) {
            if (s.pinned != nullptr) {
                cudaFreeHost(std::exchange(s.pinned, nullptr));
            }
            s.pinnedBytes = 0;
            if (Outcome pinned = outcomeOf(cudaMallocHost(&s.pinned, both), "pinning memory"); !pinned) {
                return pinned;
            }
            s.pinnedBytes = s.needs.hostBytes;
        }
        s.buffers.hostOut = s.pinned;
    }
    s.buffers.hostIn = s.buffers.hostOut + s.needs.hostBytes;
    return {};
}

} // namespace

Outcome placePoint(CudaSession& s, const CudaWork& work, int copies, int sets) {
    s.prepared = false;
    if (s.graph != nullptr) {
        cudaGraphExecDestroy(s.graph);
        s.graph = nullptr;
    }
    if (Outcome needs = needsOf(work, s.context.device, s.needs); !needs) {
        return needs;
    }
    if (s.needs.needsCublas && !s.blas.isOpen()) {
        return {CudaStatus::NoCublas, CublasLibrary::get().message()};
    }
    Steps steps;
    steps.then(cudaSetDevice(s.device), "choosing the device");
    if (steps.outcome()) {
        if (Outcome room = s.arena.reserve(arenaBytes(s.needs, copies, sets)); !room) {
            return room;
        }
    }
    s.work = work;
    s.buffers = placeIn(s.arena, work, s.needs, copies, sets);
    if (s.needs.hostBytes > 0) {
        if (Outcome room = placeHostBytes(s); !room) {
            return room;
        }
    }
    if (s.buffers.partial != nullptr) {
        steps
            .then(cudaMemsetAsync(s.buffers.partial, 0,
                                  static_cast<std::size_t>(s.needs.workspace.partials) * 4, s.context.stream),
                  "zeroing sums")
            .then(cudaMemsetAsync(s.buffers.arrived, 0,
                                  static_cast<std::size_t>(s.needs.workspace.counters) * 4, s.context.stream),
                  "zeroing counters");
    }
    return steps.outcome();
}

Outcome routeRows(CudaSession& s, const CudaWork& work, const std::int32_t* choices) {
    if (s.needs.assignments == 0) {
        return {};
    }
    std::vector<int> chosen(static_cast<std::size_t>(s.needs.assignments));
    for (int i = 0; i < s.needs.assignments; ++i) {
        const int expert = choices == nullptr ? i % work.experts : choices[i];
        if (expert < 0 || expert >= work.experts) {
            return {CudaStatus::InvalidArgument, "a row chooses an expert that is not there"};
        }
        chosen[static_cast<std::size_t>(i)] = expert;
    }
    const Outcome copied = outcomeOf(cudaMemcpyAsync(s.buffers.choices, chosen.data(), chosen.size() * 4,
                                                     cudaMemcpyHostToDevice, s.context.stream),
                                     "copying choices");
    if (!copied) {
        return copied; // nothing is routed by what was never written
    }
    return Steps()
        .then(launchMoeRoute(s.buffers.route, s.context.stream), "routing rows")
        .then(cudaStreamSynchronize(s.context.stream), "routing rows")
        .outcome();
}

Outcome placeKeys(CudaSession& s, const CudaWork& work, const std::int32_t* table,
                  const std::int32_t* lengths) {
    if (s.needs.kvBlocks == 0) {
        return {};
    }
    std::vector<std::int32_t> blocks(static_cast<std::size_t>(s.needs.kvBlocks));
    std::vector<std::int32_t> keys(static_cast<std::size_t>(work.batch),
                                   static_cast<std::int32_t>(work.context));
    if (table != nullptr) {
        std::copy_n(table, blocks.size(), blocks.begin());
    } else {
        std::iota(blocks.begin(), blocks.end(), 0);
        Random random(work.seed);
        shuffle(blocks, random);
    }
    if (lengths != nullptr) {
        std::copy_n(lengths, keys.size(), keys.begin());
    }
    const int fewest = work.operation == CudaOperation::AttentionDecode ? 1 : work.m;
    if (std::any_of(blocks.begin(), blocks.end(),
                    [&](int block) { return block < 0 || block >= s.needs.kvBlocks; })) {
        return {CudaStatus::InvalidArgument, "a sequence has a KV block that is not there"};
    }
    if (std::any_of(keys.begin(), keys.end(),
                    [&](int length) { return length < fewest || length > work.context; })) {
        return {CudaStatus::InvalidArgument,
                "a sequence is shorter than its queries or longer than the context"};
    }
    return Steps()
        .then(cudaMemcpyAsync(s.buffers.kvTable, blocks.data(), blocks.size() * 4, cudaMemcpyHostToDevice,
                              s.context.stream),
              "copying the table of KV blocks")
        .then(cudaMemcpyAsync(s.buffers.lengths, keys.data(), keys.size() * 4, cudaMemcpyHostToDevice,
                              s.context.stream),
              "copying lengths")
        .then(cudaStreamSynchronize(s.context.stream), "copying lengths")
        .outcome();
}

namespace {

Outcome fillPoint(CudaSession& s) {
    Steps steps;
    std::uint32_t seed = s.work.seed;
    const auto fill = [&](unsigned char* to, std::int64_t bytes, Filling filling) {
        if (to != nullptr) {
            const FillArgs args = {
                reinterpret_cast<Chunk*>(to),     Arena::rounded(bytes) / 16, ++seed, filling, s.needs.layout,
                {s.work.k, s.work.n, s.work.bits}};
            steps.then(launchFill(args, s.context.device, s.context.stream), "making weights");
        }
    };
    for (std::size_t i = 0; i < s.buffers.weights.size(); ++i) {
        fill(s.buffers.weights[i], s.needs.weightBytes, s.needs.weightFilling);
        fill(s.buffers.scales[i], s.needs.scaleBytes, Filling::Scales);
    }
    for (unsigned char* x : s.buffers.x) {
        fill(x, s.needs.xBytes, s.needs.xFilling);
    }
    return steps.then(cudaStreamSynchronize(s.context.stream), "making weights").outcome();
}

Outcome captureGraph(CudaSession& s) {
    cudaGraph_t graph = nullptr;
    Outcome outcome = outcomeOf(cudaStreamBeginCapture(s.context.stream, cudaStreamCaptureModeThreadLocal),
                                "starting to capture a graph");
    if (!outcome) {
        return outcome;
    }
    for (int node = 0; node < s.work.nodes && outcome; ++node) {
        outcome = launchNode(s.context, s.work, s.needs, s.buffers, node);
    }
    const Outcome ended = outcomeOf(cudaStreamEndCapture(s.context.stream, &graph), "capturing a graph");
    if (outcome) {
        outcome = ended;
    }
    if (outcome) {
        outcome = outcomeOf(cudaGraphInstantiate(&s.graph, graph, 0), "instantiating the graph");
    }
    if (outcome) {
        outcome = outcomeOf(cudaGraphUpload(s.graph, s.context.stream), "uploading the graph");
    }
    if (graph != nullptr) {
        cudaGraphDestroy(graph);
    }
    return outcome;
}

} // namespace

Outcome preparePoint(CudaSession& s, const CudaWork& work, CudaPrepared& prepared) {
    prepared = {};
    if (work.copies < 1 || work.copies > mostCudaCopies || work.activationSets < 1 ||
        work.activationSets > 8 || work.nodes < 1 || work.nodes > 4096) {
        return {CudaStatus::InvalidArgument, "copies must be 1..512, activationSets 1..8, nodes 1..4096"};
    }
    Outcome outcome = placePoint(s, work, work.copies, work.activationSets);
    if (outcome) {
        outcome = fillPoint(s);
    }
    if (outcome) {
        outcome = routeRows(s, work, nullptr);
    }
    if (outcome) {
        outcome = placeKeys(s, work, nullptr, nullptr);
    }
    if (outcome) {
        outcome = poisonAnswers(s);
    }
    if (outcome) {
        outcome = launchNode(s.context, work, s.needs, s.buffers,
                             0); // outside the graph: lazy loading, cuBLAS's choice
    }
    if (outcome && !s.needs.pageable) {
        outcome = captureGraph(s);
    }
    if (outcome) {
        outcome = outcomeOf(cudaStreamSynchronize(s.context.stream), "running the point once");
    }
    s.prepared = static_cast<bool>(outcome);
    s.answered = s.prepared;
    prepared.weightBytes = s.needs.weightBytes + s.needs.scaleBytes - s.needs.endBytes;
    prepared.activationBytes = s.needs.xBytes + s.needs.yBytes;
    prepared.allocatedBytes = s.arena.size();
    setText(prepared.kernel, s.needs.kernel);
    return outcome;
}

} // namespace loadline::gpu
