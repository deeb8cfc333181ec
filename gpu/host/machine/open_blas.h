// OpenBLAS where it is installed: found when the program runs, never linked.
#pragma once

#include "core/base/result.h"
#include "gpu/host/kernel/kernel_table.h"

#include <string>

namespace loadline::gpu {

/// fp32 matrix products by OpenBLAS. The library stays loaded until the program ends.
class OpenBlas {
public:
    /// `path`: a library file; empty: the names under which systems install it. The error says what was
    /// missing.
    static Result<OpenBlas> load(const std::string& path = {});

    /// Returns the name that the library gives itself: version and the processor it chose its kernels for.
    [[nodiscard]] const std::string& description() const { return description_; }

    /// Threads of the following calls, for the whole program.
    void setThreads(int threads) const;
    /// job.y by sgemv (M = 1) or sgemm; job.fp32 only.
    void run(const DenseJob& job) const;

private:
    using SetThreads = void (*)(int);
    using Sgemv = void (*)(int order, int trans, int m, int n, float alpha, const float* a, int lda,
                           const float* x, int incX, float beta, float* y, int incY);
    using Sgemm = void (*)(int order, int transA, int transB, int m, int n, int k, float alpha,
                           const float* a, int lda, const float* b, int ldb, float beta, float* c, int ldc);

    SetThreads setThreads_ = nullptr;
    Sgemv sgemv_ = nullptr;
    Sgemm sgemm_ = nullptr;
    std::string description_;
};

} // namespace loadline::gpu
