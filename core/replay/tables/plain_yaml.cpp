// Reads nested keys by their indentation.
#include "core/replay/tables/plain_yaml.h"

#include "core/text/plain_words.h"

#include <algorithm>

namespace loadline {
namespace {

std::string_view unquoted(std::string_view text) {
    const bool quoted =
        text.size() >= 2 && (text.front() == '\'' || text.front() == '"') && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

struct Level {
    std::size_t indent = 0;
    std::string path;
};

} // namespace

std::map<std::string, std::string, std::less<>> plainYaml(std::string_view text) {
    std::map<std::string, std::string, std::less<>> scalars;
    std::vector<Level> open;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = text.substr(begin, end - begin);
        begin = end + 1;
        const std::size_t indent = line.find_first_not_of(' ');
        const std::string_view content = trimmed(line);
        std::size_t colon = content.find(": ");
        if (colon == std::string_view::npos && content.ends_with(':')) {
            colon = content.size() - 1;
        }
        if (content.empty() || content.front() == '#' || content.front() == '-' ||
            colon == std::string_view::npos) {
            continue;
        }
        while (!open.empty() && open.back().indent >= indent) {
            open.pop_back();
        }
        std::string path = (open.empty() ? "" : open.back().path + ".") +
                           std::string(unquoted(trimmed(content.substr(0, colon))));
        const std::string_view value = trimmed(content.substr(colon + 1));
        if (value.empty()) {
            open.push_back({indent, std::move(path)});
        } else {
            scalars.insert_or_assign(std::move(path), std::string(unquoted(value)));
        }
    }
    return scalars;
}

std::vector<std::string> flowList(std::string_view text) {
    std::vector<std::string> entries;
    text = trimmed(text);
    if (text.starts_with('[') && text.ends_with(']')) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        entries.emplace_back(unquoted(trimmed(text.substr(begin, end - begin))));
        begin = end + 1;
    }
    return entries;
}

} // namespace loadline
