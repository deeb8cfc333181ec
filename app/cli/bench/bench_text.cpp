// Lays out what was measured.
#include "app/cli/bench/bench_text.h"

#include "core/cost/figure/kernel_figure_tables.h"
#include "core/cost/kernel/kernel_naming.h"
#include "core/cost/profile/profile_naming.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"
#include "core/text/text_table.h"
#include "core/text/visible_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace loadline::app {
namespace {

/// Point: a ProfilePoint, or an AttentionTiming.
template <typename Point>
std::string timeText(const Point& point) {
    const double us = point.timeUs;
    const std::string number = formatReal(us, 3);
    const bool flagged =
        std::ranges::any_of(point.flags, [](const std::string& flag) { return flag != unvalidatedFlag; });
    return number + (flagged ? "*" : " ");
}

struct Row {
    Kernel kernel = Kernel::CublasFp16;
    int kBits = fp16Bits;
    auto operator<=>(const Row&) const = default;
};

struct Shape {
    GemmSize size;
    int experts = 1;
    auto operator<=>(const Shape&) const = default;
};

std::string kernelWordsOf(const Row& row, const KernelNaming& naming) {
    return readsKBits(row.kernel) ? fmt::format("{}, k = {}", nameOf(row.kernel, naming), row.kBits)
                                  : nameOf(row.kernel, naming);
}

using Times = std::map<std::int64_t, std::string>; ///< by M, or by tokens

/// A row for each of `rows`, a column for each M or number of tokens among them.
template <typename Name, typename Words, typename ColumnWords>
std::string timesTable(const std::string& heading, const std::map<Name, Times>& rows, Words words,
                       ColumnWords columnWords) {
    std::set<std::int64_t> columns;
    for (const auto& [row, times] : rows) {
        for (const auto& [at, text] : times) {
            columns.insert(at);
        }
    }
    TextTable table;
    table.columns.push_back({heading, false});
    for (const std::int64_t at : columns) {
        table.columns.push_back({columnWords(at), true});
    }
    for (const auto& [row, times] : rows) {
        std::vector<std::string> cells = {words(row)};
        for (const std::int64_t at : columns) {
            const auto found = times.find(at);
            cells.push_back(found == times.end() ? "" : found->second);
        }
        table.rows.push_back(std::move(cells));
    }
    return "\n" + alignedText(table);
}

std::string shapeTable(const Shape& shape, const std::map<Row, Times>& rows, const KernelNaming& naming) {
    return timesTable(
        textOf(shape.size) + (shape.experts > 1 ? fmt::format(" x {} experts", shape.experts) : ""), rows,
        [&](const Row& row) { return kernelWordsOf(row, naming); },
        [](std::int64_t m) { return m == 0 ? std::string("any M ") : fmt::format("M = {} ", m); });
}

/// A table for each phase and each model's heads: a row for each batch.
std::string attentionTables(const std::vector<AttentionTiming>& attention) {
    std::map<std::pair<AttentionPhase, AttentionHeads>, std::map<int, Times>> tables;
    for (const AttentionTiming& point : attention) {
        tables[{point.call.phase, point.call.heads}][point.call.batch][point.call.tokens] = timeText(point);
    }
    std::string text;
    for (const auto& [of, batches] : tables) {
        const auto& [phase, heads] = of;
        text += timesTable(
            fmt::format("{} attention, {} query and {} KV heads of {}", keyOf(phase), heads.qHeads,
                        heads.kvHeads, heads.headDim),
            batches, [](int batch) { return counted(static_cast<std::uint64_t>(batch), "sequence"); },
            [](std::int64_t tokens) { return fmt::format("{} tokens ", tokens); });
    }
    return text;
}

std::string ceilingsText(const Profile& profile) {
    static const std::map<std::string, const char*> words = {
        {"read_gb_s", "read {} GB/s"},
        {"write_gb_s", "write {} GB/s"},
        {"copy_gb_s", "copy {} GB/s (read and written)"},
        {"gemm_tflop_s", "GEMM {} TFLOP/s"},
        {"empty_call_us", "smallest call {} \u00b5s"},
        {"host_to_device_gb_s", "to the device {} GB/s (pinned)"},
        {"device_to_host_gb_s", "from the device {} GB/s (pinned)"},
        {"host_to_device_pageable_gb_s", "to the device {} GB/s (pageable)"},
        {"device_to_host_pageable_gb_s", "from the device {} GB/s (pageable)"}};
    std::string text;
    for (const auto& [key, value] : profile.ceilings) {
        const auto found = words.find(key);
        if (found != words.end()) {
            text += (text.empty() ? "Ceilings: " : ", ") + fmt::format(fmt::runtime(found->second), value);
        }
    }
    return text.empty() ? "" : text + "\n";
}

std::string pairsText(const Profile& profile) {
    const auto count = profile.methodFacts.find("pairs_timed");
    const auto median = profile.methodFacts.find("pair_over_parts_median");
    if (count == profile.methodFacts.end() || median == profile.methodFacts.end()) {
        return "";
    }
    return fmt::format(
        "\nDequantise and the fp16 GEMM in one go, {} times: a median of {:.3g} of what both take "
        "apart\n",
        count->second, parseNumber<double>(median->second).value_or(0));
}

} // namespace

