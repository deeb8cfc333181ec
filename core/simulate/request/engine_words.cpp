// The options in a pasted `vllm serve ...` command line or engine config, before their meaning is asked.
#include "core/simulate/request/engine_words.h"

#include "core/base/file/read_json.h"
#include "core/text/plain_words.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>

namespace loadline {
namespace {

constexpr std::size_t mostText = 1 << 20;

using Words = std::vector<EngineWord>;

bool isSpace(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}

std::string_view withoutBlanks(std::string_view text) {
    return trimmed(text, " \t\n\v\f\r");
}

std::string nameOf(std::string_view option) {
    option.remove_prefix(std::min(option.size(), option.find_first_not_of('-')));
    std::string name(option);
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

/// The words of a POSIX command line: quotes and backslashes are taken away, "\<newline>" joins lines.
Result<std::vector<std::string>> shellWords(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    bool inWord = false;
    char quote = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const bool last = i + 1 == text.size();
        if (quote == '\'' || (quote == '"' && c != '\\')) {
            if (c == quote) {
                quote = 0;
            } else {
                word += c;
            }
        } else if (c == '\\' && !last) {
            std::size_t next = i + 1;
            if (text[next] == '\r' && next + 1 < text.size()) {
                ++next;
            }
            if (text[next] != '\n') {
                if (quote == '"' && text[next] != '"' && text[next] != '\\') {
                    word += c; // inside double quotes a backslash stands for itself
                }
                word += text[next];
                inWord = true;
            }
            i = next;
        } else if (c == '\'' || c == '"') {
            quote = c;
            inWord = true;
        } else if (isSpace(c) || (c == '\\' && last)) {
            if (inWord) {
                words.push_back(std::move(word));
                word.clear();
                inWord = false;
            }
        } else if (c == '#' && !inWord) {
            i = std::min(text.find('\n', i), text.size() - 1);
        } else {
            word += c;
            inWord = true;
        }
    }
    if (quote != 0) {
        return Error{std::string("a quotation mark ") + quote + " is not closed", "the pasted command line",
                     "paste the whole command"};
    }
    if (inWord) {
        words.push_back(std::move(word));
    }
    return words;
}

/// Behind `vllm serve`, or behind the last of "python -m ... api_server".
std::optional<std::size_t> behindServe(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool vllm = word == "vllm" || (word.size() > 5 && word.ends_with("/vllm"));
        if (vllm && i + 1 < words.size() && words[i + 1] == "serve") {
            return i + 2;
        }
        if (word.ends_with("api_server") || word.ends_with("api_server.py")) {
            return i + 1;
        }
    }
    return std::nullopt;
}

std::size_t optionsBegin(const std::vector<std::string>& words) {
    if (const auto serve = behindServe(words)) {
        return *serve;
    }
    std::size_t begin = 0;
    while (begin < words.size() && (words[begin] == "$" || words[begin] == "serve")) {
        ++begin;
    }
    return begin;
}

Result<Words> fromCommandLine(std::string_view text) {
    const auto split = shellWords(text);
    if (!split) {
        return split.error();
    }
    const std::vector<std::string>& words = *split;
    const auto isOption = [](const std::string& word) {
        return word.size() > 1 && word[0] == '-' && std::isdigit(static_cast<unsigned char>(word[1])) == 0;
    };
    Words found;
    for (std::size_t i = optionsBegin(words); i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "&&" || word == ";" || word == "|" || word == "&" || word == ">") {
            break; // the next command
        }
        if (!isOption(word)) {
            found.push_back({"", word, word});
            continue;
        }
        const std::size_t equals = word.find('=');
        if (equals != std::string::npos) {
            found.push_back(
                {nameOf(std::string_view(word).substr(0, equals)), word.substr(equals + 1), word});
        } else if (i + 1 < words.size() && !isOption(words[i + 1])) {
            found.push_back({nameOf(word), words[i + 1], word + " " + words[i + 1]});
            ++i;
        } else {
            found.push_back({nameOf(word), std::nullopt, word});
        }
    }
    return found;
}

