// A made-up cuBLAS: the functions that the plugin looks up, computed on the host in the stream's order.
#include "tests/gpu/emulate/half.h"
#include "tests/gpu/rehearse/blas.h"

#include <bit>
#include <cstdint>
#include <cstdlib>

namespace {

using namespace loadline::gpu;

constexpr int notInitialized = 1; // cublasStatus_t
constexpr int invalidValue = 7;
constexpr int executionFailed = 13;
constexpr int typeHalf = 2; // cudaDataType_t
constexpr int typeBFloat = 14;
constexpr double mostProducts = 1e8; // more are not computed

struct Handle {
    CUstream_st* stream = nullptr;
    const void* workspace = nullptr;
};

float valueOf(std::uint16_t bits, int type) {
    return type == typeBFloat ? std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U)
                              : emulate::halfToFloat(bits);
}

std::uint16_t bitsOf(double value, int type) {
    if (type != typeBFloat) {
        return emulate::halfFromDouble(value);
    }
    const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(value));
    return static_cast<std::uint16_t>((bits + 0x7fffU + (bits >> 16U & 1U)) >> 16U);
}

struct Matrices {
    int m, n, k;
    const std::uint16_t *a, *b;
    std::uint16_t* c;
    int ldA, ldB, ldC, type;
};

/// C[m, n] = A^T B by columns.
void multiply(const Matrices& g) {
    for (std::int64_t column = 0; column < g.n; ++column) {
        for (std::int64_t row = 0; row < g.m; ++row) {
            double sum = 0;
            for (std::int64_t i = 0; i < g.k; ++i) {
                sum += static_cast<double>(valueOf(g.a[row * g.ldA + i], g.type)) *
                       valueOf(g.b[column * g.ldB + i], g.type);
            }
            g.c[column * g.ldC + row] = bitsOf(sum, g.type);
        }
    }
}

int gemm(Handle* handle, int opA, int opB, Matrices g, const void* alpha, const void* beta, long long strideA,
         long long strideB, long long strideC, int count, int compute) {
    using namespace rehearse;
    if (handle == nullptr || hasFaulted()) {
        return handle == nullptr ? notInitialized : executionFailed;
    }
    expectThat(handle->workspace != nullptr, "cuBLAS works without a workspace of its own");
    expectThat(isStream(handle->stream), "cuBLAS works on a stream that is not there");
    expectThat(compute == 68, "not CUBLAS_COMPUTE_32F"); // the constants are not rehearsed otherwise
    expectThat(*static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0,
               "alpha and beta of another product");
    if (opA != 1 || opB != 0 || g.m < 1 || g.n < 1 || g.k < 1 || g.ldA < g.k || g.ldB < g.k || g.ldC < g.m ||
        (g.type != typeHalf && g.type != typeBFloat) || count < 1) {
        return invalidValue;
    }
    const auto bytes = [&](long long stride, std::int64_t ld, std::int64_t columns) {
        return static_cast<std::size_t>((count - 1) * stride + ld * columns) * 2;
    };
    expectDeviceMemory(g.a, bytes(strideA, g.ldA, g.m), "A");
    expectDeviceMemory(g.b, bytes(strideB, g.ldB, g.n), "B");
    expectDeviceMemory(g.c, bytes(strideC, g.ldC, g.n), "C");
    const double products = static_cast<double>(g.m) * g.n * g.k * count;
    queueGemm(handle->stream, 3 + products * 2 / 5e8, [=] {
        for (int i = 0; i < count && products <= mostProducts; ++i) {
            Matrices one = g;
            one.a += i * strideA;
            one.b += i * strideB;
            one.c += i * strideC;
            multiply(one);
        }
    });
    return 0;
}

} // namespace

// NOLINTBEGIN(readability-identifier-naming): names of the library
extern "C" {

int cublasCreate_v2(void** handle) {
    const char* const status = std::getenv("LOADLINE_REHEARSED_CUBLAS_STATUS");
    *handle = nullptr;
    if (status != nullptr && *status != 0) {
        return std::atoi(status);
    }
    *handle = new Handle;
    return 0;
}

int cublasDestroy_v2(void* handle) {
    const auto* const mine = static_cast<Handle*>(handle);
    rehearse::expectThat(mine->stream == nullptr || rehearse::isStream(mine->stream),
                         "cuBLAS ends after the stream it was given");
    delete mine;
    return 0;
}

int cublasSetStream_v2(void* handle, CUstream_st* stream) {
    static_cast<Handle*>(handle)->stream = stream;
    static_cast<Handle*>(handle)->workspace = nullptr; // as cuBLAS does: back to its own pool
    return 0;
}

int cublasSetWorkspace_v2(void* handle, void* workspace, std::size_t bytes) {
    rehearse::expectDeviceMemory(workspace, bytes, "workspace");
    static_cast<Handle*>(handle)->workspace = workspace;
    return 0;
}

int cublasGetProperty(int which, int* value) {
    constexpr int version[] = {13, 1, 0};
    *value = version[which];
    return 0;
}

int cublasGemmEx(void* handle, int opA, int opB, int m, int n, int k, const void* alpha, const void* a,
                 int typeA, int ldA, const void* b, int typeB, int ldB, const void* beta, void* c, int typeC,
                 int ldC, int compute, int) {
    rehearse::expectThat(typeA == typeB && typeB == typeC, "matrices of different types");
    return gemm(static_cast<Handle*>(handle), opA, opB,
                {m, n, k, static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                 static_cast<std::uint16_t*>(c), ldA, ldB, ldC, typeA},
                alpha, beta, 0, 0, 0, 1, compute);
}

int cublasGemmStridedBatchedEx(void* handle, int opA, int opB, int m, int n, int k, const void* alpha,
                               const void* a, int typeA, int ldA, long long strideA, const void* b, int typeB,
                               int ldB, long long strideB, const void* beta, void* c, int typeC, int ldC,
                               long long strideC, int count, int compute, int) {
    rehearse::expectThat(typeA == typeB && typeB == typeC, "matrices of different types");
    return gemm(static_cast<Handle*>(handle), opA, opB,
                {m, n, k, static_cast<const std::uint16_t*>(a), static_cast<const std::uint16_t*>(b),
                 static_cast<std::uint16_t*>(c), ldA, ldB, ldC, typeA},
                alpha, beta, strideA, strideB, strideC, count, compute);
}

} // extern "C"
// NOLINTEND(readability-identifier-naming)
