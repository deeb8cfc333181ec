// A kernel's thread on the host: the words of DeviceLane, by exchange with the other lanes of its warp.
#pragma once

#include "gpu/cuda/lane/lane.cuh"
#include "tests/gpu/emulate/emulated_block.h"
#include "tests/gpu/emulate/half.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

namespace loadline::gpu::emulate {

class EmulatedLane {
public:
    EmulatedLane(EmulatedBlock& block, int thread) : block_(&block), thread_(thread) {}

    int thread() const { return thread_; }
    int threads() const { return block_->threads; }
    int inWarp() const { return thread_ % 32; }
    int warp() const { return thread_ / 32; }
    int blockX() const { return block_->index[0]; }
    int blockY() const { return block_->index[1]; }
    int blockZ() const { return block_->index[2]; }
    int gridX() const { return block_->grid[0]; }

    void sync() const { block_->wait(block_->whole, block_->threads); }
    void syncWarp() const { exchange({{}, 1}); }

    float shuffle(float value, std::uint32_t source, int width = 32) const {
        const auto& box = exchange({{std::bit_cast<std::uint32_t>(value)}, 2});
        const auto from =
            static_cast<std::uint32_t>(inWarp() / width * width) + source % static_cast<unsigned>(width);
        return std::bit_cast<float>(box[from].word[0]);
    }
    float shuffleXor(float value, int mask) const {
        const auto& box = exchange({{std::bit_cast<std::uint32_t>(value)}, 3});
        return std::bit_cast<float>(box[static_cast<std::size_t>(inWarp() ^ mask)].word[0]);
    }

    template <class T>
    T load(const T* from) const {
        return *from;
    }
    template <int Stride, class T>
    const T* ahead(const T* base, int index) const {
        return base + static_cast<std::ptrdiff_t>(index) * Stride / static_cast<std::ptrdiff_t>(sizeof(T));
    }
    template <class T>
    T stream(const T* from) const {
        if (reinterpret_cast<std::uintptr_t>(from) % sizeof(T) != 0) {
            block_->fail("misaligned load");
        }
        return *from;
    }
    void store(Chunk* to, const Chunk& value) const {
        if (reinterpret_cast<std::uintptr_t>(to) % 16 != 0) {
            block_->fail("misaligned store");
        }
        *to = value;
    }
    template <class T>
    T loadShared(std::uint32_t offset) const {
        T value{};
        std::memcpy(&value, block_->at(offset, sizeof(T)), sizeof(T));
        return value;
    }
    template <class T>
    void storeShared(std::uint32_t offset, const T& value) const {
        std::memcpy(block_->at(offset, sizeof(T)), &value, sizeof(T));
    }

    std::uint32_t sharedAddress() const { return block_->sharedOrigin; }
    /// A kernel on a device assumes that this is 0 or 1024 (DeviceLane::sharedOrigin).
    std::uint32_t sharedOrigin() const {
        if (block_->sharedOrigin != 0 && block_->sharedOrigin != 1024) {
            block_->fail("shared memory's address taken for 0 or 1024");
        }
        return block_->sharedOrigin;
    }
    template <int Ahead>
    std::uint32_t loadConstant(std::uint32_t address) const {
        return loadShared<std::uint32_t>(address + Ahead - block_->sharedOrigin);
    }

    void copyAsync(std::uint32_t offset, const void* from, bool valid) const {
        if (valid && reinterpret_cast<std::uintptr_t>(from) % 16 != 0) {
            block_->fail("misaligned asynchronous copy");
        }
        block_->copy(thread_, offset, valid ? from : nullptr);
    }
    void commitCopies() const { block_->commit(thread_); }
    template <int Pending>
    void waitCopies() const {
        block_->waitCopies(thread_, Pending);
    }

