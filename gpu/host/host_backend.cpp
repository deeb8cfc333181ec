// Plays the cost model's kernels on the CPU and times them.
#include "gpu/host/host_backend.h"

#include "core/base/parallel_for.h"
#include "gpu/host/host_attention.h"
#include "gpu/host/host_ceilings.h"
#include "gpu/host/host_check.h"
#include "gpu/host/host_work.h"
#include "gpu/host/machine/host_facts.h"
#include "gpu/host/machine/undisturbed.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace loadline::gpu {
namespace {

constexpr std::int64_t leastRotateBytes = std::int64_t{256} << 20;

template <typename Body>
double usOf(Body body) {
    const auto begin = std::chrono::steady_clock::now();
    body();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

std::optional<OpenBlas> openBlasIfInstalled() {
    Result<OpenBlas> blas = OpenBlas::load();
    return blas ? std::optional(std::move(*blas)) : std::nullopt;
}

unsigned threadsOf(const HostOptions& options, const Cpu& cpu) {
    return options.threads > 0 ? options.threads : cpu.cores;
}

/// Never more than a third of the memory for the codes and another for the fp16 weights.
std::size_t rotateBytesOf(const HostOptions& options, const DeviceInfo& info) {
    if (options.rotateBytes > 0) {
        return static_cast<std::size_t>(options.rotateBytes);
    }
    std::int64_t bytes = std::max(4 * info.lastLevelCacheBytes, leastRotateBytes);
    if (info.freeMemoryBytes > 0) {
        bytes = std::min(bytes, info.freeMemoryBytes / 3);
    }
    return static_cast<std::size_t>(bytes / 64 * 64);
}

/// Returns the time of reading the clock twice, in microseconds.
double bracketUs() {
    double least = usOf([] {});
    for (int i = 0; i < 9; ++i) {
        least = std::min(least, usOf([] {}));
    }
    return least;
}

/// Work: a HostWork, or attention's.
template <typename Work>
class HostPoint : public PreparedPoint {
public:
    /// `emptyCaches` leaves nothing of the weights in any cache.
    HostPoint(WorkerPool& pool, Work work, int calls, std::function<void()> emptyCaches)
        : pool_(pool), work_(std::move(work)), calls_(calls), emptyCaches_(std::move(emptyCaches)) {}

    /// Calls in short pieces, of which those count through which all threads ran; all of them where there is
    /// none.
    Result<Sample> sample() override {
        double us = 0, allUs = 0, ranUs = 0;
        int counted = 0;
        int interrupted = 0; // pieces in a row: beside very busy programs short pieces do not help
        for (int done = 0; done < calls_;) {
            const int calls =
                interrupted < mostInterrupted ? std::min(callsOfPiece(), calls_ - done) : calls_ - done;
            const TimedPiece piece = timedPiece(pool_, [&] {
                for (int call = 0; call < calls; ++call) {
                    work_.run(next_++);
                }
            });
            done += calls;
            allUs += piece.us;
            ranUs += piece.us * piece.ranShare;
            interrupted = piece.ranShare >= leastRanShare ? 0 : interrupted + 1;
            if (interrupted == 0) {
                us += piece.us;
                counted += calls;
                callUs_ = piece.us / calls;
            } else if (callUs_ == 0) {
                callUs_ = piece.us * piece.ranShare / calls;
            }
        }
        return counted > 0 ? Sample{us / counted, 0} : Sample{allUs / calls_, 0, ranUs / allUs};
    }

    /// The first of a few through which all threads ran, else the last.
    Result<std::optional<double>> isolatedUs() override {
        constexpr int most = 5;
        TimedPiece piece;
        for (int i = 0; i < most; ++i) {
            emptyCaches_();
            piece = timedPiece(pool_, [&] { work_.run(next_++); });
            if (piece.ranShare >= leastRanShare) {
                break;
            }
        }
        return std::optional(piece.us - bracketUs());
    }

private:
    static constexpr int mostInterrupted = 6;

    /// Returns the number of calls that take some 200 us: a scheduler's slice holds many such pieces.
    [[nodiscard]] int callsOfPiece() const {
        constexpr double pieceUs = 200;
        return callUs_ > 0 ? std::clamp(static_cast<int>(pieceUs / callUs_), 1, calls_) : 1;
    }

    WorkerPool& pool_;
    Work work_;
    int calls_;
    double callUs_ = 0; ///< of the latest piece; 0: none yet
    std::function<void()> emptyCaches_;
    std::int64_t next_ = 0;
};

/// Time of one call as a + b M for each weight, from two short trials of each kernel.
struct Guess {
    double us = 0;       ///< per weight
    double usPerRow = 0; ///< per weight and row
};

class HostBackend : public Backend {
public:
    explicit HostBackend(const HostOptions& options)
        : options_(options), cpu_(thisCpu()), runner_(threadsOf(options, cpu_), openBlasIfInstalled()),
          info_(hostDeviceInfo(cpu_, runner_.threads(),
                               runner_.openBlas() ? runner_.openBlas()->description() : "")),
          pool_(rotateBytesOf(options, info_), options.seed),
          attention_(runner_, pool_, cpu_.best(), info_.freeMemoryBytes) {
        info_.facts["weights_rotate_over_bytes"] = std::to_string(rotateBytesOf(options, info_));
        info_.facts["contexts_rotate_over_bytes"] = info_.facts["weights_rotate_over_bytes"];
        info_.facts["int8_activations"] = options.int8Activations ? "true" : "false";
        tryOut();
    }

    [[nodiscard]] DeviceInfo device() const override { return info_; }

    [[nodiscard]] bool supports(const PointSpec& spec) const override {
        const auto kernel = kernelOf(spec.kernel);
        if (!kernel || spec.experts < 1 || spec.size.k % blockWeights != 0 || spec.size.n < 1) {
            return false;
        }
        const bool bits = readsKBits(spec.kernel) ? spec.kBits >= minKBits && spec.kBits <= maxKBits
                                                  : spec.kBits == fp16Bits;
        const bool rows = spec.kernel == Kernel::Dequantise || spec.rowsM >= 1;
        return bits && rows && spec.rowsM <= specOf(kernel->method).mostRows && fits(spec);
    }

    [[nodiscard]] double weightBytes(const PointSpec& spec) const override {
        if (!readsKBits(spec.kernel)) {
            return spec.size.elements() * spec.experts * 2;
        }
        const PackedSize size = packedSizeOf({spec.size.k, spec.size.n, spec.kBits}, Layout::Lanes);
        return static_cast<double>(size.words * 4 + size.scales) * spec.experts;
    }

    [[nodiscard]] double guessUs(const PointSpec& spec) const override {
        constexpr double callUs = 5;
        const auto callOf = [&](HostMethod method) {
            const auto found = guesses_.find(method);
            const Guess guess = found == guesses_.end() ? Guess{1e-4, 1e-5} : found->second;
            return callUs + spec.size.elements() * spec.experts *
                                (guess.us + guess.usPerRow * static_cast<double>(spec.rowsM));
        };
        const auto second = hostSecondOf(spec.kernel);
        return callOf(hostMethodOf(spec.kernel).value_or(HostMethod::DenseFp16)) +
               (second ? callOf(*second) : 0);
    }

    Result<Facts> measureCeilings(const std::stop_token& stop) override;
    Result<double> warmUp(double mostMs, const std::stop_token& stop) override;

    Result<CheckOutcome> check(const PointSpec& spec, std::uint64_t seed) override {
        return checkHostKernel(runner_, pool_, *kernelOf(spec.kernel), spec, seed);
    }

    Result<std::unique_ptr<PreparedPoint>> prepare(const PointSpec& spec, const Rotation& rotation) override {
        return std::unique_ptr<PreparedPoint>(
            std::make_unique<HostPoint<HostWork>>(runner_.pool(), workFor(spec, rotation.copies),
                                                  std::max(1, rotation.calls), [this] { emptyCaches(); }));
    }

    [[nodiscard]] bool supportsAttention(const AttentionCall& call) const override {
        return attention_.supports(call);
    }
    [[nodiscard]] double guessAttentionUs(const AttentionCall& call) const override {
        return attention_.guessUs(call);
    }
    Result<CheckOutcome> checkAttention(const AttentionCall& call, std::uint64_t seed) override {
        return attention_.check(call, seed);
    }
    Result<std::unique_ptr<PreparedPoint>> prepareAttention(const AttentionCall& call,
                                                            const Rotation& rotation) override {
        return std::unique_ptr<PreparedPoint>(std::make_unique<HostPoint<HostAttentionWork>>(
            runner_.pool(), attention_.workFor(call), std::max(1, rotation.calls),
            [this] { emptyCaches(); }));
    }
    [[nodiscard]] std::string attentionName(AttentionPhase phase) const override {
        return attention_.nameOf(phase);
    }

    [[nodiscard]] std::string kernelName(Kernel kernel) const override {
        const auto host = kernelOf(kernel);
        const auto second = hostSecondOf(kernel);
        return !host    ? std::string(nameOf(kernel))
               : second ? nameOf(*host) + ", then " + nameOf(HostKernel{*second, host->set})
                        : nameOf(*host);
    }

    std::vector<std::string> oddities() override {
        if (std::exchange(ceilingsDisturbed_, false)) {
            return {"other programs interrupted every piece of a ceiling: its rate may be too low"};
        }
        const double load = std::exchange(loadBefore_, -1);
        const unsigned processors = defaultThreads(); // of the machine, as the load is
        if (load <= 0.5 * processors) {
            return {};
        }
        return {
            fmt::format("other programs kept {:.1f} of {} processors busy before this run: times may be long",
                        load, processors)};
    }

private:
    /// Activations as they are and packed, results and dequantised weights, within a third of the free
    /// memory.
    [[nodiscard]] bool fits(const PointSpec& spec) const {
        const auto sides = static_cast<double>(2 * spec.size.k + spec.size.n);
        const double weights = hostSecondOf(spec.kernel) ? 2 * spec.size.elements() * spec.experts : 0;
        const double bytes = 4 * static_cast<double>(spec.rowsM) * spec.experts * sides + weights;
        return info_.freeMemoryBytes == 0 || bytes <= static_cast<double>(info_.freeMemoryBytes) / 3;
    }

    [[nodiscard]] std::optional<HostKernel> kernelOf(Kernel kernel) const {
        const InstructionSet set = cpu_.best();
        const auto method = hostMethodOf(kernel, options_.int8Activations ? &kernelTable(set) : nullptr);
        return method ? std::optional(HostKernel{*method, set}) : std::nullopt;
    }

    HostWork workFor(const PointSpec& spec, std::int64_t places = 1 << 20) {
        reserveFor(pool_, spec);
        const auto rows = static_cast<std::size_t>(spec.rowsM * spec.experts);
        if (x_.size() < rows * static_cast<std::size_t>(spec.size.k)) {
            x_.resize(rows * static_cast<std::size_t>(spec.size.k));
            fillUniform(x_, options_.seed);
        }
        y_.resize(std::max(y_.size(), rows * static_cast<std::size_t>(spec.size.n)));
        if (specOf(*hostMethodOf(spec.kernel)).dequantises) {
            const auto weights = static_cast<std::size_t>(spec.size.k * spec.size.n * spec.experts);
            out_.resize(std::max(out_.size(), weights));
        }
        return {runner_, pool_, *kernelOf(spec.kernel), spec, {x_.data(), y_.data(), out_.data()}, places};
    }

    /// The best of three calls after one that warms up.
    double trialUs(const PointSpec& spec) {
        HostWork work = workFor(spec);
        work.run(0);
        double best = usOf([&] { work.run(1); });
        for (int place = 2; place < 4; ++place) {
            best = std::min(best, usOf([&] { work.run(place); }));
        }
        return best;
    }

    /// Reads as much of other memory as the last-level cache holds twice.
    void emptyCaches() {
        constexpr std::int64_t least = std::int64_t{64} << 20;
        const std::int64_t bytes = std::max(2 * info_.lastLevelCacheBytes, least) / 64 * 64;
        if (other_.empty()) {
            other_.resize(static_cast<std::size_t>(bytes), 1);
        }
        runner_.read(cpu_.best(), other_.data(), other_.size());
    }

    void tryOut() {
        constexpr GemmSize size{2048, 2048};
        for (const HostMethodSpec& method : hostMethods()) {
            if (!method.timed || method.int8 != nullptr) {
                continue;
            }
            const auto usAt = [&](std::int64_t rowsM) {
                const int kBits = readsKBits(method.role) ? 4 : fp16Bits;
                return trialUs({method.role, size, 1, rowsM, kBits}) / size.elements();
            };
            const auto few = static_cast<double>(method.tryFewRows);
            const double rows = static_cast<double>(method.tryManyRows) - few;
            const double first = usAt(method.tryFewRows);
            const double slope = rows > 0 ? std::max(0.0, usAt(method.tryManyRows) - first) / rows : 0;
            guesses_[method.method] = {std::max(0.0, first - slope * few), slope};
        }
        attention_.tryOut();
    }

    HostOptions options_;
    Cpu cpu_;
    HostRunner runner_;
    DeviceInfo info_;
    WeightPool pool_;
    HostAttention attention_;
    AlignedVector<float> x_, y_;
    AlignedVector<std::uint16_t> out_;
    AlignedVector<std::uint8_t> other_; ///< see emptyCaches
    std::map<HostMethod, Guess> guesses_;
    double loadBefore_ = loadAverage();
    bool ceilingsDisturbed_ = false;
};

Result<Facts> HostBackend::measureCeilings(const std::stop_token& stop) {
    HostCeilings ceilings({cpu_.best(), runner_.threads(), options_.seed}, stop);
    ceilings.measureMemory(pool_.words());
    HostWork small = workFor({Kernel::Scalar, {blockWeights, 64 * runner_.threads()}, 1, 1, 4});
    ceilings.measureEmptyCall(runner_.pool(), [&] { small.run(0); });
    ceilings.measureOwnGemm();
    if (runner_.openBlas()) {
        ceilings.measureOpenBlas(runner_);
    }
    ceilingsDisturbed_ = ceilings.disturbed();
    return std::move(ceilings).facts();
}

Result<double> HostBackend::warmUp(double mostMs, const std::stop_token& stop) {
    HostWork gemm = workFor({Kernel::CublasFp16, {2048, 2048}, 1, 256, fp16Bits});
    double spentMs = 0;
    double settledMs = 0;
    double before = 0;
    std::int64_t place = 0;
    while (spentMs < mostMs && settledMs < 200 && !stop.stop_requested()) {
        const double ms = usOf([&] { gemm.run(place++); }) / 1000;
        spentMs += ms;
        settledMs = std::abs(ms - before) < 0.05 * ms ? settledMs + ms : 0;
        before = ms;
    }
    return 0.0; // no clock is read
}

} // namespace

DeviceInfo hostDevice(const HostOptions& options) {
    const Cpu cpu = thisCpu();
    const auto blas = openBlasIfInstalled();
    return hostDeviceInfo(cpu, threadsOf(options, cpu), blas ? blas->description() : "");
}

std::unique_ptr<Backend> openHostBackend(const HostOptions& options) {
    return std::make_unique<HostBackend>(options);
}

} // namespace loadline::gpu
