// Any bytes as the words that a PNG, a setting or --against holds: what is read is written so that it reads
// back equal.
#include "app/chart/chart_request.h"
#include "app/options/shell_words.h"
#include "app/options/simulation_options.h"
#include "app/options/simulation_words.h"
#include "core/text/number_list.h"
#include "tests/fuzz/check.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace loadline;
    using namespace loadline::app;
    using namespace loadline::fuzz;
    const std::string_view text = fuzz::textOf(data, size);
    if (const auto numbers = numbersIn(text, {1, 100'000})) {
        check(!numbers->empty() && numbers->size() <= mostListed && std::ranges::is_sorted(*numbers));
    }
    const Result<std::vector<std::string>> words = wordsOfShell(text);
    if (!words) {
        checkError(words.error());
        return 0;
    }
    const auto again = wordsOfShell(joinedForShell(*words));
    check(again && *again == *words);
    const Result<SimulationRequest> request = simulationRequestFrom(*words);
    if (!request) {
        checkError(request.error());
        return 0;
    }
    const std::vector<std::string> written = wordsOf(*request);
    const Result<SimulationRequest> same = simulationRequestFrom(written);
    if (!same) {
        std::fprintf(stderr, "%s\n%s\n", joinedForShell(written).c_str(), same.error().sentence().c_str());
    }
    check(same.hasValue());
    checkEqual(joinedForShell(wordsOf(*same)), joinedForShell(written));
    return 0;
}
