// A log's server, facts and notes in words.
#include "core/serverlog/server_log.h"

#include "core/text/number_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadline {

std::string_view serverNameOf(const ServerLog& log) {
    return log.server != nullptr ? log.server->name
           : log.known()         ? std::string_view("Access lines")
                                 : std::string_view("Unknown server");
}

std::string_view factOf(const ServerLog& log, std::string_view name) {
    const auto found = std::find_if(log.facts.rbegin(), log.facts.rend(),
                                    [&](const LogFact& fact) { return fact.name == name; });
    return found == log.facts.rend() ? std::string_view() : std::string_view(found->value);
}

std::string keptRequestsWords(const ServerLog& log) {
    return log.moreRequests == 0
               ? std::string()
               : "; figures from the first " + formatExact(static_cast<std::int64_t>(keptRequests(log)));
}

std::string logSentenceOf(const Diagnostic& diagnostic) {
    const bool clock = diagnostic.kind == DiagnosticKind::BadTimestamp; // whose detail is all of it
    const std::string what = clock ? diagnostic.detail : diagnosticSentence(diagnostic);
    return diagnostic.line == 0 ? what : fmt::format("{}: {}", linesOf(diagnostic), what);
}

} // namespace loadline
