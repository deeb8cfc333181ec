// A request is known by its name; what ends it tells how many tokens it gave, where these are listed.
#include "core/serverlog/format/vllm_requests.h"

#include "core/serverlog/format/text_cursor.h"
#include "core/serverlog/read/log_assembly.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline::vllm {
namespace {

constexpr std::size_t mostWithoutPath = 4096;

void waitForPath(LogAssembly& a, std::size_t index) {
    if (a.vllm.withoutPath.size() < mostWithoutPath) {
        a.vllm.withoutPath.push_back(index);
    }
}

/// The request of this name, a new one where there is none.
std::size_t named(LogAssembly& a, std::string_view name) {
    const auto [known, isNew] = a.vllm.open.try_emplace(std::string(name), LogAssembly::none);
    if (!isNew) {
        a.touch(known->second);
        return known->second;
    }
    const std::size_t index = a.addRequest();
    a.request(index).id = name;
    waitForPath(a, index);
    if (a.vllm.open.size() > a.limits.requests) { // names that never end
        a.vllm.open.erase(known);
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
    a.vllm.open.erase(std::string(m[0]));
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
    if (a.vllm.withoutPath.empty()) {
        return false;
    }
    a.request(a.vllm.withoutPath.front()).path = fmt::format("{} {}", method, path.substr(0, 256));
    a.vllm.withoutPath.pop_front();
    a.tellsServer = true;
    return true;
}

} // namespace loadline::vllm
