// A request is known by its name; what ends it tells how many tokens it gave, where these are listed.
#include "core/serverlog/format/vllm_requests.h"

#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <string>

namespace loadline::vllm {
namespace {

struct Named {
    std::map<std::string, std::size_t> open; ///< requests by their names
    std::deque<std::size_t> withoutPath;     ///< of which no access line was seen, in their order

    static Named& in(LogAssembly& a) { return a.memory.of<Named>(); }
};

constexpr std::size_t mostWithoutPath = 4096;

/// The request of this name, a new one where there is none.
std::size_t named(LogAssembly& a, std::string_view name) {
    auto& [open, withoutPath] = Named::in(a);
    const auto [known, isNew] = open.try_emplace(std::string(name), LogAssembly::none);
    if (!isNew) {
        a.touch(known->second);
        return known->second;
    }
    const std::size_t index = a.addRequest();
    a.request(index).id = name;
    if (withoutPath.size() < mostWithoutPath) {
        withoutPath.push_back(index);
    }
    if (open.size() > a.limits.requests) { // names that never end
        open.erase(known);
    } else {
        known->second = index;
    }
    return index;
}

/// How many are in the last list behind `key`; not told where there is none ("None", or it is cut).
double tokensListed(std::string_view line, std::string_view key) {
    const std::size_t found = line.rfind(key);
    if (found == std::string_view::npos) {
        return notTold;
    }
    const std::string_view list = line.substr(found + key.size());
    const std::size_t end = list.find_first_not_of("0123456789, ");
    if (end == 0 || end == std::string_view::npos || list[end] != ']') {
        return notTold;
    }
    return 1 + static_cast<double>(std::ranges::count(list.substr(0, end), ','));
}

void finish(LogAssembly& a, const LogMatch& m, RequestEnd how) {
    a.end(named(a, m[0]), how);
    Named::in(a).open.erase(std::string(m[0]));
}

} // namespace

bool matchNamed(std::string_view line, std::size_t at, LogMatch& match) {
    const std::size_t name = line.find("cmpl-", at); // the anchors end with "cmpl-" or "chatcmpl-"
    const std::size_t begin =
        name != std::string_view::npos && endsBefore(line, name, "chat") ? name - 4 : name;
    TextCursor c(line, std::min(begin, line.size()));
    std::string_view text;
    if (!c.text(text)) {
        return false;
    }
    text = text.substr(0, text.find_last_not_of(".:,") + 1);
    match.groups = {text, line.substr(begin + text.size())};
    match.begin = at;
    match.end = line.size();
    return true;
}

void takeReceived(LogAssembly& a, const LogMatch& m) {
    LogRequest& request = a.request(named(a, m[0]));
    request.arrivalS = isTold(request.arrivalS) ? request.arrivalS : a.now;
    const double tokens = tokensListed(m[1], "prompt_token_ids: [");
    request.inputTokens = isTold(tokens) ? tokens : request.inputTokens;
}

void takeFinished(LogAssembly& a, const LogMatch& m) {
    finish(a, m, RequestEnd::Complete);
}

void takeAborted(LogAssembly& a, const LogMatch& m) {
    finish(a, m, RequestEnd::Aborted);
}

void takeGenerated(LogAssembly& a, const LogMatch& m) {
    const bool part = m[1].starts_with(" (streaming delta)");
    LogRequest& request = a.request(named(a, m[0]));
    const double tokens = tokensListed(m[1], "output_token_ids: [");
    if (isTold(tokens)) {
        request.outputTokens = part && isTold(request.outputTokens) ? request.outputTokens + tokens : tokens;
    }
    if (part) {
        request.streams = true;
        request.firstTokenS = isTold(request.firstTokenS) ? request.firstTokenS : a.now;
    } else {
        finish(a, m, RequestEnd::Complete);
    }
}

bool takeAccess(LogAssembly& a, std::string_view method, std::string_view path) {
    std::deque<std::size_t>& withoutPath = Named::in(a).withoutPath;
    if (withoutPath.empty()) {
        return false;
    }
    a.request(withoutPath.front()).path = fmt::format("{} {}", method, path.substr(0, 256));
    withoutPath.pop_front();
    a.tellsServer = true;
    return true;
}

} // namespace loadline::vllm
