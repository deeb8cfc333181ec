// Needs of each operation, and their places.
#include "gpu/cuda/device/point.cuh"
#include "gpu/format/fragment_layout.h"

#include <algorithm>

namespace loadline::gpu {

namespace {

/// One expert's words and scales in bytes, filling included.
void addKBitWeights(const CudaWork& w, PointNeeds& needs) {
    std::int64_t blocks = w.n * w.k / blockWeights;
    if (needs.layout == Layout::PlanesTiled) {
        blocks = tilesOf(w.n, planesTileN) * tilesOf(w.k, planesTileK) * planesTileN * 2;
    } else if (needs.layout == Layout::Fragments) {
        blocks = fragmentTiles({w.k, w.n, w.bits}) * (fragmentRows * 2);
    }
    needs.weightBytes = blocks * w.bits * 4;
    needs.scaleBytes = blocks;
}

void addExperts(const CudaWork& w, int mostRows, PointNeeds& needs) {
    needs.weightBytes *= w.experts;
    needs.scaleBytes *= w.experts;
    needs.xBytes *= w.experts;
    needs.yBytes *= w.experts;
    needs.assignments = w.experts * w.m;
    needs.rowsPerGroup = w.m < mostRows ? w.m : mostRows;
    needs.maxGroups = moeMaxGroups(needs.assignments, w.experts, needs.rowsPerGroup);
}

Outcome invalid(const std::string& why) {
    return {CudaStatus::InvalidArgument, why};
}
Outcome unsupported(const std::string& why) {
    return {CudaStatus::NotSupported, why};
}

const CudaKernelSpec* specOf(CudaOperation operation) {
    for (const CudaKernelSpec& spec : cudaKernels) {
        if (spec.operation == operation) {
            return &spec;
        }
    }
    return nullptr;
}

Outcome gemmNeeds(const CudaWork& w, const CudaKernelSpec& kind, const LaunchDevice& device,
                  PointNeeds& needs) {
    if (w.k <= 0 || w.n <= 0 || w.k > 1 << 20 || w.n > 1 << 20 || w.m < 1 || w.m > 1 << 20) {
        return invalid("K, N and M must be from 1 to 2^20");
    }
    if (kind.kBits && (w.bits < 2 || w.bits > 5)) {
        return unsupported("k-bit weights have 2 to 5 bits");
    }
    if (w.k % (kind.kBits ? blockWeights : 8) != 0) {
        return unsupported(kind.kBits ? "K must be a multiple of 32" : "K must be a multiple of 8");
    }
    if (kind.mostRows != 0 && w.m > kind.mostRows && !kind.routed) {
        return unsupported(std::string(kind.name) + " serves at most " + std::to_string(kind.mostRows) +
                           " rows");
    }
    needs.xBytes = w.m * w.k * 2;
    needs.yBytes = w.m * w.n * 2;
    needs.kernel = kind.name;
    needs.answers = true;
    if (!kind.kBits) {
        needs.needsCublas = true;
        needs.weightBytes = w.n * w.k * 2;
        needs.weightFilling = w.operation == CudaOperation::GemmBf16 ? Filling::BFloats : Filling::Halves;
        needs.xFilling = needs.weightFilling;
        if (w.operation == CudaOperation::BatchedGemmFp16) {
            if (w.experts < 1) {
                return invalid("experts must be at least 1");
            }
            needs.weightBytes *= w.experts;
            needs.xBytes *= w.experts;
            needs.yBytes *= w.experts;
        }
        return {};
    }
    needs.layout = kind.layout;
    addKBitWeights(w, needs);
    if (w.operation == CudaOperation::DequantiseGemm) {
        if (w.experts < 1 || w.experts > 4096) {
            return invalid("experts must be from 1 to 4096");
        }
        needs.needsCublas = true;
        needs.scratchBytes = w.experts * w.n * w.k * 2;
        for (std::int64_t* bytes : {&needs.weightBytes, &needs.scaleBytes, &needs.xBytes, &needs.yBytes}) {
            *bytes *= w.experts;
        }
    }
    if (w.operation == CudaOperation::Dequantise) {
        needs.xBytes = 0;
        needs.yBytes = w.n * w.k * 2;
    }
    if (kind.routed) {
        if (w.experts < 1 || w.experts > 4096) {
            return invalid("experts must be from 1 to 4096");
        }
        if (static_cast<std::int64_t>(w.experts) * w.m > 1 << 20) {
            return unsupported("at most 2^20 rows are routed to experts");
        }
        addExperts(w, kind.mostRows, needs);
        if (needs.maxGroups > 65535) {
            return unsupported("the rows make more groups than a grid has places for");
        }
    }
    const int rows = kind.routed ? needs.rowsPerGroup : w.m;
    if (kind.layout == Layout::Fragments &&
        fragmentTiles({w.k, w.n, w.bits}) * std::max(1, needs.maxGroups) > 1 << 30) {
        return unsupported("the groups have more tiles than a kernel counts");
    }
    if (kind.layout == Layout::Fragments && fieldBitsOf(w.bits) == 4 &&
        !swapAbTableFits(device.sharedOrigin)) {
        return unsupported("shared memory begins at " + std::to_string(device.sharedOrigin) +
                           " on this GPU, and the kernel's table needs it at 0 or 1024");
    }
    if (kind.sums) {
        needs.workspace = workspaceFor(static_cast<int>(w.n), rows, needs.maxGroups);
    }
    return {};
}

Outcome attentionNeeds(const CudaWork& w, const LaunchDevice& device, PointNeeds& needs) {
    const bool decode = w.operation == CudaOperation::AttentionDecode;
    const int queries = decode ? 1 : w.m;
    if (w.headDim != 64 && w.headDim != 128 && w.headDim != 256) {
        return unsupported("heads must have 64, 128 or 256 dimensions");
    }
    if (w.batch < 1 || w.kvHeads < 1 || w.queryHeads < 1 || w.queryHeads % w.kvHeads != 0 || queries < 1 ||
        w.context < queries || w.context > 1 << 24 ||
        static_cast<std::int64_t>(w.batch) * w.queryHeads > 65535) {
        return invalid("heads, queries and context do not fit together");
    }
    const std::int64_t ofKey = std::int64_t{4} * w.kvHeads * w.headDim; // and its value
    const std::int64_t kvBlocks = w.batch * ((w.context + kvBlockTokens - 1) / kvBlockTokens);
    if (kvBlocks > 1 << 28) {
        return unsupported("the sequences have more KV blocks than are counted");
    }
    needs.kvBlocks = static_cast<int>(kvBlocks);
    needs.weightBytes = kvBlocks * kvBlockTokens * ofKey; // K, then V
    needs.endBytes = needs.weightBytes - w.batch * w.context * ofKey;
    needs.weightFilling = Filling::Halves;
    needs.xBytes = needs.yBytes = static_cast<std::int64_t>(w.batch) * queries * w.queryHeads * w.headDim * 2;
    if (decode) {
        const int splits = attentionSplits(w.batch, w.queryHeads, w.kvHeads, static_cast<int>(w.context),
                                           deviceFor(device, w));
        needs.scratchBytes = attentionPartials(w.batch, w.queryHeads, w.headDim, splits) * 4;
    }
    needs.answers = true;
    needs.kernel = decode ? "simple split-KV attention" : "simple causal attention";
    return {};
}

} // namespace

Outcome needsOf(const CudaWork& work, const LaunchDevice& device, PointNeeds& needs) {
    needs = {};
    if (const CudaKernelSpec* const spec = specOf(work.operation)) {
        return gemmNeeds(work, *spec, device, needs);
    }
    switch (work.operation) {
    case CudaOperation::EmptyNode:
        needs.kernel = "empty";
        return {};
    case CudaOperation::Read:
    case CudaOperation::Write:
    case CudaOperation::Copy:
    case CudaOperation::HostToDevice:
    case CudaOperation::DeviceToHost:
    case CudaOperation::BothWays:
    case CudaOperation::HostToDevicePageable:
    case CudaOperation::DeviceToHostPageable: {
        if (work.bytes < 16 || work.bytes % 16 != 0) {
            return invalid("bytes must be a multiple of 16");
        }
        const bool host = work.operation >= CudaOperation::HostToDevice;
        needs.weightBytes = work.operation == CudaOperation::Write ? 0 : work.bytes;
        needs.yBytes = work.operation == CudaOperation::Read ? 16 : work.bytes;
        needs.hostBytes = host ? work.bytes : 0;
        needs.pageable = work.operation >= CudaOperation::HostToDevicePageable;
        needs.kernel = host ? "cudaMemcpyAsync" : "stream";
        return {};
    }
    case CudaOperation::MoeRoute:
        if (work.experts < 1 || work.experts > 4096 || work.m < 1 || work.m > 1 << 16) {
            return invalid("experts must be from 1 to 4096, rows per expert from 1 to 65536");
        }
        addExperts(work, 64, needs);
        needs.kernel = "moeRoute";
        return {};
    case CudaOperation::AttentionDecode:
    case CudaOperation::AttentionPrefill:
        return attentionNeeds(work, device, needs);
    default:
        return unsupported("there is no such operation");
    }
}

std::int64_t arenaBytes(const PointNeeds& needs, int copies, int sets) {
    const auto all = [](std::int64_t bytes, int count) { return Arena::rounded(bytes) * count; };
    const std::int64_t route =
        needs.assignments == 0 ? 0 : 4LL * (2 * needs.assignments + 3LL * needs.maxGroups + 1);
    return all(needs.weightBytes, copies) + all(needs.scaleBytes, copies) + all(needs.xBytes, sets) +
           all(needs.yBytes, sets) + all(needs.scratchBytes, 1) + all(needs.workspace.partials * 4, 1) +
           all(needs.workspace.counters * 4, 1) + all(route, 1) + 6 * 256 +
           all(std::int64_t{4} * needs.kvBlocks, 2); // the table, and no more lengths than it has blocks
}

PointBuffers placeIn(Arena& arena, const CudaWork& work, const PointNeeds& needs, int copies, int sets) {
    PointBuffers b;
    for (int i = 0; i < copies; ++i) {
        b.weights.push_back(arena.take(needs.weightBytes));
        b.scales.push_back(arena.take(needs.scaleBytes));
    }
    for (int i = 0; i < sets; ++i) {
        b.x.push_back(arena.take(needs.xBytes));
        b.y.push_back(arena.take(needs.yBytes));
    }
    b.scratch = arena.take(needs.scratchBytes);
    b.partial = reinterpret_cast<float*>(arena.take(needs.workspace.partials * 4));
    b.arrived = reinterpret_cast<unsigned*>(arena.take(needs.workspace.counters * 4));
    if (needs.assignments > 0) {
        const auto ints = [&](std::int64_t count) { return reinterpret_cast<int*>(arena.take(count * 4)); };
        b.choices = ints(needs.assignments);
        b.route = {b.choices,
                   needs.assignments,
                   work.experts,
                   needs.rowsPerGroup,
                   ints(1),
                   ints(needs.maxGroups),
                   ints(needs.maxGroups),
                   ints(needs.maxGroups),
                   ints(needs.assignments)};
        b.groups = {b.route.count, b.route.expert, b.route.first, b.route.size, b.route.row, 1};
    }
    if (needs.kvBlocks > 0) {
        b.kvTable = reinterpret_cast<std::int32_t*>(arena.take(std::int64_t{4} * needs.kvBlocks));
        b.lengths = reinterpret_cast<std::int32_t*>(arena.take(std::int64_t{4} * work.batch));
    }
    return b;
}

} // namespace loadline::gpu
