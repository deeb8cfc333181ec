// One row of works, each timed in the same way.
#include "gpu/cuda/cuda_ceilings.h"

#include "core/base/statistics.h"
#include "gpu/cuda/cuda_work.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loadline::gpu {

namespace {

constexpr std::int64_t gigabyte = 1 << 30;
constexpr std::int64_t pinnedBytes = 512 << 20;
constexpr std::int64_t pageableBytes = 256 << 20;
constexpr std::int64_t leastSwept = 64 << 10;
constexpr std::int64_t mostSwept = 64 << 20;
constexpr std::int64_t sweepFactor = 4;
constexpr std::int32_t samplesTaken = 5;

class Measurement {
public:
    Measurement(const CudaPluginApi& api, CudaSession* session, const std::stop_token& stop)
        : api_(api), session_(session), stop_(stop) {}

    Result<Facts> run() {
        constexpr std::int64_t moved = 2 * gigabyte;
        constexpr double products =
            2.0 * warmUpGemmSide * static_cast<double>(warmUpGemmSide) * static_cast<double>(warmUpGemmSide);
        time("empty_call_us", CudaOperation::EmptyNode, 0, 256);
        rate("read_gb_s", CudaOperation::Read, gigabyte, gigabyte, 2);
        rate("read_4_gib_gb_s", CudaOperation::Read, 4 * gigabyte, 4 * gigabyte, 1);
        rate("write_gb_s", CudaOperation::Write, gigabyte, gigabyte, 2);
        rate("copy_gb_s", CudaOperation::Copy, gigabyte, moved, 2);
        way("host_to_device", CudaOperation::HostToDevice, CudaOperation::HostToDevicePageable);
        way("device_to_host", CudaOperation::DeviceToHost, CudaOperation::DeviceToHostPageable);
        rate("both_ways_gb_s", CudaOperation::BothWays, pinnedBytes, 2 * pinnedBytes, 1);
        for (const auto& [name, operation] : {std::pair("gemm_tflop_s", CudaOperation::GemmFp16),
                                              std::pair("gemm_bf16_tflop_s", CudaOperation::GemmBf16)}) {
            if (const auto us = timeOf(operation, 0, 2)) {
                keep(name, products / 1e6 / *us);
            }
        }
        if (failure_) {
            return *failure_;
        }
        return std::move(facts_);
    }

private:
    void keep(const std::string& name, double value) { facts_[name] = fmt::format("{:.6g}", value); }

    void time(const std::string& name, CudaOperation operation, std::int64_t bytes, int nodes) {
        if (const auto us = timeOf(operation, bytes, nodes)) {
            keep(name, *us);
        }
    }

    /// `moved` bytes in the time; GB/s = bytes / us / 1000.
    std::optional<double> rate(const std::string& name, CudaOperation operation, std::int64_t bytes,
                               std::int64_t moved, int nodes) {
        const auto us = timeOf(operation, bytes, nodes);
        if (!us) {
            return std::nullopt;
        }
        const double gbS = static_cast<double>(moved) / *us / 1e3;
        keep(name, gbS);
        return gbS;
    }

    /// All of one direction between host and device.
    void way(const std::string& name, CudaOperation pinned, CudaOperation pageable) {
        const auto full = rate(name + "_gb_s", pinned, pinnedBytes, pinnedBytes, 1);
        for (std::int64_t bytes = leastSwept; bytes <= mostSwept; bytes *= sweepFactor) {
            const int nodes = static_cast<int>(std::clamp<std::int64_t>(mostSwept / bytes, 1, 16));
            const auto us = timeOf(pinned, bytes, nodes);
            if (us) {
                keep(fmt::format("{}_us_of_{}_bytes", name, bytes), *us);
            }
            if (us && full && bytes == leastSwept) {
                keep(name + "_latency_us", std::max(0.0, *us - static_cast<double>(bytes) / (*full * 1e3)));
            }
        }
        rate(name + "_pageable_gb_s", pageable, pageableBytes, pageableBytes, 1);
    }

    /// Returns the time of one node, in microseconds; nothing if the device does not support it, or once
    /// something failed.
    std::optional<double> timeOf(CudaOperation operation, std::int64_t bytes, int nodes) {
        if (failure_ || stop_.stop_requested()) {
            return std::nullopt;
        }
        CudaWork work = {};
        work.operation = operation;
        work.bytes = bytes;
        work.k = work.n = warmUpGemmSide;
        work.m = warmUpGemmSide;
        work.experts = 1;
        work.copies = work.activationSets = 1;
        work.nodes = nodes;
        work.seed = 1;
        CudaPrepared prepared = {};
        const CudaStatus status = api_.prepare(session_, &work, &prepared);
        if (status == CudaStatus::NoCublas || status == CudaStatus::OutOfMemory) {
            return std::nullopt;
        }
        std::array<CudaSample, samplesTaken + 1> samples = {}; // the first warms up
        std::int32_t taken = 0;
        if (status != CudaStatus::Ok || api_.sample(session_, CudaSampling::Graph, samplesTaken + 1,
                                                    samples.data(), &taken) != CudaStatus::Ok) {
            failure_ = deviceError(api_, session_, "ceilings");
            return std::nullopt;
        }
        std::vector<double> us(samplesTaken);
        std::transform(samples.begin() + 1, samples.end(), us.begin(),
                       [](const CudaSample& sample) { return sample.timeUs; });
        const double median = medianOf(std::move(us)) / nodes;
        return median > 0 ? std::optional(median) : std::nullopt;
    }

    const CudaPluginApi& api_;
    CudaSession* session_;
    const std::stop_token& stop_;
    Facts facts_;
    std::optional<Error> failure_;
};

} // namespace

Result<Facts> measureCudaCeilings(const CudaPluginApi& api, CudaSession* session,
                                  const std::stop_token& stop) {
    return Measurement(api, session, stop).run();
}

} // namespace loadline::gpu
