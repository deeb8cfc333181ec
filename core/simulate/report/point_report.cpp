// Describes each setting of a sweep.
#include "core/ask/table_of.h"
#include "core/simulate/report/report_parts.h"
#include "core/simulate/report/swept.h"
#include "core/simulate/study/study_tables.h"

namespace loadline::ask {
namespace {

using P = SweepPoint;
using A = PointAgainst;
using Figures = ServedFigures;

/// The published study's line for this point; null where it has none: another workload, other shapes, k or
/// chunk.
const PublishedUsers* publishedAt(const Swept& swept, const P& point) {
    constexpr Tokens studyChunk = 512;
    const bool same = swept.request.workload == "reference" && swept.request.shapes.starts_with("study") &&
                      swept.isClosed() && point.weights == publishedWeights &&
                      point.chunkTokens == studyChunk;
    return same ? publishedUsersOf(point.users) : nullptr;
}

/// Weights and KV cache of a point's k, with its own users.
MemoryFit memoryOf(const Swept& swept, const P& point) {
    MemoryFit memory = swept.memoryAt(point.weights);
    memory.conversations = swept.isClosed() ? point.users : memory.conversations;
    return memory;
}

/// True if the device could not run the point: then no figure is one of its.
bool isMisfit(const Swept& swept, const P& point) {
    const SweptPair* const pair = swept.pairAt(point.weights);
    return swept.memoryAt(point.weights).isTooLarge() || !point.fits() || (pair != nullptr && !pair->fits);
}

bool isCompared(const P& point) {
    return point.against.has_value();
}

/// Reads the other format's figures, where there are any.
template <typename Of>
auto ofAgainst(Of of) {
    return [of](const P& point) { return point.against ? Cell(of(*point.against)) : Cell(); };
}

struct NamedLatency {
    const char* key;
    Banded Figures::*of;
};

constexpr std::array latencies = {
    NamedLatency{"ttft_s.p50", &Figures::ttftP50S}, NamedLatency{"ttft_s.p90", &Figures::ttftP90S},
    NamedLatency{"ttft_s.p99", &Figures::ttftP99S}, NamedLatency{"tpot_s.p50", &Figures::tpotP50S},
    NamedLatency{"tpot_s.p90", &Figures::tpotP90S}, NamedLatency{"tpot_s.p99", &Figures::tpotP99S},
    NamedLatency{"e2e_s.mean", &Figures::e2eMeanS}};

auto valueOf(Banded P::*member) {
    return [member](const P& point) { return (point.*member).value; };
}

auto valueOf(Banded Figures::*member) {
    return [member](const P& point) { return (point.*member).value; };
}

auto bandOf(Banded P::*member) {
    return [member](const P& point) { return endsOf(point.*member); };
}

NamedInterval partsOf(const P& point) {
    return point.timeVsFp16OfRuns ? namedInterval("", {}, endsOf(*point.timeVsFp16OfRuns),
                                                  point.timeVsFp16.value, point.kernelError, z90)
                                  : NamedInterval();
}

NamedInterval pairedPartsOf(const P& point) {
    const PairedRatio ratio = point.against ? point.against->turnsPerS : PairedRatio();
    return point.against
               ? namedInterval("", {}, endsOf(ratio.ofRuns()), ratio.value, point.against->kernelError)
               : NamedInterval();
}

/// Adds columns that are in the rows of which `isThere` is true.
template <typename Is>
void addWhere(TableOf<P>& table, const std::vector<P>& points, std::vector<Column> columns, Is isThere) {
    for (Column& column : columns) {
        column.isThere = [&points, isThere](std::size_t row) { return isThere(points[row]); };
    }
    table.with(columns);
}

void publishedColumns(TableOf<P>& table, const Swept& swept) {
    const auto isThere = [&swept](const P& point) { return publishedAt(swept, point) != nullptr; };
    const auto column = [&](const char* key, auto of) {
        table.where(isThere, std::string("published.") + key, [&swept, of](const P& point) {
            const PublishedUsers* line = publishedAt(swept, point);
            return line != nullptr ? Cell(of(*line)) : Cell();
        });
    };
    column("avg_m", [](const PublishedUsers& line) { return line.averageM; });
    column("decode_only_fraction", [](const PublishedUsers& line) { return line.decodeOnlyFraction; });
    column("time_vs_fp16", [](const PublishedUsers& line) { return line.timeVsFp16; });
    column("source", [](const PublishedUsers&) { return studySource; });
}

void againstColumns(TableOf<P>& table, const std::vector<P>& points) {
    table.where(isCompared, "turns_per_s", valueOf(&Figures::turnsPerS))
        .where(isCompared, "turns_per_s_vs_against", ofAgainst([](const A& a) { return a.turnsPerS.value; }))
        .where(isCompared, "interval_vs_against.turns_per_s",
               ofAgainst([](const A& a) { return endsOf(a.turnsPerS); }));
    addWhere(table, points,
             partColumns("interval_vs_against_parts.turns_per_s.",
                         [&points](std::size_t row) { return pairedPartsOf(points[row]); }),
             [](const P& point) { return point.against && point.against->paceOfRuns; });
    table
        .where(isCompared, "against.turns_per_s",
               ofAgainst([](const A& a) { return a.figures.turnsPerS.value; }))
        .where(isCompared, "against.throughput_tokens_per_s",
               ofAgainst([](const A& a) { return a.figures.throughputTokensPerS.value; }));
    for (const NamedLatency& one : latencies) {
        table.where(isCompared, std::string("against.") + one.key,
                    ofAgainst([of = one.of](const A& a) { return (a.figures.*of).value; }));
    }
}

/// One row a setting, for CSV: columns of the points under names of their own.
Table csvOfPoints(const Swept& swept, const TableOf<P>& all) {
    const std::vector<P>& points = swept.result.points;
    TableOf table("csv", points);
    const auto copy = [&](const std::string& name, const std::string& key) {
        if (const auto found = std::ranges::find(all->columns, key, &Column::key);
            found != all->columns.end()) {
            table.with({{.key = name, .title = {}, .at = found->at}});
        }
    };
    const auto copyAll = [&](std::initializer_list<std::pair<const char*, const char*>> names) {
        for (const auto& [name, key] : names) {
            copy(name, key);
        }
    };
    copy("k", "k");
    if (std::ranges::any_of(points, [](const P& p) { return !kOf(p.weights); })) {
        copy("weights", "weights");
    }
    copyAll({{"chunk_tokens", "chunk"}, {"users", "users"}, {"time_vs_fp16", "time_vs_fp16"}});
    table.document("time_vs_fp16_low", [](const P& p) { return p.timeVsFp16.low; })
        .document("time_vs_fp16_high", [](const P& p) { return p.timeVsFp16.high; });
    copyAll({{"standard_error", "standard_error"},
             {"average_m", "avg_m"},
             {"decode_only_fraction", "decode_only_fraction"}});
    for (const Kernel kernel : allKernels) {
        const auto shareOf = [i = static_cast<std::size_t>(kernel)](const P& p) { return p.kernelShare[i]; };
        if (std::ranges::any_of(points, [&](const P& p) { return shareOf(p) > 0; })) {
            table.document("share_" + std::string(keyOf(kernel)), shareOf);
        }
    }
    copyAll({{"throughput_tokens_per_s", "throughput_tokens_per_s"},
             {"ttft_p50_s", "ttft_s.p50"},
             {"ttft_p90_s", "ttft_s.p90"},
             {"tpot_p50_s", "tpot_s.p50"},
             {"tpot_p90_s", "tpot_s.p90"}});
    if (!swept.result.pairs.empty()) {
        table.document("turns_per_s", valueOf(&Figures::turnsPerS))
            .document("turns_per_s_vs_against", ofAgainst([](const A& a) { return a.turnsPerS.value; }))
            .document("vs_against_low", ofAgainst([](const A& a) { return a.turnsPerS.low; }))
            .document("vs_against_high", ofAgainst([](const A& a) { return a.turnsPerS.high; }));
        copyAll({{"against_turns_per_s", "against.turns_per_s"},
                 {"against_throughput_tokens_per_s", "against.throughput_tokens_per_s"}});
        for (const auto& [name, figure] :
             {std::pair("ttft_p99_s", &Figures::ttftP99S), std::pair("tpot_p99_s", &Figures::tpotP99S),
              std::pair("e2e_mean_s", &Figures::e2eMeanS)}) {
            table.document(name, [of = figure](const P& p) { return only(isCompared(p), (p.*of).value); });
        }
        copyAll({{"against_ttft_p50_s", "against.ttft_s.p50"},
                 {"against_ttft_p99_s", "against.ttft_s.p99"},
                 {"against_tpot_p50_s", "against.tpot_s.p50"},
                 {"against_tpot_p99_s", "against.tpot_s.p99"},
                 {"against_e2e_mean_s", "against.e2e_s.mean"}});
    }
    table.document("fits", [&swept](const P& p) {
        return isMisfit(swept, p) ? Cell(false) : Cell(swept.memoryAt(p.weights).fits());
    });
    copy("fp16_fits", "fp16_fits");
    table->forgetRows([&](std::size_t row) { return isMisfit(swept, points[row]); },
                      {"k", "weights", "chunk_tokens", "users", "fits", "fp16_fits"});
    return table;
}

Grouped<double> replicasOf(const std::vector<P>& points) {
    Grouped<double> all;
    for (const P& point : points) {
        for (const double ratio : point.replicaRatios) {
            all.add(ratio);
        }
        all.endGroup();
    }
    return all;
}

} // namespace

void addPoints(Report& report, const Swept& swept) {
    const std::vector<P>& points = swept.result.points;
    TableOf table("points", points);
    table.document("users", [closed = swept.isClosed()](const P& p) { return only(closed, p.users); })
        .document("chunk", [](const P& p) { return only(p.chunkTokens > 0, p.chunkTokens); })
        .with(weightsColumns([&points](std::size_t row) { return points[row].weights; }))
        .document("avg_m", valueOf(&P::averageM))
        .document("decode_only_fraction", valueOf(&P::decodeOnlyFraction))
        .with({groupOf("kernel_share")})
        .with(kernelColumns("kernel_share.",
                            [&points](std::size_t row) -> const auto& { return points[row].kernelShare; }))
        .document("time_vs_fp16", valueOf(&P::timeVsFp16))
        .document("standard_error", &P::standardError)
        .with({groupOf("band")})
        .document("band.time_vs_fp16", bandOf(&P::timeVsFp16))
        .document("band.avg_m", bandOf(&P::averageM))
        .document("band.decode_only_fraction", bandOf(&P::decodeOnlyFraction))
        .with({groupOf("replicas_time_vs_fp16", [](std::size_t) { return true; })});
    const auto hasParts = [](const P& point) { return point.timeVsFp16OfRuns.has_value(); };
    addWhere(table, points, {groupOf("band_parts")}, hasParts);
    addWhere(
        table, points,
        partColumns("band_parts.time_vs_fp16.", [&points](std::size_t row) { return partsOf(points[row]); }),
        hasParts);
    const bool isServed = !swept.result.pairs.empty();
    std::vector<Column> memory = memoryColumns([&](std::size_t row) { return memoryOf(swept, points[row]); });
    if (isServed) {
        memory.front().at = [&](std::size_t row) {
            const SweptPair* const pair = swept.pairAt(points[row].weights);
            return Cell(pair != nullptr && pair->fits && points[row].fits());
        };
    }
    table.with(memory);
    publishedColumns(table, swept);
    table.document("settled", [given = swept.inputs.base.length.isGiven()](const P& p) {
        return only(!given, p.settled);
    });
    if (!swept.isClosed()) {
        table.document("queue_grows", &P::queueGrows);
    }
    if (swept.inputs.latencies) {
        table.document("throughput_tokens_per_s", valueOf(&Figures::throughputTokensPerS))
            .with({groupOf("ttft_s"), groupOf("tpot_s"), groupOf("e2e_s")});
        for (const NamedLatency& one : latencies) {
            table.document(one.key, valueOf(one.of));
        }
    }
    againstColumns(table, points);
    if (isServed) {
        table.with(formatColumns("format.", [&](std::size_t row) -> const Format& {
            return swept.pairAt(points[row].weights)->format;
        }));
    }
    report.tables.push_back(csvOfPoints(swept, table));
    table->forgetRows([&](std::size_t row) { return isMisfit(swept, points[row]); },
                      {"format", "users", "chunk", "k", "weights", "fits", "memory_needed_bytes",
                       "memory_available_bytes", "fp16_fits", "fp16_shortfall", "published"});
    report.add(std::move(table));
    report.add(listsWithin("points.replicas_time_vs_fp16", report.keep(replicasOf(points))));
}

} // namespace loadline::ask
