#include "core/base/hash128.h"

#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace loadline {

Hash128 hashOf(std::string_view text) {
    if (text.empty()) {
        return {};
    }
    const XXH128_hash_t h = XXH3_128bits(text.data(), text.size());
    return {h.high64, h.low64};
}

Hash128 hashOf(std::string_view first, std::string_view second) {
    // The first part's length goes in front, so that ("ab", "c") and ("a", "bc") differ.
    std::string joined;
    joined.reserve(first.size() + second.size() + sizeof(std::uint64_t));
    const std::uint64_t length = first.size();
    joined.append(reinterpret_cast<const char*>(&length), sizeof length);
    joined.append(first);
    joined.append(second);
    return hashOf(joined);
}

} // namespace loadline
