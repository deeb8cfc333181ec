// Names of formats.
#include "core/cost/format/format.h"

#include <fmt/format.h>

namespace loadline {

std::vector<Format> formatsOf(const Format& format, const std::vector<int>& kBits) {
    std::vector<Format> formats;
    formats.reserve(kBits.size());
    for (const int k : kBits) {
        formats.push_back(withBits(format, k));
    }
    return formats;
}

std::string keyOf(const Format& format) {
    const Format usual(format.kBits());
    std::string key(specOf(format.weights).key);
    key += format.experts == usual.experts ? "" : fmt::format(",experts={}", specOf(format.experts).key);
    return key + (format.kv == usual.kv ? "" : fmt::format(",kv={}", specOf(format.kv).key));
}

std::string nameOf(const Format& format) {
    const Format usual(format.kBits());
    std::string name(specOf(format.weights).name);
    name += format.experts == usual.experts ? "" : fmt::format(", experts {}", specOf(format.experts).name);
    return name + (format.kv == usual.kv ? "" : fmt::format(", KV {}", specOf(format.kv).name));
}

} // namespace loadline