std::string deviceText(const std::vector<BenchDevice>& devices, const std::vector<std::string>& remarks) {
    TextTable table;
    table.columns = {{"Device"}, {"Name"}, {"State"}};
    for (const BenchDevice& device : devices) {
        table.rows.push_back(
            {device.key, device.name, device.unavailable.empty() ? "ready" : device.unavailable});
    }
    std::string text = alignedText(table);
    for (const std::string& remark : remarks) {
        text += visibleText(remark) + "\n";
    }
    return text;
}

std::string atlasText(const std::vector<AtlasDevice>& atlas) {
    TextTable table;
    table.columns = {{"Measured by others"}, {"Name"},    {"Tables", true},
                     {"Times", true},        {"Engines"}, {"Date"}};
    std::string problems;
    for (const AtlasDevice& gpu : atlas) {
        table.rows.push_back({gpu.key, gpu.name, std::to_string(gpu.tables),
                              formatExact(static_cast<std::int64_t>(gpu.times)),
                              fmt::format("{}", fmt::join(gpu.engines, ", ")), gpu.date});
        for (const std::string& problem : gpu.problems) {
            problems += fmt::format("{}: {}\n", gpu.key, visibleText(problem));
        }
    }
    return alignedText(table) + problems;
}

std::string profileText(const Profile& profile) {
    std::map<Shape, std::map<Row, Times>> shapes;
    bool flagged = false;
    for (const ProfilePoint& point : profile.points) {
        shapes[{point.size, point.experts}][{point.kernel, point.kBits}][point.rowsM] = timeText(point);
        flagged = flagged || !(point.flags.empty() || isUnvalidated(profile));
    }
    std::string text = fmt::format("{}: {}, median \u00b5s of one call\n", visibleText(labelOf(profile)),
                                   counted(profile.points.size() + profile.attention.size(), "point"));
    if (!profile.source.empty()) {
        text += visibleText(profile.source) + "\n";
    }
    text += ceilingsText(profile);
    for (const auto& [shape, rows] : shapes) {
        text += shapeTable(shape, rows, namingOf(&profile));
    }
    text += attentionTables(profile.attention);
    for (const AttentionTiming& point : profile.attention) {
        flagged = flagged || !point.flags.empty();
    }
    text += pairsText(profile);
    if (flagged) {
        text += "\n* noisy, bimodal, throttled, interrupted, implausible, or the device drifted: the profile "
                "says which\n";
    }
    return text;
}

std::string progressText(const BenchProgress& progress) {
    std::string text = progress.doing;
    if (progress.total > 0) {
        text += fmt::format(" · {} of {}", progress.done, progress.total);
    }
    if (progress.done > 0) {
        text += " · " + formatDuration(static_cast<std::int64_t>(progress.secondsLeft * 1000)) + " left";
    }
    return text;
}

} // namespace loadline::app
