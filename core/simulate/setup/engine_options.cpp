// vLLM's own options to and from a simulated policy.
#include "core/simulate/setup/engine_options.h"

#include "core/cost/shapes/shapes.h"
#include "core/simulate/setup/engine_names.h"
#include "core/simulate/setup/engine_words.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <functional>

namespace loadline {
namespace {

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

std::optional<bool> truth(const std::optional<std::string>& value) {
    if (!value) {
        return true;
    }
    const std::string word = lower(*value);
    if (word == "true" || word == "1" || word == "yes" || word == "on") {
        return true;
    }
    if (word == "false" || word == "0" || word == "no" || word == "off") {
        return false;
    }
    return std::nullopt;
}

/// Reads one option into the answer; an Error where its value is not of its kind.
using Reader = std::function<std::optional<Error>(EngineOptions&, const EngineWord&)>;

Error badValue(const EngineWord& word, const std::string& wanted) {
    return {fmt::format("the value is not {}", wanted), word.asWritten,
            "correct it, or leave the option out"};
}

/// A whole number from `least` on.
Reader number(Tokens least, const std::function<void(EngineOptions&, std::int64_t)>& set,
              std::string_view means) {
    return [=, means = std::string(means)](EngineOptions& options,
                                           const EngineWord& word) -> std::optional<Error> {
        const auto value = word.value ? engineNumber(*word.value) : std::nullopt;
        if (!value || *value < least) {
            return badValue(word, fmt::format("a whole number of {} or more", least));
        }
        set(options, *value);
        options.taken.push_back({word.asWritten, fmt::format(fmt::runtime(means), formatExact(*value))});
        return std::nullopt;
    };
}

Reader flag(const std::function<void(EngineOptions&, bool)>& set, std::string_view means) {
    return [=, means = std::string(means)](EngineOptions& options,
                                           const EngineWord& word) -> std::optional<Error> {
        const auto value = truth(word.value);
        if (!value) {
            return badValue(word, "true or false");
        }
        set(options, *value);
        options.taken.push_back({word.asWritten, means + (*value ? " on" : " off")});
        return std::nullopt;
    };
}

Reader share(const std::function<void(EngineOptions&, double)>& set, std::string_view means) {
    return [=, means = std::string(means)](EngineOptions& options,
                                           const EngineWord& word) -> std::optional<Error> {
        const auto value = word.value ? parseNumber<double>(*word.value) : std::nullopt;
        if (!value || *value < 0 || *value > 1) {
            return badValue(word, "a number from 0 to 1");
        }
        set(options, *value);
        options.taken.push_back({word.asWritten, fmt::format("{} {:g}", means, *value)});
        return std::nullopt;
    };
}

std::optional<Error> readMemoryShare(EngineOptions& options, const EngineWord& word) {
    const auto value = word.value ? parseNumber<double>(*word.value) : std::nullopt;
    if (!value || *value < 0.01 || *value > 1) {
        return badValue(word, "a number from 0.01 to 1");
    }
    options.gpuMemoryUtilisation = *value;
    options.memoryWord = word.asWritten;
    return std::nullopt;
}

/// When all else is read: without known shapes nobody knows what a KV block takes.
void takeMemoryShare(EngineOptions& options) {
    if (!options.gpuMemoryUtilisation) {
        return;
    }
    if (!options.shapes) {
        options.left.push_back({options.memoryWord, "what a KV block takes is known only of a model whose "
                                                    "shapes are known: choose shapes, or set the KV blocks"});
        return;
    }
    if (options.policy.kvBlocks) {
        options.left.push_back({options.memoryWord, "the number of KV blocks is given, and goes before it"});
        return;
    }
    options.policy.memoryShare = options.gpuMemoryUtilisation;
    options.taken.push_back(
        {options.memoryWord, fmt::format("as many KV blocks as {} of the device's memory holds beside the "
                                         "weights (vLLM finds a little less: activations and graphs)",
                                         formatShare(*options.gpuMemoryUtilisation))});
}

std::optional<Error> readTensorParallel(EngineOptions& options, const EngineWord& word) {
    const auto value = word.value ? engineNumber(*word.value) : std::nullopt;
    if (!value || *value < 1) {
        return badValue(word, "a whole number of 1 or more");
    }
    options.tensorParallel = static_cast<int>(std::min<std::int64_t>(*value, 1 << 20));
    if (*value == 1) {
        options.taken.push_back({word.asWritten, "one device"});
    } else {
        options.left.push_back({word.asWritten, "one device is simulated: shapes are not divided"});
    }
    return std::nullopt;
}

std::optional<Error> readOrder(EngineOptions& options, const EngineWord& word) {
    const std::string order = lower(word.value.value_or(""));
    if (order != "fcfs" && order != "priority") {
        return badValue(word, "fcfs or priority");
    }
    options.policy.order = order == "fcfs" ? VllmPolicy::Fcfs : VllmPolicy::Priority;
    options.taken.push_back({word.asWritten, "order " + order});
    return std::nullopt;
}

std::optional<Error> readModelLength(EngineOptions& options, const EngineWord& word) {
    const std::string value = lower(word.value.value_or(""));
    if (value == "auto" || value == "-1") {
        options.left.push_back(
            {word.asWritten, "vLLM chooses it from the memory that is left; set it by hand"});
        return std::nullopt;
    }
    return number(
        1, [](EngineOptions& o, std::int64_t n) { o.policy.maxModelLen = n; },
        "requests end at {} tokens")(options, word);
}

std::string squeezed(std::string_view name) {
    std::string result;
    for (const char c : lower(name)) {
        if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
            result += c;
        }
    }
    return result;
}

/// The shapes preset whose name the model's carries, the longest of several.
std::optional<std::string> shapesOf(std::string_view model) {
    const std::size_t slash = model.rfind('/');
    const std::string name = squeezed(slash == std::string_view::npos ? model : model.substr(slash + 1));
    const ModelShapes* best = nullptr;
    for (const ModelShapes& preset : shapePresets()) {
        const std::string wanted = squeezed(preset.name);
        if (!preset.key.starts_with("study") && name.starts_with(wanted) &&
            (best == nullptr || wanted.size() > squeezed(best->name).size())) {
            best = &preset;
        }
    }
    return best != nullptr ? std::optional(best->key) : std::nullopt;
}

void takeModel(EngineOptions& options, const std::string& model, const std::string& asWritten) {
    options.model = model;
    options.shapes = shapesOf(model);
    if (options.shapes) {
        options.taken.push_back({asWritten, "shapes " + *options.shapes});
    } else {
        options.left.push_back(
            {asWritten, "the shapes of this model are not known here; choose shapes by hand"});
    }
}

std::optional<Error> readModel(EngineOptions& options, const EngineWord& word) {
    if (!word.value || word.value->empty()) {
        return badValue(word, "a model's name");
    }
    takeModel(options, *word.value, word.asWritten);
    return std::nullopt;
}

struct Option {
    std::string_view name;
    Reader read;
};

const std::vector<Option>& readers() {
    static const std::vector<Option> all = {
        {"max_num_batched_tokens",
         number(
             1, [](EngineOptions& o, std::int64_t n) { o.policy.budgetTokens = n; }, "token budget {}")},
        {"max_num_seqs",
         number(
             1, [](EngineOptions& o, std::int64_t n) { o.policy.maxSeqs = n; }, "at most {} sequences")},
        {"long_prefill_token_threshold", number(
                                             0,
                                             [](EngineOptions& o, std::int64_t n) {
                                                 o.policy.chunkTokens =
                                                     n > 0 ? std::optional(n) : std::nullopt;
                                             },
                                             "chunk of {} tokens a request (0: no limit)")},
        {"block_size", number(
                           1, [](EngineOptions& o, std::int64_t n) { o.policy.blockTokens = n; },
                           "KV blocks of {} tokens")},
        {"num_gpu_blocks_override",
         number(
             2, [](EngineOptions& o, std::int64_t n) { o.policy.kvBlocks = n; }, "{} KV blocks")},
        {"max_model_len", readModelLength},
        {"scheduling_policy", readOrder},
        {"enable_chunked_prefill",
         flag([](EngineOptions& o, bool on) { o.policy.chunkedPrefill = on; }, "chunked prefill")},
        {"enable_prefix_caching",
         flag([](EngineOptions& o, bool on) { o.policy.prefixCache = on; }, "prefix cache")},
        {"async_scheduling",
         flag([](EngineOptions& o, bool on) { o.policy.async = on; }, "asynchronous scheduling")},
        {"scheduler_reserve_full_isl",
         flag([](EngineOptions& o, bool on) { o.policy.reserveFullPrompt = on; },
              "reservation of whole prompts")},
        {"watermark", share([](EngineOptions& o, double w) { o.policy.watermark = w; }, "watermark")},
        {"gpu_memory_utilization", readMemoryShare},
        {"tensor_parallel_size", readTensorParallel},
        {"model", readModel},
    };
    return all;
}

const Reader* readerOf(std::string_view name) {
    const auto found = std::find_if(readers().begin(), readers().end(),
                                    [&](const Option& option) { return option.name == name; });
    return found != readers().end() ? &found->read : nullptr;
}

std::optional<Error> readWord(EngineOptions& options, EngineWord word, bool& modelSeen) {
    if (word.name.empty()) {
        if (!word.value) {
            options.left.push_back({word.asWritten, "dashes without an option"});
        } else if (!modelSeen) {
            modelSeen = true;
            takeModel(options, *word.value, word.asWritten);
        } else {
            options.left.push_back({word.asWritten, "a word without an option"});
        }
        return std::nullopt;
    }
    std::string name(longName(word.name));
    if (const Reader* read = readerOf(name)) {
        modelSeen = modelSeen || name == "model";
        return (*read)(options, word);
    }
    if (name.starts_with("no_") && readerOf(name.substr(3)) != nullptr && isBareFlag(name)) {
        word.value = "false";
        return (*readerOf(name.substr(3)))(options, word);
    }
    options.left.push_back({word.asWritten, whyLeft(name)});
    return std::nullopt;
}

} // namespace

