// Asking driver, runtime and NVML what there is.
#include "gpu/cuda/device/cublas.cuh"
#include "gpu/cuda/device/facts.cuh"
#include "gpu/cuda/device/nvml.cuh"

#include <array>
#include <atomic>
#include <cstdio>

namespace loadline::gpu {

Outcome probeDriver(int& devices) {
    devices = 0;
    int driver = 0;
    cudaDriverGetVersion(&driver);
    if (driver == 0) {
        return {CudaStatus::NoDriver, "No NVIDIA driver: kernels can only be measured on the CPU."};
    }
    const cudaError_t error = cudaGetDeviceCount(&devices);
    if (error == cudaErrorInsufficientDriver) {
        cudaGetLastError();
        devices = 0;
        return {CudaStatus::DriverTooOld, "The NVIDIA driver supports CUDA " + cudaVersionText(driver) +
                                              " and the plugin needs " + cudaVersionText(CUDART_VERSION) +
                                              ": a newer driver would let this GPU be measured."};
    }
    if (error == cudaErrorNoDevice || (error == cudaSuccess && devices == 0)) {
        cudaGetLastError();
        devices = 0;
        return {CudaStatus::NoDevice, "There is an NVIDIA driver, but no GPU it can use."};
    }
    if (error != cudaSuccess) {
        devices = 0;
        Outcome outcome = outcomeOf(error, "looking for GPUs");
        outcome.status = CudaStatus::NoDevice;
        return outcome;
    }
    return {CudaStatus::Ok, std::to_string(devices) + (devices == 1 ? " GPU" : " GPUs") +
                                ", driver for CUDA " + cudaVersionText(driver)};
}

CudaProbe probeMachine() {
    CudaProbe probe = {};
    cudaDriverGetVersion(&probe.driverCuda);
    probe.runtimeCuda = CUDART_VERSION;
#ifdef __CUDACC_VER_MAJOR__
    probe.nvcc = 100 * __CUDACC_VER_MAJOR__ + __CUDACC_VER_MINOR__;
#endif
    int devices = 0;
    const Outcome driver = probeDriver(devices);
    probe.status = driver.status;
    probe.devices = devices;
    setText(probe.message, driver.message);
    const CublasLibrary& blas = CublasLibrary::get();
    probe.cublasVersion = blas.version();
    setText(probe.cublasMessage, blas.message());
    probe.nvmlFound = nvmlFound() ? 1 : 0;
    return probe;
}

namespace {

/// FNV-1a over salt and UUID: eight digits say "the same device again" and nothing else.
std::string identityOf(const char* salt, const cudaUUID_t& uuid) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    const auto add = [&](char c) { hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U; };
    for (const char* c = salt; c != nullptr && *c != 0; ++c) {
        add(*c);
    }
    for (const char c : uuid.bytes) {
        add(c);
    }
    char digits[9] = {};
    std::snprintf(digits, sizeof digits, "%08x", static_cast<unsigned>(hash ^ hash >> 32U));
    return digits;
}

/// True if this process has made its context on the device, which stays until its end.
std::atomic<bool>& hasContext(int device) {
    static std::array<std::atomic<bool>, 64> made{};
    return made[static_cast<std::size_t>(device) % made.size()];
}

int attributeOf(int device, cudaDeviceAttr attribute) {
    int value = 0;
    if (cudaDeviceGetAttribute(&value, attribute, device) != cudaSuccess) {
        forgetErrors();
        return 0;
    }
    return value;
}

} // namespace

int sharedPerMultiprocessorOf(int device) {
    return attributeOf(device, cudaDevAttrMaxSharedMemoryPerMultiprocessor);
}

Outcome readDeviceFacts(int device, const char* salt, CudaDeviceFacts& facts) {
    facts = {};
    facts.eccOn = facts.migOn = facts.persistenceOn = facts.otherProcesses = -1;
    int devices = 0;
    if (Outcome driver = probeDriver(devices); !driver) {
        return driver;
    }
    cudaDeviceProp properties{};
    if (Outcome outcome =
            outcomeOf(cudaGetDeviceProperties(&properties, device), "reading the device's facts");
        !outcome) {
        return outcome;
    }
    setText(facts.name, properties.name);
    setText(facts.identity, identityOf(salt, properties.uuid));
    facts.computeMajor = properties.major;
    facts.computeMinor = properties.minor;
    facts.multiprocessors = properties.multiProcessorCount;
    facts.sharedPerBlockBytes = static_cast<std::int32_t>(properties.sharedMemPerBlockOptin);
    facts.l2Bytes = properties.l2CacheSize;
    facts.memoryBytes = static_cast<std::int64_t>(properties.totalGlobalMem);
    facts.busWidthBits = properties.memoryBusWidth;
    facts.eccOn = properties.ECCEnabled;
    // CUDA 13 keeps clocks out of cudaDeviceProp; attributes are in kHz.
    facts.smClockMaxMHz = attributeOf(device, cudaDevAttrClockRate) / 1000;
    facts.memoryClockMaxMHz = attributeOf(device, cudaDevAttrMemoryClockRate) / 1000;
    facts.cublasVersion = CublasLibrary::get().version();
    char pci[32] = {};
    if (cudaDeviceGetPCIBusId(pci, sizeof pci, device) == cudaSuccess) {
        readNvmlFacts(pci, hasContext(device), facts);
    }
    forgetErrors();
    std::size_t freeBytes = 0;
    std::size_t totalBytes = 0;
    Outcome outcome = outcomeOf(cudaSetDevice(device), "choosing the device");
    if (outcome) {
        hasContext(device) = true;
        outcome = outcomeOf(cudaMemGetInfo(&freeBytes, &totalBytes), "asking for free memory");
    }
    facts.memoryFreeBytes = static_cast<std::int64_t>(freeBytes);
    return outcome;
}

Outcome readHealth(int device, CudaHealth& health) {
    health = {-1, -1, -1, -1, 0};
    int devices = 0;
    if (Outcome driver = probeDriver(devices); !driver) {
        return driver;
    }
    char pci[32] = {};
    Outcome outcome = outcomeOf(cudaDeviceGetPCIBusId(pci, sizeof pci, device), "finding the device");
    if (outcome) {
        readNvmlHealth(pci, health);
    }
    return outcome;
}

} // namespace loadline::gpu
