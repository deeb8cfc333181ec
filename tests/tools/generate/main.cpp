// loadline_generate DIR [--sessions N] [--bytes N] [--seed N] [--largest-result N] [--odd]: writes made-up
// sessions into a new folder.
#include "core/text/parse_number.h"
#include "tests/tools/generate/generate.h"

#include <fmt/format.h>

#include <cstdio>
#include <limits>
#include <string>
#include <string_view>

namespace {

using namespace loadline;

template <typename Number>
bool take(std::string_view text, const NumberRange<Number>& range, Number& number) {
    const auto read = parseNumber(text, range);
    number = read.value_or(number);
    return read.has_value();
}

bool takeOption(std::string_view name, std::string_view value, GenerateOptions& options) {
    constexpr NumberRange<std::uint64_t> seeds{0, std::numeric_limits<std::uint64_t>::max()};
    return name == "--sessions"         ? take(value, generatedSessions, options.sessions)
           : name == "--bytes"          ? take(value, generatedBytes, options.bytes)
           : name == "--seed"           ? take(value, seeds, options.seed)
           : name == "--largest-result" ? take(value, largestResults, options.largestResult)
                                        : false;
}

} // namespace

int main(int count, char** words) {
    std::string folder;
    GenerateOptions options;
    for (int i = 1; i < count; ++i) {
        const std::string_view word = words[i];
        const bool isOption = word.starts_with("--");
        if (word == "--odd") {
            options.odd = true;
        } else if (!isOption && folder.empty()) {
            folder = word;
        } else if (!isOption || i + 1 == count || !takeOption(word, words[++i], options)) {
            fmt::print(stderr, "loadline_generate: what is \"{}\"?\n", word);
            return 2;
        }
    }
    Progress progress;
    const Result<GeneratedLedger> ledger = generateSessions(folder, options, {}, progress);
    if (!ledger) {
        fmt::print(stderr, "loadline_generate: {}\n", ledger.error().sentence());
        return 1;
    }
    fmt::print("{} files, {} bytes, {} API calls in {}\n", ledger->files, ledger->bytes, ledger->totals.calls,
               folder);
    return 0;
}
