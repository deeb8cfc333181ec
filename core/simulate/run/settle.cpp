// Rounds of twice the length each, judged after each.
#include "core/simulate/run/settle.h"

#include "core/base/parallel_for.h"
#include "core/simulate/run/replica.h"
#include "core/simulate/run/rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>

namespace loadline {
namespace {

constexpr std::int64_t marksOfRound = 64;
constexpr std::int64_t piecesOfRound = 16; // the first four are warm-up; the others make one to four parts

/// A run on its way.
struct SettlingRun {
    std::unique_ptr<Course> course;
    std::vector<CourseMark> marks;
    std::vector<TurnRecord> turns;        ///< those that may be measured yet
    std::vector<SimulationResult> pieces; ///< of as many steps each, from the beginning
    std::optional<Error> problem;

    void goTo(std::int64_t step, const std::stop_token& stop) {
        if (!problem) {
            problem = course->advance(step, stop);
            marks.push_back(course->mark());
        }
    }
};

class Settling {
public:
    Settling(const SimulationInputs& inputs, const SettleGoal& goal, unsigned threads,
             const std::stop_token& stop)
        : inputs_(inputs), goal_(goal), threads_(threads), stop_(stop), parts_(partsOf(inputs.replicas)),
          runs_(static_cast<std::size_t>(inputs.replicas / parts_)) {}

    Result<SettledRuns> answer(const GemmRates& rates, std::span<const std::vector<DrawnTurn>> turns) {
        const std::int64_t longest = longestRunOf(goal_, std::ssize(runs_));
        bool grewBefore = false;
        SettledRuns settled;
        for (std::int64_t steps = std::min(goal_.firstSteps, longest);; steps *= 2) {
            parallelFor(runs_.size(), threads_, stop_, [&](std::size_t i, unsigned) {
                SettlingRun& run = runs_[i];
                if (!run.course) {
                    run.course =
                        beginCourse(inputs_, rates, i < turns.size() ? turns[i] : none_, inputs_.seed + i);
                    run.marks.push_back(run.course->mark());
                }
                round(run, steps);
            });
            if (stop_.stop_requested()) {
                return settled;
            }
            for (const SettlingRun& run : runs_) {
                if (run.problem) {
                    return *run.problem;
                }
            }
            std::vector<MeasuredSpan> spans = spansOf(steps);
            const RunBound bound = boundOf(steps, longest);
            if (bound == RunBound::None && !isThroughputKnown(spans, goal_.precision)) {
                continue;
            }
            RunReport report = judged(spans, inputs_.arrivals.kind, goal_.precision);
            report.plan = {steps / 4, steps - steps / 4, parts_, goal_.followed};
            report.settled = report.settled && isWarm(spans);
            // The queue must grow in two rounds, or it is not believed; the engine's throughput has to be
            // known too.
            const Banded& output = report.throughputTokensPerS;
            const bool grows = report.queueGrows && grewBefore &&
                               output.high - output.low <= 2 * goal_.precision.throughput * output.value;
            grewBefore = report.queueGrows;
            if (!report.settled) {
                report.bound = bound;
            }
            if (report.settled || grows || report.bound != RunBound::None) {
                for (const SettlingRun& run : runs_) {
                    report.steps += static_cast<std::uint64_t>(run.course->mark().step);
                }
                settled.replicas = resultsOf(spans, report.queueGrows);
                settled.report = report;
                return settled;
            }
        }
    }

private:
    /// On to `steps`, and further until all turns of the measured span are answered.
    void round(SettlingRun& run, std::int64_t steps) const {
        const std::int64_t grain = steps / marksOfRound;
        std::erase_if(run.marks, [&](const CourseMark& mark) { return mark.step % grain != 0; });
        joinPairs(run.pieces);
        for (std::int64_t step = run.marks.back().step + grain; step <= steps && !isDone(run);
             step += grain) {
            run.goTo(step, stop_);
            if (step * piecesOfRound % steps == 0) {
                run.pieces.push_back(run.course->take());
            }
        }
        if (isDone(run)) {
            return;
        }
        const double fromS = markAt(run, steps / 4).timeS;
        const double toS = markAt(run, steps).timeS;
        const auto last = steps + static_cast<std::int64_t>(
                                      goal_.followed * static_cast<double>(steps)); // not the next round's
        for (std::int64_t step = run.marks.back().step + grain;
             step < last && run.course->unfinishedIn(fromS, toS) > 0 && !isDone(run); step += grain) {
            run.goTo(step, stop_);
            if (step * piecesOfRound % (2 * steps) == 0) {
                run.pieces.push_back(run.course->take()); // the next round's
            }
        }
        std::erase_if(run.turns, [&](const TurnRecord& turn) { return turn.arrivalS < fromS; });
        std::ranges::copy(run.course->takeTurns(), std::back_inserter(run.turns));
    }

    [[nodiscard]] bool isDone(const SettlingRun& run) const { return run.problem || stop_.stop_requested(); }

    static const CourseMark& markAt(const SettlingRun& run, std::int64_t step) {
        return *std::ranges::lower_bound(run.marks, step, {}, &CourseMark::step);
    }

