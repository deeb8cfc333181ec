// Read against excerpts of the issues mostlygeek/llama-swap 35 (2025, with vLLM's lines between), 464, 726
// and 855 (2026).
#include "core/serverlog/format/llama_swap.h"

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>

namespace loadline::llama_swap {
namespace {

/// Returns the begin of the word that ends before `end`.
std::size_t wordBefore(std::string_view line, std::size_t end) {
    while (end > 0 && !isBlank(line[end - 1])) {
        --end;
    }
    return end;
}

/// Returns the begin of the line whose request is in quotes from `quote` on; npos: it is not llama-swap's.
std::size_t beginOf(std::string_view line, std::size_t quote) {
    constexpr std::string_view request = "[INFO] Request ";
    constexpr std::string_view name = "[llama-swap] ";
    if (!endsBefore(line, quote, " ")) {
        return std::string_view::npos;
    }
    const std::size_t client = wordBefore(line, quote - 1);
    if (endsBefore(line, client, request)) {
        return client - request.size();
    }
    return endsBefore(line, quote, "] ") ? line.substr(0, quote).rfind(name) : std::string_view::npos;
}

/// Requests that lines of llama-swap added.
struct Swapped {
    std::size_t requests = 0;
};

} // namespace

bool matchAccess(std::string_view line, std::size_t at, LogMatch& match) {
    auto& g = match.groups;
    const std::size_t path = wordBefore(line, at);
    const std::size_t method = path == 0 ? 0 : wordBefore(line, path - 1);
    if (path == at || method + 2 >= path || line[method] != '"') {
        return false;
    }
    match.begin = beginOf(line, method);
    g[0] = line.substr(method + 1, path - method - 2);
    g[1] = line.substr(path, at - path);
    std::string_view other;
    TextCursor c(line, at);
    if (match.begin == std::string_view::npos || !c.skip(" HTTP/") || !c.number(other) || !c.skip("\" ") ||
        !c.digits(g[2], 3) || !c.skip(" ") || !c.digits(other) || !c.skip(" \"")) {
        return false;
    }
    const std::size_t close = line.find("\" ", c.at()); // of the client's program
    c = TextCursor(line, std::min(close, line.size() - 2) + 2);
    const bool there = close != std::string_view::npos && c.text(g[3]);
    match.end = c.at();
    return there;
}

void takeAccess(LogAssembly& a, const LogMatch& m) {
    const double seconds = goSeconds(m[3]);
    if (!generates(m[0], m[1]) || !isTold(seconds)) {
        return;
    }
    a.tellsServer = true;
    auto& swapped = a.memory.of<Swapped>();
    const bool toldBehind = a.requestsAdded() > swapped.requests;
    if (!toldBehind && a.addAccess(m[0], m[1], m[2], seconds) != LogAssembly::none) {
        ++swapped.requests;
    }
}

} // namespace loadline::llama_swap
