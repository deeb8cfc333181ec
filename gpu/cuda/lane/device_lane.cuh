// A kernel's thread on the device: every word one instruction or two.
#pragma once

#include "gpu/cuda/lane/lane.cuh"

#include <cuda_fp16.h>

namespace loadline::gpu {

/// Dynamic shared memory of the running block; every kernel addresses it by byte offset.
extern __shared__ __align__(16) unsigned char deviceShared[];

struct DeviceLane {
    static constexpr unsigned all = 0xffffffffU;

    LOADLINE_LANE int thread() const { return static_cast<int>(threadIdx.x); }
    LOADLINE_LANE int threads() const { return static_cast<int>(blockDim.x); }
    LOADLINE_LANE int inWarp() const { return static_cast<int>(threadIdx.x & 31U); }
    LOADLINE_LANE int warp() const { return static_cast<int>(threadIdx.x >> 5U); }
    LOADLINE_LANE int blockX() const { return static_cast<int>(blockIdx.x); }
    LOADLINE_LANE int blockY() const { return static_cast<int>(blockIdx.y); }
    LOADLINE_LANE int blockZ() const { return static_cast<int>(blockIdx.z); }
    LOADLINE_LANE int gridX() const { return static_cast<int>(gridDim.x); }

    LOADLINE_LANE void sync() const { __syncthreads(); }
    LOADLINE_LANE void syncWarp() const { __syncwarp(); }

    /// The value of lane (source modulo width) within this lane's group of `width` lanes.
    LOADLINE_LANE float shuffle(float value, std::uint32_t source, int width = warpLanes) const {
        return __shfl_sync(all, value, static_cast<int>(source), width);
    }
    LOADLINE_LANE float shuffleXor(float value, int mask) const { return __shfl_xor_sync(all, value, mask); }

    template <class T>
    LOADLINE_LANE T load(const T* from) const {
        return *from;
    }
    /// `base` and index times Stride bytes: one instruction, in loops too, where a running pointer is two and
    /// more.
    template <int Stride, class T>
    LOADLINE_LANE const T* ahead(const T* base, int index) const {
        const T* result = nullptr;
        asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(result) : "r"(index), "n"(Stride), "l"(base));
        return result;
    }
    /// Read once, by the read-only path.
    LOADLINE_LANE std::uint32_t stream(const std::uint32_t* from) const { return __ldg(from); }
    LOADLINE_LANE HalfChunk stream(const HalfChunk* from) const {
        const uint2 v = __ldg(reinterpret_cast<const uint2*>(from));
        return {{v.x, v.y}};
    }
    LOADLINE_LANE Chunk stream(const Chunk* from) const {
        const uint4 v = __ldg(reinterpret_cast<const uint4*>(from));
        return {{v.x, v.y, v.z, v.w}};
    }
    LOADLINE_LANE void store(Chunk* to, const Chunk& value) const {
        *reinterpret_cast<uint4*>(to) =
            make_uint4(value.word[0], value.word[1], value.word[2], value.word[3]);
    }

    template <class T>
    LOADLINE_LANE T loadShared(std::uint32_t offset) const {
        return *reinterpret_cast<const T*>(deviceShared + offset);
    }
    template <class T>
    LOADLINE_LANE void storeShared(std::uint32_t offset, const T& value) const {
        *reinterpret_cast<T*>(deviceShared + offset) = value;
    }

    /// The address of offset 0, as the processor knows it: 0 or 1024 on the architectures that we know.
    LOADLINE_LANE std::uint32_t sharedAddress() const {
        return static_cast<std::uint32_t>(__cvta_generic_to_shared(deviceShared));
    }
    /// Returns sharedAddress() for kernels that are launched only if it is 0 or 1024
    /// (LaunchDevice::sharedOrigin).
    LOADLINE_LANE std::uint32_t sharedOrigin() const {
        const std::uint32_t address = sharedAddress();
        __builtin_assume(address % 1024 == 0 && address <= 1024);
        return address;
    }
    /// A word that does not change while the block runs on, at `address` + Ahead: one instruction.
    template <int Ahead>
    LOADLINE_LANE std::uint32_t loadConstant(std::uint32_t address) const {
        std::uint32_t word = 0;
        asm("ld.shared.u32 %0, [%1+%2];" : "=r"(word) : "r"(address), "n"(Ahead));
        return word;
    }

