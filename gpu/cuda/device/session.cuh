// One device in use: its stream, memory and the prepared point.
#pragma once

#include "gpu/cuda/device/point.cuh"
#include "gpu/cuda/launch/streams.cuh"

#include <chrono>
#include <memory>

namespace loadline::gpu {

struct CudaSession {
    int device = 0;
    CudaDeviceFacts facts = {};
    PointContext context;
    KnownKernels kernels; ///< of context.device
    Cublas blas;
    Arena arena;
    std::string error;

    // Sampling.
    cudaEvent_t begin = nullptr, end = nullptr;
    ClockReading* clocks = nullptr;     ///< on the device: two times clockSlots
    ClockReading* hostClocks = nullptr; ///< pinned
    unsigned char* flush = nullptr;     ///< twice the L2 cache
    std::size_t flushBytes = 0;
    char pciBusId[32] = {};
    int spinFactor = 1; ///< of the wait before a sample: grows where the host needs longer to queue it
    std::chrono::steady_clock::time_point
        throttlingRead; ///< asked for every 200 ms at most: it takes its time
    std::uint64_t throttling = 0;
    unsigned char* pinned = nullptr; ///< both ways
    std::int64_t pinnedBytes = 0;
    std::vector<unsigned char> pageable; ///< both ways

    // The prepared point.
    bool prepared = false;
    cudaGraphExec_t graph = nullptr; ///< null where the point's operation is not captured
    CudaWork work = {};
    PointNeeds needs;
    PointBuffers buffers;
    int isolatedNode = 0;
    bool answered = false; ///< y holds the answer of the launch that preparing made, not a sample's

    CudaSession() = default;
    CudaSession(const CudaSession&) = delete;
    CudaSession& operator=(const CudaSession&) = delete;
    ~CudaSession();
};

Outcome openOn(int device, std::unique_ptr<CudaSession>& session);
/// Buffers filled with random data or zeroes, routing done, graph captured and uploaded.
Outcome preparePoint(CudaSession& session, const CudaWork& work, CudaPrepared& prepared);
Outcome takeSamples(CudaSession& session, CudaSampling sampling, int count, CudaSample* out, int& taken);
Outcome timeEmptyBracket(CudaSession& session, double& us);
Outcome checkOnce(CudaSession& session, const CudaWork& work, const CudaCheck& data);
Outcome readBack(CudaSession& session, CudaBuffer buffer, int index, std::int64_t offset, std::int64_t bytes,
                 void* to);
Outcome countSumsLeft(CudaSession& session, std::int64_t& words);

inline constexpr unsigned char answerPoison = 0xff; ///< 0xffff is a NaN in fp16 and bf16
/// NaNs in all outputs that are answers.
Outcome poisonAnswers(CudaSession& session);

/// Shared by preparing and checking: places for `work` in the session, workspace zeroed.
Outcome placePoint(CudaSession& session, const CudaWork& work, int copies, int sets);
/// `choices` per assignment, then the routing kernel.
Outcome routeRows(CudaSession& session, const CudaWork& work, const std::int32_t* choices);
/// Attention's table of KV blocks and lengths; without a table a random order of all blocks, as an engine has
/// after a while, and without lengths all of the context.
Outcome placeKeys(CudaSession& session, const CudaWork& work, const std::int32_t* table,
                  const std::int32_t* lengths);

} // namespace loadline::gpu
