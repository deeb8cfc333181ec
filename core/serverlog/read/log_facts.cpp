// Facts of a log, and which process or service a line is of.
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <algorithm>

namespace loadline {
namespace {

constexpr std::size_t mostTag = 96;

bool isNameOfService(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '_' || c == '.';
}

/// Returns what is put before the lines of one process of several: the port of a llama.cpp router's child
/// ("[42027] "), the pod of `kubectl logs --prefix` ("[pod/vllm-8b/vllm] "), the service of `docker compose
/// logs` ("vllm-small-1  | "); "" where nothing is.
std::string_view tagOf(std::string_view line) {
    if (line.starts_with('[')) {
        constexpr std::size_t mostDigits = 6;
        const std::size_t end = line.substr(0, mostTag).find("] ");
        const std::string_view tag = line.substr(1, end == std::string_view::npos ? 0 : end - 1);
        const bool port = !tag.empty() && tag.size() <= mostDigits && std::ranges::all_of(tag, isDigit);
        return port || tag.starts_with("pod/") ? tag : std::string_view();
    }
    std::size_t end = 0;
    while (end < line.size() && end < mostTag && isNameOfService(line[end])) {
        ++end;
    }
    TextCursor c(line, end);
    return end > 0 && c.skipBlanks(1) && c.skip("| ") ? line.substr(0, end) : std::string_view();
}

} // namespace

std::uint32_t LogAssembly::source() {
    constexpr std::size_t mostSources = 64; // further ones are as lines without a tag
    const std::string_view tag = tagOf(line);
    const auto known = std::ranges::find(log.sources, tag);
    if (known != log.sources.end()) {
        return static_cast<std::uint32_t>(known - log.sources.begin());
    }
    if (log.sources.size() >= mostSources) {
        return 0;
    }
    log.sources.emplace_back(tag);
    return static_cast<std::uint32_t>(log.sources.size() - 1);
}

void LogAssembly::addFact(std::string_view name, std::string_view value) {
    constexpr std::size_t mostFacts = 4096;
    constexpr std::size_t mostBytes = 4096;
    std::string text(value.substr(0, mostBytes));
    if (!text.empty() && std::ranges::all_of(text, [](char c) { return isDigit(c) || c == ','; })) {
        std::erase(text, ',');
    }
    const std::uint32_t from = source();
    const auto last = std::find_if(log.facts.rbegin(), log.facts.rend(), [&](const LogFact& fact) {
        return fact.name == name && fact.source == from;
    });
    if (text.empty() || log.facts.size() >= mostFacts || (last != log.facts.rend() && last->value == text)) {
        return;
    }
    log.facts.push_back({.name = name, .value = std::move(text), .where = where, .source = from});
}

void LogAssembly::addFactAfter(std::string_view text, std::string_view key, std::string_view name) {
    const std::size_t found = text.find(key);
    if (found == std::string_view::npos) {
        return;
    }
    const std::string_view behind = text.substr(found + key.size());
    const char quote = key.back() == '\'' || key.back() == '"' ? key.back() : '\0';
    const std::size_t end = quote == '\0' ? behind.find_first_of(" ,)(}'\";`") : behind.find(quote);
    std::string_view value = behind.substr(0, end);
    value.remove_suffix(quote == '\0' && value.ends_with('.') ? 1 : 0); // of the sentence
    value = value == "True" ? "on" : value == "False" ? "off" : value;
    if (value != "None") {
        addFact(name, value);
    }
}

} // namespace loadline
