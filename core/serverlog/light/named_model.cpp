// The model and the bits that a model's name tells.
#include "core/serverlog/light/speed_of_light.h"
#include "core/text/plain_words.h"

#include <algorithm>
#include <array>

namespace loadline {
namespace {

/// Small letters and digits alone: "gemma3:12b" and "gemma-3-12b" are one.
std::string lettersOf(std::string_view name) {
    std::string letters = lowered(name);
    std::erase_if(letters, [](char c) { return !((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')); });
    return letters;
}

struct BitsWord {
    std::string_view word; ///< as lettersOf leaves it
    double bits = 0;
};

/// GGUF: bits per weight of Llama-3.1-8B in llama.cpp's quantize README; MLX: groups of 64 with two fp16
/// numbers each; GPTQ and AWQ: groups of 128; MXFP4, NVFP4: 8 bits for each 32 and 16. Longer words first.
constexpr std::array bitsWords = {
    BitsWord{"iq4xs", 4.46}, BitsWord{"iq4nl", 4.5},  BitsWord{"q40", 4.5},   BitsWord{"q4ks", 4.67},
    BitsWord{"q4km", 4.89},  BitsWord{"q4", 4.89},    BitsWord{"q5km", 5.7},  BitsWord{"q5", 5.7},
    BitsWord{"q6k", 6.56},   BitsWord{"q80", 8.5},    BitsWord{"q3km", 4.0},  BitsWord{"mxfp4", 4.25},
    BitsWord{"nvfp4", 4.5},  BitsWord{"3bit", 3.5},   BitsWord{"4bit", 4.5},  BitsWord{"6bit", 6.5},
    BitsWord{"8bit", 8.5},   BitsWord{"awq", 4.25},   BitsWord{"gptq", 4.25}, BitsWord{"w4a16", 4.25},
    BitsWord{"int4", 4.25},  BitsWord{"int8", 8.125}, BitsWord{"fp8", 8},     BitsWord{"bf16", 16},
    BitsWord{"fp16", 16},    BitsWord{"f16", 16},
};

/// Models and releases of one shape, by their config.json where no other source is named: what is said of the
/// second holds of the first. A release is no row here because its name looks like it: DeepSeek-V3.2 attends
/// otherwise than V3.
struct Alias {
    std::string_view name;
    std::string_view key;
};

constexpr std::array aliases = {
    Alias{"llama-3-8b", "llama-3.1-8b"},
    Alias{"llama-3-70b", "llama-3.3-70b"},
    Alias{"llama-3.1-70b", "llama-3.3-70b"},
    Alias{"qwen3-coder-30b-a3b", "qwen3-30b-a3b"},
    Alias{"qwen2.5-coder-1.5b", "qwen2.5-1.5b"},
    Alias{"qwen2.5-coder-3b", "qwen2.5-3b"},
    Alias{"qwen2.5-coder-7b", "qwen2.5-7b"},
    Alias{"qwen2.5-coder-14b", "qwen2.5-14b"},
    Alias{"qwen2.5-coder-32b", "qwen2.5-32b"},
    Alias{"r1-distill-qwen-14b", "qwen2.5-14b"}, // DeepSeek-R1's card: made of it
    Alias{"r1-distill-qwen-32b", "qwen2.5-32b"}, // the same
    Alias{"deepseek-v3-0324", "deepseek-v3"},    // its card: "exactly the same as DeepSeek-V3"
    Alias{"deepseek-v3.1", "deepseek-v3"},
    Alias{"deepseek-ai/deepseek-r1", "deepseek-v3"}, // Ollama's deepseek-r1 is a smaller one
    Alias{"deepseek-r1-0528", "deepseek-v3"},        // its card: run as DeepSeek-R1 is
    Alias{"deepseek-r1:671b", "deepseek-v3"},        // as Ollama calls DeepSeek-R1
    Alias{"r1-distill-llama-8b", "llama-3.1-8b"},    // DeepSeek-R1's card: made of it
    Alias{"r1-distill-llama-70b", "llama-3.3-70b"},  // the same
};

/// The name before it taught a model, and that behind it is the model: "DeepSeek-R1-Distill-Qwen-32B".
constexpr std::string_view taught = "distill";

double bitsIn(std::string_view letters) {
    for (const BitsWord& word : bitsWords) {
        if (letters.find(word.word) != std::string_view::npos) {
            return word.bits;
        }
    }
    return 0;
}

} // namespace

std::vector<std::string_view> otherNamesOf(const CacheModel& model) {
    std::vector<std::string_view> names;
    for (const Alias& alias : aliases) {
        if (alias.key == model.key) {
            names.push_back(alias.name);
        }
    }
    return names;
}

NamedModel modelNamed(std::string_view name) {
    NamedModel named;
    const std::string letters = lettersOf(name);
    const std::size_t pupil = letters.rfind(taught);
    std::size_t last = 0; // where the name ends that was taken
    std::size_t longest = 0;
    const auto take = [&](std::string_view written, const CacheModel* model) {
        const std::string key = lettersOf(written);
        const std::size_t at = letters.find(key);
        const std::size_t end = at + key.size();
        const bool ends =
            at != std::string::npos && (end == letters.size() || key.back() < '0' || key.back() > '9' ||
                                        letters[end] < '0' || letters[end] > '9');
        const bool teaches = pupil != std::string::npos && end <= pupil;
        // The last of several is meant: DeepSeek-R1-0528-Qwen3-8B is a Qwen3-8B.
        if (ends && !teaches && (end > last || (end == last && key.size() > longest))) {
            last = end;
            longest = key.size();
            named.model = model;
        }
    };
    for (const CacheModel& model : cacheModels()) {
        take(model.key, &model);
    }
    for (const Alias& alias : aliases) {
        take(alias.name, findCacheModel(alias.key));
    }
    named.bitsPerWeight = bitsIn(letters);
    return named;
}

} // namespace loadline
