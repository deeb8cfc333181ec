// Launches of the made-up runtime: registered kernels, limits of grids, blocks and shared memory.
#include "tests/gpu/rehearse/kernels.h"
#include "tests/gpu/rehearse/machine.h"
#include "tests/gpu/rehearse/registers.h"

#include <algorithm>
#include <map>

using namespace loadline::gpu::rehearse;

namespace {

constexpr int sharedWithoutAsking = 48 * 1024;
constexpr int sharedOfTheSystem = 1024; // of every resident block
constexpr int registersOfMultiprocessor = 65536;

/// Outlives every stage: the plugin registers its kernels when it is opened.
struct Registered {
    std::string mangled;
    const Kernel* kernel = nullptr;
    std::map<int, int> sharedAllowed; ///< per device, bytes
    std::map<int, bool> loaded;       ///< per device
};

std::map<const void*, Registered>& registered() {
    static std::map<const void*, Registered> all;
    return all;
}

struct Configuration {
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
};

std::vector<Configuration>& configurations() {
    static std::vector<Configuration> pushed;
    return pushed;
}

int registersOf(const Machine& m, const Registered& function) {
    const StagedDevice& device = m.device(m.current);
    return registersPerThread(m.stage.ptxasLogs, function.mangled,
                              device.computeMajor * 10 + device.computeMinor);
}

int allowedShared(Machine& m, Registered& function) {
    return std::max(sharedWithoutAsking, function.sharedAllowed[m.current]);
}

/// Loading a kernel's code lazily is no work that can be captured.
void load(Machine& m, Registered& function) {
    if (!std::exchange(function.loaded[m.current], true) && m.capturing != nullptr) {
        m.breaks(function.mangled + " is used for the first time while a stream is captured");
    }
}

Registered* find(Machine& m, const void* function) {
    const auto found = registered().find(function);
    if (found == registered().end() || found->second.kernel == nullptr) {
        m.breaks("a kernel is used that is not rehearsed");
        return nullptr;
    }
    return &found->second;
}

std::string wrongWith(Machine& m, Registered& function, const dim3& grid, const dim3& block,
                      std::size_t shared) {
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || grid.x > 0x7fffffffU || grid.y > 65535 ||
        grid.z > 65535) {
        return "a grid of " + std::to_string(grid.x) + " x " + std::to_string(grid.y) + " x " +
               std::to_string(grid.z);
    }
    if (block.x == 0 || block.x > 1024 || block.y != 1 || block.z != 1) {
        return "a block of " + std::to_string(block.x) + " threads";
    }
    if (shared > static_cast<std::size_t>(allowedShared(m, function))) {
        return std::to_string(shared) + " bytes of shared memory, more than was asked for";
    }
    const int registers = (registersOf(m, function) + 7) / 8 * 8;
    if (registers * static_cast<int>(block.x) > registersOfMultiprocessor) {
        return "more registers than a block can have";
    }
    return "";
}

