// vLLM's version as numbers that compare.
#pragma once

#include <compare>
#include <limits>
#include <optional>
#include <string_view>

namespace loadline {

struct EngineVersion {
    int major = 0;
    int minor = 0;
    int patch = 0;
    auto operator<=>(const EngineVersion&) const = default;
};

/// Newer than every release: the version of a nightly build.
inline constexpr EngineVersion newestVersion{.major = std::numeric_limits<int>::max()};

/// Returns the version that the text names: "0.10.2", "v0.19", "0.12.0rc1" (as 0.12.0), "nightly-..."
/// (newestVersion); null for other texts.
std::optional<EngineVersion> engineVersionFrom(std::string_view text);

} // namespace loadline
