// Positions of the presets, from each model's config.json (Llama 3.1, Qwen3, Gemma 3, gpt-oss, SmolLM2,
// DeepSeek-V3, MiniMax-M2.5, Kimi-K2.5) or its card.
#include "core/cost/shapes/positions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace loadline {

std::optional<Tokens> positionsOf(std::string_view shapesKey) {
    static constexpr std::array<std::pair<std::string_view, Tokens>, 12> known = {{
        {"deepseek-v3", 163'840},
        {"gemma-3-12b", 131'072},
        {"gpt-oss-120b", 131'072},
        {"gpt-oss-20b", 131'072},
        {"kimi-k2.5", 262'144},
        {"llama-3.1-70b", 131'072},
        {"llama-3.1-8b", 131'072},
        {"minimax-m2.5", 196'608},
        {"qwen3-235b-a22b", 40'960},
        {"qwen3-32b", 40'960},
        {"qwen3-coder-next", 262'144},
        {"smollm2-135m", 8'192},
    }};
    const auto found = std::ranges::find(known, shapesKey, &std::pair<std::string_view, Tokens>::first);
    return found != known.end() ? std::optional(found->second) : std::nullopt;
}

} // namespace loadline