std::optional<std::int64_t> engineNumber(std::string_view text) {
    double scale = 1;
    if (!text.empty()) {
        constexpr std::string_view suffixes = "kKmMgG";
        constexpr std::array factors = {1e3, 1024.0, 1e6, 1048576.0, 1e9, 1073741824.0};
        const std::size_t at = suffixes.find(text.back());
        if (at != std::string_view::npos) {
            scale = factors[at];
            text.remove_suffix(1);
        }
    }
    const auto value = parseNumber<double>(text);
    if (!value) {
        return std::nullopt;
    }
    const double scaled = *value * scale;
    if (std::abs(scaled) > 1e15 || scaled != std::floor(scaled)) {
        return std::nullopt;
    }
    return static_cast<std::int64_t>(scaled);
}

Result<EngineOptions> engineOptionsIn(std::string_view text, const PolicySetup& base) {
    const auto words = engineWordsIn(text);
    if (!words) {
        return words.error();
    }
    EngineOptions options;
    options.policy = base;
    options.policy.policy = Policy::VllmV1;
    bool modelSeen = false;
    for (EngineWord word : *words) {
        std::optional<EngineWord> behind;
        const bool spaced =
            word.value && word.asWritten.starts_with("-") && word.asWritten.find('=') == std::string::npos;
        if (spaced && isBareFlag(word.name) && !truth(word.value)) {
            behind = EngineWord{"", word.value, *word.value};
            word.asWritten.resize(word.asWritten.size() - word.value->size() - 1);
            word.value.reset();
        }
        if (auto error = readWord(options, std::move(word), modelSeen)) {
            return *error;
        }
        if (behind) {
            if (auto error = readWord(options, *behind, modelSeen)) {
                return *error;
            }
        }
    }
    if (auto problem = problemOf(options.policy)) {
        return *problem;
    }
    takeMemoryShare(options);
    return options;
}

