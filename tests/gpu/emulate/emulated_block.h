// One block of threads on the host: barriers, exchanges within warps, shared memory, pending copies.
#pragma once

#include "tests/gpu/emulate/fibers.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace loadline::gpu::emulate {

/// A copy that was asked for and is carried out when its thread waits for it.
struct PendingCopy {
    std::uint32_t offset = 0;
    const void* from = nullptr; ///< nullptr: zeroes
};

/// Opens when all its threads have come.
struct Barrier {
    int arrived = 0;
    unsigned opened = 0;
};

/// What a lane hands to its warp in one exchange.
struct Parcel {
    std::array<std::uint32_t, 8> word{};
    int what = 0; ///< the kind of exchange: all lanes of a warp must mean the same
};

/// The state that the threads of the running block share.
struct EmulatedBlock {
    static constexpr int maxThreads = 1024;

    Fibers fibers;
    int threads = 0;
    std::array<int, 3> index{};
    std::array<int, 3> grid{};
    std::vector<unsigned char> shared;
    std::uint32_t sharedOrigin = 0; ///< the address of its first byte
    Barrier whole;
    std::vector<Barrier> warps;
    std::vector<std::array<std::array<Parcel, 32>, 2>> parcels; ///< per warp, of the last two exchanges
    std::vector<unsigned> exchanges;                            ///< per thread: how many
    std::vector<std::vector<std::vector<PendingCopy>>> copies;  ///< per thread: groups, the last still open
    std::string fault;                                          ///< first broken rule

    /// Fresh: shared memory poisoned with NaNs, nothing pending.
    void begin(int threadCount, std::size_t sharedBytes);
    void wait(Barrier& barrier, int expected);
    /// Hands in a parcel and returns those of the whole warp.
    const std::array<Parcel, 32>& exchange(int thread, const Parcel& parcel);
    void copy(int thread, std::uint32_t offset, const void* from);
    void commit(int thread);
    void waitCopies(int thread, std::size_t pending);
    unsigned char* at(std::uint32_t offset, std::size_t bytes);
    void fail(const std::string& why);
};

} // namespace loadline::gpu::emulate
