#include "gpu/host/machine/open_blas.h"

#include <vector>

#if defined(__unix__)
#include <dlfcn.h>
#endif

namespace loadline::gpu {
namespace {

constexpr int rowMajor = 101; // CBLAS_ORDER, CBLAS_TRANSPOSE
constexpr int noTrans = 111;
constexpr int trans = 112;

#if defined(__unix__)
template <typename Function>
Function symbol(void* library, const char* name) {
    return reinterpret_cast<Function>(dlsym(library, name));
}

Error missing(const std::string& what, const std::string& where) {
    return {.what = what,
            .where = where,
            .remedy =
                "install OpenBLAS (Debian: libopenblas0); without it Loadline's own fp32 GEMM is timed"};
}
#endif

} // namespace

Result<OpenBlas> OpenBlas::load(const std::string& path) {
#if defined(__unix__)
    const std::vector<std::string> names =
        path.empty() ? std::vector<std::string>{"libopenblas.so.0", "libopenblas.so", "libopenblas.0.dylib"}
                     : std::vector<std::string>{path};
    void* library = nullptr;
    for (const std::string& name : names) {
        library = library == nullptr ? dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL) : library;
    }
    if (library == nullptr) {
        return missing("OpenBLAS cannot be loaded", names.front());
    }
    OpenBlas blas;
    blas.setThreads_ = symbol<SetThreads>(library, "openblas_set_num_threads");
    blas.sgemv_ = symbol<Sgemv>(library, "cblas_sgemv");
    blas.sgemm_ = symbol<Sgemm>(library, "cblas_sgemm");
    const auto config = symbol<const char* (*)()>(library, "openblas_get_config");
    const auto core = symbol<const char* (*)()>(library, "openblas_get_corename");
    if (blas.setThreads_ == nullptr || blas.sgemv_ == nullptr || blas.sgemm_ == nullptr) {
        return missing("the library is no OpenBLAS with CBLAS functions", names.front());
    }
    blas.description_ = config != nullptr ? config() : "OpenBLAS";
    while (blas.description_.ends_with(' ')) {
        blas.description_.pop_back();
    }
    if (core != nullptr) {
        blas.description_ += std::string(", kernels for ") + core();
    }
    return blas;
#else
    return Error{.what = "OpenBLAS is looked for on Unix only", .where = path, .remedy = {}};
#endif
}

void OpenBlas::setThreads(int threads) const {
    setThreads_(threads);
}

void OpenBlas::run(const DenseJob& job) const {
    const auto k = static_cast<int>(job.k);
    const auto n = static_cast<int>(job.n);
    const auto m = static_cast<int>(job.rowsM);
    if (m == 1) {
        sgemv_(rowMajor, noTrans, n, k, 1, job.fp32, k, job.x, 1, 0, job.y, 1);
    } else {
        sgemm_(rowMajor, noTrans, trans, m, n, k, 1, job.x, k, job.fp32, k, 0, job.y, n);
    }
}

} // namespace loadline::gpu
