// Finding cuBLAS, and calling it without its headers.
#include "gpu/cuda/device/cublas.cuh"

#include <cstdlib>
#include <filesystem>
#include <utility>

namespace loadline::gpu {

namespace {

// cuBLAS's enumerators (cublas_api.h, library_types.h).
constexpr int opNone = 0;
constexpr int opTransposed = 1;
constexpr int typeHalf = 2;
constexpr int typeBFloat = 14;
constexpr int computeFloat = 68;
constexpr int algorithmDefault = -1;
constexpr int allocationFailed = 3; // CUBLAS_STATUS_ALLOC_FAILED
constexpr std::size_t workspaceBytes = std::size_t{32} << 20U;

std::vector<std::string> candidates() {
    std::vector<std::string> names;
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::filesystem::path(value == nullptr ? "" : value);
    };
    // A relative path would open whatever lies where the program happens to be started.
    const auto folder = [&](const char* name) {
        const std::filesystem::path path = variable(name);
        return path.is_absolute() ? path.string() : std::string();
    };
    // A name without a folder is searched by the loader, which leaves the current folder out.
    if (const auto chosen = variable("LOADLINE_CUBLAS");
        chosen.is_absolute() || (!chosen.empty() && !chosen.has_parent_path())) {
        names.push_back(chosen.string());
    }
#ifdef _WIN32
    const std::vector<std::string> files = {"cublas64_13.dll", "cublas64_12.dll", "cublas64_11.dll"};
    const std::string inToolkit = "\\bin\\";
    const std::string inToolkit13 = "\\bin\\x64\\";
#else
    std::vector<std::string> files = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"};
    if (CUDART_VERSION < 13000) {
        std::swap(files[0], files[1]);
    }
    const std::string inToolkit = "/lib64/";
    const std::string inToolkit13 = "/targets/x86_64-linux/lib/";
#endif
    names.insert(names.end(), files.begin(), files.end());
    std::vector<std::string> toolkits = {folder("CUDA_PATH"), folder("CUDA_HOME")};
#ifndef _WIN32
    toolkits.insert(toolkits.end(),
                    {"/usr/local/cuda", "/usr/local/cuda-13", "/usr/local/cuda-12", "/opt/cuda"});
#endif
    for (const std::string& toolkit : toolkits) {
        for (const std::string& file : files) {
            if (!toolkit.empty()) {
                names.push_back(toolkit + inToolkit + file);
                names.push_back(toolkit + inToolkit13 + file);
            }
        }
    }
#ifndef _WIN32
    for (const char* prefix : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const std::string root = folder(prefix);
        for (int minor = 9; minor <= 14 && !root.empty(); ++minor) {
            const std::string site =
                root + "/lib/python3." + std::to_string(minor) + "/site-packages/nvidia/";
            names.push_back(site + "cu13/lib/libcublas.so.13");
            names.push_back(site + "cublas/lib/libcublas.so.12");
        }
    }
#endif
    return names;
}

Outcome blasOutcome(int status, const char* during) {
    if (status == 0) {
        return {};
    }
    const auto kind = status == allocationFailed ? CudaStatus::OutOfMemory : CudaStatus::Failed;
    return {kind, std::string(during) + ": cuBLAS status " + std::to_string(status)};
}

} // namespace

const CublasLibrary& CublasLibrary::get() {
    static const CublasLibrary library;
    return library;
}

CublasLibrary::CublasLibrary() {
    if (!library_.open(candidates())) {
        return;
    }
    int (*property)(int which, int* value) = nullptr;
    usable_ = library_.find(create, "cublasCreate_v2") && library_.find(destroy, "cublasDestroy_v2") &&
              library_.find(setStream, "cublasSetStream_v2") &&
              library_.find(setWorkspace, "cublasSetWorkspace_v2") && library_.find(gemm, "cublasGemmEx") &&
              library_.find(gemmBatched, "cublasGemmStridedBatchedEx") &&
              library_.find(property, "cublasGetProperty");
    if (usable_) {
        int part[3] = {};
        for (int i = 0; i < 3; ++i) {
            property(i, &part[i]);
        }
        version_ = part[0] * 10000 + part[1] * 100 + part[2];
    }
}

void CublasLibrary::giveUp(int status) const {
    usable_ = false;
    version_ = 0;
    failedStatus_ = status;
}

std::string CublasLibrary::message() const {
    if (failedStatus_ != 0) {
        return library_.name() + " does not start (status " + std::to_string(failedStatus_) +
               "): fp16 and bf16 GEMMs are not measured. LOADLINE_CUBLAS can name another, for this driver";
    }
    if (usable_) {
        return "cuBLAS " + std::to_string(version_ / 10000) + "." + std::to_string(version_ / 100 % 100) +
               "." + std::to_string(version_ % 100) + " (" + library_.name() + ")";
    }
    if (library_.isOpen()) {
        return library_.name() +
               " lacks functions of cuBLAS 11 or newer: fp16 and bf16 GEMMs are not measured";
    }
    return "cuBLAS was not found: fp16 and bf16 GEMMs are not measured. LOADLINE_CUBLAS can name the library "
           "by its whole path";
}

void Cublas::close() {
    if (handle_ != nullptr) {
        CublasLibrary::get().destroy(std::exchange(handle_, nullptr));
    }
    cudaFree(std::exchange(workspace_, nullptr));
}

Outcome Cublas::open(cudaStream_t stream) {
    const CublasLibrary& library = CublasLibrary::get();
    if (!library.found()) {
        return {CudaStatus::NoCublas, library.message()};
    }
    Outcome outcome = outcomeOf(cudaMalloc(&workspace_, workspaceBytes), "room for cuBLAS");
    if (!outcome) {
        return outcome;
    }
    if (const int status = library.create(&handle_); status != 0) {
        handle_ = nullptr;
        close();
        forgetErrors();
        if (status != allocationFailed) {
            library.giveUp(status); // of another CUDA than the driver's: our own kernels need it not
            return {};
        }
        return blasOutcome(status, "starting cuBLAS");
    }
    if (outcome) {
        outcome = blasOutcome(library.setStream(handle_, stream), "giving cuBLAS a stream");
    }
    if (outcome) {
        outcome =
            blasOutcome(library.setWorkspace(handle_, workspace_, workspaceBytes), "giving cuBLAS room");
    }
    return outcome;
}

Outcome Cublas::gemm(const void* x, const void* weights, void* y, std::int64_t m, std::int64_t n,
                     std::int64_t k, bool bfloat, int count) const {
    // cuBLAS counts columns first: its C is y transposed, its A is W transposed back.
    const float one = 1;
    const float zero = 0;
    const int type = bfloat ? typeBFloat : typeHalf;
    const auto rows = static_cast<int>(m);
    const auto columns = static_cast<int>(n);
    const auto depth = static_cast<int>(k);
    const CublasLibrary& library = CublasLibrary::get();
    if (count == 1) {
        return blasOutcome(library.gemm(handle_, opTransposed, opNone, columns, rows, depth, &one, weights,
                                        type, depth, x, type, depth, &zero, y, type, columns, computeFloat,
                                        algorithmDefault),
                           "GEMM");
    }
    return blasOutcome(library.gemmBatched(handle_, opTransposed, opNone, columns, rows, depth, &one, weights,
                                           type, depth, n * k, x, type, depth, m * k, &zero, y, type, columns,
                                           m * n, count, computeFloat, algorithmDefault),
                       "batched GEMM");
}

} // namespace loadline::gpu
