// The plugin's entry: the table of its functions.
#include "gpu/cuda/device/facts.cuh"
#include "gpu/cuda/device/session.cuh"

#include <exception>
#include <new>

#ifdef _WIN32
#define LOADLINE_EXPORT __declspec(dllexport)
#else
#define LOADLINE_EXPORT __attribute__((visibility("default")))
#endif

namespace loadline::gpu {

namespace {

/// Runs `call` so that no exception crosses the border.
template <class Call>
Outcome guarded(const Call& call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return {CudaStatus::OutOfMemory, "out of the host's memory"};
    } catch (const std::exception& exception) {
        return {CudaStatus::Failed, exception.what()};
    }
}

template <class Call>
CudaStatus inSession(CudaSession* session, const Call& call) {
    if (session == nullptr) {
        return CudaStatus::InvalidArgument;
    }
    const Outcome outcome = guarded([&] { return call(*session); });
    session->error = outcome.message;
    return outcome.status;
}

void probe(CudaProbe* out) {
    *out = {};
    const Outcome outcome = guarded([&]() -> Outcome {
        *out = probeMachine();
        return {};
    });
    if (!outcome) {
        out->status = outcome.status;
        setText(out->message, outcome.message);
    }
}

CudaStatus deviceFacts(std::int32_t device, const char* salt, CudaDeviceFacts* out) {
    return guarded([&] { return readDeviceFacts(device, salt, *out); }).status;
}

CudaStatus health(std::int32_t device, CudaHealth* out) {
    return guarded([&] { return readHealth(device, *out); }).status;
}

CudaStatus openSession(std::int32_t device, CudaSession** session, char* message, std::int32_t messageBytes) {
    std::unique_ptr<CudaSession> made;
    const Outcome outcome = guarded([&] { return openOn(device, made); });
    if (messageBytes > 0) {
        message[outcome.message.copy(message, static_cast<std::size_t>(messageBytes) - 1)] = 0;
    }
    *session = outcome ? made.release() : nullptr;
    return outcome.status;
}

void closeSession(CudaSession* session) {
    delete session;
}

const char* lastError(const CudaSession* session) {
    return session == nullptr ? "no session" : session->error.c_str();
}

CudaStatus prepare(CudaSession* session, const CudaWork* work, CudaPrepared* out) {
    return inSession(session, [&](CudaSession& s) { return preparePoint(s, *work, *out); });
}

CudaStatus sample(CudaSession* session, CudaSampling sampling, std::int32_t count, CudaSample* out,
                  std::int32_t* taken) {
    *taken = 0;
    return inSession(session, [&](CudaSession& s) { return takeSamples(s, sampling, count, out, *taken); });
}

CudaStatus emptyBracketUs(CudaSession* session, double* out) {
    return inSession(session, [&](CudaSession& s) { return timeEmptyBracket(s, *out); });
}

CudaStatus check(CudaSession* session, const CudaWork* work, const CudaCheck* data) {
    return inSession(session, [&](CudaSession& s) { return checkOnce(s, *work, *data); });
}

CudaStatus read(CudaSession* session, CudaBuffer buffer, std::int32_t index, std::int64_t offset,
                std::int64_t bytes, void* to) {
    return inSession(session, [&](CudaSession& s) { return readBack(s, buffer, index, offset, bytes, to); });
}

CudaStatus sumsLeft(CudaSession* session, std::int64_t* words) {
    *words = 0;
    return inSession(session, [&](CudaSession& s) { return countSumsLeft(s, *words); });
}

constexpr CudaPluginApi api = {
    cudaPluginAbi,
    sizeof(CudaPluginApi),
    sizeof(CudaWork),
    sizeof(CudaDeviceFacts),
    sizeof(CudaSample),
    LOADLINE_CUDA_BUILD_INFO,
    probe,
    deviceFacts,
    health,
    openSession,
    closeSession,
    lastError,
    prepare,
    sample,
    emptyBracketUs,
    check,
    read,
    sumsLeft,
};

} // namespace

} // namespace loadline::gpu

extern "C" LOADLINE_EXPORT const loadline::gpu::CudaPluginApi* loadlineCudaPlugin(std::uint32_t abi) {
    return abi == loadline::gpu::cudaPluginAbi ? &loadline::gpu::api : nullptr;
}
