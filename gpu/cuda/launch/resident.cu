// How many blocks of a kernel a multiprocessor holds at once.
#include "gpu/cuda/launch/launch.cuh"

#include <algorithm>

namespace loadline::gpu {

cudaError_t residentBlocks(const LaunchDevice& device, const void* kernel, int threads, int shared,
                           int& blocks) {
    blocks = 0;
    if (device.kernels != nullptr) {
        if (const auto known = device.kernels->find(kernel); known != device.kernels->end()) {
            blocks = known->second;
            return cudaSuccess;
        }
    }
    if (shared <= device.sharedPerBlock) {
        if (const cudaError_t error =
                cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared);
            error != cudaSuccess) {
            return error;
        }
        if (const cudaError_t error = cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
                &blocks, kernel, threads, static_cast<std::size_t>(shared), cudaOccupancyDefault);
            error != cudaSuccess) {
            return error;
        }
        if (blocks > 0 && device.sharedPerMultiprocessor > 0) {
            // Room for all of them and no more: what is left caches x. Each has a system's KiB beside its
            // own.
            const int percent =
                (100 * blocks * ((shared + 1024) / 1024 + 1) * 1024 - 1) / device.sharedPerMultiprocessor + 1;
            if (const cudaError_t error = cudaFuncSetAttribute(
                    kernel, cudaFuncAttributePreferredSharedMemoryCarveout, std::min(percent, 100));
                error != cudaSuccess) {
                return error;
            }
        }
    }
    if (device.kernels != nullptr) {
        device.kernels->emplace(kernel, blocks);
    }
    return cudaSuccess;
}

} // namespace loadline::gpu
