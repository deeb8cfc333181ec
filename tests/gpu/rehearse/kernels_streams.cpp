// Ceilings, fillings and clocks. Their threads exchange nothing: they run one after the other, without
// fibers.
#include "gpu/cuda/kernel/ceilings.cuh"
#include "gpu/cuda/kernel/fill.cuh"
#include "tests/gpu/rehearse/kernels.h"
#include "tests/gpu/rehearse/stage.h"

namespace loadline::gpu::rehearse {

namespace {

constexpr std::int64_t mostChunks = 1 << 20; // more are not computed

class SerialLane {
public:
    SerialLane(int thread, int block, int grid) : thread_(thread), block_(block), grid_(grid) {}
    [[nodiscard]] int thread() const { return thread_; }
    [[nodiscard]] int blockX() const { return block_; }
    [[nodiscard]] int gridX() const { return grid_; }
    [[nodiscard]] Chunk stream(const Chunk* from) const { return *from; }
    void store(Chunk* to, const Chunk& value) const { *to = value; }

private:
    int thread_, block_, grid_;
};

template <class Args, class Body>
Kernel serial(const char* name, const Body& body) {
    Kernel kernel;
    kernel.name = name;
    kernel.argumentBytes = sizeof(Args);
    kernel.run = [body](const KernelCall& call) -> std::string {
        const auto args = argumentsOf<Args>(call);
        for (int block = 0; block < call.grid[0] && args.chunks <= mostChunks; ++block) {
            for (int thread = 0; thread < call.threads; ++thread) {
                body(SerialLane(thread, block, call.grid[0]), args);
            }
        }
        return {};
    };
    kernel.us = [](const KernelCall& call) {
        return 2 + static_cast<double>(argumentsOf<Args>(call).chunks) * 16 / 2e6;
    };
    return kernel;
}

Touched bytesAt(const Chunk* at, std::int64_t chunks, const char* name) {
    return {at, static_cast<std::size_t>(chunks) * 16, 16, name};
}

/// streams.cuh's, which names the runtime's types.
struct ClockReading {
    std::uint64_t nanoseconds = 0;
    std::uint64_t cycles = 0;
};

struct ReadClocksArgs {
    ClockReading* to = nullptr;
};

std::vector<Kernel> clocks() {
    Kernel read;
    read.name = "readClocksKernel";
    read.argumentBytes = sizeof(ReadClocksArgs);
    read.touched = [](const KernelCall& call) -> std::vector<Touched> {
        return {{argumentsOf<ReadClocksArgs>(call).to, sizeof(ClockReading) * 1024, 8, "clocks"}};
    };
    read.run = [](const KernelCall& call) -> std::string {
        auto* const to = argumentsOf<ReadClocksArgs>(call).to;
        for (int block = 0; block < call.grid[0]; ++block) {
            const double us = 1e6 + call.nowUs;
            const int at = block % call.multiprocessors;
            to[at] = {static_cast<std::uint64_t>(us * 1000),
                      static_cast<std::uint64_t>(us * call.clockMHz) + 1000003U * static_cast<unsigned>(at)};
        }
        return {};
    };
    Kernel spin;
    spin.name = "spinKernel";
    spin.argumentBytes = sizeof(long long);
    spin.us = [](const KernelCall& call) {
        return static_cast<double>(argumentsOf<long long>(call)) / call.clockMHz;
    };
    Kernel origin;
    origin.name = "sharedOriginKernel";
    origin.argumentBytes = sizeof(std::uint32_t*);
    origin.touched = [](const KernelCall& call) -> std::vector<Touched> {
        return {{argumentsOf<std::uint32_t*>(call), sizeof(std::uint32_t), 4, "to"}};
    };
    origin.run = [](const KernelCall& call) -> std::string {
        *argumentsOf<std::uint32_t*>(call) = stage().sharedOrigin;
        return {};
    };
    Kernel empty;
    empty.name = "emptyKernel";
    empty.us = [](const KernelCall&) { return 2.0; };
    return {read, spin, origin, empty};
}

} // namespace

void addStreamKernels(std::vector<Kernel>& to) {
    Kernel read =
        serial<CeilingArgs>("readKernel", [](const auto& lane, const auto& a) { readAll(lane, a); });
    read.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<CeilingArgs>(call);
        return {bytesAt(a.from, a.chunks, "from"), bytesAt(a.to, 1, "to")};
    };
    Kernel write =
        serial<CeilingArgs>("writeKernel", [](const auto& lane, const auto& a) { writeAll(lane, a); });
    write.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<CeilingArgs>(call);
        return {bytesAt(a.to, a.chunks, "to")};
    };
    Kernel copy =
        serial<CeilingArgs>("copyKernel", [](const auto& lane, const auto& a) { copyAll(lane, a); });
    copy.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<CeilingArgs>(call);
        return {bytesAt(a.from, a.chunks, "from"), bytesAt(a.to, a.chunks, "to")};
    };
    Kernel filling = serial<FillArgs>("fillKernel", [](const auto& lane, const auto& a) { fill(lane, a); });
    filling.touched = [](const KernelCall& call) -> std::vector<Touched> {
        const auto a = argumentsOf<FillArgs>(call);
        return {bytesAt(a.to, a.chunks, "to")};
    };
    for (Kernel& kernel : clocks()) {
        to.push_back(std::move(kernel));
    }
    for (Kernel* kernel : {&read, &write, &copy, &filling}) {
        to.push_back(std::move(*kernel));
    }
}

} // namespace loadline::gpu::rehearse
