// What the made-up cuBLAS asks of the made-up runtime.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

struct CUstream_st;

namespace loadline::gpu::rehearse {

/// One GEMM of a library on a stream.
void queueGemm(CUstream_st* stream, double us, const std::function<void()>& run);
/// Tells of memory that is not the device's.
void expectDeviceMemory(const void* at, std::size_t bytes, const std::string& name);
void expectThat(bool holds, const std::string& sentence);
bool isStream(const CUstream_st* stream);
/// Whether nothing happens on the device any more.
bool hasFaulted();

} // namespace loadline::gpu::rehearse