void addJson(const nlohmann::json& object, const std::string& prefix, Words& found) {
    for (const auto& [key, value] : object.items()) {
        const std::string name = prefix + nameOf(key);
        if (value.is_object()) {
            addJson(value, name + ".", found);
        } else if (!value.is_null()) {
            const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
            found.push_back({name, text, fmt::format("{}: {}", key, text)});
        }
    }
}

Result<Words> fromJson(std::string_view text) {
    const auto json = jsonFrom(text);
    if (json.is_discarded() || !json.is_object()) {
        return Error{"this begins like JSON and is not an object", "the pasted engine config",
                     "paste the whole object, from { to }"};
    }
    Words found;
    addJson(json, "", found);
    return found;
}

/// "key: value" on every line that is not blank, a comment or "---".
bool looksLikeYaml(std::string_view text) {
    bool any = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = withoutBlanks(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
        if (line.empty() || line[0] == '#' || line == "---") {
            continue;
        }
        const std::size_t colon = line.find(':');
        const bool key = colon != std::string_view::npos && colon > 0 && line[0] != '-' &&
                         line.substr(0, colon).find_first_of(" \t/=") == std::string_view::npos &&
                         (colon + 1 == line.size() || isSpace(line[colon + 1]));
        if (!key && !line.starts_with("- ")) {
            return false;
        }
        any = any || key;
    }
    return any;
}

std::string unquoted(std::string_view value) {
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'')) {
        const std::size_t end = value.find(value.front(), 1);
        return std::string(value.substr(1, end == std::string_view::npos ? end : end - 1));
    }
    return std::string(withoutBlanks(value.substr(0, value.find(" #"))));
}

Result<Words> fromYaml(std::string_view text) {
    Words found;
    std::vector<std::pair<std::size_t, std::string>> outer; // indent, name
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view whole = text.substr(0, end);
        text.remove_prefix(std::min(text.size(), end + 1));
        const std::string_view line = withoutBlanks(whole);
        if (line.empty() || line[0] == '#' || line == "---") {
            continue;
        }
        const std::size_t indent = whole.find_first_not_of(" \t");
        while (!outer.empty() && outer.back().first >= indent && !line.starts_with("- ")) {
            outer.pop_back();
        }
        const std::string prefix = outer.empty() ? "" : outer.back().second;
        if (line.starts_with("- ")) {
            const std::string item = unquoted(withoutBlanks(line.substr(2)));
            found.push_back(
                {prefix.substr(0, prefix.empty() ? 0 : prefix.size() - 1), item, std::string(line)});
            continue;
        }
        const std::size_t colon = line.find(':');
        const std::string name = prefix + nameOf(line.substr(0, colon));
        const std::string_view value = withoutBlanks(line.substr(colon + 1));
        if (value.empty() || value[0] == '#') {
            outer.emplace_back(indent, name + ".");
        } else if (value != "null" && value != "~") {
            found.push_back({name, unquoted(value), std::string(line)});
        }
    }
    return found;
}

} // namespace

bool isServeCommand(std::string_view text) {
    text = withoutBlanks(text);
    if (text.empty() || text.size() > mostText || text[0] == '{' || looksLikeYaml(text)) {
        return false;
    }
    const auto words = shellWords(text);
    return words && behindServe(*words).has_value();
}

Result<std::vector<EngineWord>> engineWordsIn(std::string_view text) {
    text = withoutBlanks(text);
    if (text.empty()) {
        return Error{"there is nothing to read", "",
                     "paste a `vllm serve ...` command line or an engine config"};
    }
    if (text.size() > mostText) {
        return Error{"this is longer than any command line (1 MiB)", "", "paste the command alone"};
    }
    if (text[0] == '{') {
        return fromJson(text);
    }
    return looksLikeYaml(text) ? fromYaml(text) : fromCommandLine(text);
}

} // namespace loadline