    [[nodiscard]] std::vector<MeasuredSpan> spansOf(std::int64_t steps) const {
        std::vector<MeasuredSpan> spans;
        for (const SettlingRun& run : runs_) {
            MeasuredSpan& span = spans.emplace_back();
            std::ranges::copy_if(run.marks, std::back_inserter(span.marks), [&](const CourseMark& mark) {
                return mark.step >= steps / 4 && mark.step <= steps;
            });
            const double fromS = span.marks.front().timeS;
            const double toS = span.marks.back().timeS;
            span.turns = arrivedIn(run.turns, fromS, toS);
            span.inFlight = run.course->unfinishedIn(fromS, toS);
            for (const SimulationResult& piece : measuredOf(run)) {
                span.us += piece.wholeUs;
                span.fp16Us += piece.wholeFp16Us;
            }
        }
        return spans;
    }

    /// Returns the results beyond the warm-up.
    static std::span<const SimulationResult> measuredOf(const SettlingRun& run) {
        constexpr std::size_t warmUp = piecesOfRound / 4;
        return std::span(run.pieces).subspan(warmUp, piecesOfRound - warmUp);
    }

    /// Two of a round become one of the next, which is twice as long.
    static void joinPairs(std::vector<SimulationResult>& pieces) {
        std::vector<SimulationResult> joined;
        const std::size_t before = pieces.empty() ? 0 : piecesOfRound;
        for (std::size_t i = 0; i < before; i += 2) {
            joined.push_back(pooled(std::span(pieces).subspan(i, 2)));
            joined.back().runs = 1;
        }
        std::move(pieces.begin() + static_cast<std::ptrdiff_t>(before), pieces.end(),
                  std::back_inserter(joined));
        pieces = std::move(joined);
    }

    /// Each user has been answered twice before the measured span.
    [[nodiscard]] bool isWarm(std::span<const MeasuredSpan> spans) const {
        return inputs_.arrivals.kind != ArrivalKind::Closed ||
               std::ranges::all_of(spans, [&](const MeasuredSpan& span) {
                   return static_cast<std::int64_t>(span.marks.front().answered) >=
                          2 * inputs_.arrivals.users;
               });
    }

    [[nodiscard]] RunBound boundOf(std::int64_t steps, std::int64_t longest) const {
        std::uint64_t turns = 0;
        for (const SettlingRun& run : runs_) {
            turns += run.turns.size();
        }
        if (2 * steps > longest) {
            return RunBound::Steps;
        }
        return turns > goal_.mostTurns ? RunBound::Turns : RunBound::None;
    }

    [[nodiscard]] std::vector<SimulationResult> resultsOf(std::span<const MeasuredSpan> spans,
                                                          bool queueGrows) const {
        std::vector<SimulationResult> results;
        for (std::size_t i = 0; i < runs_.size(); ++i) {
            const std::span<const SimulationResult> pieces = measuredOf(runs_[i]);
            const auto parts = static_cast<std::size_t>(parts_);
            const std::size_t each = pieces.size() / parts;
            const std::size_t marks = spans[i].marks.size() - 1;
            for (std::size_t part = 0; part < parts; ++part) {
                SimulationResult& result = results.emplace_back(pooled(pieces.subspan(part * each, each)));
                result.runs = 1;
                const CourseMark& from = spans[i].marks[part * marks / parts];
                const CourseMark& to = spans[i].marks[(part + 1) * marks / parts];
                putTurns(result, turnsBetween(spans[i].turns, from.timeS, to.timeS));
                result.served = to.answered - from.answered;
                if (inputs_.arrivals.kind != ArrivalKind::Closed) {
                    result.waitingTurns = to.waiting;
                    result.growingQueues = queueGrows ? 1 : 0;
                }
            }
        }
        return results;
    }

    const SimulationInputs& inputs_;
    const SettleGoal& goal_;
    unsigned threads_;
    const std::stop_token& stop_;
    std::int64_t parts_; ///< of each run: a result each
    std::vector<SettlingRun> runs_;
    const std::vector<DrawnTurn> none_;
};

} // namespace

Result<SettledRuns> settle(const SimulationInputs& inputs, const GemmRates& rates,
                           std::span<const std::vector<DrawnTurn>> turns, const SettleGoal& goal,
                           unsigned threads, const std::stop_token& stop) {
    return Settling(inputs, goal, threads, stop).answer(rates, turns);
}

std::size_t turnsToSettle(const SimulationInputs& inputs, const SettleGoal& goal) {
    constexpr std::int64_t most = 1 << 19; // then they start over
    const std::int64_t runs = inputs.replicas / partsOf(inputs.replicas);
    return goesFast(inputs) ? static_cast<std::size_t>(std::min(most, 2 * longestRunOf(goal, runs)) +
                                                       inputs.arrivals.users)
                            : 0;
}

std::int64_t longestRunOf(const SettleGoal& goal, std::int64_t runs) {
    const auto share = static_cast<std::uint64_t>(goal.mostSteps / std::max<std::int64_t>(runs, 1));
    const auto steps = static_cast<std::int64_t>(std::bit_floor(std::max<std::uint64_t>(share, 1)));
    return std::max(steps, goal.leastOfRun);
}

} // namespace loadline