    void mma(MmaResult& d, const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) const {
        const auto& box = exchange({{a[0], a[1], a[2], a[3], b0, b1}, 4});
        for (int i = 0; i < 4; ++i) {
            const int row = inWarp() / 4 + 8 * (i / 2);
            const int column = inWarp() % 4 * 2 + i % 2;
            double sum = d.value[i];
            for (int k = 0; k < 16; ++k) {
                // A: lane 4 row + (k%8)/2, register (row>=8) + 2 (k>=8); B: lane 4 column + (k%8)/2, register
                // k>=8.
                const Parcel& ofA = box[indexOf(row % 8 * 4 + k % 8 / 2)];
                const Parcel& ofB = box[indexOf(column * 4 + k % 8 / 2)];
                const std::uint32_t pairA = ofA.word[indexOf(row / 8 + k / 8 * 2)];
                const std::uint32_t pairB = ofB.word[indexOf(4 + k / 8)];
                sum += static_cast<double>(toFloat(pairA >> (k % 2 * 16))) * toFloat(pairB >> (k % 2 * 16));
            }
            d.value[i] = static_cast<float>(sum);
        }
    }
    void multiply(MmaResult& d, const std::uint32_t (&a)[4], std::uint32_t b0, std::uint32_t b1) const {
        d = {};
        mma(d, a, b0, b1);
    }
    std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
        const std::uint64_t bytes = static_cast<std::uint64_t>(b) << 32U | a;
        std::uint32_t result = 0;
        for (unsigned i = 0; i < 4; ++i) {
            const std::uint32_t from = selector >> 4 * i & 15U;
            if (from > 7) {
                block_->fail("a permute that spreads a sign");
            }
            result |= static_cast<std::uint32_t>(bytes >> from % 8 * 8 & 255U) << 8 * i;
        }
        return result;
    }
    void loadMatrices(std::uint32_t (&m)[4], std::uint32_t offset) const { matrices(m, offset, false); }
    void loadMatricesTransposed(std::uint32_t (&m)[4], std::uint32_t offset) const {
        matrices(m, offset, true);
    }

    float toFloat(std::uint32_t half) const { return halfToFloat(static_cast<std::uint16_t>(half)); }
    std::uint16_t toHalf(float value) const { return halfFromDouble(value); }
    std::uint32_t packHalves(float low, float high) const {
        return static_cast<std::uint32_t>(toHalf(high)) << 16U | toHalf(low);
    }
    std::uint32_t multiplyHalves(std::uint32_t a, std::uint32_t b) const {
        return packHalves(toFloat(a) * toFloat(b), toFloat(a >> 16U) * toFloat(b >> 16U));
    }
    float exp2(float x) const { return std::exp2(x); }
    float infinity() const { return INFINITY; }
    float bitsToFloat(std::uint32_t bits) const { return std::bit_cast<float>(bits); }

    template <class T>
    T addAtomic(T* to, T value) const {
        block_->fibers.progress(); // other blocks may come first
        block_->fibers.yield();
        return std::exchange(*to, *to + value);
    }
    int addSharedAtomic(std::uint32_t offset, int value) const {
        const int before = loadShared<int>(offset);
        storeShared(offset, before + value);
        return before;
    }
    void fence() const {}
    unsigned arrive(unsigned* at, unsigned count) const { return addAtomic(at, count); }
    float loadFresh(const float* from) const { return *from; }

private:
    static std::size_t indexOf(int i) { return static_cast<std::size_t>(i); }

    const std::array<Parcel, 32>& exchange(const Parcel& parcel) const {
        return block_->exchange(thread_, parcel);
    }

    void matrices(std::uint32_t (&m)[4], std::uint32_t offset, bool transposed) const {
        const auto& box = exchange({{offset}, transposed ? 6 : 5});
        for (int matrix = 0; matrix < 4; ++matrix) {
            std::uint32_t pair = 0;
            for (int half = 0; half < 2; ++half) {
                const int row = transposed ? inWarp() % 4 * 2 + half : inWarp() / 4;
                const int column = transposed ? inWarp() / 4 : inWarp() % 4 * 2 + half;
                const std::uint32_t start = box[indexOf(matrix * 8 + row)].word[0];
                block_->at(start, 16); // a row is sixteen aligned bytes
                const auto value = loadShared<std::uint16_t>(start + static_cast<std::uint32_t>(column) * 2);
                pair |= static_cast<std::uint32_t>(value) << (half * 16);
            }
            m[matrix] = pair;
        }
    }

    EmulatedBlock* block_;
    int thread_;
};

/// Blocks of a launch, as <<<grid, threads, shared>>>.
struct Launch {
    std::array<int, 3> grid{1, 1, 1};
    int threads = 32;
    std::size_t sharedBytes = 0;
    Order order = Order::Rising; ///< of threads and of blocks
    unsigned seed = 1;           ///< of Order::Mixed
};

/// Runs kernel(EmulatedLane&) in every thread of every block. Returns "", or what was broken: a barrier some
/// never reach, an exchange not all mean, shared memory out of bounds.
std::string runLaunch(const Launch& launch, const std::function<void(const EmulatedLane&)>& kernel);

} // namespace loadline::gpu::emulate
