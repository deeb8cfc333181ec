// Reads the prompts of a recorded run from the dataset that was served.
#include "core/base/file/read_json.h"
#include "core/replay/run_requests.h"
#include "core/text/json/json_fields.h"
#include "core/trace/trace_lines.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>

namespace loadline {
namespace {

using Json = nlohmann::json;

constexpr std::int64_t largestId = std::int64_t{1} << 31;

/// Returns the prompt; nothing unless the line is an object with a list of token ids.
std::optional<std::vector<TokenRun>> promptIn(std::string_view line) {
    const Json object = jsonFrom(line);
    const Json& ids = memberOf(object, "input_tok_ids");
    if (!ids.is_array()) {
        return std::nullopt;
    }
    std::vector<TokenRun> runs;
    for (const Json& entry : ids) {
        if (!entry.is_number_integer() || entry.get<double>() < 0 ||
            entry.get<double>() > static_cast<double>(largestId)) {
            return std::nullopt;
        }
        const auto id = entry.get<std::int64_t>();
        if (!runs.empty() && runs.back().first + runs.back().count == id) {
            ++runs.back().count;
        } else {
            runs.push_back({.first = id, .count = 1});
        }
    }
    return runs;
}

/// 7 of "bench-7".
std::optional<std::size_t> lineOf(const std::string& id) {
    const std::size_t dash = id.find_last_of('-');
    if (dash == std::string::npos) {
        return std::nullopt;
    }
    std::size_t number = 0;
    const char* const end = id.data() + id.size();
    const auto [stop, problem] = std::from_chars(id.data() + dash + 1, end, number);
    return problem == std::errc{} && stop == end ? std::optional(number) : std::nullopt;
}

} // namespace

Status addPrompts(std::vector<RecordedRequest>& requests, std::string_view text, const std::string& path) {
    std::vector<TraceLine> rows;
    TraceLines lines(text);
    while (const auto line = lines.next()) {
        rows.push_back(*line);
    }
    const auto wrong = [&](const std::string& why) {
        return Error{"not the prompts of this run: " + why, path,
                     "the dataset that meta.json names (dataset_path)"};
    };
    for (RecordedRequest& request : requests) {
        const std::optional<std::size_t> row = lineOf(request.id);
        if (!row || *row >= rows.size()) {
            return wrong(fmt::format("it has no line for the request {}", request.id));
        }
        std::optional<std::vector<TokenRun>> prompt = promptIn(rows[*row].text);
        if (!prompt) {
            return wrong(fmt::format("line {} has no \"input_tok_ids\"", rows[*row].number));
        }
        Tokens tokens = 0;
        for (const TokenRun& run : *prompt) {
            tokens += run.count;
        }
        if (tokens != request.input) {
            return wrong(fmt::format("line {} has {} tokens, and the request {} had {}", rows[*row].number,
                                     tokens, request.id, request.input));
        }
        request.prompt = std::move(*prompt);
    }
    return Done{};
}

} // namespace loadline
