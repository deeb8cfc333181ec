// Writes requests with their blocks, and nothing that names anything.
#include "core/trace/write_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace loadline {
namespace {

using Ids = std::span<const std::uint32_t>;

constexpr double msPerSecond = 1000;

void appendIds(std::string& text, Ids ids, std::uint64_t base) {
    text += '[';
    for (std::size_t i = 0; i < ids.size(); ++i) {
        fmt::format_to(std::back_inserter(text), "{}{}", i == 0 ? "" : ", ", base + ids[i]);
    }
    text += ']';
}

struct Line {
    double startS = 0;
    std::string text; ///< behind the time
};

void appendWekaRequests(std::string& text, const BlockTrace& trace, const BlockChain& chain) {
    PromptBlocks prompts(trace);
    const char* between = "";
    for (const BlockRequest& request : trace.requestsOf(chain)) {
        fmt::format_to(std::back_inserter(text),
                       "{}\n{{\"t\": {}, \"type\": \"n\", \"in\": {}, \"out\": {}, ", between, request.startS,
                       request.input, request.output);
        if (request.answerS >= 0) {
            fmt::format_to(std::back_inserter(text), "\"api_time\": {}, ", request.answerS);
        }
        text += "\"hash_ids\": ";
        appendIds(text, prompts.next(request), 1);
        text += '}';
        between = ",";
    }
}

std::string wekaText(const BlockTrace& trace, std::span<const BlockChain> chains, std::size_t number) {
    std::string text =
        fmt::format("{{\"id\": \"session_{:04}\", \"models\": [], \"block_size\": {}, \"hash_id_scope\": "
                    "\"local\", \"requests\": [",
                    number, trace.blockTokens);
    const double begins = chains.front().beginsS;
    std::size_t agents = 0;
    for (const BlockChain& chain : chains) {
        const bool first = &chain == &chains.front();
        const bool nested = chain.subAgent || !first; // countSubAgents() may have made sub-agents main ones
        text += first ? "" : ",";
        if (nested) {
            fmt::format_to(
                std::back_inserter(text),
                "\n{{\"t\": {}, \"type\": \"subagent\", \"agent_id\": \"agent_{:03}\", \"requests\": [",
                std::max(0.0, chain.beginsS - begins), ++agents);
        }
        appendWekaRequests(text, trace, chain);
        text += nested ? "]}" : "";
    }
    return text + "]}\n";
}

} // namespace

std::string mooncakeLines(const BlockTrace& trace) {
    std::vector<std::uint64_t> base;
    std::uint64_t blocks = 0;
    for (const std::uint32_t ofScope : trace.blocksOfScope) {
        base.push_back(blocks);
        blocks += ofScope;
    }
    const std::vector<std::uint32_t> numbers =
        trace.outside.empty() ? std::vector<std::uint32_t>() : numbersOverScopes(trace);
    std::vector<std::uint32_t> ids;
    std::vector<Line> lines;
    for (const BlockChain& chain : trace.chains) {
        PromptBlocks prompts(trace);
        for (const BlockRequest& request : trace.requestsOf(chain)) {
            Line& line = lines.emplace_back();
            line.startS = chain.beginsS + request.startS;
            line.text =
                fmt::format(", \"input_length\": {}, \"output_length\": {}, \"hash_ids\": ", request.input,
                            request.output);
            const auto prompt = prompts.next(request);
            if (numbers.empty()) {
                appendIds(line.text, prompt, base[chain.scope]);
                continue;
            }
            ids.clear();
            for (const std::uint32_t block : prompt) {
                ids.push_back(numbers[base[chain.scope] + block]);
            }
            appendIds(line.text, ids, 0);
        }
    }
    std::ranges::stable_sort(lines, {}, &Line::startS);
    std::string text;
    for (const Line& line : lines) {
        const auto ms = std::llround((line.startS - lines.front().startS) * msPerSecond);
        fmt::format_to(std::back_inserter(text), "{{\"timestamp\": {}{}}}\n", ms, line.text);
    }
    return text;
}

std::vector<WekaFile> wekaFiles(const BlockTrace& trace) {
    std::vector<WekaFile> files;
    const std::span<const BlockChain> chains(trace.chains);
    for (std::size_t first = 0; first < chains.size();) {
        std::size_t end = first;
        while (end < chains.size() && chains[end].scope == chains[first].scope) {
            ++end;
        }
        const std::size_t number = files.size() + 1;
        files.push_back({fmt::format("session_{:04}.json", number),
                         wekaText(trace, chains.subspan(first, end - first), number)});
        first = end;
    }
    return files;
}

} // namespace loadline
