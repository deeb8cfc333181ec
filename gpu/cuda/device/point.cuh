// One operation on the device: what it needs, where that lies, and the launch of one node.
#pragma once

#include "gpu/cuda/device/arena.cuh"
#include "gpu/cuda/device/cublas.cuh"
#include "gpu/cuda/kernel/fill.cuh"
#include "gpu/cuda/launch/launch.cuh"

#include <string>
#include <vector>

namespace loadline::gpu {

/// Bytes of everything an operation touches, and what they are filled with.
struct PointNeeds {
    std::int64_t weightBytes = 0, scaleBytes = 0; ///< per copy
    std::int64_t xBytes = 0, yBytes = 0;          ///< per set of activations
    std::int64_t scratchBytes = 0;                ///< shared by all nodes: they run one after the other
    std::int64_t hostBytes = 0;                   ///< each way
    bool pageable = false;                        ///< host memory is not pinned, and nothing is captured
    WorkspaceSize workspace;
    Filling weightFilling = Filling::Codes;
    Filling xFilling = Filling::Halves;
    Layout layout = Layout::PlanesFlat; ///< of weights and scales
    int assignments = 0;                ///< routed rows; 0: dense
    int rowsPerGroup = 0;
    int maxGroups = 1;
    int kvBlocks = 0;          ///< attention: of all sequences; 0: no attention
    std::int64_t endBytes = 0; ///< of weightBytes, those behind sequences' ends, which nobody reads
    bool needsCublas = false;
    bool answers = false; ///< y is an answer that can be compared
    std::string kernel;
};

/// InvalidArgument or NotSupported with the reason, where the operation cannot be.
Outcome needsOf(const CudaWork& work, const LaunchDevice& device, PointNeeds& needs);

/// The device as launches of `work` may use it.
inline LaunchDevice deviceFor(LaunchDevice device, const CudaWork& work) {
    device.maxBlocks = work.maxBlocks;
    return device;
}

/// Addresses on the device of everything that PointNeeds counts.
struct PointBuffers {
    std::vector<unsigned char*> weights, scales; ///< per copy
    std::vector<unsigned char*> x, y;            ///< per set
    unsigned char* scratch = nullptr;
    float* partial = nullptr;
    unsigned* arrived = nullptr;
    int* choices = nullptr;
    MoeRouteArgs route; ///< its results are `groups`
    Groups groups;
    std::int32_t* kvTable = nullptr;  ///< attention: KV blocks of each sequence, as many for each
    std::int32_t* lengths = nullptr;  ///< attention: keys of each sequence
    unsigned char* hostOut = nullptr; ///< pinned unless the needs are pageable
    unsigned char* hostIn = nullptr;
};

std::int64_t arenaBytes(const PointNeeds& needs, int copies, int sets);
/// `arena` holds arenaBytes.
PointBuffers placeIn(Arena& arena, const CudaWork& work, const PointNeeds& needs, int copies, int sets);

/// The parts of a session that launches use.
struct PointContext {
    LaunchDevice device;
    const Cublas* blas = nullptr;
    const float* codebooks = nullptr; ///< on the device: those of k = 2, 3, 4, 5, one after the other
    cudaStream_t stream = nullptr;
    cudaStream_t side = nullptr; ///< for copies the other way
    cudaEvent_t fork = nullptr;
    cudaEvent_t join = nullptr;
};

/// Launches node `node` of the operation on the context's stream.
Outcome launchNode(const PointContext& context, const CudaWork& work, const PointNeeds& needs,
                   const PointBuffers& buffers, int node);

} // namespace loadline::gpu
