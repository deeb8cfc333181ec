// A made-up device that obeys its own formula, and fails, throttles or stops where a test asks it to.
#pragma once

#include "gpu/backend.h"

#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace loadline::gpu {

struct FakeDevice {
    /// Time of one call; the default is a roofline of a small card.
    std::function<double(const PointSpec&)> us = [](const PointSpec& spec) {
        const double weights = spec.size.elements() * spec.experts;
        const double bytes = weights * (spec.kBits == fp16Bits ? 2 : (spec.kBits + 0.25) / 8);
        return 3 + bytes / 1e6 + weights * static_cast<double>(spec.rowsM) / 20e6;
    };
    std::function<double(int sample)> noise = [](int) {
        return 1.0;
    }; ///< factor of the n-th sample of the run
    std::function<double(int sample)> clockMhz = [](int) { return 1500.0; };
    std::function<double(int sample)> ranShare = [](int) { return 1.0; };
    /// Time of one call by itself; nothing: the device cannot.
    std::function<std::optional<double>(const PointSpec&)> isolatedUs = [this](const PointSpec& spec) {
        return std::optional(us(spec) + 1);
    };
    std::function<bool(const PointSpec&)> correct = [](const PointSpec&) { return true; };
    /// Whether what timed launches write is right.
    std::function<bool(const PointSpec&)> timedCorrect = [](const PointSpec&) { return true; };
    std::optional<int> failsAtSample; ///< the n-th sample of the run is an Error
    bool hasAttention = false;
    std::optional<AttentionPhase> wrongAttention;
    std::string unavailable;
    bool replays = false;
    bool madeUp = false;
    int otherProcesses = 0; ///< that compute on it
    int mostScalarRows = 4;
    int mostMmaRows = 128;

    // What happened.
    int samples = 0;
    int prepared = 0;
    std::vector<PointSpec> order;
    std::vector<AttentionCall> attentionOrder;
};

/// 2 us and 1 TB/s of context.
inline double fakeAttentionUs(const AttentionCall& call) {
    return 2 + contextBytes(call) / 1e6;
}

class FakeAttention : public PreparedPoint {
public:
    FakeAttention(FakeDevice& device, const AttentionCall& call) : device_(device), call_(call) {}

    Result<Sample> sample() override {
        const int n = device_.samples++;
        return Sample{fakeAttentionUs(call_) * device_.noise(n), device_.clockMhz(n)};
    }

private:
    FakeDevice& device_;
    AttentionCall call_;
};

class FakePoint : public PreparedPoint {
public:
    FakePoint(FakeDevice& device, PointSpec spec) : device_(device), spec_(spec) {}

    Result<Sample> sample() override {
        const int n = device_.samples++;
        if (device_.failsAtSample && n >= *device_.failsAtSample) {
            return Error{"an illegal memory access was encountered", "made-up device", "restart"};
        }
        return Sample{device_.us(spec_) * device_.noise(n), device_.clockMhz(n), device_.ranShare(n)};
    }

    Result<std::optional<double>> isolatedUs() override { return device_.isolatedUs(spec_); }
    Result<CheckOutcome> checkOutput() override {
        return device_.timedCorrect(spec_) ? CheckOutcome{true, 1e-4, ""}
                                           : CheckOutcome{false, 0.4, "relative error 0.4"};
    }

private:
    FakeDevice& device_;
    PointSpec spec_;
};

class FakeBackend : public Backend {
public:
    explicit FakeBackend(FakeDevice& device) : device_(device) {}

    [[nodiscard]] DeviceInfo device() const override {
        DeviceInfo info;
        info.key = "fake";
        info.name = "made-up device";
        info.unavailable = device_.unavailable;
        info.madeUp = device_.madeUp;
        info.replays = device_.replays;
        info.lastLevelCacheBytes = 32 << 20;
        info.freeMemoryBytes = std::int64_t{8} << 30;
        info.facts["cores"] = "1";
        info.facts["other_processes"] = std::to_string(device_.otherProcesses);
        return info;
    }

    [[nodiscard]] bool supports(const PointSpec& spec) const override {
        switch (spec.kernel) {
        case Kernel::Scalar:
        case Kernel::GroupedScalar:
            return spec.rowsM <= device_.mostScalarRows;
        case Kernel::SwapAb:
        case Kernel::GroupedSwapAb:
            return false;
        case Kernel::Mma:
        case Kernel::GroupedMma:
            return spec.rowsM <= device_.mostMmaRows;
        default:
            return true;
        }
    }

    [[nodiscard]] double guessUs(const PointSpec& spec) const override { return device_.us(spec); }

    [[nodiscard]] double weightBytes(const PointSpec& spec) const override {
        return spec.size.elements() * spec.experts * (spec.kBits == fp16Bits ? 2 : (spec.kBits + 0.25) / 8);
    }

    Result<Facts> measureCeilings(const std::stop_token&) override { return Facts{{"read_gb_s", "1000"}}; }

    Result<double> warmUp(double, const std::stop_token&) override { return 1500.0; }

    Result<CheckOutcome> check(const PointSpec& spec, std::uint64_t) override {
        return device_.correct(spec) ? CheckOutcome{true, 1e-4, ""}
                                     : CheckOutcome{false, 0.4, "relative error 0.4"};
    }

    Result<std::unique_ptr<PreparedPoint>> prepare(const PointSpec& spec, const Rotation&) override {
        ++device_.prepared;
        device_.order.push_back(spec);
        return std::unique_ptr<PreparedPoint>(std::make_unique<FakePoint>(device_, spec));
    }

    [[nodiscard]] bool supportsAttention(const AttentionCall&) const override { return device_.hasAttention; }
    [[nodiscard]] double guessAttentionUs(const AttentionCall& call) const override {
        return fakeAttentionUs(call);
    }
    Result<CheckOutcome> checkAttention(const AttentionCall& call, std::uint64_t) override {
        return device_.wrongAttention == call.phase ? CheckOutcome{false, 0.4, "relative error 0.4"}
                                                    : CheckOutcome{true, 1e-4, ""};
    }
    Result<std::unique_ptr<PreparedPoint>> prepareAttention(const AttentionCall& call,
                                                            const Rotation&) override {
        device_.attentionOrder.push_back(call);
        return std::unique_ptr<PreparedPoint>(std::make_unique<FakeAttention>(device_, call));
    }

    [[nodiscard]] std::string kernelName(Kernel kernel) const override {
        return "made-up " + std::string(nameOf(kernel));
    }

    [[nodiscard]] int rowTile(Kernel kernel) const override { return kernel == Kernel::Mma ? 8 : 0; }

private:
    FakeDevice& device_;
};

} // namespace loadline::gpu
