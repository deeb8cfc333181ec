// Invents times, and failures where asked to.
#include "gpu/made_up/made_up_backend.h"

#include "core/base/random.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <thread>

namespace loadline::gpu {
namespace {

constexpr double bandwidth = 800e3; ///< bytes per us
constexpr double fp16Rate = 150e6;  ///< multiply-adds per us
constexpr double callUs = 3;
constexpr double driftFactor = 1.2;

double bytesOf(const PointSpec& spec) {
    return spec.size.elements() * spec.experts * bytesPerWeight(spec.kBits);
}

struct Design {
    double share;       ///< of the bandwidth
    double rate;        ///< multiply-adds per us
    std::int64_t tile;  ///< rows that cost the same
    std::int64_t mostM; ///< 0: any
};

Design designOf(Kernel kernel) {
    const KernelSpec& spec = specOf(kernel);
    switch (spec.family) {
    case KernelFamily::Scalar:
        return {0.45, 5e6, 1, 4};
    case KernelFamily::Mma:
        return spec.variant ? Design{0.8, 60e6, 8, 64} : Design{0.5, 40e6, 16, 128};
    default:
        return {0.88, fp16Rate, 16, 0};
    }
}

double timeUs(const PointSpec& spec) {
    if (const KernelParts parts = partsOf(spec.kernel); parts.second) {
        constexpr double savedUs = 1; // the second is on its way while the first runs
        const PointSpec first{parts.first, spec.size, spec.experts, 0, spec.kBits};
        const PointSpec second{*parts.second, spec.size, spec.experts, spec.rowsM, fp16Bits};
        return timeUs(first) + timeUs(second) - savedUs;
    }
    const Design design = designOf(spec.kernel);
    const double weights = spec.size.elements() * spec.experts;
    if (spec.kernel == Kernel::Dequantise) {
        return callUs + (bytesOf(spec) + 2 * weights) / (0.85 * bandwidth);
    }
    const std::int64_t tiles = (spec.rowsM + design.tile - 1) / design.tile;
    const auto rows = static_cast<double>(tiles * design.tile);
    return callUs + std::max(bytesOf(spec) / (design.share * bandwidth), weights * rows / design.rate);
}

std::uint64_t seedOf(const PointSpec& spec) {
    auto seed = static_cast<std::uint64_t>(spec.kernel);
    for (const std::int64_t part :
         {spec.size.k, spec.size.n, spec.rowsM, std::int64_t{spec.experts}, std::int64_t{spec.kBits}}) {
        seed = loadline::seedOf(seed, static_cast<std::uint64_t>(part));
    }
    return seed;
}

/// 4 us, then 640 GB/s of context or 150 TFLOP/s, whichever is longer.
double timeUs(const AttentionCall& call) {
    return 4 + std::max(contextBytes(call) / 640e3, flopOf(call) / 150e6);
}

class MadeUpPoint : public PreparedPoint {
public:
    MadeUpPoint(const MadeUpBehaviour& behaviour, std::int64_t& samples, double us, std::uint64_t seed)
        : behaviour_(behaviour), samples_(samples), us_(us), noise_(seed) {}

    Result<Sample> sample() override {
        const std::int64_t n = samples_++;
        if (behaviour_.paceMs > 0) {
            std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(behaviour_.paceMs));
        }
        if (behaviour_.errorAt == n) {
            return Error{"an illegal memory access was encountered", "made-up device", "run it again"};
        }
        if (behaviour_.crashAt == n) {
            std::signal(SIGSEGV, SIG_DFL);
            std::raise(SIGSEGV);
        }
        while (behaviour_.hangAt == n) {
            std::this_thread::sleep_for(std::chrono::seconds(1));
        }
        constexpr std::uint32_t steps = 4001;
        const double share = static_cast<double>(below(steps, noise_.at(taken_++))) / (steps - 1);
        const bool drifted = behaviour_.driftAt && n >= *behaviour_.driftAt;
        return Sample{us_ * (0.98 + 0.04 * share) * (drifted ? driftFactor : 1), 1500};
    }

    Result<std::optional<double>> isolatedUs() override { return std::optional(1.02 * us_); }

private:
    const MadeUpBehaviour& behaviour_;
    std::int64_t& samples_;
    double us_;
    RandomStream noise_;
    std::uint64_t taken_ = 0;
};

class MadeUpBackend : public Backend {
public:
    explicit MadeUpBackend(const MadeUpBehaviour& behaviour) : behaviour_(behaviour) {}

    [[nodiscard]] DeviceInfo device() const override {
        DeviceInfo info;
        info.key = "made-up";
        info.name = "made-up device (invented figures)";
        info.madeUp = true;
        info.lastLevelCacheBytes = std::int64_t{32} << 20;
        info.freeMemoryBytes = std::int64_t{16} << 30;
        info.facts["invented"] = "true";
        return info;
    }

