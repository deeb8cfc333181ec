// The emulated plugin's functions.
#include "tests/gpu/cuda/emulated_plugin.h"

#include "gpu/cuda/kernel/moe_route.cuh"
#include "tests/gpu/cuda/emulated_kernels.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <random>
#include <string>

namespace loadline::gpu {

namespace {

void setName(char* to, const std::string& text) {
    to[text.copy(to, 127)] = 0;
}

void probe(CudaProbe* out) {
    *out = {};
    out->status = emulatedMachine().status;
    out->devices = out->status == CudaStatus::Ok ? 1 : 0;
    out->cublasVersion = emulatedMachine().cublas;
    setName(out->message, out->status == CudaStatus::Ok ? "1 GPU" : "No NVIDIA driver: made up");
    setName(out->cublasMessage, "made-up cuBLAS");
}

CudaStatus deviceFacts(std::int32_t device, const char*, CudaDeviceFacts* out) {
    *out = {};
    setName(out->name, "NVIDIA GeForce RTX 4090");
    out->computeMajor = 8;
    out->computeMinor = 9;
    out->multiprocessors = emulatedMachine().multiprocessors;
    out->l2Bytes = 72 << 20;
    out->memoryFreeBytes = std::int64_t{20} << 30;
    out->busWidthBits = 384;
    out->memoryClockMaxMHz = 10501;
    out->smClockMaxMHz = 3105;
    out->eccOn = out->migOn = out->persistenceOn = out->otherProcesses = -1;
    out->cublasVersion = emulatedMachine().cublas;
    return device == 0 ? emulatedMachine().status : CudaStatus::NoDevice;
}

CudaStatus health(std::int32_t, CudaHealth* out) {
    *out = {1500, -1, 250'000 + 50'000 * emulatedMachine().healthReadings,
            40 + emulatedMachine().healthReadings, 0x8};
    ++emulatedMachine().healthReadings;
    return CudaStatus::Ok;
}

CudaStatus openSession(std::int32_t, CudaSession** session, char*, std::int32_t) {
    ++emulatedMachine().sessions;
    *session = reinterpret_cast<CudaSession*>(&emulatedMachine()); // never looked into
    return CudaStatus::Ok;
}

void closeSession(CudaSession*) {
    --emulatedMachine().sessions;
}

const char* lastError(const CudaSession*) {
    return "made-up failure";
}

/// The prepared point's buffers, made and computed when they are first read: one copy, one set.
struct EmulatedPoint {
    std::vector<unsigned char> weights, scales, x, y;
};

EmulatedPoint& emulatedPoint() {
    static EmulatedPoint point;
    return point;
}

CudaStatus prepare(CudaSession*, const CudaWork* work, CudaPrepared* out) {
    emulatedMachine().prepared = *work;
    emulatedPoint() = {};
    *out = {};
    return CudaStatus::Ok;
}

CudaStatus sample(CudaSession*, CudaSampling sampling, std::int32_t count, CudaSample* out,
                  std::int32_t* taken) {
    *taken = 0;
    for (int i = 0; i < count && emulatedMachine().sampling == CudaStatus::Ok; ++i) {
        const bool alone = sampling == CudaSampling::Isolated;
        out[i] = {alone ? 14.0 : 10.0 * emulatedMachine().prepared.nodes, 1500, 20,
                  emulatedMachine().throttleReasons};
        ++*taken;
    }
    return emulatedMachine().sampling;
}

CudaStatus emptyBracketUs(CudaSession*, double* out) {
    *out = 2;
    return CudaStatus::Ok;
}

/// A GEMM of cuBLAS's, in double.
void multiply(const CudaWork& w, const CudaCheck& data, const std::uint16_t* weights, int experts) {
    const auto* x = static_cast<const std::uint16_t*>(data.x);
    auto* y = static_cast<std::uint16_t*>(data.y);
    for (int row = 0; row < w.m * experts; ++row) {
        const std::int64_t expert = row / w.m;
        for (std::int64_t n = 0; n < w.n; ++n) {
            double sum = 0;
            for (std::int64_t k = 0; k < w.k; ++k) {
                sum += static_cast<double>(emulate::halfToFloat(x[row * w.k + k])) *
                       emulate::halfToFloat(weights[(expert * w.n + n) * w.k + k]);
            }
            y[row * w.n + n] = emulate::halfFromDouble(sum);
        }
    }
}

template <class Args>
void fill(Args& args, const CudaWork& w, const AlignedVector<std::uint16_t>& x,
          AlignedVector<std::uint16_t>& y, const Groups& groups) {
    args.codebook = codebookOf(w.bits);
    args.x = x.data();
    args.y = y.data();
    args.k = static_cast<int>(w.k);
    args.n = static_cast<int>(w.n);
    args.groups = groups;
}

/// Runs the work's kernel as the plugin launches it; "" or what was broken.
template <int Bits>
std::string runKBits(const CudaWork& w, const CudaCheck& data) {
    const auto copied = [](const void* from, std::int64_t bytes, auto& to) {
        to.resize(static_cast<std::size_t>(bytes) / sizeof to[0]);
        if (bytes > 0) {
            std::memcpy(to.data(), from, static_cast<std::size_t>(bytes));
        }
    };
    AlignedVector<std::uint32_t> words;
    AlignedVector<std::uint8_t> scales;
    AlignedVector<std::uint16_t> x;
    copied(data.weights, data.weightBytes, words);
    copied(data.scales, data.scaleBytes, scales);
    copied(data.x, data.xBytes, x);
    AlignedVector<std::uint16_t> y(static_cast<std::size_t>(data.yBytes / 2), 0x7fff);
    int groupsMost = 1;
    Groups groups;
    std::vector<int> ints(2 * static_cast<std::size_t>(w.m * w.experts) + 4096);
    if (data.choices != nullptr) {
        const int assignments = w.m * w.experts;
        groupsMost = moeMaxGroups(assignments, w.experts, w.m);
        int* at = ints.data();
        const auto take = [&](int n) { return std::exchange(at, at + n); };
        const MoeRouteArgs args = {data.choices,     assignments,      w.experts,        w.m,
                                   take(1),          take(groupsMost), take(groupsMost), take(groupsMost),
                                   take(assignments)};
        std::string broken = emulate::runLaunch({{1, 1, 1},
                                                 moeRouteThreads,
                                                 static_cast<std::size_t>(moeRouteSharedBytes(w.experts)),
                                                 Order::Rising},
                                                [&](const EmulatedLane& lane) { moeRoute(lane, args); });
        if (!broken.empty()) {
            return broken;
        }
        groups = {args.count, args.expert, args.first, args.size, args.row, 1};
    }
    std::vector<float> partial(static_cast<std::size_t>(64 * (w.n + 256) * groupsMost));
    std::vector<unsigned> arrived(static_cast<std::size_t>((w.n / 32 + 8) * groupsMost));
    std::string broken = "no such kernel";
    switch (w.operation) {
    case CudaOperation::ScalarGemv:
    case CudaOperation::GroupedScalar: {
        ScalarGemvArgs args;
        fill(args, w, x, y, groups);
        args.planes = words.data();
        args.scales = scales.data();
        const emulate::Launch launch = {
            {args.n, groupsMost, 1}, scalarThreads, scalarSharedBytes, Order::Rising};
        broken =
            w.m == 1
                ? emulate::runLaunch(launch, [&](const EmulatedLane& l) { scalarGemv<Bits, 1>(l, args); })
                : emulate::runLaunch(launch, [&](const EmulatedLane& l) { scalarGemv<Bits, 3>(l, args); });
        break;
    }
    case CudaOperation::PlaneMma:
    case CudaOperation::GroupedPlaneMma: {
        PlaneMmaArgs args;
        fill(args, w, x, y, groups);
        args.planes = words.data();
        args.scales = scales.data();
        args.partial = partial.data();
        args.arrived = arrived.data();
        args.m = w.m;
        using Shape = PlaneMmaShape<Bits, 1>;
        broken = emulate::runLaunch({{(args.n + 127) / 128 * 128 / Shape::columns, 1, groupsMost},
                                     Shape::threads,
                                     Shape::sharedBytes,
                                     Order::Rising},
                                    [&](const EmulatedLane& l) { planeMma<Bits, 1>(l, args); });
        break;
    }
    case CudaOperation::SwapAb:
    case CudaOperation::GroupedSwapAb: {
        SwapAbArgs args;
        fill(args, w, x, y, groups);
        args.codes = reinterpret_cast<const unsigned char*>(words.data());
        args.scales = scales.data();
        args.partial = partial.data();
        args.arrived = arrived.data();
        args.m = w.m;
        constexpr int stages = swapAbStages(Bits, 1);
        using Shape = SwapAbShape<Bits, 1, stages>;
        const int blocks = w.maxBlocks > 0 ? w.maxBlocks : 3;
        cutSwapAb<Shape>(args, blocks);
        broken = emulate::runLaunch({{blocks, 1, 1}, Shape::threads, Shape::sharedBytes, Order::Rising},
                                    [&](const EmulatedLane& l) { swapAb<Bits, 1, stages>(l, args); });
        break;
    }
    case CudaOperation::Dequantise:
    case CudaOperation::DequantiseGemm: {
        const bool pair = w.operation == CudaOperation::DequantiseGemm;
        AlignedVector<std::uint16_t> dense(pair ? static_cast<std::size_t>(w.experts * w.n * w.k) : 0);
        DequantiseArgs args;
        args.planes = words.data();
        args.scales = scales.data();
        args.codebook = codebookOf(Bits);
        args.weights = reinterpret_cast<Chunk*>(pair ? dense.data() : y.data());
        args.blocks = (pair ? w.experts : 1) * w.n * w.k / blockWeights;
        const int grid = static_cast<int>((args.blocks + dequantiseThreads - 1) / dequantiseThreads);
        broken = emulate::runLaunch({{grid, 1, 1}, dequantiseThreads, dequantiseSharedBytes, Order::Rising},
                                    [&](const EmulatedLane& l) { dequantise<Bits>(l, args); });
        if (pair) {
            multiply(w, data, dense.data(), w.experts);
            return broken;
        }
        break;
    }
    default:
        break;
    }
    std::memcpy(data.y, y.data(), static_cast<std::size_t>(data.yBytes));
    return broken;
}

CudaStatus check(CudaSession*, const CudaWork* work, const CudaCheck* data) {
    std::string broken;
    emulatedMachine().checked.push_back(*work);
    if (work->operation == CudaOperation::GemmFp16 || work->operation == CudaOperation::BatchedGemmFp16) {
        multiply(*work, *data, static_cast<const std::uint16_t*>(data->weights),
                 work->operation == CudaOperation::GemmFp16 ? 1 : work->experts);
    } else {
        forEachK([&](auto of) {
            if (decltype(of)::bits == work->bits) {
                broken = runKBits<decltype(of)::bits>(*work, *data);
            }
        });
    }
    if (emulatedMachine().breakKernels) {
        static_cast<std::uint16_t*>(data->y)[0] = 0x7fff;
    }
    return broken.empty() ? CudaStatus::Ok : CudaStatus::Failed;
}

/// Makes random k-bit weights, as the plugin does, and the kernel's answer.
void computePoint(EmulatedPoint& point) {
    const CudaWork& w = emulatedMachine().prepared;
    const CudaKernelSpec* const kernel =
        std::find_if(std::begin(cudaKernels), std::end(cudaKernels),
                     [&](const CudaKernelSpec& spec) { return spec.operation == w.operation; });
    const std::int64_t experts = kernel->routed || kernel->operation == CudaOperation::DequantiseGemm
                                     ? w.experts
                                     : 1; // dequantise has all of them as rows
    const PackedSize size = packedSizeOf({w.k, w.n, w.bits}, kernel->layout);
    std::mt19937 random(w.seed);
    for (std::int64_t i = 0; i < experts * size.words * 4; ++i) {
        point.weights.push_back(static_cast<unsigned char>(random()));
    }
    for (std::int64_t i = 0; i < experts * size.scales; ++i) {
        point.scales.push_back(static_cast<unsigned char>(64 + random() % 48));
    }
    const bool dequantise = w.operation == CudaOperation::Dequantise;
    for (std::int64_t i = 0; i < (dequantise ? 0 : experts * w.m * w.k); ++i) {
        const auto half = emulate::halfFromDouble(static_cast<double>(random() % 4096) / 2048 - 1);
        point.x.push_back(static_cast<unsigned char>(half & 0xffU));
        point.x.push_back(static_cast<unsigned char>(half >> 8U));
    }
    point.y.resize(static_cast<std::size_t>(2 * w.n * (dequantise ? w.k : experts * w.m)));
    std::vector<std::int32_t> choices;
    for (std::int64_t row = 0; kernel->routed && row < experts * w.m; ++row) {
        choices.push_back(static_cast<std::int32_t>(row % experts));
    }
    CudaCheck data = {};
    data.weights = point.weights.data();
    data.weightBytes = static_cast<std::int64_t>(point.weights.size());
    data.scales = point.scales.data();
    data.scaleBytes = static_cast<std::int64_t>(point.scales.size());
    data.x = point.x.data();
    data.xBytes = static_cast<std::int64_t>(point.x.size());
    data.choices = choices.empty() ? nullptr : choices.data();
    data.y = point.y.data();
    data.yBytes = static_cast<std::int64_t>(point.y.size());
    forEachK([&](auto of) {
        if (decltype(of)::bits == w.bits) {
            EXPECT_EQ(runKBits<decltype(of)::bits>(w, data), "");
        }
    });
    if (emulatedMachine().breakTimed) {
        point.y[1] ^= 0x80U; // the sign of the first value
    }
}

CudaStatus read(CudaSession*, CudaBuffer buffer, std::int32_t, std::int64_t offset, std::int64_t bytes,
                void* to) {
    EmulatedPoint& point = emulatedPoint();
    if (point.y.empty()) {
        computePoint(point);
    }
    const std::vector<unsigned char>& from = buffer == CudaBuffer::Weights  ? point.weights
                                             : buffer == CudaBuffer::Scales ? point.scales
                                             : buffer == CudaBuffer::X      ? point.x
                                                                            : point.y;
    if (offset < 0 || offset + bytes > static_cast<std::int64_t>(from.size())) {
        return CudaStatus::InvalidArgument;
    }
    std::copy_n(from.begin() + offset, bytes, static_cast<unsigned char*>(to));
    return CudaStatus::Ok;
}

CudaStatus sumsLeft(CudaSession*, std::int64_t* words) {
    *words = emulatedMachine().sumsLeft;
    return CudaStatus::Ok;
}

} // namespace

EmulatedMachine& emulatedMachine() {
    static EmulatedMachine machine;
    return machine;
}

const CudaPluginApi& emulatedPlugin() {
    static const CudaPluginApi api = {cudaPluginAbi,
                                      sizeof(CudaPluginApi),
                                      sizeof(CudaWork),
                                      sizeof(CudaDeviceFacts),
                                      sizeof(CudaSample),
                                      "emulated",
                                      probe,
                                      deviceFacts,
                                      health,
                                      openSession,
                                      closeSession,
                                      lastError,
                                      prepare,
                                      sample,
                                      emptyBracketUs,
                                      check,
                                      read,
                                      sumsLeft};
    return api;
}

} // namespace loadline::gpu
