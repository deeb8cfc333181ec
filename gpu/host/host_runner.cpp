#include "gpu/host/host_runner.h"

#include "gpu/format/codebook.h"
#include "gpu/format/lane_layout.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace loadline::gpu {
namespace {

constexpr int bookFields = 16;
constexpr std::int64_t groupRowsN = 16;
/// The value of each field, repeated to 16 fields: lookups may then leave higher bits in the index. For
/// k = 3 fields with a sign above them.
void fillBooks(AlignedVector<float>& books, AlignedVector<std::int8_t>& books8) {
    constexpr float most = 127;
    for (int bits = 2; bits <= 5; ++bits) {
        const float* book = codebookOf(bits);
        const int fields = 1 << fieldBitsOf(bits);
        for (int i = 0; i < bookFields; ++i) {
            const auto field = static_cast<std::uint32_t>(i % fields);
            const std::uint32_t sign = bits == 3 && i / fields % 2 != 0 ? 1 : 0;
            const float value = book[laneCodeOf(bits, field, sign)];
            books.push_back(value);
            books8.push_back(static_cast<std::int8_t>(std::lrint(value * most)));
        }
    }
}

std::int64_t groupsOf(const HostProblem& problem, const HostMethodSpec& method) {
    return tilesOf(method.kBit != nullptr ? problem.packed.shape.n : problem.dense.n, groupRowsN);
}

constexpr std::size_t partBytes = std::size_t{1} << 20;

std::size_t partsOf(std::size_t bytes) {
    return (bytes + partBytes - 1) / partBytes;
}

} // namespace

HostRunner::HostRunner(unsigned threads, std::optional<OpenBlas> blas)
    : pool_(threads), blas_(std::move(blas)), scratch_(pool_.threads()) {
    for (AlignedVector<float>& scratch : scratch_) {
        scratch.resize(gemmScratchFloats);
    }
    fillBooks(books_, books8_);
    if (blas_) {
        blas_->setThreads(static_cast<int>(pool_.threads()));
    }
}

LaneJob HostRunner::laneJob(const HostProblem& problem, std::size_t index) const {
    const PackedView& packed = problem.packed;
    LaneJob job;
    job.bits = packed.shape.bits;
    job.k = packed.shape.k;
    job.n = packed.shape.n;
    job.words = packed.words;
    job.scaleBytes = packed.absmaxBytes;
    job.scaleFloats = packed.absmaxFloats;
    job.book = books_.data() + static_cast<std::ptrdiff_t>((job.bits - 2) * bookFields);
    job.book8 = books8_.data() + static_cast<std::ptrdiff_t>((job.bits - 2) * bookFields);
    job.rowsM = problem.rowsM;
    job.x = problem.x;
    job.y = problem.y;
    if (index < prepared_.size()) {
        const Prepared& prepared = prepared_[index];
        job.xTiles = prepared.xTiles.data();
        job.x8 = prepared.x8.data();
        job.x8Scale = prepared.x8Scale.data();
        job.x8Sum = prepared.x8Sum.data();
    }
    return job;
}

DenseJob HostRunner::denseJob(const HostProblem& problem, std::size_t index) const {
    DenseJob job;
    job.k = problem.dense.k;
    job.n = problem.dense.n;
    job.fp32 = problem.dense.fp32;
    job.fp16 = problem.dense.fp32 == nullptr ? problem.dense.fp16 : nullptr;
    job.rowsM = problem.rowsM;
    job.x = problem.x;
    job.y = problem.y;
    if (index < prepared_.size()) {
        job.xTiles = prepared_[index].xTiles.data();
    }
    return job;
}

