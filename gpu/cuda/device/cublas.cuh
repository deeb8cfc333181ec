// cuBLAS, opened when it is there: fp16 and bf16 GEMMs with fp32 sums.
#pragma once

#include "gpu/cuda/device/shared_library.cuh"
#include "gpu/cuda/device/status.cuh"

#include <cstdint>

namespace loadline::gpu {

/// The library alone; one for the process.
class CublasLibrary {
public:
    /// Relative paths are ignored. Tried in this order: $LOADLINE_CUBLAS, the loader's own search by soname,
    /// $CUDA_PATH and $CUDA_HOME, the usual places of toolkits and of Python's packages beside $VIRTUAL_ENV
    /// and $CONDA_PREFIX.
    static const CublasLibrary& get();

    [[nodiscard]] bool found() const { return usable_; }
    /// It is there and does not start, "(status 1)": as if it had not been found, and message says why.
    void giveUp(int status) const;
    [[nodiscard]] int version() const { return version_; } ///< 10000 major + 100 minor + patch; 0: not found
    [[nodiscard]] std::string message() const;             ///< where it is, or that it was not found

    // cuBLAS's own signatures, enumerations as int: its headers may be absent or of another version.
    int (*create)(void** handle) = nullptr;
    int (*destroy)(void* handle) = nullptr;
    int (*setStream)(void* handle, cudaStream_t stream) = nullptr;
    int (*setWorkspace)(void* handle, void* workspace, std::size_t bytes) = nullptr;
    int (*gemm)(void* handle, int opA, int opB, int m, int n, int k, const void* alpha, const void* a,
                int typeA, int lda, const void* b, int typeB, int ldb, const void* beta, void* c, int typeC,
                int ldc, int compute, int algorithm) = nullptr;
    int (*gemmBatched)(void* handle, int opA, int opB, int m, int n, int k, const void* alpha, const void* a,
                       int typeA, int lda, long long strideA, const void* b, int typeB, int ldb,
                       long long strideB, const void* beta, void* c, int typeC, int ldc, long long strideC,
                       int count, int compute, int algorithm) = nullptr;

private:
    CublasLibrary();
    SharedLibrary library_;
    mutable bool usable_ = false;
    mutable int version_ = 0;
    mutable int failedStatus_ = 0;
};

/// A handle on a stream with its own workspace, so that its work can be captured into a graph.
class Cublas {
public:
    ~Cublas() { close(); }
    /// Ok without being open where cuBLAS does not start.
    Outcome open(cudaStream_t stream);
    /// Closes the handle. Call it before its stream ends.
    void close();
    [[nodiscard]] bool isOpen() const { return handle_ != nullptr; }

    /// y[m, n] = x[m, k] W[n, k]^T, all row by row, `count` of them one after the other. Halves are fp16 or
    /// bf16.
    Outcome gemm(const void* x, const void* weights, void* y, std::int64_t m, std::int64_t n, std::int64_t k,
                 bool bfloat, int count) const;

private:
    void* handle_ = nullptr;
    void* workspace_ = nullptr;
};

} // namespace loadline::gpu
