// A GPU by way of the plugin: listing, ceilings, warm-up, checks and points.
#include "gpu/cuda/cuda_backend.h"

#include "gpu/cuda/cuda_attention.h"
#include "gpu/cuda/cuda_ceilings.h"
#include "gpu/cuda/cuda_check.h"
#include "gpu/cuda/cuda_facts.h"
#include "gpu/cuda/cuda_health.h"
#include "gpu/cuda/cuda_memory.h"
#include "gpu/cuda/cuda_work.h"
#include "gpu/format/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

namespace loadline::gpu {

namespace {

/// A product of matrices, or attention.
using Prepared = std::variant<PointSpec, AttentionCall>;

/// The session's prepared point. `current` names the point that the session holds.
class CudaPoint : public PreparedPoint {
public:
    CudaPoint(const CudaPluginApi& api, CudaSession* session, const CudaWork& work, Prepared prepared,
              std::uint64_t id, const std::uint64_t& current, std::uint64_t& throttling)
        : api_(api), session_(session), work_(work), prepared_(prepared), id_(id), current_(current),
          throttling_(throttling) {}

    Result<Sample> sample() override {
        if (id_ != current_) {
            return Error{"another point has been prepared since", "", ""};
        }
        CudaSample sample = {};
        std::int32_t taken = 0;
        if (api_.sample(session_, CudaSampling::Graph, 1, &sample, &taken) != CudaStatus::Ok || taken != 1) {
            return deviceError(api_, session_, "timing");
        }
        throttling_ |= sample.throttleReasons;
        return Sample{sample.timeUs / work_.nodes, sample.smClockMHz};
    }

    Result<CheckOutcome> checkOutput() override {
        if (id_ != current_) {
            return Error{"another point has been prepared since", "", ""};
        }
        return std::visit(
            [&](const auto& what) {
                return checkPrepared(api_, session_, what, work_, work_.nodes - 1, id_);
            },
            prepared_);
    }

    Result<std::optional<double>> isolatedUs() override {
        if (id_ != current_) {
            return Error{"another point has been prepared since", "", ""};
        }
        CudaSample sample = {};
        std::int32_t taken = 0;
        double bracketUs = 0;
        if (api_.sample(session_, CudaSampling::Isolated, 1, &sample, &taken) != CudaStatus::Ok ||
            taken != 1 || api_.emptyBracketUs(session_, &bracketUs) != CudaStatus::Ok) {
            return deviceError(api_, session_, "timing one call by itself");
        }
        throttling_ |= sample.throttleReasons;
        return std::optional(sample.timeUs - bracketUs);
    }

private:
    const CudaPluginApi& api_;
    CudaSession* session_;
    CudaWork work_;
    Prepared prepared_;
    std::uint64_t id_;
    const std::uint64_t& current_;
    std::uint64_t& throttling_;
};

class CudaBackend : public Backend {
public:
    CudaBackend(const CudaPluginApi& api, int index, CudaSession* session, DeviceInfo info,
                const CudaDeviceFacts& facts)
        : api_(api), index_(index), session_(session), info_(std::move(info)), facts_(facts) {
        readHealth();
    }
    ~CudaBackend() override { api_.closeSession(session_); }

    [[nodiscard]] DeviceInfo device() const override { return info_; }

    [[nodiscard]] bool supports(const PointSpec& spec) const override {
        if (cudaKernelOf(spec.kernel) == nullptr || spec.experts < 1 || spec.size.k % blockWeights != 0) {
            return false;
        }
        if (activationSetsFor(spec, weightBytes(spec), 2, static_cast<double>(facts_.memoryFreeBytes)) == 0) {
            return false; // with the fewest copies to rotate over
        }
        if (!readsKBits(spec.kernel)) {
            return facts_.cublasVersion != 0 && spec.kBits == fp16Bits && spec.rowsM >= 1;
        }
        if (partsOf(spec.kernel).second && facts_.cublasVersion == 0) {
            return false;
        }
        return spec.kBits >= minKBits && spec.kBits <= maxKBits && spec.rowsM <= designedRows(spec.kernel) &&
               (spec.kernel == Kernel::Dequantise || spec.rowsM >= 1);
    }

    [[nodiscard]] double weightBytes(const PointSpec& spec) const override {
        return spec.size.elements() * spec.experts * bytesPerWeight(spec.kBits);
    }

