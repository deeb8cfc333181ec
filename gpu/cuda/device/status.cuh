// Translates the runtime's errors to the plugin's, each with a sentence.
#pragma once

#include "gpu/cuda/plugin_abi.h"

#include <cuda_runtime_api.h>

#include <string>

namespace loadline::gpu {

/// A status and what lastError says about it.
struct Outcome {
    CudaStatus status = CudaStatus::Ok;
    std::string message;

    explicit operator bool() const { return status == CudaStatus::Ok; }
};

/// `during`: what was tried, "copying weights". Clears errors that can be cleared.
Outcome outcomeOf(cudaError_t error, const char* during);

/// Clears the error that the runtime keeps for the next to ask, who would take it for his own launch's: for
/// calls that may fail.
void forgetErrors();

/// Copies text into a field of a struct, cut to fit.
template <std::size_t Size>
void setText(char (&to)[Size], const std::string& text) {
    const std::size_t length = text.size() < Size ? text.size() : Size - 1;
    text.copy(to, length);
    to[length] = 0;
}

/// 13000 -> "13.0".
std::string cudaVersionText(int version);

} // namespace loadline::gpu
