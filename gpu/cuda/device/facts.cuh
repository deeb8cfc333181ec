// What machine and devices are: probe, facts, health.
#pragma once

#include "gpu/cuda/device/status.cuh"

namespace loadline::gpu {

CudaProbe probeMachine();
/// Ok, NoDriver, DriverTooOld or NoDevice, in a sentence that says what it means.
Outcome probeDriver(int& devices);
Outcome readDeviceFacts(int device, const char* salt, CudaDeviceFacts& facts);
Outcome readHealth(int device, CudaHealth& health);

} // namespace loadline::gpu