    [[nodiscard]] bool supports(const PointSpec& spec) const override {
        const std::int64_t most = designOf(spec.kernel).mostM;
        const bool bits = readsKBits(spec.kernel) ? spec.kBits >= minKBits && spec.kBits <= maxKBits
                                                  : spec.kBits == fp16Bits;
        return bits && (most == 0 || spec.rowsM <= most);
    }

    [[nodiscard]] double guessUs(const PointSpec& spec) const override { return timeUs(spec); }

    [[nodiscard]] double weightBytes(const PointSpec& spec) const override { return bytesOf(spec); }

    Result<Facts> measureCeilings(const std::stop_token& /*stop*/) override {
        return Facts{
            {"read_gb_s", "800"}, {"copy_gb_s", "740"}, {"gemm_tflop_s", "300"}, {"empty_call_us", "1.5"}};
    }

    Result<double> warmUp(double /*mostMs*/, const std::stop_token& /*stop*/) override { return 1500.0; }

    Result<CheckOutcome> check(const PointSpec& spec, std::uint64_t /*seed*/) override {
        return behaviour_.wrong == spec.kernel ? CheckOutcome{false, 0.4, "relative error 0.4"}
                                               : CheckOutcome{true, 1e-4, ""};
    }

    Result<std::unique_ptr<PreparedPoint>> prepare(const PointSpec& spec,
                                                   const Rotation& /*rotation*/) override {
        return std::unique_ptr<PreparedPoint>(
            std::make_unique<MadeUpPoint>(behaviour_, samples_, timeUs(spec), seedOf(spec)));
    }

    [[nodiscard]] bool supportsAttention(const AttentionCall&) const override { return true; }
    [[nodiscard]] double guessAttentionUs(const AttentionCall& call) const override { return timeUs(call); }
    Result<CheckOutcome> checkAttention(const AttentionCall&, std::uint64_t /*seed*/) override {
        return CheckOutcome{true, 1e-4, ""};
    }
    Result<std::unique_ptr<PreparedPoint>> prepareAttention(const AttentionCall& call,
                                                            const Rotation& /*rotation*/) override {
        return std::unique_ptr<PreparedPoint>(std::make_unique<MadeUpPoint>(
            behaviour_, samples_, timeUs(call), static_cast<std::uint64_t>(call.batch * call.tokens)));
    }
    [[nodiscard]] std::string attentionName(AttentionPhase phase) const override {
        return fmt::format("invented times of {} attention", keyOf(phase));
    }

    [[nodiscard]] std::string kernelName(Kernel kernel) const override {
        return "invented times of " + std::string(nameOf(kernel));
    }

    [[nodiscard]] int rowTile(Kernel kernel) const override {
        const auto tile = static_cast<int>(designOf(kernel).tile);
        const bool steps = servesKBits(kernel) && !partsOf(kernel).second;
        return steps && tile > 1 ? tile : 0;
    }

private:
    MadeUpBehaviour behaviour_;
    std::int64_t samples_ = 0;
};

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
    return problem == std::errc{} && end == text.data() + text.size() && value >= 0 && value < 1e12
               ? std::optional(value)
               : std::nullopt;
}

} // namespace

Result<MadeUpBehaviour> madeUpBehaviourFromText(std::string_view text) {
    MadeUpBehaviour behaviour;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view word = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view name = word.substr(0, equals);
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        const auto number = numberIn(value);
        const auto kernel = profiledKernelFromKey(value);
        if (name == "pace_ms" && number) {
            behaviour.paceMs = *number;
        } else if (name == "error_at" && number) {
            behaviour.errorAt = static_cast<std::int64_t>(*number);
        } else if (name == "crash_at" && number) {
            behaviour.crashAt = static_cast<std::int64_t>(*number);
        } else if (name == "hang_at" && number) {
            behaviour.hangAt = static_cast<std::int64_t>(*number);
        } else if (name == "drift_at" && number) {
            behaviour.driftAt = static_cast<std::int64_t>(*number);
        } else if (name == "wrong" && kernel) {
            behaviour.wrong = kernel;
        } else {
            return Error{fmt::format("\"{}\" says nothing about the made-up device", word), "",
                         "pace_ms=2,crash_at=40 (also error_at, hang_at, drift_at, wrong=mma)"};
        }
    }
    return behaviour;
}

std::unique_ptr<Backend> openMadeUpBackend(const MadeUpBehaviour& behaviour) {
    return std::make_unique<MadeUpBackend>(behaviour);
}

} // namespace loadline::gpu
