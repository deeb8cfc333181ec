// oMLX: a line of each request that is complete.
//
// Read against excerpts of jundot/omlx 3234: "534 tokens in 25.99s (24.4 tok/s), prompt: 4168" is no quotient
// of 534 and 25.99: the rate is of decoding, and the seconds hold the prompt too.
#include "core/serverlog/format/server_patterns.h"
#include "core/serverlog/read/log_assembly.h"
#include "core/serverlog/read/text_cursor.h"

#include <cmath>

namespace loadline {
namespace {

constexpr std::string_view loggedBy = "omlx.server - INFO - ";

/// "omlx.server - INFO - [-] - Chat completion: model=NAME, 534 tokens in 25.99s (24.4 tok/s), prompt: 4168,
/// ..."
bool matchCompletion(std::string_view line, std::size_t at, LogMatch& m) {
    constexpr std::string_view key = "completion: model=";
    auto& g = m.groups;
    const std::size_t found = line.find(key, at);
    TextCursor c(line, found == std::string_view::npos ? line.size() : found + key.size());
    if (!c.text(g[0]) || !g[0].ends_with(',')) {
        return false;
    }
    g[0].remove_suffix(1);
    const bool there = c.skip(" ") && c.count(g[1]) && c.skip(" tokens in ") && c.number(g[2]) &&
                       c.skip("s (") && c.number(g[3]) && c.skip(" tok/s), prompt: ") && c.count(g[4]);
    m.begin = at;
    m.end = c.at();
    return there;
}

void takeCompletion(LogAssembly& a, const LogMatch& m) {
    a.addFact("model", m[0]);
    const std::size_t index = a.addRequest();
    a.touch(index);
    a.end(index, RequestEnd::Complete);
    LogRequest& request = a.request(index);
    request.outputTokens = numberOf(m[1]);
    request.inputTokens = numberOf(m[4]);
    const double seconds = numberOf(m[2]);
    const double rate = numberOf(m[3]);
    request.arrivalS = a.now - seconds;
    request.arrivalInferred = isTold(request.arrivalS);
    if (request.outputTokens > 1 && rate > 0 && request.outputTokens / rate <= seconds) {
        request.decodeTokensPerS = rate;
        request.decodeS = request.outputTokens / rate;
        request.prefillS = seconds - request.decodeS;
        request.firstTokenS = request.arrivalS + request.prefillS;
    }
}

constexpr auto omlxTable = std::to_array<LogPattern>({
    {"omlx_completion", {loggedBy}, matchCompletion, takeCompletion},
});

} // namespace

std::span<const LogPattern> omlxPatterns() {
    return omlxTable;
}

} // namespace loadline
