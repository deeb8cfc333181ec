// Compares the times of a step with a rule's bounds where they are, and where they could be.
#include "core/simulate/study/rule_moves.h"

#include "core/cost/kernel/dispatch_reach.h"
#include "core/cost/kernel/dispatch_text.h"
#include "core/cost/profile/profile_reach.h"
#include "core/simulate/run/cost_tables.h"
#include "core/simulate/run/replica.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace loadline {
namespace {

constexpr std::int64_t mostMovedM = 1024; // no k-bit kernel is built for so many rows of a step
constexpr double fasterBy = 0.999;        // of the time, to count as faster
constexpr double costsLess = 0.98;

using Tables = std::shared_ptr<const CostTables>;

Result<Tables> tablesWith(SimulationInputs inputs, DispatchRule rule, std::int64_t rows) {
    inputs.cost.rule = std::move(rule);
    inputs.tables = nullptr;
    return CostTables::make(inputs, {inputs.cost.format}, rows);
}

DispatchRule fastestRule() {
    return *findDispatchPreset("fastest");
}

/// The first quantised GEMM of a kind: its experts' load turns rows of a step into rows of each.
const LayerGemm* gemmOf(const ModelShapes& model, bool grouped) {
    const auto found = std::ranges::find_if(model.gemms, [grouped](const LayerGemm& gemm) {
        return gemm.quantised && gemm.grouped() == grouped;
    });
    return found == model.gemms.end() ? nullptr : &*found;
}

/// The ranges with the bound behind the `place`-th at `toM`.
std::vector<KernelRange> withBound(const std::vector<KernelRange>& ranges, std::size_t place,
                                   std::int64_t toM) {
    std::vector<KernelRange> moved = ranges;
    moved[place].toM = toM;
    moved[place + 1].fromM = toM + 1;
    for (std::size_t i = place + 2; i < moved.size(); ++i) {
        moved[i].fromM = std::max(moved[i].fromM, toM + 1);
    }
    std::erase_if(moved, [](const KernelRange& range) { return range.toM < range.fromM; });
    return moved;
}

class Bounds {
public:
    Bounds(const SimulationInputs& inputs, const CostTable& now)
        : inputs_(inputs), reaches_(reachesOf(inputs.profile.get())),
          rule_(within(inputs.cost.rule, reaches_)), now_(now) {}

    Status add(std::vector<RuleMove>& moves, bool grouped) const {
        const std::vector<KernelRange>& ranges = rangesOf(grouped);
        for (std::size_t i = 0; i + 1 < ranges.size(); ++i) {
            auto move = moveOf(*gemmOf(inputs_.cost.model, grouped), grouped, i);
            if (!move) {
                return move.error();
            }
            if (*move) {
                moves.push_back(std::move(**move));
            }
        }
        return Done{};
    }

private:
    [[nodiscard]] const std::vector<KernelRange>& rangesOf(bool grouped) const {
        return grouped ? rule_.grouped : rule_.dense;
    }

    [[nodiscard]] DispatchRule ruleWith(bool grouped, std::size_t place, std::int64_t toM) const {
        const auto ranges = withBound(rangesOf(grouped), place, toM);
        return editedRule(grouped ? rule_.dense : ranges, grouped ? ranges : rule_.grouped);
    }

    [[nodiscard]] Result<std::optional<RuleMove>> moveOf(const LayerGemm& gemm, bool grouped,
                                                         std::size_t place) const {
        const std::vector<KernelRange>& ranges = rangesOf(grouped);
        const KernelRange& below = ranges[place];
        const std::int64_t reach =
            std::min(reaches_.at(static_cast<std::size_t>(below.kernel)).rowsM, mostMovedM);
        const auto rowsEach = [&](std::int64_t rows) {
            return expertLoad(gemm, static_cast<double>(rows)).rowsPerExpert;
        };
        std::int64_t bound = 0; // in rows of a step
        while (bound < now_.maxRows() && rowsEach(bound + 1) <= static_cast<double>(below.toM)) {
            ++bound;
        }
        RuleMove move{.grouped = grouped,
                      .below = below.kernel,
                      .above = ranges[place + 1].kernel,
                      .boundM = below.toM,
                      .fasterToM = below.toM,
                      .boundRows = bound,
                      .fasterToRows = bound,
                      .rule = {},
                      .naming = namingOf(inputs_)};
        if (reach > below.toM) {
            const auto up = tablesWith(inputs_, ruleWith(grouped, place, reach), now_.maxRows());
            if (!up) {
                return up.error();
            }
            const CostTable& other = (*up)->at(inputs_.cost.format).table();
            for (std::int64_t rows = bound + 1;
                 rows <= now_.maxRows() && rowsEach(rows) <= static_cast<double>(reach) &&
                 other.us(rows) < fasterBy * now_.us(rows);
                 ++rows) {
                move.fasterToRows = rows;
                move.fasterToM = static_cast<std::int64_t>(std::ceil(rowsEach(rows) - 1e-9));
            }
        }
        if (!move.goesUp()) {
            const auto down = tablesWith(inputs_, ruleWith(grouped, place, below.fromM - 1), now_.maxRows());
            if (!down) {
                return down.error();
            }
            const CostTable& other = (*down)->at(inputs_.cost.format).table();
            for (std::int64_t rows = bound; rows >= 1 && rowsEach(rows) >= static_cast<double>(below.fromM) &&
                                            other.us(rows) < fasterBy * now_.us(rows);
                 --rows) {
                move.fasterToRows = rows - 1;
                move.fasterToM = static_cast<std::int64_t>(std::ceil(rowsEach(rows) - 1e-9)) - 1;
            }
        }
        if (move.fasterToM == move.boundM) {
            return std::optional<RuleMove>();
        }
        move.rule = ruleWith(grouped, place, move.fasterToM);
        return std::optional(std::move(move));
    }

