// The table of servers whose logs are read: all that names them.
#include "core/serverlog/format/log_pattern.h"

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

bool matchRestOfLine(std::string_view line, std::size_t anchor, LogMatch& match) {
    match.begin = anchor;
    match.end = line.size();
    match.groups[0] = line.substr(anchor);
    return true;
}

std::span<const FormatPatterns> formatPatterns() {
    static const std::array<FormatPatterns, servers.size()> formats{{
        {servers.data(), vllmPatterns()},
        {&servers[1], sglangPatterns()},
        {&servers[2], llamaCppPatterns()},
        {&servers[3], ollamaPatterns()},
        {&servers[4], mlxLmPatterns()},
        {&servers[5], mlxOpenAiPatterns()},
        {&servers[6], lmStudioPatterns()},
        {&servers[7], studyPatterns()},
        {&servers[8], omlxPatterns()},
    }};
    return formats;
}

} // namespace loadline
