// Barriers, exchanges and copies of an emulated block.
#include "tests/gpu/emulate/emulated_block.h"

#include <cstring>

namespace loadline::gpu::emulate {

void EmulatedBlock::begin(int threadCount, std::size_t sharedBytes) {
    threads = threadCount;
    shared.assign(sharedBytes + 64, 0xff); // 0xffff is a NaN in fp16, 0xffffffff in fp32
    whole = {};
    const auto warpCount = static_cast<std::size_t>((threadCount + 31) / 32);
    warps.assign(warpCount, {});
    parcels.assign(warpCount, {});
    exchanges.assign(static_cast<std::size_t>(threadCount), 0);
    copies.assign(static_cast<std::size_t>(threadCount), {{}});
}

void EmulatedBlock::fail(const std::string& why) {
    if (fault.empty()) {
        fault = why;
    }
}

void EmulatedBlock::wait(Barrier& barrier, int expected) {
    const unsigned opened = barrier.opened;
    if (++barrier.arrived == expected) {
        barrier.arrived = 0;
        ++barrier.opened;
        fibers.progress();
        fibers.yield(); // who comes last is not let through first
        return;
    }
    while (barrier.opened == opened) {
        fibers.yield();
    }
}

const std::array<Parcel, 32>& EmulatedBlock::exchange(int thread, const Parcel& parcel) {
    const auto warp = static_cast<std::size_t>(thread / 32);
    auto& box = parcels[warp][exchanges[static_cast<std::size_t>(thread)]++ % 2];
    box[static_cast<std::size_t>(thread % 32)] = parcel;
    wait(warps[warp], 32);
    for (const Parcel& other : box) {
        if (other.what != parcel.what) {
            fail("lanes of one warp are in different exchanges");
        }
    }
    return box;
}

unsigned char* EmulatedBlock::at(std::uint32_t offset, std::size_t bytes) {
    if (offset + bytes > shared.size() - 64 || offset % std::min<std::size_t>(bytes, 16) != 0) {
        fail("shared memory outside its bounds or misaligned: offset " + std::to_string(offset));
        return shared.data();
    }
    return shared.data() + offset;
}

void EmulatedBlock::copy(int thread, std::uint32_t offset, const void* from) {
    std::memset(at(offset, 16), 0xff, 16); // what is read too early is not a number
    copies[static_cast<std::size_t>(thread)].back().push_back({offset, from});
}

void EmulatedBlock::commit(int thread) {
    copies[static_cast<std::size_t>(thread)].emplace_back();
}

void EmulatedBlock::waitCopies(int thread, std::size_t pending) {
    auto& groups = copies[static_cast<std::size_t>(thread)];
    while (groups.size() - 1 > pending) { // the last group is not committed yet
        for (const PendingCopy& copy : groups.front()) {
            unsigned char* to = at(copy.offset, 16);
            if (copy.from == nullptr) {
                std::memset(to, 0, 16);
            } else {
                std::memcpy(to, copy.from, 16);
            }
        }
        groups.erase(groups.begin());
    }
}

} // namespace loadline::gpu::emulate
