// Ceilings, fillings and clocks as kernels.
#include "gpu/cuda/lane/device_lane.cuh"
#include "gpu/cuda/launch/streams.cuh"

#include <algorithm>

namespace loadline::gpu {

namespace {

__global__ void emptyKernel() {}

__global__ void __launch_bounds__(ceilingThreads) readKernel(CeilingArgs args) {
    readAll(DeviceLane{}, args);
}
__global__ void __launch_bounds__(ceilingThreads) writeKernel(CeilingArgs args) {
    writeAll(DeviceLane{}, args);
}
__global__ void __launch_bounds__(ceilingThreads) copyKernel(CeilingArgs args) {
    copyAll(DeviceLane{}, args);
}
__global__ void __launch_bounds__(fillThreads) fillKernel(FillArgs args) {
    fill(DeviceLane{}, args);
}

__global__ void readClocksKernel(ClockReading* to) {
    unsigned id = 0;
    ClockReading reading;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(reading.nanoseconds));
    reading.cycles = static_cast<std::uint64_t>(clock64());
    if (id < clockSlots) {
        to[id] = reading;
    }
}

__global__ void sharedOriginKernel(std::uint32_t* to) {
    *to = DeviceLane{}.sharedAddress();
}

__global__ void spinKernel(long long cycles) {
    const long long begin = clock64();
    while (clock64() - begin < cycles) {
    }
}

/// Blocks that fill the device's threads once.
unsigned gridFor(std::int64_t chunks, int threads, const LaunchDevice& device) {
    const std::int64_t needed = (chunks + threads - 1) / threads;
    return static_cast<unsigned>(
        std::clamp<std::int64_t>(needed, 1, 2048 / threads * device.multiprocessors));
}

} // namespace

cudaError_t launchEmpty(cudaStream_t stream) {
    emptyKernel<<<1, 1, 0, stream>>>();
    return cudaGetLastError();
}

cudaError_t launchRead(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    readKernel<<<gridFor(args.chunks, ceilingThreads, device), ceilingThreads, 0, stream>>>(args);
    return cudaGetLastError();
}

cudaError_t launchWrite(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    writeKernel<<<gridFor(args.chunks, ceilingThreads, device), ceilingThreads, 0, stream>>>(args);
    return cudaGetLastError();
}

cudaError_t launchCopy(const CeilingArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    copyKernel<<<gridFor(args.chunks, ceilingThreads, device), ceilingThreads, 0, stream>>>(args);
    return cudaGetLastError();
}

cudaError_t launchFill(const FillArgs& args, const LaunchDevice& device, cudaStream_t stream) {
    fillKernel<<<gridFor(args.chunks, fillThreads, device), fillThreads, 0, stream>>>(args);
    return cudaGetLastError();
}

cudaError_t launchReadClocks(ClockReading* to, const LaunchDevice& device, cudaStream_t stream) {
    readClocksKernel<<<static_cast<unsigned>(device.multiprocessors), 1, 0, stream>>>(to);
    return cudaGetLastError();
}

cudaError_t launchSharedOrigin(std::uint32_t* to, cudaStream_t stream) {
    sharedOriginKernel<<<1, 1, 1024, stream>>>(to);
    return cudaGetLastError();
}

cudaError_t launchSpin(std::int64_t cycles, cudaStream_t stream) {
    spinKernel<<<1, 1, 0, stream>>>(cycles);
    return cudaGetLastError();
}

} // namespace loadline::gpu
