// Translates the runtime's errors for the plugin's user.
#include "gpu/cuda/device/status.cuh"

namespace loadline::gpu {

namespace {

CudaStatus statusOf(cudaError_t error) {
    switch (error) {
    case cudaSuccess:
        return CudaStatus::Ok;
    case cudaErrorInsufficientDriver:
        return CudaStatus::DriverTooOld;
    case cudaErrorNoDevice:
    case cudaErrorDevicesUnavailable:
        return CudaStatus::NoDevice;
    case cudaErrorMemoryAllocation:
        return CudaStatus::OutOfMemory;
    case cudaErrorInvalidValue:
    case cudaErrorInvalidConfiguration:
    case cudaErrorInvalidDeviceFunction:
    case cudaErrorNoKernelImageForDevice:
        return CudaStatus::NotSupported;
    case cudaErrorIllegalAddress:
    case cudaErrorIllegalInstruction:
    case cudaErrorInvalidPc:
    case cudaErrorInvalidAddressSpace:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorLaunchTimeout:
    case cudaErrorHardwareStackError:
    case cudaErrorAssert:
    case cudaErrorECCUncorrectable:
        return CudaStatus::DeviceFault;
    default:
        return CudaStatus::Failed;
    }
}

} // namespace

Outcome outcomeOf(cudaError_t error, const char* during) {
    if (error == cudaSuccess) {
        return {};
    }
    forgetErrors();
    return {statusOf(error),
            std::string(during) + ": " + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")"};
}

void forgetErrors() {
    cudaGetLastError();
}

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

} // namespace loadline::gpu
