// Drives a fuzz target where the compiler brings no libFuzzer. Takes the options of libFuzzer that ./dev
// gives:
//     NAME_fuzz [-max_total_time=S] [-runs=N] [-seed=N] [-max_len=BYTES] [-timeout=S] [-artifact_prefix=P]
//     FOLDER... NAME_fuzz FILE...      runs these inputs again
// Folders hold seeds; the first also takes the inputs that reached new code. The same seed, folders and
// number of runs give the same inputs.
#include "tests/fuzz/driver/coverage.h"
#include "tests/fuzz/driver/mutator.h"
#include "tests/fuzz/driver/watch.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <optional>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;
using namespace loadline::fuzz;

struct Options {
    std::map<std::string, double, std::less<>> numbers = {{"max_total_time", 0}, {"runs", 0},
                                                          {"seed", 1},           {"max_len", 1 << 16},
                                                          {"timeout", 2},        {"print_final_stats", 1}};
    std::string artifactPrefix = "./";
    std::vector<fs::path> paths;

    [[nodiscard]] double number(std::string_view name) const { return numbers.find(name)->second; }
};

std::optional<Options> optionsFrom(int count, char** words) {
    Options options;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        if (!word.starts_with('-')) {
            options.paths.emplace_back(word);
            continue;
        }
        const std::size_t equals = std::min(word.find('='), word.size());
        const std::string_view name = word.substr(1, equals - 1);
        const std::string_view value = word.substr(std::min(equals + 1, word.size()));
        const auto known = options.numbers.find(name);
        if (name == "artifact_prefix") {
            options.artifactPrefix = value;
        } else if (known == options.numbers.end() ||
                   std::from_chars(value.data(), value.data() + value.size(), known->second).ptr !=
                       value.data() + value.size()) {
            std::fprintf(stderr, "not an option: %s\n", words[i]);
            return std::nullopt;
        }
    }
    return options;
}

std::string contentOf(const fs::path& path, std::size_t most) {
    std::error_code failed;
    const auto size = fs::file_size(path, failed);
    std::string text(failed ? 0 : std::min<std::uintmax_t>(size, most), '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
    return text;
}

/// The inputs that later ones are made of.
class Corpus {
public:
    explicit Corpus(const Options& options)
        : mostBytes_(static_cast<std::size_t>(options.number("max_len"))),
          mutator_(static_cast<std::uint64_t>(options.number("seed")), mostBytes_) {
        for (const fs::path& folder : options.paths) {
            read(folder);
        }
        seeds_.emplace_back();
        std::ranges::stable_sort(seeds_, {}, &std::string::size);
        if (!options.paths.empty() && fs::is_directory(options.paths.front())) {
            keptIn_ = options.paths.front();
        }
    }

    /// The seeds as they are, short ones first, in turn with mutated ones.
    std::string next() {
        seedIsNext_ = !seedIsNext_ && seedsRun_ < seeds_.size();
        if (seedIsNext_) {
            return seeds_[seedsRun_++];
        }
        return mutator_.mutated(chosen(), chosen());
    }

    void keep(const std::string& input) {
        kept_.push_back(input);
        if (keptIn_.empty() || seedIsNext_) {
            return;
        }
        const std::size_t digest = std::hash<std::string>{}(input);
        std::ofstream(keptIn_ / std::to_string(digest), std::ios::binary) << input;
    }

    [[nodiscard]] std::size_t size() const { return kept_.size(); }

private:
    void read(const fs::path& folder) {
        std::error_code failed;
        std::vector<fs::path> files;
        if (fs::is_regular_file(folder, failed)) {
            files.push_back(folder);
        }
        for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
             at.increment(failed)) {
            if (at->is_regular_file(failed)) {
                files.push_back(at->path());
            }
        }
        std::ranges::sort(files);
        for (const fs::path& file : files) {
            seeds_.push_back(contentOf(file, mostBytes_));
            mutator_.learn(seeds_.back());
        }
    }

    /// Short ones and recent ones more often.
    const std::string& chosen() {
        const std::vector<std::string>& all = kept_.empty() ? seeds_ : kept_;
        const std::size_t recent = std::min<std::size_t>(all.size(), 32);
        const auto any = [&] {
            return mutator_.below(3) == 0 ? all.size() - 1 - mutator_.below(recent)
                                          : mutator_.below(all.size());
        };
        const std::string& a = all[any()];
        const std::string& b = all[any()];
        return mutator_.below(4) == 0 || a.size() <= b.size() ? a : b;
    }

    std::size_t mostBytes_;
    Mutator mutator_;
    std::vector<std::string> seeds_;
    std::size_t seedsRun_ = 0;
    bool seedIsNext_ = false;
    std::vector<std::string> kept_;
    fs::path keptIn_;
};

/// The target must not read beyond the input: it gets a copy of just its size.
void run(const std::string& input) {
    const auto copy = std::make_unique<std::uint8_t[]>(input.size());
    std::copy(input.begin(), input.end(), copy.get());
    nowRuns(input);
    LLVMFuzzerTestOneInput(copy.get(), input.size());
    nowRuns({});
}

void runAgain(const Options& options) {
    for (const fs::path& path : options.paths) {
        const std::string input = contentOf(path, std::size_t{1} << 30U);
        const double before = processorSeconds();
        run(input);
        std::printf("%s: %zu bytes, %.3f s\n", path.c_str(), input.size(), processorSeconds() - before);
    }
}

void explore(const Options& options) {
    Corpus corpus(options);
    const auto begun = std::chrono::steady_clock::now();
    const double seconds = options.number("max_total_time");
    const double runs = options.number("runs");
    std::uint64_t done = 0;
    double spent = 0;
    while ((seconds <= 0 || spent < seconds) && (runs <= 0 || static_cast<double>(done) < runs)) {
        const std::string input = corpus.next();
        startCoverage();
        run(input);
        if (reachedSomethingNew()) {
            corpus.keep(input);
        }
        ++done;
        spent = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    }
    std::fprintf(
        stderr, "stat::number_of_executed_units: %llu\nstat::average_exec_per_sec: %.0f\nstat::corpus: %zu\n",
        static_cast<unsigned long long>(done), static_cast<double>(done) / std::max(spent, 1e-3),
        corpus.size());
}

} // namespace

int main(int count, char** words) {
    const auto options = optionsFrom(count, words);
    if (!options) {
        return 2;
    }
    const bool files =
        !options->paths.empty() &&
        std::ranges::all_of(options->paths, [](const fs::path& path) { return fs::is_regular_file(path); });
    watch({.program = words[0],
           .artifactPrefix = options->artifactPrefix,
           .keepsFindings = !files,
           .secondsPerInput = options->number("timeout")});
    files ? runAgain(*options) : explore(*options);
    return 0;
}
