// Devices and errors of the made-up runtime.
#include "tests/gpu/rehearse/machine.h"

#include <cstdio>
#include <cstring>
#include <utility>

using namespace loadline::gpu::rehearse;

namespace {

bool isThere(const Machine& m, int device) {
    return device >= 0 && device < static_cast<int>(m.stage.devices.size());
}

} // namespace

extern "C" {

cudaError_t cudaDriverGetVersion(int* version) {
    *version = machine().stage.driverCuda;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    if (machine().stage.driverCuda != 0 && machine().stage.driverCuda < CUDART_VERSION) {
        return machine().last = cudaErrorInsufficientDriver;
    }
    return call([&](Machine& m) {
        *count = static_cast<int>(m.stage.devices.size());
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&](Machine& m) {
        if (!isThere(m, device)) {
            return cudaErrorInvalidDevice;
        }
        const StagedDevice& staged = m.device(device);
        *properties = {};
        std::snprintf(properties->name, sizeof properties->name, "%s", staged.name.c_str());
        properties->uuid.bytes[0] = static_cast<char>(device + 1);
        properties->major = staged.computeMajor;
        properties->minor = staged.computeMinor;
        properties->multiProcessorCount = staged.multiprocessors;
        properties->sharedMemPerBlockOptin = static_cast<std::size_t>(staged.sharedPerBlockBytes);
        properties->l2CacheSize = static_cast<int>(staged.l2Bytes);
        properties->totalGlobalMem = static_cast<std::size_t>(staged.memoryBytes);
        properties->memoryBusWidth = staged.busWidthBits;
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&](Machine& m) {
        if (!isThere(m, device)) {
            return cudaErrorInvalidDevice;
        }
        switch (attribute) {
        case cudaDevAttrClockRate:
            *value = m.device(device).smClockMHz * 1000;
            return cudaSuccess;
        case cudaDevAttrMemoryClockRate:
            *value = m.device(device).memoryClockMHz * 1000;
            return cudaSuccess;
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
            *value = m.device(device).sharedPerMultiprocessorBytes;
            return cudaSuccess;
        default:
            return cudaErrorInvalidValue;
        }
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* id, int bytes, int device) {
    return call([&](Machine& m) {
        if (!isThere(m, device)) {
            return cudaErrorInvalidDevice;
        }
        std::snprintf(id, static_cast<std::size_t>(bytes), "0000:%02x:00.0", device + 1);
        return cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device) {
    return call([&](Machine& m) {
        if (!isThere(m, device)) {
            return cudaErrorInvalidDevice;
        }
        m.current = device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetLastError() {
    Machine& m = machine();
    return m.sticky != cudaSuccess ? m.sticky : std::exchange(m.last, cudaSuccess);
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
    case cudaErrorMemoryAllocation:
        return "cudaErrorMemoryAllocation";
    case cudaErrorIllegalAddress:
        return "cudaErrorIllegalAddress";
    case cudaErrorInvalidValue:
        return "cudaErrorInvalidValue";
    default:
        return "another error";
    }
}

const char* cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorMemoryAllocation ? "out of memory" : "made-up words";
}

} // extern "C"