    const SimulationInputs& inputs_;
    KernelReaches reaches_;
    DispatchRule rule_;
    const CostTable& now_;
};

/// Points that lie well above the one just before them.
std::vector<std::size_t> risesOf(std::span<const SweepPoint> curve) {
    constexpr double leastRise = 1.05;
    constexpr double near = 1.1; // of users
    std::vector<std::size_t> rises;
    for (std::size_t i = 1; i < curve.size(); ++i) {
        const std::int64_t users = curve[i - 1].users;
        const bool isNext = curve[i].users == users + 1 ||
                            static_cast<double>(curve[i].users) <= near * static_cast<double>(users);
        if (isNext && curve[i].timeVsFp16.value >= leastRise * curve[i - 1].timeVsFp16.value) {
            rises.push_back(i);
        }
    }
    return rises;
}

std::string boundText(const RuleMove& move) {
    const std::string faster = move.goesUp() ? fmt::format("up to {} rows", formatExact(move.fasterToM))
                               : move.fasterToM == 0
                                   ? "from 1 row on"
                                   : fmt::format("from {} rows on", formatExact(move.fasterToM + 1));
    return fmt::format("where the rule changes from {} to {}, though {} is faster {}",
                       nameOf(move.below, move.naming), nameOf(move.above, move.naming),
                       nameOf(move.moreOf(), move.naming), faster);
}

std::string passed(const RuleMove& move) {
    return formatExact(move.boundM) + (move.grouped ? " rows of each expert" : " rows");
}

/// Share of all steps whose kernel the move changes.
double changedShare(const RuleMove& move, std::span<const RowsCount> counts) {
    const auto [low, high] = std::minmax(move.boundRows, move.fasterToRows);
    double changed = 0;
    double all = 0;
    for (const RowsCount& count : counts) {
        const auto steps = static_cast<double>(count.steps);
        changed += count.rows > low && count.rows <= high ? steps : 0;
        all += steps;
    }
    return all > 0 ? changed / all : 0;
}

} // namespace

Result<std::vector<RuleMove>> movesOf(const SimulationInputs& inputs) {
    std::vector<RuleMove> moves;
    if (inputs.cost.rule.fastest) {
        return moves;
    }
    const auto now = tablesWith(inputs, inputs.cost.rule, mostMovedM);
    if (!now) {
        return now.error();
    }
    const Bounds bounds(inputs, (*now)->at(inputs.cost.format).table());
    for (const bool grouped : {false, true}) {
        if (gemmOf(inputs.cost.model, grouped) == nullptr) {
            continue;
        }
        if (Status added = bounds.add(moves, grouped); !added) {
            return added.error();
        }
    }
    return moves;
}

std::string textOf(const RuleMove& move) {
    const std::string name = nameOf(move.moreOf(), move.naming);
    const auto rows = [&](std::int64_t count) {
        return fmt::format("{} {} {}", formatExact(count), count == 1 ? "row" : "rows",
                           move.grouped ? "of each expert" : "a step");
    };
    return move.goesUp() ? fmt::format("{} up to {} instead of {}", name, rows(move.fasterToM),
                                       formatExact(move.boundM))
                         : fmt::format("{} from {} instead of {}", name, rows(move.fasterToM + 1),
                                       formatExact(move.boundM + 1));
}