    /// Sixteen bytes from global to shared memory, done by the time waitCopies says; zeroes where !valid.
    LOADLINE_LANE void copyAsync(std::uint32_t offset, const void* from, bool valid) const {
        const auto to = static_cast<std::uint32_t>(__cvta_generic_to_shared(deviceShared + offset));
        const int bytes = valid ? 16 : 0;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes)
                     : "memory");
    }
    LOADLINE_LANE void commitCopies() const { asm volatile("cp.async.commit_group;" ::: "memory"); }
    /// Waits until at most `Pending` of this thread's committed groups are under way.
    template <int Pending>
    LOADLINE_LANE void waitCopies() const {
        asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
    }

    /// result += A (16 x 16, rows) B (16 x 8, columns), fp16 in, fp32 out.
    LOADLINE_LANE void mma(MmaResult& d, const std::uint32_t (&a)[4], std::uint32_t b0,
                           std::uint32_t b1) const {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%0,%1,%2,%3};"
            : "+f"(d.value[0]), "+f"(d.value[1]), "+f"(d.value[2]), "+f"(d.value[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
    }
    /// result = A B.
    LOADLINE_LANE void multiply(MmaResult& d, const std::uint32_t (&a)[4], std::uint32_t b0,
                                std::uint32_t b1) const {
        asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
            "{%10,%10,%10,%10};"
            : "=f"(d.value[0]), "=f"(d.value[1]), "=f"(d.value[2]), "=f"(d.value[3])
            : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1), "f"(0.0F));
    }
    /// Byte i of the result is byte `selector >> 4 i & 7` of the eight of a (lower) and b. The fourth bit of
    /// each of the lower four nibbles must be 0; the upper half of the selector is not looked at.
    LOADLINE_LANE std::uint32_t permute(std::uint32_t a, std::uint32_t b, std::uint32_t selector) const {
        std::uint32_t result = 0;
        asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector));
        return result;
    }
    /// Loads four 8 x 8 matrices of halves; lane i gives the offset of row i%8 of matrix i/8.
    LOADLINE_LANE void loadMatrices(std::uint32_t (&m)[4], std::uint32_t offset) const {
        const auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(deviceShared + offset));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                     : "r"(from)
                     : "memory");
    }
    /// Loads the same, each matrix transposed.
    LOADLINE_LANE void loadMatricesTransposed(std::uint32_t (&m)[4], std::uint32_t offset) const {
        const auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(deviceShared + offset));
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3])
                     : "r"(from)
                     : "memory");
    }

    LOADLINE_LANE float toFloat(std::uint32_t half) const {
        return __half2float(__ushort_as_half(static_cast<unsigned short>(half)));
    }
    LOADLINE_LANE std::uint16_t toHalf(float value) const { return __half_as_ushort(__float2half_rn(value)); }
    LOADLINE_LANE std::uint32_t packHalves(float low, float high) const {
        const __half2 pair = __floats2half2_rn(low, high);
        return *reinterpret_cast<const std::uint32_t*>(&pair);
    }
    LOADLINE_LANE std::uint32_t multiplyHalves(std::uint32_t a, std::uint32_t b) const {
        const __half2 product =
            __hmul2(*reinterpret_cast<const __half2*>(&a), *reinterpret_cast<const __half2*>(&b));
        return *reinterpret_cast<const std::uint32_t*>(&product);
    }
    LOADLINE_LANE float exp2(float x) const { return exp2f(x); }
    LOADLINE_LANE float infinity() const { return __int_as_float(0x7f800000); }
    LOADLINE_LANE float bitsToFloat(std::uint32_t bits) const { return __uint_as_float(bits); }

    /// Both return the value before.
    LOADLINE_LANE float addAtomic(float* to, float value) const { return atomicAdd(to, value); }
    LOADLINE_LANE unsigned addAtomic(unsigned* to, unsigned value) const { return atomicAdd(to, value); }
    LOADLINE_LANE int addSharedAtomic(std::uint32_t offset, int value) const {
        return atomicAdd(reinterpret_cast<int*>(deviceShared + offset), value);
    }
    LOADLINE_LANE void fence() const { __threadfence(); }
    /// Called by one thread, after the block's barrier. Adds `count`, and returns the count before. Threads
    /// that count later see everything that the block wrote before; the block sees, after its next barrier,
    /// everything that those who have counted wrote before.
    LOADLINE_LANE unsigned arrive(unsigned* at, unsigned count) const {
        unsigned before = 0;
        asm volatile("atom.add.acq_rel.gpu.global.u32 %0, [%1], %2;"
                     : "=r"(before)
                     : "l"(at), "r"(count)
                     : "memory");
        return before;
    }
    /// Read by way of L2, past stale lines of L1.
    LOADLINE_LANE float loadFresh(const float* from) const { return __ldcg(from); }
};

} // namespace loadline::gpu
