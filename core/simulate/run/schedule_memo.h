// The steps of a run without their times: worked out once, priced for many costs.
#pragma once

#include "core/simulate/run/cost_tables.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

namespace loadline {

/// True if the steps of the exact scheduler are the same whatever time they take: closed loop without think
/// time.
bool ignoresClock(const SimulationInputs& inputs);

/// One replica without a clock. Times are numbers of steps that have ended.
struct ScheduleRecord {
    struct Forward {
        std::int32_t rowsM = 0; ///< 0: a step without any
        std::int32_t headRows = 0;
        bool decodeOnly = false;
        bool endsStep = false;
    };

    /// A turn that was answered.
    struct Turn {
        std::int32_t arrival = 0;
        std::int32_t firstToken = 0;
        std::int32_t end = 0;
        std::int32_t tokens = 0; ///< emitted
    };

    std::vector<Forward> forwards;
    std::vector<double> attentionUs;    ///< by forward, in WholeStep; else empty
    std::vector<Turn> turns;            ///< in the order of answers
    std::optional<RunPlan> plan;        ///< the steps that are measured; none: all
    std::vector<SimulationResult> sums; ///< by part of the plan, what needs no clock: neither rows nor times
                                        ///< nor latencies
    bool isBound = false; ///< memory had a say: a block was missing or used again, or a request reached the
                          ///< longest; else the same with more blocks

    [[nodiscard]] std::size_t bytes() const;
    /// Returns the results of the recorded run at these costs, by part of the plan, to the last bit as
    /// runExact() gives them. Precondition: a record of these inputs, but for the time of a step.
    [[nodiscard]] std::vector<SimulationResult> priced(const SimulationInputs& inputs,
                                                       const GemmRates& rates) const;
};

/// Records of runs and the workloads of which they are, the least recently used forgotten; what is asked of
/// now is not counted, as its asker holds it. Any thread may ask.
class ScheduleMemo {
public:
    static constexpr std::size_t usualBytes = std::size_t{256} << 20;

    explicit ScheduleMemo(std::size_t mostBytes = usualBytes) : mostBytes_(mostBytes) {}

    /// Returns the record of one replica; makes it if it is not there. Precondition: ignoresClock(inputs).
    /// Errors of recordExact(). When stopped, the record ends early and is not kept.
    Result<std::shared_ptr<const ScheduleRecord>> of(const SimulationInputs& inputs, std::uint64_t seed,
                                                     const std::stop_token& stop);

    /// resampled() of the same sessions and seed is the same value.
    std::shared_ptr<const Workload> resampledOf(const std::shared_ptr<const Workload>& workload,
                                                std::uint64_t seed);

    /// Returns the number of runs that were not there and had to be recorded.
    [[nodiscard]] std::uint64_t recorded() const;
    /// Returns the bytes of all that is held.
    [[nodiscard]] std::size_t bytes() const;

private:
    /// The inputs that decide a schedule, but for the blocks.
    struct Question {
        std::shared_ptr<const Workload> workload;
        PolicySetup policy;
        ArrivalSetup arrivals;
        RunLength length;
        std::optional<RunPlan> plan;
        std::uint64_t seed = 1;
        bool operator==(const Question&) const = default;
    };

    /// The inputs that decide the time of attention; none: the GEMMs alone.
    struct Attention {
        AttentionFacts facts;
        std::shared_ptr<const AttentionTable> table;
        std::shared_ptr<const Profile> profile;
        const Hardware* hardware = nullptr;
        ServedEngine engine;
        Storage kv = Storage::Fp16;
        Storage projections = Storage::Fp16; ///< of a latent's, which its kernels hold; else without meaning
        bool operator==(const Attention&) const = default;
    };

    struct Entry {
        Question question;
        std::optional<Attention> attention;
        std::int64_t blocks = 0;
        BlocksBeside beside;
        Tokens longest = 0;
        std::shared_ptr<const ScheduleRecord> record;
        std::size_t workloadBytes = 0;
        std::uint64_t used = 0;

        [[nodiscard]] bool answers(const Entry& asked) const;
    };

    struct Resampled {
        std::shared_ptr<const Workload> from;
        std::uint64_t seed = 1;
        std::shared_ptr<const Workload> workload;
        std::size_t bytes = 0;
        std::uint64_t used = 0;
    };

    static Entry asked(const SimulationInputs& inputs, std::uint64_t seed);
    std::shared_ptr<const ScheduleRecord> find(const Entry& asked);
    void keep(Entry entry);
    [[nodiscard]] std::size_t bytesBeside(const Workload* present) const;
    void forgetBeside(const Workload* present);

    mutable std::mutex mutex_;
    std::size_t mostBytes_;
    std::uint64_t asked_ = 0;
    std::uint64_t recorded_ = 0;
    std::vector<Entry> entries_;
    std::vector<Resampled> resampled_;
};

} // namespace loadline
