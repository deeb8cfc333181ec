// How fast sessions are read, beside a bare simdjson pass over the same files in the same run, and beside
// ccusage where $LOADLINE_CCUSAGE holds its command.
//
// $LOADLINE_BENCH_BYTES (2000000000) bytes of made-up sessions are generated once into $LOADLINE_BENCH_DIR
// (the folder of this program).
#include "core/base/parallel_for.h"
#include "core/session/corpus/corpus.h"
#include "tests/bench/ingest/bare_pass.h"
#include "tests/tools/generate/generate.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

namespace loadline::bench {
namespace {

namespace fs = std::filesystem;

std::string environment(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

fs::path ownPath() {
    return fs::read_symlink("/proc/self/exe");
}

/// The corpus' folder, generated when it is not there. Empty on failure, which was said.
std::string corpusFolder() {
    const std::uint64_t bytes = std::stoull(environment("LOADLINE_BENCH_BYTES", "2000000000"));
    const fs::path parent = environment("LOADLINE_BENCH_DIR", ownPath().parent_path().string());
    const fs::path folder = parent / fmt::format("ingest_corpus_{}", bytes);
    if (fs::exists(folder)) {
        return folder.string();
    }
    std::fprintf(stderr, "Generating %s ...\n", folder.c_str());
    const fs::path part = folder.string() + ".part";
    fs::remove_all(part);
    Progress progress;
    // 2 GB: 400 sessions in about 2,400 files.
    const GenerateOptions options{
        .sessions = std::max<std::uint64_t>(1, bytes / 5'000'000), .bytes = bytes, .seed = 1};
    const Result<GeneratedLedger> made = generateSessions(part.string(), options, {}, progress);
    if (!made) {
        std::fprintf(stderr, "%s\n", made.error().sentence().c_str());
        return {};
    }
    fs::rename(part, folder);
    return folder.string();
}

Corpus ingest(const std::string& folder, unsigned threads) {
    Progress progress;
    return buildCorpus(readSessionFiles(findSessionFiles(std::vector<std::string>{folder}, {}), {threads, {}},
                                        {}, progress));
}

std::vector<std::string> pathsIn(const FoundFiles& found) {
    std::vector<std::string> paths;
    for (const FoundFile& file : found.files) {
        paths.push_back(file.path);
    }
    return paths;
}

double secondsOf(const auto& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Median of the seconds that each pass took, by its name and threads.
class Times {
public:
    void add(const std::string& what, double seconds) { seconds_[what].push_back(seconds); }

    [[nodiscard]] double median(const std::string& what) {
        std::vector<double>& all = seconds_[what];
        if (all.empty()) {
            return 0;
        }
        std::ranges::sort(all);
        return all[all.size() / 2];
    }

private:
    std::map<std::string, std::vector<double>> seconds_;
};

struct Found {
    std::string folder;
    FoundFiles files;
    std::vector<std::string> paths;
};

/// One iteration runs both, so that a slow moment of the machine hits them alike; the time counted is ours.
void besideTheBarePass(benchmark::State& state, const Found& found, Times& times) {
    const auto threads = static_cast<unsigned>(state.range(0));
    for (auto _ : state) {
        const double bare = secondsOf([&] { benchmark::DoNotOptimize(barePass(found.paths, threads)); });
        const double ours = secondsOf([&] { benchmark::DoNotOptimize(ingest(found.folder, threads)); });
        times.add(fmt::format("bare {}", threads), bare);
        times.add(fmt::format("ours {}", threads), ours);
        state.SetIterationTime(ours);
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(found.files.bytes()) * state.iterations());
    state.counters["bare_s"] = times.median(fmt::format("bare {}", threads));
    state.counters["ratio"] =
        times.median(fmt::format("ours {}", threads)) / times.median(fmt::format("bare {}", threads));
}

std::string outputOf(const std::string& command) {
    std::string output;
    FILE* pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) {
        return output;
    }
    char part[4096];
    while (const std::size_t got = std::fread(part, 1, sizeof part, pipe)) {
        output.append(part, got);
    }
    return ::pclose(pipe) == 0 ? output : "";
}

/// The most memory that this process ever held, in kB.
std::uint64_t peakKilobytes() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stoull(line.substr(6));
        }
    }
    return 0;
}

/// In a child process, whose memory is its own.
void reportPeak(unsigned threads) {
    const std::string peak = outputOf(fmt::format("'{}' --peak {}", ownPath().string(), threads));
    fmt::print("peak memory, {} threads: {}", threads, peak.empty() ? "the child process failed\n" : peak);
}

void reportCcusage(const Found& found) {
    const std::string command = environment("LOADLINE_CCUSAGE", "");
    if (command.empty()) {
        fmt::print("ccusage: not compared ($LOADLINE_CCUSAGE is not set)\n");
        return;
    }
    const fs::path home = fs::path(found.folder).parent_path() / "empty_home";
    fs::create_directories(home);
    const std::string run =
        fmt::format("HOME='{}' CLAUDE_CONFIG_DIR='{}' {} claude session --json --offline 2>&1", home.string(),
                    found.folder, command);
    double theirs = 1e9;
    double ours = 1e9;
    for (int i = 0; i < 3; ++i) {
        std::string output;
        theirs = std::min(theirs, secondsOf([&] { output = outputOf(run); }));
        if (output.find("totals") == std::string::npos) {
            fmt::print("ccusage: failed: {}\n", output.substr(0, 300));
            return;
        }
        ours = std::min(ours, secondsOf([&] { benchmark::DoNotOptimize(ingest(found.folder, 0)); }));
    }
    fmt::print("ccusage: {:.2f} s, ours with all threads {:.2f} s: {:.1f} times as fast\n", theirs, ours,
               theirs / ours);
}

int run(int argc, char** argv) {
    Found found;
    found.folder = corpusFolder();
    if (found.folder.empty()) {
        return 1;
    }
    if (argc == 3 && std::string(argv[1]) == "--peak") {
        const Corpus corpus = ingest(found.folder, static_cast<unsigned>(std::stoul(argv[2])));
        fmt::print("{:.0f} MB for {} API calls in {} files\n", static_cast<double>(peakKilobytes()) / 1000,
                   corpus.calls.size(), corpus.files.size());
        return 0;
    }
    found.files = findSessionFiles(std::vector<std::string>{found.folder}, {});
    found.paths = pathsIn(found.files);
    barePass(found.paths, defaultThreads()); // warms the page cache

    Times times;
    benchmark::Initialize(&argc, argv);
    benchmark::RegisterBenchmark("ingest",
                                 [&](benchmark::State& state) { besideTheBarePass(state, found, times); })
        ->Arg(1)
        ->Arg(2)
        ->Arg(4)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond)
        ->Iterations(5);
    benchmark::RunSpecifiedBenchmarks();
    for (const unsigned threads : {1U, 4U}) {
        reportPeak(threads);
    }
    reportCcusage(found);
    return 0;
}

} // namespace
} // namespace loadline::bench

int main(int argc, char** argv) {
    return loadline::bench::run(argc, argv);
}
