// Names of formats.
#include "core/cost/format/format.h"

#include <fmt/format.h>

namespace loadline {

std::optional<Storage> storageFrom(std::string_view word) {
    const auto* const found =
        std::ranges::find(storageSpecs, word == "bf16" ? "fp16" : word, &StorageSpec::key);
    return found != storageSpecs.end() ? std::optional(found->storage) : std::nullopt;
}

std::vector<Format> formatsOf(const Format& format, const std::vector<Storage>& weights) {
    std::vector<Format> formats;
    formats.reserve(weights.size());
    for (const Storage one : weights) {
        formats.push_back(withWeights(format, one));
    }
    return formats;
}

std::string keyOf(const Format& format) {
    const Format usual(format.weights);
    std::string key(specOf(format.weights).key);
    key += format.experts == usual.experts ? "" : fmt::format(",experts={}", specOf(format.experts).key);
    return key + (format.kv == usual.kv ? "" : fmt::format(",kv={}", specOf(format.kv).key));
}

std::string nameOf(const Format& format) {
    const Format usual(format.weights);
    std::string name(specOf(format.weights).name);
    name += format.experts == usual.experts ? "" : fmt::format(", experts {}", specOf(format.experts).name);
    return name + (format.kv == usual.kv ? "" : fmt::format(", KV {}", specOf(format.kv).name));
}

} // namespace loadline
