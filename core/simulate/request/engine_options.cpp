// vLLM's own options to and from a simulated policy.
#include "core/simulate/request/engine_options.h"

#include "core/cost/shapes/positions.h"
#include "core/cost/shapes/shapes.h"
#include "core/simulate/policy/policy_spec.h"
#include "core/simulate/request/engine_names.h"
#include "core/simulate/request/engine_words.h"
#include "core/simulate/request/simulation_fields.h"
#include "core/text/number_format.h"
#include "core/text/parse_number.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace loadline {
namespace {

std::optional<bool> truth(const std::optional<std::string>& value) {
    if (!value) {
        return true;
    }
    const std::string word = lowered(*value);
    if (word == "true" || word == "1" || word == "yes" || word == "on") {
        return true;
    }
    if (word == "false" || word == "0" || word == "no" || word == "off") {
        return false;
    }
    return std::nullopt;
}

/// Reads one option into the answer; an Error where its value is not of its kind.
using Reader = std::optional<Error> (*)(EngineOptions&, const EngineWord&);

Error badValue(const EngineWord& word, const std::string& wanted) {
    return {fmt::format("the value is not {}", wanted), word.asWritten,
            "correct it, or leave the option out"};
}

/// Returns vLLM's value as the text of a field; nothing if the value is not of the field's kind.
std::optional<std::string> textIn(const ask::Field& field, const EngineWord& word) {
    const std::optional<bool> whole = isWhole(field);
    if (formOf(field).empty()) {
        const auto on = truth(word.value);
        return on ? std::optional<std::string>(*on ? "true" : "false") : std::nullopt;
    }
    if (!word.value || whole != true) {
        return word.value ? std::optional(lowered(*word.value)) : std::nullopt;
    }
    const auto number = engineNumber(*word.value);
    if (number == 0 && field.engine.zeroIsNone) {
        return "none";
    }
    return number && static_cast<double>(*number) >= field.range.least
               ? std::optional(std::to_string(*number))
               : std::nullopt;
}

std::string wantedBy(const ask::Field& field) {
    if (!field.access.choices.empty()) {
        std::string keys;
        for (const ask::Choice& choice : field.access.choices) {
            keys += (keys.empty() ? "" : " or ") + std::string(choice.key);
        }
        return keys;
    }
    if (formOf(field).empty()) {
        return "true or false";
    }
    return isWhole(field) == true
               ? fmt::format("a whole number from {} to {}", field.engine.zeroIsNone ? 0 : field.range.least,
                             formatExact(static_cast<std::int64_t>(field.range.most)))
               : fmt::format("a number from {:g} to {:g}", field.range.least, field.range.most);
}

std::optional<Error> readParameter(const ask::Field& field, EngineOptions& options, const EngineWord& word) {
    SimulationRequest request;
    request.policy = options.policy;
    const auto text = textIn(field, word);
    if (!text || !readText(field, *text, &request)) {
        return badValue(word, wantedBy(field));
    }
    options.policy = request.policy;
    const std::string means = *text == "none" ? "0" : wordOf(field, &request);
    options.taken.push_back({word.asWritten, fmt::format(fmt::runtime(field.engine.means), means)});
    return std::nullopt;
}

std::string cacheIs(const char* state) {
    return fmt::format(fmt::runtime(simulationField("prefix-cache").engine.means), state);
}

/// vLLM V1 has a prefix cache unless its command says that it has none.
void takeCacheOfServe(EngineOptions& options) {
    const bool said = std::ranges::any_of(options.taken, [](const OptionTaken& taken) {
        return taken.means == cacheIs("on") || taken.means == cacheIs("off");
    });
    if (!said) {
        options.policy.prefixCache = true;
        options.taken.push_back({"vllm serve", cacheIs("on")});
    }
}

/// The options that switch the prefix cache on, where nothing is ever found in it.
void leaveIdleCache(EngineOptions& options) {
    const std::string cached = cacheIs("on");
    for (const OptionTaken& taken : options.taken) {
        if (taken.means == cached) {
            options.left.push_back({taken.option, "set, but without effect: turns drawn one by one share no "
                                                  "prefix; replay sessions to see it"});
        }
    }
    std::erase_if(options.taken, [&](const OptionTaken& taken) { return taken.means == cached; });
}

std::optional<Error> readMemoryShare(EngineOptions& options, const EngineWord& word) {
    const ask::Field& field = simulationField("gpu-memory-utilization");
    const auto value = word.value ? parseNumber(*word.value, field.range) : std::nullopt;
    if (!value) {
        return badValue(word, wantedBy(field));
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
                                         "weights (vLLM finds less: activations and graphs)",
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

std::optional<Error> readModelLength(EngineOptions& options, const EngineWord& word) {
    const std::string value = lowered(word.value.value_or(""));
    if (value == "auto" || value == "-1") {
        options.left.push_back(
            {word.asWritten, "vLLM chooses it from the memory that is left; set it by hand"});
        return std::nullopt;
    }
    return readParameter(simulationField("max-model-len"), options, word);
}

std::string squeezed(std::string_view name) {
    std::string result;
    for (const char c : lowered(name)) {
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

/// Those that are more than a parameter's value.
Reader readerOf(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Reader>, 4> all = {
        {{"max_model_len", readModelLength},
         {"gpu_memory_utilization", readMemoryShare},
         {"tensor_parallel_size", readTensorParallel},
         {"model", readModel}}};
    const auto found = std::ranges::find(all, name, &std::pair<std::string_view, Reader>::first);
    return found != all.end() ? found->second : nullptr;
}

const ask::Field* parameterNamed(std::string_view name) {
    const auto found = std::ranges::find_if(simulationFields(), [&](const ask::Field& field) {
        return !field.engine.name.empty() && field.engine.name == name;
    });
    return found != simulationFields().end() ? &*found : nullptr;
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
    if (const Reader read = readerOf(name)) {
        modelSeen = modelSeen || name == "model";
        return read(options, word);
    }
    if (name.starts_with("no_") && isBareFlag(name) && parameterNamed(name.substr(3)) != nullptr) {
        name.erase(0, 3);
        word.value = "false";
    }
    if (const ask::Field* field = parameterNamed(name)) {
        return readParameter(*field, options, word);
    }
    options.left.push_back({word.asWritten, whyLeft(name)});
    return std::nullopt;
}

/// A server that is not told a length takes the model's; here requests end where the policy says.
void tellModelsLength(EngineOptions& options, const std::vector<EngineWord>& words) {
    std::optional<Tokens> positions;
    if (options.shapes) {
        positions = positionsOf(*options.shapes);
    }
    const bool isTold = std::ranges::any_of(
        words, [](const EngineWord& word) { return longName(word.name) == "max_model_len"; });
    if (positions && !isTold && *positions < options.policy.maxModelLen) {
        options.left.push_back(
            {"no --max-model-len",
             fmt::format("vLLM takes the model's own, {} tokens; here requests end at {}: --max-model-len {} "
                         "says the former",
                         formatExact(*positions), formatExact(options.policy.maxModelLen), *positions)});
    }
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

Result<EngineOptions> engineOptionsIn(std::string_view text, const PolicySetup& base, TurnOrder order) {
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
    if (order == TurnOrder::Replayed && isServeCommand(text)) {
        takeCacheOfServe(options);
    }
    if (isServeCommand(text)) {
        tellModelsLength(options, *words);
    }
    if (auto problem = problemOf(options.policy)) {
        return *problem;
    }
    takeMemoryShare(options);
    if (order != TurnOrder::Replayed) {
        leaveIdleCache(options);
    }
    return options;
}

Result<std::string> vllmServeCommand(const PolicySetup& policy, std::string_view model) {
    if (!specOf(policy.policy).isVllm) {
        return Error{fmt::format("{} is not a policy of vLLM", nameOf(policy.policy)), "",
                     "choose vLLM V1 first"};
    }
    SimulationRequest request;
    SimulationRequest usual;
    request.policy = policy;
    usual.policy = {};
    std::string command = fmt::format("vllm serve {}", model);
    for (const ask::Field& field : simulationFields()) {
        const std::string text = textOf(field, &request);
        if (field.engine.name.empty() || text == "auto" ||
            (!field.engine.atDefault && text == textOf(field, &usual))) {
            continue;
        }
        std::string name(field.engine.name);
        std::ranges::replace(name, '_', '-');
        if (formOf(field).empty()) {
            command += fmt::format(" --{}{}", text == "true" ? "" : "no-", name);
        } else {
            command += fmt::format(" --{} {}", name, text == "none" ? "0" : text);
        }
    }
    return command;
}

} // namespace loadline
