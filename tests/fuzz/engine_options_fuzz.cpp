// Any bytes as a pasted command line or config of vLLM: each word is taken or left with a reason, and the
// command that is written for a policy means that policy.
#include "core/simulate/request/engine_options.h"

#include "core/simulate/request/engine_words.h"
#include "core/simulate/request/simulation_request.h"
#include "tests/fuzz/check.h"

namespace {

using namespace loadline;
using namespace loadline::fuzz;

void checkWords(std::string_view text) {
    const Result<std::vector<EngineWord>> words = engineWordsIn(text);
    if (!words) {
        return checkError(words.error());
    }
    std::size_t bytes = 0;
    for (const EngineWord& word : *words) {
        check(word.name.find('-') == std::string::npos || !word.name.starts_with('-'));
        bytes += word.name.size() + word.value.value_or("").size() + word.asWritten.size();
    }
    check(bytes <= 64 * (text.size() + 16)); // names of nested objects repeat what is around them
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    checkWords(text);
    if (const auto number = engineNumber(text)) {
        check(std::abs(static_cast<double>(*number)) <= 1e15);
    }
    const Result<EngineOptions> options = engineOptionsIn(text);
    if (!options) {
        checkError(options.error());
        return 0;
    }
    for (const OptionTaken& taken : options->taken) {
        check(!taken.option.empty() && !taken.means.empty());
    }
    for (const OptionLeft& left : options->left) {
        check(!left.why.empty());
    }
    check(!problemOf(options->policy));
    const Result<std::string> command = vllmServeCommand(options->policy);
    check(command.hasValue());
    const Result<EngineOptions> again = engineOptionsIn(*command);
    check(again.hasValue());
    PolicySetup written = options->policy;
    written.memoryShare = again->policy.memoryShare; // needs shapes, which MODEL has not
    check(again->policy == written);
    return 0;
}
