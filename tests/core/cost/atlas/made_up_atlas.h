// Small made-up kernel tables, and packed files made by hand.
#pragma once

#include "core/base/file/archive.h"
#include "core/base/hash128.h"
#include "core/cost/atlas/atlas_csv.h"
#include "core/cost/atlas/atlas_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>

namespace loadline::test {

inline constexpr double notMeasured = std::numeric_limits<double>::quiet_NaN();

/// Two series of a linear layer, one of them longer, with cells that were not measured.
inline AtlasTable linearLayers() {
    AtlasTable table;
    table.kind = AtlasKind::Gemm;
    table.source = {"vllm", "0.24.0", "2026-08-21", "Apache-2.0", "somebody \"quoted\", \xc3\xa9"};
    table.rows = 5;
    table.keys = {
        {"n", {}, {32, 32, 64, 64, 64}}, {"k", {}, {32, 32, 48, 48, 48}}, {"m", {}, {1, 2, 1, 2, 4}}};
    table.times = {{"bf16", {2.5307, 2.5, 3.1, notMeasured, 620660}},
                   {"fp8_block", {notMeasured, 159.01, 1e-6, 9.9999e12, 0.1}}};
    return table;
}

/// Differences of timings: zero and negative values.
inline AtlasTable differences() {
    AtlasTable table;
    table.kind = AtlasKind::Quantise;
    table.rows = 4;
    table.keys = {{"op", {"compute_scale", "compute_scale", "compute_scale", "scale_matrix"}, {}},
                  {"dtype", {"fp8", "fp8", "fp8", "fp8"}, {}},
                  {"k", {}, {32, 32, 32, 65536}},
                  {"m", {}, {1, 2, 3, 32768}}};
    table.times = {{"time", {0.6848, 0, -0.024, 9990}}};
    return table;
}

inline std::string packedBytes(const AtlasTable& table) {
    const Result<std::string> bytes = packed(table);
    EXPECT_TRUE(bytes) << (bytes ? "" : bytes.error().sentence());
    return bytes ? *bytes : "";
}

/// A file with a digest that fits, whatever its head (a JSON object) and its columns are.
inline std::string atlasFileOf(std::string head, std::string_view columns) {
    const std::string frame = zstdOf(columns, 1).value();
    head.pop_back();
    const Hash128 digest = hashOf(head, frame);
    return fmt::format("{},\"digest\":\"{:016x}{:016x}\"}}\n{}", head, digest.high, digest.low, frame);
}

/// Returns the problem of a file, in words; "" if a table is read.
inline std::string problemOfFile(std::string_view bytes) {
    const Result<AtlasTable> table = atlasTableFrom(bytes, "gemm of h200-sxm");
    return table ? "" : table.error().what;
}

inline AtlasTable tableOf(std::string_view csv, AtlasKind kind = AtlasKind::Gemm) {
    const Result<AtlasCsv> read = atlasTableFromCsv(csv, kind, "x/gemm.csv");
    EXPECT_TRUE(read) << (read ? "" : read.error().sentence());
    return read ? read->table : AtlasTable{};
}

} // namespace loadline::test
