// Unpacking kernel tables that the program ships, on one core. Limit: all tables of a GPU within 150 ms.
#include "core/cost/atlas/atlas.h"

#include "core/base/file/read_file.h"
#include "core/cost/atlas/atlas_file.h"

#include <benchmark/benchmark.h>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

using namespace loadline;

namespace {

std::string atlasResources() {
    return (std::filesystem::path(LOADLINE_TEST_DATA).parent_path().parent_path() / "resources/atlas")
        .string();
}

void allTablesOfH200(benchmark::State& state) {
    std::size_t tables = 0, rows = 0;
    for (auto _ : state) {
        const Atlas atlas("h200-sxm", shelfInFolder(atlasResources()));
        tables = rows = 0;
        for (const AtlasKindSpec& spec : atlasKinds()) {
            const AtlasTable* table = atlas.table(spec.kind);
            tables += table != nullptr ? 1 : 0;
            rows += table != nullptr ? table->rows : 0;
        }
    }
    state.counters["tables"] = static_cast<double>(tables);
    state.counters["rows"] = static_cast<double>(rows);
    if (rows == 0) {
        state.SkipWithError("resources/atlas has no tables of h200-sxm");
    }
}

void linearLayersOfH200(benchmark::State& state) {
    const auto bytes = readWholeFile(atlasResources() + "/h200-sxm/gemm.atlas", "the table");
    if (!bytes) {
        state.SkipWithError(bytes.error().what.c_str());
        return;
    }
    for (auto _ : state) {
        benchmark::DoNotOptimize(atlasTableFrom(*bytes, "gemm of h200-sxm").hasValue());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes->size()));
}

BENCHMARK(allTablesOfH200)->Unit(benchmark::kMillisecond);
BENCHMARK(linearLayersOfH200)->Unit(benchmark::kMillisecond);

} // namespace
