// Request traces read and fully analysed, against plain LRU caches at 20 capacities. Needs ../shared/data.
#include "core/cache/reuse/trace_figures.h"
#include "core/trace/read_block_traces.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

namespace loadline {
namespace {

const std::string mooncakeFile = LOADLINE_SHARED_DATA "/traces/mooncake/conversation_trace.jsonl";
const std::string packedSessions = LOADLINE_SHARED_DATA "/traces/weka/weka_traces_710.tar.xz";

/// The sessions as files, unpacked once into the temporary folder; those that repeat others are found out
/// each time.
std::vector<std::string> sessionFiles() {
    const auto folder = std::filesystem::temp_directory_path() / "loadline_cache_bench";
    std::vector<std::string> files;
    if (!std::filesystem::exists(packedSessions)) {
        return files;
    }
    if (!std::filesystem::exists(folder / "done")) {
        std::filesystem::create_directories(folder);
        const std::string command = "tar -C '" + folder.string() + "' --strip-components=1 -xf '" +
                                    packedSessions + "' && touch '" + (folder / "done").string() + "'";
        if (std::system(command.c_str()) != 0) {
            return files;
        }
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".json") {
            files.push_back(entry.path().string());
        }
    }
    std::ranges::sort(files);
    return files;
}

Result<BlockTraceFiles> readAll(const std::vector<std::string>& paths, unsigned threads) {
    Progress progress;
    return readBlockTraces(paths, {threads, 0, {}}, {}, progress);
}

void analyse(benchmark::State& state, const std::vector<std::string>& paths, unsigned threads) {
    if (paths.empty() || !std::filesystem::exists(paths.front())) {
        state.SkipWithError("the shared data is not there");
        return;
    }
    double bytes = 0;
    double requests = 0;
    for (auto _ : state) {
        const auto files = readAll(paths, threads);
        if (!files) {
            state.SkipWithError(files.error().what.c_str());
            return;
        }
        WorkProgress progress;
        const TraceFigures figures = traceFiguresOf(files->trace, threads, {}, progress);
        benchmark::DoNotOptimize(figures.unlimited.prefix.blocks);
        bytes = static_cast<double>(files->bytes);
        requests = static_cast<double>(figures.unlimited.requests);
    }
    state.counters["MB"] = bytes / 1e6;
    state.counters["requests"] = requests;
}

/// A cache as one would write it: a list by recency, and where in it each block is.
class PlainLru {
public:
    explicit PlainLru(std::size_t capacity) : capacity_(capacity) {}

    bool touch(std::uint32_t block) {
        if (const auto found = places_.find(block); found != places_.end()) {
            order_.splice(order_.begin(), order_, found->second);
            return true;
        }
        order_.push_front(block);
        places_[block] = order_.begin();
        if (order_.size() > capacity_) {
            places_.erase(order_.back());
            order_.pop_back();
        }
        return false;
    }

private:
    std::size_t capacity_;
    std::list<std::uint32_t> order_;
    std::unordered_map<std::uint32_t, std::list<std::uint32_t>::iterator> places_;
};

/// What the curves replace: 20 points of one of them.
void plainLru(benchmark::State& state) {
    if (!std::filesystem::exists(mooncakeFile)) {
        state.SkipWithError("the shared data is not there");
        return;
    }
    const auto files = readAll({mooncakeFile}, 1);
    const BlockTrace& trace = files->trace;
    std::uint64_t hits = 0;
    for (auto _ : state) {
        for (std::size_t point = 1; point <= 20; ++point) {
            PlainLru cache(point * trace.blocksOfScope[0] / 20);
            PromptBlocks prompts(trace);
            for (const BlockRequest& request : trace.requests) {
                for (const std::uint32_t block : prompts.next(request)) {
                    hits += cache.touch(block);
                }
            }
        }
        benchmark::DoNotOptimize(hits);
    }
}

void mooncake(benchmark::State& state) {
    analyse(state, {mooncakeFile}, 1);
}

void mooncakeCurvesAlone(benchmark::State& state) {
    if (!std::filesystem::exists(mooncakeFile)) {
        state.SkipWithError("the shared data is not there");
        return;
    }
    const auto files = readAll({mooncakeFile}, 1);
    for (auto _ : state) {
        benchmark::DoNotOptimize(capacityCurvesOf(files->trace, files->trace.chains, 1, {}));
    }
}

void sessions(benchmark::State& state) {
    analyse(state, sessionFiles(), 2);
}

BENCHMARK(mooncake)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
BENCHMARK(mooncakeCurvesAlone)->Unit(benchmark::kMillisecond);
BENCHMARK(plainLru)->Unit(benchmark::kMillisecond);
BENCHMARK(sessions)->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime()->Iterations(2);

} // namespace
} // namespace loadline