Result<std::optional<RuleCost>> ruleCostOf(const SimulationInputs& inputs, const SimulationResult& result) {
    if (overlapsHost(inputs)) { // the rest of a step depends on its GEMMs
        return std::optional<RuleCost>();
    }
    const auto moves = movesOf(inputs);
    if (!moves) {
        return moves.error();
    }
    const auto counts = countsOf(result.rows);
    if (counts.empty() || !(result.wholeFp16Us > 0)) {
        return std::optional<RuleCost>();
    }
    const auto vsFp16With = [&](const DispatchRule& rule) -> Result<double> {
        const auto tables = tablesWith(inputs, rule, counts.back().rows);
        if (!tables) {
            return tables.error();
        }
        const double us = (*tables)->at(inputs.cost.format).timeOf(counts).us;
        return (result.wholeUs - result.gemm.us + us) / result.wholeFp16Us;
    };
    std::optional<RuleCost> most;
    for (const RuleMove& move : *moves) {
        const double share = changedShare(move, counts);
        if (!(share > 0)) {
            continue;
        }
        const auto moved = vsFp16With(move.rule);
        if (!moved) {
            return moved.error();
        }
        if (*moved < (most ? most->movedVsFp16 : costsLess * result.timeVsFp16())) {
            most = RuleCost{move, share, result.timeVsFp16(), *moved, 0};
        }
    }
    if (!most) {
        return most;
    }
    const auto fastest = vsFp16With(fastestRule());
    if (!fastest) {
        return fastest.error();
    }
    most->fastestVsFp16 = *fastest;
    return most;
}

std::string ruleCostSentence(const RuleCost& cost) {
    return fmt::format("Steps {} {}, {}: with that bound moved the same steps take {:.2f} of fp16's time "
                       "instead of {:.2f}, with the rule `fastest` {:.2f}.",
                       cost.move.goesUp() ? "pass" : "stay within", passed(cost.move), boundText(cost.move),
                       cost.movedVsFp16, cost.timeVsFp16, cost.fastestVsFp16);
}

Result<std::optional<RuleJump>> ruleJumpOf(const SimulationInputs& inputs, std::span<const SweepPoint> curve,
                                           const std::stop_token& stop) {
    std::optional<RuleJump> jump;
    const std::vector<std::size_t> rises = risesOf(curve);
    if (inputs.arrivals.kind != ArrivalKind::Closed || rises.empty()) {
        return jump;
    }
    const auto moves = movesOf(inputs);
    if (!moves) {
        return moves.error();
    }
    for (const std::size_t i : rises) {
        const SweepPoint& a = curve[i - 1];
        const SweepPoint& b = curve[i];
        const double before = a.timeVsFp16.value;
        const double after = b.timeVsFp16.value;
        if (jump && after - before <= jump->after - jump->before) {
            continue;
        }
        const auto passing = std::ranges::find_if(*moves, [&](const RuleMove& move) {
            return move.goesUp() && a.users <= move.boundRows && move.boundRows < b.users;
        });
        if (passing != moves->end()) {
            jump = RuleJump{*passing, a.users, b.users, before, after, 0};
        }
    }
    if (!jump) {
        return jump;
    }
    const auto at = [&](const DispatchRule& rule) -> Result<std::optional<double>> {
        SweepInputs one;
        one.base = inputs;
        one.base.arrivals.users = jump->toUsers;
        one.base.cost.rule = rule;
        one.base.tables = nullptr;
        const auto swept = sweep(one, stop);
        if (!swept) {
            return swept.error();
        }
        return swept->points.empty() ? std::optional<double>() : swept->points.front().timeVsFp16.value;
    };
    const auto moved = at(jump->move.rule);
    if (!moved) {
        return moved.error();
    }
    const auto fastest = at(fastestRule());
    if (!fastest) {
        return fastest.error();
    }
    if (!*moved || !*fastest) {
        return std::optional<RuleJump>(); // stopped
    }
    jump->moved = **moved;
    jump->fastest = **fastest;
    const bool rulesDoing = jump->after - jump->moved >= (jump->after - jump->before) / 3;
    return rulesDoing ? jump : std::optional<RuleJump>();
}

std::string ruleJumpSentence(const RuleJump& jump) {
    return fmt::format(
        "From {} to {} users the curve jumps from {:.2f} to {:.2f} of fp16's time by the dispatch "
        "rule, not by the hardware: steps pass {}, {}; with that bound moved it is {:.2f} at {} "
        "users, with the rule `fastest` {:.2f}.",
        jump.fromUsers, jump.toUsers, jump.before, jump.after, passed(jump.move), boundText(jump.move),
        jump.moved, jump.toUsers, jump.fastest);
}

} // namespace loadline
