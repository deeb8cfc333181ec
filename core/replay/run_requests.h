// The requests of a recorded run, with the times at which the real engine served them.
#pragma once

#include "core/base/diagnostic.h"
#include "core/base/result.h"
#include "core/base/tokens.h"
#include "core/schedule/scenario.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadline {

/// Seconds after the run's first arrival.
struct RecordedTimes {
    double queuedS = 0;     ///< the engine's loop took it in
    double firstTokenS = 0; ///< the step that made its first token ended
    double lastTokenS = 0;
    bool operator==(const RecordedTimes&) const = default;
};

struct RecordedRequest {
    std::string id;
    double arrivalS = 0; ///< after the run's first arrival
    Tokens input = 0;
    Tokens output = 0;
    std::optional<RecordedTimes> times;
    std::vector<TokenRun> prompt = {}; ///< token ids; empty where they are not known
    bool operator==(const RecordedRequest&) const = default;
};

struct RunRequests {
    std::vector<RecordedRequest> requests;    ///< by arrival
    std::vector<Diagnostic> diagnostics = {}; ///< lines left out
    std::vector<std::string> notes = {};
};

/// Reads requests.jsonl. Arrivals are on the client's clock, the rest on the engine's: the two are laid over
/// each other where the least time lies between arrival and queue. Lines without lengths of at least one
/// token or without an arrival are left out. The Error: no line could be used.
Result<RunRequests> runRequestsFromJsonLines(std::string_view text, const std::string& path);

/// Gives the requests their prompts from the dataset that was served, a line {"input_tok_ids": [...]} each:
/// the request "bench-7" is line 7, counted from 0. The Error: a request has no line, or another number of
/// tokens there.
Status addPrompts(std::vector<RecordedRequest>& requests, std::string_view text, const std::string& path);

} // namespace loadline
