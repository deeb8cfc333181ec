// How fast server logs are read on one core, beside plain line splitting of the same bytes in the same run:
// by memchr, and by std::getline.
//
// $LOADLINE_BENCH_BYTES (200000000) bytes of made-up log of each kind.
#include "core/serverlog/files/server_log_reader.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loadline::bench {
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20;

std::string clockOf(int i) {
    return fmt::format("{:02}:{:02}:{:02}", i / 3600 % 24, i / 60 % 60, i % 60);
}

std::string vllmLines(int i) {
    return fmt::format("(APIServer pid=1) INFO 05-19 {} [loggers.py:271] Engine 000: Avg prompt throughput: "
                       "{}.0 tokens/s, Avg "
                       "generation throughput: {}.3 tokens/s, Running: {} reqs, Waiting: 43 reqs, GPU KV "
                       "cache usage: 95.9%, "
                       "Prefix cache hit rate: 12.5%\n(APIServer pid=1) INFO:     172.22.0.1:52348 - \"POST "
                       "/v1/chat/completions "
                       "HTTP/1.1\" 200 OK\n",
                       clockOf(i * 10), i % 5000, i % 1500, i % 64);
}

std::string sglangLines(int i) {
    return fmt::format("[2025-02-27 {0} TP0] Prefill batch. #new-seq: 1, #new-token: {1}, #cached-token: "
                       "8027, token usage: 0.26, "
                       "#running-req: 28, #queue-req: 0\n[2025-02-27 {0} TP0] Decode batch. #running-req: 8, "
                       "#token: {1}, token "
                       "usage: 0.12, cuda graph: True, gen throughput (token/s): {2}.64, #queue-req: 0\n",
                       clockOf(i), i % 9000, i % 400);
}

std::string llamaLines(int i) {
    const std::string time = fmt::format("{}.{:02}.846.974", i / 6, i % 6 * 10);
    return fmt::format(
        "{0} I slot launch_slot_: id  {1} | task {2} | processing task, is_child = 0\n"
        "{0} I slot update_slots: id  {1} | task {2} | cached n_tokens = 512, memory_seq_rm [512, "
        "end)\n"
        "{0} I slot print_timing: id  {1} | task {2} | n_decoded =   1081, tg =  12.93 t/s, tg_3s =  "
        "12.57 t/s\n"
        "{0} I slot print_timing: id  {1} | task {2} | prompt eval time =    8131.48 ms / 14922 tokens "
        "(    0.54 ms per token,  1835.09 tokens per second)\n"
        "{0} I slot print_timing: id  {1} | task {2} |        eval time =   41942.65 ms /  2618 tokens "
        "(   16.02 ms per token,    62.42 tokens per second)\n"
        "{0} I slot      release: id  {1} | task {2} | stop processing: n_tokens = 18052, truncated = "
        "0\n{0} I srv  update_slots: all slots are idle\n",
        time, i % 4, i);
}

std::string ollamaLines(int i) {
    return fmt::format(
        "[GIN] 2026/03/11 - {0} | 200 |  31.27136917s |       127.0.0.1 | POST     \"/api/generate\"\n"
        "time=2026-03-11T{0}.076Z level=INFO source=sched.go:470 msg=\"gpu memory\" id=0 "
        "library=Metal available=\"11.3 GiB\" free=\"11.8 GiB\" minimum=\"512.0 MiB\"\n",
        clockOf(i));
}

/// What servers write beside what is read: at other levels, of loading, of their libraries.
std::string otherLines(int i) {
    return fmt::format(
        "llama_model_loader: - kv  {}: general.architecture str = gemma3, which is of no interest here\n"
        "load_tensors: layer {} assigned to device CUDA0, is_swa = 0, and so on and so forth as it does\n"
        "  File \"/usr/lib/python3.12/site-packages/uvicorn/protocols/http/httptools_impl.py\", line "
        "{}, in run_asgi\n    result = await app(scope, receive, send)  # type: ignore\n",
        i % 90, i % 62, i);
}

std::string mixedLines(int i) {
    std::string text = i % 4 == 0   ? vllmLines(i)
                       : i % 4 == 1 ? llamaLines(i)
                       : i % 4 == 2 ? sglangLines(i)
                                    : ollamaLines(i);
    for (int k = 0; k < 6; ++k) {
        text += otherLines(i * 6 + k);
    }
    return text;
}

std::size_t wantedBytes() {
    const char* bytes = std::getenv("LOADLINE_BENCH_BYTES");
    return bytes == nullptr ? 200'000'000 : std::strtoull(bytes, nullptr, 10);
}

/// Made once for each kind.
const std::string& madeUpLog(std::string (*lines)(int)) {
    static std::map<std::string (*)(int), std::string> all;
    std::string& text = all[lines];
    for (int i = 0; text.size() < wantedBytes(); ++i) {
        text += lines(i);
    }
    return text;
}

/// Of this thread on its core: what others do on the machine is not counted.
double threadSeconds() {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

double secondsOf(const auto& work) {
    const double start = threadSeconds();
    work();
    return threadSeconds() - start;
}

std::size_t splitByMemchr(std::string_view text) {
    std::size_t lines = 0;
    while (!text.empty()) {
        const void* end = std::memchr(text.data(), '\n', text.size());
        text.remove_prefix(end == nullptr
                               ? text.size()
                               : static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1);
        ++lines;
    }
    return lines;
}

std::size_t splitByGetline(const std::string& text) {
    std::istringstream in(text);
    std::size_t lines = 0;
    for (std::string line; std::getline(in, line);) {
        benchmark::DoNotOptimize(line.data());
        ++lines;
    }
    return lines;
}

std::size_t readLog(std::string_view text) {
    ServerLogReader reader;
    reader.beginFile("log");
    for (std::size_t at = 0; at < text.size(); at += pieceBytes) {
        reader.add(text.substr(at, pieceBytes));
    }
    return std::move(reader).log().knownLines;
}

/// One iteration runs all, so that a slow moment of the machine hits them alike; the time counted is ours.
void besideSplitting(benchmark::State& state, std::string (*lines)(int)) {
    const std::string& text = madeUpLog(lines);
    double byMemchr = 1e9;
    double byGetline = 1e9;
    double best = 1e9;
    for (auto _ : state) {
        byMemchr = std::min(byMemchr, secondsOf([&] { benchmark::DoNotOptimize(splitByMemchr(text)); }));
        byGetline = std::min(byGetline, secondsOf([&] { benchmark::DoNotOptimize(splitByGetline(text)); }));
        const double ours = secondsOf([&] { benchmark::DoNotOptimize(readLog(text)); });
        best = std::min(best, ours);
        state.SetIterationTime(ours);
    }
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    state.counters["MB/s"] = megabytes / best;
    state.counters["memchr_MB/s"] = megabytes / byMemchr;
    state.counters["getline_MB/s"] = megabytes / byGetline;
}

const std::vector<std::pair<const char*, std::string (*)(int)>> kinds = {{"vllm", vllmLines},
                                                                         {"sglang", sglangLines},
                                                                         {"llama_cpp", llamaLines},
                                                                         {"ollama", ollamaLines},
                                                                         {"mixed", mixedLines}};

const bool registered = [] {
    for (const auto& [name, lines] : kinds) {
        benchmark::RegisterBenchmark(
            name, [lines = lines](benchmark::State& state) { besideSplitting(state, lines); })
            ->UseManualTime()
            ->Unit(benchmark::kMillisecond)
            ->Iterations(5);
    }
    return true;
}();

} // namespace
} // namespace loadline::bench