    [[nodiscard]] double guessUs(const PointSpec& spec) const override {
        const double bandwidth = std::max(datasheetBandwidth(facts_), 1e11);
        const double asFp16 = spec.size.elements() * spec.experts * 2;
        const bool pair = partsOf(spec.kernel).second.has_value(); // writes them and reads them again
        const double written = pair ? 2 * asFp16 : spec.kernel == Kernel::Dequantise ? asFp16 : 0;
        const double products = 2 * spec.size.elements() * spec.experts * static_cast<double>(spec.rowsM);
        const double rate =
            1e6 * std::max(facts_.smClockMaxMHz, 1000) * std::max(facts_.multiprocessors, 1) * 2048;
        return 4 + 1e6 * ((weightBytes(spec) + written) / (0.7 * bandwidth) + products / rate);
    }

    Result<Facts> measureCeilings(const std::stop_token& stop) override {
        ++current_; // what is timed takes the prepared point's place
        return measureCudaCeilings(api_, session_, stop);
    }
    Result<double> warmUp(double mostMs, const std::stop_token& stop) override;

    Result<CheckOutcome> check(const PointSpec& spec, std::uint64_t seed) override {
        ++current_; // a check takes the prepared point's place
        const PointSpec small = checkable(spec);
        auto outcome = checkOnDevice(api_, session_, small, seed);
        if (!outcome || !outcome->passed || small == spec) {
            return outcome;
        }
        CudaWork work = cudaWorkOf(spec, {1, 1}); // at its full size, as it will be launched
        work.seed = static_cast<std::uint32_t>(seed);
        if (auto status = prepareWork(work); !status) {
            return status.error();
        }
        return checkPrepared(api_, session_, spec, work, 0, seed);
    }

    Result<std::unique_ptr<PreparedPoint>> prepare(const PointSpec& spec, const Rotation& rotation) override {
        CudaWork work = cudaWorkOf(spec, rotation);
        work.activationSets = std::max(1, activationSetsFor(spec, weightBytes(spec), work.copies,
                                                            static_cast<double>(facts_.memoryFreeBytes)));
        return preparedPoint(work, spec);
    }

    [[nodiscard]] bool supportsAttention(const AttentionCall& call) const override {
        return hasAttentionKernel(call);
    }
    [[nodiscard]] double guessAttentionUs(const AttentionCall& call) const override {
        return gpu::guessAttentionUs(call, facts_);
    }
    Result<CheckOutcome> checkAttention(const AttentionCall& call, std::uint64_t seed) override {
        ++current_;
        return checkAttentionOnDevice(api_, session_, call, seed);
    }
    Result<std::unique_ptr<PreparedPoint>> prepareAttention(const AttentionCall& call,
                                                            const Rotation& rotation) override {
        return preparedPoint(cudaWorkOf(call, rotation), call);
    }
    [[nodiscard]] std::string attentionName(AttentionPhase phase) const override {
        return cudaAttentionName(phase);
    }

    [[nodiscard]] std::string kernelName(Kernel kernel) const override {
        const KernelParts parts = partsOf(kernel);
        if (parts.second) {
            return kernelName(parts.first) + ", then " + kernelName(*parts.second);
        }
        const CudaKernelSpec* const spec = cudaKernelOf(kernel);
        return spec == nullptr ? std::string(nameOf(kernel)) : spec->words;
    }

    [[nodiscard]] int rowTile(Kernel kernel) const override {
        const CudaKernelSpec* const spec = cudaKernelOf(kernel);
        return spec == nullptr ? 0 : spec->rowTile;
    }

    std::vector<std::string> oddities() override {
        if (std::chrono::steady_clock::now() - healthRead_ >= std::chrono::milliseconds(200)) {
            readHealth();
        }
        health_.addThrottling(throttling_);
        const std::string text = throttlingIn(std::exchange(throttling_, 0));
        return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{"throttled: " + text};
    }

    [[nodiscard]] Facts conditions() const override { return health_.facts(); }

private:
    void readHealth() {
        CudaHealth reading = {-1, -1, -1, -1, 0};
        if (api_.health(index_, &reading) == CudaStatus::Ok) {
            health_.take(reading);
        }
        healthRead_ = std::chrono::steady_clock::now();
    }

    Result<std::unique_ptr<PreparedPoint>> preparedPoint(const CudaWork& work, const Prepared& prepared) {
        if (auto status = prepareWork(work); !status) {
            return status.error();
        }
        return std::unique_ptr<PreparedPoint>(
            std::make_unique<CudaPoint>(api_, session_, work, prepared, current_, current_, throttling_));
    }

