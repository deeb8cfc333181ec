// The table of servers whose logs are read: all that names them.
#include "core/serverlog/format/server_formats.h"

#include "core/serverlog/format/server_patterns.h"

#include <array>

namespace loadline {
namespace {

constexpr auto servers = std::to_array<ServerFormat>({
    {"vllm", "vLLM"},
    {"sglang", "SGLang"},
    {"llama-cpp", "llama.cpp server"},
    {"ollama", "Ollama"},
    {"mlx-lm", "mlx-lm server"},
    {"mlx-openai-server", "mlx-openai-server"},
    {"lm-studio", "LM Studio"},
    {"semantic", "Semantic caching server"},
    {"omlx", "oMLX"},
});

} // namespace

std::span<const ServerFormat> serverFormats() {
    return servers;
}

std::span<const FormatPatterns> formatPatterns() {
    static const std::array<FormatPatterns, servers.size()> formats{{
        {servers.data(), vllmPatterns()},
        {&servers[1], sglangPatterns()},
        {&servers[2], llamaCppPatterns()},
        {&servers[3], ollamaPatterns(), "llama-cpp"},
        {&servers[4], mlxLmPatterns()},
        {&servers[5], mlxOpenAiPatterns()},
        {&servers[6], lmStudioPatterns(), "llama-cpp"},
        {&servers[7], studyPatterns()},
        {&servers[8], omlxPatterns()},
    }};
    return formats;
}

const PatternTable& patternTable() {
    static const PatternTable table = tableOf(formatPatterns());
    return table;
}

} // namespace loadline
