// Describes crossovers with their intervals.
#include "core/ask/table_of.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/report/swept.h"
#include "core/text/enum_words.h"

#include <functional>
#include <optional>

namespace loadline::ask {
namespace {

using C = Crossover;

std::string_view keyOfKind(CrossoverKind kind) {
    return wordOf(kind, {"quantised_faster", "quantised_slower", "one", "several"});
}

void intervalColumns(TableOf<C>& table, const std::string& key, CrossoverInterval C::*interval) {
    const auto column = [&](const char* name, auto member) {
        table.document(key + name, [=](const C& crossover) { return crossover.*interval.*member; });
    };
    column("low", &CrossoverInterval::low);
    column("high", &CrossoverInterval::high);
    column("share_with_crossing", &CrossoverInterval::shareWithCrossing);
    column("share_otherwise", &CrossoverInterval::shareOtherwise);
    column("otherwise_users", &CrossoverInterval::otherwiseUsers);
}

/// "best" and "worst"
void extremeColumns(TableOf<C>& table, const std::string& key, std::int64_t C::*users, Banded C::*pace,
                    double C::*time) {
    table.with({groupOf(key)})
        .document(key + ".users", users)
        .document(key + ".time_vs_fp16", time)
        .document(key + ".turns_per_s_vs_against", [pace](const C& crossover) {
            const double value = (crossover.*pace).value;
            return only(crossover.byTurns && value > 0, 1 / value);
        });
}

struct CrossingRow {
    Crossing crossing;
    std::optional<CrossoverInterval> interval; ///< none: none were worked out
};

/// The crossings of all crossovers, and the kernels that their rules leave out.
struct InnerRows {
    Grouped<CrossingRow> crossings;
    Grouped<std::string_view> kernels;
    Grouped<std::int64_t> users;
    Grouped<double> asRuled, fastest;
};

void addLeftOut(InnerRows& rows, const std::optional<RuleLeftOut>& leftOut) {
    const RuleLeftOut left = leftOut.value_or(RuleLeftOut());
    const auto add = [](auto& group, const auto& values, auto of) {
        for (const auto& value : values) {
            group.add(of(value));
        }
        group.endGroup();
    };
    add(rows.kernels, left.kernels, [](Kernel kernel) { return keyOf(kernel); });
    add(rows.users, left.users, std::identity());
    add(rows.asRuled, left.asRuled, std::identity());
    add(rows.fastest, left.fastest, std::identity());
}

InnerRows innerRowsOf(const std::vector<C>& crossovers) {
    InnerRows rows;
    for (const C& crossover : crossovers) {
        for (std::size_t i = 0; i < crossover.crossings.size(); ++i) {
            rows.crossings.add({crossover.crossings[i], i < crossover.byCrossing.size()
                                                            ? std::optional(crossover.byCrossing[i])
                                                            : std::nullopt});
        }
        rows.crossings.endGroup();
        addLeftOut(rows, crossover.leftOut);
    }
    return rows;
}

Table crossingsTable(std::string path, const Grouped<CrossingRow>& crossings) {
    using R = CrossingRow;
    const auto isThere = [](const R& row) { return row.interval.has_value(); };
    return tableWithin(std::move(path), crossings)
        .document("users", [](const R& row) { return row.crossing.users; })
        .document("quantised_faster_below", [](const R& row) { return row.crossing.quantisedFasterBelow; })
        .document("simulated_below", [](const R& row) { return row.crossing.fromUsers; }) // between the two
        .document("simulated_above",
                  [](const R& row) { return row.crossing.toUsers; }) // nothing was simulated
        .where(isThere, "low", [](const R& row) { return row.interval ? Cell(row.interval->low) : Cell(); })
        .where(isThere, "high", [](const R& row) { return row.interval ? Cell(row.interval->high) : Cell(); })
        .where(isThere, "share_with_crossing",
               [](const R& row) { return row.interval ? Cell(row.interval->shareWithCrossing) : Cell(); });
}

/// Null where the curve has no jump.
void jumpColumns(TableOf<C>& table) {
    const auto column = [&table](const char* key, auto of) {
        table.document(std::string("rule_jump.") + key, [of](const C& crossover) {
            return crossover.ruleJump ? Cell(of(*crossover.ruleJump)) : Cell();
        });
    };
    table.with({groupOf("rule_jump")});
    column("from_users", [](const RuleJump& jump) { return jump.fromUsers; });
    column("to_users", [](const RuleJump& jump) { return jump.toUsers; });
    column("time_vs_fp16_before", [](const RuleJump& jump) { return jump.before; });
    column("time_vs_fp16_after", [](const RuleJump& jump) { return jump.after; });
    column("time_vs_fp16_fastest", [](const RuleJump& jump) { return jump.fastest; });
    column("bound_m", [](const RuleJump& jump) { return jump.move.boundM; });
    column("kernel_below", [](const RuleJump& jump) { return keyOf(jump.move.below); });
    column("kernel_above", [](const RuleJump& jump) { return keyOf(jump.move.above); });
    column("faster_to_m", [](const RuleJump& jump) { return jump.move.fasterToM; });
}

} // namespace

void addCrossovers(Report& report, const std::string& path, const std::vector<Crossover>& crossovers) {
    TableOf table(path, crossovers);
    table.with(weightsColumns([&crossovers](std::size_t row) { return crossovers[row].weights; }))
        .document("chunk", [](const C& one) { return only(one.chunkTokens > 0, one.chunkTokens); })
        .document("fits", [](const C& one) { return one.memory.fits(); })
        .document("by", [](const C& one) { return one.byTurns ? "turns_per_s" : "time"; })
        .document("against", [](const C& one) { return keyOf(one.against); })
        .document(
            "users",
            [](const C& one) { return one.crossings.empty() ? Cell() : Cell(one.crossings.front().users); })
        .document("low", [](const C& one) { return one.all.low; })
        .document("high", [](const C& one) { return one.all.high; })
        .document("kind", [](const C& one) { return keyOfKind(one.kind); })
        .document("step", [](const C& one) { return keyOf(one.scope); })
        .document("from_users", &C::fromUsers)
        .document("to_users", &C::toUsers)
        .document("share_with_crossing", [](const C& one) { return one.all.shareWithCrossing; })
        .document("share_otherwise", [](const C& one) { return one.all.shareOtherwise; })
        .document("otherwise_users", [](const C& one) { return one.all.otherwiseUsers; })
        .with({groupOf("alone")});
    intervalColumns(table, "alone.replicas.", &C::replicas);
    intervalColumns(table, "alone.sessions.", &C::sessions);
    intervalColumns(table, "alone.kernels.", &C::kernels);
    extremeColumns(table, "best", &C::bestUsers, &C::best, &C::bestTimeVsFp16);
    extremeColumns(table, "worst", &C::worstUsers, &C::worst, &C::worstTimeVsFp16);
    table.document("from_whole_users", [](const C& one) {
        return one.crossings.empty() ? Cell() : Cell(firstUsersBehind(one.crossings.front()));
    });
    jumpColumns(table);
    table.document("modelled_share", &C::modelledShare).document("sentence", &C::sentence);
    const auto isMisfit = [&crossovers](std::size_t row) { return crossovers[row].isMisfit(); };
    table.with({groupOf("crossings", [](std::size_t) { return true; }),
                groupOf("rule_left_out",
                        [&crossovers](std::size_t row) { return crossovers[row].leftOut.has_value(); })});
    table->forgetRows(isMisfit, {"k", "weights", "by", "against", "chunk", "fits", "step", "from_users",
                                 "to_users", "sentence"});
    report.add(std::move(table));
    const InnerRows& rows = report.keep(innerRowsOf(crossovers));
    report.add(crossingsTable(path + ".crossings", rows.crossings));
    report.add(listsWithin(path + ".rule_left_out.kernels", rows.kernels));
    report.add(listsWithin(path + ".rule_left_out.users", rows.users));
    report.add(listsWithin(path + ".rule_left_out.time_vs_fp16", rows.asRuled));
    report.add(listsWithin(path + ".rule_left_out.time_vs_fp16_fastest", rows.fastest));
}

} // namespace loadline::ask