    Status prepareWork(const CudaWork& work) {
        ++current_;
        CudaPrepared prepared = {};
        if (api_.prepare(session_, &work, &prepared) != CudaStatus::Ok) {
            return deviceError(api_, session_, "preparing");
        }
        return Done{};
    }

    const CudaPluginApi& api_;
    int index_;
    CudaSession* session_;
    DeviceInfo info_;
    CudaDeviceFacts facts_;
    std::uint64_t current_ = 0;
    std::uint64_t throttling_ = 0;
    CudaHealthTrack health_;
    std::chrono::steady_clock::time_point healthRead_;
};

Result<double> CudaBackend::warmUp(double mostMs, const std::stop_token& stop) {
    CudaWork work = {};
    work.operation = facts_.cublasVersion != 0 ? CudaOperation::GemmFp16 : CudaOperation::Read;
    work.k = work.n = warmUpGemmSide;
    work.m = warmUpGemmSide;
    work.bytes = 1 << 30;
    work.copies = work.activationSets = work.nodes = 1;
    work.seed = 1;
    if (auto status = prepareWork(work); !status) {
        return status.error();
    }
    double spentMs = 0;
    double settledMs = 0;
    double clock = 0;
    while (spentMs < mostMs && settledMs < 200 && !stop.stop_requested()) {
        CudaSample sample = {};
        std::int32_t taken = 0;
        if (api_.sample(session_, CudaSampling::Graph, 1, &sample, &taken) != CudaStatus::Ok) {
            return deviceError(api_, session_, "warming up");
        }
        const double ms = std::max(sample.timeUs, 10.0) / 1000;
        spentMs += ms;
        const bool same = clock > 0 && std::abs(sample.smClockMHz - clock) < 0.01 * clock;
        settledMs = same ? settledMs + ms : 0;
        clock = same ? clock : sample.smClockMHz;
    }
    return clock;
}

} // namespace

CudaListing listCudaDevices(const CudaPluginApi& api, const std::string& salt) {
    CudaListing listing;
    CudaProbe probe = {};
    api.probe(&probe);
    listing.cublas = probe.cublasMessage;
    if (probe.status != CudaStatus::Ok) {
        listing.missing = probe.message;
        return listing;
    }
    for (int i = 0; i < probe.devices; ++i) {
        CudaDeviceFacts facts = {};
        if (api.deviceFacts(i, salt.c_str(), &facts) == CudaStatus::Ok) {
            listing.devices.push_back(deviceInfoOf(i, facts, probe));
            if (facts.computeMajor < 8) {
                listing.devices.back().unavailable =
                    "the kernels need compute capability 8.0 (Ampere) or newer: this GPU cannot be measured";
            }
        }
    }
    if (listing.devices.empty()) {
        listing.missing = "No GPU could be asked for its facts.";
    }
    return listing;
}

CudaListing listCudaDevices(const std::filesystem::path& plugin, const std::string& salt) {
    const auto api = openCudaPlugin(plugin);
    if (!api) {
        CudaListing listing;
        listing.missing = api.error().sentence();
        return listing;
    }
    return listCudaDevices(**api, salt);
}

Result<std::unique_ptr<Backend>> openCudaBackend(const CudaPluginApi& api, int device,
                                                 const std::string& salt) {
    CudaProbe probe = {};
    api.probe(&probe);
    CudaDeviceFacts facts = {};
    const std::string where = "cuda:" + std::to_string(device);
    if (probe.status != CudaStatus::Ok) {
        return Error{probe.message, where, "another device, or a saved profile"};
    }
    CudaSession* session = nullptr;
    char message[256] = {};
    if (api.openSession(device, &session, message, sizeof message) != CudaStatus::Ok) {
        return Error{message, where, "another device, or a saved profile"};
    }
    if (api.deviceFacts(device, salt.c_str(), &facts) !=
        CudaStatus::Ok) { // whether cuBLAS starts is known now
        api.closeSession(session);
        return Error{"the GPU could not be asked for its facts", where, "another device, or a saved profile"};
    }
    return std::unique_ptr<Backend>(
        std::make_unique<CudaBackend>(api, device, session, deviceInfoOf(device, facts, probe), facts));
}

} // namespace loadline::gpu
