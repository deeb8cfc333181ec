// Runs host kernels on a fixed number of threads.
#pragma once

#include "gpu/host/attention_runner.h"
#include "gpu/host/host_kernels.h"
#include "gpu/host/machine/open_blas.h"
#include "gpu/host/machine/worker_pool.h"
#include "gpu/host/weight_views.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace loadline::gpu {

/// One matrix product (or dequantisation); a call of several is a grouped one.
struct HostProblem {
    PackedView packed = {}; ///< for methods that read k bits
    DenseView dense = {};   ///< for dense methods
    DenseOut out = {};      ///< for dequantising
    std::int64_t rowsM = 0;
    const float* x = nullptr; ///< [rowsM][k]
    float* y = nullptr;       ///< [rowsM][n], overwritten
};

/// Runs kernels on a fixed number of threads. Results do not depend on the number of threads. Nothing is
/// allocated by a call whose like has run before. One call at a time.
class HostRunner {
public:
    explicit HostRunner(unsigned threads = 0, std::optional<OpenBlas> blas = {});

    [[nodiscard]] unsigned threads() const { return pool_.threads(); }

    [[nodiscard]] const std::optional<OpenBlas>& openBlas() const { return blas_; }

    /// Preconditions: the kernel is one of hostKernels, the problems have what its method reads.
    void run(const HostKernel& kernel, std::span<const HostProblem> problems);
    void run(const HostKernel& kernel, const HostProblem& problem) { run(kernel, {&problem, 1}); }

    /// Attention by the set's kernels; preconditions as AttentionRunner's.
    void run(InstructionSet set, const AttentionJob& job) { attention_.run(pool_, kernelTable(set), job); }

    /// The threads, for who watches whether they run.
    [[nodiscard]] WorkerPool& pool() { return pool_; }

    /// Reads `bytes` (a multiple of 64) once on all threads: the bandwidth ceiling. The sum keeps it honest.
    std::uint64_t read(InstructionSet set, const void* data, std::size_t bytes);
    /// Copies `bytes` (a multiple of 64) on all threads; `to` aligned to 64 bytes.
    void copy(InstructionSet set, void* to, const void* from, std::size_t bytes);
    /// Writes `bytes` (a multiple of 64) on all threads; `to` aligned to 64 bytes.
    void write(InstructionSet set, void* to, std::size_t bytes);

private:
    struct Part {
        std::size_t problem = 0;
        UnitRange groups;
    };

    void prepare(const KernelTable& table, const HostMethodSpec& method,
                 std::span<const HostProblem> problems);
    void splitIntoParts(const HostMethodSpec& method, std::span<const HostProblem> problems);
    void runOpenBlas(std::span<const HostProblem> problems);
    /// body(part, first byte, bytes) on all threads.
    template <typename Body>
    void forEachPart(std::size_t bytes, Body body);
    [[nodiscard]] LaneJob laneJob(const HostProblem& problem, std::size_t index) const;
    [[nodiscard]] DenseJob denseJob(const HostProblem& problem, std::size_t index) const;

    /// The input of a problem as its kernel wants it.
    struct Prepared {
        AlignedVector<float> xTiles;
        AlignedVector<std::int8_t> x8;
        AlignedVector<float> x8Scale;
        AlignedVector<std::int32_t> x8Sum;
    };

    WorkerPool pool_;
    std::optional<OpenBlas> blas_;
    AttentionRunner attention_;
    std::vector<AlignedVector<float>> scratch_; ///< per worker
    std::vector<Prepared> prepared_;            ///< per problem
    std::vector<Part> parts_;
    std::vector<std::uint64_t> sums_; ///< per part of read
    AlignedVector<float> books_;      ///< 16 floats for each of k = 2..5, by field
    AlignedVector<std::int8_t> books8_;
};

} // namespace loadline::gpu