Result<std::string> vllmServeCommand(const PolicySetup& policy, std::string_view model) {
    if (policy.policy != Policy::VllmV1) {
        return Error{fmt::format("{} is not a policy of vLLM", nameOf(policy.policy)), "",
                     "choose vLLM V1 first"};
    }
    const auto onOff = [](bool on, std::string_view option) {
        return fmt::format(" --{}{}", on ? "" : "no-", option);
    };
    std::string command = fmt::format("vllm serve {} --max-num-batched-tokens {} --max-num-seqs {}", model,
                                      policy.budgetTokens, policy.maxSeqs);
    command += fmt::format(" --long-prefill-token-threshold {}", policy.chunkTokens.value_or(0));
    command += onOff(policy.chunkedPrefill, "enable-chunked-prefill");
    command += onOff(policy.prefixCache, "enable-prefix-caching");
    command += onOff(policy.async, "async-scheduling");
    command += onOff(policy.reserveFullPrompt, "scheduler-reserve-full-isl");
    command += fmt::format(" --block-size {}", policy.blockTokens);
    if (policy.kvBlocks) {
        command += fmt::format(" --num-gpu-blocks-override {}", *policy.kvBlocks);
    }
    if (policy.memoryShare) {
        command += fmt::format(" --gpu-memory-utilization {}", *policy.memoryShare);
    }
    if (policy.maxModelLen != PolicySetup{}.maxModelLen) {
        command += fmt::format(" --max-model-len {}", policy.maxModelLen);
    }
    if (policy.watermark > 0) {
        command += fmt::format(" --watermark {}", policy.watermark);
    }
    command +=
        policy.order == VllmPolicy::Fcfs ? " --scheduling-policy fcfs" : " --scheduling-policy priority";
    return command;
}

} // namespace loadline
