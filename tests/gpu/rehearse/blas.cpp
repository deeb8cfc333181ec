// Ties the made-up cuBLAS to the made-up runtime's streams and memory.
#include "tests/gpu/rehearse/blas.h"

#include "tests/gpu/rehearse/machine.h"

namespace loadline::gpu::rehearse {

void queueGemm(CUstream_st* stream, double us, const std::function<void()>& run) {
    Machine& m = machine();
    m.hostUs += m.stage.usPerLaunch;
    ++m.counts.gemms;
    m.queue(stream, {"a GEMM", us, [run](double) { run(); }, {}, true, 0});
}

void expectDeviceMemory(const void* at, std::size_t bytes, const std::string& name) {
    Machine& m = machine();
    if (const std::string wrong = m.wrongWith(at, bytes, 2, m.current); !wrong.empty()) {
        m.breaks("cuBLAS: " + name + " " + wrong);
    }
}

void expectThat(bool holds, const std::string& sentence) {
    if (!holds) {
        machine().breaks(sentence);
    }
}

bool isStream(const CUstream_st* stream) {
    return machine().streams.count(const_cast<CUstream_st*>(stream)) != 0;
}

bool hasFaulted() {
    return machine().sticky != cudaSuccess;
}

} // namespace loadline::gpu::rehearse
