// Lays out what was measured.
#include "app/cli/bench_text.h"

#include "app/cli/text_table.h"
#include "core/cost/kernel_naming.h"
#include "core/text/counted.h"
#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace loadline::app {
namespace {

std::string timeText(const ProfilePoint& point) {
    const double us = point.timeUs;
    const std::string number = us < 1000 ? fmt::format("{:.3g}", us) : fmt::format("{:.0f}", us);
    return number + (point.flags.empty() ? " " : "*");
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

std::string wordsOf(const Row& row, KernelNaming naming) {
    return readsKBits(row.kernel) ? fmt::format("{}, k = {}", nameOf(row.kernel, naming), row.kBits)
                                  : std::string(nameOf(row.kernel, naming));
}

std::string shapeTable(const Shape& shape, const std::map<Row, std::map<std::int64_t, std::string>>& rows,
                       KernelNaming naming) {
    std::set<std::int64_t> allM;
    for (const auto& [row, times] : rows) {
        for (const auto& [m, text] : times) {
            allM.insert(m);
        }
    }
    TextTable table;
    table.columns.push_back(
        {textOf(shape.size) + (shape.experts > 1 ? fmt::format(" x {} experts", shape.experts) : ""), false});
    for (const std::int64_t m : allM) {
        table.columns.push_back({m == 0 ? "any M " : fmt::format("M = {} ", m), true});
    }
    for (const auto& [row, times] : rows) {
        std::vector<std::string> cells = {wordsOf(row, naming)};
        for (const std::int64_t m : allM) {
            const auto found = times.find(m);
            cells.push_back(found == times.end() ? "" : found->second);
        }
        table.rows.push_back(std::move(cells));
    }
    return alignedText(table);
}

std::string ceilingsText(const Profile& profile) {
    static const std::map<std::string, const char*> words = {
        {"read_gb_s", "read {} GB/s"},
        {"write_gb_s", "write {} GB/s"},
        {"copy_gb_s", "copy {} GB/s (read and written)"},
        {"gemm_tflop_s", "GEMM {} TFLOP/s"},
        {"empty_call_us", "smallest call {} us"},
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

} // namespace

std::string deviceText(const std::vector<BenchDevice>& devices, const std::vector<std::string>& remarks) {
    TextTable table;
    table.columns = {{"Device"}, {"Name"}, {"State"}};
    for (const BenchDevice& device : devices) {
        table.rows.push_back({device.key, printable(device.name),
                              device.unavailable.empty() ? "ready" : printable(device.unavailable)});
    }
    std::string text = alignedText(table);
    for (const std::string& remark : remarks) {
        text += printable(remark) + "\n";
    }
    return text;
}

std::string profileText(const Profile& profile) {
    std::map<Shape, std::map<Row, std::map<std::int64_t, std::string>>> shapes;
    bool flagged = false;
    for (const ProfilePoint& point : profile.points) {
        shapes[{point.size, point.experts}][{point.kernel, point.kBits}][point.rowsM] = timeText(point);
        flagged = flagged || !point.flags.empty();
    }
    std::string text = fmt::format("{}: {}, median us of one call\n", printable(profile.name),
                                   counted(profile.points.size(), "point"));
    if (!profile.source.empty()) {
        text += printable(profile.source) + "\n";
    }
    text += ceilingsText(profile);
    for (const auto& [shape, rows] : shapes) {
        text += "\n" + shapeTable(shape, rows, namingOf(&profile));
    }
    if (flagged) {
        text += "\n* noisy, bimodal, throttled, implausible, or the device drifted: the profile says which\n";
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