cudaError_t launch(const void* which, dim3 grid, dim3 block, void** arguments, std::size_t shared,
                   cudaStream_t stream) {
    return call([&](Machine& m) {
        Registered* const function = find(m, which);
        if (function == nullptr) {
            return cudaErrorInvalidDeviceFunction;
        }
        load(m, *function);
        const Kernel& kernel = *function->kernel;
        if (const std::string wrong = wrongWith(m, *function, grid, block, shared); !wrong.empty()) {
            m.breaks(kernel.name + " is launched with " + wrong);
            return cudaErrorInvalidConfiguration;
        }
        m.hostUs += m.stage.usPerLaunch;
        KernelCall made;
        made.grid = {static_cast<int>(grid.x), static_cast<int>(grid.y), static_cast<int>(grid.z)};
        made.threads = static_cast<int>(block.x);
        made.sharedBytes = shared;
        made.clockMHz = m.device(m.current).smClockMHz;
        made.multiprocessors = m.device(m.current).multiprocessors;
        if (kernel.argumentBytes > 0) {
            const auto* const begin = static_cast<const unsigned char*>(arguments[0]);
            made.arguments.assign(begin, begin + kernel.argumentBytes);
        }
        const double blocks = static_cast<double>(grid.x) * grid.y * grid.z;
        Work work{kernel.name, kernel.us ? kernel.us(made) : 2 + blocks * 0.01, {}, {}, true, 0};
        work.run = [&m, &kernel, made, device = m.current](double nowUs) {
            ++m.counts.kernels;
            m.launches.push_back({kernel.name,
                                  {made.grid[0], made.grid[1], made.grid[2]},
                                  made.threads,
                                  static_cast<std::int64_t>(made.sharedBytes),
                                  device,
                                  m.replaying});
            if (m.stage.launchThatFaults > 0 && --m.stage.launchThatFaults == 0) {
                m.fault(cudaErrorIllegalAddress);
                return;
            }
            for (const Touched& touched : kernel.touched ? kernel.touched(made) : std::vector<Touched>{}) {
                if (const std::string wrong =
                        m.wrongWith(touched.at, touched.bytes, touched.alignment, device);
                    !wrong.empty()) {
                    m.breaks(kernel.name + ": " + touched.name + " " + wrong);
                    m.fault(cudaErrorIllegalAddress);
                    return;
                }
            }
            KernelCall now = made;
            now.nowUs = nowUs;
            if (const std::string wrong = kernel.run ? kernel.run(now) : ""; !wrong.empty()) {
                m.breaks(kernel.name + ": " + wrong);
                m.fault(cudaErrorLaunchFailure);
            }
        };
        return m.queue(stream, std::move(work));
    });
}

} // namespace

// The names that nvcc's generated code calls are reserved ones.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void** __cudaRegisterFatBinary(void*) {
    static void* handle = nullptr;
    return &handle;
}

void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}

char __cudaInitModule(void**) {
    return 1;
}

void __cudaRegisterFunction(void**, const char* host, char*, const char* name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
    registered()[host] = {name, kernelOf(name), {}, {}};
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared, CUstream_st* stream) {
    configurations().push_back({grid, block, shared, stream});
    return 0;
}

cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, std::size_t* shared, void* stream) {
    const Configuration& top = configurations().back();
    *grid = top.grid;
    *block = top.block;
    *shared = top.shared;
    *static_cast<cudaStream_t*>(stream) = top.stream;
    configurations().pop_back();
    return cudaSuccess;
}

cudaError_t __cudaGetKernel(cudaKernel_t* kernel, const void* function) {
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(function));
    return cudaSuccess;
}

cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments,
                               std::size_t shared, cudaStream_t stream) {
    return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaFuncSetAttribute(const void* which, cudaFuncAttribute attribute, int value) {
    return call([&](Machine& m) {
        Registered* const function = find(m, which);
        if (function == nullptr) {
            return cudaErrorInvalidDeviceFunction;
        }
        load(m, *function);
        if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
            if (value < 0 || value > 100) {
                m.breaks(function->kernel->name + " prefers " + std::to_string(value) +
                         " % of shared memory");
                return cudaErrorInvalidValue;
            }
            ++m.counts.questions;
            return cudaSuccess;
        }
        if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) {
            m.breaks("an attribute that is not rehearsed");
            return cudaErrorInvalidValue;
        }
        if (value > m.device(m.current).sharedPerBlockBytes) {
            m.breaks(function->kernel->name + " asks for more shared memory than a block can have");
            return cudaErrorInvalidValue;
        }
        ++m.counts.questions;
        function->sharedAllowed[m.current] = value;
        return cudaSuccess;
    });
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* which,
                                                                   int threads, std::size_t shared,
                                                                   unsigned) {
    return call([&](Machine& m) {
        Registered* const function = find(m, which);
        if (function == nullptr) {
            return cudaErrorInvalidDeviceFunction;
        }
        load(m, *function);
        ++m.counts.questions;
        const StagedDevice& device = m.device(m.current);
        const int registers = (registersOf(m, *function) + 7) / 8 * 8;
        *blocks = std::min(device.blocksPerMultiprocessor, device.threadsPerMultiprocessor / threads);
        *blocks = std::min(*blocks, registersOfMultiprocessor / (registers * threads));
        *blocks = std::min(*blocks, device.sharedPerMultiprocessorBytes /
                                        (static_cast<int>(shared) + sharedOfTheSystem));
        if (static_cast<int>(shared) > allowedShared(m, *function)) {
            *blocks = 0;
        }
        return cudaSuccess;
    });
}

} // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
