// The kernels in plain C++: the reference of the others, and what other processors run.
#include "gpu/format/e4m4.h"
#include "gpu/format/lane_layout.h"
#include "gpu/host/kernel/decode_attention_kernels.h"
#include "gpu/host/kernel/half.h"
#include "gpu/host/kernel/kernel_table.h"
#include "gpu/host/kernel/portable_vector.h"
#include "gpu/host/kernel/prefill_attention_kernels.h"

#include <algorithm>
#include <cstring>

namespace loadline::gpu {
namespace {

constexpr int tileRows = 4;

KBitShape shapeOf(const LaneJob& job) {
    return {job.k, job.n, job.bits};
}

/// The 32 weights of a block, scaled.
void decodeBlock(const LaneJob& job, std::int64_t row, std::int64_t block, float* weights) {
    const KBitShape shape = shapeOf(job);
    const int width = fieldBitsOf(job.bits);
    const std::int64_t at = laneAbsmax(shape, row, block);
    const float scale = job.scaleBytes != nullptr ? decodeE4m4(job.scaleBytes[at]) : job.scaleFloats[at];
    const std::uint32_t* record = job.words + laneRecord(shape, row / laneRows, block) + row % laneRows;
    const std::uint32_t signs = hasSigns(job.bits) ? record[width * laneRows] : 0;
    for (int e = 0; e < blockWeights; ++e) {
        const int bit = e * width;
        const std::uint32_t field = record[bit / 32 * laneRows] >> bit % 32 & ((1U << width) - 1);
        const auto sign = static_cast<int>(signs >> laneSignBit(job.bits, e) & 1);
        weights[e] =
            job.book[field] * scale * static_cast<float>(1 - 2 * sign); // no branch: nobody foresees it
    }
}

float halfOrFloat(const DenseJob& job, std::int64_t at) {
    return job.fp32 != nullptr ? job.fp32[at] : floatOfHalf(job.fp16[at]);
}

/// y of one row of W for all of x; block(index, weights) gives 32 of its weights.
template <typename Job, typename Block>
void sumRow(const Job& job, std::int64_t row, Block block) {
    float weights[blockWeights];
    for (std::int64_t m = 0; m < job.rowsM; ++m) {
        job.y[m * job.n + row] = 0;
    }
    for (std::int64_t index = 0; index < job.k / blockWeights; ++index) {
        block(index, weights);
        for (std::int64_t m = 0; m < job.rowsM; ++m) {
            const float* x = job.x + m * job.k + index * blockWeights;
            float sum = 0;
            for (int e = 0; e < blockWeights; ++e) {
                sum += x[e] * weights[e];
            }
            job.y[m * job.n + row] += sum;
        }
    }
}

template <typename Body>
void forEachRow(std::int64_t n, UnitRange groups, Body body) {
    for (std::int64_t row = groups.begin * laneRows; row < std::min(groups.end * laneRows, n); ++row) {
        body(row);
    }
}

void gemv(const LaneJob& job, UnitRange groups) {
    forEachRow(job.n, groups, [&](std::int64_t row) {
        sumRow(job, row, [&](std::int64_t block, float* weights) { decodeBlock(job, row, block, weights); });
    });
}

void gemm(const LaneJob& job, UnitRange groups, float* /*scratch*/) {
    gemv(job, groups);
}

void dequantise(const DequantiseJob& job, UnitRange groups) {
    const LaneJob& from = job.weights;
    forEachRow(from.n, groups, [&](std::int64_t row) {
        for (std::int64_t block = 0; block < from.k / blockWeights; ++block) {
            float weights[blockWeights];
            decodeBlock(from, row, block, weights);
            const std::int64_t at = row * from.k + block * blockWeights;
            for (int e = 0; e < blockWeights; ++e) {
                if (job.fp32 != nullptr) {
                    job.fp32[at + e] = weights[e];
                } else {
                    job.fp16[at + e] = halfOfFloat(weights[e]);
                }
            }
        }
    });
}

void denseGemv(const DenseJob& job, UnitRange groups) {
    forEachRow(job.n, groups, [&](std::int64_t row) {
        sumRow(job, row, [&](std::int64_t block, float* weights) {
            for (int e = 0; e < blockWeights; ++e) {
                weights[e] = halfOrFloat(job, row * job.k + block * blockWeights + e);
            }
        });
    });
}

void denseGemm(const DenseJob& job, UnitRange groups, float* /*scratch*/) {
    denseGemv(job, groups);
}

void packX(const float* /*x*/, std::int64_t /*rowsM*/, std::int64_t /*k*/, float* /*xTiles*/,
           UnitRange /*tiles*/) {} // gemm reads x itself

std::uint64_t read(const void* data, std::size_t bytes) {
    std::uint64_t sum = 0;
    for (std::size_t at = 0; at + sizeof sum <= bytes; at += sizeof sum) {
        std::uint64_t word = 0;
        std::memcpy(&word, static_cast<const char*>(data) + at, sizeof word);
        sum += word;
    }
    return sum;
}

void copy(void* to, const void* from, std::size_t bytes) {
    std::memcpy(to, from, bytes);
}

void write(void* to, std::size_t bytes) {
    std::memset(to, 1, bytes);
}

constexpr KernelTable table = {gemv,
                               nullptr,
                               nullptr,
                               gemm,
                               dequantise,
                               denseGemv,
                               denseGemm,
                               tileRows,
                               packX,
                               nullptr,
                               read,
                               copy,
                               write,
                               decodeAttention<PortableVector>,
                               combineAttention<PortableVector>,
                               prefillAttention<PortableVector>,
                               prefillRowsOf<PortableVector>};

} // namespace

const KernelTable& portableKernels() {
    return table;
}

} // namespace loadline::gpu