void HostRunner::prepare(const KernelTable& table, const HostMethodSpec& method,
                         std::span<const HostProblem> problems) {
    prepared_.resize(std::max(prepared_.size(), problems.size()));
    for (std::size_t index = 0; index < problems.size(); ++index) {
        const HostProblem& problem = problems[index];
        Prepared& prepared = prepared_[index];
        const std::int64_t k = method.kBit != nullptr ? problem.packed.shape.k : problem.dense.k;
        if (problem.rowsM >= method.panelsFrom) {
            const std::int64_t tiles = tilesOf(problem.rowsM, table.tileRows);
            prepared.xTiles.resize(static_cast<std::size_t>(tiles * table.tileRows * k));
            pool_.run(tiles, [&](std::int64_t tile, unsigned) {
                table.packX(problem.x, problem.rowsM, k, prepared.xTiles.data(), {tile, tile + 1});
            });
        } else if (method.int8) {
            const auto blocks = static_cast<std::size_t>(problem.rowsM * k / blockWeights);
            prepared.x8.resize(blocks * blockWeights);
            prepared.x8Scale.resize(blocks);
            prepared.x8Sum.resize(blocks);
            const LaneJob job = laneJob(problem, index);
            pool_.run(problem.rowsM, [&](std::int64_t row, unsigned) {
                table.quantiseX(job, prepared.x8.data(), prepared.x8Scale.data(), prepared.x8Sum.data(),
                                {row, row + 1});
            });
        }
    }
}

/// Even numbers of groups, as a panel is two; several parts a thread, so that a thread that was held up by
/// other programs does not hold up the rest.
void HostRunner::splitIntoParts(const HostMethodSpec& method, std::span<const HostProblem> problems) {
    constexpr std::int64_t partsPerThread = 8;
    std::int64_t all = 0;
    for (const HostProblem& problem : problems) {
        all += groupsOf(problem, method);
    }
    const std::int64_t wanted = threads() == 1 ? all : all / (partsPerThread * threads());
    const std::int64_t step = std::max<std::int64_t>(2, tilesOf(wanted, 2) * 2);
    parts_.clear();
    for (std::size_t index = 0; index < problems.size(); ++index) {
        const std::int64_t groups = groupsOf(problems[index], method);
        for (std::int64_t begin = 0; begin < groups; begin += step) {
            parts_.push_back({index, {begin, std::min(begin + step, groups)}});
        }
    }
}

void HostRunner::runOpenBlas(std::span<const HostProblem> problems) {
    assert(blas_);
    for (const HostProblem& problem : problems) {
        blas_->run(denseJob(problem, prepared_.size()));
    }
}

void HostRunner::run(const HostKernel& kernel, std::span<const HostProblem> problems) {
    const HostMethodSpec& method = specOf(kernel.method);
    if (method.kBit == nullptr && method.dense == nullptr) {
        return runOpenBlas(problems);
    }
    const KernelTable& table = kernelTable(kernel.set);
    prepare(table, method, problems);
    splitIntoParts(method, problems);
    pool_.run(static_cast<std::int64_t>(parts_.size()), [&](std::int64_t at, unsigned worker) {
        const Part& part = parts_[static_cast<std::size_t>(at)];
        const HostProblem& problem = problems[part.problem];
        const HostPart mine{table, part.groups, scratch_[worker].data(), problem.out};
        method.kBit != nullptr ? method.kBit(mine, laneJob(problem, part.problem))
                               : method.dense(mine, denseJob(problem, part.problem));
    });
}

std::uint64_t HostRunner::read(InstructionSet set, const void* data, std::size_t bytes) {
    sums_.assign(partsOf(bytes), 0);
    forEachPart(bytes, [&](std::size_t part, std::size_t first, std::size_t count) {
        sums_[part] = kernelTable(set).read(static_cast<const char*>(data) + first, count);
    });
    std::uint64_t sum = 0;
    for (const std::uint64_t part : sums_) {
        sum += part;
    }
    return sum;
}

void HostRunner::copy(InstructionSet set, void* to, const void* from, std::size_t bytes) {
    forEachPart(bytes, [&](std::size_t, std::size_t first, std::size_t count) {
        kernelTable(set).copy(static_cast<char*>(to) + first, static_cast<const char*>(from) + first, count);
    });
}

void HostRunner::write(InstructionSet set, void* to, std::size_t bytes) {
    forEachPart(bytes, [&](std::size_t, std::size_t first, std::size_t count) {
        kernelTable(set).write(static_cast<char*>(to) + first, count);
    });
}

template <typename Body>
void HostRunner::forEachPart(std::size_t bytes, Body body) {
    pool_.run(static_cast<std::int64_t>(partsOf(bytes)), [&](std::int64_t part, unsigned) {
        const std::size_t first = static_cast<std::size_t>(part) * partBytes;
        body(static_cast<std::size_t>(part), first, std::min(partBytes, bytes - first));
    });
}

} // namespace loadline::gpu
