// loadline_judge_servers [TABLE [OUT]]: predicts the measured servers of TABLE with the atlas of resources/
// and writes them with their errors to OUT. Without arguments from ../shared/data/serving/measured_vllm.csv
// to resources/serving/judged_servers.csv.
#include "core/base/file/read_file.h"
#include "core/base/file/write_file.h"
#include "core/base/time.h"
#include "core/validate/judge_servers.h"
#include "core/validate/predict.h"
#include "core/validate/priced_server.h"
#include "tests/core/validate/shipped_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace {

using namespace loadline;

constexpr const char* measuredSource =
    "InferenceX / InferenceMAX (SemiAnalysis), redistributed by AIConfigurator (ai-dynamo), snapshot "
    "095f58a5 of 2026-08-21";

std::string today() {
    using namespace std::chrono;
    return utcDay({duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count()});
}

/// Returns how many servers were written.
Result<std::size_t> judge(const std::string& table, const std::string& out) {
    const Result<std::string> text = readWholeFile(table, "the table of servers");
    if (!text) {
        return text.error();
    }
    const Result<MeasuredRows> read = readMeasuredRows(*text, table);
    if (!read) {
        return read.error();
    }
    const auto predictions = predictServers(read->rows, priceByAtlas(shippedLibrary()));
    const JudgedServers judged{.source = measuredSource,
                               .licence = "Apache-2.0",
                               .date = today(),
                               .program = LOADLINE_VERSION,
                               .servers = judgedServersOf(read->rows, predictions),
                               .diagnostics = {}};
    const Status written = writeFile(out, judgedServersCsv(judged));
    return written ? Result<std::size_t>(judged.servers.size()) : Result<std::size_t>(written.error());
}

} // namespace

int main(int count, char** words) {
    const std::string table = count > 1 ? words[1] : LOADLINE_SHARED_DATA "/serving/measured_vllm.csv";
    const std::string out =
        count > 2 ? words[2] : LOADLINE_TEST_DATA "/../../resources/serving/judged_servers.csv";
    const Result<std::size_t> servers = judge(table, out);
    if (!servers) {
        fmt::print(stderr, "loadline_judge_servers: {}\n", servers.error().sentence());
        return 1;
    }
    fmt::print("{}: {} servers\n", out, *servers);
    return 0;
}
