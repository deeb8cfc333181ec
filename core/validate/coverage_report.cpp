// Lays out coverage.
#include "core/validate/coverage_report.h"

#include "core/ask/table_of.h"
#include "core/text/number_format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace loadline::ask {
namespace {

using Row = StepCoverage;

constexpr std::array coverageKinds = {CoverageKind::Measured, CoverageKind::Interpolated,
                                      CoverageKind::Proxied, CoverageKind::Extrapolated,
                                      CoverageKind::Modelled};
constexpr const char* nothingAnswers = "none";

/// "Llama-3.1-70B, fp8"; "gpt-oss-120b, bf16, experts w4a16_mxfp4".
std::string servedWords(const Row& row) {
    const bool isOneFormat = row.experts.empty() || row.experts == row.weights;
    return isOneFormat ? fmt::format("{}, {}", row.model, row.weights)
                       : fmt::format("{}, {}, experts {}", row.model, row.weights, row.experts);
}

/// "2: 33/61/0/6"
std::string sharesWords(const Row& row) {
    if (!row.steps) {
        return nothingAnswers;
    }
    constexpr double percent = 100;
    const auto share = [&](CoverageKind kind) { return percent * row.steps->shareOf(kind); };
    return fmt::format("{}: {:.0f}/{:.0f}/{:.0f}/{:.0f}", row.tensorParallel, share(CoverageKind::Measured),
                       share(CoverageKind::Interpolated),
                       share(CoverageKind::Proxied) + share(CoverageKind::Extrapolated),
                       share(CoverageKind::Modelled));
}

void addCoverageRows(Report& report, const std::vector<Row>& rows) {
    const auto isThere = [](const Row& row) { return row.steps.has_value(); };
    TableOf table("coverage", rows);
    table.document("gpu", &Row::gpu)
        .document("model", &Row::model)
        .document("weights", &Row::weights)
        .document("experts", [](const Row& row) { return row.experts.empty() ? Cell() : Cell(row.experts); })
        .document("tp",
                  [](const Row& row) { return row.tensorParallel > 0 ? Cell(row.tensorParallel) : Cell(); })
        .document("ep", &Row::expertParallel)
        .document("us", [](const Row& row) { return row.steps ? Cell(row.steps->total()) : Cell(); })
        .document("shares", [](const Row& row) { return row.steps ? Cell(true) : Cell(); });
    for (const CoverageKind kind : coverageKinds) {
        table.where(isThere, fmt::format("shares.{}", keyOf(kind)),
                    [kind](const Row& row) { return row.steps->shareOf(kind); });
    }
    table.document("parts", [](const Row& row) { return row.steps ? Cell(true) : Cell(); });
    for (std::size_t at = 0; at < stepPartCount; ++at) {
        const auto part = static_cast<ServedPart>(at);
        table.where(isThere, fmt::format("parts.{}", keyOf(part)), [part](const Row& row) {
            const auto most = row.steps->mostOf(part);
            return most ? Cell(std::string(keyOf(*most))) : Cell();
        });
    }
    table
        .document("experts_from",
                  [](const Row& row) { return row.expertSource.empty() ? Cell() : Cell(row.expertSource); })
        .document("not_covered",
                  [](const Row& row) { return row.notCovered.empty() ? Cell() : Cell(row.notCovered); });
    report.add(table);
}

/// A model on every GPU.
struct CoveredEverywhere {
    std::string words;
    std::vector<std::string> cells; ///< by GPU
};

void addShares(Report& report, const std::vector<Row>& rows) {
    std::vector<std::string> gpus;
    std::vector<CoveredEverywhere> lines;
    for (const Row& row : rows) { // by GPU; each has the same models in the same order
        if (gpus.empty() || gpus.back() != row.gpu) {
            gpus.push_back(row.gpu);
        }
        const std::string words = servedWords(row);
        auto line = std::ranges::find(lines, words, &CoveredEverywhere::words);
        if (line == lines.end()) {
            line = lines.insert(lines.end(), {.words = words, .cells = {}});
        }
        line->cells.resize(gpus.size());
        line->cells.back() = sharesWords(row);
    }
    const auto& kept = report.keep(std::move(lines));
    TableOf table("", kept);
    table
        .titled("GPUs, and % of the time that is measured/interpolated/beyond the tables/modelled",
                kept.size())
        .textColumn("Model, format", &CoveredEverywhere::words, Form::Text);
    for (std::size_t gpu = 0; gpu < gpus.size(); ++gpu) {
        table.textColumn(
            gpus[gpu],
            [gpu](const CoveredEverywhere& line) {
                return gpu < line.cells.size() ? line.cells[gpu] : std::string();
            },
            Form::Text);
    }
    report.add(table);
    report.say(fmt::format(
        "Of a step of {} sequences that decode at {} tokens and one of {} prompt tokens, on the fewest of 1, "
        "2, 4 or 8 GPUs that hold the weights and have tables; KV in bf16. Beyond the tables: experts of "
        "another shape, scaled, and cells beyond the last one of an axis. Chunks after a cached prefix are "
        "modelled on every GPU.",
        coveredDecodes, formatExact(coveredContext), formatExact(coveredChunk)));
}

/// A part of a step over all rows that have it.
struct CoveredPart {
    std::string name;
    std::array<std::size_t, coverageKindCount> rows{};
};

void addPartCounts(Report& report, const std::vector<Row>& rows) {
    std::vector<CoveredPart> parts;
    const auto answered = std::ranges::count_if(rows, [](const Row& row) { return row.steps.has_value(); });
    for (std::size_t at = 0; at < stepPartCount; ++at) {
        const auto part = static_cast<ServedPart>(at);
        parts.push_back({.name = std::string(nameOf(part)), .rows = {}});
        for (const Row& row : rows) {
            const auto most = row.steps ? row.steps->mostOf(part) : std::nullopt;
            parts.back().rows[most ? static_cast<std::size_t>(*most) : 0] += most ? 1 : 0;
        }
    }
    const auto& kept = report.keep(std::move(parts));
    TableOf table("", kept);
    table
        .titled(fmt::format("How most of a part's time is found, of {} pairs of GPU and model", answered),
                kept.size())
        .textColumn("Part of the step", &CoveredPart::name, Form::Text);
    for (const CoverageKind kind : coverageKinds) {
        table.textColumn(std::string(keyOf(kind)), [kind](const CoveredPart& part) {
            return part.rows[static_cast<std::size_t>(kind)];
        });
    }
    report.add(table);
}

/// The GPUs whose tables do not answer for a model, for one reason.
struct NotCovered {
    std::string model, why;
    std::vector<std::string> gpus;
};

void addNotCovered(Report& report, const std::vector<Row>& rows) {
    std::vector<NotCovered> reasons;
    for (const Row& row : rows) {
        if (row.steps) {
            continue;
        }
        auto same = std::ranges::find_if(reasons, [&](const NotCovered& one) {
            return one.why == row.notCovered && one.model == servedWords(row);
        });
        if (same == reasons.end()) {
            same =
                reasons.insert(reasons.end(), {.model = servedWords(row), .why = row.notCovered, .gpus = {}});
        }
        same->gpus.push_back(row.gpu);
    }
    std::ranges::stable_sort(reasons, {}, &NotCovered::model);
    const auto& kept = report.keep(std::move(reasons));
    report.add(TableOf("", kept)
                   .titled(kept.empty() ? "" : "Where nothing answers", kept.size())
                   .textColumn("Model, format", &NotCovered::model, Form::Text)
                   .textColumn(
                       "GPUs",
                       [](const NotCovered& one) { return fmt::format("{}", fmt::join(one.gpus, ", ")); },
                       Form::Text)
                   .textColumn("Why", &NotCovered::why, Form::Text));
}

} // namespace

void addCoverage(Report& report, const std::vector<StepCoverage>& rows) {
    if (rows.empty()) {
        return;
    }
    addShares(report, rows);
    addPartCounts(report, rows);
    addNotCovered(report, rows);
    addCoverageRows(report, rows);
}

} // namespace loadline::ask
