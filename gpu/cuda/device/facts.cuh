// Facts about machine and devices: probe, facts, health.
#pragma once

#include "gpu/cuda/device/status.cuh"

namespace loadline::gpu {

CudaProbe probeMachine();
/// Ok, NoDriver, DriverTooOld or NoDevice, in a sentence that says what it means.
Outcome probeDriver(int& devices);
/// Bytes of shared memory of a multiprocessor; 0: not known.
int sharedPerMultiprocessorOf(int device);
Outcome readDeviceFacts(int device, const char* salt, CudaDeviceFacts& facts);
Outcome readHealth(int device, CudaHealth& health);

} // namespace loadline::gpu
