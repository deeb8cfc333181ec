// The fast way as a run that goes on.
#include "core/simulate/run/rows_course.h"

#include "core/simulate/policy/policies.h"
#include "core/simulate/run/turn_clock.h"
#include "core/simulate/run/warm_start.h"

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace loadline {
namespace {

std::int32_t longestOf(std::span<const DrawnTurn> turns) {
    std::int32_t longest = 1;
    for (const DrawnTurn& turn : turns) {
        longest = std::max(longest, turn.output);
    }
    return longest;
}

std::vector<DrawnTurn> begunAmid(const RowsSetup& setup, std::span<const DrawnTurn> turns) {
    std::vector<DrawnTurn> all = warmTurns(setup, turns);
    all.insert(all.end(), turns.begin(), turns.end());
    return all;
}

template <typename P, bool withHead>
class RowsCourse : public Course {
public:
    RowsCourse(const SimulationInputs& inputs, const GemmRates& rates, std::span<const DrawnTurn> turns)
        : setup_(setupOf(inputs)), rates_(rates), turns_(begunAmid(setup_, turns)), ring_(longestOf(turns_)),
          clock_(rates.table().usByRows(), ring_.span(), unused_, 0, head_),
          loop_({setup_, turns_, mixed_, decodeOnly_, ring_, clock_, never_}) {
        clock_.listAnswered(answered_);
    }

    std::optional<Error> advance(std::int64_t steps, const std::stop_token& stop) override {
        constexpr std::int64_t between = 1 << 14; // a stop is heard within a fraction of a millisecond
        while (loop_.iterations() < steps && !stop.stop_requested()) {
            loop_.endWith(std::min(steps, loop_.iterations() + between));
            loop_.goOn();
        }
        return std::nullopt;
    }

    [[nodiscard]] bool isOver() const override { return false; }

    [[nodiscard]] CourseMark mark() const override {
        const double nowS = clock_.nowS();
        return {.step = loop_.iterations(),
                .timeS = nowS,
                .tokensOut = static_cast<std::uint64_t>(takenRows_ + rows() + emittedBeside(loop_.tokens())),
                .arrived = static_cast<std::uint64_t>(loop_.begunTurns()),
                .answered = static_cast<std::uint64_t>(loop_.answeredTurns()),
                .waiting = static_cast<std::uint64_t>(loop_.waitingTurns()),
                .systemS = nowS * static_cast<double>(setup_.users)};
    }

    SimulationResult take() override {
        RowsRun run;
        run.counts = countsOf(mixed_, decodeOnly_, head_);
        SimulationResult taken;
        taken.users = setup_.users;
        taken.rows = run.histogram();
        taken.gemm = rates_.timeOf(run.counts);
        taken.wholeUs = taken.gemm.us;
        taken.wholeFp16Us = taken.gemm.fp16Us;
        taken.simulatedS = clock_.nowS() - takenS_;
        const RowsTokens sum = loop_.tokens();
        const std::int64_t passed = rows();
        taken.tokensIn = static_cast<std::uint64_t>(sum.prompt + sum.free - taken_.prompt - taken_.free);
        taken.tokensOut = static_cast<std::uint64_t>(passed + emittedBeside(sum) - emittedBeside(taken_));
        taken_ = sum;
        takenS_ = clock_.nowS();
        takenRows_ += passed;
        mixed_.clear();
        decodeOnly_.clear();
        head_.clear();
        return taken;
    }

    std::vector<TurnRecord> takeTurns() override { return std::exchange(answered_, {}); }

    [[nodiscard]] std::uint64_t unfinishedIn(double fromS, double toS) const override {
        std::uint64_t count = 0;
        clock_.eachUnfinished([&](double arrivalS) { count += arrivalS >= fromS && arrivalS < toS ? 1 : 0; });
        return count;
    }

private:
    static RowsSetup setupOf(const SimulationInputs& inputs) {
        RowsSetup setup = rowsSetupOf(inputs);
        setup.length = {};
        return setup;
    }

    /// All rows are prompt tokens or emitted ones, and the step that ends a prompt emits beside its rows.
    static std::int64_t emittedBeside(const RowsTokens& tokens) { return tokens.first - tokens.prompt; }

    /// Returns the rows of the steps since the last part was taken.
    [[nodiscard]] std::int64_t rows() const {
        std::int64_t sum = 0;
        for (const RowsTally* tally : {&mixed_, &decodeOnly_}) {
            for (const std::int32_t m : tally->seen()) {
                sum += m * tally->steps(m);
            }
        }
        return sum;
    }

    using Clock = TurnClock<withHead>;

    RowsSetup setup_;
    const GemmRates& rates_;
    std::vector<DrawnTurn> turns_;
    RowsTally mixed_, decodeOnly_, head_;
    CompletionRing ring_;
    RowsTimes unused_;
    Clock clock_;
    std::stop_token never_;
    typename P::template Loop<Clock> loop_;
    std::vector<TurnRecord> answered_; ///< since they were taken
    RowsTokens taken_;                 ///< until the last part
    std::int64_t takenRows_ = 0;
    double takenS_ = 0;
};

} // namespace

std::unique_ptr<Course> beginRows(const SimulationInputs& inputs, const GemmRates& rates,
                                  std::span<const DrawnTurn> turns) {
    return withPolicy(inputs.policy.policy, [&]<typename P>(P) -> std::unique_ptr<Course> {
        if constexpr (hasLoop<P>) {
            if (rates.table().hasHead()) {
                return std::make_unique<RowsCourse<P, true>>(inputs, rates, turns);
            }
            return std::make_unique<RowsCourse<P, false>>(inputs, rates, turns);
        }
        return nullptr;
    });
}

} // namespace loadline
